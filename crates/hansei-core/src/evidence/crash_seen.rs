//! A crash in what the last command printed, although it ended well and the agent's words say nothing of it.

use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::session::{Action, AnswerEnd};
use crate::verdict::Severity;

/// How lines begin that only a program in trouble prints.
const MARKS: &[&str] = &[
    "panic:",
    "thread 'main' panicked",
    "traceback (most recent call last)",
    "segmentation fault",
    "fatal error:",
    "unhandled exception",
    "uncaught ",
    "exception in thread",
    "core dumped",
    "bus error",
    "interactive rebase in progress",
    "rebase in progress",
    "you have unmerged paths",
    "both modified:",
    "you are currently rebasing",
    "you are currently cherry-picking",
];

/// Words that a cluster prints for what does not run.
const STATES: &[&str] =
    &["crashloopbackoff", "imagepullbackoff", "errimagepull", "oomkilled", "createcontainererror"];

/// Words in which the agent speaks of trouble itself.
const MENTIONS: &[&str] = &[
    "error", "fail", "crash", "panic", "exception", "could not", "couldn't", "unable", "timed out",
    "conflict", "unmerged",
];

/// Finds trouble in the output of the task's last command.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let known = findings.all().iter().any(|evidence| {
        matches!(evidence.kind, Kind::CheckFailed | Kind::CheckFailedHidden | Kind::ToolErrorUnanswered)
    });
    let words = situation.last_words().to_lowercase();
    if known || !reading.wants_action() || MENTIONS.iter().any(|mention| words.contains(mention)) {
        return;
    }
    let range = situation.task_calls();
    let last = situation.session.calls[range.clone()]
        .iter()
        .zip(range)
        .rev()
        .find(|(call, _)| matches!(call.action, Action::Run { .. }));
    let Some((call, place)) = last else { return };
    if call.checks.iter().any(|run| run.result == crate::check::CheckResult::Passed) {
        return;
    }
    let Some(end) = &call.end else { return };
    let output = end.output.text().to_lowercase();
    let crash = output.lines().map(str::trim).find(|line| is_trouble(line));
    if let Some(line) = crash
        && end.end == AnswerEnd::Done
    {
        let short: String = line.chars().take(100).collect();
        findings.add(
            Kind::ToolErrorUnanswered,
            Severity::Medium,
            Place::Call(place),
            format!("your last command printed “{short}”, and nothing came after it"),
        );
    }
}

/// Whether a line, in small letters, is one that only trouble prints.
pub(super) fn is_trouble(line: &str) -> bool {
    MARKS.iter().any(|mark| line.starts_with(mark))
        || refused(line)
        || line.starts_with("(timed out")
        || line.contains(": error (")
        || STATES.iter().any(|state| line.contains(state))
        || bare_status(line)
}

/// Whether a line is nothing but the status of a refused request, as `curl -w` prints it.
fn bare_status(line: &str) -> bool {
    line.len() == 3
        && line.parse::<u16>().is_ok_and(|status| matches!(status, 400 | 401 | 403 | 404 | 500..=504))
}

/// Whether a server refused: a status of 400 or more in a JSON answer or a status line.
fn refused(line: &str) -> bool {
    let status = line
        .split_once("\"status\":")
        .or_else(|| line.split_once("http/1.1 "))
        .or_else(|| line.split_once("http/2 "))
        .or_else(|| line.split_once("\"statuscode\":"))
        .map(|(_, rest)| rest.trim_start().chars().take_while(char::is_ascii_digit).collect::<String>());
    status.and_then(|digits| digits.parse::<u16>().ok()).is_some_and(|status| (400..600).contains(&status))
}
