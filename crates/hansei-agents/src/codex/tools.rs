//! What Codex's tools do, and how their results read.

use hansei_core::session::{Action, AnswerEnd};
use serde_json::{Value, json};

use crate::any_tool;

/// What a call of `tool` does. The input of a free-form tool is a string.
pub(super) fn action(tool: &str, input: &Value) -> Action {
    match tool {
        // With nothing to write it only looks after what runs.
        "write_stdin" if input["chars"].as_str().is_none_or(str::is_empty) => Action::Look,
        // Its input is a script of its own kind.
        "exec" => Action::Other,
        _ => any_tool::action(tool, input),
    }
}

/// What running `command` does.
pub(super) fn run(command: &str) -> Action {
    any_tool::action("shell", &json!({ "command": command }))
}

/// How a call ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) end: AnswerEnd,
    pub(super) exit_code: Option<i32>,
    /// The process that goes on, by Codex's number for it.
    pub(super) process: Option<String>,
}

/// How a call ended, by the words that Codex puts before the tool's own output. Nothing else tells.
pub(super) fn ending(output: &str) -> Ending {
    let ended = |end, exit_code| Ending { end, exit_code, process: None };
    let by_code = |code: i32| ended(if code == 0 { AnswerEnd::Done } else { AnswerEnd::Failed }, Some(code));
    if let Some(code) = exit_code_of_json(output) {
        return by_code(code);
    }
    // What follows the heading is the command's own, and may say anything.
    let heading = output.split("Output:\n").next().unwrap_or_default();
    for line in heading.lines().take(8) {
        let code =
            line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "));
        if let Some(code) = code.and_then(|code| code.trim().parse().ok()) {
            return by_code(code);
        }
        if let Some(process) = line.strip_prefix("Process running with session ID ") {
            return Ending { process: Some(process.trim().to_owned()), ..ended(AnswerEnd::Background, None) };
        }
        if line.starts_with("aborted by user") {
            return ended(AnswerEnd::Interrupted, None);
        }
        if line.contains("rejected by user") || line.contains("approval policy") {
            return ended(AnswerEnd::Denied, None);
        }
    }
    let failures = [
        "unsupported call",
        "unsupported custom tool call",
        "apply_patch verification failed",
        "failed to parse",
        "exec_command failed",
        "write_stdin failed",
        "execution error",
        "unable to ",
        "invalid ",
        "err: ",
        "Script failed",
        "request_user_input is unavailable",
        "request_user_input was cancelled",
    ];
    let failed = failures.iter().any(|failure| heading.starts_with(failure));
    ended(if failed { AnswerEnd::Failed } else { AnswerEnd::Done }, None)
}

/// The exit code in the JSON that older versions answered with.
fn exit_code_of_json(output: &str) -> Option<i32> {
    if !output.starts_with('{') || !output.contains("\"exit_code\"") {
        return None;
    }
    let answer: Value = serde_json::from_str(output).ok()?;
    i32::try_from(answer["metadata"]["exit_code"].as_i64()?).ok()
}

/// The sub-agent that a call started, as its answer names it.
pub(super) fn started_agent(output: &str) -> Option<String> {
    let answer: Value =
        output.starts_with("{\"agent_id\"").then(|| serde_json::from_str(output).ok()).flatten()?;
    answer["agent_id"].as_str().map(ToOwned::to_owned)
}

/// What the tool itself printed. The heading names times and numbers that differ at every call, so that two equal
/// results would not look equal.
pub(super) fn output_of(mut text: String) -> String {
    if text.starts_with("{\"output\"") {
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        return answer["output"].as_str().map(ToOwned::to_owned).unwrap_or(text);
    }
    let has_heading = ["Chunk ID: ", "Wall time: ", "Exit code: "].iter().any(|mark| text.starts_with(mark));
    let heading = "\nOutput:\n";
    if has_heading && let Some(end) = text.find(heading) {
        text.drain(..end + heading.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansei_core::session::{Todo, TodoStatus};

    #[test]
    fn tools_say_what_they_do() {
        let run = |command: &str| Action::Run { command: command.into(), background: false };
        let edit = |paths: &[&str]| Action::Edit { paths: paths.iter().map(|path| (*path).into()).collect() };
        let patch = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n*** Delete File: d d\n*** End Patch";
        for (tool, input, does) in [
            ("exec_command", json!({ "cmd": "ls" }), run("ls")),
            ("shell_command", json!({ "command": "ls" }), run("ls")),
            ("shell", json!({ "command": ["bash", "-lc", "a | b"] }), run("a | b")),
            ("shell", json!({ "command": ["cargo", "test"] }), run("cargo test")),
            ("apply_patch", json!(patch), edit(&["a.txt", "b.txt", "c.txt", "d d"])),
            ("apply_patch", json!({ "input": patch }), edit(&["a.txt", "b.txt", "c.txt", "d d"])),
            (
                "shell",
                json!({ "command": ["bash", "-lc", format!("apply_patch <<'EOF'\n{patch}\nEOF")] }),
                edit(&["a.txt", "b.txt", "c.txt", "d d"]),
            ),
            (
                "update_plan",
                json!({ "plan": [{ "step": "a", "status": "completed" }] }),
                Action::SetTodos { todos: vec![Todo { text: "a".into(), status: TodoStatus::Done }] },
            ),
            ("spawn_agent", json!({ "message": "go" }), Action::Delegate { request: "go".into() }),
            (
                "request_user_input",
                json!({ "questions": [{ "question": "a?" }, { "question": "b?" }] }),
                Action::Ask { question: "a?\nb?".into() },
            ),
            ("write_stdin", json!({ "session_id": 1, "chars": "" }), Action::Look),
            ("write_stdin", json!({ "session_id": 1, "chars": "y\n" }), Action::Other),
            ("exec", json!("text(1)"), Action::Other),
        ] {
            assert_eq!(action(tool, &input), does, "{tool} {input}");
        }
    }

    #[test]
    fn endings_are_read_from_the_heading_only() {
        use AnswerEnd::{Background, Denied, Done, Failed, Interrupted};
        for (output, end, exit_code) in [
            (
                "Chunk ID: 1\nWall time: 0.0 seconds\nProcess exited with code 3\nOutput:\nhi\n",
                Failed,
                Some(3),
            ),
            ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", Done, Some(0)),
            ("Wall time: 1\nProcess running with session ID 7\nOutput:\n", Background, None),
            ("Wall time: 3.7 seconds\naborted by user", Interrupted, None),
            ("exec command rejected by user", Denied, None),
            ("apply_patch verification failed: x", Failed, None),
            ("Plan updated", Done, None),
            (r#"{"output":"x","metadata":{"exit_code":101,"duration_seconds":0.1}}"#, Failed, Some(101)),
            ("Wall time: 0\nOutput:\nProcess exited with code 3\n", Done, None),
            ("{\"a\": 1}", Done, None),
        ] {
            let ending = ending(output);
            assert_eq!((ending.end, ending.exit_code), (end, exit_code), "{output}");
        }
    }
}
