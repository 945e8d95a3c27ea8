//! The provider that answers with the prompt.

use serde_json::{Map, Value};

use super::{Answer, Provider, ProviderError};

/// Answers with the prompt.
#[derive(Debug, Clone, Copy)]
pub struct Echo;

impl Provider for Echo {
    fn name(&self) -> String {
        "echo".to_owned()
    }

    fn answer(&self, prompt: &str, _: &Map<String, Value>) -> Result<Answer, ProviderError> {
        Ok(Answer::of(prompt.to_owned()))
    }
}
