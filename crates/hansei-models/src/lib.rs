//! Models of providers behind one small trait: which one is asked, with whose key, within which budget.
//!
//! A call is blocking and bounded: inside, a runtime of its own drives one request and is dropped when the deadline
//! passes, whatever the request is doing. There are no retries; the caller goes on without an answer. Whoever asks again
//! and again has a [`Talker`], which keeps its runtime and its connection.
//!
//! What never lives here: what a prompt means, a decision that follows from an answer, a key in a file or a message.

mod address;
mod advisor;
mod budget;
mod choice;
mod client;
mod fast_models;
mod key;
mod known_models;
mod provider;
mod talk;
mod webhook;

pub use advisor::ModelAdvisor;
pub use budget::Budget;
pub use client::{FreePrompt, ProviderModel};
pub use key::{KeyCommand, KeySource};
pub use provider::{BadModelName, ModelName, Provider};
pub use talk::{Heard, Limits, Talker};
pub use webhook::{post as post_json, post_as as post_json_as};

use hansei_core::verdict::advisor::Prompt;
use serde::{Deserialize, Serialize};

/// A model that can be asked.
pub trait Model {
    /// Asks, and comes back within the budget.
    fn ask(&self, prompt: &Prompt, budget: &Budget) -> Result<Reply, Unavailable>;
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Its words.
    pub text: String,
    /// What it took.
    pub usage: Usage,
    /// What that costs, where the price is known.
    pub cost_usd: Option<f64>,
    /// The model, by the provider's own account.
    pub model: String,
}

/// Tokens that a call took, as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

/// Why there is no answer. None of these carries a key, a request or what a server wrote.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// The time was up.
    #[error("no answer within {seconds} s")]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// Nobody listens there, or the way there is broken.
    #[error("{host} cannot be reached")]
    Unreachable {
        /// Where.
        host: String,
    },
    /// The provider answered with an error.
    #[error("{host} answered with status {status}{}", hint(*status))]
    Status {
        /// Who.
        host: String,
        /// The HTTP status.
        status: u16,
        /// In how many seconds it may be asked again, where the provider says so.
        again_in: Option<u64>,
    },
    /// The answer is not what this provider's answers are.
    #[error("{host} answered with something that is no answer of a model")]
    NotAnAnswer {
        /// Who.
        host: String,
    },
    /// The answer has no text.
    #[error("the model answered nothing")]
    Empty,
    /// It would have cost too much, or nobody knows how much.
    #[error("{0}")]
    Budget(String),
    /// There is no usable key.
    #[error("{0}")]
    Key(String),
    /// The settings cannot be used.
    #[error("{0}")]
    Settings(String),
    /// The user wants it to end.
    #[error("it was interrupted")]
    Interrupted,
}

fn hint(status: u16) -> &'static str {
    match status {
        401 | 403 => " (is the key right?)",
        404 => " (is the model's name right?)",
        429 => " (its limit is reached)",
        _ => "",
    }
}

impl From<Unavailable> for hansei_core::verdict::advisor::Unavailable {
    fn from(unavailable: Unavailable) -> Self {
        Self { reason: unavailable.to_string() }
    }
}
