//! What a document of an ADR folder rejects: options that were not chosen, sentences that forbid or prefer something else, and
//! what a document that was turned down proposed.

use super::contradiction::decides_for;
use super::decision::{Rejection, Standing};
use super::file_kind::holds;
use super::names::{Name, back_quoted, names_in, reasons_begin};
use super::paragraphs::{Paragraph, paragraphs};
use super::plain_names::{names_in_words, without_markup};
use crate::model_text::one_line;

/// What was read of a document.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) title: String,
    pub(super) options: Vec<(u32, String)>,
    /// Options of a section that lists what the decision was taken against.
    pub(super) alternatives: Vec<(u32, String)>,
    pub(super) rejected: Vec<(u32, String)>,
    pub(super) chosen: Option<String>,
    pub(super) decides: Vec<(u32, String)>,
    pub(super) follows: Vec<(u32, String)>,
}

/// What a document rejects.
pub(super) fn rejections(told: &Told, standing: Standing) -> Vec<Rejection> {
    let mut found: Vec<Rejection> = Vec::new();
    let mut reject = |line: u32, text: &str, names: Vec<Name>| {
        found.push(Rejection { text: one_line(text, 400), names, line });
    };
    if standing == Standing::Rejected {
        for (line, text) in &told.decides {
            let mut names: Vec<Name> = back_quoted(text)
                .into_iter()
                .filter_map(|(from, to)| Name::quoted(&text[from..to]))
                .collect();
            if names.is_empty() && *text == told.title {
                names = names_in_words(text);
            }
            if !names.is_empty() {
                reject(*line, text, names);
            }
        }
        return found;
    }
    let (decided, follows) = (joined(&told.decides), joined(&told.follows));
    let chosen = told.chosen.clone().or_else(|| chosen_by_words(told, &decided));
    let is_decided = |name: &Name| {
        let wanted = name.text.to_lowercase();
        let picked = chosen.as_ref().is_some_and(|chosen| {
            chosen
                .to_lowercase()
                .split(|c: char| !(c.is_alphanumeric() || c == '-'))
                .any(|word| word == wanted)
        });
        picked || (!name.quoted && decided.iter().any(|said| decides_for(&said.text, name)))
    };
    let option_names = |text: &str| -> Vec<Name> {
        let quoted = names_in(text);
        let names = if quoted.is_empty() { names_in_words(strip_number(text)) } else { quoted };
        names.into_iter().filter(|name| name.quoted || !is_decided(name)).collect()
    };
    for (line, text) in &told.rejected {
        reject(*line, text, option_names(text));
    }
    let dismissed = |text: &str| {
        let lower = text.to_lowercase();
        ["rejected", "not chosen", "discarded", "ruled out", "dismissed"]
            .iter()
            .any(|word| lower.contains(word))
    };
    for (line, text) in &told.options {
        let against = chosen.as_ref().is_some_and(|chosen| !is_the_chosen(text, chosen));
        if against || (told.chosen.is_none() && dismissed(text)) {
            reject(*line, text, option_names(text));
        }
    }
    for (line, text) in &told.alternatives {
        if !is_marked_chosen(text) && !chosen.as_ref().is_some_and(|chosen| is_the_chosen(text, chosen)) {
            reject(*line, text, option_names(text));
        }
    }
    for (line, text) in listed_as_forbidden(&told.decides).chain(listed_as_forbidden(&told.follows)) {
        reject(line, text, option_names(text));
    }
    for said in decided.iter().chain(&follows) {
        for sentence in sentences(&said.text) {
            let names: Vec<Name> = forbidden(sentence, said.text == told.title)
                .into_iter()
                .filter(|name| name.quoted || !is_decided(name))
                .collect();
            if !names.is_empty() {
                reject(said.lines[0], sentence.trim(), names);
            }
        }
    }
    found
}

/// The elements of lists behind `The following are prohibited:` and its like.
fn listed_as_forbidden(lines: &[(u32, String)]) -> impl Iterator<Item = (u32, &str)> {
    let mut forbids = false;
    lines.iter().filter_map(move |(line, text)| {
        let item = text.strip_prefix("- ").or_else(|| text.strip_prefix("* "));
        if item.is_none() {
            let lower = text.to_lowercase();
            let bans = [
                "prohibited", "forbidden", "banned", "rejected", "not allowed", "must not", "do not",
                "will not", "not be used", "avoid",
            ];
            forbids = lower.ends_with(':') && bans.iter().any(|ban| lower.contains(ban));
        }
        item.filter(|_| forbids).map(|item| (*line, item))
    })
}

/// The option that the words of the decision are for.
fn chosen_by_words(told: &Told, decided: &[Paragraph]) -> Option<String> {
    let all = || told.options.iter().chain(&told.alternatives);
    let marked = all().find(|(_, option)| is_marked_chosen(option)).map(|(_, option)| option.clone());
    let names = || {
        all().filter_map(|(_, option)| {
            let quoted = names_in(option);
            if quoted.is_empty() {
                names_in_words(strip_number(option)).into_iter().next()
            } else {
                quoted.into_iter().next()
            }
        })
    };
    let stated = |name: &Name| {
        decided.iter().any(|said| {
            let first = said
                .text
                .split(". ")
                .next()
                .unwrap_or(&said.text)
                .trim_matches(|c: char| matches!(c, '.' | '*' | '`' | ' '));
            decides_for(&said.text, name) || first.eq_ignore_ascii_case(&name.text)
        })
    };
    marked.or_else(|| names().find(|name| stated(name)).map(|name| name.text))
}

fn joined(lines: &[(u32, String)]) -> Vec<Paragraph> {
    paragraphs(lines.iter().map(|(number, text)| (*number, text.as_str())))
}

pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').flat_map(|part| part.split(". ")).filter(|sentence| !sentence.trim().is_empty())
}

/// What is forbidden stands behind these.
const BEHIND: &[&str] = &[
    "not use ", "n't use ", "never use ", "longer use ", "not adopt ", "not introduce ", "not add ",
    "stop using ", "avoid using ", "avoid ", "we reject ", "we rejected ", "forbids ", "forbid ", "we ban ",
    "decided against ", "and against ", "instead of ", "rather than ", "neglected ", "not depend on ",
    "not rely on ", "not build on ", "not move to ", "not switch to ", "not migrate to ", "rule out ",
    "ruled out ", "not run ", "not install ", "n't introduce ", "n't add ", "away from ", "refrain from ",
    "not employ ", "not allow ", "no use of ",
];
/// And in front of these.
const BEFORE: &[&str] = &[
    " is rejected",
    " was rejected",
    " are rejected",
    " were rejected",
    " has been rejected",
    " have been rejected",
    " is banned",
    " are banned",
    " is forbidden",
    " are forbidden",
    " not allowed",
    " not be used",
    " not used",
    " not an option",
    " no longer an option",
    " not acceptable",
    " was discarded",
    " were discarded",
    " was dismissed",
    " were dismissed",
    " was ruled out",
    " were ruled out",
    " is ruled out",
    " are ruled out",
    " is out of the question",
    " off the table",
    " is prohibited",
    " are prohibited",
    " was not chosen",
    " were not chosen",
    " is not permitted",
    " are not permitted",
    " was turned down",
    " were turned down",
    " was declined",
    " must not ",
    " stays out",
    " remains rejected",
];

/// What is not to be done with what a sentence forbids.
const USING: &str = "use used adopt adopted introduce introduced add added depend rely import imported run install installed employ \
    employed build choose chosen pick picked switch move migrate allow allowed permit permitted accept accepted ship bring \
    brought deploy deployed host hosted return considered consider";
const DENYING: &str = "not never neither nor cannot longer no";
const AUXILIARY: &str = "is are was were be been may must shall will can should could would has have to";

/// What a sentence forbids by denying its use: the object of what is not done, or the subject of what is not done to it.
fn denied(sentence: &str) -> Vec<Name> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for word in sentence.split_inclusive(char::is_whitespace) {
        let bare = word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '`'));
        if !bare.is_empty() {
            words.push((at + word.find(bare).unwrap_or(0), bare));
        }
        at += word.len();
    }
    let lower: Vec<String> = words.iter().map(|(_, word)| word.to_lowercase().replace('’', "'")).collect();
    let is_denial = |word: &String| holds(DENYING, word) || word.ends_with("n't");
    let Some(no) = lower.iter().position(is_denial) else { return Vec::new() };
    let reach = if lower[no] == "neither" { lower.len() } else { no + 5 };
    let Some(verb) = (no + 1..lower.len().min(reach)).find(|place| holds(USING, &lower[*place])) else {
        return Vec::new();
    };
    let passive = verb > 0
        && matches!(lower[verb - 1].as_str(), "be" | "been" | "is" | "are" | "longer" | "was" | "were")
        && lower[verb].ends_with(['d', 'n', 't']);
    if passive {
        let first = usize::from(lower[0] == "neither");
        let end = (first..verb).find(|place| {
            holds(AUXILIARY, &lower[*place]) || is_denial(&lower[*place]) && lower[*place] != "nor"
        });
        return end.map(|end| names_before(&sentence[words[first].0..words[end].0])).unwrap_or_default();
    }
    let (start, word) = words[verb];
    names_behind(&sentence[start + word.len()..])
}

/// What a sentence forbids, or passes over for something else.
fn forbidden(sentence: &str, is_title: bool) -> Vec<Name> {
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return Vec::new();
    }
    let behind = BEHIND.iter().filter_map(|cue| lower.find(cue).map(|at| at + cue.len())).min();
    let before = BEFORE.iter().filter_map(|cue| lower.find(cue)).min();
    let prefers =
        ["prefer", "chose", "choose", "favour", "favor", "pick"].iter().any(|verb| lower.contains(verb));
    let over = prefers.then(|| lower.find(" over ").map(|at| at + " over ".len())).flatten();
    let titled = is_title
        .then(|| {
            let bare =
                lower.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '-' | ':'));
            ["no ", "drop ", "remove ", "ban ", "don't use ", "retire "]
                .iter()
                .find(|start| bare.starts_with(**start))
                .map(|start| lower.len() - bare.len() + start.len())
        })
        .flatten();
    if let Some(at) = before
        && behind.is_none_or(|other| at < other)
    {
        let names = names_before(&sentence[..at]);
        if !names.is_empty() {
            return names;
        }
    }
    match behind.or(over).or(titled) {
        Some(at) => names_behind(&sentence[at..]),
        None => denied(sentence),
    }
}

fn names_behind(text: &str) -> Vec<Name> {
    let head = reasons_begin(text).map_or(text, |at| &text[..at]);
    if head.contains('`') { names_in(text) } else { names_in_words(text) }
}

fn names_before(text: &str) -> Vec<Name> {
    if text.contains('`') {
        let spans = back_quoted(text);
        return spans.into_iter().filter_map(|(from, to)| Name::quoted(&text[from..to])).collect();
    }
    let text = text.trim_start_matches(['-', '*', ' ']);
    let text =
        [" is", " are", " was", " were"].iter().find_map(|verb| text.strip_suffix(verb)).unwrap_or(text);
    let text = text.rsplit(" while ").next().unwrap_or(text);
    names_in_words(text.rsplit(" that ").next().unwrap_or(text))
}

/// `Option 2: Redis` is called Redis.
fn strip_number(text: &str) -> &str {
    let lower = text.to_lowercase();
    let bare = ["option ", "alternative ", "choice "].iter().find_map(|word| lower.strip_prefix(word));
    let Some(bare) = bare else { return text };
    let number = bare.find([':', '.', ')', '-', '–', '—']).filter(|at| *at <= 3);
    let skipped = text.len() - bare.len() + number.map_or(0, |at| at + 1);
    number.and_then(|_| text.get(skipped..)).unwrap_or(text).trim_start_matches([' ', '-', '–', '—'])
}

fn is_marked_chosen(option: &str) -> bool {
    let lower = option.to_lowercase();
    ["(chosen)", "(accepted)", "(selected)", "✅", "(our choice)", "**chosen**", "- chosen", ": chosen"]
        .iter()
        .any(|mark| lower.contains(mark))
}

fn is_the_chosen(option: &str, chosen: &str) -> bool {
    let plain = |text: &str| -> Vec<String> {
        without_markup(text)
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !matches!(*word, "use" | "the" | "a" | "option"))
            .map(str::to_owned)
            .collect()
    };
    let (option_words, chosen_words) = (plain(option), plain(chosen));
    // An option may be explained behind its name; the choice repeats the name.
    let name_of =
        |text: &str| plain(text.split([':', '(']).next().unwrap_or(text).split(" - ").next().unwrap_or(text));
    let name = name_of(option);
    is_marked_chosen(option)
        || option_words == chosen_words
        || (!name.is_empty()
            && (chosen_words.starts_with(&name) || option_words.starts_with(&chosen_words))
            && !chosen_words.is_empty())
}
