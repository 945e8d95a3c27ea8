//! Answers from this workspace's own records: what an agent said of its confidence when it stopped, beside what came out
//! about that work.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use hansei_core::event::Event;
use hansei_core::experiment::answer::Answer;
use hansei_core::outcome::{Came, Outcome};
use hansei_record::log;

use crate::commands::log::reflections;
use crate::failure::Failure;
use crate::workspace::Workspace;

/// How a reflection's file name ends; an outcome may name it with or without.
const ENDING: &str = ".reflection.json";

/// Each reflection whose confidence and outcome are known.
///
/// An outcome of a session is that of its last reflection alone: one outcome is one answer, however often the agent
/// stopped on the way.
pub fn own_rows(workspace: &Workspace) -> Result<Vec<Answer<'static>>, Failure> {
    let outcomes = outcomes(workspace)?;
    let mut ended = BTreeSet::new();
    let mut rows = Vec::new();
    // The newest first, so the first of a session is its last.
    for stored in reflections(workspace)? {
        let Ok(reflection) = stored.reflection else { continue };
        let last = ended.insert(reflection.session_id.clone());
        let of_session = outcomes.get(&reflection.session_id).filter(|_| last);
        let Some(outcome) = outcomes.get(&stored.id).or(of_session) else { continue };
        let Some(confidence) = reflection.confidence else { continue };
        rows.push(Answer {
            confidence: confidence.get(),
            correct: outcome.outcome == Came::Correct,
            surface: Some(Cow::Owned(reflection.risk.surface.to_string())),
            agent: Some(Cow::Owned(reflection.agent)),
            model: None,
        });
    }
    Ok(rows)
}

/// What came out about each piece of work: by the source that outranks the others, and of one source the newest.
fn outcomes(workspace: &Workspace) -> Result<BTreeMap<String, Outcome>, Failure> {
    let folder = match workspace.places.existing_log() {
        Ok(folder) => folder,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error.into()),
    };
    let of_sessions = log::all(&folder)?.into_iter().flat_map(|(_, lines)| lines);
    let mut found: BTreeMap<String, Outcome> = BTreeMap::new();
    for line in log::read_workspace(&folder)?.into_iter().chain(of_sessions) {
        let Event::Outcome(outcome) = line.event else { continue };
        let subject = outcome.subject.strip_suffix(ENDING).unwrap_or(&outcome.subject).to_owned();
        let rank = |outcome: &Outcome| (outcome.source, Reverse(outcome.seen.clone()));
        let better = found.get(&subject).is_none_or(|known| rank(&outcome) < rank(known));
        if better {
            found.insert(subject, outcome);
        }
    }
    Ok(found)
}
