//! The check at the end of an attempt: what a verification means for the run.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::verification::{Answer, Report, Source, Status};

/// What a verification means for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Checks ran, and what they found does not speak against the work.
    Green,
    /// There was nothing to run. A pass that says so.
    NothingRan,
    /// Something is wrong, or nobody knows.
    Red,
    /// A program is missing that only a person can install.
    Blocked,
}

/// A verification, as the run remembers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// What it means.
    pub gate: Gate,
    /// The answer in a sentence.
    pub summary: String,
    /// What failed, new or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<String>,
    /// Those of them that failed before the run began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inherited: Vec<String>,
    /// Each command with what became of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Checked>,
    /// What is missing, and how to get it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub install: Vec<String>,
    /// What the work took away from its own checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weakened: Vec<String>,
    /// What helps of the output of what failed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// How long it took.
    #[serde(default)]
    pub milliseconds: u64,
}

/// A command that was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The command line.
    pub command: String,
    /// What became of it, in the words of `hansei verify`.
    pub status: String,
    /// Its exit code, where it ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// The most names that are kept, and the most characters of output.
const MOST_NAMES: usize = 50;
const MOST_OUTPUT: usize = 6_000;

impl Verification {
    /// What a report means for the run.
    ///
    /// What was red before is not this run's, but something has to speak for the work: where the checks of the project
    /// are red for old reasons, a command of the Spec must have passed. Else the run would end as complete with red checks and
    /// nothing green to show, which is also how a task to mend an old failure would end if nobody did it.
    pub fn of(report: &Report) -> Self {
        let inherited: Vec<String> =
            report.checks.iter().flat_map(|check| check.inherited.iter().cloned()).collect();
        let is_old = |status| matches!(status, Status::Inherited);
        let only_old = report.checks.iter().any(|check| is_old(check.status) || !check.inherited.is_empty());
        let proven =
            report.checks.iter().any(|check| check.source == Source::Spec && check.status == Status::Passed);
        let gate = match report.status {
            Answer::Passed if only_old && !proven => Gate::Red,
            Answer::Passed => Gate::Green,
            Answer::NothingToRun => Gate::NothingRan,
            Answer::MissingTool => Gate::Blocked,
            Answer::Failed | Answer::Unknown => Gate::Red,
        };
        let mut failing: Vec<String> =
            report.checks.iter().flat_map(|check| check.failing_tests.iter().cloned()).collect();
        if gate == Gate::Red {
            failing
                .extend(inherited.iter().filter(|name| !failing.contains(name)).cloned().collect::<Vec<_>>());
        }
        failing.truncate(MOST_NAMES);
        let mut output = String::new();
        for check in &report.checks {
            let speaks = !matches!(check.status, Status::Passed | Status::NothingToRun);
            if speaks && gate != Gate::Green {
                let _ = write!(output, "$ {}  ({})\n{}\n", check.command, check.why, check.output.trim_end());
            }
        }
        if output.len() > MOST_OUTPUT {
            output = crate::verification::excerpt(&output, &failing, MOST_OUTPUT);
        }
        let name = |status: Status| {
            serde_json::to_value(status)
                .ok()
                .and_then(|value| value.as_str().map(str::to_owned))
                .unwrap_or_default()
        };
        let mut inherited = inherited;
        inherited.truncate(MOST_NAMES);
        Self {
            gate,
            summary: if gate == Gate::Red && report.status == Answer::Passed {
                "what was red before is still red, and no command of the plan shows that the work is done"
                    .to_owned()
            } else {
                report.summary.clone()
            },
            failing,
            inherited,
            checks: report
                .checks
                .iter()
                .map(|check| Checked {
                    command: check.command.clone(),
                    status: name(check.status),
                    exit_code: check.exit_code,
                })
                .collect(),
            install: report.checks.iter().filter_map(|check| check.install.clone()).collect(),
            weakened: report
                .weakened
                .iter()
                .map(|weakened| format!("{}: {}", weakened.path, weakened.what))
                .collect(),
            output,
            milliseconds: report.checks.iter().map(|check| check.milliseconds).sum(),
        }
    }

    /// A verification that could not be carried out. Nobody knows, which is no pass.
    pub fn impossible(why: &str) -> Self {
        Self {
            gate: Gate::Red,
            summary: format!("it could not be verified: {why}"),
            failing: Vec::new(),
            inherited: Vec::new(),
            checks: Vec::new(),
            install: Vec::new(),
            weakened: Vec::new(),
            output: String::new(),
            milliseconds: 0,
        }
    }
}
