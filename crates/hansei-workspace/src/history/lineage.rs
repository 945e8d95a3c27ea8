//! Who comes from whom: commits with their parents, without a look at what they changed.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io::BufRead as _;

use hansei_core::history::CommitId;

use crate::git::{Git, GitError};
use crate::layout::path_from_bytes;

const ARGS: [&str; 5] = ["rev-list", "--stdin", "--parents", "--date-order", "--reverse"];

/// Commits, parents before children.
#[derive(Debug, Default)]
pub struct Lineage {
    /// Their hashes.
    pub ids: Vec<CommitId>,
    /// For each its parents, as places in `ids`; those that are not here (a shallow clone) are left out.
    pub parents: Vec<Vec<usize>>,
    places: HashMap<CommitId, usize>,
}

impl Lineage {
    /// Everything that can be reached from `tips`.
    pub fn of(git: &Git, tips: &[CommitId]) -> Result<Self, GitError> {
        let input = super::one_a_line(tips);
        let mut lineage = Self::default();
        if tips.is_empty() {
            return Ok(lineage);
        }
        let mut streamed = git.stream(&ARGS, input.into_bytes())?;
        let mut line = String::new();
        loop {
            line.clear();
            let read = streamed.output().read_line(&mut line);
            if read.map_err(|_| GitError::Unreadable("rev-list"))? == 0 {
                break;
            }
            let mut hashes = line.split_ascii_whitespace().map(str::parse::<CommitId>);
            let Some(Ok(id)) = hashes.next() else { return Err(GitError::Unreadable("rev-list")) };
            let parents = hashes.filter_map(Result::ok).filter_map(|parent| lineage.place(&parent));
            let parents = parents.collect();
            lineage.places.insert(id, lineage.ids.len());
            lineage.ids.push(id);
            lineage.parents.push(parents);
        }
        Git::end_of_stream(&ARGS, streamed)?;
        Ok(lineage)
    }

    /// Where a commit stands.
    pub fn place(&self, id: &CommitId) -> Option<usize> {
        self.places.get(id).copied()
    }
}

/// The commits before which a shallow clone knows nothing. What they changed is not known either: git shows them as if
/// they had added everything.
pub fn shallow_boundary(git: &Git) -> Result<HashSet<CommitId>, GitError> {
    let answer = git.ask(&["rev-parse", "--is-shallow-repository", "--git-path", "shallow"])?;
    let Some(path) = answer.strip_prefix(b"true\n") else { return Ok(HashSet::new()) };
    let path = path.strip_suffix(b"\n").unwrap_or(path);
    let listed = std::fs::read_to_string(git.folder().join(path_from_bytes(path))).unwrap_or_default();
    Ok(listed.lines().filter_map(|line| line.parse().ok()).collect())
}

/// The commits up to `base` and not older than `since` that changed one of `paths`, merges left out.
pub(super) fn touching(
    git: &Git,
    base: &str,
    paths: &[Vec<u8>],
    since: i64,
) -> Result<Vec<CommitId>, GitError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let mut args: Vec<OsString> = ["--literal-pathspecs", "rev-list", "--full-history", "--no-merges"]
        .into_iter()
        .map(OsString::from)
        .collect();
    args.push(format!("--max-age={}", since.max(0)).into());
    args.extend(["--end-of-options".into(), base.into(), "--".into()]);
    args.extend(paths.iter().map(|path| path_from_bytes(path).into_os_string()));
    listed(&git.ask(&args)?)
}

/// The commits up to `base` and not older than `since` by whoever has this address.
pub(super) fn by_author(git: &Git, base: &str, email: &str, since: i64) -> Result<Vec<CommitId>, GitError> {
    let author = format!("--author=<{email}>");
    let since = format!("--max-age={}", since.max(0));
    listed(&git.ask(&[
        "rev-list", "--fixed-strings", "--regexp-ignore-case", &author, &since, "--end-of-options", base,
        "--",
    ])?)
}

fn listed(answer: &[u8]) -> Result<Vec<CommitId>, GitError> {
    let text = std::str::from_utf8(answer).map_err(|_| GitError::Unreadable("rev-list"))?;
    text.lines().map(|line| line.parse().map_err(|_| GitError::Unreadable("rev-list"))).collect()
}
