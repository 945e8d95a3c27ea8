//! What a model is told and what it answers, in one form for all providers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One question to a model: everything it is told.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    /// Who it is and what holds throughout.
    pub system: String,
    /// What was said so far, the oldest first.
    pub messages: Vec<Message>,
    /// The tools that it may call.
    pub tools: Vec<ToolOffer>,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// By whoever asks.
    User {
        /// The words.
        text: String,
    },
    /// By the model.
    Assistant {
        /// Its words; may be empty where it only calls tools.
        text: String,
        /// The tools it called, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
        /// Marks of the provider on its thoughts, which it wants to see again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        signatures: Vec<String>,
    },
    /// What a tool came to.
    ToolResult {
        /// The call's id.
        call: String,
        /// What came of it.
        text: String,
        /// Whether it failed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id of it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it was given: an object, or whatever else the model wrote.
    pub input: Value,
}

/// A tool, as a model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOffer {
    /// What it is called by.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its input.
    pub schema: Value,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Its words.
    pub text: String,
    /// The tools it calls; none where these are its last words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// Marks of the provider on its thoughts, which it wants to see again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<String>,
    /// Whether it was cut off for its length.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut_off: bool,
    /// What it took.
    pub spent: Spent,
}

/// What a call of a model took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What that costs, where the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
}

impl Spent {
    /// Adds what another call took.
    pub fn add(&mut self, more: &Self) {
        self.input_tokens = self.input_tokens.saturating_add(more.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(more.output_tokens);
        if let Some(usd) = more.usd {
            self.usd = Some(self.usd.unwrap_or_default() + usd);
        }
    }
}

/// Why a model gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NoAnswer {
    /// For now: the way is broken, the server is overloaded, the time was up. Asking again may help.
    Outage {
        /// What happened.
        reason: String,
    },
    /// What was paid for is used up, or too much was asked in too short a time.
    UsageLimit {
        /// What happened.
        reason: String,
        /// In how many seconds it may be asked again, where the provider says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again_in: Option<u64>,
    },
    /// For good: a wrong key, an unknown model, a request that it does not take, a limit of ours. Asking again is no use.
    Refused {
        /// What happened.
        reason: String,
    },
    /// The user wants it to end.
    Interrupted,
}
