//! Portable names of tools: a script says `shell`, and the agent is asked to run what it calls its shell.
//!
//! Agents name the same tool and its parameters differently. What a request offers decides; a name that is not portable
//! is passed on as it is, also when nobody offers it, because models do that too.

mod detour;

use serde_json::{Map, Value, json};

use crate::request::{OfferedTool, Takes};
use crate::script::ToolCall;

/// A tool as scripts call it, and how agents do.
struct Portable {
    name: &'static str,
    called: &'static [&'static str],
    parameters: &'static [(&'static str, &'static [&'static str])],
}

const PATH: (&str, &[&str]) = ("path", &["file_path", "filePath", "absolute_path"]);

const PORTABLE: [Portable; 6] = [
    Portable {
        name: "shell",
        called: &["Bash", "bash", "exec_command", "shell_command", "run_shell_command"],
        parameters: &[("command", &["cmd"])],
    },
    Portable { name: "write", called: &["Write", "write_file"], parameters: &[PATH] },
    Portable {
        name: "edit",
        called: &["Edit", "replace"],
        parameters: &[PATH, ("old", &["old_string", "oldString"]), ("new", &["new_string", "newString"])],
    },
    Portable { name: "read", called: &["Read", "read_file"], parameters: &[PATH] },
    Portable {
        name: "todo",
        called: &["TodoWrite", "todowrite", "write_todos", "update_plan"],
        parameters: &[("items", &["todos", "plan"]), ("text", &["content", "step", "description"])],
    },
    Portable {
        name: "task",
        called: &["Agent", "Task", "spawn_agent", "invoke_agent"],
        parameters: &[
            ("prompt", &["message", "objective"]),
            ("agent", &["subagent_type", "agent_type", "agent_name"]),
        ],
    },
];

/// A call as the agent understands it.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool's name.
    pub name: String,
    /// The group that the tool belongs to.
    pub namespace: Option<String>,
    /// What it is called with.
    pub input: Input,
}

/// What a tool is called with.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Named values.
    Object(Map<String, Value>),
    /// A text of the tool's own form.
    Text(String),
    /// Whatever the model wrote.
    Raw(String),
}

impl Input {
    /// It as an object, for formats that know nothing else.
    pub fn object(&self) -> Value {
        match self {
            Self::Object(input) => Value::Object(input.clone()),
            Self::Text(text) => json!({ "input": text }),
            // A format that cannot carry anything but JSON carries it as a text.
            Self::Raw(text) => json!(text),
        }
    }

    /// It as the text of an object, for formats that carry that.
    pub fn json(&self) -> String {
        match self {
            Self::Raw(text) => text.clone(),
            input => input.object().to_string(),
        }
    }
}

/// The script wants a tool that the agent does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the script calls {wanted:?}, and the request offers only: {offered}")]
pub struct NotOffered {
    /// The portable name.
    pub wanted: String,
    /// The names that were offered.
    pub offered: String,
}

/// Puts a call of a script into the agent's words.
pub fn translate(call: &ToolCall, offered: &[OfferedTool]) -> Result<Call, NotOffered> {
    let Some(portable) = PORTABLE.iter().find(|portable| portable.name == call.name) else {
        let tool = offered.iter().find(|tool| tool.name == call.name);
        let namespace = tool.and_then(|tool| tool.namespace.clone());
        let input = match (tool, call.input.get("text")) {
            _ if call.arguments.is_some() => raw(call),
            (Some(OfferedTool { takes: Takes::Text, .. }), Some(Value::String(text))) => {
                Input::Text(text.clone())
            }
            _ => Input::Object(call.input.clone()),
        };
        return Ok(Call { name: call.name.clone(), namespace, input });
    };
    if let Some(tool) = portable.find(offered) {
        let schema = match &tool.takes {
            Takes::Object(schema) => schema,
            Takes::Text => &Value::Null,
        };
        let input = match &call.arguments {
            Some(_) => raw(call),
            None => Input::Object(portable.fit(&call.input, schema, &call.name)),
        };
        let namespace = tool.namespace.clone();
        return Ok(Call { name: tool.name.clone(), namespace, input });
    }
    detour::around(call, offered).ok_or_else(|| NotOffered {
        wanted: call.name.clone(),
        offered: offered.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

fn raw(call: &ToolCall) -> Input {
    Input::Raw(call.arguments.clone().unwrap_or_default())
}

impl Portable {
    fn find<'a>(&self, offered: &'a [OfferedTool]) -> Option<&'a OfferedTool> {
        let names = std::iter::once(&self.name).chain(self.called);
        names.into_iter().find_map(|name| offered.iter().find(|tool| tool.name == *name))
    }

    /// `input` with the names that `schema` has, and values for what must be given and was not.
    fn fit(&self, input: &Map<String, Value>, schema: &Value, filler: &str) -> Map<String, Value> {
        let filler = input.values().find_map(Value::as_str).unwrap_or(filler);
        let parameters = schema["properties"].as_object();
        let known = |name: &str| parameters.is_some_and(|parameters| parameters.contains_key(name));
        let mut fitted = Map::new();
        for (name, value) in input {
            let others =
                self.parameters.iter().find(|(portable, _)| portable == name).map(|(_, others)| *others);
            let other = others.into_iter().flatten().find(|other| known(other));
            let own = if known(name) { name.as_str() } else { other.copied().unwrap_or(name) };
            fitted.insert(own.to_owned(), self.fit_value(value, &schema["properties"][own], filler));
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fitted.contains_key(name) {
                fitted.insert(name.to_owned(), something(&schema["properties"][name], filler));
            }
        }
        fitted
    }

    fn fit_value(&self, value: &Value, schema: &Value, filler: &str) -> Value {
        match value {
            Value::Array(items) => {
                items.iter().map(|item| self.fit_value(item, &schema["items"], filler)).collect()
            }
            Value::Object(item) => Value::Object(self.fit(item, schema, filler)),
            // A shell that takes a list of arguments.
            Value::String(command) if schema["type"] == "array" => json!(["bash", "-lc", command]),
            // YAML reads `new: 2` as a number; the tool says that it wants a text.
            Value::Number(_) | Value::Bool(_) if schema["type"] == "string" => json!(value.to_string()),
            _ => value.clone(),
        }
    }
}

/// A value of the kind that `schema` wants.
fn something(schema: &Value, filler: &str) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match schema["type"].as_str().map(str::to_lowercase).as_deref() {
        Some("boolean") => json!(false),
        Some("integer" | "number") => json!(0),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!(filler),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn tool(name: &str, schema: Value) -> OfferedTool {
        OfferedTool { name: name.to_owned(), namespace: None, takes: Takes::Object(schema) }
    }

    pub fn strings(names: &[&str]) -> Value {
        let properties: Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
        json!({ "type": "object", "properties": properties, "required": names })
    }

    pub fn check(name: &str, input: Value, offered: &[OfferedTool]) -> String {
        let Value::Object(input) = input else { panic!("{input}") };
        match translate(&ToolCall { name: name.to_owned(), input, arguments: None }, offered) {
            Ok(Call { name, input: Input::Object(input), .. }) => format!("{name} {}", Value::Object(input)),
            Ok(Call { name, input: Input::Text(text) | Input::Raw(text), .. }) => format!("{name} {text}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_agent_is_called_in_its_own_words() {
        let command = || json!({ "command": "ls" });
        let table = [
            ("shell", command(), tool("Bash", strings(&["command"])), r#"Bash {"command":"ls"}"#),
            ("shell", command(), tool("exec_command", strings(&["cmd"])), r#"exec_command {"cmd":"ls"}"#),
            (
                "shell",
                command(),
                tool("bash", strings(&["command", "description"])),
                r#"bash {"command":"ls","description":"ls"}"#,
            ),
            (
                "shell",
                command(),
                tool("shell", json!({ "properties": { "command": { "type": "array" } } })),
                r#"shell {"command":["bash","-lc","ls"]}"#,
            ),
            (
                "write",
                json!({ "path": "a", "content": "b" }),
                tool("write", strings(&["filePath", "content"])),
                r#"write {"filePath":"a","content":"b"}"#,
            ),
            (
                "edit",
                json!({ "path": "a", "old": "b", "new": 2 }),
                tool("replace", strings(&["file_path", "old_string", "new_string", "instruction"])),
                r#"replace {"file_path":"a","old_string":"b","new_string":"2","instruction":"a"}"#,
            ),
            (
                "todo",
                json!({ "items": [{ "text": "a", "status": "pending" }] }),
                tool(
                    "TodoWrite",
                    json!({ "properties": { "todos": { "type": "array",
                        "items": strings(&["content", "status", "activeForm"]) } } }),
                ),
                r#"TodoWrite {"todos":[{"content":"a","status":"pending","activeForm":"a"}]}"#,
            ),
            (
                "task",
                json!({ "prompt": "look", "agent": "explore" }),
                tool("task", strings(&["description", "prompt", "subagent_type"])),
                r#"task {"prompt":"look","subagent_type":"explore","description":"look"}"#,
            ),
            ("Own", json!({ "x": 1 }), tool("Bash", json!({})), r#"Own {"x":1}"#),
            (
                "task",
                json!({}),
                tool("Bash", json!({})),
                r#"the script calls "task", and the request offers only: Bash"#,
            ),
        ];
        for (name, input, offered, expected) in table {
            assert_eq!(check(name, input, &[offered]), expected);
        }
    }
}
