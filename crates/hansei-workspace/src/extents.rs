//! How much a change changed: its files with the lines that came and went, and with moves found.
//!
//! [`crate::changes`] says which paths a change touches, a moved file under both; this is for whoever counts lines.

use std::collections::BTreeSet;
use std::io::Read as _;

use hansei_core::history::{Extent, FileChange};
use hansei_core::path_text;

use crate::changes::Paths;
use crate::git::{Git, GitError};
use crate::history::LogReader;
use crate::layout::path_from_bytes;

/// The most that is read of a file that git does not know.
const LARGEST: u64 = 16 * 1024 * 1024;
const COUNTING: [&str; 7] =
    ["-z", "--numstat", "-M", "-l400", "--no-ext-diff", "--no-textconv", "--no-color"];

/// What differs between two commits or trees.
pub fn between(git: &Git, base: &str, head: &str) -> Result<Vec<FileChange>, GitError> {
    counted(git, &[&["diff-tree", "-r"], COUNTING.as_slice(), &["--end-of-options", base, head]].concat())
}

/// What is staged.
pub fn staged(git: &Git) -> Result<Vec<FileChange>, GitError> {
    counted(git, &[&["diff", "--cached"], COUNTING.as_slice()].concat())
}

/// What changed in the work tree since the commit `base`, or ever, of `paths`. Files that git does not know yet are
/// counted here.
pub fn since(git: &Git, base: Option<&str>, paths: &Paths) -> Result<Vec<FileChange>, GitError> {
    let mut files = match base {
        Some(base) => {
            let end = ["--end-of-options", base, "--"];
            counted(git, &[&["diff"], COUNTING.as_slice(), &end].concat())?
        }
        None => Vec::new(),
    };
    let named: BTreeSet<String> = paths.iter().map(|path| path_text::encode(path)).collect();
    files.retain(|file| named.contains(&file.path));
    let known: BTreeSet<&str> = files
        .iter()
        .flat_map(|file| [Some(file.path.as_str()), file.renamed_from.as_deref()])
        .flatten()
        .collect();
    let unknown: Vec<&Vec<u8>> =
        paths.iter().filter(|path| !known.contains(path_text::encode(path).as_str())).collect();
    let new: Vec<FileChange> = unknown.into_iter().map(|path| new_file(git, path)).collect();
    files.extend(new);
    Ok(files)
}

fn counted(git: &Git, args: &[&str]) -> Result<Vec<FileChange>, GitError> {
    let answer = git.ask(args)?;
    LogReader::new(answer.as_slice()).only_files().map_err(|_| GitError::Unreadable("diff"))
}

fn new_file(git: &Git, path: &[u8]) -> FileChange {
    let file = git.folder().join(path_from_bytes(path));
    // A link or a device has no lines, and a file of a submodule is not new.
    let is_plain = file.symlink_metadata().is_ok_and(|meta| meta.is_file());
    let folders = file.ancestors().skip(1).take_while(|folder| *folder != git.folder());
    let is_plain = is_plain && !folders.into_iter().any(|folder| folder.join(".git").exists());
    let mut content = Vec::new();
    let read = is_plain
        && std::fs::File::open(&file).is_ok_and(|file| file.take(LARGEST).read_to_end(&mut content).is_ok());
    let extent = if !read || content.iter().take(8_000).any(|byte| *byte == 0) {
        Extent::Binary
    } else {
        let breaks = content.split(|byte| *byte == b'\n').count() as u64 - 1;
        let unfinished = content.last().is_some_and(|byte| *byte != b'\n');
        Extent::Lines { added: breaks + u64::from(unfinished), deleted: 0 }
    };
    FileChange { path: path_text::encode(path), renamed_from: None, extent }
}
