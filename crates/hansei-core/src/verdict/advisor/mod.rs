//! A model as advisor: asked only where evidence leaves it open, and never able to talk evidence away.
//!
//! The typed [`Question`], the [`Prompt`] it becomes, the [`Opinion`] that is read from the answer, and how that opinion
//! is weighed into a judgement. The call itself is made elsewhere, behind [`Advisor`].

mod answer;
mod digest;
mod prompt;
mod question;
mod weigh;

pub use answer::{BadAnswer, parse};
pub use prompt::{Prompt, prompt};
pub use question::Question;
pub use weigh::{combine, is_open};

use super::Severity;

/// Somebody who can be asked for an opinion on a stop.
pub trait Advisor {
    /// An opinion, or why there is none. Comes back within the advisor's own budget.
    fn opinion(&self, question: &Question) -> Result<Opinion, Unavailable>;
}

/// A model's opinion on a stop. Only as good as the model, and bounded in size.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// Whether it holds the task for complete.
    pub complete: bool,
    /// The worst of what it sees.
    pub severity: Severity,
    /// Whether it thinks that only a human can go on.
    pub requires_human_action: bool,
    /// What it would tell the agent.
    pub feedback: String,
    /// What it misses.
    pub missing: Vec<String>,
    /// What it would do next.
    pub next_actions: Vec<String>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
}

impl Opinion {
    /// Whether it says that the human is next: incomplete, with nothing wrong and nothing missing.
    pub fn awaits_user(&self) -> bool {
        !self.complete && self.severity == Severity::None && self.missing.is_empty()
    }
}

/// There is no opinion. A different record from an opinion that says no.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the judge's model was unavailable: {reason}")]
pub struct Unavailable {
    /// Why, without secrets.
    pub reason: String,
}

impl From<BadAnswer> for Unavailable {
    fn from(bad: BadAnswer) -> Self {
        Self { reason: bad.to_string() }
    }
}
