//! A run that a command names: by its id, the beginning of it, or `last`.

use hansei_core::run::{Run, RunLine};
use hansei_record::folder::Folder;
use hansei_record::run_log;
use serde_json::Value;

use crate::failure::Failure;
use crate::workspace::Workspace;

/// A run on record.
pub struct FoundRun {
    /// Its name.
    pub name: String,
    /// Its log, line by line.
    pub lines: Vec<Value>,
    /// Its own events among them.
    pub events: Vec<RunLine>,
    /// As it stands.
    pub run: Run,
}

/// The folder of the logs; none before the first record.
pub fn folder(workspace: &Workspace) -> Option<Folder> {
    workspace.places.existing_log().ok()
}

/// The run called `named`.
pub fn find(workspace: &Workspace, named: &str) -> Result<FoundRun, Failure> {
    let all = folder(workspace).and_then(|folder| run_log::names(&folder).ok()).unwrap_or_default();
    let name = if named == "last" {
        all.last().cloned()
    } else {
        let matching: Vec<&String> =
            all.iter().filter(|name| name.as_str() == named || name.starts_with(named)).collect();
        match matching.as_slice() {
            [one] => Some((*one).clone()),
            [_, _, ..] if all.iter().any(|name| name == named) => Some(named.to_owned()),
            [_, _, ..] => {
                return Err(Failure::usage(format!("{} runs begin with {named:?}", matching.len()))
                    .hint("say more of its name; `hansei runs` lists them"));
            }
            [] => None,
        }
    };
    let name = name.ok_or_else(|| {
        Failure::usage(format!("there is no run {named:?} here")).hint("`hansei runs` lists them")
    })?;
    read(workspace, &name)?
        .ok_or_else(|| Failure::environment(format!("the log of {name} does not tell of a run")))
}

/// The run of exactly this name, where its log tells of one.
pub fn read(workspace: &Workspace, name: &str) -> Result<Option<FoundRun>, Failure> {
    let Some(folder) = folder(workspace) else { return Ok(None) };
    let lines = run_log::read(&folder, name)?;
    let events = run_log::events(&lines);
    let run = Run::fold(events.iter().map(|line| &line.event));
    Ok(run.map(|run| FoundRun { name: name.to_owned(), lines, events, run }))
}
