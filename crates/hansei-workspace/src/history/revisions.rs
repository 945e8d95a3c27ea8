//! What many names stand for, asked of one git.

use std::io::{BufRead as _, Read as _};

use hansei_core::history::CommitId;

use crate::git::{Git, GitError};

/// Longer than any name that git takes.
const LONGEST: usize = 4_096;
const ARGS: [&str; 2] = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];

/// The commits that `revisions` name, in order; nothing for one that names none.
pub fn commits(git: &Git, revisions: &[String]) -> Result<Vec<Option<CommitId>>, GitError> {
    let names: Vec<String> = revisions.iter().map(|revision| format!("{revision}^{{commit}}")).collect();
    Ok(objects(git, &names, "commit")?.into_iter().map(|id| id.and_then(|id| id.parse().ok())).collect())
}

/// The blobs that `names` (`commit:path`) stand for, in order; nothing where there is none.
pub fn blobs(git: &Git, names: &[String]) -> Result<Vec<Option<String>>, GitError> {
    objects(git, names, "blob")
}

fn objects(git: &Git, names: &[String], kind: &str) -> Result<Vec<Option<String>>, GitError> {
    // A name with a line break would be two questions, and the answers would no longer fit.
    let is_askable = |name: &String| name.len() <= LONGEST && !name.contains(['\n', '\0']);
    let mut input = Vec::new();
    for name in names.iter().filter(|name| is_askable(name)) {
        input.extend_from_slice(name.as_bytes());
        input.push(b'\n');
    }
    let mut streamed = git.stream(&ARGS, input)?;
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        if !is_askable(name) {
            found.push(None);
            continue;
        }
        let mut line = Vec::new();
        let most = 2 * LONGEST as u64;
        let read = streamed.output().take(most).read_until(b'\n', &mut line);
        if read.is_err() || line.pop() != Some(b'\n') {
            return Err(GitError::Unreadable("cat-file"));
        }
        let line = String::from_utf8_lossy(&line);
        let id = line.split_once(' ').filter(|(_, of)| *of == kind).map(|(id, _)| id.to_owned());
        found.push(id);
    }
    Git::end_of_stream(&ARGS, streamed)?;
    Ok(found)
}
