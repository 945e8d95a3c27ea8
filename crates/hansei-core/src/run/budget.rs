//! What a run may use: steps by phase, tokens, money, time.

use serde::{Deserialize, Serialize};

/// How many steps each phase has, over the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotas {
    /// Turns of the model at work, with the tools that it calls in each.
    pub think: u32,
    /// Verifications.
    pub verify: u32,
    /// Reflections.
    pub reflect: u32,
}

impl Default for Quotas {
    fn default() -> Self {
        Self { think: 7, verify: 2, reflect: 1 }
    }
}

/// Larger quotas for longer work, by name.
pub const PRESETS: &[(&str, Quotas)] = &[
    ("standard", Quotas { think: 7, verify: 2, reflect: 1 }),
    ("long", Quotas { think: 40, verify: 4, reflect: 2 }),
    ("marathon", Quotas { think: 200, verify: 8, reflect: 4 }),
];

/// Text that is no budget.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no budget; write think=7,verify=2,reflect=1 (any of them), or one of standard, long, marathon"
)]
pub struct BadBudget(String);

impl std::str::FromStr for Quotas {
    type Err = BadBudget;

    fn from_str(text: &str) -> Result<Self, BadBudget> {
        if let Some((_, preset)) = PRESETS.iter().find(|(name, _)| *name == text.trim()) {
            return Ok(*preset);
        }
        let bad = || BadBudget(text.to_owned());
        let mut quotas = Self::default();
        let mut seen = Vec::new();
        for part in text.split(',') {
            let (name, number) = part.split_once('=').ok_or_else(bad)?;
            let name = name.trim();
            let number: u32 = number.trim().parse().map_err(|_| bad())?;
            if seen.contains(&name) || number > 10_000 {
                return Err(bad());
            }
            match name {
                "think" => quotas.think = number,
                "verify" => quotas.verify = number,
                "reflect" => quotas.reflect = number,
                _ => return Err(bad()),
            }
            seen.push(name);
        }
        Ok(quotas)
    }
}

impl Quotas {
    /// All steps together.
    pub fn total(self) -> u32 {
        self.think.saturating_add(self.verify).saturating_add(self.reflect)
    }
}

/// Steps that were taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Turns of the model at work.
    pub think: u32,
    /// Verifications.
    pub verify: u32,
    /// Reflections.
    pub reflect: u32,
}

impl Used {
    /// All steps together.
    pub fn total(self) -> u32 {
        self.think.saturating_add(self.verify).saturating_add(self.reflect)
    }
}

/// Limits beside steps. None is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Tokens read and written by models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// Seconds of work. Time at rest does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read() {
        let quotas = |think, verify, reflect| Quotas { think, verify, reflect };
        for (text, expected) in [
            ("think=7,verify=2,reflect=1", quotas(7, 2, 1)),
            ("reflect=0", quotas(7, 2, 0)),
            (" think = 3 , verify=1 ", quotas(3, 1, 1)),
            ("long", quotas(40, 4, 2)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for bad in ["", "think", "think=", "think=-1", "think=1,think=2", "sleep=1", "think=99999", "huge"] {
            assert!(bad.parse::<Quotas>().is_err(), "{bad}");
        }
        assert_eq!(Quotas::default().total(), 10);
    }
}
