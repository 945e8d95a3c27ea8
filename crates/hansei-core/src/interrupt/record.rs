//! One evaluation as it is kept on disk and read by other tools.

use serde::Serialize;

use super::{Action, Decision, SkipWhy, Stop, Why};
use crate::evidence::{Claim, Evidence, Proof};
use crate::timestamp::Timestamp;
use crate::verdict::{Judgement, Policy, Standing, Verdict};

/// One evaluation.
#[derive(Debug, Clone, Serialize)]
pub struct VerdictRecord {
    /// Names this format.
    pub schema: &'static str,
    /// The agent's id for the session.
    pub session_id: String,
    /// The agent.
    pub agent: String,
    /// When.
    pub timestamp: Timestamp,
    /// The human message that was worked on.
    pub task: String,
    /// The compaction epoch.
    pub epoch: u32,
    /// Whether the task is complete, as other tools read it.
    pub complete: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// How the stop stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Standing>,
    /// What was done: `send_back`, `let_stop` or `skip`.
    pub action: &'static str,
    /// Why the agent was let go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Reason>,
    /// What the agent was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// What the human was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// The how-manieth send-back of this task it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// The probability that the task is complete.
    pub p_complete: f64,
    /// Whether a human sat at the terminal.
    pub attended: bool,
    /// What the claims of the last words come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// Whether it was let go with what was found standing, because a cap ran out: never a pass.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub overridden: bool,
    /// The claims, each with its mark.
    pub claims: Vec<Claim>,
    /// What was found.
    pub evidence: Vec<Evidence>,
    /// Why a model that was to be asked gave no opinion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_unavailable: Option<String>,
    /// Why the change was not held against the decisions of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisions_unchecked: Option<String>,
    /// Each question of the decision with its answer.
    pub steps: Vec<String>,
}

/// Why an agent was let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reason {
    /// It was looked at.
    LetStop(Why),
    /// It was not.
    Skip(SkipWhy),
}

impl VerdictRecord {
    /// The record of a decision.
    pub fn new(
        (session_id, agent, timestamp): (&str, &str, Timestamp),
        stop: &Stop,
        judgement: &Judgement,
        (evidence, claims): (&[Evidence], &[Claim]),
        policy: Policy,
        decision: &Decision,
    ) -> Self {
        let (action, why, feedback, attempt) = match &decision.action {
            Action::SendBack { feedback, attempt, .. } => {
                ("send_back", None, Some(feedback.clone()), Some(*attempt))
            }
            Action::HandOver { attempt, .. } => ("send_back", None, None, Some(*attempt)),
            Action::LetStop(why) => ("let_stop", Some(Reason::LetStop(*why)), None, None),
            Action::Skip(why) => ("skip", Some(Reason::Skip(*why)), None, None),
        };
        Self {
            schema: "verdict.v1",
            session_id: session_id.to_owned(),
            agent: agent.to_owned(),
            timestamp,
            task: stop.task.clone(),
            epoch: stop.epoch,
            complete: judgement.verdict.complete,
            verdict: judgement.verdict.clone(),
            ending: decision.standing,
            action,
            why,
            feedback,
            notice: decision.notice.as_ref().map(|notice| notice.text.clone()),
            attempt,
            p_complete: judgement.p_complete,
            attended: policy.attended,
            proof: Proof::of(claims),
            overridden: decision.is_overridden() && !judgement.verdict.complete,
            claims: claims.to_vec(),
            evidence: evidence.to_vec(),
            judge_unavailable: None,
            decisions_unchecked: None,
            steps: decision.steps.clone(),
        }
    }
}
