//! Parts of a request that nothing was said or done about.

use std::collections::BTreeSet;

use super::file_world::{World, ending_of, world_of};
use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::prose::{self, Prose, Sentence};
use crate::session::Action;
use crate::verdict::Severity;

/// A request with more words than this holds more than what one human typed.
const TYPED: usize = 80;

/// Finds parts of a listed request that are mentioned nowhere.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let typed = reading.asked.sentences.iter().map(|sentence| sentence.words.len()).sum::<usize>() <= TYPED;
    let mut listed = if typed { listed(&reading.asked) } else { Vec::new() };
    if typed && listed.is_empty() {
        let own = super::request::own(&reading.asked).map(|(_, sentence)| sentence);
        listed = own.filter(|sentence| demands(sentence)).find_map(enumerated).unwrap_or_default();
    }
    untouched_files(situation, reading, findings);
    let parts: Vec<&String> = reading.request.parts.iter().chain(&listed).collect();
    if parts.len() < 2 || !reading.wants_action() || !reading.speech.understood || reading.speech.is_empty() {
        return;
    }
    let mut said: BTreeSet<String> = BTreeSet::new();
    add_telling(&mut said, &situation.last_words());
    for call in &situation.session.calls[situation.task_calls()] {
        match &call.action {
            Action::Run { command, .. } => add_telling(&mut said, command),
            Action::Edit { paths } => paths.iter().for_each(|path| add_telling(&mut said, path)),
            Action::Delegate { request } => add_telling(&mut said, request),
            _ => {}
        }
        if let Some(wrote) = &call.wrote {
            add_telling(&mut said, &wrote.added);
            add_telling(&mut said, &wrote.removed);
        }
    }
    let mentioned = |part: &str| {
        let own = telling(part);
        (own.len(), own.iter().filter(|word| said.contains(*word)).count())
    };
    // An item of a list is left out where next to nothing of what is its own was said or done, and the others were.
    let items = &reading.request.parts;
    let share = |place: usize| {
        let mut own = telling(&items[place]);
        own.remove("test");
        for (other, text) in items.iter().enumerate() {
            if other != place {
                let others = telling(text);
                own.retain(|word| !others.contains(word));
            }
        }
        (own.len(), own.iter().filter(|word| said.contains(*word)).count())
    };
    let kept = |place: &usize| {
        let (own, known) = share(*place);
        own > 0 && known * 3 >= own
    };
    let left_out = |place: usize| {
        let (own, known) = share(place);
        typed && own >= 3 && known * 4 <= own && (0..items.len()).filter(kept).count() * 2 + 1 >= items.len()
    };
    // Of things in a row, one is missing only where its neighbours are there.
    let neighbours = listed.iter().filter(|part| mentioned(part).1 > 0).count();
    for (place, part) in parts.into_iter().enumerate() {
        let (words, known) = mentioned(part);
        let in_row = listed.contains(part);
        if place < items.len() && left_out(place)
            || known == 0 && (!in_row && words >= 2 || in_row && words >= 1 && neighbours >= 2)
        {
            let short: String = part.chars().take(120).collect();
            findings.add_about(
                Kind::PartMissing,
                Severity::Medium,
                Place::Request,
                format!("nothing was said or done about a part of the request: “{short}”"),
                vec![short],
            );
        }
    }
}

/// The things that a request names in a row: "A, B and C", each a word or two.
fn listed(request: &Prose) -> Vec<String> {
    for (_, sentence) in super::request::own(request).filter(|(_, sentence)| demands(sentence)) {
        let words: Vec<&str> = sentence.words.iter().map(String::as_str).collect();
        let Some(comma) = words.iter().position(|word| *word == ",") else { continue };
        let Some(last) = words[comma..].iter().position(|word| *word == "and").map(|place| comma + place)
        else {
            continue;
        };
        let middle: Vec<&[&str]> = words[comma + 1..last].split(|word| *word == ",").collect();
        let tail: Vec<&str> = words[last + 1..]
            .iter()
            .take_while(|word| {
                !matches!(
                    **word,
                    "," | ";" | "and" | "but" | "for" | "in" | "to" | "on" | "with" | "please" | "so"
                )
            })
            .copied()
            .collect();
        // "its urls": a part of what stands before goes with it.
        let short = |part: &[&str]| {
            let whole = !part.contains(&";") && !matches!(part, ["its" | "their", ..]);
            !part.is_empty() && part.len() <= 2 && whole
        };
        if !middle.iter().all(|part| short(part) || part.is_empty()) || !short(&tail) || middle.len() > 6 {
            continue;
        }
        let mut things = vec![words[comma.saturating_sub(1)].to_owned()];
        things.extend(middle.iter().filter(|part| !part.is_empty()).map(|part| part.join(" ")));
        things.push(tail.join(" "));
        let acts =
            |thing: &String| thing.split(' ').any(|word| matches!(word, "it" | "them" | "this" | "that"));
        if comma > 0 && things.len() >= 3 && !things.iter().any(acts) {
            return things;
        }
    }
    Vec::new()
}

/// Whether a sentence orders something, or says how something must be.
fn demands(sentence: &Sentence) -> bool {
    !sentence.asks && (super::request::is_order(sentence) || sentence.has("demanding"))
}

/// Finds files that an open request orders to be changed, and that nobody wrote, ran or spoke of although others were
/// edited. Whether such a file was looked at is not always known: then only one that something is to stand in is missed.
fn untouched_files(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if reading.edits == 0 || !reading.speech.understood {
        return;
    }
    let mut seen = situation.last_words();
    let mut edited: Vec<&str> = Vec::new();
    let mut looked = false;
    for call in &situation.session.calls[situation.open_calls()] {
        seen.push('\n');
        match &call.action {
            Action::Run { command, .. } => seen.push_str(command),
            Action::Edit { paths } => {
                seen.push_str(&paths.join("\n"));
                edited.extend(paths.iter().map(|path| ending_of(path)));
            }
            Action::Delegate { request } => seen.push_str(request),
            Action::Look => looked = true,
            Action::Other => return,
            _ => {}
        }
    }
    let asked =
        situation.session.tasks[situation.open_from()..].iter().filter_map(|task| task.request.as_ref());
    let asked: Vec<Prose> = asked.map(|request| Prose::read(&request.text())).collect();
    for sentence in asked.iter().flat_map(|asked| &asked.sentences) {
        if prose::any(&sentence.words, "spares-a-file") {
            continue;
        }
        let words: Vec<&str> = sentence
            .text
            .split(|c: char| c.is_whitespace() || "`\"'(),;".contains(c))
            .filter(|word| !word.is_empty())
            .collect();
        for (at, name) in words.iter().enumerate() {
            let name = name.trim_end_matches(['.', ':', '!', '?']);
            let file = name.rsplit('/').next().unwrap_or_default();
            let ending = file.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
            let is_file = ending.is_some_and(|ending| {
                // A longer one may be a name in code, unless files here have it.
                ((1..=5).contains(&ending.len()) || edited.contains(&ending))
                    && ending.chars().all(char::is_alphabetic)
                    && ending != "js"
                    && !name.contains("://")
            });
            if is_file
                && name.contains(['/', '_', '-'])
                && !seen.contains(file)
                && if looked {
                    is_to_say(sentence, &words, at) && !tells_of(reading, name)
                } else {
                    reading.wants_action()
                }
            {
                findings.add_about(
                    Kind::PartMissing,
                    Severity::Medium,
                    Place::Request,
                    format!("the request names {file}, and nothing was said or done about it"),
                    vec![file.to_owned()],
                );
                return;
            }
        }
    }
}

/// Whether something is to stand in the file at `at`, that is no code: "document it in docs/ops.md", "api.yaml should describe
/// it", "update config/x.toml".
fn is_to_say(sentence: &Sentence, words: &[&str], at: usize) -> bool {
    let word =
        |at: Option<usize>| at.and_then(|at| words.get(at)).map_or(String::new(), |word| word.to_lowercase());
    let (before, behind) = (word(at.checked_sub(1)), word(Some(at + 1)));
    let writes = |word: &str| prose::is(word, "puts-in-writing");
    let into = prose::is(&before, "into") && words[..at].iter().any(|word| writes(&word.to_lowercase()));
    let code = matches!(world_of(words[at].trim_end_matches(['.', ':', '!', '?'])), World::Of(_));
    !sentence.asks && (!code && into || writes(&before) || prose::is(&behind, "obliges"))
}

/// Whether the last words speak of the file without naming it: by its folder, or as documents are spoken of.
fn tells_of(reading: &Reading, name: &str) -> bool {
    let stems: BTreeSet<String> = name.split('/').rev().skip(1).flat_map(telling).collect();
    let said = reading.speech.places().flat_map(|place| telling(&reading.speech.sentence(place).text));
    said.into_iter().any(|word| stems.contains(&word) || matches!(word.as_str(), "doc" | "docs" | "document"))
}

/// The things that a sentence enumerates after a colon or between parentheses, each one word: names of functions, files,
/// endpoints.
fn enumerated(sentence: &Sentence) -> Option<Vec<String>> {
    let behind = sentence.text.split(['(', ':']).skip(1);
    for row in behind {
        let row = row.split([')', ';', '\n']).next().unwrap_or_default();
        let row = row.split(". ").next().unwrap_or_default().trim_end_matches('.');
        let marks: &[char] = if row.contains(',') { &[','] } else { &['/'] };
        let things: Vec<&str> = row
            .split(marks)
            .flat_map(|part| part.split(" and "))
            .map(|part| part.trim().trim_start_matches("and ").trim_matches(['`', '"', '\'']))
            .collect();
        let name = |thing: &&str| {
            thing.chars().count() > 2
                && !thing.contains(' ')
                && thing.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
        };
        if (3..=12).contains(&things.len()) && things.iter().all(name) {
            return Some(things.into_iter().map(ToOwned::to_owned).collect());
        }
    }
    None
}

/// The telling words of `text`, cut to their stems.
pub(super) fn telling(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    add_telling(&mut words, text);
    words
}

/// Adds the telling words of `text`, cut to their stems.
pub(super) fn add_telling(words: &mut BTreeSet<String>, text: &str) {
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        for word in humps(word) {
            let word = word.to_lowercase();
            if word.chars().count() > 2 && !prose::is(&word, "empty") {
                words.insert(stem(&word).to_owned());
            }
        }
    }
}

/// The words in a name such as `parseConfigFile`.
fn humps(word: &str) -> Vec<&str> {
    let mut humps = vec![word];
    let mut start = 0;
    let mut before = ' ';
    for (place, letter) in word.char_indices() {
        if letter.is_uppercase() && before.is_lowercase() {
            humps.push(&word[start..place]);
            start = place;
        }
        before = letter;
    }
    if start > 0 {
        humps.push(&word[start..]);
    }
    humps
}

fn stem(word: &str) -> &str {
    let cut = [
        "ations", "ation", "ings", "ing", "ments", "ment", "ers", "er", "ies", "ied", "ed", "es", "s", "ly",
        "y", "e",
    ]
    .iter()
    .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.chars().count() >= 3));
    cut.unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::shorthand::Tale;

    #[test]
    fn an_item_that_is_left_out_is_missing() {
        let three = "Three things in the importer:\n1. trim a BOM at the start of a file\n2. take `;` for the separator if \
                     the header has more of them\n3. skip rows whose key was already imported\nplus a test each.";
        for (words, missing) in [
            ("The importer trims the BOM at the start, and takes the separator from the header.", true),
            ("The importer trims the BOM, takes the separator from the header and skips known rows.", false),
        ] {
            let tale = Tale::of(three)
                .edit("importer/reader.py", "a", "b")
                .edit("tests/test_reader.py", "", "def test_a():");
            assert_eq!(!tale.said(words).texts(Kind::PartMissing).is_empty(), missing, "{words}");
        }
        let page = "On the profile page please:\n1. show the join date\n2. add a copy-link button\n3. return a proper 404 for unknown \
                    handles\nand run mix test.";
        for (words, missing) in [
            ("The join date is shown, and there is a copy-link button.", true),
            ("The join date is shown, there is a copy-link button, and unknown handles give a 404.", false),
        ] {
            let tale =
                Tale::of(page).edit("lib/profile.ex", "a", "b").run("mix test", 0, "46 tests, 0 failures");
            assert_eq!(!tale.said(words).texts(Kind::PartMissing).is_empty(), missing, "{words}");
        }
        for request in [
            "Drop the wishlist. Remove the app, its urls, its admin, its pages and its tests. Commit nothing",
            "Write scripts/smoke.sh that builds the image, starts it and checks the page, then run it",
            "The button stays off. Fix (React, src/use_dirty.ts) and confirm",
        ] {
            let tale = Tale::of(request).edits("scripts/smoke.sh").run("./scripts/smoke.sh", 0, "ok");
            let words = "The image builds, the page answers. `use_dirty.ts` is fixed.";
            assert_eq!(tale.said(words).texts(Kind::PartMissing), Vec::<String>::new(), "{request}");
        }
    }

    #[test]
    fn a_file_that_is_asked_for_and_left_alone_is_missing() {
        let polished = "I polished the wording of the messages.";
        let both = "Translate messages_en.properties into French (messages_fr.properties)";
        for (request, edited, words, missing) in [
            (both, "messages_en.properties", polished, true),
            (
                "Translate the messages into French (lang/messages_fr.po)",
                "lang/messages_en.po",
                polished,
                true,
            ),
            (both, "messages_en.properties", "messages_fr.properties was right already.", false),
            // Nothing here says that this is a file.
            ("Speed up parse_all.properties of the parser", "src/parse.rs", polished, false),
        ] {
            let found = Tale::of(request).edits(edited).said(words).texts(Kind::PartMissing);
            assert_eq!(!found.is_empty(), missing, "{request} {edited}: {found:?}");
        }
        let three = "Three things:\n1. `since` for GET /events\n2. api/events.yaml should describe it\n3. drop the old route";
        let four = "Please:\n1. totals with shipping\n2. the command `prune`\n3. document it in docs/ops.md";
        let words = "Totals include shipping, and `prune` deletes what is cancelled.";
        for (request, words, missing) in [
            (three, words, true),
            (four, words, true),
            (four, "`prune` is there, with a page in the docs.", false),
            ("Fix the crash described in docs/crash.md", words, false),
            ("Use docs/api.md as it is and fix the page", words, false),
        ] {
            let tale = Tale::of(request).look("src/a.kt", "x").edits("src/a.kt");
            let found = tale.said(words).texts(Kind::PartMissing);
            assert_eq!(
                found.iter().any(|found| found.contains("the request names")),
                missing,
                "{request}: {found:?}"
            );
        }
        let added = Tale::of(four).edits("a.php").look("a.php", "x").human("also for ups").edits("b.php");
        assert!(!added.said(words).texts(Kind::PartMissing).is_empty());
        let read = Tale::of(both).look("messages_en.properties", "a=b").edits("messages_fr.properties");
        assert_eq!(read.said(polished).texts(Kind::PartMissing), Vec::<String>::new());
    }
}
