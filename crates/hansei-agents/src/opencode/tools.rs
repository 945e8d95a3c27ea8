//! What OpenCode's and Kilo's tools do, and how their results read.

use hansei_core::session::{Action, AnswerEnd};
use serde_json::Value;

use super::records::State;
use crate::any_tool;

/// What a call of `tool` does.
pub(super) fn action(tool: &str, input: &Value) -> Action {
    match tool {
        // A tool that is not offered, such as one for questions where nobody is there.
        "invalid" if input["tool"] == "question" => Action::Ask { question: String::new() },
        "background_process" => match any_tool::action(tool, input) {
            Action::Run { command, .. } => Action::Run { command, background: true },
            other => other,
        },
        _ => any_tool::action(tool, input),
    }
}

/// What a call that is over answered; none while it runs.
pub(super) fn answer(tool: &str, state: &State<'_>) -> Option<(String, AnswerEnd, Option<i32>)> {
    let owned = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().unwrap_or_default().to_owned();
    match &*state.status {
        "completed" => {
            let output = owned(&state.output);
            let exit_code = state.metadata.as_ref().and_then(|metadata| metadata.exit);
            // A command that the agent stopped has no exit code, and a note of the agent's at its end.
            let noted = output.rsplit_once("<shell_metadata>").map_or("", |(_, note)| note);
            let end = if exit_code.is_none() && noted.contains("User aborted the command") {
                AnswerEnd::Interrupted
            } else if tool == "question" && output.starts_with("User dismissed") {
                // Kilo's way of saying it; OpenCode's is an error.
                AnswerEnd::Denied
            } else if tool == "invalid"
                || exit_code.is_some_and(|code| code != 0)
                || exit_code.is_none() && noted.contains("timeout")
            {
                AnswerEnd::Failed
            } else {
                AnswerEnd::Done
            };
            Some((output, end, exit_code))
        }
        "error" => {
            let output = owned(&state.error);
            let refused = ["The user rejected permission", "The user has specified a rule which prevents"];
            let end = if refused.iter().any(|words| output.contains(words)) {
                AnswerEnd::Denied
            } else if output.contains("Tool execution aborted") {
                AnswerEnd::Interrupted
            } else {
                AnswerEnd::Failed
            };
            Some((output, end, None))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansei_core::session::{Todo, TodoStatus};
    use serde_json::json;

    #[test]
    fn tools_say_what_they_do() {
        let run = |background| Action::Run { command: "ls".into(), background };
        let edit = || Action::Edit { paths: vec!["a".into()] };
        for (tool, input, does) in [
            ("bash", json!({ "command": "ls" }), run(false)),
            ("background_process", json!({ "action": "start", "command": "ls" }), run(true)),
            ("background_process", json!({ "action": "list" }), Action::Look),
            ("edit", json!({ "filePath": "a" }), edit()),
            ("apply_patch", json!({ "patchText": "*** Add File: a\n+x" }), edit()),
            (
                "todowrite",
                json!({ "todos": [{ "content": "a", "status": "completed" }] }),
                Action::SetTodos { todos: vec![Todo { text: "a".into(), status: TodoStatus::Done }] },
            ),
            ("task", json!({ "prompt": "go" }), Action::Delegate { request: "go".into() }),
            (
                "question",
                json!({ "questions": [{ "question": "a?" }] }),
                Action::Ask { question: "a?".into() },
            ),
            ("invalid", json!({ "tool": "question" }), Action::Ask { question: String::new() }),
            ("invalid", json!({ "tool": "fly" }), Action::Other),
            ("skill", json!({}), Action::Other),
        ] {
            assert_eq!(action(tool, &input), does, "{tool}");
        }
    }

    #[test]
    fn endings() {
        use AnswerEnd::{Denied, Done, Failed, Interrupted};
        for (tool, state, ended) in [
            ("bash", r#"{"status":"completed","output":"x","metadata":{"exit":0}}"#, Some((Done, Some(0)))),
            ("bash", r#"{"status":"completed","output":"x","metadata":{"exit":3}}"#, Some((Failed, Some(3)))),
            (
                "bash",
                r#"{"status":"completed","output":"\n<shell_metadata>\nUser aborted the command\n</shell_metadata>","metadata":{"exit":null}}"#,
                Some((Interrupted, None)),
            ),
            ("invalid", r#"{"status":"completed","output":"x","metadata":{}}"#, Some((Failed, None))),
            (
                "question",
                r#"{"status":"completed","output":"User dismissed the question.","metadata":{}}"#,
                Some((Denied, None)),
            ),
            ("edit", r#"{"status":"error","error":"no such text"}"#, Some((Failed, None))),
            (
                "edit",
                r#"{"status":"error","error":"The user rejected permission to use this"}"#,
                Some((Denied, None)),
            ),
            ("edit", r#"{"status":"error","error":"Tool execution aborted"}"#, Some((Interrupted, None))),
            ("bash", r#"{"status":"running","input":{}}"#, None),
        ] {
            let state: State<'_> = serde_json::from_str(state).unwrap();
            let answer = answer(tool, &state).map(|(_, end, exit_code)| (end, exit_code));
            assert_eq!(answer, ended, "{tool}");
        }
    }
}
