//! How the results of Claude Code's tools read, and what it tells of tasks that it left running.

use hansei_core::session::AnswerEnd;

/// Whether a failed result says that the call was refused.
pub(super) fn is_denial(output: &str) -> bool {
    let refused = [
        "The user doesn't want to proceed with this tool use",
        "Permission to use ",
        "Claude requested permissions to ",
    ];
    refused.iter().any(|text| output.starts_with(text))
}

/// The task that a notification tells the end of, and how it ended: none while it goes on.
pub(super) fn notified(text: &str) -> Option<(&str, AnswerEnd, Option<i32>)> {
    let between = |tag: &str| {
        let (_, rest) = text.split_once(&format!("<{tag}>"))?;
        Some(rest.split_once(&format!("</{tag}>"))?.0.trim())
    };
    let summary = between("summary").unwrap_or_default();
    let code = summary.rsplit_once("exit code ").and_then(|(_, rest)| {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
        rest[..digits].parse().ok()
    });
    let end = match (between("status")?, code) {
        ("completed", None | Some(0)) => AnswerEnd::Done,
        ("completed" | "failed", _) => AnswerEnd::Failed,
        ("killed" | "stopped", _) => AnswerEnd::Interrupted,
        _ => return None,
    };
    Some((between("task-id")?, end, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifications() {
        let note = |status: &str, summary: &str| {
            format!(
                "<task-notification>\n<task-id>b1</task-id>\n<status>{status}</status>\n<summary>{summary}</summary>"
            )
        };
        for (status, summary, told) in [
            (
                "completed",
                "Background command \"x\" completed (exit code 0)",
                Some((AnswerEnd::Done, Some(0))),
            ),
            (
                "failed",
                "Background command \"x\" failed with exit code 2",
                Some((AnswerEnd::Failed, Some(2))),
            ),
            ("killed", "Background command \"x\" was stopped", Some((AnswerEnd::Interrupted, None))),
            ("completed", "Agent \"x\" finished", Some((AnswerEnd::Done, None))),
            ("running", "x", None),
        ] {
            let note = note(status, summary);
            assert_eq!(
                notified(&note).map(|(task, end, code)| {
                    assert_eq!(task, "b1");
                    (end, code)
                }),
                told,
                "{note}"
            );
        }
        assert_eq!(notified("<task-notification>odd"), None);
    }
}
