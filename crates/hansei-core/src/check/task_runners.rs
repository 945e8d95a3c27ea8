//! Programs that run tasks whose names are the project's own, `npm run …`, `make …`, `gradle …`: `task_runners.txt`, one a line.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Ecosystem;
use super::known_checks::{named, rows};

/// A program that runs tasks whose names are the project's own.
pub(super) struct TaskRunner {
    pub(super) program: &'static str,
    /// The words that must stand before the tasks.
    pub(super) words: Vec<&'static str>,
    pub(super) tasks: Tasks,
    pub(super) ecosystem: Ecosystem,
    pub(super) runner: &'static str,
}

/// Which words are tasks.
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

pub(super) static TASK_RUNNERS: LazyLock<Vec<TaskRunner>> =
    LazyLock::new(|| rows(include_str!("task_runners.txt")).filter_map(read).collect());

fn read((called, is): (&'static str, &'static str)) -> Option<TaskRunner> {
    let mut words = called.split(' ');
    let mut is = is.splitn(3, ' ');
    Some(TaskRunner {
        program: words.next()?,
        words: words.collect(),
        tasks: named(is.next()?)?,
        ecosystem: named(is.next()?)?,
        runner: is.next()?,
    })
}
