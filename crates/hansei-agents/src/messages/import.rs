//! Messages as events. Both shapes are read by the same code: a message may mix them.

use hansei_core::session::{Circumstances, Feeder, HumanVia, SessionEvent, What};
use hansei_core::timestamp::Timestamp;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{FEEDBACK, HOOK, NotMessages, REMINDER};
use crate::any_tool::Calls;
use crate::lenient;
use crate::mended::mended;
use crate::transcript::any_moment;

/// How the first message begins after Claude Code has put a summary in place of a conversation.
const CONTINUED: &str = "This session is being continued from a previous conversation";

/// The events of a conversation: a list of messages, or an object with such a list as `messages`. What is no message is
/// passed over, as long as others are.
pub fn import(bytes: &[u8]) -> Result<Vec<SessionEvent>, NotMessages> {
    let mended = mended(bytes).filter(|_| serde_json::from_slice::<IgnoredAny>(bytes).is_err());
    let bytes = mended.as_deref().unwrap_or(bytes);
    let conversation: Conversation<'_> = if bytes.trim_ascii_start().starts_with(b"[") {
        Conversation { messages: serde_json::from_slice(bytes)?, ..Conversation::default() }
    } else {
        serde_json::from_slice(bytes)?
    };
    let Conversation { cwd, model, system, messages } = conversation;
    let mut listener = Listener { events: Vec::new(), at: None, nameless: 0, calls: Calls::default() };
    let start = Circumstances { cwd, model, ..Circumstances::default() };
    if start != Circumstances::default() {
        listener.emit(What::Started(start));
    }
    let system = text_of(&system);
    if !system.is_empty() {
        listener.emit(What::Fed { text: system, by: Feeder::Agent });
    }
    let mut refused = None;
    let mut known = 0;
    for message in messages {
        match read(message.get()) {
            Ok(message) => {
                known += 1;
                listener.message(&message);
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    match refused {
        Some(error) if known == 0 => Err(error.into()),
        _ => Ok(listener.events),
    }
}

/// A message, mended where a parser refuses it.
fn read(message: &str) -> Result<Message, serde_json::Error> {
    serde_json::from_str(message).or_else(|error| {
        let mended = mended(message.as_bytes()).unwrap_or_else(|| message.as_bytes().to_owned());
        // Where a key stands twice, the last one is meant.
        let value: Value = serde_json::from_slice(&mended)?;
        serde_json::from_value(value).map_err(|_| error)
    })
}

#[derive(Deserialize, Default)]
struct Conversation<'a> {
    #[serde(default, deserialize_with = "lenient::any")]
    cwd: Option<String>,
    #[serde(default, deserialize_with = "lenient::any")]
    model: Option<String>,
    #[serde(default)]
    system: Value,
    #[serde(borrow)]
    messages: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    #[serde(default, deserialize_with = "lenient::any")]
    name: Option<String>,
    #[serde(default)]
    content: Value,
    #[serde(default, deserialize_with = "lenient::any")]
    reasoning_content: Option<String>,
    #[serde(default, deserialize_with = "lenient::list")]
    tool_calls: Vec<ToolCall>,
    #[serde(default, deserialize_with = "lenient::any")]
    function_call: Option<Function>,
    #[serde(default, deserialize_with = "lenient::name")]
    tool_call_id: Option<String>,
    #[serde(default)]
    timestamp: Value,
    #[serde(default)]
    extra: Value,
}

#[derive(Deserialize)]
struct ToolCall {
    #[serde(default, deserialize_with = "lenient::name")]
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
        } else if text.starts_with(CONTINUED) {
            self.emit(What::Compacted { summary: Some(text) });
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
        for call in &message.tool_calls {
            let input = lenient::arguments(&call.function.arguments);
            self.called(call.id.as_deref(), call.function.name.clone(), input);
        }
        // Before calls had ids, the function's name stood for one.
        if let Some(Function { name, arguments }) = &message.function_call {
            self.called(Some(name), name.clone(), lenient::arguments(arguments));
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
        let given = lenient::whole(&extra["exit_code"]);
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
