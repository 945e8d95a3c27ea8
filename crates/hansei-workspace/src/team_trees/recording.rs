//! A tree as git has it, made from the files that are there: without hooks, without `git commit`, and without entering the
//! repositories inside it, which would be asked with a configuration that whoever worked there may have written.

use std::collections::HashMap;
use std::path::Path;

use crate::git::{Git, GitError};
use crate::layout::path_from_bytes;
use crate::tree_files;

/// Marks a folder that only keeps what can be made again.
const CACHE_MARK: &[u8] = b"CACHEDIR.TAG";

/// Records the files of a tree. `list` says which they are: those that are known there, and those that nothing says to
/// ignore. `into` has the index and reads the files; both speak of the same folder.
pub(super) fn record(list: &Git, into: &Git) -> Result<String, GitError> {
    let known = list.ask(&["ls-files", "-z", "--stage"])?;
    let (mut paths, mut links, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    let mut folders = Folders { root: list.folder(), seen: HashMap::new() };
    for entry in entries(&known) {
        let Some(at) = entry.iter().position(|byte| *byte == b'\t') else {
            return Err(GitError::Unreadable("ls-files"));
        };
        // Another repository inside this one stays the commit that it is.
        if entry.starts_with(b"160000 ") {
            links.extend_from_slice(entry);
            links.push(0);
        } else if folders.lead_to(&entry[at + 1..]) {
            paths.push(&entry[at + 1..]);
        } else {
            gone.push(&entry[at + 1..]);
        }
    }
    let others = tree_files::untracked(list)?;
    let caches: Vec<&[u8]> =
        others.iter().filter_map(|path| path.strip_suffix(CACHE_MARK)).filter(|at| !at.is_empty()).collect();
    let is_kept = |path: &&[u8]| !path.ends_with(b"/") && !caches.iter().any(|cache| path.starts_with(cache));
    paths.extend(others.iter().map(Vec::as_slice).filter(is_kept));
    into.tell(&["update-index", "-z", "--index-info"], &links)?;
    into.tell(&["update-index", "--force-remove", "-z", "--stdin"], &ended(&gone))?;
    into.tell(&["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], &ended(&paths))?;
    Ok(line(&into.ask(&["write-tree"])?))
}

/// Which folders are folders. A file that is reached through a link is not where git knows it.
struct Folders<'a> {
    root: &'a Path,
    seen: HashMap<Vec<u8>, bool>,
}

impl Folders<'_> {
    fn lead_to(&mut self, path: &[u8]) -> bool {
        let Some(at) = path.iter().rposition(|byte| *byte == b'/') else { return true };
        let folder = &path[..at];
        if let Some(known) = self.seen.get(folder) {
            return *known;
        }
        let is_link = self.root.join(path_from_bytes(folder)).is_symlink();
        let leads = !is_link && self.lead_to(folder);
        self.seen.insert(folder.to_vec(), leads);
        leads
    }
}

/// Paths as git reads them, each with its end.
fn ended(paths: &[&[u8]]) -> Vec<u8> {
    paths.iter().flat_map(|path| path.iter().copied().chain([0])).collect()
}

/// Commits a tree of git's.
pub(super) fn commit(git: &Git, tree: &str, parents: &[&str], message: &str) -> Result<String, GitError> {
    let mut args = vec!["commit-tree", "-m", message];
    for parent in parents {
        args.extend(["-p", parent]);
    }
    args.push(tree);
    Ok(line(&git.ask(&args)?))
}

fn entries(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split(|byte| *byte == 0).filter(|entry| !entry.is_empty())
}

pub(super) fn line(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).trim().to_owned()
}
