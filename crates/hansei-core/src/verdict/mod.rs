//! The verdict on a stop: is the task complete, and if not, what is missing.

pub mod advisor;

use serde::{Deserialize, Serialize};

mod judge;
mod ordering;
mod weight;

pub(crate) use judge::OR_CORRECT;
pub use judge::judge;

/// How bad something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    /// Nothing is wrong.
    #[default]
    None,
    /// Cosmetic or minor.
    Low,
    /// Works in part.
    Medium,
    /// Something that matters does not work.
    High,
    /// Security, data or production is at risk: never complete.
    Blocker,
}

/// A verdict on a stop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the task is complete.
    pub complete: bool,
    /// The worst of what was found.
    pub severity: Severity,
    /// Whether only a human can go on.
    pub requires_human_action: bool,
    /// What the agent, or the human, is told.
    pub feedback: String,
    /// What is missing.
    pub missing: Vec<String>,
    /// What to do next.
    pub next_actions: Vec<String>,
    /// The evidence it rests on.
    pub evidence_ids: Vec<String>,
    /// Who decided.
    pub decided_by: DecidedBy,
    /// How sure it is.
    pub confidence: f64,
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// What was executed.
    Executed,
    /// What was said.
    Said,
    /// A model, asked where evidence left it open.
    Model,
    /// Nothing spoke against it.
    NothingAgainst,
}

/// How a task ended, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Done.
    Complete,
    /// It goes round in circles.
    Stuck,
    /// A human ended it.
    Aborted,
    /// Its budget is spent.
    BudgetSpent,
    /// The provider's limit was hit.
    UsageLimit,
    /// Sent back as often as is sensible.
    GaveUpAfterReflections,
    /// It cannot be done.
    Impossible,
    /// It failed.
    Failed,
}

/// Why a task rests, and can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// The human is to answer.
    WaitingForUser,
    /// Only a human can do the next step.
    BlockedOnHuman,
    /// Something runs in the background.
    WaitingBackground,
    /// Put aside.
    Parked,
}

/// How a stop stands: an ending, or a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Standing {
    /// It ended.
    Ended(Ending),
    /// It rests.
    Paused(Pause),
}

/// Everything that is decided about a stop before asking whether to interrupt.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// How the stop stands, should the agent be let go.
    pub standing: Standing,
    /// The probability that the task is complete.
    pub p_complete: f64,
}

impl Judgement {
    /// The same judgement where not everything was looked at: nobody is told that all is well.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        if self.verdict.complete {
            let told = "Not everything was looked at: the time ran out.".to_owned();
            self.verdict.complete = false;
            self.verdict.severity = self.verdict.severity.max(Severity::Low);
            self.verdict.missing = vec![told.clone()];
            self.verdict.feedback = told;
            self.standing = Standing::Paused(Pause::Parked);
        }
        self
    }
}

/// How far the judge may go: who is there, and how much an agent is expected to do by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Whether a human sits at the terminal.
    pub attended: bool,
    /// What "shall I go on?" means.
    pub autonomy: Autonomy,
}

/// What an agent is expected to do by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Autonomy {
    /// Ask before going on.
    Ask,
    /// Go on.
    #[default]
    Auto,
}
