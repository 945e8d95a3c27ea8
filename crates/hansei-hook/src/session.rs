//! The session that a hook call speaks of, and where its records lie.

use std::path::PathBuf;

use hansei_agents::payload::{self, Payload, Unreadable};
use hansei_agents::transcript::Live;
use hansei_agents::{Adapter, adapter_named, names_of};
use hansei_core::session_name;
use hansei_record::folder::Folder;
use hansei_record::places::Places;
use hansei_workspace::layout::Layout;
use serde_json::value::RawValue;

use crate::HookError;
use crate::environment::Environment;
use crate::standard_input::{self, Input, LARGEST};
use crate::time_limit::TimeLimit;

/// The longest id that records carry whole.
const LONGEST_ID: usize = 16 * 1024;

/// A session as a hook call names it.
#[derive(Debug)]
pub(crate) struct Session {
    /// The agent's id for it, or `unknown`.
    pub(crate) id: String,
    /// Where it works.
    pub(crate) layout: Layout,
    /// Where its records lie.
    pub(crate) places: Places,
    /// What the payload failed to say.
    pub(crate) gaps: Vec<String>,
    /// What the agent says about the session.
    pub(crate) payload: Payload,
    /// The session's messages, where they came with the payload.
    pub(crate) messages: Option<Box<RawValue>>,
}

impl Session {
    /// Reads the payload and finds the workspace. What is missing is noted and replaced, never an error.
    pub(crate) fn receive(agent: Option<&str>, environment: &Environment, limit: &TimeLimit) -> Self {
        let mut gaps = Vec::new();
        let mut messages = None;
        let payload = match standard_input::read(limit.payload()) {
            Input::Whole(bytes) => {
                let is_sent = |adapter: &Adapter| matches!(adapter.live, Live::Sent(_));
                if agent.and_then(adapter_named).is_some_and(is_sent) {
                    messages = payload::messages(&bytes);
                }
                payload::read(&bytes, names_of(agent))
            }
            Input::TooLarge => Err(Unreadable::TooLarge(LARGEST)),
        };
        let mut payload = payload.unwrap_or_else(|error| {
            gaps.push(error.to_string());
            Payload::default()
        });
        gaps.extend(payload.odd.iter().map(|field| format!("the payload's {field} is not of its type")));
        let id = match payload.session_id.take() {
            Some(id) if !id.is_empty() => id,
            _ => {
                if gaps.is_empty() {
                    gaps.push("the payload names no session".to_owned());
                }
                session_name::UNKNOWN.to_owned()
            }
        };
        let layout = layout(payload.cwd.clone(), environment, &mut gaps);
        let places =
            Places::new(layout.home(), environment.reflections.clone(), environment.self_report.clone());
        Self { id: id.chars().take(LONGEST_ID).collect(), layout, places, gaps, payload, messages }
    }

    /// Whether the agent said which session this is.
    pub(crate) fn is_known(&self) -> bool {
        self.id != session_name::UNKNOWN
    }

    /// The folder of the logs.
    pub(crate) fn log_folder(&self) -> Result<Folder, HookError> {
        self.places.log().map_err(|source| HookError::Io { what: "the log folder cannot be opened", source })
    }

    /// Removes what dead writers left.
    pub(crate) fn sweep(&self) -> Result<(), HookError> {
        match self.places.existing_reflections().and_then(|folder| folder.sweep()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(HookError::Io { what: "old temporary files cannot be removed", source: error })
            }
            _ => Ok(()),
        }
    }
}

/// The repository that the session belongs to: the one it was started in. An agent that has gone to another work tree of
/// it changes files there; one that has gone elsewhere still is the same session, with the same records.
fn layout(cwd: Option<PathBuf>, environment: &Environment, gaps: &mut Vec<String>) -> Layout {
    let now = Layout::of(&working_folder(cwd, environment, gaps));
    let project = environment.project.as_deref().filter(|folder| folder.is_absolute() && folder.is_dir());
    match project.map(Layout::of) {
        Some(project) if project.home() != now.home() => project,
        _ => now,
    }
}

fn working_folder(named: Option<PathBuf>, environment: &Environment, gaps: &mut Vec<String>) -> PathBuf {
    match named {
        Some(folder) if folder.is_absolute() && folder.is_dir() => folder,
        Some(_) => {
            gaps.push("the payload's cwd is not a folder".to_owned());
            environment.folder.clone()
        }
        None => environment.folder.clone(),
    }
}
