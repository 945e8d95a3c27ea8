//! What a request asks, in the words that all wire formats share.

use serde_json::Value;

/// A request for an answer of the model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asked {
    /// The model's name.
    pub model: String,
    /// Whether the answer is to be sent as events.
    pub stream: bool,
    /// The system prompt.
    pub system: String,
    /// How many turns the assistant has had.
    pub turn: usize,
    /// What the user said since the assistant's last turn.
    pub last_user: String,
    /// What tools returned since the assistant's last turn.
    pub tool_results: String,
    /// The tools that may be called.
    pub tools: Vec<OfferedTool>,
}

/// A tool that the agent offers.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    /// Its name.
    pub name: String,
    /// The group that it belongs to, in formats that have groups.
    pub namespace: Option<String>,
    /// How it takes its input.
    pub takes: Takes,
}

/// How a tool takes its input.
#[derive(Debug, Clone, PartialEq)]
pub enum Takes {
    /// As an object, described by a JSON Schema.
    Object(Value),
    /// As a text of a form of its own.
    Text,
}

/// One entry of a conversation, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// The assistant said, thought or called something.
    Assistant,
    /// The user said something.
    User(String),
    /// A tool returned something.
    ToolResult(String),
}

impl Asked {
    /// Reads the conversation. A turn is an unbroken run of the assistant's entries: some formats send its words and each
    /// of its calls apart.
    pub fn converse(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let mut speaking = false;
        for entry in entries {
            let assistant = entry == Entry::Assistant;
            match entry {
                Entry::Assistant if speaking => {}
                Entry::Assistant => {
                    self.turn += 1;
                    self.last_user.clear();
                    self.tool_results.clear();
                }
                Entry::User(text) => add_line(&mut self.last_user, &text),
                Entry::ToolResult(text) => add_line(&mut self.tool_results, &text),
            }
            speaking = assistant;
        }
    }
}

/// Adds `line` to `text`, on a line of its own.
pub fn add_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// All text in `value`: itself, or the `text` of the parts in it.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let mut all = String::new();
            for part in parts {
                let text = text_of(part);
                if !text.is_empty() {
                    add_line(&mut all, &text);
                }
            }
            all
        }
        Value::Object(part) => part.get("text").map(text_of).unwrap_or_default(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_turn_is_an_unbroken_run_of_the_assistant() {
        let (said, user) = (|| Entry::Assistant, |text: &str| Entry::User(text.to_owned()));
        let result = |text: &str| Entry::ToolResult(text.to_owned());
        let table = [
            (vec![user("a")], 0, "a", ""),
            (vec![user("a"), said()], 1, "", ""),
            (vec![user("a"), said(), said(), result("x"), result("y")], 1, "", "x\ny"),
            (vec![user("a"), said(), result("x"), said(), user("b"), user("c")], 2, "b\nc", ""),
            (vec![user("a"), said(), result("x"), user("note")], 1, "note", "x"),
            (vec![], 0, "", ""),
        ];
        for (entries, turn, last_user, tool_results) in table {
            let mut asked = Asked::default();
            asked.converse(entries.clone());
            assert_eq!(
                (asked.turn, asked.last_user.as_str(), asked.tool_results.as_str()),
                (turn, last_user, tool_results),
                "{entries:?}"
            );
        }
    }

    #[test]
    fn text_is_found_in_strings_and_parts() {
        assert_eq!(text_of(&json!("a")), "a");
        assert_eq!(text_of(&json!([{ "type": "text", "text": "a" }, { "type": "image" }, "b"])), "a\nb");
        assert_eq!(text_of(&json!(null)), "");
    }
}
