//! How a provider is named: ours, `echo`, `exec:`, or a model as `provider/name` or as promptfoo writes it.

use std::fmt;

use crate::native::Native;

/// Who is to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderName {
    /// One of our own decisions.
    Native(Native),
    /// The prompt itself.
    Echo,
    /// A program, with its first arguments.
    Exec(String),
    /// A model, as `provider/name`.
    Model(String),
}

const NATIVES: &[(&str, Native)] = &[
    ("hansei", Native::Any),
    ("hansei:judge", Native::Judge),
    ("hansei:stuck", Native::Stuck),
    ("hansei:nudge", Native::Nudge),
    ("hansei:agent", Native::Agent),
];

/// How promptfoo writes models, and the provider each belongs to.
const MODELS: &[(&str, &str)] = &[
    ("openai:chat:", "openai"),
    ("openai:responses:", "openai"),
    ("openai:", "openai"),
    ("anthropic:messages:", "anthropic"),
    ("anthropic:", "anthropic"),
    ("google:", "google"),
    ("ollama:chat:", "ollama"),
    ("ollama:", "ollama"),
    ("github:", "github"),
];

/// Kinds of a provider that are not a chat with a model.
const NOT_CHAT: &[&str] = &[
    "completion", "embedding", "embeddings", "moderation", "image", "realtime", "transcription", "assistant",
    "live", "batch", "video", "agents",
];

impl std::str::FromStr for ProviderName {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let given = given.trim();
        if let Some((_, native)) = NATIVES.iter().find(|(name, _)| *name == given) {
            return Ok(Self::Native(*native));
        }
        if given.starts_with("hansei:") {
            let known: Vec<&str> = NATIVES.iter().map(|(name, _)| *name).collect();
            return Err(format!("there is no provider {given:?}; ours are {}", known.join(", ")));
        }
        if given == "echo" {
            return Ok(Self::Echo);
        }
        if let Some(command) = given.strip_prefix("exec:") {
            return Ok(Self::Exec(command.trim().to_owned()));
        }
        if let Some((prefix, provider)) = MODELS.iter().find(|(prefix, _)| given.starts_with(prefix)) {
            let model = &given[prefix.len()..];
            let kind = model.split(':').next().unwrap_or_default();
            if model.is_empty() || NOT_CHAT.contains(&kind) {
                return Err(format!("the provider {given:?} is not supported"));
            }
            return Ok(Self::Model(format!("{provider}/{model}")));
        }
        if given.contains('/') && !given.contains("://") && !given.starts_with(['/', '.']) {
            return Ok(Self::Model(given.to_owned()));
        }
        Err(format!(
            "the provider {given:?} is not supported; use hansei, hansei:judge, hansei:stuck, hansei:nudge, hansei:agent, \
             echo, exec:COMMAND, or a model as provider/name"
        ))
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Native(native) => {
                f.write_str(NATIVES.iter().find(|(_, one)| one == native).map_or("hansei", |(name, _)| name))
            }
            Self::Echo => f.write_str("echo"),
            Self::Exec(command) => write!(f, "exec:{command}"),
            Self::Model(model) => f.write_str(model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let model = |name: &str| ProviderName::Model(name.to_owned());
        for (given, name) in [
            ("hansei", ProviderName::Native(Native::Any)),
            ("hansei:judge", ProviderName::Native(Native::Judge)),
            ("echo", ProviderName::Echo),
            ("exec:node a.js", ProviderName::Exec("node a.js".to_owned())),
            ("openai:gpt-4o-mini", model("openai/gpt-4o-mini")),
            ("openai:chat:gpt-4o-mini", model("openai/gpt-4o-mini")),
            ("anthropic:messages:claude-haiku-4-5", model("anthropic/claude-haiku-4-5")),
            ("google:gemini-2.5-flash", model("google/gemini-2.5-flash")),
            ("ollama:chat:qwen3:0.6b", model("ollama/qwen3:0.6b")),
            ("anthropic/claude-haiku-4-5", model("anthropic/claude-haiku-4-5")),
        ] {
            assert_eq!(given.parse::<ProviderName>(), Ok(name), "{given}");
        }
        for bad in [
            "hansei:other", "file://provider.js", "python:x.py", "openai:embedding:x", "openai:",
            "https://x/y", "./a.js",
        ] {
            let error = bad.parse::<ProviderName>().unwrap_err();
            assert!(error.contains(bad), "{error}");
        }
    }
}
