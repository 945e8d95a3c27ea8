//! What Claude Code's tools do, and how their results read.

use hansei_core::session::Action;
use serde_json::Value;

use crate::tool_input::{questions, todos};

/// What a call of `tool` does.
pub(super) fn action(tool: &str, input: &Value) -> Action {
    let text = |key: &str| input[key].as_str().unwrap_or_default().to_owned();
    // An editor that drives the agent offers the same tools under its own prefix.
    match tool.strip_prefix("mcp__acp__").unwrap_or(tool) {
        "Bash" | "PowerShell" => Action::Run {
            command: text("command"),
            background: input["run_in_background"].as_bool().unwrap_or_default(),
        },
        "Write" | "Edit" | "MultiEdit" => Action::Edit { paths: vec![text("file_path")] },
        "NotebookEdit" => Action::Edit { paths: vec![text("notebook_path")] },
        "Read" | "Grep" | "Glob" | "LS" | "WebFetch" | "WebSearch" | "ToolSearch" | "BashOutput"
        | "TaskOutput" => Action::Look,
        "TodoWrite" => Action::SetTodos { todos: todos(&input["todos"], "content") },
        "Task" | "Agent" => Action::Delegate { request: text("prompt") },
        "AskUserQuestion" => Action::Ask { question: questions(input) },
        "ExitPlanMode" => Action::Plan,
        _ => Action::Other,
    }
}

/// The exit code that a failed command's result begins with.
pub(super) fn exit_code(output: &str) -> Option<i32> {
    let rest = output.strip_prefix("Error: ").unwrap_or(output).strip_prefix("Exit code ")?;
    rest.split(|c: char| !c.is_ascii_digit() && c != '-').next()?.parse().ok()
}

/// Whether a failed result says that the call was refused.
pub(super) fn is_denial(output: &str) -> bool {
    let refused = [
        "The user doesn't want to proceed with this tool use",
        "Permission to use ",
        "Claude requested permissions to ",
    ];
    refused.iter().any(|text| output.starts_with(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansei_core::session::{Todo, TodoStatus};
    use serde_json::json;

    #[test]
    fn tools_say_what_they_do() {
        let run = |command: &str, background| Action::Run { command: command.into(), background };
        assert_eq!(action("Bash", &json!({ "command": "ls" })), run("ls", false));
        assert_eq!(action("Bash", &json!({ "command": "x", "run_in_background": true })), run("x", true));
        assert_eq!(
            action("mcp__acp__Write", &json!({ "file_path": "/a" })),
            Action::Edit { paths: vec!["/a".into()] }
        );
        let list = json!({ "todos": [{ "content": "a", "status": "in_progress" }] });
        let todo = Todo { text: "a".into(), status: TodoStatus::Doing };
        assert_eq!(action("TodoWrite", &list), Action::SetTodos { todos: vec![todo] });
        assert_eq!(action("mcp__github__x", &json!(null)), Action::Other);
    }

    #[test]
    fn exit_codes_are_read() {
        assert_eq!(exit_code("Exit code 3\nhi"), Some(3));
        assert_eq!(exit_code("Error: Exit code 127"), Some(127));
        assert_eq!(exit_code("No such tool"), None);
    }
}
