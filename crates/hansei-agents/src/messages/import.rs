//! Messages as events. Both shapes are read by the same code: a message may mix them.

use hansei_core::session::{Circumstances, Feeder, HumanVia, SessionEvent, What};
use hansei_core::timestamp::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{FEEDBACK, HOOK, NotMessages, REMINDER};
use crate::any_tool::Calls;
use crate::transcript::any_moment;

/// The events of a conversation: a list of messages, or an object with such a list as `messages`.
pub fn import(bytes: &[u8]) -> Result<Vec<SessionEvent>, NotMessages> {
    let (head, messages) = if bytes.trim_ascii_start().starts_with(b"[") {
        (Head::default(), serde_json::from_slice(bytes)?)
    } else {
        let Conversation { head, messages } = serde_json::from_slice(bytes)?;
        (head, messages)
    };
    let mut listener = Listener { events: Vec::new(), at: None, nameless: 0, calls: Calls::default() };
    let Head { cwd, model, system } = head;
    let start = Circumstances { cwd, model, ..Circumstances::default() };
    if start != Circumstances::default() {
        listener.emit(What::Started(start));
    }
    let system = text_of(&system);
    if !system.is_empty() {
        listener.emit(What::Fed { text: system, by: Feeder::Agent });
    }
    for message in messages {
        listener.message(&message);
    }
    Ok(listener.events)
}

#[derive(Deserialize)]
struct Conversation {
    #[serde(flatten)]
    head: Head,
    messages: Vec<Message>,
}

#[derive(Deserialize, Default)]
struct Head {
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    system: Value,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    content: Value,
    #[serde(default)]
    reasoning_content: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<ToolCall>>,
    #[serde(default)]
    tool_call_id: Option<String>,
    #[serde(default)]
    timestamp: Value,
    #[serde(default)]
    extra: Value,
}

#[derive(Deserialize)]
struct ToolCall {
    #[serde(default)]
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: Value,
}

struct Listener {
    events: Vec<SessionEvent>,
    at: Option<Timestamp>,
    /// How many calls there were: one may have no id of its own.
    nameless: usize,
    calls: Calls,
}

impl Listener {
    fn emit(&mut self, what: What) {
        self.events.push(SessionEvent { at: self.at.clone(), id: None, what });
    }

    fn message(&mut self, message: &Message) {
        self.at = message.timestamp.as_str().and_then(any_moment);
        match &*message.role {
            "assistant" => self.assistant(message),
            "tool" | "function" => {
                let call = message.tool_call_id.clone().or_else(|| message.name.clone()).unwrap_or_default();
                let failed = message.extra["is_error"].as_bool().unwrap_or_default();
                self.answered(&call, text_of(&message.content), failed, &message.extra);
            }
            "user" => self.user(message),
            _ => {
                let text = text_of(&message.content);
                self.emit(What::Fed { text, by: Feeder::Agent });
            }
        }
    }

    fn user(&mut self, message: &Message) {
        let mut texts = Vec::new();
        for block in blocks(&message.content) {
            if block["type"] == "tool_result" {
                let call = block["tool_use_id"].as_str().unwrap_or_default().to_owned();
                let is_error = block["is_error"].as_bool().unwrap_or_default();
                let extra = if block["extra"].is_object() { &block["extra"] } else { &message.extra };
                self.answered(&call, text_of(&block["content"]), is_error, extra);
            } else if let Some(text) = text_of_block(&block) {
                texts.push(text);
            }
        }
        let text = texts.join("\n");
        let (open, close) = REMINDER;
        if text.is_empty() {
            return;
        }
        if message.name.as_deref() == Some(HOOK) {
            self.emit(What::Fed { text, by: Feeder::StopHook });
        } else if let Some(feedback) = text.strip_prefix(FEEDBACK) {
            self.emit(What::Fed { text: feedback.to_owned(), by: Feeder::StopHook });
        } else if let Some(inner) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) {
            self.emit(What::Fed { text: inner.to_owned(), by: Feeder::Agent });
        } else {
            self.emit(What::HumanSaid { text, via: HumanVia::Prompt });
        }
    }

    fn assistant(&mut self, message: &Message) {
        if let Some(text) = message.reasoning_content.clone().filter(|text| !text.is_empty()) {
            self.emit(What::Thought { text });
        }
        for block in blocks(&message.content) {
            match block["type"].as_str() {
                Some("thinking") => {
                    let text = block["thinking"].as_str().unwrap_or_default().to_owned();
                    self.emit(What::Thought { text });
                }
                Some("tool_use") => {
                    let tool = block["name"].as_str().unwrap_or_default().to_owned();
                    self.called(block["id"].as_str(), tool, block["input"].clone());
                }
                _ => {
                    if let Some(text) = text_of_block(&block).filter(|text| !text.is_empty()) {
                        self.emit(What::Said { text });
                    }
                }
            }
        }
        for call in message.tool_calls.iter().flatten() {
            let arguments = &call.function.arguments;
            let parsed = arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
            let input = parsed.unwrap_or_else(|| arguments.clone());
            self.called(call.id.as_deref(), call.function.name.clone(), input);
        }
    }

    fn called(&mut self, id: Option<&str>, tool: String, input: Value) {
        self.nameless += 1;
        let call = id.map_or_else(|| format!("call_{}", self.nameless), ToOwned::to_owned);
        for what in self.calls.called(&call, tool, input) {
            self.emit(what);
        }
    }

    fn answered(&mut self, call: &str, output: String, is_error: bool, extra: &Value) {
        let given = extra["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok());
        for what in self.calls.answered(call, output, given, is_error) {
            self.emit(what);
        }
    }
}

/// The blocks of a content: a plain text is one.
fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::Array(blocks) => blocks.clone(),
        Value::Null => Vec::new(),
        other => vec![other.clone()],
    }
}

fn text_of_block(block: &Value) -> Option<String> {
    let text = block.as_str().or_else(|| block["text"].as_str())?;
    Some(text.to_owned())
}

fn text_of(content: &Value) -> String {
    let texts: Vec<String> = blocks(content).iter().filter_map(text_of_block).collect();
    texts.join("\n")
}
