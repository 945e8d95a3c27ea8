//! Folders, opened to be listed and gone down into.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::DirExt as _;
use cap_std::fs::{Dir, FileType};

use super::file::open_plain;
use super::{PlainFile, Refusal, RelativePath, Root};

/// An open folder below the root.
#[derive(Debug)]
pub struct OpenFolder {
    dir: Dir,
    path: PathBuf,
}

/// What is in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name.
    pub name: OsString,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry of a folder is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// A link, and what it says. Nobody followed it.
    Link(PathBuf),
    /// A pipe, a socket or a device.
    Special,
}

impl Root {
    /// Opens a folder to list.
    pub fn folder(&self, path: &RelativePath) -> Result<OpenFolder, Refusal> {
        let place = self.walk(path)?;
        if !place.missing.is_empty() {
            return Err(Refusal::NotFound { missing: place.asked });
        }
        let parent = place.folder(self);
        let opened = match &place.name {
            None => parent.try_clone(),
            Some(name) => parent.open_dir_nofollow(name),
        };
        match opened {
            Ok(dir) => Ok(OpenFolder { dir, path: place.real_path() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(Refusal::NotFound { missing: place.asked })
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                Err(Refusal::NotAFolder { path: place.asked })
            }
            Err(source) => Err(place.system(source)),
        }
    }
}

impl OpenFolder {
    /// Where it is, from the root; empty for the root itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it, by name. At most `most` entries, and whether there are more.
    pub fn entries(&self, most: usize) -> Result<(Vec<Entry>, bool), Refusal> {
        let system = |source| Refusal::System { path: self.path.clone(), source };
        let mut entries = Vec::new();
        let mut has_more = false;
        for entry in self.dir.entries().map_err(system)? {
            let entry = entry.map_err(system)?;
            if entries.len() >= most {
                has_more = true;
                break;
            }
            // Gone in the meantime is as good as never there.
            let Ok(file_type) = entry.file_type() else { continue };
            let name = entry.file_name();
            let kind = self.kind(&name, file_type);
            entries.push(Entry { name, kind });
        }
        entries.sort();
        Ok((entries, has_more))
    }

    fn kind(&self, name: &OsString, file_type: FileType) -> EntryKind {
        if file_type.is_dir() {
            EntryKind::Folder
        } else if file_type.is_file() {
            EntryKind::File
        } else if file_type.is_symlink() {
            EntryKind::Link(self.dir.read_link_contents(name).unwrap_or_default())
        } else {
            EntryKind::Special
        }
    }

    /// The folder `name` in it. A link in its place is refused.
    pub fn child(&self, name: impl AsRef<Path>) -> Result<Self, Refusal> {
        let path = self.path.join(&name);
        match self.dir.open_dir_nofollow(&name) {
            Ok(dir) => Ok(Self { dir, path }),
            Err(source) => Err(Refusal::System { path, source }),
        }
    }

    /// The plain file `name` in it, open to read. A link in its place is refused.
    pub fn file(&self, name: impl AsRef<Path>) -> Result<PlainFile, Refusal> {
        open_plain(&self.dir, name.as_ref(), self.path.join(&name))
    }
}
