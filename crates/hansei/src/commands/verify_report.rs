//! A verification as a person reads it.

use std::fmt::Write as _;

use hansei_core::verification::{Answer, CheckReport, Report, Status};

use crate::terminal::{one_line, visible};

/// Most names that are listed under a check.
const MOST_NAMES: usize = 10;
/// Most lines of output under a red check.
const MOST_LINES: usize = 30;

/// The report.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for check in &report.checks {
        let _ = write!(text, "{}", of_check(check));
    }
    for entry in &report.weakened {
        let _ = writeln!(text, "weakened        {}: {}", one_line(&entry.path), one_line(&entry.what));
    }
    for note in &report.notes {
        let _ = writeln!(text, "note            {}", one_line(note));
    }
    let verdict = match report.status {
        Answer::Passed => "passed",
        Answer::Failed => "failed",
        Answer::NothingToRun => "passed, with nothing run",
        Answer::MissingTool => "not verified",
        Answer::Unknown => "unknown, which is no pass",
    };
    let _ = writeln!(text, "{verdict}: {}", report.summary);
    text
}

fn of_check(check: &CheckReport) -> String {
    let place = if check.folder == "." { String::new() } else { format!("  in {}", one_line(&check.folder)) };
    let seconds = if check.milliseconds == 0 {
        String::new()
    } else {
        format!("  ({}.{} s)", check.milliseconds / 1000, check.milliseconds % 1000 / 100)
    };
    let mut text = format!("{:<15} {}{place}{seconds}\n", name(check.status), one_line(&check.command));
    let mut line = |what: &str| {
        let _ = writeln!(text, "                {what}");
    };
    if check.status != Status::Passed {
        line(&one_line(&check.why));
    }
    if let Some(install) = &check.install {
        line(&format!("to get it: {}", one_line(install)));
    }
    for (names, kind) in [(&check.failing_tests, "new"), (&check.inherited, "inherited")] {
        for failing in names.iter().take(MOST_NAMES) {
            line(&format!("{kind}: {}", one_line(failing)));
        }
        if names.len() > MOST_NAMES {
            line(&format!("… and {} more", names.len() - MOST_NAMES));
        }
    }
    if matches!(check.status, Status::Failed | Status::Unknown | Status::LimitReached)
        && !check.output.is_empty()
    {
        let shown = visible(&check.output);
        let lines: Vec<&str> = shown.lines().collect();
        for output in &lines[lines.len().saturating_sub(MOST_LINES)..] {
            line(&format!("| {output}"));
        }
    }
    text
}

fn name(status: Status) -> &'static str {
    match status {
        Status::Passed => "passed",
        Status::Failed => "failed",
        Status::Inherited => "inherited",
        Status::NothingToRun => "nothing to run",
        Status::MissingTool => "missing tool",
        Status::Unknown => "unknown",
        Status::LimitReached => "limit reached",
        Status::Rejected => "rejected",
    }
}
