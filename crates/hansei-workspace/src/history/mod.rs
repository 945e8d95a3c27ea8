//! Walks a history, commit by commit, in bounded memory.
//!
//! `git rev-list` lists the hashes (the only thing that is kept for every commit), and `git diff-tree --stdin` tells what
//! each is and what it changed. That pair rather than `git log`: listing keeps no messages, so the oldest commit can
//! come first without git holding them all; plumbing reads no setting of how people like their diffs; and a commit whose
//! content is not here (a partial clone) costs that commit its line counts instead of costing the walk.
//!
//! No program that a repository names takes part: see [`crate::git`].

mod authors;
mod before;
mod lineage;
mod log_reader;
mod patches;
mod revisions;

use std::fmt::Write as _;
use std::ops::ControlFlow;

use hansei_core::history::{Commit, CommitId};

use crate::changes;
use crate::git::{Git, GitError};

pub use authors::Authors;
pub use before::{Before, before, before_each};
pub use lineage::{Lineage, shallow_boundary};
pub use log_reader::{LONGEST_MESSAGE, LogReader, MOST_FILES, Unreadable};
pub use patches::{PatchReader, patches};
pub use revisions::{blobs, commits};

/// How many commits one `git diff-tree` is asked about, so that what it keeps of them is let go now and then.
const BATCH: usize = 8_192;

/// Which commits are walked, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk<'a> {
    /// The commits that can be reached from here.
    pub revision: &'a str,
    /// Only those committed at or after this moment, in seconds after 1970.
    pub since: Option<i64>,
    /// Which comes first.
    pub order: Order,
    /// Which parents are followed.
    pub parents: Parents,
    /// What a merge is said to have changed.
    pub merges: Merges,
    /// Whether files are told at all: without them a walk costs a fraction.
    pub files: Files,
}

impl Default for Walk<'_> {
    fn default() -> Self {
        Self {
            revision: "HEAD",
            since: None,
            order: Order::OldestFirst,
            parents: Parents::All,
            merges: Merges::Nothing,
            files: Files::Counted,
        }
    }
}

/// The order of a walk. No commit ever comes on the wrong side of its parents, whatever the clocks said; apart from that
/// the time of the commit decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Parents before children: what has been walked is what was known.
    OldestFirst,
    /// Children before parents.
    NewestFirst,
}

/// Which parents of a merge are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parents {
    /// All: every commit.
    All,
    /// Only the first: what landed on the branch, one commit for each merge.
    First,
}

/// What a merge changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merges {
    /// Nothing: the commits that it joined have told it.
    Nothing,
    /// Everything that it brought to its first parent.
    AgainstFirstParent,
}

/// What is told about files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Files {
    /// Their paths and how many lines changed.
    Counted,
    /// Their paths alone, a moved file under both: no content is read.
    Named,
    /// Nothing.
    Untold,
}

/// The commits of a walk, listed and not yet looked at.
#[derive(Debug)]
pub struct History<'a> {
    git: &'a Git,
    ids: Vec<CommitId>,
    args: Vec<&'static str>,
    files: Files,
}

/// What came of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Walked {
    /// Commits that were told.
    pub commits: u64,
    /// How many of them changed something that is not in this repository, so that their lines are unknown.
    pub without_lines: u64,
}

/// Tells every commit of `walk` to `told`, until that has heard enough.
pub fn walk(
    git: &Git,
    walk: &Walk<'_>,
    told: impl FnMut(Commit) -> ControlFlow<()>,
) -> Result<Walked, GitError> {
    list(git, walk)?.tell(told)
}

/// Lists the commits of `walk`. A repository without a commit has none.
pub fn list<'a>(git: &'a Git, walk: &Walk<'_>) -> Result<History<'a>, GitError> {
    let mut history =
        History { git, ids: Vec::new(), args: arguments(walk.merges, walk.files), files: walk.files };
    if walk.revision == "HEAD" && changes::resolve(git, "HEAD")?.is_none() {
        return Ok(history);
    }
    let mut args = vec!["rev-list".to_owned(), "--date-order".to_owned()];
    args.extend((walk.order == Order::OldestFirst).then(|| "--reverse".to_owned()));
    args.extend((walk.parents == Parents::First).then(|| "--first-parent".to_owned()));
    args.extend(walk.since.map(|since| format!("--max-age={}", since.max(0))));
    args.extend(["--end-of-options".to_owned(), walk.revision.to_owned(), "--".to_owned()]);
    let listed = git.ask(&args)?;
    for line in listed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let id = std::str::from_utf8(line).ok().and_then(|line| line.parse().ok());
        history.ids.push(id.ok_or(GitError::Unreadable("rev-list"))?);
    }
    Ok(history)
}

/// The commits `ids`, to be told in that order.
pub fn of_commits(git: &Git, ids: Vec<CommitId>, merges: Merges) -> History<'_> {
    History { git, ids, args: arguments(merges, Files::Counted), files: Files::Counted }
}

/// The commits `ids`, to be told in that order with nothing but the names of what they changed.
pub fn names_of_commits(git: &Git, ids: Vec<CommitId>) -> History<'_> {
    History { git, ids, args: arguments(Merges::Nothing, Files::Named), files: Files::Named }
}

/// Hashes as git takes them from its standard input.
fn one_a_line(ids: &[CommitId]) -> String {
    ids.iter().fold(String::new(), |mut lines, id| {
        // Writing to a String cannot fail.
        let _ = writeln!(lines, "{id}");
        lines
    })
}

fn arguments(merges: Merges, files: Files) -> Vec<&'static str> {
    let mut args = vec![
        "diff-tree",
        "--stdin",
        "--always",
        "--root",
        "-r",
        "-z",
        "--no-ext-diff",
        "--no-textconv",
        "--no-notes",
        "--no-color",
        "--encoding=UTF-8",
        log_reader::FORMAT,
    ];
    if merges == Merges::AgainstFirstParent {
        args.push("--diff-merges=first-parent");
    }
    // `-l` bounds the search for moves in a commit that moves everything.
    args.extend_from_slice(match files {
        Files::Counted => &["--numstat", "-M", "-l400"],
        Files::Named => &["--raw", "--no-renames"],
        Files::Untold => &["-s"],
    });
    args
}

impl History<'_> {
    /// How many commits there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Their hashes, in the order of the walk.
    pub fn ids(&self) -> &[CommitId] {
        &self.ids
    }

    /// Tells every commit to `told`, until that has heard enough.
    pub fn tell(&self, mut told: impl FnMut(Commit) -> ControlFlow<()>) -> Result<Walked, GitError> {
        let mut walked = Walked::default();
        let mut authors = Authors::default();
        let mut left = self.ids.as_slice();
        while !left.is_empty() {
            let batch = left.get(..BATCH).unwrap_or(left);
            let batch_told = self.tell_batch(&self.args, batch, &mut authors, &mut told)?;
            walked.commits += batch_told.commits as u64;
            left = left.get(batch_told.commits..).unwrap_or_default();
            match batch_told.end {
                BatchEnd::Complete => {}
                BatchEnd::HeardEnough => break,
                BatchEnd::Refused(refusal) => {
                    let Some((stumbled, rest)) = left.split_first() else { return Err(refusal) };
                    let commit = self.without_content(*stumbled, &mut authors, refusal)?;
                    left = rest;
                    walked.commits += 1;
                    walked.without_lines += u64::from(commit.1);
                    if told(commit.0).is_break() {
                        break;
                    }
                }
            }
        }
        Ok(walked)
    }

    /// Tells the commits of one call of git. The last one before git gave up may be half told, so it is not told.
    fn tell_batch(
        &self,
        args: &[&str],
        batch: &[CommitId],
        authors: &mut Authors,
        told: &mut impl FnMut(Commit) -> ControlFlow<()>,
    ) -> Result<BatchTold, GitError> {
        let input = one_a_line(batch);
        let mut streamed = self.git.stream(args, input.into_bytes())?;
        let mut reader = LogReader::new(streamed.output());
        let mut commits = 0;
        let mut held: Option<Commit> = None;
        let strange = loop {
            match reader.next_commit(authors) {
                Ok(Some(next)) => {
                    if let Some(commit) = held.replace(next) {
                        commits += 1;
                        if told(commit).is_break() {
                            return Ok(BatchTold { commits, end: BatchEnd::HeardEnough });
                        }
                    }
                }
                Ok(None) | Err(Unreadable::Cut) => break false,
                Err(Unreadable::Strange) => break true,
            }
        };
        if strange {
            return Err(GitError::Unreadable("diff-tree"));
        }
        match Git::end_of_stream(args, streamed) {
            Ok(()) => {}
            Err(refusal @ GitError::Refused { .. }) => {
                return Ok(BatchTold { commits, end: BatchEnd::Refused(refusal) });
            }
            Err(failure) => return Err(failure),
        }
        if let Some(commit) = held {
            commits += 1;
            if told(commit).is_break() {
                return Ok(BatchTold { commits, end: BatchEnd::HeardEnough });
            }
        }
        if commits == batch.len() {
            Ok(BatchTold { commits, end: BatchEnd::Complete })
        } else {
            Err(GitError::Unreadable("diff-tree"))
        }
    }

    /// One commit that git could not tell whole, as far as it can be told: without looking for moves, which reads more
    /// than counting does, else only the names of what it changed. Whether its lines are unknown comes with it.
    fn without_content(
        &self,
        id: CommitId,
        authors: &mut Authors,
        refusal: GitError,
    ) -> Result<(Commit, bool), GitError> {
        if self.files == Files::Untold {
            return Err(refusal);
        }
        for (counting, lines_unknown) in [("--numstat", false), ("--raw", true)] {
            let kept = self.args.iter().filter(|arg| !matches!(**arg, "--numstat" | "-M" | "-l400"));
            let args: Vec<&str> = kept.copied().chain([counting, "--no-renames"]).collect();
            let mut found = None;
            let once = self.tell_batch(&args, &[id], authors, &mut |commit| {
                found = Some(commit);
                ControlFlow::Continue(())
            })?;
            if let (BatchEnd::Complete, Some(commit)) = (once.end, found) {
                return Ok((commit, lines_unknown));
            }
        }
        Err(refusal)
    }
}

struct BatchTold {
    commits: usize,
    end: BatchEnd,
}

enum BatchEnd {
    Complete,
    HeardEnough,
    Refused(GitError),
}
