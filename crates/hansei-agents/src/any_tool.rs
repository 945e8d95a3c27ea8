//! What the tool of an agent that we do not know does, by its name and its input; and how its result reads.
//!
//! Trajectories come from many agents, and most name their tools alike. What is not recognised is `Other`: a wrong guess
//! would make evidence out of nothing.

use hansei_core::session::{Action, AnswerEnd, Todo, TodoStatus};
use serde_json::Value;

use crate::patch::patched;

/// The usual names, without case and punctuation.
const RUNS: &str = "run exec bash shell shellcommand execcommand runshellcommand executebash executecommand runcommand \
    runterminalcmd runinterminal terminal localshell bashcommand powershell";
const EDITS: &str = "write edit multiedit notebookedit writefile createfile editfile replace writetofile replaceinfile \
    strreplace strreplaceeditor strreplacebasededittool applypatch applydiff patch deletefile searchreplace";
const SETS_TODOS: &str = "todowrite writetodos updateplan updatetodolist todo";
const DELEGATES: &str = "task agent spawnagent invokeagent delegatetoagent dispatchagent subagent newtask";
const ASKS: &str = "askuserquestion askuser requestuserinput question askfollowupquestion";
const PLANS: &str = "exitplanmode planexit";
const LOOKS: &str = "read readfile readmanyfiles view viewfile grep grepsearch glob ls list listdirectory listfiles \
    listdir search searchfiles searchfilecontent codebasesearch webfetch websearch googlewebsearch fetch viewimage";

/// What a call of `tool` does.
pub(crate) fn action(tool: &str, input: &Value) -> Action {
    let name = tool.rsplit("__").next().unwrap_or(tool);
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let is = |names: &str| names.split_whitespace().any(|known| known == name);
    if is(RUNS)
        && let Some(command) = command(input)
    {
        let background = ["run_in_background", "is_background"].iter().any(|key| input[key] == true);
        return Action::Run { command, background };
    }
    if is(EDITS) {
        // One tool that also shows files.
        let views = name.starts_with("strreplace") && input["command"] == "view";
        return if views { Action::Look } else { Action::Edit { paths: edited(input) } };
    }
    if is(SETS_TODOS)
        && let Some(list) = ["todos", "plan", "items"].iter().find_map(|key| input[key].as_array())
    {
        return Action::SetTodos { todos: list.iter().map(todo).collect() };
    }
    if is(DELEGATES) {
        let request = first(input, &["prompt", "message", "request", "objective", "description"]);
        return Action::Delegate { request: request.unwrap_or_default().to_owned() };
    }
    if is(ASKS) {
        return Action::Ask { question: question(input) };
    }
    if is(PLANS) {
        return Action::Plan;
    }
    if is(LOOKS) { Action::Look } else { Action::Other }
}

fn first<'a>(input: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| input[key].as_str())
}

fn edited(input: &Value) -> Vec<String> {
    let named = first(input, &["file_path", "filePath", "path", "filename", "notebook_path", "target_file"]);
    let patch = || first(input, &["patchText", "patch", "input", "diff"]).or_else(|| input.as_str());
    named.map_or_else(|| patched(patch().unwrap_or_default()), |path| vec![path.to_owned()])
}

fn command(input: &Value) -> Option<String> {
    let given = ["command", "cmd", "script", "keystrokes"]
        .iter()
        .map(|key| &input[key])
        .find(|value| !value.is_null());
    match given? {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [shell, flag, script] if shell.ends_with("sh") && flag.ends_with('c') => {
                    Some((*script).to_owned())
                }
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

fn todo(item: &Value) -> Todo {
    let text = ["content", "description", "step", "text", "title"].iter().find_map(|key| item[key].as_str());
    let status = item["status"].as_str().unwrap_or_default();
    Todo {
        text: text.or_else(|| item.as_str()).unwrap_or_default().to_owned(),
        status: TodoStatus::from_name(status),
    }
}

fn question(input: &Value) -> String {
    let list = input["questions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = list.iter().filter_map(|question| question["question"].as_str()).collect();
    if texts.is_empty() {
        input["question"].as_str().unwrap_or_default().to_owned()
    } else {
        texts.join("\n")
    }
}

/// What a command printed, and its exit code, out of a result in one of the usual wrappings.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    /// What the command itself printed.
    pub output: String,
    /// The exit code that the wrapping or the text states.
    pub exit_code: Option<i32>,
}

/// Reads a result. Agents wrap what a command printed: as a JSON object with its metadata, or as lines with headings.
pub(crate) fn printed(result: &str) -> Printed {
    if let Some(wrapped) = as_json(result).or_else(|| as_headings(result)) {
        return wrapped;
    }
    Printed { output: result.to_owned(), exit_code: exit_code(result) }
}

/// `{"output": "…", "metadata": {"exit_code": 0}}` and its like.
fn as_json(result: &str) -> Option<Printed> {
    let value: Value = result.trim_start().starts_with('{').then(|| serde_json::from_str(result).ok())??;
    let code = ["exit_code", "exitCode", "returncode", "code"];
    let find = |value: &Value| code.iter().find_map(|key| value[key].as_i64());
    let exit_code = find(&value).or_else(|| find(&value["metadata"]))?;
    let text = |key: &str| value[key].as_str().unwrap_or_default();
    let output = if value["output"].is_string() {
        text("output").to_owned()
    } else {
        format!("{}{}", text("stdout"), text("stderr"))
    };
    Some(Printed { output, exit_code: i32::try_from(exit_code).ok() })
}

/// `Command: …`, `Directory: …`, `Output: …`, `Error: …`, `Exit Code: 0`.
fn as_headings(result: &str) -> Option<Printed> {
    if !result.starts_with("Command: ") {
        return None;
    }
    let start = result.find("\nOutput: ").or_else(|| result.find("\nStdout: "))? + "\nOutput: ".len();
    let rest = &result[start..];
    let end = ["\nError: ", "\nExit Code: ", "\nStderr: "].iter().filter_map(|mark| rest.find(mark)).min();
    let output = &rest[..end.unwrap_or(rest.len())];
    let error = rest
        .find("\nError: ")
        .map(|place| rest[place + "\nError: ".len()..].lines().next().unwrap_or_default());
    let error = error.filter(|error| *error != "(none)").unwrap_or_default();
    let code =
        rest.rfind("\nExit Code: ").and_then(|place| stated(rest[place..].trim_start().lines().next()?));
    Some(Printed {
        output: format!("{output}{}{error}", if error.is_empty() { "" } else { "\n" }),
        exit_code: code,
    })
}

/// The exit code that a result states in one of the usual ways. Only the first and the last lines count: what stands
/// between them is the command's own.
pub(crate) fn exit_code(output: &str) -> Option<i32> {
    let heading = output.split("\nOutput:\n").next().unwrap_or_default();
    let mut first = heading.lines().take(6);
    let mut last = output.lines().rev().take(3);
    first.find_map(stated).or_else(|| last.find_map(stated))
}

fn stated(line: &str) -> Option<i32> {
    let line = line.trim().trim_start_matches(['[', '(', '<']);
    let line = line.strip_prefix("Error: ").unwrap_or(line);
    let marks = [
        "exit code: ",
        "exit code ",
        "exit_code: ",
        "exit status: ",
        "exit status ",
        "process exited with code ",
        "process finished with exit code ",
        "command finished with exit code ",
        "command failed with exit code ",
        "the command completed with exit code ",
        "returncode>",
    ];
    // "Command executed in terminal within working directory '.'. Exit code: 0"
    let sentence =
        line.starts_with("Command executed").then(|| line.to_ascii_lowercase().find("exit code: ")).flatten();
    let line = sentence.map_or(line, |place| &line[place..]);
    let rest = marks.iter().find_map(|mark| {
        let beginning = line.get(..mark.len())?;
        beginning.eq_ignore_ascii_case(mark).then(|| &line[mark.len()..])
    })?;
    let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

/// The agent's last words, where a tool is how it says them.
pub(crate) fn last_words(tool: &str, input: &Value) -> Option<String> {
    let name: String = tool.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let said = match name.as_str() {
        "attemptcompletion" => first(input, &["result"]),
        "finish" | "taskcomplete" | "finalanswer" => {
            first(input, &["message", "result", "answer", "summary"])
        }
        _ => None,
    };
    said.filter(|text| !text.is_empty()).map(ToOwned::to_owned)
}

/// How a call ended, by its exit code and what is said of an error.
pub(crate) fn end(exit_code: Option<i32>, is_error: bool) -> AnswerEnd {
    if is_error || exit_code.is_some_and(|code| code != 0) { AnswerEnd::Failed } else { AnswerEnd::Done }
}

/// Whether the result of a tool that edits says that it did not: tools say so in their first words.
pub(crate) fn refuses(result: &str) -> bool {
    let first = result.trim_start().lines().next().unwrap_or_default().to_lowercase();
    [
        "error", "failed", "no replacement", "could not", "cannot", "unable", "no match", "invalid",
        "<tool_use_error>", "not found", "permission denied",
    ]
    .iter()
    .any(|mark| first.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wrapped_results_are_taken_out() {
        for (result, output, code) in [
            (r#"{"output":"a\nb","metadata":{"exit_code":1}}"#, "a\nb", Some(1)),
            (r#"{"stdout":"a","stderr":"b","exit_code":0}"#, "ab", Some(0)),
            (r#"{"output":"a program's own JSON"}"#, r#"{"output":"a program's own JSON"}"#, None),
            (
                "Command: x\nDirectory: (root)\nOutput: 2 failed\nError: (none)\nExit Code: 0\nSignal: (none)",
                "2 failed",
                Some(0),
            ),
            (
                "Command: x\nDirectory: (root)\nOutput: a\nError: b\nExit Code: 3\nSignal: (none)",
                "a\nb",
                Some(3),
            ),
            ("plain\nExit code: 2", "plain\nExit code: 2", Some(2)),
        ] {
            assert_eq!(printed(result), Printed { output: output.to_owned(), exit_code: code }, "{result}");
        }
        assert!(refuses("No replacement was performed"));
        assert!(!refuses("The file has been updated. No errors found."));
    }

    #[test]
    fn tools_are_known_by_their_usual_names() {
        let run = |command: &str| Action::Run { command: command.into(), background: false };
        let edit = |path: &str| Action::Edit { paths: vec![path.into()] };
        for (tool, input, does) in [
            ("Bash", json!({ "command": "ls" }), run("ls")),
            ("execute_bash", json!({ "command": "ls" }), run("ls")),
            ("bash_command", json!({ "keystrokes": "ls\n" }), run("ls\n")),
            ("shell", json!({ "command": ["bash", "-lc", "a; b"] }), run("a; b")),
            ("Bash", json!({ "restart": true }), Action::Other),
            ("mcp__acp__Write", json!({ "file_path": "a" }), edit("a")),
            ("str_replace_editor", json!({ "command": "create", "path": "a" }), edit("a")),
            ("str_replace_editor", json!({ "command": "view", "path": "a" }), Action::Look),
            ("apply_patch", json!("*** Begin Patch\n*** Update File: a\n*** End Patch"), edit("a")),
            ("apply_patch", json!({ "patchText": "*** Delete File: a" }), edit("a")),
            ("Task", json!({ "prompt": "go" }), Action::Delegate { request: "go".into() }),
            (
                "question",
                json!({ "questions": [{ "question": "a?" }] }),
                Action::Ask { question: "a?".into() },
            ),
            (
                "update_plan",
                json!({ "plan": [{ "step": "a", "status": "in_progress" }] }),
                Action::SetTodos { todos: vec![Todo { text: "a".into(), status: TodoStatus::Doing }] },
            ),
            ("mcp__github__get_issue", json!({}), Action::Other),
        ] {
            assert_eq!(action(tool, &input), does, "{tool} {input}");
        }
    }

    #[test]
    fn exit_codes_in_the_usual_words() {
        for (output, code) in [
            ("Exit code 3\nhi", Some(3)),
            ("hi\nExit Code: 2", Some(2)),
            ("<returncode>1</returncode>\n<output>x</output>", Some(1)),
            ("x\n[exit code: 7]", Some(7)),
            ("Wall time: 1\nProcess exited with code 0\nOutput:\nexit code: 9\nmore\nlines\nfollow", Some(0)),
            ("x\n(Exit status 128)\n", Some(128)),
            ("Command executed in terminal within working directory '.'. Exit code: 3\nOutput:\nx", Some(3)),
            ("exit codes are fun", None),
            ("1\n2\n3\n4\n5\n6\nexit code 4\n8\n9\n10", None),
            ("", None),
        ] {
            assert_eq!(exit_code(output), code, "{output}");
        }
    }
}
