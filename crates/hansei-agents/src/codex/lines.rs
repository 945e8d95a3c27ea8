//! The lines of a Codex rollout, as far as they are read. Texts are borrowed from the line where they can be.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// One line.
#[derive(Deserialize)]
pub(super) struct Line<'a> {
    #[serde(borrow, default)]
    pub(super) timestamp: Option<Cow<'a, str>>,
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) payload: &'a RawValue,
}

/// `session_meta`: the head of the file.
#[derive(Deserialize)]
pub(super) struct Meta<'a> {
    #[serde(borrow, default)]
    pub(super) cwd: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) cli_version: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) source: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) forked_from_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) git: Option<Git<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Git<'a> {
    #[serde(borrow, default)]
    pub(super) branch: Option<Cow<'a, str>>,
}

/// `turn_context`: what a turn runs with.
#[derive(Deserialize)]
pub(super) struct TurnContext<'a> {
    #[serde(borrow, default)]
    pub(super) cwd: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) collaboration_mode: Option<Mode<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Mode<'a> {
    #[serde(borrow, default)]
    pub(super) mode: Option<Cow<'a, str>>,
}

/// `compacted`.
#[derive(Deserialize)]
pub(super) struct CompactedLine<'a> {
    #[serde(borrow, default)]
    pub(super) message: Option<Cow<'a, str>>,
}

/// `response_item`: what went to the model or came from it.
#[derive(Deserialize)]
pub(super) struct Item<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) role: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) summary: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) input: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) call_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) output: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) action: Option<&'a RawValue>,
    #[serde(rename = "internal_chat_message_metadata_passthrough", borrow, default)]
    pub(super) about: Option<About<'a>>,
}

/// Where the parts of a message come from; older versions do not say.
#[derive(Deserialize)]
pub(super) struct About<'a> {
    #[serde(borrow, default)]
    content_item_metadata: Vec<PartAbout<'a>>,
}

#[derive(Deserialize)]
struct PartAbout<'a> {
    #[serde(borrow, default)]
    provenance: Option<Provenance<'a>>,
}

#[derive(Deserialize)]
struct Provenance<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Option<Cow<'a, str>>,
}

impl About<'_> {
    /// Whether no part of the message is the human's, where that is said.
    pub(super) fn is_machinery(&self) -> Option<bool> {
        let kinds =
            self.content_item_metadata.iter().filter_map(|part| part.provenance.as_ref()?.kind.as_ref());
        let mut kinds = kinds.peekable();
        kinds.peek()?;
        Some(kinds.all(|kind| kind != "user"))
    }
}

/// `event_msg`: what happened around the model.
#[derive(Deserialize)]
pub(super) struct Event<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) message: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) reason: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) error: Option<TurnError<'a>>,
    #[serde(default)]
    pub(super) info: Option<TokenInfo>,
    #[serde(borrow, default)]
    pub(super) item: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct TurnError<'a> {
    #[serde(borrow, default)]
    pub(super) message: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
pub(super) struct TokenInfo {
    #[serde(default)]
    pub(super) total_token_usage: Tokens,
}

#[derive(Deserialize, Default, Clone, Copy)]
pub(super) struct Tokens {
    #[serde(default)]
    pub(super) input_tokens: u64,
    #[serde(default)]
    pub(super) output_tokens: u64,
}

/// The text of a content that is a string or a list of parts with a `text`.
pub(super) fn text_of(content: &RawValue) -> String {
    #[derive(Deserialize)]
    struct Part<'a> {
        #[serde(borrow, default)]
        text: Option<Cow<'a, str>>,
    }
    if let Ok(text) = serde_json::from_str::<String>(content.get()) {
        return text;
    }
    let parts: Vec<Part<'_>> = serde_json::from_str(content.get()).unwrap_or_default();
    let texts: Vec<&str> = parts.iter().filter_map(|part| part.text.as_deref()).collect();
    texts.join("\n")
}
