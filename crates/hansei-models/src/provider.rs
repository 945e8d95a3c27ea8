//! Who offers models, and how a model is named: `provider/name`, or a provider alone for its fast model.

use genai::adapter::AdapterKind;

/// Who offers models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Anthropic.
    Anthropic,
    /// OpenAI.
    OpenAi,
    /// Google's Gemini API.
    Gemini,
    /// GitHub Models.
    GitHub,
    /// Ollama on this machine.
    Ollama,
    /// Any other server that speaks `OpenAI`'s chat completions: llama.cpp, vLLM, a gateway.
    Compatible,
}

/// What is fixed about a provider.
struct Profile {
    provider: Provider,
    /// The names it goes by; the first is its own.
    names: &'static [&'static str],
    /// Where it answers, unless the user says otherwise.
    base_url: Option<&'static str>,
    /// What follows the host where the user names only that.
    path: &'static str,
    /// The variables that its users keep the key in.
    key_variables: &'static [&'static str],
}

const PROFILES: &[Profile] = &[
    Profile {
        provider: Provider::Anthropic,
        names: &["anthropic"],
        base_url: Some("https://api.anthropic.com/v1/"),
        path: "v1/",
        key_variables: &["ANTHROPIC_API_KEY"],
    },
    Profile {
        provider: Provider::OpenAi,
        names: &["openai"],
        base_url: Some("https://api.openai.com/v1/"),
        path: "v1/",
        key_variables: &["OPENAI_API_KEY"],
    },
    Profile {
        provider: Provider::Gemini,
        names: &["gemini", "google"],
        base_url: Some("https://generativelanguage.googleapis.com/v1beta/"),
        path: "v1beta/",
        key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    },
    Profile {
        provider: Provider::GitHub,
        names: &["github", "github-models", "github-copilot"],
        base_url: Some("https://models.github.ai/inference/"),
        path: "inference/",
        key_variables: &["GITHUB_TOKEN"],
    },
    Profile {
        provider: Provider::Ollama,
        names: &["ollama"],
        base_url: Some("http://127.0.0.1:11434/v1/"),
        path: "v1/",
        key_variables: &[],
    },
    Profile {
        provider: Provider::Compatible,
        names: &["compatible", "openai-compatible", "llama.cpp", "vllm"],
        base_url: None,
        path: "v1/",
        key_variables: &[],
    },
];

impl Provider {
    fn profile(self) -> &'static Profile {
        // Every provider has its row; the first stands in so that this cannot fail.
        PROFILES.iter().find(|profile| profile.provider == self).unwrap_or(&PROFILES[0])
    }

    /// Its own name.
    pub fn name(self) -> &'static str {
        self.profile().names[0]
    }

    /// Where it answers, unless the user says otherwise.
    pub fn base_url(self) -> Option<&'static str> {
        self.profile().base_url
    }

    /// What follows the host where the user names only that.
    pub(crate) fn path(self) -> &'static str {
        self.profile().path
    }

    /// The variables that its users keep the key in.
    pub fn key_variables(self) -> &'static [&'static str] {
        self.profile().key_variables
    }

    /// The wire format in which `model` is asked.
    pub(crate) fn wire(self, model: &str) -> AdapterKind {
        match self {
            Self::Anthropic => AdapterKind::Anthropic,
            Self::Gemini => AdapterKind::Gemini,
            Self::GitHub => AdapterKind::GithubCopilot,
            Self::Ollama | Self::Compatible => AdapterKind::OpenAI,
            Self::OpenAi => match AdapterKind::from_model(model) {
                Ok(AdapterKind::OpenAIResp) => AdapterKind::OpenAIResp,
                _ => AdapterKind::OpenAI,
            },
        }
    }
}

/// A model as settings name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    /// Who offers it.
    pub provider: Provider,
    /// Its name there; without one, the provider's fast model is chosen.
    pub name: Option<String>,
}

/// Text that names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{given:?} names no model; write provider/name, such as anthropic/claude-haiku-4-5, with one of {}",
    names()
)]
pub struct BadModelName {
    given: String,
}

fn names() -> String {
    PROFILES.iter().map(|profile| profile.names[0]).collect::<Vec<_>>().join(", ")
}

impl std::str::FromStr for ModelName {
    type Err = BadModelName;

    fn from_str(given: &str) -> Result<Self, BadModelName> {
        let bad = || BadModelName { given: given.to_owned() };
        let (provider, name) = match given.split_once('/') {
            Some((provider, name)) => (provider, Some(name)),
            None => (given, None),
        };
        let profile = PROFILES.iter().find(|profile| profile.names.contains(&provider)).ok_or_else(bad)?;
        let usable = |name: &str| {
            // `::` would lead the library to another provider.
            !name.is_empty() && !name.contains("::") && name.chars().all(|c| c.is_ascii_graphic())
        };
        if name.is_some_and(|name| !usable(name)) {
            return Err(bad());
        }
        Ok(Self { provider: profile.provider, name: name.map(ToOwned::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_are_read() {
        let model = |provider, name: Option<&str>| ModelName { provider, name: name.map(ToOwned::to_owned) };
        for (given, expected) in [
            ("anthropic/claude-haiku-4-5", model(Provider::Anthropic, Some("claude-haiku-4-5"))),
            ("anthropic", model(Provider::Anthropic, None)),
            ("google/gemini-2.5-flash", model(Provider::Gemini, Some("gemini-2.5-flash"))),
            ("github/openai/gpt-4o-mini", model(Provider::GitHub, Some("openai/gpt-4o-mini"))),
            ("github-copilot", model(Provider::GitHub, None)),
            ("ollama/qwen3:0.6b", model(Provider::Ollama, Some("qwen3:0.6b"))),
            ("openai-compatible/org/model", model(Provider::Compatible, Some("org/model"))),
        ] {
            assert_eq!(given.parse().as_ref(), Ok(&expected), "{given}");
        }
        for bad in ["", "claude-haiku-4-5", "anthropic/", "openai/a b", "openai/vertex::x", "OpenAI/x\n"] {
            let message = bad.parse::<ModelName>().unwrap_err().to_string();
            assert!(message.contains("provider/name"), "{message}");
        }
    }

    #[test]
    fn each_provider_is_asked_in_its_own_format() {
        for (provider, model, wire) in [
            (Provider::Anthropic, "claude-haiku-4-5", AdapterKind::Anthropic),
            (Provider::OpenAi, "gpt-4o-mini", AdapterKind::OpenAI),
            (Provider::OpenAi, "gpt-5.4-mini", AdapterKind::OpenAIResp),
            (Provider::Compatible, "gpt-5.4-mini", AdapterKind::OpenAI),
            (Provider::Ollama, "llama", AdapterKind::OpenAI),
            (Provider::Gemini, "gemini-2.5-flash", AdapterKind::Gemini),
            (Provider::GitHub, "openai/gpt-4o-mini", AdapterKind::GithubCopilot),
        ] {
            assert_eq!(provider.wire(model), wire, "{model}");
        }
    }
}
