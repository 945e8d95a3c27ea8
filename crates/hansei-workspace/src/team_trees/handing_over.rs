//! The way back: what a team changed reaches the user's files, all of it or nothing.
//!
//! Every file is looked at before one is written. Where one is not what the team began from, somebody else was at work
//! there meanwhile, and nothing is written.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::merging::shown;
use super::{TeamTrees, TreesError, WHOLE};
use crate::git::GitError;
use crate::layout::path_from_bytes;
use crate::protected::is_protected;
use crate::tree_files;

/// The work of a team as a change of the user's files.
#[derive(Debug)]
pub struct HandedOver {
    changes: Vec<Change>,
    /// The files that it changes.
    pub files: Vec<String>,
    /// The same as a patch that `git apply` takes.
    pub patch: Vec<u8>,
}

/// Why a change is not in the user's files.
#[derive(Debug, thiserror::Error)]
pub enum NotApplied {
    /// Nothing was written.
    #[error("{0}")]
    Refused(String),
    /// Some of it was.
    #[error("only some of it could be written: {0}")]
    Partly(String),
}

/// A file before and after.
#[derive(Debug)]
struct Change {
    path: Vec<u8>,
    before: Option<File>,
    after: Option<File>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct File {
    kind: Kind,
    content: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Executable,
    Link,
}

impl TeamTrees {
    /// What the team changed.
    pub fn work(&mut self) -> Result<HandedOver, TreesError> {
        self.settle()?;
        let git = self.git_of(WHOLE)?;
        let range = ["--no-ext-diff", "--no-textconv", "--no-renames", &self.base, &self.head];
        let raw = git.ask(&[&["diff-tree", "-r", "-z", "--raw"][..], &range].concat())?;
        let patch = git.ask(&[&["diff", "--binary", "--full-index"][..], &range].concat())?;
        let (mut changes, mut wanted) = (Vec::new(), Vec::new());
        let mut parts = raw.split(|byte| *byte == 0).filter(|part| !part.is_empty());
        while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
            let head = std::str::from_utf8(head).map_err(|_| GitError::Unreadable("diff-tree"))?;
            let fields: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
            let [before, after, object_before, object_after, ..] = fields.as_slice() else {
                return Err(GitError::Unreadable("diff-tree").into());
            };
            let at = changes.len();
            for (mode, object, is_after) in [(before, object_before, false), (after, object_after, true)] {
                if let Some(kind) = kind(mode, path)? {
                    wanted.push((at, kind, (*object).to_owned(), is_after));
                }
            }
            changes.push(Change { path: path.to_vec(), before: None, after: None });
        }
        let objects: Vec<String> = wanted.iter().map(|(_, _, object, _)| object.clone()).collect();
        tree_files::contents(&git, &objects, |number, content| {
            let (at, kind, _, is_after) = &wanted[number];
            let file = Some(File { kind: *kind, content });
            if *is_after {
                changes[*at].after = file;
            } else {
                changes[*at].before = file;
            }
            Ok(())
        })?;
        let files = shown(&changes.iter().map(|change| change.path.clone()).collect::<Vec<_>>());
        Ok(HandedOver { changes, files, patch })
    }

    /// Puts it into the user's files.
    pub fn apply(&self, work: &HandedOver) -> Result<(), NotApplied> {
        let path_of = |change: &Change| path_from_bytes(&change.path);
        let gone: BTreeSet<PathBuf> =
            work.changes.iter().filter(|change| change.after.is_none()).map(path_of).collect();
        let mut changed = Vec::new();
        for change in &work.changes {
            let path = path_of(change);
            if is_protected(&path) {
                let path = path.display();
                return Err(NotApplied::Refused(format!("it changes {path}, which is protected")));
            }
            let is_as_before = if self.root.join(&path).symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
                change.before.is_none() && goes_wholly(&self.root, &path, &gone)
            } else {
                now(&self.root.join(&path)).ok().as_ref() == Some(&change.before)
            };
            if !is_as_before || leads_elsewhere(&self.root, &path, &gone) {
                changed.push(change.path.clone());
            }
        }
        if !changed.is_empty() {
            let files = shown(&changed).join(", ");
            return Err(NotApplied::Refused(format!("somebody else changed {files} meanwhile")));
        }
        // What goes makes room: a file may become a folder, and a folder a file.
        let (going, coming): (Vec<&Change>, Vec<&Change>) =
            work.changes.iter().partition(|change| change.after.is_none());
        for change in going.into_iter().chain(coming) {
            let path = self.root.join(path_of(change));
            put(&self.root, &path, change.after.as_ref())
                .map_err(|error| NotApplied::Partly(format!("{}: {error}", path.display())))?;
        }
        Ok(())
    }
}

fn kind(mode: &str, path: &[u8]) -> Result<Option<Kind>, TreesError> {
    match mode {
        "000000" => Ok(None),
        "100644" => Ok(Some(Kind::Plain)),
        "100755" => Ok(Some(Kind::Executable)),
        "120000" => Ok(Some(Kind::Link)),
        _ => {
            let path = path_from_bytes(path);
            Err(TreesError::Impossible(format!("{} became a repository of its own", path.display())))
        }
    }
}

/// Whether something above the path is a link or no folder, and does not go.
fn leads_elsewhere(root: &Path, path: &Path, gone: &BTreeSet<PathBuf>) -> bool {
    let above = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
    above
        .filter(|above| !gone.contains(*above))
        .any(|above| root.join(above).symlink_metadata().is_ok_and(|meta| !meta.is_dir()))
}

/// Whether nothing is left of a folder when these paths are gone.
fn goes_wholly(root: &Path, folder: &Path, gone: &BTreeSet<PathBuf>) -> bool {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return false };
    entries.flatten().all(|entry| {
        let path = folder.join(entry.file_name());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder { goes_wholly(root, &path, gone) } else { gone.contains(&path) }
    })
}

/// What is at a path.
fn now(path: &Path) -> io::Result<Option<File>> {
    let meta = match path.symlink_metadata() {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    if meta.is_symlink() {
        let content = fs::read_link(path)?.as_os_str().as_encoded_bytes().to_vec();
        return Ok(Some(File { kind: Kind::Link, content }));
    }
    if !meta.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let kind = if is_executable(&meta) { Kind::Executable } else { Kind::Plain };
    Ok(Some(File { kind, content: fs::read(path)? }))
}

/// Makes a path what it is to be: whole or not at all.
fn put(root: &Path, path: &Path, after: Option<&File>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(root);
    let Some(file) = after else {
        fs::remove_file(path)?;
        // git knows no empty folders.
        for above in folder.ancestors().take_while(|above| *above != root) {
            if fs::remove_dir(above).is_err() {
                break;
            }
        }
        return Ok(());
    };
    fs::create_dir_all(folder)?;
    let mut temporary = tempfile::Builder::new().prefix(".hansei-").tempfile_in(folder)?;
    if file.kind == Kind::Link {
        let place = temporary.path().to_owned();
        drop(temporary);
        link(&path_from_bytes(&file.content), &place)?;
        return fs::rename(&place, path);
    }
    temporary.write_all(&file.content)?;
    let mode = path.symlink_metadata().ok().filter(fs::Metadata::is_file).map(|meta| meta.permissions());
    set_permissions(temporary.path(), mode, file.kind == Kind::Executable)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(unix)]
fn link(target: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn is_executable(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    meta.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

/// As the file that it replaces; a new one as others are here, by the mask of the process.
#[cfg(unix)]
fn set_permissions(file: &Path, like: Option<fs::Permissions>, executable: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let usual = || 0o666 & !mask();
    let mode = like.map_or_else(usual, |like| like.mode() & 0o777);
    // Whoever may read it may run it.
    let run = if executable { (mode & 0o444) >> 2 } else { 0 };
    fs::set_permissions(file, fs::Permissions::from_mode((mode & !0o111) | run))
}

#[cfg(unix)]
fn mask() -> u32 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = text.lines().find_map(|line| line.strip_prefix("Umask:"));
    mask.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or(0o022)
}

#[cfg(not(unix))]
fn set_permissions(_: &Path, _: Option<fs::Permissions>, _: bool) -> io::Result<()> {
    Ok(())
}
