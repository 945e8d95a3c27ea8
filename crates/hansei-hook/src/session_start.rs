//! Records what is there when a session begins: the commit, and the files that somebody else already changed.

use std::time::{Duration, Instant};

use hansei_core::event::{BaseCommit, DirtyFile, Event};
use hansei_core::path_text;
use hansei_record::log::{SessionLog, WhenCapturing};
use hansei_workspace::changes::{self, Base, WorkChange};
use hansei_workspace::content::fingerprint;
use hansei_workspace::git::Git;
use hansei_workspace::layout::{Layout, path_from_bytes};

use crate::HookError;
use crate::session::Session;
use crate::time_limit::{LOG_PATIENCE, TimeLimit};

/// Files beyond these limits are not remembered: a session's start must not be felt.
const MOST_FILES: usize = 5000;
const LONGEST: Duration = Duration::from_millis(700);

/// Records the start of a session, or that it was resumed.
pub(crate) fn record(session: &Session, limit: &TimeLimit) -> Result<(), HookError> {
    let folder = session.log_folder()?;
    let mut log = SessionLog::lock(&folder, &session.id, WhenCapturing::Wait, LOG_PATIENCE)?;
    let mut degraded = session.gaps.clone();
    let (base, dirty) = if log.ledger().start().is_some() {
        (BaseCommit::Unknown, Vec::new())
    } else {
        match look(session, limit) {
            Ok(change) => {
                let dirty = dirty_files(session, &change, &mut degraded);
                (change.status.head.map_or(BaseCommit::Empty, BaseCommit::Commit), dirty)
            }
            Err(reason) => {
                degraded.push(reason);
                (BaseCommit::Unknown, Vec::new())
            }
        }
    };
    Ok(log.append(Event::SessionStarted { base, dirty, degraded })?)
}

fn look(session: &Session, limit: &TimeLimit) -> Result<WorkChange, String> {
    match &session.layout {
        Layout::WorkTree { root, .. } => Git::new(root, limit.git())
            .and_then(|git| changes::since(&git, Base::Head))
            .map_err(|error| error.to_string()),
        Layout::Bare { .. } => Err("a bare repository has no work tree".to_owned()),
        Layout::Missing { .. } => Err("no git repository".to_owned()),
    }
}

fn dirty_files(session: &Session, change: &WorkChange, degraded: &mut Vec<String>) -> Vec<DirtyFile> {
    degraded.extend(change.gaps.iter().cloned());
    let root = session.layout.root();
    let ours = session.places.ours_in(root);
    let until = Instant::now() + LONGEST;
    let mut dirty = Vec::new();
    for path in change.paths.iter().filter(|path| !ours.has(path)) {
        if dirty.len() >= MOST_FILES || Instant::now() > until {
            degraded.push(format!(
                "only {} of {} changed files are remembered",
                dirty.len(),
                change.paths.len()
            ));
            break;
        }
        let blob = fingerprint(&root.join(path_from_bytes(path)));
        dirty.push(DirtyFile { path: path_text::encode(path), blob });
    }
    dirty
}
