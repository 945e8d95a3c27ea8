//! The clean handoff: what the unblocker works from, and nothing else. It is built from parts that each have a bound, so
//! that nothing of a failed conversation can ride along, and it is refused when somebody else built it with one inside.

use std::fmt::Write as _;

use super::answer::{Answer, ContextTarget};
use super::attempt::{Attempt, RescueMode};
use super::fingerprint::ErrorSignature;
use super::forced_context::ForcedContext;
use super::payload::Escalation;
use super::payload_extent::{extents, inside, plain};
use super::payload_reader::{NoPayload, ReadPayload, read_payload};
use super::pollution::{Part, Pollution, pollution};
use super::terminal::{Brought, terminal};
use super::tried::Try;
use crate::model_text::one_line;

/// As much of a part is read; what is longer is too long for every part.
pub const MOST_READ: usize = 4 << 20;
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
    /// The payload is longer than one may be.
    #[error("the handoff is not clean: {0}")]
    Oversized(NoPayload),
    /// It carries what it must not.
    #[error("the handoff is not clean: {part}: {found}")]
    Polluted {
        /// Which part of it.
        part: &'static str,
        /// What it carries.
        found: Pollution,
    },
    /// A part of it is missing.
    #[error("the handoff has no {0}")]
    Missing(&'static str),
}

impl Refusal {
    /// What is answered.
    pub fn answer(&self) -> Answer {
        Answer::NeedContext(match self {
            Self::Oversized(_) | Self::Polluted { .. } => ContextTarget::CleanHandoff,
            Self::NoTrigger(_) | Self::TooEarly(_) => ContextTarget::EscalationPayload,
            Self::Missing(what) => ContextTarget::Other((*what).to_owned()),
        })
    }
}

/// Looks at what came in: the trigger first, then whether it is clean, then whether it is whole.
pub fn admit(received: &Received<'_>) -> Result<Handoff, Refusal> {
    let parts = [received.escalation, received.task, received.context];
    if let Some(at) = parts.iter().position(|text| text.len() > MOST_READ) {
        let found = Pollution::TooLong { allowed: MOST_READ };
        return Err(Refusal::Polluted { part: ["the escalation", "the task", "the context"][at], found });
    }
    let ReadPayload { escalation, mut forced } =
        read_payload(received.escalation).map_err(|none| match none {
            NoPayload::TooLong { .. } | NoPayload::LongItem { .. } => Refusal::Oversized(none),
            none => Refusal::NoTrigger(none),
        })?;
    if !escalation.attempt.is_escalated() {
        return Err(Refusal::TooEarly(escalation.attempt));
    }
    let text = plain(received.escalation);
    let around = around(&text);
    clean(received, &text, &around)?;
    for block in [around.as_str(), received.context] {
        let more = ForcedContext::read(block);
        forced.facts.extend(more.facts);
        forced.checklist.extend(more.checklist);
    }
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

/// Whether every part is free of failed history: each payload in `text` by its own measure, what stands `around` them by that
/// of context.
fn clean(received: &Received<'_>, text: &str, around: &str) -> Result<(), Refusal> {
    let refused = |part, found| Err(Refusal::Polluted { part, found });
    let (_, words) = ForcedContext::take(around);
    if words.trim().len() > LONGEST_AROUND {
        return refused("what stands around the payload", Pollution::TooLong { allowed: LONGEST_AROUND });
    }
    let payloads = extents(text)
        .into_iter()
        .map(|at| (Part::Payload, "the payload", inside(&text[at.start..at.end]).trim()));
    let others = [
        (Part::Context, "what stands around the payload", around),
        (Part::Task, "the task", received.task),
        (Part::Context, "the context", received.context),
        (Part::Context, "the command", received.command.unwrap_or_default()),
    ];
    for (part, name, text) in payloads.chain(others) {
        if let Some(found) = pollution(part, text) {
            return refused(name, found);
        }
    }
    Ok(())
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
    rest
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

/// The one answer where nothing may be diagnosed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRescue {
    /// The answer.
    pub answer: Answer,
    /// Why the handoff is not worked on, where that is so.
    pub reason: Option<Refusal>,
}

/// What may be done with what came in: work on the handoff in a mode that may diagnose, or the one answer there is. `tried`
/// is what rescues proposed before.
pub fn begin(
    attempt: Attempt,
    received: &Received<'_>,
    tried: &[Try],
) -> Result<(RescueMode, Handoff), Box<NoRescue>> {
    let admitted = admit(received);
    match (RescueMode::of(attempt), admitted) {
        (RescueMode::Terminal, Ok(handoff)) => {
            let answer = terminal(attempt, &Brought::admitted(&handoff), tried);
            Err(Box::new(NoRescue { answer, reason: None }))
        }
        (RescueMode::Terminal, Err(refusal)) => {
            let answer = terminal(attempt, &Brought::refused(received, &refusal), tried);
            Err(Box::new(NoRescue { answer, reason: Some(refusal) }))
        }
        (mode, Ok(handoff)) => Ok((mode, handoff)),
        (_, Err(refusal)) => Err(Box::new(NoRescue { answer: refusal.answer(), reason: Some(refusal) })),
    }
}
