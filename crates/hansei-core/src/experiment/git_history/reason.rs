//! What a message says about why something was undone or repaired.
//!
//! Words are looked for sentence by sentence, in what the message itself says: not in the title of what it takes back,
//! not in trailers, not in what it quotes.

use crate::history::message::{Message, Purpose};

/// The first sentence of each sort, cut short.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Reason {
    /// A check failed.
    pub(super) failing_check: Option<String>,
    /// Somebody judged that it should not be so.
    pub(super) judgement: Option<String>,
    /// It showed in use.
    pub(super) in_use: Option<String>,
}

const CHECKS: [&str; 34] = [
    "ci", "build", "builds", "buildbot", "builder", "builders", "compile", "compiles", "compilation",
    "compiler", "linker", "test", "tests", "testsuite", "suite", "spec", "specs", "lint", "linter",
    "linting", "travis", "jenkins", "circleci", "appveyor", "buildkite", "workflow", "pipeline", "clippy",
    "rubocop", "mypy", "eslint", "pylint", "typecheck", "bors",
];
const FAILING: [&str; 28] = [
    "fail", "fails", "failed", "failing", "failure", "failures", "broke", "broken", "break", "breaks",
    "breaking", "breakage", "red", "flaky", "flake", "flakes", "flakiness", "intermittent", "intermittently",
    "error", "errors", "unstable", "bustage", "busted", "bust", "busts", "busting", "bustages",
];
/// Who adds a test for what was broken does not say that a test failed.
const ADDING: [&str; 8] = ["add", "adds", "added", "adding", "include", "includes", "cover", "covers"];
/// How far apart the two may stand.
const NEAR: usize = 5;

/// Somebody talked about it: of a repair as of a revert.
#[rustfmt::skip]
const TALKED_OVER: &[&str] = &[
    "discussion", "discussed", "discussing", "agreed", "agreement", "consensus", "reviewer", "reviewers", "feedback", "rfc",
    "objection", "objections",
];
/// Somebody judged otherwise: of a revert alone, for a repair speaks of its subject in such words.
#[rustfmt::skip]
const JUDGED: &[&str] = &[
    "decided", "decision", "design", "redesign", "approach", "premature", "prematurely", "naming", "policy", "concern",
    "concerns", "license", "licence", "semver", "superseded", "supersedes", "unnecessary", "unneeded", "unwanted",
    "not ready", "too early", "wrong branch", "should not have", "shouldn't have", "breaking change", "public api",
    "better solution", "better way", "more work", "in favor of", "in favour of", "not needed", "no longer needed",
];
/// It was not meant, and it is the landing that was not.
const UNMEANT: &[&str] =
    &["by mistake", "mistakenly", "accident", "accidentally", "unintentionally", "inadvertently"];
const LANDING: &[&str] =
    &["merge", "merged", "merging", "commit", "committed", "push", "pushed", "landed", "included"];

/// What is seen when a program is used, and is never just a subject.
#[rustfmt::skip]
const SYMPTOMS: &[&str] = &[
    "regression", "regressions", "regressed", "slowdown", "slower", "memory leak", "leak", "leaks", "leaking", "in the wild",
    "crash", "crashes", "crashed", "crashing", "segfault", "segfaults", "deadlock", "deadlocks", "race condition",
    "edge case", "edge cases", "corner case", "corner cases", "corrupts", "corrupted", "corruption", "data loss",
    "outage", "incompatible", "unexpectedly", "overlooked", "assumed", "assumption", "stopped working",
    "no longer work", "no longer works", "doesn't work", "does not work", "didn't work", "infinite loop", "breaks", "broke",
];
/// What a change may be about, or what it went wrong in: with a word of trouble beside it, the second.
#[rustfmt::skip]
const TOPICS: &[&str] = &[
    "performance", "latency", "memory", "slow", "production", "prod", "users", "user", "customers", "compatibility",
    "deployed", "deployment", "people", "upgrade", "upgrading", "release", "released", "apps", "applications", "race",
];
#[rustfmt::skip]
const TROUBLE: &[&str] = &[
    "worse", "degrades", "degraded", "degradation", "drop", "issue", "issues", "problem", "problems", "broken", "fail",
    "fails", "failed", "failing", "failures", "error", "errors", "cause", "causes", "caused", "causing", "hit", "hurts",
    "impact", "report", "reports", "reported", "bad", "lost", "loses", "complain", "complaints", "affected", "affects", "too",
];
/// The most that is kept of a sentence.
const LONGEST: usize = 120;
/// How much of a message is read for its reasons.
const MOST_SENTENCES: usize = 200;

/// The reasons in a message with this `body`.
pub(super) fn reason(message: &Message, body: &str) -> Reason {
    let mut reason = Reason::default();
    let undoes = !matches!(message.purpose, Purpose::Fix(_));
    for sentence in sentences(message, body).into_iter().take(MOST_SENTENCES) {
        let words = words(&sentence);
        let said = || Some(sentence.chars().take(LONGEST).collect::<String>());
        if reason.failing_check.is_none() && speaks_of_failing_check(&words) {
            reason.failing_check = said();
        }
        let judged = speaks_of(&words, TALKED_OVER)
            || (undoes && speaks_of(&words, JUDGED))
            || (speaks_of(&words, UNMEANT) && speaks_of(&words, LANDING));
        if reason.judgement.is_none() && judged {
            reason.judgement = said();
        }
        let seen = speaks_of(&words, SYMPTOMS) || (speaks_of(&words, TOPICS) && speaks_of(&words, TROUBLE));
        if reason.in_use.is_none() && seen {
            reason.in_use = said();
        }
    }
    reason
}

fn speaks_of_failing_check(words: &[String]) -> bool {
    if words.iter().any(|word| ADDING.contains(&word.as_str())) {
        return false;
    }
    let places = |list: &[&str]| -> Vec<usize> {
        let found = words.iter().enumerate().filter(|(_, word)| list.contains(&word.as_str()));
        found.map(|(place, _)| place).collect()
    };
    let failing = places(&FAILING);
    places(&CHECKS).iter().any(|check| failing.iter().any(|failing| check.abs_diff(*failing) <= NEAR))
}

fn speaks_of(words: &[String], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words
            .windows(phrase.len())
            .any(|window| window.iter().zip(&phrase).all(|(word, wanted)| word == wanted))
    })
}

fn words(sentence: &str) -> Vec<String> {
    let pieces = sentence.split(|character: char| !character.is_alphanumeric() && character != '\'');
    pieces.map(|word| word.trim_matches('\'').to_lowercase()).filter(|word| !word.is_empty()).collect()
}

fn sentences(message: &Message, body: &str) -> Vec<String> {
    let mut text = match message.purpose {
        Purpose::Revert | Purpose::Reland | Purpose::Rollback => cause_in(&message.title).to_owned(),
        Purpose::Fix(_) | Purpose::Other => message.title.clone(),
    };
    text.push('\n');
    for line in body.lines() {
        let line = line.trim();
        if line.is_empty() {
            text.push('\n');
        } else if line != message.title && !is_machinery(line) {
            text.push(' ');
            text.push_str(line);
        }
    }
    let mut sentences = Vec::new();
    for paragraph in text.lines() {
        let parts = paragraph.split_inclusive(". ").flat_map(|part| part.split_inclusive("; "));
        let parts = parts.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
        sentences.extend(parts.filter(|part| !part.is_empty()));
    }
    sentences
}

/// What the title of a revert says about why: behind what it quotes, which are another's words, or behind a word that
/// begins a reason. What is taken back is not a reason.
fn cause_in(title: &str) -> &str {
    const BEGINNINGS: [&str; 12] = [
        " because", " due to", " since ", ", ", "; ", " as it ", " for fail", " for break", " for caus",
        " for build", " for test", " until ",
    ];
    match (title.find('"'), title.rfind('"')) {
        (Some(open), Some(close)) if close > open => title.get(close + 1..).unwrap_or_default(),
        (Some(_), _) => "",
        _ => {
            let lower = title.to_ascii_lowercase();
            let start = BEGINNINGS.iter().filter_map(|beginning| lower.find(beginning)).min();
            start.and_then(|start| title.get(start..)).unwrap_or_default()
        }
    }
}

/// Lines that tools write, or that quote somebody.
fn is_machinery(line: &str) -> bool {
    let lower = line.to_lowercase();
    let trailer = line.split_once(": ").is_some_and(|(key, _)| {
        key.contains('-') && !key.contains(' ') && key.starts_with(|first: char| first.is_ascii_uppercase())
    });
    // `Reviewers: A <a@example.org>`: who had to do with it, not what they said.
    let people = line.split_once(": ").is_some_and(|(key, names)| {
        !key.contains(' ') && (names.contains('@') || matches!(key, "Author" | "Reviewer" | "Reviewers"))
    });
    trailer
        || people
        || lower.starts_with('>')
        || lower.starts_with("this reverts commit")
        || lower.starts_with("reverts ")
        || lower.contains("cherry picked from commit")
        || lower.starts_with("test plan")
        || lower.starts_with("differential revision")
        || lower.starts_with("* revert \"")
        || lower.starts_with("http")
}
