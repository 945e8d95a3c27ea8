//! What a verb claims: which type of claim it makes, and what a list behind it adds.

use super::vocabulary::{has, is};
use super::{ClaimKind, Said};
use crate::check::CheckKind;

/// What the verb at `at` claims.
pub(super) fn verb_at(words: &[String], at: usize) -> Option<ClaimKind> {
    let word = words[at].as_str();
    let rest = &words[at + 1..];
    let is = |class: &str| is(word, class);
    let near = |list: &[&str]| rest.iter().take(6).any(|word| list.contains(&word.as_str()));
    let proposed = || has(&rest[..rest.len().min(5)], "pullrequest");
    let rows = [
        ((is("opened") || word == "updated") && word != "open" && proposed(), ClaimKind::PullRequest),
        ((is("committed") || is("pushed")) && is_act(rest), ClaimKind::Git),
        (matches!(word, "merged" | "rebased") && names_branch(words), ClaimKind::Git),
        (is("deployed"), ClaimKind::Deploy),
        (is("published"), ClaimKind::Publish),
        (is("installed"), ClaimKind::Install),
        (is("ran") && word != "run" || is("looked") && has(words, "sights"), ClaimKind::Ran),
        (is("fixed") && word != "fix", ClaimKind::Fixed),
        (
            is("works") && (word != "working" || !near(&["tree", "directory", "copy", "on", "with"])),
            ClaimKind::Fixed,
        ),
        (is("removed"), ClaimKind::Removed),
        (is("created"), ClaimKind::Created),
        (is("changed") || is("done"), ClaimKind::Changed),
    ];
    rows.into_iter().find(|(holds, _)| *holds).map(|(_, kind)| kind)
}

/// Whether what follows a verb lets it stand for an act: not "committed settings".
fn is_act(rest: &[String]) -> bool {
    let next = rest.first().map_or("", String::as_str);
    next.is_empty()
        || is(next, "behind")
        || next.len() >= 7 && next.chars().all(|c| c.is_ascii_hexdigit())
        || next.parse::<u64>().is_ok()
}

fn names_branch(words: &[String]) -> bool {
    words.iter().any(|word| {
        matches!(word.as_str(), "main" | "master" | "branch" | "pr" | "upstream" | "develop" | "onto")
            || word.contains("origin/")
    })
}

/// "Updated `a`, `b` and `c`": one claim, of more things.
pub(super) fn carry_on(verb: ClaimKind, code: &[&String], claims: &mut [Said]) {
    if let Some(last) = claims.last_mut().filter(|last| last.kind == verb) {
        last.scope.code.extend(code.iter().map(|code| (*code).clone()));
    }
}

impl ClaimKind {
    /// The check whose result it claims.
    pub(super) fn check(self) -> Option<CheckKind> {
        match self {
            Self::Tests => Some(CheckKind::Test),
            Self::Build => Some(CheckKind::Build),
            Self::Lint => Some(CheckKind::Lint),
            Self::Types => Some(CheckKind::TypeCheck),
            Self::Format => Some(CheckKind::Format),
            _ => None,
        }
    }
}
