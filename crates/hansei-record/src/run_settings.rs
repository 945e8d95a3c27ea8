//! Settings of runs, which stand only in the user's own file: they name a host, run a program and spend money.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a run is where no flag says otherwise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// The model, as `provider/name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Where it answers, instead of at the provider's own address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The variable that holds the key, instead of the provider's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// The program, and its arguments, that prints the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_command: Option<Vec<String>>,
    /// The quotas of the phases, or the name of a preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// The most reflections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_reflections: Option<u32>,
    /// How often a failed check is told before it is reflected upon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_reinjections: Option<u32>,
    /// How often somebody with a clean context looks at what is in the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_unblocks: Option<u32>,
    /// The most tokens of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The most tokens of one answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_answer_tokens: Option<u32>,
    /// The most US dollars of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_usd: Option<f64>,
    /// The most minutes of work of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_minutes: Option<u64>,
    /// The most minutes that another agent works on one prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_minutes: Option<u64>,
    /// The minutes that a person has for a review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_minutes: Option<u32>,
    /// Whether a provider's limit is waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_for_limit: Option<bool>,
    /// Where traces are sent, in OTLP over HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otlp_endpoint: Option<String>,
}

impl RunSettings {
    /// Each key with its value, where it is set. What may hold a login is shown without it.
    pub fn rows(&self) -> Vec<(&'static str, Option<Value>)> {
        let program = |words: &Vec<String>| words.first().cloned().unwrap_or_default();
        let host = |url: &String| crate::judge_settings::without_login(url);
        vec![
            ("model", self.model.as_ref().map(|value| json!(value))),
            ("base_url", self.base_url.as_ref().map(|url| json!(host(url)))),
            ("key_env", self.key_env.as_ref().map(|value| json!(value))),
            ("key_command", self.key_command.as_ref().map(|words| json!([program(words), "…"]))),
            ("budget", self.budget.as_ref().map(|value| json!(value))),
            ("max_reflections", self.max_reflections.map(|value| json!(value))),
            ("max_reinjections", self.max_reinjections.map(|value| json!(value))),
            ("max_unblocks", self.max_unblocks.map(|value| json!(value))),
            ("max_tokens", self.max_tokens.map(|value| json!(value))),
            ("max_answer_tokens", self.max_answer_tokens.map(|value| json!(value))),
            ("max_usd", self.max_usd.map(|value| json!(value))),
            ("max_minutes", self.max_minutes.map(|value| json!(value))),
            ("agent_minutes", self.agent_minutes.map(|value| json!(value))),
            ("review_minutes", self.review_minutes.map(|value| json!(value))),
            ("wait_for_limit", self.wait_for_limit.map(|value| json!(value))),
            ("otlp_endpoint", self.otlp_endpoint.as_ref().map(|url| json!(host(url)))),
        ]
    }
}
