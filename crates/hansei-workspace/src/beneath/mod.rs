//! Files below one folder, for whoever must not leave it: the tools that an agent edits with.
//!
//! The folder is opened once. Every path is then walked one name at a time, from open folder to open folder, never
//! following a link that was not read and resolved here first; so a link may lead anywhere inside, none leads out, and
//! swapping a folder for a link between a look and a use gains nothing: what was opened stays what it was.
//!
//! Only plain files and folders are opened. A pipe or a device is refused without waiting for it. A file with more than
//! one name is refused, for reading too: its other name may lie outside, and nothing tells whether it does.

mod file;
mod folder;
mod refusal;
mod spelling;
mod walk;
mod writing;

use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

pub use file::{Original, PlainFile};
pub use folder::{Entry, EntryKind, OpenFolder};
pub use refusal::Refusal;
pub use spelling::RelativePath;

/// The folder that nothing here leaves.
#[derive(Debug)]
pub struct Root {
    dir: Dir,
    /// How the folder may be spelled at the front of a link's target: as it was named, and without links.
    spellings: Vec<PathBuf>,
}

impl Root {
    /// Opens the folder, following links on the way: it was named by the user.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())?;
        let mut spellings = vec![std::path::absolute(path)?, path.canonicalize()?];
        spellings.dedup();
        Ok(Self { dir, spellings })
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
