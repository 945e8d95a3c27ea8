//! What is known about models, as data: prices in US dollars per million tokens, and whether a model thinks before it
//! answers. Prices are those that providers published until November 2026, for prompts of ordinary length.

/// A known model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct KnownModel {
    name: &'static str,
    /// A million tokens read.
    input_usd: f64,
    /// A million tokens written.
    output_usd: f64,
    /// What a token read from the provider's cache costs, as a share of one read anew.
    cached_share: f64,
    /// Whether it thinks first, and is asked to think little.
    pub(crate) thinks: bool,
}

/// What a token costs that is written to the provider's cache, as a share of one read. Only Anthropic counts them.
const CACHE_WRITTEN_SHARE: f64 = 1.25;

const fn model(
    name: &'static str,
    input_usd: f64,
    output_usd: f64,
    cached_share: f64,
    thinks: bool,
) -> KnownModel {
    KnownModel { name, input_usd, output_usd, cached_share, thinks }
}

/// Tokens of a call, as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// All that were read.
    pub(crate) input: u64,
    /// All that were written.
    pub(crate) output: u64,
    /// Those read from the cache, among `input`.
    pub(crate) cached: u64,
    /// Those written to the cache, among `input`.
    pub(crate) cache_written: u64,
}

const KNOWN: &[KnownModel] = &[
    model("claude-opus-4-5", 5.00, 25.00, 0.1, false),
    model("claude-opus-4-1", 15.00, 75.00, 0.1, false),
    model("claude-sonnet-4-5", 3.00, 15.00, 0.1, false),
    model("claude-haiku-5-5", 0.10, 0.50, 0.1, true),
    model("claude-haiku-4-5", 1.00, 5.00, 0.1, false),
    model("claude-3-5-haiku", 0.80, 4.00, 0.1, false),
    model("gpt-5.4-mini", 0.75, 4.50, 0.1, true),
    model("gpt-5.1", 1.25, 10.00, 0.1, true),
    model("gpt-5", 1.25, 10.00, 0.1, true),
    model("gpt-5-codex", 1.25, 10.00, 0.1, true),
    model("gpt-5-mini", 0.25, 2.00, 0.1, true),
    model("gpt-4.1", 2.00, 8.00, 0.25, false),
    model("gpt-4.1-mini", 0.40, 1.60, 0.25, false),
    model("gpt-4.1-nano", 0.10, 0.40, 0.25, false),
    model("gpt-4o", 2.50, 10.00, 0.5, false),
    model("gpt-4o-mini", 0.15, 0.60, 0.5, false),
    model("gpt-3.5-turbo", 0.50, 1.50, 1.0, false),
    model("gemini-2.5-pro", 1.25, 10.00, 0.25, true),
    model("gemini-2.5-flash-lite", 0.10, 0.40, 0.25, false),
    model("gemini-2.5-flash", 0.30, 2.50, 0.25, false),
    model("gemini-2.0-flash", 0.10, 0.40, 0.25, false),
    model("gemini-1.5-flash", 0.075, 0.30, 0.25, false),
];

impl KnownModel {
    /// What `input` and `output` tokens cost.
    pub(crate) fn cost(&self, input: u64, output: u64) -> f64 {
        // Counts of tokens are far below the 2^53 that a float keeps exactly.
        #[allow(clippy::cast_precision_loss)]
        let (input, output) = (input as f64, output as f64);
        (input * self.input_usd + output * self.output_usd) / 1e6
    }

    /// What a call cost, with what the provider's cache saved.
    pub(crate) fn cost_with_cache(&self, tokens: &Tokens) -> f64 {
        let cached = tokens.cached.min(tokens.input);
        let written = tokens.cache_written.min(tokens.input - cached);
        let anew = tokens.input - cached - written;
        self.cost(anew, tokens.output)
            + self.cost(cached, 0) * self.cached_share
            + self.cost(written, 0) * CACHE_WRITTEN_SHARE
    }
}

/// The model of this name, also with a publisher before it (`openai/gpt-4o-mini`) or a date behind it.
pub(crate) fn known(name: &str) -> Option<&'static KnownModel> {
    let name = name.rsplit('/').next().unwrap_or(name);
    KNOWN.iter().find(|known| is_version_of(name, known.name))
}

/// Whether `name` is `base`, or `base` with a date or a `latest` behind it.
pub(crate) fn is_version_of(name: &str, base: &str) -> bool {
    let Some(rest) = name.strip_prefix(base) else { return false };
    let dated = |rest: &str| rest.len() >= 3 && rest.chars().all(|c| c.is_ascii_digit() || c == '-');
    rest.is_empty() || rest == "-latest" || rest.strip_prefix('-').is_some_and(dated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_found_by_every_name_of_a_model() {
        for (name, expected) in [
            ("gpt-4o-mini", Some("gpt-4o-mini")),
            ("gpt-4o-mini-2024-07-18", Some("gpt-4o-mini")),
            ("openai/gpt-4o-mini", Some("gpt-4o-mini")),
            ("claude-haiku-4-5-20251001", Some("claude-haiku-4-5")),
            ("claude-3-5-haiku-latest", Some("claude-3-5-haiku")),
            ("gemini-2.5-flash-lite", Some("gemini-2.5-flash-lite")),
            ("gpt-4o", Some("gpt-4o")),
            ("gpt-4o-2024-08-06", Some("gpt-4o")),
            ("claude-sonnet-4-5-20250929", Some("claude-sonnet-4-5")),
            ("claude-sonnet-4-6", None),
            ("gpt-9", None),
            ("gpt-4o-mini-audio", None),
            ("gemini-2.5-flash-image", None),
            ("smollm2", None),
        ] {
            assert_eq!(known(name).map(|known| known.name), expected, "{name}");
        }
        let haiku = known("claude-haiku-4-5").unwrap();
        assert!((haiku.cost(1_000_000, 200_000) - 2.0).abs() < 1e-9);
        let tokens = Tokens { input: 1_000_000, output: 200_000, cached: 900_000, cache_written: 40_000 };
        assert!((haiku.cost_with_cache(&tokens) - (0.06 + 0.09 + 0.05 + 1.0)).abs() < 1e-9);
        // A provider that counts more as cached than it read is not owed less than nothing.
        let tokens = Tokens { input: 10, cached: 900, cache_written: 900, ..Tokens::default() };
        assert!(haiku.cost_with_cache(&tokens) >= 0.0);
    }
}
