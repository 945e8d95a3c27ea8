//! How work in a workspace came out: what people said, what can be found by looking, and what to believe.

mod in_history;
mod in_log;

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::event::{Event, Line};
use hansei_core::outcome::{self, Outcome};
use hansei_core::reflection::Reflection;
use hansei_core::session_name;
use hansei_record::log::{self, SessionLog, WhenCapturing};
use serde::Serialize;

use crate::commands::log::reflections;
use crate::commands::show;
use crate::failure::Failure;
use crate::inside_agent::{PATIENCE, cannot};
use crate::workspace::Workspace;

/// What a person points at.
#[derive(Debug)]
pub struct Subject {
    /// A reflection's id, or a session's.
    pub id: String,
    /// The session it belongs to.
    pub session: String,
}

/// What is believed of a piece of work.
#[derive(Debug, Clone, Serialize)]
pub struct Known {
    /// The session.
    pub session_id: String,
    /// What is believed of it, and who says so.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// How many have said something.
    pub heard: usize,
}

/// What looking brought.
#[derive(Debug, Default)]
pub struct Looked {
    /// How many outcomes were not on record before.
    pub found: usize,
    /// What could not be looked at, and why.
    pub not_looked: Vec<String>,
}

/// A reflection and its id.
#[derive(Debug)]
pub struct Stop {
    /// Its file name without the ending.
    pub id: String,
    /// What it says.
    pub reflection: Reflection,
}

/// What `name` points at: a reflection, or a session with a log.
pub fn subject(workspace: &Workspace, name: &str) -> Result<Subject, Failure> {
    let all = reflections(workspace)?;
    let refused = match show::find(&all, name) {
        Ok(stored) => {
            let Ok(reflection) = &stored.reflection else {
                return Err(Failure::environment(format!("{} is not a valid reflection", stored.id)));
            };
            let session = reflection.session_id.clone();
            let id = if session == name { session.clone() } else { stored.id.clone() };
            return Ok(Subject { id, session });
        }
        Err(refused) => refused,
    };
    let has_log = workspace
        .places
        .existing_log()
        .and_then(|folder| log::read(&folder, name))
        .is_ok_and(|lines| !lines.is_empty());
    if has_log { Ok(Subject { id: name.to_owned(), session: name.to_owned() }) } else { Err(refused) }
}

/// Looks for what a machine can tell, and records what is new.
pub fn look(workspace: &Workspace) -> Result<Looked, Failure> {
    let Ok(folder) = workspace.places.existing_log() else { return Ok(Looked::default()) };
    let logs: BTreeMap<String, Vec<Line>> = log::all(&folder)?.into_iter().collect();
    let stops: Vec<Stop> = reflections(workspace)?
        .into_iter()
        .filter_map(|stored| Some(Stop { id: stored.id, reflection: stored.reflection.ok()? }))
        .collect();
    let mut looked = Looked::default();
    let mut found: Vec<(String, Outcome)> = Vec::new();
    for (session, lines) in &logs {
        found.extend(in_log::found(lines).into_iter().map(|outcome| (session.clone(), outcome)));
    }
    match in_history::found(workspace, &stops, &logs) {
        Ok(outcomes) => found.extend(outcomes),
        Err(failure) => looked.not_looked.push(failure.message().to_owned()),
    }
    for (session, outcomes) in by_session(found) {
        let known: BTreeSet<Identity> =
            logs.get(&session).map(|lines| heard(lines).map(identity).collect()).unwrap_or_default();
        let new: Vec<Outcome> =
            outcomes.into_iter().filter(|outcome| !known.contains(&identity(outcome))).collect();
        if new.is_empty() {
            continue;
        }
        let mut log = SessionLog::lock(&folder, &session, WhenCapturing::Wait, PATIENCE)
            .map_err(|error| cannot(&error))?;
        for outcome in new {
            log.append(Event::Outcome(outcome)).map_err(|error| cannot(&error))?;
            looked.found += 1;
        }
        log.sync().map_err(|error| cannot(&error))?;
    }
    Ok(looked)
}

/// What is believed of every piece of work that something is known of, the newest first.
pub fn settled(workspace: &Workspace) -> Result<Vec<Known>, Failure> {
    let Ok(folder) = workspace.places.existing_log() else { return Ok(Vec::new()) };
    let mut known = Vec::new();
    for (session, lines) in log::all(&folder)? {
        let mut subjects: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
        for outcome in heard(&lines) {
            subjects.entry(&outcome.subject).or_default().push(outcome);
        }
        for outcomes in subjects.values() {
            if let Some(believed) = outcome::settled(outcomes.iter().copied()) {
                known.push(Known {
                    session_id: session.clone(),
                    outcome: believed.clone(),
                    heard: outcomes.len(),
                });
            }
        }
    }
    known.sort_by(|a, b| b.outcome.seen.moment().cmp(a.outcome.seen.moment()));
    Ok(known)
}

/// What is believed of each stop.
///
/// An outcome of a session is that of its last stop alone: one outcome is one answer, however often the agent stopped on
/// the way.
pub fn of_stops(workspace: &Workspace) -> Result<Vec<(Stop, Outcome)>, Failure> {
    let Ok(folder) = workspace.places.existing_log() else { return Ok(Vec::new()) };
    let logs: BTreeMap<String, Vec<Line>> = log::all(&folder)?.into_iter().collect();
    let mut known = Vec::new();
    let mut met = BTreeSet::new();
    // The newest come first, so the first of a session is its last.
    for stored in reflections(workspace)? {
        let Ok(reflection) = stored.reflection else { continue };
        let is_last = met.insert(reflection.session_id.clone());
        let Some(lines) = logs.get(&session_name::safe(&reflection.session_id)) else { continue };
        let about = |outcome: &&Outcome| {
            outcome.subject == stored.id || (is_last && outcome.subject == reflection.session_id)
        };
        if let Some(believed) = outcome::settled(heard(lines).filter(about)) {
            known.push((Stop { id: stored.id, reflection }, believed.clone()));
        }
    }
    Ok(known)
}

fn heard(lines: &[Line]) -> impl Iterator<Item = &Outcome> {
    lines.iter().filter_map(|line| match &line.event {
        Event::Outcome(outcome) => Some(outcome),
        _ => None,
    })
}

/// What makes two findings the same one.
type Identity = (String, &'static str, &'static str, Vec<String>, String);

fn identity(outcome: &Outcome) -> Identity {
    let Outcome { subject, outcome: came, source, commits, seen, .. } = outcome;
    (subject.clone(), came.name(), source.name(), commits.clone(), seen.to_string())
}

fn by_session(found: Vec<(String, Outcome)>) -> BTreeMap<String, Vec<Outcome>> {
    let mut sessions: BTreeMap<String, Vec<Outcome>> = BTreeMap::new();
    for (session, outcome) in found {
        sessions.entry(session_name::safe(&session)).or_default().push(outcome);
    }
    sessions
}
