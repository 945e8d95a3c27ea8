//! The checks that are known by name, and the programs that run tasks whose names are the project's own: tables, one a line.
//!
//! A line of `known_checks.txt` is a program, the words that must follow it, in brackets the options of which one must stand
//! somewhere, and what it is; `task_runners.txt` says in the place of the kind which words are tasks. The first line that
//! fits decides.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{CheckKind, Ecosystem};
use crate::tables::{named, rows};

/// A line of one of the tables.
pub(super) struct Row<Is> {
    pub(super) program: &'static str,
    /// The first words after the program that are no options.
    pub(super) words: Vec<&'static str>,
    /// One of these must stand among the arguments; none at all if there are none here.
    pub(super) options: Vec<&'static str>,
    pub(super) is: Is,
    pub(super) ecosystem: Ecosystem,
    pub(super) runner: &'static str,
}

/// Which words of a runner of tasks are tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Tasks {
    /// The next word; the others are arguments of the task.
    One,
    /// All that are no options.
    All,
    /// The same, and with none named the program builds.
    AllOrBuild,
}

pub(super) static KNOWN: LazyLock<Vec<Row<CheckKind>>> =
    LazyLock::new(|| rows(include_str!("known_checks.txt")).filter_map(read).collect());
pub(super) static TASK_RUNNERS: LazyLock<Vec<Row<Tasks>>> =
    LazyLock::new(|| rows(include_str!("task_runners.txt")).filter_map(read).collect());

fn read<Is: Deserialize<'static>>((called, is): (&'static str, &'static str)) -> Option<Row<Is>> {
    let (called, options) = called.split_once(" [").unwrap_or((called, ""));
    let mut words = called.split(' ');
    let mut is = is.splitn(3, ' ');
    Some(Row {
        program: words.next()?,
        words: words.collect(),
        options: options.trim_end_matches(']').split_whitespace().collect(),
        is: named(is.next()?)?,
        ecosystem: named(is.next()?)?,
        runner: is.next()?,
    })
}

impl<Is> Row<Is> {
    /// Whether the program, called with these words, is this row.
    pub(super) fn fits(&self, program: &str, rest: &[&str], operands: &[&str]) -> bool {
        self.program == program
            && operands.starts_with(&self.words)
            && (self.options.is_empty() || rest.iter().any(|word| self.options.contains(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tables_is_read() {
        let lines = |table: &'static str| rows(table).count();
        assert_eq!(KNOWN.len(), lines(include_str!("known_checks.txt")));
        assert_eq!(TASK_RUNNERS.len(), lines(include_str!("task_runners.txt")));
    }
}
