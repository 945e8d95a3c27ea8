//! A model as provider of an eval: whatever is sent to it is redacted first.

use std::time::Duration;

use hansei_eval::provider::{Answer, Provider, ProviderError};
use hansei_models::{Budget, FreePrompt, KeyCommand, KeySource, ModelName, ProviderModel, Unavailable};
use hansei_record::judge_settings::JudgeSettings;
use hansei_record::redact::redact;
use serde_json::{Map, Value};

/// The longest that a model may take to answer, unless the user's settings say otherwise.
const TIME: Duration = Duration::from_mins(1);
const MAX_TOKENS: u32 = 2048;

/// A model that is asked by an eval.
pub struct ModelProvider {
    name: String,
    model: ProviderModel,
    budget: Budget,
    temperature: Option<f64>,
}

impl ModelProvider {
    /// The model `name` (`provider/name`), asked as `config` of the eval file says. A file may say how to ask, but not
    /// where, and not with which key: it is somebody else's text.
    pub fn new(name: &str, config: &Value, settings: &JudgeSettings) -> Result<Self, String> {
        let model: ModelName = name.parse().map_err(|bad| format!("{bad}"))?;
        let of_same_provider =
            |named: &str| named.parse::<ModelName>().is_ok_and(|named| named.provider == model.provider);
        let own = settings.model.as_deref().is_some_and(of_same_provider);
        let key = match (&settings.key_env, &settings.key_command) {
            (Some(name), None) if own => KeySource::Variable(name.clone()),
            (None, Some(words)) if own => KeySource::Command(KeyCommand(words.clone())),
            _ => KeySource::UsualVariables,
        };
        let base_url = settings.base_url.clone().filter(|_| own);
        let mut provider = Self {
            name: name.to_owned(),
            model: ProviderModel { model, base_url, key, cache: None },
            budget: Budget {
                time: settings.timeout_seconds.map_or(TIME, Duration::from_secs),
                max_tokens: MAX_TOKENS,
                max_usd: settings.max_usd,
                ..Budget::default()
            },
            temperature: None,
        };
        provider.configure(config)?;
        Ok(provider)
    }

    fn configure(&mut self, config: &Value) -> Result<(), String> {
        let none = Map::new();
        let config = match config {
            Value::Null => &none,
            Value::Object(config) => config,
            _ => return Err("config is a map".to_owned()),
        };
        for (key, value) in config {
            match key.as_str() {
                "temperature" => {
                    self.temperature = Some(value.as_f64().ok_or("config.temperature is a number")?);
                }
                "max_tokens" | "maxTokens" | "max_completion_tokens" => {
                    let tokens = value.as_u64().and_then(|tokens| u32::try_from(tokens).ok());
                    self.budget.max_tokens = tokens.ok_or_else(|| format!("config.{key} is a number"))?;
                }
                _ => return Err(format!("config.{key} is not supported for a model")),
            }
        }
        Ok(())
    }
}

impl Provider for ModelProvider {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn ready(&self) -> Result<(), ProviderError> {
        self.model.ready().map_err(|unavailable| ProviderError::Missing(unavailable.to_string()))
    }

    fn answer(&self, prompt: &str, _: &Map<String, Value>) -> Result<Answer, ProviderError> {
        let mut prompt = chat(prompt).map_err(ProviderError::Failed)?;
        prompt.system = redact(&prompt.system).into_owned();
        prompt.user = redact(&prompt.user).into_owned();
        prompt.temperature = self.temperature;
        match self.model.answer(&prompt, &self.budget) {
            Ok(reply) => Ok(Answer {
                output: reply.text,
                tokens: Some((reply.usage.input_tokens, reply.usage.output_tokens)),
                cost_usd: reply.cost_usd,
            }),
            Err(missing @ Unavailable::Key(_)) => Err(ProviderError::Missing(missing.to_string())),
            Err(other) => Err(ProviderError::Failed(other.to_string())),
        }
    }
}

/// A prompt that is JSON is a list of messages; any other is what a user says.
fn chat(prompt: &str) -> Result<FreePrompt, String> {
    let messages: Vec<Value> = match serde_json::from_str(prompt) {
        Ok(Value::Array(messages)) if messages.iter().all(|message| message["role"].is_string()) => messages,
        _ => return Ok(FreePrompt { user: prompt.to_owned(), ..FreePrompt::default() }),
    };
    let mut chat = FreePrompt::default();
    for message in &messages {
        let text = message["content"].as_str().ok_or("only messages of text are sent to models")?;
        let part = match message["role"].as_str() {
            Some("system" | "developer") => &mut chat.system,
            Some("user") => &mut chat.user,
            _ => return Err("only messages of system and user are sent to models".to_owned()),
        };
        if !part.is_empty() {
            part.push_str("\n\n");
        }
        part.push_str(text);
    }
    Ok(chat)
}
