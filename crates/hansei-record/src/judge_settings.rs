//! Settings of the judge's model, which stand only in the user's own file: they name a host, run a program and spend
//! money, and a repository may do none of these.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::{Value, json};

const LONGEST_TIMEOUT: u64 = 120;
const MOST_TOKENS: u32 = 100_000;

/// The model that is asked where evidence leaves a stop open. Without `model`, none is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeSettings {
    /// The model, as `provider/name`; a provider alone is its fast model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Where it answers, instead of at the provider's own address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The variable that holds the key, instead of the provider's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// The program, and its arguments, that prints the key. There is no shell unless it is named here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_command: Option<Vec<String>>,
    /// The most seconds that a stop is delayed by it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "timeout")]
    pub timeout_seconds: Option<u64>,
    /// The most tokens of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "tokens")]
    pub max_tokens: Option<u32>,
    /// The most US dollars that one question may cost.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "money")]
    pub max_usd: Option<f64>,
}

impl JudgeSettings {
    /// Each key with its value, where it is set. A key of a provider is not among them: it stands in no file.
    pub fn rows(&self) -> Vec<(&'static str, Option<Value>)> {
        vec![
            ("model", self.model.as_ref().map(|value| json!(value))),
            ("base_url", self.base_url.as_deref().map(|value| json!(without_login(value)))),
            ("key_env", self.key_env.as_ref().map(|value| json!(value))),
            // Its arguments are the user's own business and could hold anything.
            ("key_command", self.key_command.as_ref().map(|words| json!(program_only(words)))),
            ("timeout_seconds", self.timeout_seconds.map(|value| json!(value))),
            ("max_tokens", self.max_tokens.map(|value| json!(value))),
            ("max_usd", self.max_usd.map(|value| json!(value))),
        ]
    }

    /// The keys that are set.
    pub fn keys(&self) -> Vec<&'static str> {
        self.rows().into_iter().filter(|(_, value)| value.is_some()).map(|(key, _)| key).collect()
    }
}

fn program_only(words: &[String]) -> Vec<&str> {
    match words {
        [] => Vec::new(),
        [program] => vec![program],
        [program, ..] => vec![program, "…"],
    }
}

/// An address without what stands before an `@` or behind a `?`. Such an address is refused when it is used; it must
/// not be shown before.
pub(crate) fn without_login(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
        (None, Some((_, host))) => format!("…@{host}"),
        _ => url.to_owned(),
    }
}

fn timeout<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let seconds = u64::deserialize(deserializer)?;
    if (1..=LONGEST_TIMEOUT).contains(&seconds) {
        return Ok(Some(seconds));
    }
    Err(D::Error::custom(format!("{seconds} is not a number of seconds from 1 to {LONGEST_TIMEOUT}")))
}

fn tokens<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let tokens = u32::deserialize(deserializer)?;
    if (1..=MOST_TOKENS).contains(&tokens) {
        return Ok(Some(tokens));
    }
    Err(D::Error::custom(format!("{tokens} is not a number of tokens from 1 to {MOST_TOKENS}")))
}

fn money<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let usd = f64::deserialize(deserializer)?;
    if usd.is_finite() && usd >= 0.0 {
        return Ok(Some(usd));
    }
    Err(D::Error::custom(format!("{usd} is not an amount of money")))
}
