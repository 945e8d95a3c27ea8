//! Patterns of ours, compiled once.
//!
//! The regular expressions are built without Unicode's tables, so `\w`, `\d`, `\s` and `\b` are written out as ASCII here
//! instead of in every pattern.

use std::sync::OnceLock;

use regex::{Captures, Regex};

/// A pattern that is compiled when it is first asked.
#[derive(Debug)]
pub(super) struct Pattern {
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

/// A place where a pattern matched.
#[derive(Debug)]
pub(super) struct Hit<'t> {
    groups: Captures<'t>,
    line: usize,
}

impl<'t> Hit<'t> {
    /// What the group holds, empty where it took no part.
    pub(super) fn group(&self, at: usize) -> &'t str {
        self.groups.get(at).map_or("", |found| found.as_str())
    }

    /// The first of the groups from `first` on that took part.
    pub(super) fn first_from(&self, first: usize) -> &'t str {
        (first..self.groups.len()).map(|at| self.group(at)).find(|text| !text.is_empty()).unwrap_or("")
    }

    /// Where the whole match begins.
    pub(super) fn start(&self) -> usize {
        self.groups.get(0).map_or(0, |found| found.start())
    }

    /// Where the whole match ends.
    pub(super) fn end(&self) -> usize {
        self.groups.get(0).map_or(0, |found| found.end())
    }

    /// The line of the match, counted from one.
    pub(super) fn line(&self) -> usize {
        self.line
    }
}

impl Pattern {
    /// A pattern; `^` and `$` stand for the ends of a line.
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, compiled: OnceLock::new() }
    }

    fn regex(&self) -> Option<&Regex> {
        let compiled = self.compiled.get_or_init(|| {
            let text = self
                .text
                .replace(r"\w", "[A-Za-z0-9_]")
                .replace(r"\d", "[0-9]")
                .replace(r"\s", r"[ \t\r\n]")
                .replace(r"\S", r"[^ \t\r\n]")
                .replace(r"\b", r"(?-u:\b)");
            let compiled = Regex::new(&format!("(?m){text}"));
            debug_assert!(compiled.is_ok(), "{compiled:?}");
            compiled.ok()
        });
        compiled.as_ref()
    }

    /// Whether it is somewhere in the text.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// The first place.
    pub(super) fn first<'t>(&self, text: &'t str) -> Option<Hit<'t>> {
        self.all(text).into_iter().next()
    }

    /// Every place, with its line.
    pub(super) fn all<'t>(&self, text: &'t str) -> Vec<Hit<'t>> {
        let (mut line, mut counted) = (1, 0);
        let Some(regex) = self.regex() else { return Vec::new() };
        regex
            .captures_iter(text)
            .take(MOST_HITS)
            .map(|groups| {
                let start = groups.get(0).map_or(0, |found| found.start());
                line += text[counted..start].matches('\n').count();
                counted = start;
                Hit { groups, line }
            })
            .collect()
    }
}

/// The most places that one pattern is followed to in one text.
const MOST_HITS: usize = 5_000;
