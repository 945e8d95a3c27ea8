//! Going round in circles: the same call with the same result, cycles, the same error, looking without acting, talking
//! without doing.
//!
//! Only what lasts to the end of the current task counts: a circle that was left is history. Waiting for something
//! (`polling.rs`) and doing the same to many files are no circles.

mod cycle;
mod errors;
mod monologue;
mod no_action;
mod polling;
mod repeated;

use std::sync::LazyLock;

use super::course::{Course, CourseDetector};
use crate::session::{Action, Call};
use crate::tables::Classes;

static WORDS: LazyLock<Classes> = LazyLock::new(|| Classes::read(include_str!("words.txt")));

/// The detectors of loops.
pub(super) const DETECTORS: &[CourseDetector] =
    &[repeated::detect, cycle::detect, errors::detect, no_action::detect, monologue::detect];

/// A call as loops see it: equal ones had the same input and the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step<'a> {
    tool: &'a str,
    input: u64,
    output: u64,
    exit_code: Option<i32>,
}

/// The calls of the current task, each with its place; a call without an answer has no step.
fn steps<'a>(course: &Course<'a>) -> Vec<(usize, Option<Step<'a>>)> {
    let calls = &course.situation.session.calls;
    course.situation.task_calls().map(|at| (at, step(&calls[at]))).collect()
}

fn step(call: &Call) -> Option<Step<'_>> {
    let end = call.end.as_ref()?;
    Some(Step { tool: &call.tool, input: call.input, output: end.output.digest, exit_code: end.exit_code })
}

/// What a call is called in evidence.
fn shown(call: &Call) -> String {
    match &call.action {
        Action::Run { command, .. } => super::citation::quoted(command),
        Action::Edit { paths } if !paths.is_empty() => format!("{} of {}", call.tool, paths[0]),
        _ => super::citation::quoted(&call.tool),
    }
}
