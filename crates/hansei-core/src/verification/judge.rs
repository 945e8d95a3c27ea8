//! What one command's end and output say.

use serde::Serialize;

use super::complaints::{complaints, names_a_place};
use super::early_end::may_have_ended_early;
use super::plan::PlannedCheck;
use crate::check::{
    Check, CheckKind, CheckOutcome, CheckResult, Ecosystem, ExitMeaning, MaskReason, Why, hides_failure,
    outcome, outcomes, read_command,
};

/// What became of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It ran and found nothing wrong.
    Passed,
    /// It found something wrong.
    Failed,
    /// It found only what was wrong before.
    Inherited,
    /// There was nothing to run.
    NothingToRun,
    /// A program that it needs is not there.
    MissingTool,
    /// Nobody knows.
    Unknown,
    /// It used more time, memory or processes than it may.
    LimitReached,
    /// It was not run: it must not be.
    Rejected,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// With this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It reached a limit, which one is said here.
    Limit(String),
}

/// What one run of a check says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// What became of it.
    pub status: Status,
    /// The exit code, if it had one.
    pub exit_code: Option<i32>,
    /// The names of failing tests; where there are none, what is complained about.
    pub failing: Vec<String>,
    /// Whether they can be compared with another run's: tests have names, linters' complaints places. That nothing could be
    /// built or started is neither.
    pub comparable: bool,
    /// Whether those are all: none was left out, and it ran to its end.
    pub all_named: bool,
    /// Why, in words.
    pub why: String,
}

impl Judged {
    /// A check that did not come to run.
    pub fn without_run(status: Status, why: impl Into<String>) -> Self {
        Self {
            status,
            exit_code: None,
            failing: Vec::new(),
            comparable: false,
            all_named: false,
            why: why.into(),
        }
    }
}

/// Most names that a summary keeps: whoever reaches it may have more.
const MOST_NAMES: usize = 50;

/// What tools say that need another one.
const NEEDS: &[&str] = &[
    "No CMAKE_C_COMPILER could be found",
    "No CMAKE_CXX_COMPILER could be found",
    "No module named pytest",
    "error: linker `cc` not found",
    "The JAVA_HOME environment variable is not defined correctly",
    "error while loading shared libraries",
];

/// What the output says beside results.
#[derive(Debug, Clone, Copy)]
struct Words {
    /// The runner said something by itself.
    told: bool,
    /// A runner of tests ran, and found none.
    tested_nothing: bool,
}

/// Judges one run of `check`, which was run as `line`.
pub fn judge(check: &PlannedCheck, line: &str, end: &End, output: &str) -> Judged {
    let code = match end {
        End::Exited(code) => *code,
        End::Signalled(signal) => {
            let mut judged = Judged::without_run(Status::Failed, format!("it was ended by signal {signal}"));
            judged.failing = complaints(output);
            return judged;
        }
        End::Limit(which) => return Judged::without_run(Status::LimitReached, which.clone()),
    };
    let reading = read_command(line);
    let hidden = check.calls.iter().find_map(|script| hides_failure(script));
    let found: Vec<CheckOutcome> = match hidden {
        Some(reason) => vec![behind_a_script(&reading.checks, reason, output)],
        None if reading.checks.is_empty() => vec![plain(line, code, output)],
        None => outcomes(&reading, Some(code), output),
    };
    // What the runner said by itself, whatever the code is.
    let told = reading.checks.iter().any(|(check, _)| {
        let meaning = ExitMeaning::Masked(MaskReason::FollowedBy);
        outcome(check, &meaning, None, output).result != CheckResult::Unknown
    });
    // What builds and then tests nothing was not tested.
    let of_tests = |result: CheckResult| {
        let mut kinds = reading.checks.iter().map(|(check, _)| check.kind).zip(&found);
        kinds.any(|(kind, outcome)| kind == CheckKind::Test && outcome.result == result)
    };
    // Gradle counts only what fails; all others that always speak count what they ran.
    let counts = check.speaks
        && reading.checks.iter().any(|(check, _)| check.kind == CheckKind::Test && check.runner != "gradle");
    let uncounted = counts && told && found.iter().all(|outcome| outcome.summary.is_none());
    let tested_nothing = uncounted || (of_tests(CheckResult::NothingRun) && !of_tests(CheckResult::Passed));
    let (mut status, mut why) = joined(check, code, &found, Words { told, tested_nothing });
    if status == Status::Failed && NEEDS.iter().any(|sign| output.contains(sign)) {
        status = Status::MissingTool;
        why = format!("a program that it needs is not there ({why})");
    }
    let mut failing: Vec<String> = Vec::new();
    for name in
        found.iter().filter_map(|outcome| outcome.summary.as_ref()).flat_map(|summary| &summary.failing)
    {
        if !failing.contains(name) {
            failing.push(name.clone());
        }
    }
    let mut comparable = !failing.is_empty();
    if status == Status::Failed && failing.is_empty() {
        failing = complaints(output);
        let lints = !reading.checks.is_empty()
            && reading.checks.iter().all(|(check, _)| check.kind != CheckKind::Test);
        comparable = lints && !failing.is_empty() && failing.iter().all(|line| names_a_place(line));
    }
    let texts: Vec<&str> = [line].into_iter().chain(check.calls.iter().map(String::as_str)).collect();
    let all_named = comparable && failing.len() < MOST_NAMES && !may_have_ended_early(&texts, code, output);
    Judged { status, exit_code: Some(code), failing, comparable, all_named, why }
}

/// A script that the command calls hides failures, so only what its runner printed counts.
fn behind_a_script(checks: &[(Check, ExitMeaning)], reason: MaskReason, output: &str) -> CheckOutcome {
    let check = checks.first().map_or_else(any_test, |(check, _)| check.clone());
    outcome(&check, &ExitMeaning::Masked(reason), None, output)
}

/// A command that is no known check: its exit code decides, unless the line hides it.
fn plain(line: &str, code: i32, output: &str) -> CheckOutcome {
    if let Some(reason) = hides_failure(line) {
        return outcome(&any_test(), &ExitMeaning::Masked(reason), None, output);
    }
    let (result, why) = match code {
        0 => (CheckResult::Passed, Why::ExitCode),
        126 | 127 => (CheckResult::NothingRun, Why::CouldNotStart),
        _ => (CheckResult::Failed, Why::ExitCode),
    };
    CheckOutcome { result, summary: None, why }
}

fn any_test() -> Check {
    Check {
        kind: CheckKind::Test,
        ecosystem: Ecosystem::Other,
        runner: "script",
        text: String::new(),
        scope: Vec::new(),
        folder: None,
        settings: Vec::new(),
        into_file: false,
    }
}

fn joined(check: &PlannedCheck, code: i32, found: &[CheckOutcome], words: Words) -> (Status, String) {
    let Words { told, tested_nothing } = words;
    let has = |result: CheckResult| found.iter().find(|outcome| outcome.result == result);
    if let Some(outcome) = has(CheckResult::Failed) {
        let why = match outcome.why {
            Why::SummaryAgainstExitCode => {
                "its exit code is 0, and its own summary counts failures".to_owned()
            }
            Why::Summary if code == 0 => {
                "its exit code is hidden, and its own summary counts failures".to_owned()
            }
            _ => format!("it ended with exit code {code}"),
        };
        return (Status::Failed, why);
    }
    if let Some(outcome) = found.iter().find(|outcome| outcome.why == Why::CouldNotStart) {
        debug_assert_eq!(outcome.result, CheckResult::NothingRun);
        return (
            Status::MissingTool,
            format!("a program that it needs could not be started (exit code {code})"),
        );
    }
    if let Some(outcome) = has(CheckResult::Unknown) {
        let why = match outcome.why {
            Why::Interrupted => format!("it was interrupted (exit code {code})"),
            Why::Truncated => "its output was cut, and its exit code is hidden".to_owned(),
            Why::SharedOutput => {
                "two checks printed into one output, and their exit code is hidden".to_owned()
            }
            _ => "its exit code is hidden (a pipe, `|| true` or the like), and it printed no summary"
                .to_owned(),
        };
        return (Status::Unknown, why);
    }
    if has(CheckResult::Passed).is_none() || tested_nothing {
        return (Status::NothingToRun, "its runner says that there is nothing to run".to_owned());
    }
    let hidden = check.calls.iter().any(|script| hides_failure(script).is_some());
    let own =
        !hidden && found.iter().all(|outcome| matches!(outcome.why, Why::ExitCode | Why::LaterCheckRan));
    if code != 0 && own {
        return (Status::Failed, format!("it ended with exit code {code}"));
    }
    // Whoever ends a runner early with zero leaves no summary.
    if check.speaks && own && !told {
        return (
            Status::Unknown,
            "it ended with exit code 0, but its runner never said what it ran".to_owned(),
        );
    }
    let by_summary = found.iter().any(|outcome| outcome.why == Why::Summary);
    let why = if by_summary {
        "its exit code is hidden, and its own summary is green"
    } else {
        "it ended with exit code 0"
    };
    (Status::Passed, why.to_owned())
}
