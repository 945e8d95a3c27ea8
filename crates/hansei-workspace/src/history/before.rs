//! What was known before a change: for one change by asking git about its files and its author alone, for many commits
//! by one walk over the whole history.
//!
//! Known is what can be reached from the commit that the change was made on, whatever the dates say, and nothing else:
//! neither what came later nor what happened beside it on another branch. Both ways give the same answer, but for a
//! history in which a commit claims to be years older than its parents: there the first one stops.

use std::collections::HashMap;
use std::ops::ControlFlow;

use hansei_core::history::{Commit, CommitId, FileChange};
use hansei_core::path_text;
use hansei_core::risk::likelihood::{Known, Past, WINDOW_DAYS, files_with_a_past, identity, reached_from};

use super::lineage::{self, Lineage, shallow_boundary};
use super::{Merges, names_of_commits, of_commits};
use crate::changes;
use crate::git::{Git, GitError};

const SECONDS_A_DAY: i64 = 86_400;

/// A commit, what it changed against its first parent, and what was known before it.
#[derive(Debug)]
pub struct Before {
    /// The commit.
    pub commit: Commit,
    /// What was known; nothing where the clone is cut off just there, so that not even its change is known.
    pub known: Option<Known>,
}

/// What was known of `files` and of who has the address `author` at the commit `base`; before the first commit, nothing.
pub fn before(
    git: &Git,
    base: Option<&str>,
    files: &[FileChange],
    author: Option<&str>,
) -> Result<Known, GitError> {
    let paths = files_with_a_past(files);
    let mut past = Past::default();
    let mut now = 0;
    if let Some(base) = base {
        now = changes::commit_time(git, base)?.and_then(|time| i64::try_from(time).ok()).unwrap_or(0);
        let since = now - WINDOW_DAYS * SECONDS_A_DAY;
        let raw: Vec<Vec<u8>> = paths.iter().map(|path| path_text::decode(path)).collect();
        let mut ids = lineage::touching(git, base, &raw, since)?;
        for path in &paths {
            past.watch_file(path);
        }
        if let Some(author) = author {
            past.watch_author(author);
            ids.extend(lineage::by_author(git, base, author, since)?);
        }
        ids.sort_unstable();
        ids.dedup();
        let cut_off = shallow_boundary(git)?;
        ids.retain(|id| !cut_off.contains(id));
        let mut number = 0;
        names_of_commits(git, ids).tell(|commit| {
            past.learn(number, &commit);
            number += 1;
            ControlFlow::Continue(())
        })?;
    }
    Ok(past.known(&paths, author, now, |_| true))
}

/// What was known before each of `asked`, older ones first. The history is walked once.
pub fn before_each(git: &Git, asked: &[CommitId]) -> Result<Vec<Before>, GitError> {
    let cut_off = shallow_boundary(git)?;
    let lineage = Lineage::of(git, asked)?;
    // Neighbours share content, which git then has at hand.
    let mut asked = asked.to_vec();
    asked.sort_by_key(|id| lineage.place(id));
    asked.dedup();
    let mut past = Past::default();
    let mut told: Vec<Commit> = Vec::with_capacity(asked.len());
    of_commits(git, asked, Merges::AgainstFirstParent).tell(|commit| {
        for path in &files_with_a_past(&commit.files) {
            past.watch_file(path);
        }
        past.watch_author(&identity(&commit.author));
        told.push(commit);
        ControlFlow::Continue(())
    })?;
    let bases: Vec<Option<CommitId>> = told.iter().map(|commit| commit.parents.first().copied()).collect();
    let tips: Vec<CommitId> = bases.iter().flatten().copied().collect();
    let mut times = Vec::with_capacity(lineage.ids.len());
    names_of_commits(git, lineage.ids.clone()).tell(|commit| {
        if !cut_off.contains(&commit.id) {
            past.learn(times.len(), &commit);
        }
        times.push(commit.committer_time);
        ControlFlow::Continue(())
    })?;
    let places: Vec<usize> = tips.iter().filter_map(|tip| lineage.place(tip)).collect();
    let reached = reached_from(&lineage.parents, &places);
    let reached: HashMap<usize, _> = places.into_iter().zip(reached).collect();
    let before = told.into_iter().zip(bases).map(|(commit, base)| {
        let place = base.and_then(|base| lineage.place(&base));
        let now = place.and_then(|place| times.get(place)).copied().unwrap_or(0);
        let paths = files_with_a_past(&commit.files);
        let author = (!commit.author.email.trim().is_empty()).then(|| identity(&commit.author));
        let was_known = |number: usize| {
            place.and_then(|place| reached.get(&place)).is_some_and(|reached| reached.contains(number))
        };
        let known = past.known(&paths, author.as_deref(), now, was_known);
        let known = (!cut_off.contains(&commit.id)).then_some(known);
        Before { commit, known }
    });
    Ok(before.collect())
}
