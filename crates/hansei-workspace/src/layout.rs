//! Where a repository lies: its work tree, its git directory, and the folder where Hansei keeps its records.
//!
//! Found by reading, without starting git. A linked work tree is believed only when the main repository lists it, so a
//! hostile `.git` file cannot point our writes into somebody else's repository.

use std::fs;
use std::path::{Path, PathBuf};

/// What was found around a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// A work tree.
    WorkTree {
        /// Its root.
        root: PathBuf,
        /// The folder that holds the records of all work trees of this repository.
        home: PathBuf,
    },
    /// A repository without a work tree.
    Bare {
        /// The git directory.
        git_dir: PathBuf,
    },
    /// No repository.
    Missing {
        /// The folder itself.
        folder: PathBuf,
    },
}

impl Layout {
    /// Looks for a repository at `folder` and above it.
    pub fn of(folder: &Path) -> Self {
        for candidate in folder.ancestors() {
            let dot_git = candidate.join(".git");
            match fs::metadata(&dot_git) {
                Ok(meta) if meta.is_dir() && is_git_dir(&dot_git) => {
                    return Self::WorkTree { root: candidate.to_owned(), home: candidate.to_owned() };
                }
                Ok(meta) if meta.is_file() => {
                    return Self::WorkTree {
                        root: candidate.to_owned(),
                        home: home_of_linked(candidate, &dot_git),
                    };
                }
                _ => {}
            }
            if is_git_dir(candidate) {
                return match candidate.parent() {
                    Some(root) if candidate.ends_with(".git") => {
                        Self::WorkTree { root: root.to_owned(), home: root.to_owned() }
                    }
                    _ => Self::Bare { git_dir: candidate.to_owned() },
                };
            }
        }
        Self::Missing { folder: folder.to_owned() }
    }

    /// The folder that `.hansei` lies in.
    pub fn home(&self) -> &Path {
        match self {
            Self::WorkTree { home, .. } => home,
            Self::Bare { git_dir } => git_dir,
            Self::Missing { folder } => folder,
        }
    }

    /// The folder whose files are looked at.
    pub fn root(&self) -> &Path {
        match self {
            Self::WorkTree { root, .. } => root,
            Self::Bare { git_dir } => git_dir,
            Self::Missing { folder } => folder,
        }
    }

    /// The repository's name: that of the folder it lives in, the same for all its work trees.
    pub fn name(&self) -> String {
        let home = self.home();
        let named = if home.ends_with(".git") { home.parent().unwrap_or(home) } else { home };
        let name = named.file_name().unwrap_or(named.as_os_str());
        let name = hansei_core::path_text::encode(name.as_encoded_bytes());
        match (self, name.strip_suffix(".git")) {
            (Self::Bare { .. }, Some(short)) if !short.is_empty() => short.to_owned(),
            _ => name,
        }
    }
}

fn is_git_dir(folder: &Path) -> bool {
    folder.join("HEAD").symlink_metadata().is_ok()
        && folder.join("objects").is_dir()
        && folder.join("refs").is_dir()
}

/// The home of a work tree whose `.git` is a file: the main work tree's root (or the bare repository) when that
/// repository lists this work tree, else the work tree itself (a submodule, or a git directory kept elsewhere).
fn home_of_linked(root: &Path, dot_git: &Path) -> PathBuf {
    listed_home(root, dot_git).unwrap_or_else(|| root.to_owned())
}

fn listed_home(root: &Path, dot_git: &Path) -> Option<PathBuf> {
    let git_dir = fs::canonicalize(root.join(pointer(dot_git, "gitdir: ")?)).ok()?;
    let common = fs::canonicalize(git_dir.join(pointer(&git_dir.join("commondir"), "")?)).ok()?;
    let listed = git_dir.parent()? == common.join("worktrees")
        && fs::canonicalize(git_dir.join(pointer(&git_dir.join("gitdir"), "")?)).ok()?
            == fs::canonicalize(dot_git).ok()?;
    if !listed || !is_git_dir(&common) {
        return None;
    }
    if common.ends_with(".git") && !is_bare(&common) {
        common.parent().map(Path::to_owned)
    } else {
        Some(common)
    }
}

/// The path that a small pointer file such as `.git` or `commondir` holds.
fn pointer(file: &Path, prefix: &str) -> Option<PathBuf> {
    const LONGEST: u64 = 16 * 1024;
    let meta = fs::metadata(file).ok()?;
    if !meta.is_file() || meta.len() > LONGEST {
        return None;
    }
    let text = fs::read(file).ok()?;
    let text = text.strip_prefix(prefix.as_bytes())?;
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    Some(path_from_bytes(text))
}

fn is_bare(git_dir: &Path) -> bool {
    let config = fs::read_to_string(git_dir.join("config")).unwrap_or_default();
    config.lines().any(|line| line.replace([' ', '\t'], "").eq_ignore_ascii_case("bare=true"))
}

/// A path from the bytes that git prints or a file holds.
#[cfg(unix)]
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(bytes).into()
}

/// A path from the bytes that git prints or a file holds.
#[cfg(not(unix))]
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}
