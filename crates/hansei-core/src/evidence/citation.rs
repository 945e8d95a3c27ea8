//! How evidence cites a check, a time, and names: short, on one line, and nothing that could be taken for markup.

use super::check_runs::Ran;
use super::course::Course;
use crate::check::{CheckKind, CheckResult};
use crate::session::AnswerEnd;

/// Names that are cited before the rest is only counted.
const NAMED: usize = 5;
/// The longest text that is cited.
const LONGEST: usize = 120;

/// A command or a name, fit to stand in a sentence.
pub(super) fn quoted(text: &str) -> String {
    let line: String =
        text.chars().map(|c| if c.is_control() || c == '`' { ' ' } else { c }).take(LONGEST).collect();
    format!("`{}`", line.trim())
}

/// Names, at most five of them.
pub(super) fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|name| name.chars().filter(|c| !c.is_control() && *c != '`').take(LONGEST).collect())
        .collect();
    let more = names.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

impl Course<'_> {
    /// Whether a check that is no test run came to its end in plain sight, and the agent's records keep no exit codes: what
    /// it found cannot be told, and nobody hid it.
    pub(super) fn is_unrecorded(&self, ran: &Ran<'_>) -> bool {
        let end = self.situation.session.calls.get(ran.call).and_then(|call| call.end.as_ref());
        ran.result == CheckResult::Unknown
            && !ran.run.masked
            && ran.run.check.kind != CheckKind::Test
            && end.is_some_and(|end| end.end == AnswerEnd::Done && end.exit_code.is_none())
    }

    /// ` at 14:02`, where the time of the call's end is known.
    pub(super) fn time(&self, call: usize) -> String {
        let call = self.situation.session.calls.get(call);
        let at = call.and_then(|call| call.end.as_ref()?.at.as_ref().or(call.at.as_ref()));
        at.and_then(|at| at.as_str().get(11..16)).map(|time| format!(" at {time}")).unwrap_or_default()
    }

    /// What a run said: `` `cargo test` exited 101 at 14:02 ``.
    pub(super) fn cited(&self, ran: &Ran<'_>) -> String {
        let end = self.situation.session.calls.get(ran.call).and_then(|call| call.end.as_ref());
        let code = end.and_then(|end| end.exit_code).filter(|code| *code != 0 && !ran.run.masked);
        let said = match (ran.result, code) {
            (CheckResult::Failed, Some(code)) => format!("exited {code}"),
            (CheckResult::Failed, None) => "reported failures".into(),
            (CheckResult::Passed, _) => "passed".into(),
            (CheckResult::NothingRun, _) => "ran no test".into(),
            (CheckResult::Unknown, _) => "ran".into(),
        };
        format!("{} {said}{}", quoted(&ran.run.check.text), self.time(ran.call))
    }
}
