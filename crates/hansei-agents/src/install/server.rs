//! Registering our MCP server in an agent's settings, and taking the registration out again.
//!
//! Hooks and server may stand in the same file. There is one record of a file, so that whichever goes last takes what is
//! left of ours with it.

use std::path::PathBuf;

use hansei_record::installed::{Entry, Installed};

use super::{Ground, InstallError, Plan, read, recorded, stays_inside, with_recorded};
use crate::hook_command::Program;
use crate::servers_file::{self, Registered};
use crate::{Adapter, Scope};

/// The file that our server stands in, or would go to.
fn file(adapter: &Adapter, ground: &Ground) -> Result<PathBuf, InstallError> {
    let files = (adapter.setup.servers.files)(&adapter.setup, ground.scope, &ground.user, &ground.project);
    let mut there = Vec::new();
    for file in &files {
        if let Some(text) = read(file)? {
            if is_registered(adapter, file, &text) {
                return Ok(file.clone());
            }
            there.push(file);
        }
    }
    Ok(there.first().copied().or(files.last()).cloned().unwrap_or_default())
}

fn is_registered(adapter: &Adapter, file: &std::path::Path, text: &str) -> bool {
    let known = servers_file::registered(file, text, &adapter.setup.servers);
    matches!(known, Ok(Registered::Ours { .. }))
}

/// Our server where it is registered: the file, and the program that it is started with.
pub fn registration(adapter: &Adapter, ground: &Ground) -> Option<(PathBuf, String)> {
    let file = file(adapter, ground).ok()?;
    let text = read(&file).ok()??;
    match servers_file::registered(&file, &text, &adapter.setup.servers) {
        Ok(Registered::Ours { program, .. }) => Some((file, program)),
        _ => None,
    }
}

/// What registering the server would change.
pub fn plan_server(
    adapter: &'static Adapter,
    ground: &Ground,
    program: &Program,
) -> Result<Plan, InstallError> {
    let file = file(adapter, ground)?;
    stays_inside(&file, ground)?;
    let before = read(&file)?;
    // A project's files are shared: only the name fits everybody's machine.
    let program = if ground.scope == Scope::Project { "hansei" } else { program.path() };
    let text = before.as_deref().unwrap_or_default();
    let edited = servers_file::install(&file, text, &adapter.setup.servers, program)
        .map_err(|error| InstallError::Settings { file: file.clone(), error })?;
    let earlier = recorded(&ground.records)?.entry(adapter.name, &file).cloned();
    // One that somebody else registered needs no record: removing it is worked out from what is there.
    let entry = if earlier.is_none() && edited.insertions.is_empty() {
        None
    } else {
        let mut entry = earlier.unwrap_or_else(|| Entry::of(adapter.name, &file, before.is_none()));
        entry.replace_in_insertions(&edited.changed);
        entry.insertions.extend(edited.insertions);
        entry.server = Some(program.to_owned());
        Some(entry)
    };
    Ok(Plan { file, before, after: Some(edited.text), entry, adapter })
}

/// What taking the registration out would change, one plan a file; none where it is not registered.
pub fn plan_server_removal(adapter: &'static Adapter, ground: &Ground) -> Result<Vec<Plan>, InstallError> {
    let records = recorded(&ground.records)?;
    let usual = (adapter.setup.servers.files)(&adapter.setup, ground.scope, &ground.user, &ground.project);
    let files = with_recorded(usual, adapter, &records, |entry| entry.server.is_some());
    let plans = files.into_iter().map(|file| removal_from(adapter, ground, &records, file));
    Ok(plans.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn removal_from(
    adapter: &'static Adapter,
    ground: &Ground,
    records: &Installed,
    file: PathBuf,
) -> Result<Option<Plan>, InstallError> {
    stays_inside(&file, ground)?;
    let before = read(&file)?;
    let entry = records.entry(adapter.name, &file);
    let is_recorded = entry.is_some_and(|entry| entry.server.is_some());
    let has_hooks = entry.is_some_and(|entry| !entry.ours.is_empty());
    let Some(text) = before.clone() else {
        let gone = is_recorded && !has_hooks;
        return Ok(gone.then_some(Plan { file, before: None, after: None, entry: None, adapter }));
    };
    let in_settings = |error| InstallError::Settings { file: file.clone(), error };
    let servers = &adapter.setup.servers;
    let known = servers_file::registered(&file, &text, servers);
    if !is_recorded && !matches!(known, Ok(Registered::Ours { .. })) {
        return Ok(None);
    }
    let insertions = entry.map_or(&[][..], |entry| &entry.insertions);
    let left = servers_file::uninstall(&file, &text, servers, insertions).map_err(in_settings)?;
    if let Some(entry) = entry.filter(|_| has_hooks) {
        // The hooks stay, and with them what was put in for both.
        let mut entry = Entry { server: None, ..entry.clone() };
        entry.insertions.retain(|insertion| !servers_file::is_for_server(insertion, servers));
        return Ok(Some(Plan { file, before, after: Some(left), entry: Some(entry), adapter }));
    }
    let ours_alone = entry.is_some_and(|entry| entry.created) && left.trim().is_empty();
    Ok(Some(Plan { file, before, after: (!ours_alone).then_some(left), entry: None, adapter }))
}
