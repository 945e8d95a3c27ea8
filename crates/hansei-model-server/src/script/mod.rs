//! The script: what the model says, turn by turn.

mod written;

use serde::Deserialize;
use serde_json::{Map, Value};

/// What the model says.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// The model's name in answers; without it, the name that was asked for.
    pub model: Option<String>,
    /// The answer to requests that offer no tools: titles and summaries that agents ask for on the side.
    pub aside: Option<String>,
    /// The answers to the conversation, by the number of turns the assistant has had.
    pub steps: Vec<Step>,
    /// Answers that go before the steps; the first that matches wins.
    pub rules: Vec<Rule>,
    /// What follows the last step.
    pub after_last: AfterLast,
}

/// What follows the last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterLast {
    /// The text of the last step, without its tools, so that the agent ends its turn.
    #[default]
    Text,
    /// The last step again, with its tools.
    Repeat,
}

/// An answer with the condition under which it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What the request must look like.
    pub when: When,
    /// What is answered then.
    pub step: Step,
}

/// What a request must look like; everything that is said must hold, and texts match anywhere in theirs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct When {
    /// In what the user said since the assistant's last turn.
    pub last_user: Option<String>,
    /// In the tool results since the assistant's last turn.
    pub tool_result: Option<String>,
    /// In the system prompt.
    pub system: Option<String>,
    /// In the request as it came.
    pub body: Option<String>,
    /// Whether the request offers no tools.
    pub no_tools: Option<bool>,
    /// How many turns the assistant has had.
    pub turn: Option<usize>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// How long the model thinks.
    pub delay_ms: u64,
    /// What it answers.
    pub says: Says,
}

/// What an answer is.
#[derive(Debug, Clone, PartialEq)]
pub enum Says {
    /// A turn of the assistant.
    Turn {
        /// What the turn consists of, in order.
        content: Vec<Block>,
        /// The tokens it claims to have cost.
        usage: Usage,
        /// How it ends.
        ends: Ends,
    },
    /// An error in place of a turn.
    Error(ErrorAnswer),
}

/// A part of a turn.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// What the model thinks, in the formats that show it.
    Thinking(String),
    /// What the model says.
    Text(String),
    /// A tool that it calls.
    Tool(ToolCall),
}

/// A call of a tool, by its own name or a portable one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// A portable name such as `shell`, or the agent's own.
    pub name: String,
    /// What it is called with.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// What the model writes instead of an input, whatever it is: models write broken JSON too.
    pub arguments: Option<String>,
}

/// How a turn ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ends {
    /// What the model says that it ended for.
    pub stop: Stop,
    /// Where the connection fails, if it does.
    pub breaks: Option<Break>,
}

/// What a model says that a turn ended for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was said, or the tools are called.
    #[default]
    Done,
    /// It became too long.
    Length,
}

/// How a connection fails within an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// It is cut after so many events.
    Cut(usize),
    /// Nothing follows so many events.
    Stall(usize),
}

/// The tokens that a turn claims to have cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Usage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self { input: 100, output: 20 }
    }
}

/// An error in the provider's own shape.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorAnswer {
    /// The HTTP status.
    pub status: u16,
    /// What went wrong.
    #[serde(default)]
    pub message: String,
    /// The provider's name for this error, where the status does not say it.
    pub kind: Option<String>,
    /// A body that is sent as it is instead.
    pub body: Option<Value>,
    /// The `retry-after` header, in seconds.
    pub retry_after: Option<u64>,
    /// How often it is given before the next step takes its place [default: 1; as the last step: always].
    pub times: Option<u32>,
}

/// A script that cannot be used, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ScriptError {
    /// The line, from 1; 0 when it is not known.
    pub line: u64,
    /// What is wrong there.
    pub message: String,
}
