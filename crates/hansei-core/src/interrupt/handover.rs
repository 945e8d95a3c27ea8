//! The end of the line for an agent that is sent back: attempts that brought nothing become a bounded escalation, and the
//! agent is told once to stop and to hand it over.

use super::feedback::{MARK, cut};
use super::{Failures, Stop};
use crate::escalation::{Attempt, Escalation, FailureLayer, OF_THE_UNBLOCKER};
use crate::evidence::{Evidence, Kind, Place, Situation};
use crate::session::{Action, Call};

/// The longest command that is told; a longer one is not told at all, for a part of it is another command.
const LONGEST_COMMAND: usize = 400;
const LONGEST_SIGNAL: usize = 160;

/// What is handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handover {
    /// The original task, in the human's words.
    pub task: String,
    /// The payload.
    pub escalation: Escalation,
    /// The command that fails, where one does and is short enough to be told.
    pub command: Option<String>,
    /// What it printed, and how it ended.
    pub error: Option<String>,
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
    /// The file with what it printed.
    pub error: Option<&'a str>,
}

impl Handover {
    /// What is handed over of a session whose last `idle` attempts brought nothing, and that grew from the commit `base`.
    pub fn of(
        situation: &Situation<'_>,
        stop: &Stop,
        failures: &Failures,
        evidence: &[Evidence],
        idle: u32,
        base: Option<&str>,
    ) -> Self {
        let task = situation.request();
        let call = failing_call(situation, evidence);
        let whole = call.and_then(|call| match &call.action {
            Action::Run { command, .. } => Some(command.trim()),
            _ => None,
        });
        let is_told = |command: &&str| command.len() <= LONGEST_COMMAND && !command.contains('\n');
        let command = whole.filter(is_told).map(ToOwned::to_owned);
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
        let signal = whole.map(|command| cut(command, LONGEST_SIGNAL));
        let signal = signal.or_else(|| failures.failing.first().cloned());
        escalation.handoff_artifacts = vec![format!("original task reference: {}", stop.task)];
        escalation.handoff_artifacts.extend(base.map(|base| format!("clean snapshot reference: {base}")));
        let signal = signal.unwrap_or_else(|| "unknown".to_owned());
        escalation.handoff_artifacts.push(format!("latest blocking signal: {signal}"));
        escalation.request = vec![OF_THE_UNBLOCKER.to_owned()];
        Self { task, escalation: escalation.bounded(), command, error: call.and_then(printed) }
    }

    /// What the agent is told.
    pub fn told(&self, words: HandoverWords<'_>) -> String {
        let tries = self.escalation.attempt.number().saturating_sub(1);
        let command = words.command.map(|command| format!(" --command {command}")).unwrap_or_default();
        let error = words.error.map(|error| format!(" --error {error}")).unwrap_or_default();
        format!(
            "{MARK} Stop: {tries} attempts brought no progress, and another one in the same way is refused. Change nothing more \
             by yourself. What was tried is written down; hand it over to somebody with a clean context:\n\
             hansei unblock --escalation {} --task {}{command}{error}\n\
             (or give these files to the hansei-unblocker agent, and nothing of this conversation). Follow only what comes back. If \
             nothing does, say plainly what is blocked, and stop.",
            words.escalation, words.task,
        )
    }
}

fn is_failure(kind: Kind) -> bool {
    matches!(kind, Kind::CheckFailed | Kind::CheckFailedHidden)
}

/// The call of the last check that failed.
fn failing_call<'a>(situation: &Situation<'a>, evidence: &[Evidence]) -> Option<&'a Call> {
    evidence.iter().rev().filter(|one| is_failure(one.kind)).find_map(|one| match one.place {
        Place::Call(at) => situation.session.calls.get(at),
        _ => None,
    })
}

/// What a call printed, and how it ended.
fn printed(call: &Call) -> Option<String> {
    let end = call.end.as_ref()?;
    let code = end.exit_code.map(|code| format!("\nexit code {code}\n")).unwrap_or_default();
    let printed = format!("{}{code}", end.output.text());
    (!printed.trim().is_empty()).then_some(printed)
}
