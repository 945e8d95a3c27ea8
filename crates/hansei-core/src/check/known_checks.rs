//! The checks that are known by name: `known_checks.txt`, one a line.
//!
//! A line is a program, the words that must follow it, in brackets the options of which one must stand somewhere, and what
//! it is. The first line that fits decides. A program whose tasks have names of the project's own stands in
//! `task_runners.txt` instead.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, StrDeserializer};

use super::{CheckKind, Ecosystem};

/// A known check.
pub(super) struct Known {
    pub(super) program: &'static str,
    /// The first words after the program that are no options.
    pub(super) words: Vec<&'static str>,
    /// One of these must stand among the arguments; none at all if there are none here.
    pub(super) options: Vec<&'static str>,
    pub(super) kind: CheckKind,
    pub(super) ecosystem: Ecosystem,
    pub(super) runner: &'static str,
}

pub(super) static KNOWN: LazyLock<Vec<Known>> =
    LazyLock::new(|| rows(include_str!("known_checks.txt")).filter_map(read).collect());

fn read((called, is): (&'static str, &'static str)) -> Option<Known> {
    let (called, options) = called.split_once(" [").unwrap_or((called, ""));
    let mut words = called.split(' ');
    let mut is = is.splitn(3, ' ');
    Some(Known {
        program: words.next()?,
        words: words.collect(),
        options: options.trim_end_matches(']').split_whitespace().collect(),
        kind: named(is.next()?)?,
        ecosystem: named(is.next()?)?,
        runner: is.next()?,
    })
}

/// Whether a word is the name of a program that does nothing but check: `mypy`, `shellcheck`, not `cargo`.
pub(crate) fn names_a_checker(word: &str) -> bool {
    let mut rows = KNOWN.iter().filter(|known| known.program == word).peekable();
    word.len() > 3 && rows.peek().is_some() && rows.all(|known| known.words.is_empty())
}

/// Whether a word is the name of a program that checks, or that runs tasks.
pub(crate) fn knows_program(word: &str) -> bool {
    KNOWN.iter().any(|known| known.program == word)
        || super::task_runners::TASK_RUNNERS.iter().any(|known| known.program == word)
}

/// The lines of a table: what stands before ` = ` and behind it.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|line| line.split_once(" = "))
}

/// The value of this name.
pub(super) fn named<T: Deserialize<'static>>(name: &'static str) -> Option<T> {
    let name: StrDeserializer<'static, Error> = name.into_deserializer();
    T::deserialize(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::task_runners::TASK_RUNNERS;
    use crate::check::valued_options::VALUED;

    #[test]
    fn every_line_of_the_tables_is_read() {
        let lines = |table: &str| table.lines().count();
        assert_eq!(KNOWN.len(), lines(include_str!("known_checks.txt")));
        assert_eq!(TASK_RUNNERS.len(), lines(include_str!("task_runners.txt")));
        assert_eq!(VALUED.len(), lines(include_str!("valued_options.txt")));
    }
}
