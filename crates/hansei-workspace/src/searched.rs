//! Files that hold one of some words, in a commit or in the work tree. Git looks through them, because a tree may hold
//! more than anybody wants to read.

use std::collections::BTreeSet;

use crate::git::{Git, GitError};

/// So many words are looked for at once.
const MOST_WORDS: usize = 400;

/// Where to look.
#[derive(Debug, Clone, Copy)]
pub enum Where<'a> {
    /// In the files of a commit, which is named by its full hash.
    Commit(&'a str),
    /// In the work tree: what git knows, and what it would add.
    WorkTree,
    /// In the work tree: what git knows.
    Known,
}

/// The paths of text files that hold one of `words`, in any case.
pub fn holding(git: &Git, place: Where<'_>, words: &[&str]) -> Result<BTreeSet<Vec<u8>>, GitError> {
    if words.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut args = vec![
        "grep", "--files-with-matches", "--null", "-I", "--ignore-case", "--fixed-strings", "--full-name",
        "--no-color",
    ];
    args.extend(["--no-recurse-submodules", "--no-textconv"]);
    for word in words.iter().take(MOST_WORDS) {
        args.extend(["-e", word]);
    }
    let prefix = match place {
        Where::Commit(commit) => {
            args.push(commit);
            commit.len() + 1
        }
        Where::WorkTree => {
            args.push("--untracked");
            0
        }
        Where::Known => 0,
    };
    args.push("--");
    let answer = git.ask_maybe(&args)?.unwrap_or_default();
    let paths = answer.split(|byte| *byte == 0).filter(|path| path.len() > prefix);
    Ok(paths.map(|path| path[prefix..].to_vec()).collect())
}
