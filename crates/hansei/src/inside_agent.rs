//! Commands that are the user's alone: an agent that is judged has a shell, and must not use it to have its way.

use hansei_agents::attendance::started_by;
use hansei_core::event::Event;
use hansei_record::log::{LogError, SessionLog};
use hansei_workspace::ancestry;

use crate::failure::Failure;
use crate::workspace::Workspace;

/// How long another writer of the log is waited for.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(3);

/// Refuses `command` inside an agent's process tree, and puts the try on record.
pub fn refuse(command: &str, workspace: &Workspace) -> Result<(), Failure> {
    let variable = |name: &str| std::env::var(name).ok();
    let Some(by) = started_by(&variable, &ancestry::command_lines()) else { return Ok(()) };
    let event = Event::RefusedInsideAgent { command: command.to_owned(), by: by.clone() };
    // Refused either way; the record is for whoever looks later.
    let _ = append(workspace, event);
    Err(Failure::refused(format!("`hansei {command}` is yours, and this shell is an agent's ({by})"))
        .hint("use a terminal of your own, or type `/hansei off` in the chat"))
}

/// Appends an event to the workspace's own log.
pub fn append(workspace: &Workspace, event: Event) -> Result<(), Failure> {
    let folder = workspace.places.log()?;
    let mut log = SessionLog::lock_workspace(&folder, PATIENCE).map_err(|error| cannot(&error))?;
    log.append(event).map_err(|error| cannot(&error))?;
    log.sync().map_err(|error| cannot(&error))
}

/// A log that cannot be written.
pub fn cannot(error: &LogError) -> Failure {
    Failure::environment(error.to_string())
}
