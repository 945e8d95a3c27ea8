//! Installing Hansei into an agent and removing it: what would change, and then changing it.
//!
//! Planning reads and decides; [`apply()`] writes, and records what it did before anybody could need to undo it.

mod apply;
mod server;

use std::io;
use std::path::{Path, PathBuf};

use hansei_core::reflection::Mode;
use hansei_record::installed::{Entry, Installed};
use hansei_record::settings_file;

use crate::hook_command::{Program, hook_command};
use crate::hooks_file::{self, Found, Wanted};
use crate::settings_edit::{EditError, Edited, toml};
use crate::setup::{Hooks, UserFolders, Way};
use crate::version::Version;
use crate::{Adapter, Scope, plugin_file, servers_file, unblocker_file};

pub use apply::apply;
pub use server::{plan_server, plan_server_removal, registration};

/// Where settings and records lie.
#[derive(Debug, Clone)]
pub struct Ground {
    /// Whose settings are meant.
    pub scope: Scope,
    /// The user's folders.
    pub user: UserFolders,
    /// The root of the project.
    pub project: PathBuf,
    /// The folder that what was installed is recorded in.
    pub records: PathBuf,
}

/// What is to be installed.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The mode that our hooks are called in.
    pub mode: Mode,
    /// How our program is called.
    pub program: Program,
    /// The agent's version, if it is known.
    pub version: Option<Version>,
}

/// Why nothing can be installed or removed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A settings file cannot be edited.
    #[error("{}:{}:{}: {}", .file.display(), .error.line, .error.column, .error.message)]
    Settings {
        /// The file.
        file: PathBuf,
        /// What is wrong and where.
        error: EditError,
    },
    /// A file of somebody else is where ours would go.
    #[error("{} is there and is not Hansei's", .0.display())]
    NotOurs(PathBuf),
    /// A project's settings lie outside of the project.
    #[error("{} leads out of the project", .0.display())]
    Outside(PathBuf),
    /// A file cannot be read or written.
    #[error("{}: {source}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A change of one file.
#[derive(Debug)]
pub struct Plan {
    /// The file.
    pub file: PathBuf,
    /// What it holds; nothing where it is missing.
    pub before: Option<String>,
    /// What it will hold; nothing where it will be removed.
    pub after: Option<String>,
    /// What will be recorded of it; nothing where it is forgotten.
    entry: Option<Entry>,
    adapter: &'static Adapter,
}

impl Plan {
    /// Whether nothing of ours is recorded for the file afterwards.
    pub fn is_last(&self) -> bool {
        self.entry.is_none()
    }

    /// Whether the file changes.
    pub fn changes(&self) -> bool {
        self.before != self.after
    }
}

/// The settings file that Hansei is in, or would go to.
pub fn settings_file(adapter: &Adapter, ground: &Ground) -> Result<PathBuf, InstallError> {
    let folder = adapter.setup.folder(ground.scope, &ground.user, &ground.project);
    match &adapter.setup.way {
        Way::Plugin { file, .. } => Ok(folder.join(file)),
        Way::Hooks(hooks) => {
            let json = folder.join(hooks.file);
            let Some(toml) = hooks.toml_instead.map(|name| folder.join(name)) else {
                return Ok(json);
            };
            let in_settings = |file: &Path, error| InstallError::Settings { file: file.to_owned(), error };
            let ours_in_json = match read(&json)? {
                Some(text) => !hooks_file::found(&text, adapter.name).unwrap_or_default().is_empty(),
                None => false,
            };
            let taken = match read(&toml)? {
                Some(text) => toml::holds_hooks(&text).map_err(|error| in_settings(&toml, error))?,
                None => false,
            };
            Ok(if taken && !ours_in_json { toml } else { json })
        }
    }
}

/// What installing would change.
pub fn plan(adapter: &'static Adapter, ground: &Ground, wish: &Wish) -> Result<Plan, InstallError> {
    let file = settings_file(adapter, ground)?;
    stays_inside(&file, ground)?;
    let before = read(&file)?;
    let records = recorded(&ground.records)?;
    let earlier = records.entry(adapter.name, &file).cloned();
    let (edited, ours) = match &adapter.setup.way {
        Way::Plugin { .. } => {
            if before.as_deref().is_some_and(|text| plugin_file::recognise(text).is_none()) {
                return Err(InstallError::NotOurs(file));
            }
            let text = plugin_file::content(adapter.name, &wish.program, wish.mode, ground.scope);
            let ours = vec![text.clone()];
            (Edited { text, insertions: Vec::new(), changed: Vec::new() }, ours)
        }
        Way::Hooks(hooks) => {
            let wanted = wanted(adapter, hooks, wish, ground.scope);
            let text = before.as_deref().unwrap_or_default();
            let edit = if is_toml(&file) { toml::install } else { hooks_file::install };
            let edited = edit(text, adapter.name, &wanted)
                .map_err(|error| InstallError::Settings { file: file.clone(), error })?;
            (edited, wanted.into_iter().map(|hook| hook.command).collect())
        }
    };
    // What somebody else installed and we only found needs no record: removing it is worked out from what is there.
    let entry = if before.as_deref() == Some(edited.text.as_str())
        || (earlier.is_none() && edited.insertions.is_empty() && before.is_some())
    {
        earlier.map(|entry| Entry { ours, ..entry })
    } else {
        let mut entry = earlier.unwrap_or_else(|| Entry::of(adapter.name, &file, before.is_none()));
        entry.replace_in_insertions(&edited.changed);
        entry.insertions.extend(edited.insertions);
        Some(Entry { ours, ..entry })
    };
    Ok(Plan { file, before, after: Some(edited.text), entry, adapter })
}

/// What installing the unblocker would change, where the agent takes agents of others.
pub fn plan_unblocker(adapter: &'static Adapter, ground: &Ground) -> Result<Option<Plan>, InstallError> {
    let Way::Plugin { unblocker, .. } = &adapter.setup.way else { return Ok(None) };
    let file = adapter.setup.folder(ground.scope, &ground.user, &ground.project).join(unblocker);
    stays_inside(&file, ground)?;
    let before = read(&file)?;
    if before.as_deref().is_some_and(|text| !unblocker_file::is_ours(text)) {
        return Err(InstallError::NotOurs(file));
    }
    let text = unblocker_file::CONTENT.to_owned();
    let earlier = recorded(&ground.records)?.entry(adapter.name, &file).cloned();
    let entry = match earlier {
        // What a teammate installed is found again by what it says.
        None if before.is_some() => None,
        earlier => {
            let entry = earlier.unwrap_or_else(|| Entry::of(adapter.name, &file, true));
            Some(Entry { ours: vec![text.clone()], ..entry })
        }
    };
    Ok(Some(Plan { file, before, after: Some(text), entry, adapter }))
}

fn wanted(adapter: &Adapter, hooks: &Hooks, wish: &Wish, scope: Scope) -> Vec<Wanted> {
    let hooks = hooks.known_to(wish.version).map(|hook| {
        let command = hook_command(&wish.program, adapter.name, hook.event, wish.mode, scope);
        let literal = serde_json::Value::from(command.as_str()).to_string();
        let handler = (hooks.handler)(&literal, hook.seconds);
        Wanted { event: hook.name, command, handler, seconds: hook.seconds }
    });
    hooks.collect()
}

/// What removing would change, one plan a file; none where nothing of ours is there.
pub fn plan_removal(adapter: &'static Adapter, ground: &Ground) -> Result<Vec<Plan>, InstallError> {
    let records = recorded(&ground.records)?;
    let usual = adapter.setup.files(ground.scope, &ground.user, &ground.project);
    let files = with_recorded(usual, adapter, &records, |entry| !entry.ours.is_empty());
    let plans = files.into_iter().map(|file| removal_from(adapter, ground, &records, file));
    Ok(plans.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// These files and those of the records, each once: the agent's folder may have been elsewhere when it was installed.
fn with_recorded(
    mut files: Vec<PathBuf>,
    adapter: &Adapter,
    records: &Installed,
    is_meant: fn(&Entry) -> bool,
) -> Vec<PathBuf> {
    let elsewhere = records.entries.iter().filter(|entry| entry.agent == adapter.name && is_meant(entry));
    files.extend(elsewhere.map(|entry| entry.file.clone()));
    files.sort();
    files.dedup();
    files
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
    let serves = entry.is_some_and(|entry| entry.server.is_some());
    if serves && entry.is_some_and(|entry| entry.ours.is_empty()) {
        // Only our server is there, and that is not asked about.
        return Ok(None);
    }
    let Some(text) = before.clone() else {
        // The file is gone, and with it what we put in: only the record is left.
        return Ok(entry.map(|_| Plan { file, before: None, after: None, entry: None, adapter }));
    };
    let after = match &adapter.setup.way {
        Way::Plugin { .. } if plugin_file::recognise(&text).is_none() && !unblocker_file::is_ours(&text) => {
            return Ok(None);
        }
        Way::Plugin { .. } => None,
        Way::Hooks(_) => {
            let insertions = entry.map_or(&[][..], |entry| &entry.insertions);
            let in_settings = |error| InstallError::Settings { file: file.clone(), error };
            if entry.is_none() && found_in(&file, &text, adapter.name).map_err(in_settings)?.is_empty() {
                return Ok(None);
            }
            let edit = if is_toml(&file) { toml::uninstall } else { hooks_file::uninstall };
            let left = edit(&text, adapter.name, insertions).map_err(in_settings)?;
            if let Some(entry) = entry.filter(|_| serves) {
                // The server stays, and with it what was put in for both.
                let mut entry = Entry { ours: Vec::new(), ..entry.clone() };
                entry.insertions.retain(|insertion| {
                    insertion.inside.is_none()
                        || servers_file::is_for_server(insertion, &adapter.setup.servers)
                });
                return Ok(Some(Plan { file, before, after: Some(left), entry: Some(entry), adapter }));
            }
            let ours_alone = entry.is_some_and(|entry| entry.created) && left.trim().is_empty();
            (!ours_alone).then_some(left)
        }
    };
    Ok(Some(Plan { file, before, after, entry: None, adapter }))
}

/// Our hooks in the text of a settings file.
pub fn found_in(file: &Path, text: &str, agent: &str) -> Result<Vec<Found>, EditError> {
    if is_toml(file) { toml::found(text, agent) } else { hooks_file::found(text, agent) }
}

/// What is recorded in `folder`.
pub fn recorded(folder: &Path) -> Result<Installed, InstallError> {
    Installed::read(folder).map_err(|source| InstallError::Io { file: folder.join("installed.json"), source })
}

fn read(file: &Path) -> Result<Option<String>, InstallError> {
    settings_file::read(file).map_err(|source| InstallError::Io { file: file.to_owned(), source })
}

fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

/// A repository must not lead us to write elsewhere by a link in the place of its settings.
fn stays_inside(file: &Path, ground: &Ground) -> Result<(), InstallError> {
    if ground.scope == Scope::User {
        return Ok(());
    }
    let there = file.ancestors().find_map(|part| part.canonicalize().ok());
    let root = ground.project.canonicalize().unwrap_or_else(|_| ground.project.clone());
    match there {
        Some(there) if there.starts_with(&root) => Ok(()),
        _ => Err(InstallError::Outside(file.to_owned())),
    }
}
