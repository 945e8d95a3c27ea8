//! One hook call, from the agent's payload to what is on disk.
//!
//! Synchronous and bounded: a hook never breaks, delays or traps the agent's session. Whatever goes wrong ends in a
//! record that says so, or in nothing, and always lets the agent go on.

mod broken_decisions;
mod capture;
mod compaction;
mod environment;
mod in_time;
mod instructions;
mod judging;
mod live_session;
mod look;
mod mode;
mod notices;
#[cfg(test)]
mod out_of_time;
pub mod own_run;
mod scene;
mod second_opinion;
mod session;
mod session_start;
mod silence;
mod standard_input;
mod time_limit;
mod touched_files;
mod transcript_seen;
mod unreadable;

pub use environment::Environment;
pub use mode::mode;
pub use notices::DueNotice;
pub use second_opinion::SecondOpinion;
pub use standard_input::drain;

use hansei_agents::adapter_named;
use hansei_agents::payload::{Source, Speaker};
use hansei_agents::reply::AfterCompaction;
use hansei_core::event::{Event, HookEvent};
use hansei_core::interrupt;
use hansei_core::notice::About;
use hansei_core::reflection::Mode;
use hansei_record::log::{LogError, SessionLog, WhenCapturing};
use serde_json::Value;

use crate::session::Session;
use crate::time_limit::TimeLimit;

/// A hook call as the agent makes it.
#[derive(Debug)]
pub struct Call {
    /// The agent's name, if it was given.
    pub agent: Option<String>,
    /// What happened.
    pub event: HookEvent,
    /// How far we may go.
    pub mode: Mode,
}

/// What came of a hook call.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What the agent is to read on standard output.
    pub reply: Option<Value>,
    /// Whom to tell, once the agent has its answer.
    pub notice: Option<DueNotice>,
}

/// Why a hook call left no record.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// The file system refused.
    #[error("{what}: {source}")]
    Io {
        /// What was being done.
        what: &'static str,
        /// The reason.
        source: std::io::Error,
    },
    /// The log could not be used.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Answers a hook call. In mode `off` it only drains standard input.
///
/// `second` is asked where evidence leaves a stop open.
pub fn run(
    call: &Call,
    environment: &Environment,
    second: Option<&dyn SecondOpinion>,
) -> Result<Outcome, HookError> {
    if call.mode == Mode::Off {
        drain();
        return Ok(Outcome::default());
    }
    let budget = if call.event == HookEvent::Stop { second.map(SecondOpinion::budget) } else { None };
    let limit = TimeLimit::start(budget.unwrap_or_default());
    let session = Session::receive(call.agent.as_deref(), environment, &limit);
    let event = match (session.payload.speaker, call.event) {
        (Speaker::Session, event) => event,
        (Speaker::SubAgent, HookEvent::Stop | HookEvent::SubagentStop) => HookEvent::SubagentStop,
        // What a sub-agent is told, or forgets, is its own affair; and nobody asked for what the agent does for itself.
        (Speaker::SubAgent | Speaker::Machinery, _) => return Ok(Outcome::default()),
    };
    let bench = judging::Bench { call, environment, session: &session, limit: &limit, second };
    let after = call.agent.as_deref().and_then(adapter_named).map(|adapter| adapter.after_compaction);
    match event {
        HookEvent::Stop => {
            let Some(captured) = capture::capture(call, environment, &session, &limit)? else {
                return Ok(Outcome::default());
            };
            return judging::judge(&bench, captured);
        }
        HookEvent::SessionStart => {
            session_start::record(&session, &limit)?;
            if session.payload.source == Some(Source::Compact) && after == Some(AfterCompaction::AtStart) {
                return compaction::look(&bench, &compaction::Told::Before);
            }
        }
        HookEvent::Compact => {
            note(&session, Event::AgentReported { event })?;
            if after == Some(AfterCompaction::AtReport) {
                return compaction::look(&bench, &compaction::Told::After);
            }
        }
        HookEvent::Stuck => return silence::look(&bench),
        HookEvent::Error => return failed(&bench),
        HookEvent::Prompt => prompted(&session)?,
        // Nothing reads single tool calls yet, and this is the path that an agent takes most often.
        HookEvent::Tool => {}
        HookEvent::SessionEnd => {
            note(&session, Event::AgentReported { event })?;
            session.sweep()?;
        }
        HookEvent::SubagentStop | HookEvent::Abort => {
            note(&session, Event::AgentReported { event })?;
        }
    }
    Ok(Outcome::default())
}

/// A turn failed. Where a limit on use was hit, a person is told: nothing goes on by itself.
fn failed(bench: &judging::Bench<'_>) -> Result<Outcome, HookError> {
    let session = bench.session;
    let folder = session.log_folder()?;
    let mut log = SessionLog::lock(&folder, &session.id, WhenCapturing::Wait, time_limit::LOG_PATIENCE)?;
    log.append(Event::AgentReported { event: HookEvent::Error })?;
    let said = |words: &Option<String>| words.clone().unwrap_or_default();
    let error = format!("{} {}", said(&session.payload.error), said(&session.payload.last_message));
    let Some(about) = About::failure(&error) else { return Ok(Outcome::default()) };
    let stop = format!("error after prompt {}", log.ledger().prompts());
    let about = (about, stop.as_str());
    let notice = notices::due(bench.call, bench.environment, session, &mut log, about, error.trim())?;
    Ok(Outcome { reply: None, notice })
}

/// A human spoke: a new task, or a word to us. What we said ourselves comes back as a prompt with some agents.
fn prompted(session: &Session) -> Result<(), HookError> {
    let prompt = session.payload.prompt.as_deref().unwrap_or_default();
    if interrupt::is_ours(prompt) {
        return Ok(());
    }
    note(session, Event::TaskStarted)?;
    match prompt.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["/hansei", "off"] => note(session, Event::TurnedOff),
        ["/hansei", "on"] => note(session, Event::TurnedOn),
        _ => Ok(()),
    }
}

/// Appends one event to the session's log.
fn note(session: &Session, event: Event) -> Result<(), HookError> {
    let folder = session.log_folder()?;
    let mut log = SessionLog::lock(&folder, &session.id, WhenCapturing::Wait, time_limit::LOG_PATIENCE)?;
    Ok(log.append(event)?)
}
