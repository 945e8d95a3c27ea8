//! Carrying out a plan, and recording it before anybody could need to undo it.

use std::io;
use std::path::PathBuf;

use hansei_record::folder::Folder;
use hansei_record::installed::Entry;
use hansei_record::settings_file;

use super::{InstallError, Plan, recorded};
use crate::setup::Way;

/// Carries out a plan. Gives where the copy of the file as it was lies, if one was made or is still there.
pub fn apply(plan: &Plan, records: &Folder) -> Result<Option<PathBuf>, InstallError> {
    let io_error = |source| InstallError::Io { file: plan.file.clone(), source };
    let mut installed = recorded(records.path())?;
    let earlier = installed.entry(plan.adapter.name, &plan.file).cloned();
    match (&plan.after, &plan.entry) {
        (Some(after), Some(entry)) => {
            let mut entry = entry.clone();
            if plan.changes() && entry.backup.is_none() && !entry.created {
                let before = plan.before.as_deref().unwrap_or_default();
                let backup = settings_file::back_up(records, plan.adapter.name, &plan.file, before);
                entry.backup = Some(backup.map_err(io_error)?);
            }
            // Recorded first: a record of something that did not happen does no harm, the reverse does.
            installed.put(entry.clone());
            installed.write(records).map_err(io_error)?;
            if plan.changes() {
                let created =
                    settings_file::replace(&plan.file, plan.before.as_deref(), after).map_err(io_error)?;
                if !created.is_empty() {
                    entry.folders = created;
                    installed.put(entry.clone());
                    installed.write(records).map_err(io_error)?;
                }
            }
            Ok(entry.backup)
        }
        (after, _) => {
            let mut changed_plugin = None;
            let folders = earlier.as_ref().map_or(&[][..], |entry| &entry.folders);
            match after {
                Some(after) if plan.changes() => {
                    settings_file::replace(&plan.file, plan.before.as_deref(), after).map_err(io_error)?;
                }
                Some(_) => {}
                None => {
                    changed_plugin =
                        keep_changed_plugin(plan, earlier.as_ref(), records).map_err(io_error)?;
                    settings_file::remove(&plan.file, folders).map_err(io_error)?;
                }
            }
            installed.remove(plan.adapter.name, &plan.file);
            // A folder that another agent's file still needs goes with that one.
            for entry in &mut installed.entries {
                let shared =
                    folders.iter().filter(|folder| entry.file.starts_with(folder) && folder.is_dir());
                entry.folders.splice(0..0, shared.cloned().collect::<Vec<_>>());
            }
            installed.write(records).map_err(io_error)?;
            let backup = changed_plugin.or(earlier.and_then(|entry| entry.backup));
            let restored = backup
                .as_deref()
                .is_some_and(|backup| settings_file::read(backup).is_ok_and(|copy| copy == plan.after));
            // A copy of what is there again is of no use.
            settings_file::tidy(records.path(), backup.as_deref().filter(|_| restored));
            Ok(backup.filter(|_| !restored))
        }
    }
}

/// Keeps a copy of a plugin that somebody changed, before it goes.
fn keep_changed_plugin(plan: &Plan, entry: Option<&Entry>, records: &Folder) -> io::Result<Option<PathBuf>> {
    match (&plan.adapter.setup.way, &plan.before, entry) {
        (Way::Plugin { .. }, Some(text), Some(entry))
            if !entry.ours.is_empty() && !entry.ours.contains(text) =>
        {
            settings_file::back_up(records, plan.adapter.name, &plan.file, text).map(Some)
        }
        _ => Ok(None),
    }
}
