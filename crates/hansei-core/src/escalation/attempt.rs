//! Attempts and what they mean. There are two counters, and they are never mixed: the coder's, which stands in the payload
//! and decides whether a task was routed rightly, and the rescue's own, which decides its mode.

use serde::{Deserialize, Serialize};

/// The number of an attempt, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attempt(u32);

impl Attempt {
    /// From this attempt of the coder on, the task is the unblocker's.
    pub const ESCALATED: Self = Self(4);
    /// A rescue's first.
    pub const FIRST: Self = Self(1);

    /// The attempt with this number; there is none before the first.
    pub fn new(number: u32) -> Self {
        Self(number.max(1))
    }

    /// The coder's next attempt, which is refused: after three tries without progress it is the fourth.
    pub fn refused_after(tries_without_progress: u32) -> Self {
        Self(tries_without_progress.saturating_add(1))
    }

    /// The attempt that is not made because nothing is left to make it with. However few were made, it is the unblocker's
    /// now, and so it is at least the first of those that are.
    pub fn given_up_after(tries: u32) -> Self {
        Self::refused_after(tries).max(Self::ESCALATED)
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Whether a coder that is at this attempt may be escalated.
    pub fn is_escalated(self) -> bool {
        self >= Self::ESCALATED
    }

    /// Reads `[ATTEMPT: 4]`, however it is written: `[attempt:4+]`, `Attempt 4`, `4`, `4 of 16`.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim().trim_matches(|c: char| matches!(c, '[' | ']' | '`' | '*' | '"' | '\'' | ' '));
        let rest = match text.get(..7) {
            Some(word) if word.eq_ignore_ascii_case("attempt") => {
                text[7..].trim_start_matches(|c: char| matches!(c, ':' | '=' | '#') || c.is_whitespace())
            }
            _ => text,
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = rest[digits..].chars().next();
        let ends = behind.is_none_or(|c| c == '+' || c == ']' || c == '/' || c.is_whitespace());
        if digits == 0 || !ends {
            return None;
        }
        let number = rest[..digits].parse().unwrap_or(u32::MAX);
        (number > 0).then_some(Self(number))
    }

    /// Every `[ATTEMPT: N]` in a text, in order.
    pub fn markers(text: &str) -> Vec<Self> {
        let lower = text.to_ascii_lowercase();
        let starts = lower.match_indices("[attempt").map(|(at, _)| at);
        starts
            .filter_map(|at| {
                let marker = &lower[at..];
                let end = marker.find(']').filter(|end| *end < 32)?;
                Self::read(&marker[..=end])
            })
            .collect()
    }
}

impl std::fmt::Display for Attempt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "[ATTEMPT: {}]", self.0)
    }
}

/// What the unblocker may do, by its own counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RescueMode {
    /// One materially different hypothesis, one bounded action.
    Unblocker,
    /// The rescue's own hypothesis is not trusted any more: what it was given is checked again.
    ContextOverride,
    /// Nothing but the terminal payload.
    Terminal,
}

impl RescueMode {
    /// The mode of a rescue's attempt.
    pub fn of(attempt: Attempt) -> Self {
        match attempt.number() {
            0..=2 => Self::Unblocker,
            3 => Self::ContextOverride,
            _ => Self::Terminal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RescueMode::{ContextOverride, Terminal, Unblocker};
    use super::*;

    #[test]
    fn three_tries_without_progress_make_the_fourth_attempt() {
        assert_eq!(Attempt::refused_after(3).to_string(), "[ATTEMPT: 4]");
        assert!(Attempt::refused_after(3).is_escalated() && !Attempt::refused_after(2).is_escalated());
        assert!(Attempt::refused_after(u32::MAX).is_escalated());
        let given_up = [0, 1, 2, 3, 4, 9].map(|tries| Attempt::given_up_after(tries).number());
        assert_eq!(
            given_up,
            [4, 4, 4, 4, 5, 10],
            "whoever has nothing left is not sent back for three tries"
        );
    }

    #[test]
    fn the_mode_follows_the_rescues_own_counter() {
        let modes: Vec<RescueMode> = (0..7).map(|n| RescueMode::of(Attempt::new(n))).collect();
        assert_eq!(
            modes,
            [Unblocker, Unblocker, Unblocker, ContextOverride, Terminal, Terminal, Terminal],
            "0 is read as the first"
        );
    }

    #[test]
    fn a_marker_is_read_however_it_is_written() {
        for (text, number) in [
            ("[ATTEMPT: 4]", Some(4)),
            ("[attempt:12]", Some(12)),
            ("[ATTEMPT: 4+]", Some(4)),
            ("  `[Attempt: 5]` ", Some(5)),
            ("Attempt 6", Some(6)),
            ("attempt #7", Some(7)),
            ("4", Some(4)),
            ("4 of 16", Some(4)),
            ("4/16", Some(4)),
            ("99999999999999", Some(u32::MAX)),
            ("[ATTEMPT: 0]", None),
            ("[ATTEMPT: N]", None),
            ("[ATTEMPT: ]", None),
            ("four", None),
            ("4th", None),
            ("-4", None),
            ("", None),
        ] {
            assert_eq!(Attempt::read(text).map(Attempt::number), number, "{text}");
            assert_eq!(number.and_then(|n| Attempt::read(&Attempt::new(n).to_string())), number.map(Attempt));
        }
        let text = "feedback [ATTEMPT: 1] then [attempt: 2], not [ATTEMPT: N] and not attempt: 9";
        assert_eq!(Attempt::markers(text), [Attempt(1), Attempt(2)]);
    }
}
