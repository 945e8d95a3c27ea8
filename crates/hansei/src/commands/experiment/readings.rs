//! Which thresholds this workspace's data was read with, and when: a change of them after that is shown for ever.

use hansei_core::event::{Event, Line};
use hansei_core::experiment::registration::Registration;
use hansei_core::experiment::{Experiment, Status, registration::Standing};
use hansei_record::log;

use crate::inside_agent::append;
use crate::workspace::Workspace;

/// The workspace here, where it has records: data that is read in it is put on record.
pub fn workspace(folder: Option<&std::path::Path>) -> Option<Workspace> {
    Workspace::at(folder).ok().filter(|workspace| workspace.places.existing_log().is_ok())
}

/// How `registration` stands in `workspace`.
pub fn standing(registration: &Registration, workspace: Option<&Workspace>) -> Standing {
    let lines = workspace.map(own_log).unwrap_or_default();
    let first = lines.iter().find_map(|line| match &line.event {
        Event::ExperimentRead { registration, .. } => Some((registration.as_str(), &line.time)),
        _ => None,
    });
    registration.standing(first)
}

/// Puts on record that data was read. An experiment is an answer, so what cannot be recorded does not stop it.
pub fn record(
    workspace: &Workspace,
    experiment: Experiment,
    registration: &Registration,
    status: Status,
    n: u64,
) {
    let event = Event::ExperimentRead { experiment, registration: registration.digest.clone(), status, n };
    let _ = append(workspace, event);
}

/// The workspace's own log; empty where there is none yet.
fn own_log(workspace: &Workspace) -> Vec<Line> {
    workspace.places.existing_log().and_then(|folder| log::read_workspace(&folder)).unwrap_or_default()
}
