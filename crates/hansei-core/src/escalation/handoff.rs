//! The clean handoff: what the unblocker works from, and nothing else. It is built from parts that each have a bound, so
//! that nothing of a failed conversation can ride along, and it is refused when somebody else built it with one inside.

use std::fmt::Write as _;

use super::answer::{Answer, ContextTarget};
use super::attempt::{Attempt, RescueMode};
use super::fingerprint::ErrorSignature;
use super::forced_context::ForcedContext;
use super::payload::{ABOVE_REFLECTION, Escalation};
use super::payload_reader::{NoPayload, extents};
use super::pollution::{Part, Pollution, pollution};
use super::tried::Try;
use crate::model_text::one_line;

/// What stands around a payload may be no longer than this.
const LONGEST_AROUND: usize = 1_500;

/// What the unblocker works from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handoff {
    /// The original task or contract.
    pub task: String,
    /// A source state that can be checked out.
    pub snapshot: Snapshot,
    /// The payload.
    pub escalation: Escalation,
    /// What has to be looked at.
    pub forced: ForcedContext,
    /// The minimal failing command.
    pub command: Option<String>,
    /// How it fails.
    pub signature: Option<ErrorSignature>,
}

/// The name of a source state, of a shape that git can be asked for. Whether it exists is for whoever has the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot(String);

impl Snapshot {
    /// The state that a revision names; none for what could be taken for an option or a range.
    pub fn named(revision: &str) -> Option<Self> {
        let revision = revision.trim();
        let allowed = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '~' | '^' | '@' | '{' | '}')
        };
        let fits = !revision.is_empty()
            && revision.len() <= 200
            && !revision.starts_with('-')
            && !revision.contains("..")
            && revision.chars().all(allowed);
        fits.then(|| Self(revision.to_owned()))
    }

    /// The files as they lie there, where there are no commits.
    pub fn of_work_tree() -> Self {
        Self("the-work-tree".to_owned())
    }

    /// Its name.
    pub fn revision(&self) -> &str {
        &self.0
    }
}

/// What came in, before it was looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Received<'a> {
    /// The text that should hold the payload.
    pub escalation: &'a str,
    /// The original task.
    pub task: &'a str,
    /// The source state.
    pub snapshot: &'a str,
    /// Further context: forced context, a checklist.
    pub context: &'a str,
    /// The minimal failing command.
    pub command: Option<&'a str>,
    /// How it fails.
    pub signature: Option<&'a ErrorSignature>,
}

/// Why a handoff is not worked on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The trigger is missing: the task was routed wrongly.
    #[error("misrouted: {0}")]
    NoTrigger(NoPayload),
    /// The coder may still try.
    #[error("misrouted: {0} is below [ATTEMPT: 4]")]
    TooEarly(Attempt),
    /// It carries what it must not.
    #[error("the handoff is not clean: {0}")]
    Polluted(Pollution),
    /// A part of it is missing.
    #[error("the handoff has no {0}")]
    Missing(&'static str),
}

impl Refusal {
    /// What is answered.
    pub fn answer(&self) -> Answer {
        Answer::NeedContext(match self {
            Self::NoTrigger(NoPayload::TooLong { .. }) | Self::Polluted(_) => ContextTarget::CleanHandoff,
            Self::NoTrigger(_) | Self::TooEarly(_) => ContextTarget::EscalationPayload,
            Self::Missing(what) => ContextTarget::Other((*what).to_owned()),
        })
    }
}

/// Looks at what came in: the trigger first, then whether it is clean, then whether it is whole.
pub fn admit(received: &Received<'_>) -> Result<Handoff, Refusal> {
    let escalation = Escalation::read(received.escalation).map_err(Refusal::NoTrigger)?;
    if !escalation.attempt.is_escalated() {
        return Err(Refusal::TooEarly(escalation.attempt));
    }
    let around = around(received.escalation);
    let (mut forced, rest) = ForcedContext::take(&around);
    if rest.trim().len() > LONGEST_AROUND {
        return Err(Refusal::Polluted(Pollution::TooLong { bytes: rest.trim().len() }));
    }
    let inside = received.escalation;
    for (part, text) in [
        (Part::Task, received.task),
        (Part::Context, inside),
        (Part::Context, received.context),
        (Part::Context, received.command.unwrap_or_default()),
    ] {
        // The payload's own bound is its own; its shape is looked at like everything else's.
        let cut = if std::ptr::eq(text, inside) { &text[..text.floor_char_boundary(6 * 1024)] } else { text };
        if let Some(found) = pollution(part, cut) {
            return Err(Refusal::Polluted(found));
        }
    }
    let (more, _) = ForcedContext::take(received.context);
    forced.facts.extend(more.facts);
    forced.checklist.extend(more.checklist);
    let task = received.task.trim();
    if task.is_empty() {
        return Err(Refusal::Missing("original_task"));
    }
    let snapshot = Snapshot::named(received.snapshot).ok_or(Refusal::Missing("source_snapshot"))?;
    Ok(Handoff {
        task: task.to_owned(),
        snapshot,
        escalation,
        forced,
        command: received.command.map(|command| one_line(command, 400)).filter(|command| !command.is_empty()),
        signature: received.signature.cloned(),
    })
}

/// A text without its payloads.
fn around(text: &str) -> String {
    let mut rest = String::new();
    let mut at = 0;
    for extent in extents(text) {
        rest.push_str(&text[at..extent.start]);
        at = extent.end;
    }
    rest.push_str(&text[at..]);
    rest.replace("```", "")
}

impl Handoff {
    /// The handoff as text: the only things a clean context is told.
    pub fn text(&self) -> String {
        let mut text =
            format!("# Original task\n\n{}\n\n# Source\n\n{}\n", self.task, self.snapshot.revision());
        // Writing to a String cannot fail.
        let _ = write!(text, "\n# Escalation\n\n{}", self.escalation.text());
        if !self.forced.is_empty() {
            let _ = write!(text, "\n{}", self.forced.text());
        }
        if let Some(command) = &self.command {
            let _ = write!(text, "\n# Failing command\n\n{command}\n");
        }
        if let Some(signature) = &self.signature {
            let _ = write!(text, "\n# Error signature\n\n{}\n", signature.line());
        }
        text
    }
}

/// The only answer of a rescue that is blocked itself, whatever it was given.
pub fn terminal(attempt: Attempt, handoff: Option<&Handoff>, tried: &[Try]) -> Answer {
    let scope = handoff.map(|handoff| handoff.escalation.task_scope.clone()).unwrap_or_default();
    let scope = format!("reflection rescue summary: {scope}");
    let mut payload = Escalation::of(attempt, scope.trim_end_matches([' ', ':']));
    payload.suspected_failure_layer = tried.iter().map(|one| one.layer).collect();
    payload.what_was_tried = tried.iter().map(|one| one.hypothesis.clone()).collect();
    payload.what_did_not_work =
        tried.iter().map(|one| one.outcome.clone()).filter(|text| !text.is_empty()).collect();
    if let Some(handoff) = handoff {
        if payload.suspected_failure_layer.is_empty() {
            payload.suspected_failure_layer.clone_from(&handoff.escalation.suspected_failure_layer);
        }
        payload.forced_context_checked =
            handoff.forced.checklist.iter().filter(|item| item.done).map(|item| item.text.clone()).collect();
        payload.current_invariants.clone_from(&handoff.escalation.current_invariants);
        let signal = handoff.signature.as_ref().map(ErrorSignature::line).or_else(|| handoff.command.clone());
        payload.handoff_artifacts = vec![
            format!("original task reference: {}", one_line(&handoff.task, 160)),
            format!("escalation payload received: {}", handoff.escalation.attempt),
            format!("clean snapshot reference: {}", handoff.snapshot.revision()),
            format!("latest blocking signal: {}", signal.unwrap_or_else(|| "unknown".to_owned())),
        ];
    }
    payload.request = vec![ABOVE_REFLECTION.to_owned()];
    Answer::Escalation(payload.bounded())
}

/// What may be done with what came in: work on the handoff in a mode that may diagnose, or the one answer there is.
pub fn begin(
    attempt: Attempt,
    received: &Received<'_>,
    tried: &[Try],
) -> Result<(RescueMode, Handoff), Box<Answer>> {
    let admitted = admit(received);
    match (RescueMode::of(attempt), admitted) {
        (RescueMode::Terminal, admitted) => Err(Box::new(terminal(attempt, admitted.ok().as_ref(), tried))),
        (mode, Ok(handoff)) => Ok((mode, handoff)),
        (_, Err(refusal)) => Err(Box::new(refusal.answer())),
    }
}
