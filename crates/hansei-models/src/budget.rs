//! What a question may take: seconds, tokens, money.

use std::time::Duration;

use hansei_core::verdict::advisor::Prompt;

use crate::Unavailable;
use crate::known_models::known;

/// The most that one question may cost unless the user says otherwise.
pub(crate) const USUAL_USD: f64 = 0.05;

/// What one question may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// From the first byte sent, or the key's command started, to the last byte read.
    pub time: Duration,
    /// The most tokens of an answer.
    pub max_tokens: u32,
    /// The most money. None is the usual limit, which cannot be kept for a model whose price nobody knows: then tokens
    /// and seconds are the limit. A limit that the user set is kept or the model is not asked.
    pub max_usd: Option<f64>,
    /// The usual limit.
    pub usual_usd: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), max_tokens: 1024, max_usd: None, usual_usd: USUAL_USD }
    }
}

/// Refuses a question that could cost more than it may. `free` is a server on this machine.
pub(crate) fn check(model: &str, free: bool, prompt: &Prompt, budget: &Budget) -> Result<(), Unavailable> {
    if free {
        return Ok(());
    }
    match (known(model), budget.max_usd) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(Unavailable::Budget(format!(
            "the price of {model} is not known, so max_usd cannot be kept; name another model, or remove max_usd and rely on max_tokens"
        ))),
        (Some(known), limit) => {
            let limit = limit.unwrap_or(budget.usual_usd);
            let most = known.cost(most_tokens(prompt), u64::from(budget.max_tokens));
            if most > limit {
                return Err(Unavailable::Budget(format!(
                    "asking {model} could cost ${most:.4}, more than max_usd = {limit}"
                )));
            }
            Ok(())
        }
    }
}

/// More tokens than the prompt has: texts have three bytes a token or more.
fn most_tokens(prompt: &Prompt) -> u64 {
    let schema = prompt.json_schema.to_string().len();
    ((prompt.system.len() + prompt.user.len() + schema) / 3) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_limited_before_it_is_spent() {
        let prompt =
            Prompt { system: "x".repeat(3000), user: String::new(), json_schema: serde_json::Value::Null };
        let with = |max_usd| Budget { max_usd, ..Budget::default() };
        for (model, free, max_usd, refused) in [
            ("claude-haiku-4-5", false, None, None),
            ("claude-haiku-4-5", false, Some(0.01), None),
            ("claude-haiku-4-5", false, Some(0.001), Some("could cost $0.0061")),
            ("claude-haiku-4-5", false, Some(0.0), Some("could cost")),
            ("some-new-model", false, None, None),
            ("some-new-model", false, Some(1.0), Some("price of some-new-model is not known")),
            ("some-new-model", true, Some(0.0), None),
        ] {
            let message = check(model, free, &prompt, &with(max_usd)).err().map(|error| error.to_string());
            match refused {
                None => assert_eq!(message, None, "{model}"),
                Some(part) => assert!(message.as_deref().is_some_and(|m| m.contains(part)), "{message:?}"),
            }
        }
        let dear = Prompt { user: "x".repeat(300_000), ..prompt };
        assert!(check("claude-haiku-4-5", false, &dear, &with(None)).is_err(), "the usual limit holds too");
    }
}
