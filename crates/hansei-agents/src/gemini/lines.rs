//! The records of a Gemini CLI chat, as far as they are read.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::parts::{FromText, Given, Parts};

/// One line: the head of the file, a message, a change of what was written before, or the whole of an older file. A
/// message is read with the line, because most are; the same id comes again when its tool calls are done.
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
    #[serde(borrow, default)]
    pub(super) id: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) content: Parts<Part<'a>>,
    #[serde(borrow, default)]
    pub(super) thoughts: Vec<Thought<'a>>,
    #[serde(default)]
    pub(super) tokens: Option<Tokens>,
    #[serde(borrow, default)]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) tool_calls: Vec<ToolCall<'a>>,
}

impl Record<'_> {
    /// Whether this is a message of a `kind`.
    pub(super) fn is(&self, kind: &str) -> bool {
        self.kind.as_deref() == Some(kind)
    }
}

#[derive(Deserialize)]
pub(super) struct Set<'a> {
    #[serde(borrow, default)]
    pub(super) messages: Vec<&'a RawValue>,
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
    pub(super) result: Parts<Part<'a>>,
    #[serde(borrow, default)]
    pub(super) status: Option<Cow<'a, str>>,
    /// The session of the sub-agent that did the work.
    #[serde(rename = "agentId", borrow, default)]
    pub(super) agent: Option<Cow<'a, str>>,
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

impl<'de: 'a, 'a> FromText<'de> for Part<'a> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Self { text: Some(text), function_response: None }
    }
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
    pub(super) output: Option<Given<'a>>,
    #[serde(borrow, default)]
    pub(super) error: Option<Given<'a>>,
}

/// The text of some parts.
pub(super) fn text(parts: &Parts<Part<'_>>) -> String {
    parts.0.iter().filter_map(|part| part.text.as_deref()).collect()
}

/// What a tool answered, and whether it called that an error.
pub(super) fn answer<'p>(parts: &'p [Part<'_>]) -> (Cow<'p, str>, bool) {
    let responses = parts.iter().filter_map(|part| part.function_response.as_ref()?.response.as_ref());
    let is_error = responses.clone().any(|response| response.error.is_some());
    let mut given = responses.filter_map(|response| response.output.as_ref().or(response.error.as_ref()));
    let first = given.next().map_or_else(Cow::default, |Given(text)| Cow::Borrowed(&**text));
    (given.fold(first, |all, Given(text)| all + &**text), is_error)
}
