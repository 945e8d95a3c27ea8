//! This workspace's own records as a board: tasks that agents completed, and what is known of how they came out.

use hansei_core::event::{Event, Line};
use hansei_core::experiment::board_history::{Happened, Task, What};
use hansei_core::interrupt::Why;
use hansei_core::outcome::{Came, Outcome, Source};
use hansei_core::timestamp::Timestamp;
use hansei_record::{foreign_time, log};

use super::fields::happened;
use crate::failure::Failure;
use crate::workspace::Workspace;

/// One task a session that was let go as complete.
pub fn read(workspace: &Workspace) -> Result<Vec<Task>, Failure> {
    let Ok(folder) = workspace.places.existing_log() else { return Ok(Vec::new()) };
    let logs = log::all(&folder)?;
    Ok(logs
        .into_iter()
        .map(|(id, lines)| Task { happened: lines.iter().filter_map(told).collect(), id })
        .collect())
}

fn told(line: &Line) -> Option<Happened> {
    let (time, what) = match &line.event {
        Event::LetGo { why: Why::Complete, .. } => (&line.time, What::Completed),
        Event::Outcome(outcome) => (&outcome.seen, sign(outcome)),
        _ => return None,
    };
    Some(happened(seconds(time)?, what))
}

fn sign(outcome: &Outcome) -> What {
    match (outcome.source, outcome.outcome) {
        (Source::Check | Source::Ci, Came::Correct) => What::ChecksPassed,
        (Source::Check | Source::Ci, Came::Wrong) => What::ChecksFailed,
        (_, Came::Correct) => What::Accepted,
        (Source::Human, Came::Wrong) => What::Refused,
        (Source::Revert, Came::Wrong) => What::Reverted,
        (Source::Fix, Came::Wrong) => What::Fixed,
        (Source::Reopened, Came::Wrong) => What::Reopened,
    }
}

fn seconds(time: &Timestamp) -> Option<i64> {
    foreign_time::seconds(time.as_str())
}
