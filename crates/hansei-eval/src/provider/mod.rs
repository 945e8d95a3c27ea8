//! Who answers a prompt. Models are handed in by the binary; what needs none is here.

mod echo;
mod exec;
mod name;

pub use echo::Echo;
pub use exec::Exec;
pub use name::ProviderName;

use serde_json::{Map, Value};

use crate::native::{self, Native};

/// Whoever answers a prompt.
pub trait Provider: Send + Sync {
    /// The name it was asked for by.
    fn name(&self) -> String;

    /// Whether it can be asked at all: a key is there, a program is installed. Nothing is sent.
    fn ready(&self) -> Result<(), ProviderError> {
        Ok(())
    }

    /// Its answer to a rendered prompt of a case with these vars.
    fn answer(&self, prompt: &str, vars: &Map<String, Value>) -> Result<Answer, ProviderError>;
}

/// What a provider answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// Its words.
    pub output: String,
    /// Tokens read and written, where it says so.
    pub tokens: Option<(u64, u64)>,
    /// What it cost, where that is known.
    pub cost_usd: Option<f64>,
}

impl Answer {
    /// An answer of which nothing is known but its words.
    pub fn of(output: String) -> Self {
        Self { output, ..Self::default() }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Something is missing here that every case would need: a key, a program.
    #[error("{0}")]
    Missing(String),
    /// This prompt got no answer.
    #[error("{0}")]
    Failed(String),
}

/// One of our own decisions.
impl Provider for Native {
    fn name(&self) -> String {
        ProviderName::Native(*self).to_string()
    }

    fn answer(&self, _: &str, vars: &Map<String, Value>) -> Result<Answer, ProviderError> {
        native::answer(*self, vars).map(Answer::of).map_err(ProviderError::Failed)
    }
}
