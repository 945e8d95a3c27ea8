//! What `hansei off` and `hansei on` share.

use std::path::Path;

use hansei_core::event::Event;
use hansei_record::log::{SessionLog, WhenCapturing};
use serde_json::json;

use crate::failure::Failure;
use crate::inside_agent::{PATIENCE, append, cannot, refuse};
use crate::terminal;
use crate::workspace::Workspace;

/// A turn of the switch.
pub struct Switch<'a> {
    pub command: &'static str,
    pub event: Event,
    pub session: Option<&'a str>,
    pub repo: Option<&'a Path>,
    pub json: bool,
}

/// Turns it, and says so.
pub fn turn(switch: &Switch<'_>) -> Result<(), Failure> {
    let workspace = Workspace::at(switch.repo)?;
    refuse(switch.command, &workspace)?;
    match switch.session {
        None => append(&workspace, switch.event.clone())?,
        Some(session) => {
            let folder = workspace.places.log()?;
            let mut log = SessionLog::lock(&folder, session, WhenCapturing::Wait, PATIENCE)
                .map_err(|error| cannot(&error))?;
            log.append(switch.event.clone()).map_err(|error| cannot(&error))?;
        }
    }
    let off = switch.event == Event::TurnedOff;
    if switch.json {
        return terminal::print_json(&json!({ "off": off, "session": switch.session }));
    }
    let place = switch.session.map_or_else(
        || workspace.layout.root().display().to_string(),
        |session| format!("session {session}"),
    );
    let word = if off { "left alone until `hansei on`" } else { "judged again" };
    terminal::print(&format!("agents in {} are {word}\n", terminal::one_line(&place)));
    Ok(())
}
