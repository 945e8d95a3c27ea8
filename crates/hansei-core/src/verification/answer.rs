//! From the results of all checks to one answer.

use serde::Serialize;

use super::judge::Status;
use super::plan::{Source, Task};
use super::weakened::{self, Weakened};

/// What a verification says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Every check passed, or found only what was wrong before.
    Passed,
    /// At least one found something new, or must not be run.
    Failed,
    /// There was nothing to run.
    NothingToRun,
    /// A program is missing.
    MissingTool,
    /// At least one did not come to a result that counts.
    Unknown,
}

impl Answer {
    /// Whether the work may go on as verified.
    pub fn is_pass(self) -> bool {
        matches!(self, Self::Passed | Self::NothingToRun)
    }
}

/// What became of one check.
#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// The command line.
    pub command: String,
    /// Where it ran, relative to the workspace; `.` for its root.
    pub folder: String,
    /// Who asked for it.
    pub source: Source,
    /// What became of it.
    pub status: Status,
    /// Its exit code, if it ran to its end.
    pub exit_code: Option<i32>,
    /// Failing tests that this work is to answer for; for linters and compilers, what they complain about.
    pub failing_tests: Vec<String>,
    /// Failures that the base commit has too.
    pub inherited: Vec<String>,
    /// What helps of its output.
    pub output: String,
    /// Why it was run, and what decided.
    pub why: String,
    /// How to get what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// How long it ran, in milliseconds.
    pub milliseconds: u64,
}

/// A verification's result.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The answer.
    pub status: Answer,
    /// The answer in a sentence.
    pub summary: String,
    /// Whether this was about code.
    pub task: Task,
    /// The commit that checks were read from and failures compared with.
    pub base: Option<String>,
    /// Every check.
    pub checks: Vec<CheckReport>,
    /// What the work took away from its own checks.
    pub weakened: Vec<Weakened>,
    /// What else is worth knowing, such as settings that do not count.
    pub notes: Vec<String>,
}

/// The answer of all checks together. Nothing to run is no pass where the work took something away.
pub fn answer(checks: &mut [CheckReport], taken: &[Weakened]) -> (Answer, String) {
    for check in checks.iter_mut().filter(|check| check.status == Status::NothingToRun) {
        let folder = if check.folder == "." { "" } else { &check.folder };
        if check.source == Source::Detected && weakened::in_folder(taken, folder) {
            check.status = Status::Unknown;
            check.why.push_str("; and the work took something away from its checks");
        }
    }
    let count = |status: Status| checks.iter().filter(|check| check.status == status).count();
    let (failed, rejected) = (count(Status::Failed), count(Status::Rejected));
    let (unknown, limit) = (count(Status::Unknown), count(Status::LimitReached));
    let (passed, inherited) = (count(Status::Passed), count(Status::Inherited));
    if failed + rejected > 0 {
        let tests: usize = checks.iter().map(|check| check.failing_tests.len()).sum();
        let of = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let mut parts = Vec::new();
        if failed > 0 {
            parts.push(format!("{} failed ({})", of(failed, "check"), of(tests, "new failure")));
        }
        if rejected > 0 {
            parts.push(format!("{} must not be run", of(rejected, "command")));
        }
        return (Answer::Failed, parts.join(", "));
    }
    if count(Status::MissingTool) > 0 {
        return (Answer::MissingTool, "a program that a check needs is missing".to_owned());
    }
    if limit > 0 {
        return (Answer::Unknown, "a check used more time, memory or processes than it may".to_owned());
    }
    if unknown > 0 {
        return (Answer::Unknown, "a check came to no result that counts".to_owned());
    }
    match (passed, inherited) {
        (0, 0) => (Answer::NothingToRun, "there is nothing to run".to_owned()),
        (_, 0) => (Answer::Passed, "all checks passed".to_owned()),
        _ => (Answer::Passed, "nothing new is wrong; what is red was red before".to_owned()),
    }
}
