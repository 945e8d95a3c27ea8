//! The commits that a fix speaks of, and whether it says of them that they did it.

use super::Named;
use super::objects::{reference, revision};

/// A commit that a message speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// Which.
    pub named: Named,
    /// Whether it is named as what is repaired.
    pub blamed: bool,
}

/// What is said of a commit that broke something.
const BREAKING: [&str; 16] = [
    "introduced", "introduces", "introduce", "caused", "causes", "broken", "broke", "breaks", "break",
    "regression", "regressions", "regressed", "since", "forgotten", "missed", "overlooked",
];
/// What is said of a commit that is repaired; a ticket is fixed too, so of those it says nothing.
const REPAIRING: [&str; 15] = [
    "fix", "fixes", "fixed", "fixing", "fixup", "correct", "corrects", "corrected", "amend", "amends",
    "follow-up", "followup", "follow", "follows", "repairs",
];
/// Lines that tell where a commit comes from, not what was wrong.
const ORIGINS: [&str; 8] = [
    "git-svn-id", "cherry picked", "cherry-picked", "backport", "merged ", "merge ", "reverts commit",
    "upstream",
];
/// How many words before a commit are read.
const NEAR: usize = 5;
/// How many lines of a message are read, and how many commits are kept.
const MOST_LINES: usize = 200;
const MOST_CITED: usize = 20;

/// The commits that a message with this subject and body speaks of.
pub(super) fn cited(subject: &str, body: &str) -> Vec<Cited> {
    let mut found: Vec<Cited> = Vec::new();
    for line in std::iter::once(subject).chain(body.lines()).take(MOST_LINES) {
        let lower = line.trim().to_lowercase();
        if lower.starts_with('>') || ORIGINS.iter().any(|origin| lower.contains(origin)) {
            continue;
        }
        let words: Vec<&str> = lower.split_whitespace().collect();
        for (place, word) in words.iter().enumerate() {
            let bare = word.trim_matches(['(', ')', '<', '>', '`', '"', '\'', '.', ',', ':', ';', '*']);
            let Some(named) = revision(bare).or_else(|| reference(bare.trim_matches(['[', ']']), false))
            else {
                continue;
            };
            let before = words.get(..place).unwrap_or_default().iter().rev().take(NEAR);
            let before = before
                .take_while(|word| !word.ends_with(['.', ';']))
                .map(|word| word.trim_matches([':', ',', '(']));
            let said = |list: &[&str]| before.clone().any(|word| list.contains(&word));
            let is_request = matches!(named, Named::PullRequest(_));
            let blamed = said(&BREAKING) || (!is_request && said(&REPAIRING));
            // A number alone may be a ticket.
            if (blamed || !is_request) && !found.iter().any(|cited| cited.named == named) {
                found.push(Cited { named, blamed });
            }
            if found.len() == MOST_CITED {
                return found;
            }
        }
    }
    found
}
