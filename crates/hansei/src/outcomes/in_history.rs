//! What the history after a change tells of how it came out: it was taken back, or its lines were mended.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant, UNIX_EPOCH};

use hansei_core::event::{Event, Line};
use hansei_core::experiment::git_history::{Kind, Signal};
use hansei_core::experiment::registration::GitHistory;
use hansei_core::history::{Commit, CommitId};
use hansei_core::outcome::carried::{Work, carriers};
use hansei_core::outcome::{Came, Outcome, Source};
use hansei_core::session_name;
use hansei_record::{clock, foreign_time};
use hansei_workspace::git::Git;
use hansei_workspace::history::{self, Walk};
use hansei_workspace::layout::Layout;

use super::Stop;
use crate::commands::experiment::git_history::{self, Since};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// A later commit speaks of a change for so many days.
const WITHIN_DAYS: u32 = 30;

const PATIENCE: Duration = Duration::from_mins(10);

/// Outcomes of sessions whose change a later commit takes back or mends, with the session's name.
pub fn found(
    workspace: &Workspace,
    stops: &[Stop],
    logs: &BTreeMap<String, Vec<Line>>,
) -> Result<Vec<(String, Outcome)>, Failure> {
    if let Layout::Missing { .. } = workspace.layout {
        return Ok(Vec::new());
    }
    let works: Vec<(&Stop, Work<'_>)> = last_of_sessions(stops)
        .filter_map(|stop| {
            let stopped = foreign_time::seconds(stop.reflection.timestamp.as_str())?;
            let began = began(logs.get(&session_name::safe(&stop.reflection.session_id))).unwrap_or(stopped);
            Some((stop, Work { began, stopped, files: &stop.reflection.files_changed }))
        })
        .collect();
    let Some(earliest) = works.iter().map(|(_, work)| work.began).min() else { return Ok(Vec::new()) };
    let git = Git::new(workspace.layout.root(), Instant::now() + PATIENCE)?;
    let mut commits: Vec<Commit> = Vec::new();
    history::walk(&git, &Walk { since: Some(earliest), ..Walk::default() }, |commit| {
        commits.push(commit);
        ControlFlow::Continue(())
    })?;
    let times: BTreeMap<CommitId, i64> =
        commits.iter().map(|commit| (commit.id, commit.committer_time)).collect();
    let signals = signals(workspace, earliest)?;
    let mut found = Vec::new();
    for (stop, work) in &works {
        let carriers: BTreeSet<CommitId> = carriers(work, &commits).into_iter().collect();
        for signal in &signals {
            let Some(failed) = signal.failed.filter(|failed| carriers.contains(failed)) else { continue };
            let (Some(&landed), Some(&seen)) = (times.get(&failed), times.get(&signal.commit)) else {
                continue;
            };
            if (0..=i64::from(WITHIN_DAYS) * 86_400).contains(&(seen - landed))
                && let Some(outcome) = outcome(stop, signal, failed, seen)
            {
                found.push((stop.reflection.session_id.clone(), outcome));
            }
        }
    }
    Ok(found)
}

/// The newest stop of each session: the change is the session's, and one answer is enough.
fn last_of_sessions(stops: &[Stop]) -> impl Iterator<Item = &Stop> {
    let mut met = BTreeSet::new();
    stops.iter().filter(move |stop| met.insert(&stop.reflection.session_id))
}

fn began(lines: Option<&Vec<Line>>) -> Option<i64> {
    let started = lines?.iter().find(|line| matches!(line.event, Event::SessionStarted { .. }))?;
    foreign_time::seconds(started.time.as_str())
}

fn signals(workspace: &Workspace, since: i64) -> Result<Vec<Signal>, Failure> {
    // The experiment's own numbers decide the experiment; here only its way of looking is used.
    let looking = GitHistory {
        kill: String::new(),
        near_empty: 0.0,
        fix_within_days: WITHIN_DAYS,
        window_days: WITHIN_DAYS,
        fewest_signals: 0,
    };
    let (_, details) = git_history::look(Some(workspace.layout.root()), Since::Moment(since), &looking)?;
    Ok(details.signals)
}

fn outcome(stop: &Stop, signal: &Signal, failed: CommitId, seen: i64) -> Option<Outcome> {
    let (source, did) = match signal.kind {
        Kind::Revert | Kind::Rollback => (Source::Revert, "takes back"),
        Kind::FixAfterMerge => (Source::Fix, "mends lines of"),
        // Its first landing had failed, and what took it back has said so.
        Kind::Reland => return None,
    };
    let seen = UNIX_EPOCH + Duration::from_secs(u64::try_from(seen).ok()?);
    Some(Outcome {
        subject: stop.id.clone(),
        outcome: Came::Wrong,
        source,
        why: format!("a later commit {did} {failed}"),
        commits: vec![signal.commit.to_string()],
        seen: clock::at(seen),
    })
}
