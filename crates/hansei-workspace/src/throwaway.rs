//! A tree that is made for one purpose and removed afterwards: a commit's files, or those of a work tree, in the
//! temporary folder.
//!
//! Nothing is written into the user's repository: no linked work tree that would have to be pruned, no hook, no filter.
//! Where the files come from a repository, the copy is one too, with a single commit, because tests ask git things. What
//! was installed beside the sources (`node_modules`, `.venv`) is linked, and may be read only.

use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use crate::git::{Git, GitError};
use crate::layout::path_from_bytes;
use crate::tree_files::{self, Entry};

/// Folders that are linked rather than made anew.
const INSTALLED: &[&str] = &["node_modules", ".venv", "venv", "vendor"];
/// A copy of more files than this is no repository: adding them would take longer than it is worth.
const MOST_ADDED: usize = 20_000;

/// A tree that goes with this value.
#[derive(Debug)]
pub struct Throwaway {
    folder: TempDir,
    root: PathBuf,
    readable: Vec<PathBuf>,
}

/// Why a tree could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ThrowawayError {
    /// git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file could not be written.
    #[error("a temporary copy of the workspace could not be made: {0}")]
    Io(#[from] io::Error),
}

impl Throwaway {
    /// The files of a commit.
    pub fn of_commit(git: &Git, commit: &str) -> Result<Self, ThrowawayError> {
        let tree = Self::empty()?;
        let entries = tree_files::of_commit(git, commit)?;
        // Links last: nothing is written through one.
        let (links, files): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| entry.mode == "120000");
        let count = files.len() + links.len();
        for (entries, are_links) in [(files, false), (links, true)] {
            let objects: Vec<String> = entries.iter().map(|entry| entry.object.clone()).collect();
            tree_files::contents(git, &objects, |at, content| {
                let entry = &entries[at];
                let Some(place) = tree.place(&entry.path)? else { return Ok(()) };
                if are_links {
                    return link(&path_from_bytes(&content), &place);
                }
                std::fs::write(&place, content)?;
                if entry.mode == "100755" { make_executable(&place) } else { Ok(()) }
            })?;
        }
        tree.become_repository(git, count);
        Ok(tree)
    }

    /// A copy of these files of a work tree.
    pub fn of_now(root: &Path, paths: &[Vec<u8>], git: Option<&Git>) -> Result<Self, ThrowawayError> {
        let tree = Self::empty()?;
        for path in paths {
            let Some(place) = tree.place(path)? else { continue };
            let from = root.join(path_from_bytes(path));
            let meta = from.symlink_metadata()?;
            if meta.is_symlink() {
                link(&std::fs::read_link(&from)?, &place)?;
            } else if meta.is_file() {
                std::fs::copy(&from, &place)?;
            }
        }
        if let Some(git) = git {
            tree.become_repository(git, paths.len());
        }
        Ok(tree)
    }

    fn empty() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("hansei-verify-").tempdir()?;
        let root = folder.path().canonicalize()?.join("tree");
        std::fs::create_dir(&root)?;
        Ok(Self { folder, root, readable: Vec::new() })
    }

    /// Where the tree is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A folder beside the tree, for what belongs to neither.
    pub fn beside(&self) -> &Path {
        self.folder.path()
    }

    /// What its links lead to.
    pub fn readable(&self) -> &[PathBuf] {
        &self.readable
    }

    /// Writes a file of the tree.
    pub fn write(&self, path: &str, text: &str) -> io::Result<()> {
        let place = self.place(path.as_bytes())?;
        let place = place
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a path that leads elsewhere"))?;
        std::fs::write(place, text)
    }

    /// Links what was installed in these folders of `root`, the root itself among them.
    pub fn link_installed<'a>(
        &mut self,
        root: &Path,
        folders: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<()> {
        for folder in folders.into_iter().chain([""]) {
            for name in INSTALLED {
                let target = root.join(folder).join(name);
                let place = self.root.join(folder).join(name);
                // A link would show whatever it leads to.
                let is_folder = target.symlink_metadata().is_ok_and(|meta| meta.is_dir());
                let is_free = place.symlink_metadata().is_err() && place.parent().is_some_and(Path::is_dir);
                if is_folder && is_free {
                    link(&target, &place)?;
                    self.readable.push(target);
                }
            }
        }
        Ok(())
    }

    /// The place of a path in the tree, its folders made; none for one that leads elsewhere.
    fn place(&self, path: &[u8]) -> io::Result<Option<PathBuf>> {
        let path = path_from_bytes(path);
        let plain = path.components().all(|part| match part {
            Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
            _ => false,
        });
        if !plain || path.as_os_str().is_empty() {
            return Ok(None);
        }
        let place = self.root.join(path);
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Some(place))
    }

    /// One commit with everything in it. Without it only what asks git fails, so that nothing else is said about it.
    fn become_repository(&self, git: &Git, files: usize) {
        if files > MOST_ADDED {
            return;
        }
        let git = git.at(&self.root);
        let identity =
            ["-c", "user.name=hansei", "-c", "user.email=hansei@invalid", "-c", "commit.gpgsign=false"];
        let steps: [&[&str]; 3] = [
            &["init", "--quiet", "--template=", "."],
            &["add", "--all", "--force"],
            &["commit", "--quiet", "--no-verify", "--allow-empty", "--message", "base"],
        ];
        for step in steps {
            let args: Vec<&str> = identity.iter().chain(step).copied().collect();
            if git.ask(&args).is_err() {
                return;
            }
        }
    }
}

#[cfg(unix)]
fn link(target: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn make_executable(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
