//! The way around a tool that is not there, for agents that do everything with a shell and patches.

use serde_json::{Map, Value, json};

use super::{Call, Input, translate};
use crate::request::{OfferedTool, Takes};
use crate::script::ToolCall;

/// Another way to the same effect, if there is one.
pub fn around(call: &ToolCall, offered: &[OfferedTool]) -> Option<Call> {
    let given = |name: &str| match call.input.get(name)? {
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let path = given("path")?;
    match call.name.as_str() {
        "read" => shell(format!("cat -- {}", quoted(&path)), offered),
        "write" => {
            let (path, content) = (quoted(&path), quoted(&given("content")?));
            shell(format!("mkdir -p -- \"$(dirname -- {path})\" && printf %s {content} > {path}"), offered)
        }
        "edit" => apply_patch(&patch(&path, &given("old")?, &given("new")?), offered),
        _ => None,
    }
}

fn shell(command: String, offered: &[OfferedTool]) -> Option<Call> {
    let input = Map::from_iter([("command".to_owned(), Value::String(command))]);
    translate(&ToolCall { name: "shell".to_owned(), input, arguments: None }, offered).ok()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// An edit of whole lines in the form that `apply_patch` takes.
fn patch(path: &str, old: &str, new: &str) -> String {
    let marked = |mark: &str, text: &str| {
        text.lines()
            .flat_map(|line| {
                [
                    mark, line, "
",
                ]
            })
            .collect::<String>()
    };
    let (old, new) = (marked("-", old), marked("+", new));
    format!("*** Begin Patch\n*** Update File: {path}\n@@\n{old}{new}*** End Patch\n")
}

/// The tool of that name, or the command of that name that such agents understand in their shell.
fn apply_patch(patch: &str, offered: &[OfferedTool]) -> Option<Call> {
    let Some(tool) = offered.iter().find(|tool| tool.name == "apply_patch") else {
        return shell(format!("apply_patch <<'PATCH'\n{patch}PATCH\n"), offered);
    };
    let input = match tool.takes {
        Takes::Text => Input::Text(patch.to_owned()),
        Takes::Object(_) => Input::Object(Map::from_iter([("input".to_owned(), json!(patch))])),
    };
    Some(Call { name: tool.name.clone(), namespace: tool.namespace.clone(), input })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, strings, tool};
    use super::*;

    #[test]
    fn an_agent_with_a_shell_and_patches_needs_no_more() {
        let patch = OfferedTool { name: "apply_patch".to_owned(), namespace: None, takes: Takes::Text };
        let mut offered = vec![tool("exec_command", strings(&["cmd"])), patch];
        insta::assert_snapshot!(check("read", json!({ "path": "it's" }), &offered), @r#"exec_command {"cmd":"cat -- 'it'\\''s'"}"#);
        insta::assert_snapshot!(check("write", json!({ "path": "a/b", "content": "c\n" }), &offered), @r#"exec_command {"cmd":"mkdir -p -- \"$(dirname -- 'a/b')\" && printf %s 'c\n' > 'a/b'"}"#);
        insta::assert_snapshot!(check("edit", json!({ "path": "a", "old": "b", "new": "c\nd" }), &offered), @"
        apply_patch *** Begin Patch
        *** Update File: a
        @@
        -b
        +c
        +d
        *** End Patch
        ");
        insta::assert_snapshot!(check("apply_patch", json!({ "text": "as it is" }), &offered), @"apply_patch as it is");
        offered.pop();
        insta::assert_snapshot!(check("edit", json!({ "path": "a", "old": "b", "new": 2 }), &offered), @r#"exec_command {"cmd":"apply_patch <<'PATCH'\n*** Begin Patch\n*** Update File: a\n@@\n-b\n+2\n*** End Patch\nPATCH\n"}"#);
    }
}
