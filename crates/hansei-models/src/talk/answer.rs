//! A model's turn, put together from what its provider streams.

use genai::adapter::AdapterKind;
use genai::chat::{ChatStreamEvent, StopReason, StreamEnd, ToolCall as CalledTool, Usage};
use hansei_core::run::conversation::{Conversation, NoAnswer, Spent, ToolCall, Turn};
use serde_json::{Map, Value};

use super::Heard;
use super::call_id::CallIds;
use super::mark::Mark;
use crate::known_models::Tokens;

/// The longest answer, in bytes: no model's is as long, and a server that never ends must not fill the memory.
const LONGEST: usize = 16 << 20;

/// What was heard so far.
pub(super) struct Answer {
    wire: AdapterKind,
    text: String,
    /// Open thoughts, where the model wants to see them again.
    reasoning: Option<String>,
    heard: usize,
    signatures: Vec<String>,
    /// The signature of each call, in Gemini's answers, where calls come whole.
    call_signatures: Vec<Option<String>>,
}

/// A turn, and what its tokens were.
pub(super) struct Counted {
    pub(super) turn: Turn,
    pub(super) tokens: Tokens,
}

impl Answer {
    pub(super) fn new(wire: AdapterKind, name: &str) -> Self {
        let reasoning = (wire == AdapterKind::OpenAI && wants_reasoning_back(name)).then(String::new);
        let (signatures, call_signatures) = (Vec::new(), Vec::new());
        Self { wire, text: String::new(), reasoning, heard: 0, signatures, call_signatures }
    }

    /// Takes in the next event.
    pub(super) fn hear(
        &mut self,
        event: ChatStreamEvent,
        heard: &mut dyn FnMut(Heard<'_>),
    ) -> Result<(), NoAnswer> {
        match event {
            ChatStreamEvent::Chunk(chunk) => {
                self.heard += chunk.content.len();
                self.text.push_str(&chunk.content);
                if !chunk.content.is_empty() {
                    heard(Heard::Text(&chunk.content));
                }
            }
            ChatStreamEvent::ReasoningChunk(chunk) => {
                self.heard += chunk.content.len();
                if let Some(reasoning) = &mut self.reasoning {
                    reasoning.push_str(&chunk.content);
                }
                if !chunk.content.is_empty() {
                    heard(Heard::Reasoning(&chunk.content));
                }
            }
            ChatStreamEvent::ThoughtSignatureChunk(chunk) if self.wire == AdapterKind::Gemini => {
                self.signatures.push(chunk.content);
            }
            ChatStreamEvent::ToolCallChunk(chunk) => {
                if chunk.tool_call.fn_arguments.as_str().is_some_and(|input| input.len() > LONGEST) {
                    return Err(too_long());
                }
                if self.wire == AdapterKind::Gemini {
                    let signature = chunk.tool_call.thought_signatures.and_then(|all| all.into_iter().next());
                    self.call_signatures.push(signature);
                }
            }
            ChatStreamEvent::Start
            | ChatStreamEvent::Heartbeat
            | ChatStreamEvent::ThoughtSignatureChunk(_)
            | ChatStreamEvent::End(_) => {}
        }
        if self.heard > LONGEST { Err(too_long()) } else { Ok(()) }
    }

    /// Whether the stream stopped before its end mark: the library makes an end where these two have none.
    pub(super) fn was_cut(&self, end: &StreamEnd) -> bool {
        end.captured_stop_reason.is_none()
            && matches!(self.wire, AdapterKind::Gemini | AdapterKind::OpenAIResp)
    }

    /// The whole turn.
    pub(super) fn turn(self, end: StreamEnd, conversation: &Conversation) -> Result<Counted, NoAnswer> {
        let cut_off = matches!(end.captured_stop_reason, Some(StopReason::MaxTokens(_)));
        let parts = end.captured_content.map(genai::chat::MessageContent::into_parts).unwrap_or_default();
        let mut marks = Mark::among(&parts, self.wire);
        let called: Vec<CalledTool> =
            parts.into_iter().filter_map(genai::chat::ContentPart::into_tool_call).collect();
        if self.text.is_empty() && called.is_empty() && !cut_off {
            nothing_said(end.captured_stop_reason.as_ref())?;
        }
        marks.extend(self.gemini_marks());
        marks.extend(self.reasoning.filter(|text| !text.is_empty()).map(Mark::Reasoning));
        let mut ids = CallIds::of(conversation);
        let calls = called
            .into_iter()
            .map(|call| ToolCall {
                // The library's own ids for calls without one begin anew with every answer.
                id: ids.next(if call.call_id.starts_with("call#") { String::new() } else { call.call_id }),
                name: call.fn_name,
                input: input(call.fn_arguments, cut_off),
            })
            .collect();
        let tokens = tokens(end.captured_usage.unwrap_or_default());
        let spent = Spent { input_tokens: tokens.input, output_tokens: tokens.output, usd: None };
        let signatures = marks.iter().map(Mark::text).collect();
        Ok(Counted { turn: Turn { text: self.text, calls, signatures, cut_off, spent }, tokens })
    }

    fn gemini_marks(&self) -> Vec<Mark> {
        let of_calls: Vec<&String> = self.call_signatures.iter().flatten().collect();
        let of_words = self.signatures.iter().rfind(|signature| !of_calls.contains(signature));
        let mut marks: Vec<Mark> = of_words
            .map(|signature| Mark::Gemini { call: None, signature: signature.clone() })
            .into_iter()
            .collect();
        for (call, signature) in self.call_signatures.iter().enumerate() {
            marks.extend(signature.clone().map(|signature| Mark::Gemini { call: Some(call), signature }));
        }
        marks
    }
}

/// Some models behind chat completions refuse a conversation that lacks their thoughts.
fn wants_reasoning_back(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["deepseek", "kimi"].iter().any(|family| name.contains(family))
}

/// What a call was given. What is no JSON is handed on as the text that it is; nothing at all is an empty object, unless
/// something may be missing.
fn input(given: Value, cut_off: bool) -> Value {
    match given {
        Value::Null => Value::Object(Map::new()),
        Value::String(text) if text.trim().is_empty() && !cut_off => Value::Object(Map::new()),
        given => given,
    }
}

fn tokens(usage: Usage) -> Tokens {
    let count =
        |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or_default();
    let details = usage.prompt_tokens_details.unwrap_or_default();
    Tokens {
        input: count(usage.prompt_tokens),
        output: count(usage.completion_tokens),
        cached: count(details.cached_tokens),
        cache_written: count(details.cache_creation_tokens),
    }
}

/// A model may end its turn without a word. What is no end of a turn is said.
fn nothing_said(stop: Option<&StopReason>) -> Result<(), NoAnswer> {
    match stop {
        Some(StopReason::ContentFilter(_)) => {
            Err(NoAnswer::Refused { reason: "the provider's filter held the answer back".to_owned() })
        }
        None | Some(StopReason::Other(_)) => {
            Err(NoAnswer::Outage { reason: "the model broke off without an answer".to_owned() })
        }
        Some(_) => Ok(()),
    }
}

fn too_long() -> NoAnswer {
    NoAnswer::Refused { reason: format!("the answer is longer than {} MiB", LONGEST >> 20) }
}
