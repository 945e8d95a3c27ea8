//! The same error again and again: with nothing changed in between, or with edits that change nothing about it.

use std::collections::{BTreeMap, BTreeSet};

use super::{polling::is_polling, shown};
use crate::check::CheckResult;
use crate::evidence::course::Course;
use crate::evidence::{Findings, Kind, Place};
use crate::session::{Action, AnswerEnd, Call};
use crate::verdict::Severity;

/// So often without an edit is a loop.
const WITHOUT_EDIT: usize = 3;
/// So often although something was edited each time.
const DESPITE_EDITS: usize = 4;
/// Calls that may follow the last error.
const AFTER: usize = 4;

/// The errors of one tool or program so far.
#[derive(Debug, Default)]
struct Errors {
    error: String,
    /// How often, and how often in a row with nothing edited in between.
    count: usize,
    unedited: usize,
    last: usize,
}

pub(in crate::evidence) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let calls = &course.situation.session.calls;
    let range = course.situation.task_calls();
    let edited: BTreeSet<usize> = course.changes.iter().map(|change| change.when.0).collect();
    let mut last_edit = None;
    let mut known: BTreeMap<String, Errors> = BTreeMap::new();
    for at in range.clone() {
        let call = &calls[at];
        if !is_polling(course, at) && call.end.is_some() {
            let source = source(course, at);
            match error_of(call) {
                None => {
                    known.remove(&source);
                }
                Some(error) => {
                    let errors = known.entry(source).or_default();
                    if errors.error == error {
                        errors.count += 1;
                        let edits_between = last_edit.is_some_and(|edit| edit > errors.last);
                        errors.unedited = if edits_between { 1 } else { errors.unedited + 1 };
                    } else {
                        *errors = Errors { error, count: 1, unedited: 1, last: at };
                    }
                    errors.last = at;
                }
            }
        }
        if edited.contains(&at) {
            last_edit = Some(at);
        }
    }
    let stuck = known.values().filter(|errors| {
        // Whoever looks for the cause runs a check several times.
        let patience = usize::from(!calls[errors.last].checks.is_empty()) * 2;
        let circles = errors.unedited >= WITHOUT_EDIT + patience
            || errors.count >= DESPITE_EDITS + patience / 2 && errors.unedited < errors.count;
        circles && range.end - 1 - errors.last <= AFTER
    });
    if let Some(errors) = stuck.max_by_key(|errors| (errors.count, errors.last)) {
        let text = format!("{} ended in the same error {} times", shown(&calls[errors.last]), errors.count);
        findings.add(Kind::LoopErrors, Severity::Medium, Place::Call(errors.last), text);
    }
}

/// What made the call, so that its next success answers its errors: a program, or a tool on a file.
fn source(course: &Course<'_>, at: usize) -> String {
    let call = &course.situation.session.calls[at];
    match &call.action {
        Action::Run { .. } => {
            let last = course.commands[at].last();
            let check = call.checks.last().map(|run| run.check.runner);
            check.map_or_else(
                || {
                    last.map(|command| format!("{} {}", command.program(), command.word(1)))
                        .unwrap_or_default()
                },
                str::to_owned,
            )
        }
        Action::Edit { paths } => format!("{} {}", call.tool, paths.first().map_or("", String::as_str)),
        _ => call.tool.clone(),
    }
}

/// The error of a call, without what differs from time to time.
fn error_of(call: &Call) -> Option<String> {
    let end = call.end.as_ref()?;
    if let Some(run) = call.checks.iter().find(|run| run.result == CheckResult::Failed) {
        let mut names = run.summary.as_ref().map(|summary| summary.failing.clone()).unwrap_or_default();
        names.sort();
        if !names.is_empty() {
            return Some(names.join("\n"));
        }
    } else if !matches!(end.end, AnswerEnd::Failed) && end.exit_code.is_none_or(|code| code == 0) {
        return None;
    }
    // A search that finds nothing prints nothing.
    let text = if end.output.tail.is_empty() { &end.output.head } else { &end.output.tail };
    if text.trim().is_empty() && call.checks.is_empty() {
        return None;
    }
    let plain = text.chars().rev().take(600).filter(|c| !c.is_ascii_digit() && !c.is_whitespace());
    Some(plain.collect())
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::LoopErrors;
    use crate::evidence::shorthand::{GREEN, Tale, assert_finds, red};

    fn rounds(count: usize, one: impl Fn(Tale, usize) -> Tale) -> Tale {
        (0..count).fold(Tale::of("Fix the parser"), one)
    }

    #[test]
    fn the_same_error() {
        assert_finds(
            LoopErrors,
            true,
            [
                (
                    "an edit that does not apply",
                    rounds(3, |t, n| {
                        t.edit_failed("a.rs", &format!("old {n}"), "String to replace not found")
                    }),
                ),
                (
                    "a command that varies",
                    rounds(3, |t, n| t.run(&format!("./deploy --try {n}"), 1, "error: no such host")),
                ),
                (
                    "only a time differs",
                    rounds(3, |t, n| t.run("./deploy", 1, &format!("{n}:00 error: no such host"))),
                ),
                (
                    "edits that change nothing",
                    rounds(5, |t, _| t.edits("a.rs").run("cargo test", 101, &red(&["a"]))),
                ),
            ],
        );
    }

    #[test]
    fn changing_errors() {
        assert_finds(
            LoopErrors,
            false,
            [
                ("twice", rounds(2, |t, _| t.run("./deploy", 1, "error: no such host"))),
                (
                    "mended",
                    rounds(3, |t, _| t.run("./deploy", 1, "error: no such host")).run("./deploy", 0, "ok"),
                ),
                (
                    "fewer each time",
                    rounds(3, |t, n| t.edits("a.rs").run("cargo test", 101, &red(&["a", "b", "c"][n..]))),
                ),
                (
                    "looking for the cause",
                    rounds(3, |t, n| t.run(&format!("cargo test -- --test-threads {n}"), 101, &red(&["a"]))),
                ),
                (
                    "passes in the end",
                    rounds(4, |t, _| t.edits("a.rs").run("cargo test", 101, &red(&["a"])))
                        .run("cargo test", 0, GREEN),
                ),
                ("searches", rounds(5, |t, n| t.run(&format!("grep -r x{n} src"), 1, ""))),
                ("waiting for a server", rounds(5, |t, _| t.run("curl localhost", 7, "Connection refused"))),
                (
                    "different files",
                    rounds(4, |t, n| {
                        t.edit_failed(&format!("f{n}.rs"), "x", "not found").edits(&format!("f{n}.rs"))
                    }),
                ),
            ],
        );
    }
}
