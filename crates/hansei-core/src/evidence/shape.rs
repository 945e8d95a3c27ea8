//! The shape of the work on a task, apart from how much of it there was: what orders stops by how likely they are done.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Situation;
use super::course::Course;
use super::crash_seen::is_trouble;
use super::file_world::{is_aside, is_code, is_test_file, name_of};
use super::reading::may_show;
use crate::check::CheckResult;
use crate::session::{Action, Call};

/// Shares and yes-or-no answers, each from 0 to 1; `None` where nothing was changed and nothing had to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Shape {
    /// The code that was there before was changed in exactly one file.
    pub one_file: f64,
    /// The request names a file that was changed.
    pub named: f64,
    /// How much of the course lies between the first and the last change; all of it where nothing was changed.
    pub span: f64,
    /// The same call gave the same result three times.
    pub again: f64,
    /// What was run last failed.
    pub last_run_failed: f64,
}

impl Shape {
    pub(super) fn of(course: &Course<'_>, code_is_due: bool) -> Option<Self> {
        let situation = course.situation;
        let calls = situation.task_calls();
        let own = made(course);
        let changes: Vec<(usize, &str)> = course
            .changes
            .iter()
            .filter(|change| calls.contains(&change.when.0) && change.is_by_hand())
            .filter_map(|change| Some((change.when.0, change.path.as_deref()?)))
            .filter(|(_, path)| {
                is_code(path) && !is_test_file(path) && !is_aside(path) && !own.contains(name_of(path))
            })
            .collect();
        if changes.is_empty() && (!code_is_due || calls.is_empty()) {
            return None;
        }
        let files: BTreeSet<&str> = changes.iter().map(|(_, path)| name_of(path)).collect();
        let span = match (changes.first(), changes.last()) {
            (Some((first, _)), Some((last, _))) => share(last - first, calls.len()),
            _ => 1.0,
        };
        Some(Self {
            one_file: yes(files.len() == 1),
            named: yes(files.iter().any(|path| is_named(situation, path))),
            span,
            again: yes(comes_again(&situation.session.calls[calls.clone()])),
            last_run_failed: yes(situation.session.calls[calls].iter().rev().find_map(failed) == Some(true)),
        })
    }

    /// The features, by name.
    pub fn features(&self) -> [(&'static str, f64); 5] {
        [
            ("one_file", self.one_file),
            ("named", self.named),
            ("span", self.span),
            ("again", self.again),
            ("last_run_failed", self.last_run_failed),
        ]
    }
}

fn yes(is: bool) -> f64 {
    f64::from(u8::from(is))
}

#[allow(clippy::cast_precision_loss, reason = "a session has a few thousand calls")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// Names of files that the session itself made: the first that was seen of them is that they were written whole. By name,
/// because a tool may say a path from the folder that another says from the root.
fn made<'c>(course: &'c Course<'_>) -> BTreeSet<&'c str> {
    let mut seen = BTreeSet::new();
    let first = course.changes.iter().filter_map(|change| Some((change.when.0, change.path.as_deref()?)));
    let own = first.filter(|(at, path)| {
        let call = &course.situation.session.calls[*at];
        let redirects = || course.commands[*at].iter().any(|command| !command.writes.is_empty());
        seen.insert(name_of(path))
            && (call.wrote.as_ref().is_some_and(|wrote| wrote.whole)
                || matches!(call.action, Action::Run { .. }) && redirects())
    });
    own.map(|(_, path)| name_of(path)).collect()
}

/// Whether the request speaks of the file, by its name or by the name of its module.
fn is_named(situation: &Situation<'_>, path: &str) -> bool {
    let request = situation.request().to_lowercase();
    let name = name_of(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    request.contains(&name)
        || request.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == stem)
}

/// Whether the same call gave the same result three times.
fn comes_again(calls: &[Call]) -> bool {
    let mut rounds: BTreeMap<(&str, u64, u64), u32> = BTreeMap::new();
    calls.iter().any(|call| {
        let Some(end) = &call.end else { return false };
        let count = rounds.entry((&call.tool, call.input, end.output.digest)).or_default();
        *count += 1;
        *count == 3
    })
}

/// Whether a call that ran a check or a program ended badly; `None` for any other call.
fn failed(call: &Call) -> Option<bool> {
    if let Some(ran) = call.checks.last() {
        return Some(ran.result == CheckResult::Failed);
    }
    let Action::Run { command, .. } = &call.action else { return None };
    let end = call.end.as_ref().filter(|_| may_show(command))?;
    let output = end.output.text().to_lowercase();
    Some(end.exit_code.is_some_and(|code| code != 0) || output.lines().map(str::trim).any(is_trouble))
}
