//! The workspaces that the user wants to see together, kept in the user's own data folder.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::folder::Folder;
use crate::redacted::Redacted;

const NAME: &str = "workspaces.json";
const VERSION: u32 = 1;
const LARGEST: u64 = 16 * 1024 * 1024;

/// The list of workspaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptedIn {
    /// The version of this format.
    version: u32,
    /// Where each has its records, in order.
    pub workspaces: Vec<PathBuf>,
}

impl OptedIn {
    /// Reads the list in `folder`; an empty one where there is none.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let bytes = match Folder::existing(folder).and_then(|folder| folder.read(NAME, LARGEST)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { version: VERSION, workspaces: Vec::new() });
            }
            other => other?,
        };
        let list: Self = serde_json::from_slice(&bytes)?;
        if list.version > VERSION {
            let newer = format!("{} was written by a newer Hansei", folder.join(NAME).display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, newer));
        }
        Ok(list)
    }

    /// Writes the list into `folder`, which is created where it is missing.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let redacted = Redacted::new(self)?;
        // A path that lost a part would name another workspace, or none.
        if serde_json::to_value(self)? != *redacted.value() {
            let reason = "the path of a workspace looks like a secret and cannot be kept";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        Folder::named_by_user(folder)?.write_atomically(NAME, &redacted.pretty())
    }

    /// Adds a workspace. Says whether it was not there.
    pub fn add(&mut self, workspace: &Path) -> bool {
        let is_new = !self.workspaces.iter().any(|known| known == workspace);
        if is_new {
            self.workspaces.push(workspace.to_owned());
            self.workspaces.sort();
        }
        is_new
    }

    /// Takes a workspace out. Says whether it was there.
    pub fn remove(&mut self, workspace: &Path) -> bool {
        let before = self.workspaces.len();
        self.workspaces.retain(|known| known != workspace);
        self.workspaces.len() < before
    }
}

/// The user's own data folder, from the values of `XDG_DATA_HOME` and `HOME`.
pub fn user_folder(data_home: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |path: &PathBuf| path.is_absolute();
    let folder = data_home.filter(absolute).or_else(|| Some(home.filter(absolute)?.join(".local/share")))?;
    Some(folder.join("hansei"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspaces_are_added_once_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("hansei");
        let mut list = OptedIn::read(&data).unwrap();
        assert!(list.add(Path::new("/b")) && list.add(Path::new("/a")) && !list.add(Path::new("/b")));
        list.write(&data).unwrap();
        let mut again = OptedIn::read(&data).unwrap();
        assert_eq!(again.workspaces, [Path::new("/a"), Path::new("/b")]);
        assert!(again.remove(Path::new("/a")) && !again.remove(Path::new("/a")));
        std::fs::write(data.join(NAME), r#"{"version":9,"workspaces":[]}"#).unwrap();
        assert!(OptedIn::read(&data).unwrap_err().to_string().contains("newer Hansei"));
    }

    #[test]
    fn the_folder_is_the_users() {
        let of =
            |data: Option<&str>, home: Option<&str>| user_folder(data.map(Into::into), home.map(Into::into));
        assert_eq!(of(Some("/d"), Some("/h")), Some("/d/hansei".into()));
        assert_eq!(of(Some("relative"), Some("/h")), Some("/h/.local/share/hansei".into()));
        assert_eq!(of(None, Some("")), None);
    }
}
