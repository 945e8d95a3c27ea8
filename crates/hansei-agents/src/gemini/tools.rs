//! What Gemini CLI's tools do, and how their results read.

use hansei_core::session::{Action, AnswerEnd};
use serde_json::Value;

use crate::tool_input::{questions, todos};

/// What a call of `tool` does.
pub(super) fn action(tool: &str, input: &Value) -> Action {
    let text = |key: &str| input[key].as_str().unwrap_or_default().to_owned();
    match tool {
        "run_shell_command" => Action::Run {
            command: text("command"),
            background: input["is_background"].as_bool().unwrap_or_default(),
        },
        "write_file" | "replace" | "edit" => Action::Edit { paths: vec![text("file_path")] },
        "read_file"
        | "read_many_files"
        | "list_directory"
        | "glob"
        | "grep_search"
        | "search_file_content"
        | "web_fetch"
        | "google_web_search"
        | "list_background_processes"
        | "read_background_output" => Action::Look,
        "write_todos" => Action::SetTodos { todos: todos(&input["todos"], "description") },
        "invoke_agent" | "delegate_to_agent" | "codebase_investigator" => {
            let told = ["prompt", "objective", "request", "query"].iter().find_map(|key| input[key].as_str());
            Action::Delegate { request: told.unwrap_or_default().to_owned() }
        }
        "ask_user" => Action::Ask { question: questions(input) },
        "exit_plan_mode" => Action::Plan,
        _ => Action::Other,
    }
}

/// How a call ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) end: AnswerEnd,
    pub(super) exit_code: Option<i32>,
    pub(super) output: String,
}

/// How a call ended, by its status and its answer.
pub(super) fn ending(tool: &str, status: &str, is_error: bool, answer: &str) -> Ending {
    let ended = |end, output: &str| Ending { end, exit_code: None, output: output.to_owned() };
    if status == "cancelled" {
        let refused = ["did not allow", "denied", "rejected"].iter().any(|word| answer.contains(word));
        return ended(if refused { AnswerEnd::Denied } else { AnswerEnd::Interrupted }, answer);
    }
    if is_error || status == "error" {
        let refused = answer.contains("denied by policy") || answer.contains("User denied execution");
        return ended(if refused { AnswerEnd::Denied } else { AnswerEnd::Failed }, answer);
    }
    if tool == "run_shell_command" { command_ending(answer) } else { ended(AnswerEnd::Done, answer) }
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
    let failed = broken || exit_code.is_some_and(|code| code != 0);
    let end = if failed { AnswerEnd::Failed } else { AnswerEnd::Done };
    Ending { end, exit_code, output }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansei_core::session::{Todo, TodoStatus};
    use serde_json::json;

    #[test]
    fn tools_say_what_they_do() {
        for (tool, input, does) in [
            (
                "run_shell_command",
                json!({ "command": "ls", "is_background": true }),
                Action::Run { command: "ls".into(), background: true },
            ),
            ("replace", json!({ "file_path": "a" }), Action::Edit { paths: vec!["a".into()] }),
            (
                "write_todos",
                json!({ "todos": [{ "description": "a", "status": "cancelled" }] }),
                Action::SetTodos { todos: vec![Todo { text: "a".into(), status: TodoStatus::Dropped }] },
            ),
            ("invoke_agent", json!({ "prompt": "go" }), Action::Delegate { request: "go".into() }),
            (
                "ask_user",
                json!({ "questions": [{ "question": "a?" }] }),
                Action::Ask { question: "a?".into() },
            ),
            ("exit_plan_mode", json!({}), Action::Plan),
            ("save_memory", json!({}), Action::Other),
        ] {
            assert_eq!(action(tool, &input), does, "{tool}");
        }
    }

    #[test]
    fn endings_of_commands() {
        use AnswerEnd::{Background, Done, Failed};
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
            ("Output: x\nSignal: 9\nProcess Group PGID: 1", Failed, None, "x"),
            (
                "Command moved to background (PID: 5). Output hidden.",
                Background,
                None,
                "Command moved to background (PID: 5). Output hidden.",
            ),
            (
                "Command was cancelled by user before it could complete.",
                Failed,
                None,
                "Command was cancelled by user before it could complete.",
            ),
        ] {
            let expected = Ending { end, exit_code, output: output.into() };
            assert_eq!(ending("run_shell_command", "success", false, answer), expected, "{answer}");
        }
        assert_eq!(ending("x", "cancelled", true, "User did not allow tool call").end, AnswerEnd::Denied);
        assert_eq!(ending("x", "cancelled", true, "[Operation Cancelled]").end, AnswerEnd::Interrupted);
        assert_eq!(ending("x", "error", true, "Tool execution denied by policy.").end, AnswerEnd::Denied);
    }
}
