//! The rows of OpenCode's database, as far as they are read: each holds a JSON object.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A message.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) role: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) agent: Option<Cow<'a, str>>,
    #[serde(rename = "modelID", borrow, default)]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) path: Option<Folder<'a>>,
    /// `true` for a compaction's summary; an object on a human's message.
    #[serde(borrow, default)]
    pub(super) summary: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<Failure<'a>>,
    #[serde(borrow, default)]
    pub(super) finish: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) time: Times,
    #[serde(default)]
    pub(super) tokens: Tokens,
    #[serde(default)]
    pub(super) cost: f64,
}

#[derive(Deserialize)]
pub(super) struct Folder<'a> {
    #[serde(borrow, default)]
    pub(super) cwd: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
pub(super) struct Failure<'a> {
    #[serde(borrow, default)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) data: Option<FailureData<'a>>,
}

#[derive(Deserialize)]
pub(super) struct FailureData<'a> {
    #[serde(borrow, default)]
    pub(super) message: Option<Cow<'a, str>>,
}

/// Milliseconds since 1970.
#[derive(Deserialize, Default)]
pub(super) struct Times {
    #[serde(default)]
    pub(super) created: Option<i64>,
    #[serde(default)]
    pub(super) completed: Option<i64>,
    #[serde(default)]
    pub(super) start: Option<i64>,
    #[serde(default)]
    pub(super) end: Option<i64>,
}

#[derive(Deserialize, Default)]
pub(super) struct Tokens {
    #[serde(default)]
    pub(super) input: u64,
    #[serde(default)]
    pub(super) output: u64,
    #[serde(default)]
    pub(super) reasoning: u64,
    #[serde(default)]
    pub(super) cache: Cache,
}

#[derive(Deserialize, Default)]
pub(super) struct Cache {
    #[serde(default)]
    pub(super) read: u64,
    #[serde(default)]
    pub(super) write: u64,
}

/// A part of a message.
#[derive(Deserialize)]
pub(super) struct Part<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) text: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) synthetic: bool,
    #[serde(default)]
    pub(super) ignored: bool,
    #[serde(default)]
    pub(super) metadata: Option<PartMetadata>,
    #[serde(borrow, default)]
    pub(super) tool: Option<Cow<'a, str>>,
    #[serde(rename = "callID", borrow, default)]
    pub(super) call: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) state: Option<State<'a>>,
    #[serde(default)]
    pub(super) time: Times,
    #[serde(borrow, default)]
    pub(super) prompt: Option<Cow<'a, str>>,
}

impl Part<'_> {
    /// The session of the sub-agent that a call started.
    pub(super) fn sub_session(&self) -> Option<&str> {
        self.state.as_ref()?.metadata.as_ref()?.session.as_deref()
    }
}

#[derive(Deserialize)]
pub(super) struct PartMetadata {
    #[serde(default)]
    pub(super) compaction_continue: bool,
}

/// How far a tool call is.
#[derive(Deserialize)]
pub(super) struct State<'a> {
    #[serde(borrow)]
    pub(super) status: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) output: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) error: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) metadata: Option<ToolMetadata>,
    #[serde(default)]
    pub(super) time: Times,
}

#[derive(Deserialize)]
pub(super) struct ToolMetadata {
    #[serde(default)]
    pub(super) exit: Option<i32>,
    /// The session of the sub-agent that a task was given to.
    #[serde(rename = "sessionId", default)]
    pub(super) session: Option<String>,
}
