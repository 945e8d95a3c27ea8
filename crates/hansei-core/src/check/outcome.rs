//! What became of a check: its exit code where that is its own, else what its runner printed.
//!
//! A code other than zero that is the check's own is a failure, whatever the summary says; zero with failures in the
//! summary is one too. Where the code is hidden the summary decides, and an output that was cut can show a failure but
//! prove no pass.

use serde::Serialize;

use super::summary::{self, Summary, Tally};
use super::{Check, CheckKind, CommandReading, Ecosystem, ExitMeaning, MaskReason, View, environment};

/// What a check said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// It ran and found nothing wrong.
    Passed,
    /// It ran and found something wrong, or could not do its work.
    Failed,
    /// It ran no test: none found, all skipped, or the program is missing. Never a pass.
    NothingRun,
    /// Nobody knows.
    Unknown,
}

/// What decided about a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The check's own exit code.
    ExitCode,
    /// The check's own exit code, although the summary looks green.
    ExitCodeAgainstSummary,
    /// The summary, although the exit code is zero.
    SummaryAgainstExitCode,
    /// The exit code that the line printed.
    PrintedExitCode,
    /// The runner's summary.
    Summary,
    /// A later check of the same line ran, which it does only if this one passed.
    LaterCheckRan,
    /// An earlier check of the same line failed, so this one did not run.
    EarlierCheckFailed,
    /// Another check printed into the same output, and the failure in it may be that one's.
    SharedOutput,
    /// It said nothing, as it does when all is well.
    Silence,
    /// The runner ran nothing.
    NothingRan,
    /// The program could not be started.
    CouldNotStart,
    /// It was stopped before it ended.
    Interrupted,
    /// The output was cut, and what is left shows no failure.
    Truncated,
    /// A filter may have left failures out.
    Filtered,
    /// Neither an exit code of its own nor a summary.
    NoEvidence,
}

/// What became of a check, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckOutcome {
    /// What it said.
    pub result: CheckResult,
    /// What its runner counted, where that was found.
    pub summary: Option<Summary>,
    /// What decided.
    pub why: Why,
}

/// The outcome of one check, from the exit code of its line (where known) and the output.
pub fn outcome(check: &Check, meaning: &ExitMeaning, exit_code: Option<i32>, output: &str) -> CheckOutcome {
    judge(check, meaning, exit_code, &summary::clean(output).text(), true)
}

/// The outcomes of all checks of a line, in their order. Checks that share the line's code are weighed together: a later
/// one runs only if the earlier ones passed.
pub fn outcomes(reading: &CommandReading, exit_code: Option<i32>, output: &str) -> Vec<CheckOutcome> {
    if reading.checks.is_empty() {
        return Vec::new();
    }
    let cleaned = summary::clean(output);
    let text = cleaned.text();
    let mut outcomes: Vec<CheckOutcome> = reading
        .checks
        .iter()
        .map(|(check, meaning)| judge(check, meaning, exit_code, &text, reading.checks.len() == 1))
        .collect();
    if outcomes.len() > 1 {
        set_apart(reading, &mut outcomes);
        if exit_code != Some(0) {
            weigh_together(reading, &mut outcomes);
        }
    }
    outcomes
}

/// Several checks of a line print into one output. A failure that was read there is nobody's for sure when the same
/// runner ran twice, or when it has no numbers and another check is known to have failed.
fn set_apart(reading: &CommandReading, outcomes: &mut [CheckOutcome]) {
    let counted = |outcome: &CheckOutcome| outcome.summary.as_ref().is_some_and(|summary| summary.failed > 0);
    let before = outcomes.to_vec();
    for (at, outcome) in outcomes.iter_mut().enumerate() {
        let (check, meaning) = &reading.checks[at];
        if outcome.result != CheckResult::Failed {
            continue;
        }
        // Zero is its own; the failure that stands beside it may be that of the runs whose code is hidden.
        let hidden = |other: usize| {
            let (run, meaning) = &reading.checks[other];
            other != at && run.runner == check.runner && matches!(meaning, ExitMeaning::Masked(_))
        };
        if outcome.why == Why::SummaryAgainstExitCode && (0..before.len()).any(hidden) {
            *outcome = CheckOutcome { result: CheckResult::Passed, summary: None, why: Why::ExitCode };
        }
        if outcome.why != Why::Summary {
            continue;
        }
        let others = || (0..before.len()).filter(|other| *other != at);
        let twice = others().any(|other| reading.checks[other].0.runner == check.runner);
        let surely = others().any(|other| {
            before[other].result == CheckResult::Failed
                && (before[other].why != Why::Summary || counted(&before[other]))
        });
        if twice || (surely && !counted(outcome) && *meaning != ExitMeaning::Shared) {
            outcome.result = CheckResult::Unknown;
            outcome.why = Why::SharedOutput;
        }
    }
}

/// A chain of checks ended with a code other than zero, so one of them failed and those behind it did not run.
fn weigh_together(reading: &CommandReading, outcomes: &mut [CheckOutcome]) {
    let shared: Vec<usize> =
        (0..outcomes.len()).filter(|at| reading.checks[*at].1 == ExitMeaning::Shared).collect();
    let counted = |outcome: &CheckOutcome| {
        outcome.summary.as_ref().is_some_and(|summary| summary.passed + summary.failed + summary.skipped > 0)
    };
    // What comes behind them may hide its own code, but it ran.
    if let Some(last) = (0..outcomes.len()).rev().find(|at| counted(&outcomes[*at])) {
        let before = shared.iter().filter(|at| **at < last).copied();
        for at in before.filter(|at| !counted(&outcomes[*at])).collect::<Vec<_>>() {
            outcomes[at] =
                CheckOutcome { result: CheckResult::Passed, summary: None, why: Why::LaterCheckRan };
        }
    }
    // The same complaint may be read by two checks; it is the first one's.
    let mut failed = false;
    for at in shared {
        if failed && !counted(&outcomes[at]) {
            outcomes[at] =
                CheckOutcome { result: CheckResult::NothingRun, summary: None, why: Why::EarlierCheckFailed };
        }
        failed |= outcomes[at].result == CheckResult::Failed;
    }
}

fn judge(
    check: &Check,
    meaning: &ExitMeaning,
    exit_code: Option<i32>,
    text: &summary::Text<'_>,
    alone: bool,
) -> CheckOutcome {
    let tally = summary::read(check, text);
    let said = said(check.kind, &tally);
    let known = |result: CheckResult, why: Why| CheckOutcome { result, summary: tally.summary(), why };
    let (code, printed) = match meaning {
        ExitMeaning::Own => (exit_code, false),
        ExitMeaning::Shared => (exit_code.filter(|code| *code == 0), false),
        ExitMeaning::Printed(before) => (text.printed_code(before), true),
        ExitMeaning::PrintedShared(before) => (text.printed_code(before).filter(|code| *code == 0), true),
        ExitMeaning::Masked(_) => (None, false),
    };
    // Nothing was counted or complained of, and the machine lacks something: no word about the code.
    if code != Some(0)
        && !tally.counted
        && tally.complaints == 0
        && text.lines().iter().any(|line| environment::sign(line).is_some())
    {
        return known(CheckResult::NothingRun, Why::CouldNotStart);
    }
    let by_code = if printed { Why::PrintedExitCode } else { Why::ExitCode };
    match code {
        Some(0) => match said {
            // Lines that merely look like errors may be what the tests print on purpose.
            Some(CheckResult::Failed) if tally.is_sure_of_failure() => {
                known(CheckResult::Failed, Why::SummaryAgainstExitCode)
            }
            Some(CheckResult::NothingRun) => known(CheckResult::NothingRun, Why::NothingRan),
            _ => known(CheckResult::Passed, by_code),
        },
        Some(code) => match said {
            _ if code == 5 && check.runner == "pytest" && tally.failed == 0 => {
                known(CheckResult::NothingRun, Why::NothingRan)
            }
            Some(CheckResult::NothingRun) if tally.nothing => known(CheckResult::NothingRun, Why::NothingRan),
            Some(CheckResult::Failed) => known(CheckResult::Failed, by_code),
            _ if matches!(code, 126 | 127) || text.says_shell_could_not_start() => {
                known(CheckResult::NothingRun, Why::CouldNotStart)
            }
            // 124 is `timeout`, the others are signals: somebody ended it, and it said nothing.
            _ if matches!(code, 124 | 130 | 137 | 143) || code < 0 => {
                known(CheckResult::Unknown, Why::Interrupted)
            }
            Some(CheckResult::Passed) => known(CheckResult::Failed, Why::ExitCodeAgainstSummary),
            _ => known(CheckResult::Failed, by_code),
        },
        None => match said.or_else(|| alone.then(|| summary::plain_counts(check.kind, text)).flatten()) {
            // Its own count is flawless; the task that complains may be another one behind it.
            Some(CheckResult::Failed)
                if check.ecosystem == Ecosystem::Make
                    && tally.counted
                    && tally.failed == 0
                    && tally.passed > 0 =>
            {
                known(CheckResult::Unknown, Why::SharedOutput)
            }
            Some(CheckResult::Failed) => known(CheckResult::Failed, Why::Summary),
            None if is_silent_pass(check, meaning, text) => known(CheckResult::Passed, Why::Silence),
            Some(_) if text.is_cut() => known(CheckResult::Unknown, Why::Truncated),
            Some(_) if text.tells_of_an_end() => known(CheckResult::Unknown, Why::Interrupted),
            Some(_)
                if matches!(
                    meaning,
                    ExitMeaning::Masked(MaskReason::Pipe(View::Start | View::Part) | MaskReason::Unread)
                ) =>
            {
                known(CheckResult::Unknown, Why::Filtered)
            }
            Some(CheckResult::NothingRun) => known(CheckResult::NothingRun, Why::NothingRan),
            Some(result) => known(result, Why::Summary),
            None => known(CheckResult::Unknown, if text.is_cut() { Why::Truncated } else { Why::NoEvidence }),
        },
    }
}

/// Tools that say nothing when all is well, with the option that makes them so where they need one.
const SILENT: &str = include_str!("silent_when_fine.txt");

/// Whether a tool that is silent when all is well was silent, and everything it could have said would be seen.
fn is_silent_pass(check: &Check, meaning: &ExitMeaning, text: &summary::Text<'_>) -> bool {
    let seen = match meaning {
        ExitMeaning::Masked(MaskReason::Pipe(view)) => *view != View::Part,
        ExitMeaning::Masked(reason) => matches!(reason, MaskReason::FollowedBy | MaskReason::Fallback),
        _ => false,
    };
    let silent = |line: &str| {
        line.strip_prefix(check.runner).is_some_and(|option| {
            let option = option.trim_start();
            option.is_empty() || check.text.split_whitespace().any(|word| word == option)
        })
    };
    seen && !check.into_file && text.lines().iter().all(|line| line.is_empty()) && SILENT.lines().any(silent)
}

/// What the output alone says.
fn said(kind: CheckKind, tally: &Tally) -> Option<CheckResult> {
    if tally.failed > 0 || tally.broken {
        Some(CheckResult::Failed)
    } else if tally.passed > 0 {
        Some(CheckResult::Passed)
    } else if kind != CheckKind::Test && tally.complaints > 0 {
        Some(CheckResult::Failed)
    } else if tally.nothing || kind == CheckKind::Test && tally.counted {
        Some(CheckResult::NothingRun)
    } else if tally.fine {
        Some(CheckResult::Passed)
    } else {
        None
    }
}
