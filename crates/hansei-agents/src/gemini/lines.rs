//! The records of a Gemini CLI chat, as far as they are read.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// One line: the head of the file, a message, a change of what was written before, or the whole of an older file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record<'a> {
    #[serde(borrow, default)]
    pub(super) session_id: Option<Cow<'a, str>>,
    #[serde(rename = "$set", borrow, default)]
    pub(super) set: Option<Set<'a>>,
    #[serde(rename = "$rewindTo", borrow, default)]
    pub(super) rewind_to: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) messages: Vec<&'a RawValue>,
    #[serde(rename = "type", borrow, default)]
    pub(super) kind: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
pub(super) struct Set<'a> {
    #[serde(borrow, default)]
    pub(super) messages: Vec<&'a RawValue>,
}

/// A message. The same id comes again when its tool calls are done.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) id: Cow<'a, str>,
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) thoughts: Vec<Thought<'a>>,
    #[serde(default)]
    pub(super) tokens: Option<Tokens>,
    #[serde(borrow, default)]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) tool_calls: Vec<ToolCall<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Thought<'a> {
    #[serde(borrow, default)]
    pub(super) subject: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) description: Cow<'a, str>,
}

#[derive(Deserialize)]
pub(super) struct Tokens {
    #[serde(default)]
    pub(super) input: u64,
    #[serde(default)]
    pub(super) output: u64,
    #[serde(default)]
    pub(super) thoughts: u64,
}

#[derive(Deserialize)]
pub(super) struct ToolCall<'a> {
    #[serde(borrow)]
    pub(super) id: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) args: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) status: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) timestamp: Option<Cow<'a, str>>,
}

/// A part of a content.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow, default)]
    pub(super) text: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) function_response: Option<FunctionResponse<'a>>,
}

#[derive(Deserialize)]
pub(super) struct FunctionResponse<'a> {
    #[serde(borrow, default)]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) response: Option<Response<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Response<'a> {
    #[serde(borrow, default)]
    pub(super) output: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

/// The parts of a content, which may also be a plain string.
pub(super) fn parts(content: Option<&RawValue>) -> Vec<Part<'_>> {
    let Some(content) = content else { return Vec::new() };
    if let Ok(text) = serde_json::from_str::<Cow<'_, str>>(content.get()) {
        return vec![Part { text: Some(text), function_response: None }];
    }
    serde_json::from_str(content.get())
        .or_else(|_| serde_json::from_str(content.get()).map(|part: Part<'_>| vec![part]))
        .unwrap_or_default()
}

/// The text of some parts.
pub(super) fn text(parts: &[Part<'_>]) -> String {
    parts.iter().filter_map(|part| part.text.as_deref()).collect()
}

/// What a tool answered, and whether it called that an error.
pub(super) fn answer(parts: &[Part<'_>]) -> (String, bool) {
    let responses = parts.iter().filter_map(|part| part.function_response.as_ref()?.response.as_ref());
    let mut answer = String::new();
    let mut is_error = false;
    for response in responses {
        is_error |= response.error.is_some();
        if let Some(raw) = response.output.or(response.error) {
            let text = serde_json::from_str::<String>(raw.get());
            answer += &text.unwrap_or_else(|_| raw.get().to_owned());
        }
    }
    (answer, is_error)
}
