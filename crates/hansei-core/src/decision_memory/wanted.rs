//! Whether a clause wants a name that is its subject or its object: it should be used, is needed, is allowed again.

use super::contradiction::{TURNING, words};
use super::file_kind::holds;

const MUST: &str = "should must shall ought";
const BEING: &str = "is are seems becomes was be";
const BETWEEN: &str = "now again really still probably also the only a here simply just perfectly";
const WANTED: &str = "needed required necessary allowed permitted fine ok okay safe acceptable right way answer solution best \
    better unavoidable indispensable";
/// Directly before a name, these want it.
const WANTING: &str = "allow permit unban need needs want wants";
/// Stems of what is done with what is not wanted.
const KEPT_OUT: &[&str] = &[
    "avoid", "remov", "drop", "reject", "forbid", "ban", "stay", "remain", "replac", "kept", "keep", "delet",
    "leave", "go",
];

/// Whether what stands before a name and `behind` it wants it.
pub(super) fn is_wanted(before: &str, behind: &[&str]) -> bool {
    let near = before.rsplit([',', ':', '(']).next().unwrap_or(before);
    let said = words(near);
    if said.iter().any(|word| holds(TURNING, word)) {
        return false;
    }
    let last = said.iter().rev().find(|word| !holds("the a an again use", word)).copied().unwrap_or_default();
    if holds(WANTING, last)
        || (last == "only" && behind.first().is_some_and(|word| holds("can could will would", word)))
    {
        return true;
    }
    let Some((first, rest)) = behind.split_first() else { return false };
    if holds(MUST, first) || (holds("needs has", first) && rest.first() == Some(&"to")) {
        let is_kept_out = |word: &&str| KEPT_OUT.iter().any(|stem| word.starts_with(stem));
        return !rest.iter().take(4).any(is_kept_out);
    }
    if !holds(BEING, first) {
        return false;
    }
    let lifted = rest.starts_with(&["no", "longer"]);
    let told = rest.iter().find(|word| !holds(BETWEEN, word)).is_some_and(|word| holds(WANTED, word));
    lifted || told
}
