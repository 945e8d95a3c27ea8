//! The user's word that the gate is open: every report that is made while it stands shows it.

use hansei_core::gate::Override;
use hansei_record::log;
use serde::Serialize;

use crate::terminal;
use crate::workspace::Workspace;

/// A report in JSON, with the override that stands.
#[derive(Debug, Serialize)]
pub struct Shown<T> {
    #[serde(flatten)]
    report: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    gate_override: Option<Override>,
}

/// The override that stands in `workspace`.
pub fn standing(workspace: &Workspace) -> Option<Override> {
    let folder = workspace.places.existing_log().ok()?;
    Override::standing(&log::read_workspace(&folder).ok()?)
}

/// `report` with the override that stands in `workspace`.
pub fn shown<T: Serialize>(workspace: Option<&Workspace>, report: T) -> Shown<T> {
    Shown { report, gate_override: workspace.and_then(standing) }
}

/// The override that stands in `workspace`, as a line at the end of a report; nothing where none does.
pub fn line(workspace: Option<&Workspace>) -> String {
    let standing = workspace.and_then(standing);
    standing.map_or_else(String::new, |standing| format!("\n{}\n", terminal::one_line(&standing.line())))
}
