//! What the words of a request rule out: touching a file or the tests, pushing, committing, installing, a command.
//!
//! Only a prohibition whose object stands beside its verb is read; a conditional one is not.

use super::file_world::{World, ending_of, world_of};
use super::test_text::list;
use super::wishes::{Clause, Word};
use crate::prose;

/// What people call the file that pins dependencies, whatever its name.
pub(super) const LOCKFILE: &str = "lockfile";

/// What must not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Forbidden {
    /// Change what lies here.
    Touch(String),
    /// Change tests.
    TouchTests,
    /// Remove tests.
    RemoveTests,
    /// Change anything outside of these.
    TouchOutside(Vec<String>),
    /// Push, to this branch if one is named.
    Push(Option<String>),
    Commit,
    /// Add packages.
    Install,
    /// Push over what others have.
    Force,
    /// Run what is called so: `promote`, `publish`.
    Act(String),
    /// Use an option that is named so, such as a baseline, or such a value.
    Word(String),
    /// Go to this place: a server or database, by the name of its stage.
    Reach(String),
    /// Run this command, or any that begins with these words.
    Run(Vec<String>),
}

pub(super) fn wording(forbidden: &Forbidden) -> String {
    match forbidden {
        Forbidden::Touch(path) => format!("do not touch {path}"),
        Forbidden::TouchTests => "do not touch the tests".into(),
        Forbidden::RemoveTests => "do not remove tests".into(),
        Forbidden::TouchOutside(paths) => format!("change only {}", paths.join(", ")),
        Forbidden::Push(_) => "do not push".into(),
        Forbidden::Commit => "do not commit".into(),
        Forbidden::Install => "add no dependencies".into(),
        Forbidden::Force => "do not force-push".into(),
        Forbidden::Act(verb) => format!("do not {verb}"),
        Forbidden::Word(word) => format!("no {word}"),
        Forbidden::Reach(place) => format!("{place} is off limits"),
        Forbidden::Run(words) => format!("do not run {}", words.join(" ")),
    }
}

/// What a clause forbids. "It" is what the clause before spoke of.
pub(super) fn forbidden_in(clause: &Clause, before: &[Clause]) -> Vec<Forbidden> {
    let words = &clause.words;
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    // "until Monday" is a time, and no condition.
    let conditional = (0..words.len()).any(|at| {
        !words[at].code
            && (list("words of a condition").contains(&text(at)) || prose::is(text(at), "conditions-abroad"))
            && !(text(at) == "until" && prose::is(text(at + 1), "times"))
    });
    if clause.asks || conditional {
        return Vec::new();
    }
    let said = || before.iter().chain([clause]).flat_map(|clause| &clause.words);
    let named = || before.last().into_iter().chain([clause]).flat_map(|clause| &clause.words);
    let it = |word: &str| {
        let path = named().filter(|word| is_path(word)).map(|word| word.text.clone()).next_back();
        path.filter(|_| matches!(word, "it" | "them" | "that" | "this")).map(Forbidden::Touch)
    };
    let touches = |at: usize| list("verbs that touch a file").contains(&text(at));
    let mut found = words.split_inclusive(|word| word.ends).flat_map(forbidden_abroad).collect::<Vec<_>>();
    for at in (0..words.len()).filter(|at| !words[*at].code) {
        let rest = &words[at + 1..];
        let negates = prose::is(text(at), "forbidding");
        // "Not implemented: update the file" tells a state, and orders the rest.
        let state = text(at + 1).ends_with("ed");
        let verb = (at + 1..at + 3).find(|verb| is_verb(text(*verb)));
        if let Some(verb) = verb.filter(|_| negates && !state) {
            // "main is protected, never push there directly"
            let branch = || said().rfind(|word| prose::is(&word.text, "shared-branches"));
            if text(verb) == "push" && matches!(text(verb + 1), "there" | "directly" | "straight") {
                found.extend(branch().map(|branch| Forbidden::Push(Some(branch.text.clone()))));
            }
            found.extend(by_verb(&words[verb..]));
            found.extend(it(text(verb + 1)).filter(|_| touches(verb)));
        }
        if prose::is(text(at), "ruling-out") {
            let next = at + 1 + usize::from(matches!(text(at + 1), "a" | "any" | "new" | "more" | "use"));
            let digits = text(next).len() >= 3 && text(next).chars().all(|c| c.is_ascii_digit());
            let alone = text(next + 1).is_empty()
                || prose::is(text(next + 1), "object-ends")
                || words.len() > next + 1 && !text(next + 1).chars().all(char::is_alphanumeric);
            if digits || text(next).len() > 4 && alone && text(next).chars().all(char::is_alphabetic) {
                found.push(Forbidden::Word(text(next).to_owned()));
            }
        }
        // "packages/old is frozen", "db/ is off limits", "lib/core must not be changed"
        let denied = || {
            let not = (at + 1..at + 6).find(|not| prose::is(text(*not), "forbidding"));
            not.is_some_and(|not| words[not..].iter().take(4).any(|word| prose::is(&word.text, "touched")))
        };
        let off = (at + 1..at + 7).any(|off| text(off) == "off" && text(off + 1).starts_with("limit"));
        let frozen = || off || rest.iter().take(4).any(|word| prose::is(&word.text, "frozen"));
        let reaching = || {
            let verb = at.saturating_sub(5)..at;
            let mut verbs = verb.clone().filter(|verb| prose::is(text(*verb), "reaching"));
            verbs.any(|verb| (verb.saturating_sub(3)..verb).any(|not| prose::is(text(not), "forbidding")))
        };
        if prose::is(text(at), "stages") && (off || reaching()) {
            found.push(Forbidden::Reach(text(at).to_owned()));
        }
        if is_path(&words[at]) && (!clause.is_negated() && frozen() || denied()) {
            found.push(Forbidden::Touch(words[at].text.clone()));
        }
        // "leave src/a.rs alone", "keep the tests as they are", "hands off db/"
        let stays = || {
            clause.has(&["alone", "untouched", "unchanged", "intact", "as-is"])
                || words.windows(2).any(|pair| pair[0].text == "as" && prose::is(&pair[1].text, "as-it-is"))
        };
        if matches!(text(at), "leave" | "leaving" | "keep" | "keeping") && stays() {
            found.extend(objects(rest, false));
            found.extend(it(text(at + 1)));
        }
        if prose::is(text(at), "keeping-off") && matches!(text(at + 1), "off" | "out" | "away" | "clear") {
            found.extend(objects(&words[at + 2..], false));
        }
        if text(at) == "only" && touches(at + 1) || touches(at) && text(at + 1) == "only" {
            let named: Vec<String> = paths(&words[at + 2..]).collect();
            if !named.is_empty() {
                found.push(Forbidden::TouchOutside(named));
            }
        }
        if matches!(text(at), "no" | "any")
            && matches!(text(at + 1), "new" | "additional")
            && text(at + 2).starts_with("dependenc")
            && clause.is_negated()
        {
            found.push(Forbidden::Install);
        }
    }
    found
}

/// What a part of a clause forbids in another language than English: a word of denial close to a verb of touching and what it
/// touches, or to the name of an act that is called alike everywhere. What is only not needed is not forbidden.
fn forbidden_abroad(part: &[Word]) -> Vec<Forbidden> {
    let near = |at: usize, reach: usize| &part[at.saturating_sub(reach)..part.len().min(at + reach + 1)];
    let is_denial = |word: &Word| !word.code && prose::is(&word.text, "forbidding-abroad");
    let needless = part.iter().any(|word| prose::begins_one(&word.text, "needless-abroad"));
    let mut found = Vec::new();
    for (at, word) in part.iter().enumerate().filter(|(_, word)| !word.code && !needless) {
        let denied = near(at, 3).iter().any(is_denial);
        // "no toques db/": here the verb is the foreign word.
        let own = at > 0 && part[at - 1].text == "no";
        let is = |act: &str, denied: bool| {
            denied && prose::begins_one(&word.text, &format!("{act}-abroad"))
                || prose::holds_one(&word.text, &format!("{act}-denied"))
        };
        if is("touching", denied || own) {
            found.extend(
                part.iter().filter(|word| is_path(word)).map(|word| Forbidden::Touch(word.text.clone())),
            );
            let tests = near(at, 4).iter().find(|word| prose::is(&word.text, "tests-abroad"));
            let place = tests.and_then(|tests| part.iter().position(|word| word == tests)).unwrap_or(at);
            let mut between = part[place.min(at)..place.max(at)].iter().skip(1);
            let beside = between.all(|word| prose::is(&word.text, "beside-tests"));
            found.extend((tests.is_some() && beside).then_some(Forbidden::TouchTests));
        } else if is("pushes", denied) {
            found.push(Forbidden::Push(None));
        } else if is("commits", denied) {
            found.push(Forbidden::Commit);
        }
    }
    found
}

fn is_verb(word: &str) -> bool {
    list("verbs that touch a file").contains(&word)
        || list("verbs that take away").contains(&word)
        || ["forbidden-verbs", "command-acts", "running"].iter().any(|class| prose::is(word, class))
}

/// What is forbidden by a verb, the first of `words`, and what stands behind it.
fn by_verb(words: &[Word]) -> Vec<Forbidden> {
    let (verb, rest) = (words[0].text.as_str(), &words[1..]);
    let next = |at: usize| rest.get(at).map_or("", |word| word.text.as_str());
    let whole = words[0].ends
        || next(0).is_empty()
        || list("words after which an act is meant as a whole").contains(&next(0));
    match verb {
        "push" | "pushing" => match (next(0), next(1)) {
            ("to", branch) if !branch.is_empty() => {
                let named = branch != "the" && branch != "remote" && branch != "origin";
                vec![Forbidden::Push(named.then(|| branch.to_owned()))]
            }
            _ if whole => vec![Forbidden::Push(None)],
            _ => Vec::new(),
        },
        "commit" | "committing" => {
            let changes =
                matches!(next(0), "the" | "any" | "your") && next(1) != "changes" && !next(1).is_empty();
            if whole && !changes { vec![Forbidden::Commit] } else { Vec::new() }
        }
        "install" | "installing" | "add" | "adding" => {
            let packages = rest.iter().take(4).any(|word| {
                word.text.starts_with("dependenc") || word.text == "packages" || word.text == "libraries"
            });
            if packages { vec![Forbidden::Install] } else { Vec::new() }
        }
        "force-push" | "force-pushing" => vec![Forbidden::Force],
        "force" if next(0).starts_with("push") => vec![Forbidden::Force],
        _ if prose::is(verb, "running") => commanded(rest).into_iter().collect(),
        _ if prose::is(verb, "command-acts") => {
            let thing = matches!(next(0), "the" | "your") && !next(1).is_empty();
            if whole && !thing && !rest.iter().take(3).any(is_path) {
                vec![Forbidden::Act(verb.to_owned())]
            } else {
                Vec::new()
            }
        }
        _ => objects(rest, list("verbs that take away").contains(&verb)),
    }
}

/// The command that stands behind "do not run": code, or a bare name with which the clause ends.
fn commanded(rest: &[Word]) -> Option<Forbidden> {
    let first = rest.first()?;
    let ends = first.ends || rest.get(1).is_none_or(|next| prose::is(&next.text, "object-ends"));
    let option = first.written.starts_with('-') && !first.written.contains(' ');
    let words = || first.written.split_whitespace().map(ToOwned::to_owned).collect();
    if option && first.code {
        Some(Forbidden::Word(first.text.trim_start_matches('-').to_owned()))
    } else {
        let plain = ends && first.text.chars().all(char::is_alphabetic) && !prose::is(&first.text, "english");
        (first.code || plain).then(|| Forbidden::Run(words()))
    }
}

/// What the words directly behind a verb are about.
fn objects(rest: &[Word], removes: bool) -> Vec<Forbidden> {
    let mut found = Vec::new();
    for (at, word) in rest.iter().enumerate() {
        let next = rest.get(at + 1).map_or("", |word| word.text.as_str());
        if is_path(word) {
            found.push(Forbidden::Touch(word.text.clone()));
        } else if !word.code
            && (word.text == "tests"
                || (word.text == "test" && matches!(next, "file" | "files" | "suite" | "code")))
            && !matches!(next, "in" | "under" | "of")
        {
            found.push(if removes { Forbidden::RemoveTests } else { Forbidden::TouchTests });
        } else if word.code
            || !list("words between a verb and what it is about").contains(&word.text.as_str())
        {
            break;
        }
    }
    found
}

fn paths(rest: &[Word]) -> impl Iterator<Item = String> {
    rest.iter()
        .take_while(|word| {
            is_path(word) || list("words between a verb and what it is about").contains(&word.text.as_str())
        })
        .filter(|word| is_path(word))
        .map(|word| word.text.clone())
}

/// Whether a word is a path: it has a slash, or the ending of a file.
fn is_path(word: &Word) -> bool {
    let text = word.text.as_str();
    // Whatever has the form of a file's name: what names no file forbids nothing.
    let ending = ending_of(text);
    let formed = (1..=8).contains(&ending.len()) && ending.chars().all(char::is_alphabetic);
    let named = (formed || world_of(&word.written) != World::Unknown) && text.len() > 3 || text == LOCKFILE;
    !text.contains(char::is_whitespace)
        && !text.contains("://")
        && (text.contains('/') && text.len() > 2 || named || text.starts_with("*."))
}

pub(super) fn allows(clause: &Clause, forbidden: &Forbidden) -> bool {
    if clause.is_negated() {
        return false;
    }
    match forbidden {
        Forbidden::Touch(path) => clause.words.iter().any(|word| word.text == *path),
        Forbidden::TouchTests | Forbidden::RemoveTests => clause.has(&["test", "tests"]),
        Forbidden::TouchOutside(_) => true,
        Forbidden::Push(_) => clause.has(&["push", "ship", "publish"]),
        Forbidden::Commit => clause.has(&["commit", "push"]),
        Forbidden::Force => clause.has(&["force", "force-push"]),
        Forbidden::Act(word) | Forbidden::Word(word) | Forbidden::Reach(word) => clause.has(&[word]),
        Forbidden::Run(words) => {
            words.iter().all(|word| clause.words.iter().any(|said| said.written.contains(word)))
        }
        Forbidden::Install => clause.has(&["install", "add", "dependency", "dependencies"]),
    }
}
