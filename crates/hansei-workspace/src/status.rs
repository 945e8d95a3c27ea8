//! What git says about a work tree: what is checked out, and which paths differ from it.

use crate::git::{Git, GitError};

/// The state of a work tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// The commit that is checked out; none before the first commit.
    pub head: Option<String>,
    /// The branch that is checked out; none when the head is detached.
    pub branch: Option<String>,
    /// Paths that are staged, unstaged, in conflict, or untracked and not ignored, relative to the root.
    pub paths: Vec<Vec<u8>>,
}

/// Asks git for the state of the work tree. A renamed file counts as one path removed and one added; a submodule
/// counts when it stands at another commit (what changed inside it is asked of the submodule itself).
pub fn status(git: &Git) -> Result<Status, GitError> {
    let answer = git.ask(&[
        "status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind", "--untracked-files=all",
        "--ignored=no", "--no-renames",
    ])?;
    parse(&answer).ok_or(GitError::Unreadable("status"))
}

/// Reads what `git status --porcelain=v2 -z --branch` printed.
pub fn parse(answer: &[u8]) -> Option<Status> {
    let mut status = Status::default();
    for record in answer.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
        let (kind, rest) = record.split_at_checked(2)?;
        match kind {
            b"# " => header(std::str::from_utf8(rest).ok()?, &mut status),
            b"1 " => status.paths.push(after_fields(rest, 7)?),
            b"u " => status.paths.push(after_fields(rest, 9)?),
            b"? " => status.paths.push(rest.to_vec()),
            b"! " => {}
            _ => return None,
        }
    }
    Some(status)
}

fn header(line: &str, status: &mut Status) {
    match line.split_once(' ') {
        Some(("branch.oid", oid)) if oid != "(initial)" => status.head = Some(oid.to_owned()),
        Some(("branch.head", branch)) if branch != "(detached)" => status.branch = Some(branch.to_owned()),
        _ => {}
    }
}

/// What follows `count` fields that each end with a space.
fn after_fields(record: &[u8], count: usize) -> Option<Vec<u8>> {
    record.splitn(count + 1, |byte| *byte == b' ').nth(count).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read() {
        let answer = b"# branch.oid ab12\0# branch.head main\0\
            1 .M N... 100644 100644 100644 ab cd with space\n\"quote\"\0\
            u UU N... 100644 100644 100644 100644 a b c both\0? new\xff\0! skipped\0";
        let status = parse(answer).unwrap();
        assert_eq!((status.head.as_deref(), status.branch.as_deref()), (Some("ab12"), Some("main")));
        assert_eq!(status.paths, [b"with space\n\"quote\"".to_vec(), b"both".to_vec(), b"new\xff".to_vec()]);
        let bare = parse(b"# branch.oid (initial)\0# branch.head (detached)\0").unwrap();
        assert_eq!(bare, Status::default());
        assert_eq!(parse(b"9 what"), None);
    }
}
