//! The end of the line for an agent that is sent back: attempts that brought nothing become a bounded escalation, and the
//! agent is told once to stop and to hand it over.

use super::feedback::{MARK, cut};
use super::{Failures, Stop};
use crate::escalation::{Attempt, Escalation, FailureLayer, OF_THE_UNBLOCKER};
use crate::evidence::{Evidence, Kind, Place, Situation};
use crate::session::Action;

const LONGEST_COMMAND: usize = 160;

/// What is handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handover {
    /// The original task, in the human's words.
    pub task: String,
    /// The payload.
    pub escalation: Escalation,
    /// The command that fails, where one does, on one short line.
    pub command: Option<String>,
}

/// Where it lies, and what fails: each as one word of a shell command.
#[derive(Debug, Clone, Copy)]
pub struct HandoverWords<'a> {
    /// The payload's file.
    pub escalation: &'a str,
    /// The original task's file.
    pub task: &'a str,
    /// The command that fails, where one does.
    pub command: Option<&'a str>,
}

impl Handover {
    /// What is handed over of a session whose last `idle` attempts brought nothing.
    pub fn of(
        situation: &Situation<'_>,
        stop: &Stop,
        failures: &Failures,
        evidence: &[Evidence],
        idle: u32,
    ) -> Self {
        let task = situation.request();
        let command = failing_command(situation, evidence).map(|command| cut(&command, LONGEST_COMMAND));
        let mut escalation = Escalation::of(Attempt::refused_after(idle), &task);
        escalation.suspected_failure_layer = vec![FailureLayer::Unknown];
        escalation.what_was_tried.clone_from(&stop.tried);
        let failed = evidence.iter().filter(|one| is_failure(one.kind)).map(|one| one.text.clone());
        escalation.what_did_not_work = failed.collect();
        if escalation.what_did_not_work.is_empty() {
            escalation.what_did_not_work = failures.all.iter().cloned().collect();
        }
        escalation.current_invariants =
            failures.passing.iter().map(|check| format!("passes: {check}")).collect();
        let signal = command.clone().or_else(|| failures.failing.first().cloned());
        escalation.handoff_artifacts = vec![
            format!("original task reference: {}", stop.task),
            format!("latest blocking signal: {}", signal.unwrap_or_else(|| "unknown".to_owned())),
        ];
        escalation.request = vec![OF_THE_UNBLOCKER.to_owned()];
        Self { task, escalation: escalation.bounded(), command }
    }

    /// What the agent is told.
    pub fn told(&self, words: HandoverWords<'_>) -> String {
        let tries = self.escalation.attempt.number().saturating_sub(1);
        let command = words.command.map(|command| format!(" --command {command}")).unwrap_or_default();
        format!(
            "{MARK} Stop: {tries} attempts brought no progress, and another one in the same way is refused. Change nothing more \
             by yourself. What was tried is written down; hand it over to somebody with a clean context:\n\
             hansei unblock --escalation {} --task {}{command}\n\
             (or give both files to the hansei-unblocker agent, and nothing of this conversation). Follow only what comes back. If \
             nothing does, say plainly what is blocked, and stop.",
            words.escalation, words.task,
        )
    }
}

fn is_failure(kind: Kind) -> bool {
    matches!(kind, Kind::CheckFailed | Kind::CheckFailedHidden)
}

/// The command line of the last check that failed.
fn failing_command(situation: &Situation<'_>, evidence: &[Evidence]) -> Option<String> {
    evidence.iter().rev().filter(|one| is_failure(one.kind)).find_map(|one| {
        let Place::Call(at) = one.place else { return None };
        match &situation.session.calls.get(at)?.action {
            Action::Run { command, .. } => Some(command.clone()),
            _ => None,
        }
    })
}
