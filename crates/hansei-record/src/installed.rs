//! What Hansei put into other programs' settings, so that it can be taken out again to the byte.
//!
//! Hooks of the user's own settings are recorded in the user's state folder, hooks of a project in its `.hansei`.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::folder::Folder;
use crate::redacted::Redacted;

const NAME: &str = "installed.json";
const VERSION: u32 = 1;
const LARGEST: u64 = 16 * 1024 * 1024;

/// All that was installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// The version of this format.
    version: u32,
    /// One entry a settings file and agent.
    pub entries: Vec<Entry>,
}

/// What was done to one file for one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The agent.
    pub agent: String,
    /// The file.
    pub file: PathBuf,
    /// Whether the file was not there before.
    pub created: bool,
    /// Folders that were not there before, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<PathBuf>,
    /// The copy of the file as it was, if it was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<PathBuf>,
    /// What was put in, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub insertions: Vec<Insertion>,
    /// Our commands in the file, or the whole file where it is ours: whoever finds something else there knows that
    /// somebody changed it.
    pub ours: Vec<String>,
    /// The program that our MCP server is started with, where the file names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
}

impl Entry {
    /// Nothing yet that was done to `file`, which was not there before if it was `created`.
    pub fn of(agent: &str, file: &Path, created: bool) -> Self {
        Self {
            agent: agent.to_owned(),
            file: file.to_owned(),
            created,
            folders: Vec::new(),
            backup: None,
            insertions: Vec::new(),
            ours: Vec::new(),
            server: None,
        }
    }

    /// Follows texts of ours that were changed in place: what stood there, and what does now.
    pub fn replace_in_insertions(&mut self, changed: &[(String, String)]) {
        for insertion in &mut self.insertions {
            for (old, new) in changed {
                insertion.item = insertion.item.replace(old, new);
            }
        }
    }
}

/// Something that was put into a text, with the white space that came with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// The keys that lead to the object or list it was put into; none for the document's own value.
    pub inside: Option<Vec<String>>,
    /// Its key, if it is the member of an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// White space before it.
    pub lead: String,
    /// The item.
    pub item: String,
    /// White space behind it.
    pub tail: String,
}

impl Default for Installed {
    fn default() -> Self {
        Self { version: VERSION, entries: Vec::new() }
    }
}

impl Installed {
    /// Reads the record in `folder`; an empty one where there is none.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let bytes = match Folder::existing(folder).and_then(|folder| folder.read(NAME, LARGEST)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            other => other?,
        };
        let installed: Self = serde_json::from_slice(&bytes)?;
        if installed.version > VERSION {
            let newer = format!("{} was written by a newer Hansei", folder.join(NAME).display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, newer));
        }
        Ok(installed)
    }

    /// Writes the record into `folder`, or removes it when there is nothing left to record.
    pub fn write(&self, folder: &Folder) -> io::Result<()> {
        if self.entries.is_empty() {
            return folder.remove(NAME);
        }
        let redacted = Redacted::new(self)?;
        // A record that lost a part of a path could not be undone.
        if serde_json::to_value(self)? != *redacted.value() {
            let reason = "a path in the record looks like a secret and cannot be recorded";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        folder.write_atomically(NAME, &redacted.pretty())
    }

    /// The entry of `agent` in `file`.
    pub fn entry(&self, agent: &str, file: &Path) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.agent == agent && entry.file == file)
    }

    /// Puts `entry` in the place of the one for the same agent and file.
    pub fn put(&mut self, entry: Entry) {
        self.remove(&entry.agent, &entry.file);
        self.entries.push(entry);
    }

    /// Forgets the entry of `agent` in `file`.
    pub fn remove(&mut self, agent: &str, file: &Path) {
        self.entries.retain(|entry| entry.agent != agent || entry.file != file);
    }
}

/// The folder of the user's own records, from the values of `XDG_STATE_HOME` and `HOME`.
pub fn user_folder(state_home: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    let folder =
        state_home.filter(|folder| folder.is_absolute()).or_else(|| Some(home?.join(".local/state")))?;
    Some(folder.join("hansei"))
}
