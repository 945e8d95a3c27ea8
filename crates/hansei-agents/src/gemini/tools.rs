//! How the results of Gemini CLI's tools read.

use hansei_core::session::AnswerEnd;

use crate::tool_result;

/// How a call ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) end: AnswerEnd,
    pub(super) exit_code: Option<i32>,
    pub(super) output: String,
}

/// How a call ended, by its status and its answer.
pub(super) fn ending(tool: &str, runs: bool, status: &str, is_error: bool, answer: &str) -> Ending {
    let ended = |end, output: &str| Ending { end, exit_code: None, output: output.to_owned() };
    if status == "cancelled" {
        let refused = ["did not allow", "denied", "rejected"].iter().any(|word| answer.contains(word));
        return ended(if refused { AnswerEnd::Denied } else { AnswerEnd::Interrupted }, answer);
    }
    if is_error || status == "error" {
        let refused = answer.contains("denied by policy") || answer.contains("User denied execution");
        return ended(if refused { AnswerEnd::Denied } else { AnswerEnd::Failed }, answer);
    }
    match tool {
        "run_shell_command" => command_ending(answer),
        // A shell that somebody's server offers.
        _ if runs => {
            let tool_result::Printed { output, exit_code, end, .. } = tool_result::printed(answer);
            Ending { end: tool_result::end(exit_code, end, false), exit_code, output }
        }
        _ => ended(AnswerEnd::Done, answer),
    }
}

/// How a command ended: what it printed stands between `Output:` and some lines about its end. The exit code is left
/// out when it is 0.
fn command_ending(answer: &str) -> Ending {
    let answer = answer.strip_prefix("<untrusted_context>\n").unwrap_or(answer);
    let answer = answer.strip_suffix("\n</untrusted_context>").unwrap_or(answer);
    if answer.starts_with("Command moved to background") {
        return Ending { end: AnswerEnd::Background, exit_code: None, output: answer.to_owned() };
    }
    let mut about = vec!["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: "];
    let mut code = None;
    let mut broken = answer.starts_with("Command was cancelled") || answer.starts_with("Command timed out");
    // An error to start it, or the command's own last line: then the missing exit code means nothing.
    let mut unclear = false;
    let mut rest = answer;
    while let Some((before, line)) = rest.rsplit_once('\n')
        && let Some(place) = about.iter().position(|label| line.starts_with(label))
    {
        let label = about.remove(place);
        let value = line[label.len()..].trim();
        match label {
            "Exit Code: " => code = value.parse::<i32>().ok(),
            "Signal: " => broken |= value != "(none)",
            "Error: " => unclear |= value != "(none)",
            _ => {}
        }
        rest = before;
    }
    // Older versions repeat the command and the folder first.
    let output = rest.split_once("Output: ").filter(|(before, _)| {
        before.is_empty() || before.starts_with("Command: ") || before.starts_with("Directory: ")
    });
    let output = output.map_or(rest, |(_, output)| output).to_owned();
    let exit_code = code.or_else(|| (!broken && !unclear).then_some(0));
    let end = tool_result::end(exit_code, broken.then_some(AnswerEnd::Interrupted), false);
    Ending { end, exit_code, output }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_of_commands() {
        use AnswerEnd::{Background, Done, Failed, Interrupted};
        for (answer, end, exit_code, output) in [
            (
                "<untrusted_context>\nOutput: hi\nExit Code: 3\nProcess Group PGID: 58\n</untrusted_context>",
                Failed,
                Some(3),
                "hi",
            ),
            (
                "<untrusted_context>\nOutput: fine\nProcess Group PGID: 58\n</untrusted_context>",
                Done,
                Some(0),
                "fine",
            ),
            (
                "Output: Exit Code: 0\nExit Code: 1\nExit Code: 2\nProcess Group PGID: 9",
                Failed,
                Some(2),
                "Exit Code: 0\nExit Code: 1",
            ),
            ("Output: a\nError: b\nProcess Group PGID: 9", Done, None, "a"),
            (
                "Command: ls\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 0\nSignal: (none)",
                Done,
                Some(0),
                "a\nb",
            ),
            ("Output: x\nSignal: 9\nProcess Group PGID: 1", Interrupted, None, "x"),
            (
                "Command moved to background (PID: 5). Output hidden.",
                Background,
                None,
                "Command moved to background (PID: 5). Output hidden.",
            ),
            (
                "Command was cancelled by user before it could complete.",
                Interrupted,
                None,
                "Command was cancelled by user before it could complete.",
            ),
        ] {
            let expected = Ending { end, exit_code, output: output.into() };
            assert_eq!(ending("run_shell_command", true, "success", false, answer), expected, "{answer}");
        }
        let served = ending("mcp_shell_run", true, "success", false, "x\n[exit 1]");
        assert_eq!((served.end, served.exit_code), (Failed, Some(1)));
        assert_eq!(
            ending("x", false, "cancelled", true, "User did not allow tool call").end,
            AnswerEnd::Denied
        );
        assert_eq!(
            ending("x", false, "cancelled", true, "[Operation Cancelled]").end,
            AnswerEnd::Interrupted
        );
        assert_eq!(
            ending("x", false, "error", true, "Tool execution denied by policy.").end,
            AnswerEnd::Denied
        );
    }
}
