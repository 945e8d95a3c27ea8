//! What a `git` command does, by its words.

use crate::check::PlainCommand;

/// Branches that belong to everybody.
const PROTECTED: &[&str] = &["main", "master", "trunk", "production", "prod", "stable"];

/// A `git` command: its own word, such as `push`, and what follows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Git<'a> {
    pub(super) does: &'a str,
    pub(super) rest: &'a [String],
    /// The options before its own word.
    pub(super) before: &'a [String],
}

impl<'a> Git<'a> {
    /// `command`, if it is one.
    pub(super) fn of(command: &'a PlainCommand) -> Option<Self> {
        if command.program() != "git" {
            return None;
        }
        let words = command.arguments();
        let mut at = 0;
        while words.get(at).is_some_and(|word| word.starts_with('-')) {
            at += if matches!(words[at].as_str(), "-C" | "-c" | "--git-dir" | "--work-tree") { 2 } else { 1 };
        }
        Some(Self { does: words.get(at)?, rest: &words[at + 1..], before: &words[..at] })
    }

    /// Whether one of `options` follows.
    pub(super) fn has(&self, options: &[&str]) -> bool {
        self.rest.iter().any(|word| options.contains(&word.as_str()))
    }

    /// Whether the one-letter option `letter` follows, alone or in a cluster such as `-nm`.
    pub(super) fn has_letter(&self, letter: char, before_values: &[char]) -> bool {
        self.rest.iter().filter(|word| word.starts_with('-') && !word.starts_with("--")).any(|word| {
            word[1..].chars().take_while(|c| !before_values.contains(c) || *c == letter).any(|c| c == letter)
        })
    }

    /// What follows and is no option.
    pub(super) fn operands(&self) -> impl Iterator<Item = &'a String> {
        self.rest.iter().filter(|word| !word.starts_with('-'))
    }

    /// The branch that the command changes to.
    pub(super) fn changes_to(&self) -> Option<&'a str> {
        let named = || self.operands().next().map(String::as_str);
        match self.does {
            "switch" => named(),
            "checkout" if !self.has(&["--"]) => named().filter(|name| !name.contains('.')),
            _ => None,
        }
    }

    /// The branches that a push writes to, given the one that is checked out.
    pub(super) fn pushes_to(&self, current: Option<&'a str>) -> Option<Vec<&'a str>> {
        if self.does != "push" || self.has(&["--dry-run", "-n", "--tags"]) {
            return None;
        }
        let refs: Vec<&str> = self.operands().skip(1).map(|spec| target(spec)).collect();
        let real = |name: &'a str| if name == "HEAD" { current } else { Some(name) };
        Some(if refs.is_empty() {
            current.into_iter().collect()
        } else {
            refs.into_iter().filter_map(real).collect()
        })
    }

    /// Whether a push overwrites what others pushed.
    pub(super) fn forces(&self) -> bool {
        self.has(&["--force", "-f"]) || self.operands().any(|word| word.starts_with('+'))
    }
}

fn target(spec: &str) -> &str {
    let name = spec.trim_start_matches('+').rsplit(':').next().unwrap_or(spec);
    name.strip_prefix("refs/heads/").unwrap_or(name)
}

/// Whether the branch belongs to everybody.
pub(super) fn is_protected(branch: &str) -> bool {
    PROTECTED.contains(&branch)
}
