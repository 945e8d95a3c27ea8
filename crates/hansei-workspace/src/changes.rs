//! Which paths a change touches: since a session began, between two commits, in one commit, or staged.

use std::collections::BTreeSet;
use std::path::Path;

use crate::git::{Git, GitError};
use crate::layout::path_from_bytes;
use crate::status::{Status, status};

/// Paths relative to the root of the work tree, sorted.
pub type Paths = BTreeSet<Vec<u8>>;

/// How deep submodules are followed, and how many in all.
const DEEPEST: usize = 4;
const MOST_SUBMODULES: usize = 64;

/// A commit to count changes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base<'a> {
    /// What is checked out now.
    Head,
    /// This commit.
    Commit(&'a str),
    /// Before the first commit.
    Nothing,
}

/// The change in a work tree.
#[derive(Debug, Default)]
pub struct WorkChange {
    /// What is checked out.
    pub status: Status,
    /// Everything that changed since the base: committed, staged, unstaged and untracked.
    pub paths: Paths,
    /// What could not be found out.
    pub gaps: Vec<String>,
}

/// Everything that changed in the work tree since `base`.
pub fn since(git: &Git, base: Base<'_>) -> Result<WorkChange, GitError> {
    let status = status(git)?;
    let mut gaps = Vec::new();
    let mut paths: Paths = status.paths.iter().cloned().collect();
    if let Some(head) = &status.head {
        let committed = match base {
            Base::Head => Ok(Paths::new()),
            Base::Commit(base) if base == head => Ok(Paths::new()),
            Base::Commit(base) => between(git, base, head),
            Base::Nothing => between(git, empty_tree(head), head),
        };
        match committed {
            Ok(committed) => paths.extend(committed),
            Err(error) => {
                gaps.push(format!("what was committed since the session began is unknown: {error}"));
            }
        }
    }
    let mut budget = MOST_SUBMODULES;
    submodule_changes(git, b"", DEEPEST, &mut budget, &mut paths, &mut gaps);
    Ok(WorkChange { status, paths, gaps })
}

/// Paths that differ between two commits or trees.
pub fn between(git: &Git, base: &str, head: &str) -> Result<Paths, GitError> {
    let answer = git.ask(&[
        "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--end-of-options", base,
        head,
    ])?;
    Ok(paths_in(&answer))
}

/// Paths that are staged.
pub fn staged(git: &Git) -> Result<Paths, GitError> {
    let answer = git.ask(&["diff", "--cached", "-z", "--name-only", "--no-renames", "--no-ext-diff"])?;
    Ok(paths_in(&answer))
}

/// Paths that `commit` (a full hash) changed against its first parent.
pub fn of_commit(git: &Git, commit: &str) -> Result<Paths, GitError> {
    match resolve(git, &format!("{commit}^1"))? {
        Some(parent) => between(git, &parent, commit),
        None => between(git, empty_tree(commit), commit),
    }
}

/// The full hash of the commit that `revision` names, if it names one.
pub fn resolve(git: &Git, revision: &str) -> Result<Option<String>, GitError> {
    let commit = format!("{revision}^{{commit}}");
    let answer = git.ask_maybe(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
    Ok(answer.map(|hash| String::from_utf8_lossy(&hash).trim().to_owned()))
}

/// The commit that `base` and `head` grew from, or `base` where there is none.
pub fn fork_point(git: &Git, base: &str, head: &str) -> Result<String, GitError> {
    let answer = git.ask_maybe(&["merge-base", "--end-of-options", base, head])?;
    Ok(answer.map_or_else(|| base.to_owned(), |hash| String::from_utf8_lossy(&hash).trim().to_owned()))
}

/// When `commit` was committed, in seconds after 1970.
pub fn commit_time(git: &Git, commit: &str) -> Result<Option<u64>, GitError> {
    let answer =
        git.ask(&["log", "-1", "--no-patch", "--no-notes", "--format=%ct", "--end-of-options", commit])?;
    Ok(String::from_utf8_lossy(&answer).trim().parse().ok())
}

/// The abbreviated hash of the commit that is checked out.
pub fn short_head(git: &Git) -> Result<String, GitError> {
    let answer = git.ask(&["rev-parse", "--short", "HEAD"])?;
    Ok(String::from_utf8_lossy(&answer).trim().to_owned())
}

/// The content of `file` in `commit`, if it is there.
pub fn file_at(git: &Git, commit: &str, file: &str) -> Result<Option<Vec<u8>>, GitError> {
    let object = format!("{commit}:{file}");
    match git.ask_maybe(&["rev-parse", "--verify", "--quiet", "--end-of-options", &object])? {
        Some(hash) => {
            let hash = String::from_utf8_lossy(&hash).trim().to_owned();
            git.ask(&["cat-file", "blob", &hash]).map(Some)
        }
        None => Ok(None),
    }
}

/// The hash of the tree without files, in the hash function that `like` is written in.
pub fn empty_tree(like: &str) -> &'static str {
    const SHA1_LENGTH: usize = 40;
    if like.len() > SHA1_LENGTH {
        "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    } else {
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    }
}

/// The paths that git printed, each ended by a NUL.
pub fn paths_in(answer: &[u8]) -> Paths {
    answer.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect()
}

/// Adds what changed inside the submodules of the work tree at `git`. Each is asked by itself: a status that walks into
/// them would run what *their* configuration names.
fn submodule_changes(
    git: &Git,
    prefix: &[u8],
    depth: usize,
    budget: &mut usize,
    paths: &mut Paths,
    gaps: &mut Vec<String>,
) {
    if depth == 0 || !git.folder().join(".gitmodules").is_file() {
        return;
    }
    let list =
        ["config", "-z", "-f", ".gitmodules", "--no-includes", "--get-regexp", r"^submodule\..*\.path$"];
    let Ok(Some(answer)) = git.ask_maybe(&list) else {
        return;
    };
    for entry in answer.split(|byte| *byte == 0) {
        let Some(end) = entry.iter().position(|byte| *byte == b'\n') else {
            continue;
        };
        let path = &entry[end + 1..];
        let Some(folder) = submodule_folder(git.folder(), path) else {
            continue;
        };
        if *budget == 0 {
            gaps.push("too many submodules: some were not looked into".to_owned());
            return;
        }
        *budget -= 1;
        let inside = git.at(&folder);
        let prefix = [prefix, path, b"/"].concat();
        match status(&inside) {
            Ok(status) => paths.extend(status.paths.iter().map(|path| [prefix.as_slice(), path].concat())),
            Err(error) => gaps.push(format!("a submodule could not be looked into: {error}")),
        }
        submodule_changes(&inside, &prefix, depth - 1, budget, paths, gaps);
    }
}

/// The folder of a submodule that is checked out inside `root` and is not reached through a link.
fn submodule_folder(root: &Path, path: &[u8]) -> Option<std::path::PathBuf> {
    let inside = path_from_bytes(path);
    let plain = inside.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let folder = root.join(&inside);
    let real = folder.canonicalize().ok()?;
    (plain && real == root.canonicalize().ok()?.join(&inside) && folder.join(".git").exists())
        .then_some(folder)
}
