//! The layer in which a failure is looked for: above the coder's local logic, which has been tried.

use serde::{Deserialize, Serialize};

/// Where a failure may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureLayer {
    /// A boundary between parts that does not hold.
    Architecture,
    /// The machine, its variables, its toolchain.
    Environment,
    /// Dependencies and their wiring.
    Dependency,
    /// What was promised and what is really passed.
    Contract,
    /// Tests, fixtures and mocks themselves.
    TestHarness,
    /// A hidden assumption in paths, imports or configuration.
    HiddenAssumption,
    /// The source that was looked at is not the one that runs.
    SourceSnapshot,
    /// What was handed over is incomplete or wrong.
    HandoffProtocol,
    /// Nobody knows.
    Unknown,
}

impl FailureLayer {
    /// Every layer, in the order in which prompts name them.
    pub const ALL: [Self; 9] = [
        Self::Architecture,
        Self::Environment,
        Self::Dependency,
        Self::Contract,
        Self::TestHarness,
        Self::HiddenAssumption,
        Self::SourceSnapshot,
        Self::HandoffProtocol,
        Self::Unknown,
    ];

    /// Its name in payloads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Architecture => "architecture",
            Self::Environment => "environment",
            Self::Dependency => "dependency",
            Self::Contract => "contract",
            Self::TestHarness => "test_harness",
            Self::HiddenAssumption => "hidden_assumption",
            Self::SourceSnapshot => "source_snapshot",
            Self::HandoffProtocol => "handoff_protocol",
            Self::Unknown => "unknown",
        }
    }

    /// The layer as the terminal payload names it, whose contract knows fewer: what was promised between parts is of their
    /// architecture, and tests, paths and configuration are of the environment that the code runs in.
    #[must_use]
    pub fn in_terminal(self) -> Self {
        match self {
            Self::Contract => Self::Architecture,
            Self::TestHarness | Self::HiddenAssumption => Self::Environment,
            other => other,
        }
    }

    /// The layer that a text names: by its own name, or in the words that people use for it.
    pub fn read(text: &str) -> Option<Self> {
        let words: Vec<String> = text
            .to_ascii_lowercase()
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let name = words.join("_");
        let exact = Self::ALL.into_iter().find(|layer| layer.name() == name);
        exact.or_else(|| {
            NAMED_BY
                .iter()
                .find(|(word, _)| words.iter().any(|said| said.starts_with(word)))
                .map(|(_, layer)| *layer)
        })
    }
}

/// Beginnings of words by which a layer is known, the more telling ones first.
const NAMED_BY: &[(&str, FailureLayer)] = &[
    ("snapshot", FailureLayer::SourceSnapshot),
    ("handoff", FailureLayer::HandoffProtocol),
    ("harness", FailureLayer::TestHarness),
    ("mock", FailureLayer::TestHarness),
    ("fixture", FailureLayer::TestHarness),
    ("test", FailureLayer::TestHarness),
    ("contract", FailureLayer::Contract),
    ("depend", FailureLayer::Dependency),
    ("package", FailureLayer::Dependency),
    ("env", FailureLayer::Environment),
    ("toolchain", FailureLayer::Environment),
    ("infra", FailureLayer::Environment),
    ("archit", FailureLayer::Architecture),
    ("assum", FailureLayer::HiddenAssumption),
    ("config", FailureLayer::HiddenAssumption),
    ("import", FailureLayer::HiddenAssumption),
    ("path", FailureLayer::HiddenAssumption),
    ("unknown", FailureLayer::Unknown),
    ("unclear", FailureLayer::Unknown),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_read_by_its_name_and_by_peoples_words() {
        for layer in FailureLayer::ALL {
            assert_eq!(FailureLayer::read(layer.name()), Some(layer));
            assert_eq!(FailureLayer::read(&layer.name().to_uppercase().replace('_', " ")), Some(layer));
        }
        for (text, layer) in [
            ("dependency wiring", Some(FailureLayer::Dependency)),
            ("contract mismatch", Some(FailureLayer::Contract)),
            ("test harness or mock setup", Some(FailureLayer::TestHarness)),
            ("env", Some(FailureLayer::Environment)),
            ("imports/paths", Some(FailureLayer::HiddenAssumption)),
            ("local logic", None),
            ("", None),
        ] {
            assert_eq!(FailureLayer::read(text), layer, "{text}");
        }
    }
}
