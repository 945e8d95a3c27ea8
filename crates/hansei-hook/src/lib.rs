//! One hook call, from the agent's payload to what is on disk.
//!
//! Synchronous and bounded: a hook never breaks, delays or traps the agent's session. Whatever goes wrong ends in a
//! record that says so, or in nothing, and always lets the agent go on.

mod capture;
mod environment;
mod mode;
mod session;
mod session_start;
mod standard_input;
mod time_limit;

pub use environment::Environment;
pub use mode::mode;
pub use standard_input::drain;

use hansei_agents::payload::Speaker;
use hansei_core::event::{Event, HookEvent};
use hansei_core::reflection::Mode;
use hansei_record::log::{LogError, SessionLog, WhenCapturing};

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
pub fn run(call: &Call, environment: &Environment) -> Result<(), HookError> {
    if call.mode == Mode::Off {
        drain();
        return Ok(());
    }
    let limit = TimeLimit::start();
    let session = Session::receive(call.agent.as_deref(), environment, &limit);
    let event = match (session.speaker, call.event) {
        (Speaker::Session, event) => event,
        (Speaker::SubAgent, HookEvent::Stop | HookEvent::SubagentStop) => HookEvent::SubagentStop,
        // What a sub-agent is told, or forgets, is its own affair; and nobody asked for what the agent does for itself.
        (Speaker::SubAgent | Speaker::Machinery, _) => return Ok(()),
    };
    match event {
        HookEvent::Stop => capture::capture(call, environment, &session, &limit),
        HookEvent::SessionStart => session_start::record(&session, &limit),
        HookEvent::Prompt => note(&session, Event::TaskStarted),
        // Nothing reads single tool calls yet, and this is the path that an agent takes most often.
        HookEvent::Tool => Ok(()),
        HookEvent::SessionEnd => {
            note(&session, Event::AgentReported { event })?;
            session.sweep()
        }
        HookEvent::SubagentStop | HookEvent::Compact | HookEvent::Error | HookEvent::Abort => {
            note(&session, Event::AgentReported { event })
        }
    }
}

/// Appends one event to the session's log.
fn note(session: &Session, event: Event) -> Result<(), HookError> {
    let folder = session.log_folder()?;
    let mut log = SessionLog::lock(&folder, &session.id, WhenCapturing::Wait, time_limit::LOG_PATIENCE)?;
    Ok(log.append(event)?)
}
