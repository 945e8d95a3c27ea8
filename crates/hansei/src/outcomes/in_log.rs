//! What a session's own log tells of how its work came out: checks that ran on it, and a task that was taken for complete
//! and was not.

use std::collections::BTreeMap;

use hansei_core::event::{Event, Line};
use hansei_core::evidence::Kind;
use hansei_core::interrupt::Why;
use hansei_core::outcome::{Came, Outcome, Source};
use hansei_core::timestamp::Timestamp;

/// How a reflection's file name ends.
const ENDING: &str = ".reflection.json";

/// All that one log tells.
pub fn found(lines: &[Line]) -> Vec<Outcome> {
    let mut found = Vec::new();
    let mut stop: Option<&str> = None;
    // Tasks that were let go as complete, with the stop at which that was.
    let mut completed: BTreeMap<&str, &str> = BTreeMap::new();
    for line in lines {
        match &line.event {
            Event::Captured { sidecar, .. } => stop = Some(sidecar.strip_suffix(ENDING).unwrap_or(sidecar)),
            Event::Judged { task, complete, evidence, .. } => {
                let Some(stop) = stop else { continue };
                if evidence.contains(&Kind::CheckFailed) {
                    found.push(said(stop, Came::Wrong, Source::Check, "a check failed on it", &line.time));
                } else if evidence.contains(&Kind::CheckPassed) && *complete {
                    found.push(said(stop, Came::Correct, Source::Check, "its checks passed", &line.time));
                }
                if let Some(earlier) = completed.get(task.as_str()).copied().filter(|_| !complete) {
                    let why = "taken for complete, and found open later";
                    found.push(said(earlier, Came::Wrong, Source::Reopened, why, &line.time));
                    completed.remove(task.as_str());
                }
            }
            Event::LetGo { task, why: Why::Complete, .. } => {
                if let Some(stop) = stop {
                    completed.insert(task, stop);
                }
            }
            _ => {}
        }
    }
    found
}

fn said(subject: &str, outcome: Came, source: Source, why: &str, seen: &Timestamp) -> Outcome {
    Outcome {
        subject: subject.to_owned(),
        outcome,
        source,
        why: why.to_owned(),
        commits: Vec::new(),
        seen: seen.clone(),
    }
}
