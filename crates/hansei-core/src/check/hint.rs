//! A quick look at whether a command line can hold a check at all.
//!
//! Most lines of a transcript do not, and are turned away here: the line is cut into runs of letters and digits, and each
//! is looked up in a sorted list. Being wrong in one direction costs time only; a word that is missing here makes a check
//! invisible, so a test holds this list against the tables.

use std::sync::LazyLock;

/// Words of which a check has at least one. Sorted.
pub(super) static WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("check_words.txt").lines().collect());

/// Whether `line` has a word that checks have.
pub(super) fn may_hold_check(line: &str) -> bool {
    line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
        // Names of tasks may join words: `testDebugUnitTest` stands behind its program, which is in the list itself.
        (1..=12).contains(&word.len()) && WORDS.binary_search(&word).is_ok()
    })
}
