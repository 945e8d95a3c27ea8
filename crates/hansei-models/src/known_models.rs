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
    /// Whether it thinks first, and is asked to think little.
    pub(crate) thinks: bool,
}

const fn model(name: &'static str, input_usd: f64, output_usd: f64, thinks: bool) -> KnownModel {
    KnownModel { name, input_usd, output_usd, thinks }
}

const KNOWN: &[KnownModel] = &[
    model("claude-haiku-5-5", 0.10, 0.50, true),
    model("claude-haiku-4-5", 1.00, 5.00, false),
    model("claude-3-5-haiku", 0.80, 4.00, false),
    model("gpt-5.4-mini", 0.75, 4.50, true),
    model("gpt-5-mini", 0.25, 2.00, true),
    model("gpt-4.1-mini", 0.40, 1.60, false),
    model("gpt-4.1-nano", 0.10, 0.40, false),
    model("gpt-4o-mini", 0.15, 0.60, false),
    model("gpt-3.5-turbo", 0.50, 1.50, false),
    model("gemini-2.5-flash-lite", 0.10, 0.40, false),
    model("gemini-2.5-flash", 0.30, 2.50, false),
    model("gemini-2.0-flash", 0.10, 0.40, false),
    model("gemini-1.5-flash", 0.075, 0.30, false),
];

impl KnownModel {
    /// What `input` and `output` tokens cost.
    pub(crate) fn cost(&self, input: u64, output: u64) -> f64 {
        // Counts of tokens are far below the 2^53 that a float keeps exactly.
        #[allow(clippy::cast_precision_loss)]
        let (input, output) = (input as f64, output as f64);
        (input * self.input_usd + output * self.output_usd) / 1e6
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
            ("gpt-4o", None),
            ("gpt-4o-mini-audio", None),
            ("gemini-2.5-flash-image", None),
            ("smollm2", None),
        ] {
            assert_eq!(known(name).map(|known| known.name), expected, "{name}");
        }
        let haiku = known("claude-haiku-4-5").unwrap();
        assert!((haiku.cost(1_000_000, 200_000) - 2.0).abs() < 1e-9);
    }
}
