//! The lines of a Codex rollout, as far as they are read. Texts are borrowed from the line where they can be.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::items::Completed;
use crate::parts::{FromText, Parts};

/// One line.
pub(super) struct Line<'a> {
    pub(super) timestamp: Option<Cow<'a, str>>,
    pub(super) payload: Payload<'a>,
}

/// What a line tells.
pub(super) enum Payload<'a> {
    Item(Box<Item<'a>>),
    Event(Box<Event<'a>>),
    TurnContext(TurnContext<'a>),
    Meta(Meta<'a>),
    Compacted(CompactedLine<'a>),
    /// A kind that is known and says nothing.
    Nothing,
    Unknown,
}

impl<'de: 'a, 'a> Deserialize<'de> for Line<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LineVisitor)
    }
}

/// Reads a line whose kind stands before its payload, as Codex writes them, in one pass.
struct LineVisitor;

impl<'de> Visitor<'de> for LineVisitor {
    type Value = Line<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a line of a rollout")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut timestamp, mut kind, mut payload, mut early) = (None, None::<Text<'de>>, None, None);
        while let Some(Text(key)) = map.next_key()? {
            match (&*key, &kind) {
                ("timestamp", _) => timestamp = map.next_value::<Option<Text<'de>>>()?,
                ("type", _) => kind = Some(map.next_value()?),
                ("payload", Some(Text(kind))) => payload = Some(map.next_value_seed(OfKind(kind))?),
                ("payload", None) => early = Some(map.next_value::<&'de RawValue>()?),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if let (Some(Text(kind)), Some(raw)) = (&kind, early) {
            let mut raw = serde_json::Deserializer::from_str(raw.get());
            payload = Some(OfKind(kind).deserialize(&mut raw).map_err(A::Error::custom)?);
        }
        let payload = payload.ok_or_else(|| A::Error::custom("a line without a kind and a payload"))?;
        Ok(Line { timestamp: timestamp.map(|Text(text)| text), payload })
    }
}

/// A text that is borrowed where it can be.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A payload of this kind.
struct OfKind<'k>(&'k str);

impl<'de> DeserializeSeed<'de> for OfKind<'_> {
    type Value = Payload<'de>;

    fn deserialize<D: Deserializer<'de>>(self, payload: D) -> Result<Self::Value, D::Error> {
        Ok(match self.0 {
            "response_item" => Payload::Item(Deserialize::deserialize(payload)?),
            "event_msg" => Payload::Event(Deserialize::deserialize(payload)?),
            "turn_context" => Payload::TurnContext(Deserialize::deserialize(payload)?),
            "session_meta" => Payload::Meta(Deserialize::deserialize(payload)?),
            "compacted" => Payload::Compacted(Deserialize::deserialize(payload)?),
            kind => {
                IgnoredAny::deserialize(payload)?;
                let known = matches!(kind, "world_state" | "token_usage_record");
                if known { Payload::Nothing } else { Payload::Unknown }
            }
        })
    }
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
    pub(super) content: Parts<Part<'a>>,
    #[serde(borrow, default)]
    pub(super) summary: Parts<Part<'a>>,
    #[serde(borrow, default)]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) input: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) call_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) output: Parts<Part<'a>>,
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
    pub(super) item: Option<Completed<'a>>,
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

/// A part of a content.
#[derive(Deserialize)]
pub(super) struct Part<'a> {
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
}

impl<'de: 'a, 'a> FromText<'de> for Part<'a> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Self { text: Some(text) }
    }
}

/// Takes the text of a content.
pub(super) fn text_of(parts: &mut Parts<Part<'_>>) -> String {
    if let [Part { text: Some(text) }] = &mut parts.0[..] {
        return std::mem::take(text).into_owned();
    }
    let texts: Vec<&str> = parts.0.iter().filter_map(|part| part.text.as_deref()).collect();
    texts.join("\n")
}
