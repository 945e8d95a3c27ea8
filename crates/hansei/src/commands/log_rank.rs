//! What to look at first in a log: what a mistake in the change would cost times how likely one is.

use std::time::{Duration, Instant};

use hansei_core::event::{BaseCommit, Event};
use hansei_core::history::{Extent, FileChange};
use hansei_core::reflection::Reflection;
use hansei_core::risk::likelihood::{Likelihood, assess, rank};
use hansei_record::log as session_log;
use hansei_record::sidecar::Stored;
use hansei_workspace::changes;
use hansei_workspace::git::Git;
use hansei_workspace::history;

use crate::workspace::Workspace;

/// How long the past of all listed changes may be looked up; the rest is judged by its paths alone.
const PATIENCE: Duration = Duration::from_secs(30);

/// A reflection with its rank; none where it cannot be read.
pub struct Ranked {
    pub stored: Stored,
    pub rank: Option<(f64, Likelihood)>,
}

/// The highest rank first; what is equal stays in its order, the newest first.
pub fn ranked(workspace: &Workspace, all: Vec<Stored>) -> Vec<Ranked> {
    let git = Git::new(workspace.layout.root(), Instant::now() + PATIENCE).ok();
    let mut ranked: Vec<Ranked> = all
        .into_iter()
        .map(|stored| {
            let reflection = stored.reflection.as_ref().ok();
            let rank = reflection.map(|reflection| rank_of(workspace, git.as_ref(), reflection));
            Ranked { stored, rank }
        })
        .collect();
    let key = |ranked: &Ranked| ranked.rank.as_ref().map_or(-1.0, |(rank, _)| *rank);
    ranked.sort_by(|a, b| key(b).total_cmp(&key(a)));
    ranked
}

fn rank_of(workspace: &Workspace, git: Option<&Git>, reflection: &Reflection) -> (f64, Likelihood) {
    // A reflection names paths, not lines.
    let unknown =
        |path: &String| FileChange { path: path.clone(), renamed_from: None, extent: Extent::Unknown };
    let files: Vec<FileChange> = reflection.files_changed.iter().map(unknown).collect();
    let known = git.and_then(|git| {
        let base = base_of(workspace, git, reflection)?;
        history::before(git, Some(&base), &files, None).ok()
    });
    let likelihood = assess(&files, known.as_ref());
    (rank(reflection.risk.score, &likelihood), likelihood)
}

/// What was checked out when the session began, if that is still here; else what is now.
fn base_of(workspace: &Workspace, git: &Git, reflection: &Reflection) -> Option<String> {
    let lines =
        workspace.places.existing_log().and_then(|folder| session_log::read(&folder, &reflection.session_id));
    let recorded = lines.unwrap_or_default().into_iter().find_map(|line| match line.event {
        Event::SessionStarted { base: BaseCommit::Commit(base), .. } => Some(base),
        _ => None,
    });
    let resolve = |revision: &str| changes::resolve(git, revision).ok().flatten();
    recorded.and_then(|base| resolve(&base)).or_else(|| resolve("HEAD"))
}
