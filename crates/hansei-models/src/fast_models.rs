//! The fast models of each provider, the first that is offered being taken: data, the newest in front.

use crate::known_models::is_version_of;
use crate::provider::Provider;

const ANTHROPIC: &[&str] =
    &["claude-haiku-5-5", "claude-haiku-4-5", "claude-3-5-haiku-20241022", "claude-haiku-4"];
const OPENAI: &[&str] = &["gpt-5.4-mini", "gpt-4.1-mini", "gpt-4o-mini", "gpt-3.5-turbo"];
const GEMINI: &[&str] = &[
    "gemini-3.5-flash-lite", "gemini-2.5-flash-lite", "gemini-2.5-flash", "gemini-2.0-flash",
    "gemini-1.5-flash",
];
const GITHUB: &[&str] = &[
    "openai/gpt-4.1-mini",
    "openai/gpt-4o-mini",
    "anthropic/claude-haiku-4.5",
    "claude-haiku-4.5",
    "gpt-4o-mini",
];

/// The fast models of a provider. A server of the user's own has none: there, whatever it serves is taken.
pub(crate) fn of(provider: Provider) -> &'static [&'static str] {
    match provider {
        Provider::Anthropic => ANTHROPIC,
        Provider::OpenAi => OPENAI,
        Provider::Gemini => GEMINI,
        Provider::GitHub => GITHUB,
        Provider::Ollama | Provider::Compatible => &[],
    }
}

/// The model to take of those that are `offered`.
pub(crate) fn choose(provider: Provider, offered: &[String]) -> Option<&str> {
    let fast = of(provider);
    if fast.is_empty() {
        return offered.first().map(String::as_str);
    }
    let best = |base: &&str| offered.iter().find(|name| is_version_of(name, base));
    fast.iter().find_map(best).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_fast_model_that_is_offered_is_taken() {
        for (provider, offered, expected) in [
            (Provider::Anthropic, &["claude-opus-5-5", "claude-haiku-5-5"][..], Some("claude-haiku-5-5")),
            (
                Provider::Anthropic,
                &["claude-3-5-haiku-20241022", "claude-haiku-4-5-20251001"],
                Some("claude-haiku-4-5-20251001"),
            ),
            (Provider::OpenAi, &["gpt-6", "gpt-3.5-turbo", "gpt-4o-mini"], Some("gpt-4o-mini")),
            (Provider::Gemini, &["gemini-2.5-pro", "gemini-2.0-flash"], Some("gemini-2.0-flash")),
            (Provider::GitHub, &["openai/gpt-4o-mini", "meta/llama"], Some("openai/gpt-4o-mini")),
            (Provider::Compatible, &["my-model", "other"], Some("my-model")),
            (Provider::Anthropic, &["claude-opus-5-5"], None),
            (Provider::Ollama, &[], None),
        ] {
            let offered: Vec<String> = offered.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(choose(provider, &offered), expected, "{offered:?}");
        }
    }
}
