//! Every provider against the scripted model, over the real wire formats, and against servers that misbehave.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod advice;
mod asking;
mod misbehaving;
mod talk_breaks;
mod talk_requests;
mod talk_streams;
mod talking;

use std::time::Duration;

use hansei_core::verdict::advisor::Prompt;
use hansei_model_server::{ModelServer, Options};
use hansei_models::{Budget, KeyCommand, KeySource, ProviderModel};
use serde_json::json;

/// A key that must turn up nowhere.
const KEY: &str = "sk-fake-key-that-must-not-leak";

/// A model of each wire format, with the path that it is asked at.
const MODELS: [(&str, &str); 7] = [
    ("anthropic/claude-haiku-4-5", "/v1/messages"),
    ("openai/gpt-4o-mini", "/v1/chat/completions"),
    ("openai/gpt-5.4-mini", "/v1/responses"),
    ("gemini/gemini-2.5-flash", "/v1beta/models/gemini-2.5-flash:generateContent"),
    ("github/openai/gpt-4o-mini", "/inference/chat/completions"),
    ("ollama/qwen3:0.6b", "/v1/chat/completions"),
    ("compatible/org/model", "/v1/chat/completions"),
];

fn serving(script: &str) -> ModelServer {
    ModelServer::start(script.parse().unwrap(), Options::default()).unwrap()
}

fn saying(text: &str) -> ModelServer {
    serving(&format!("steps:\n  - text: {}\n    usage: {{ input: 1000, output: 200 }}\n", json!(text)))
}

fn model(name: &str, url: &str) -> ProviderModel {
    let key = KeySource::Command(KeyCommand(vec!["echo".to_owned(), KEY.to_owned()]));
    ProviderModel { model: name.parse().unwrap(), base_url: Some(url.to_owned()), key, cache: None }
}

fn prompt() -> Prompt {
    Prompt {
        system: "You judge.".to_owned(),
        user: "Is it done?".to_owned(),
        json_schema: json!({
            "type": "object",
            "properties": { "complete": { "type": "boolean" } },
            "required": ["complete"],
            "additionalProperties": false,
        }),
    }
}

/// The same models, by name.
fn names() -> impl Iterator<Item = &'static str> {
    MODELS.into_iter().map(|(name, _)| name)
}

/// Long enough for a busy machine; only what hangs is given less.
fn patient() -> Budget {
    Budget { time: Duration::from_mins(1), ..Budget::default() }
}
