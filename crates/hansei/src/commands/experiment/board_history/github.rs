//! GitHub's issues and pull requests: as its REST API lists them, as `gh … --json` prints them, as GraphQL answers, and
//! its lists of issue events.

use hansei_core::experiment::board_history::{Happened, Task, What};

use super::fields::{Fields, checks, happened, label, title};
use super::items::items;
use super::lines::Gathered;
use super::malformed::Malformed;

/// Reasons for closing that complete nothing.
const NOT_DONE: [&str; 3] = ["not_planned", "duplicate", "wontfix"];

pub fn tasks(text: &str) -> Result<Vec<Task>, Malformed> {
    let mut tasks = Gathered::default();
    for (row, value) in &items(text)? {
        let item = Fields::of(*row, value)?;
        // A list of events names the issue in each of them.
        let (id, found) = match (item.get(&["event"]), item.object(&["issue"])) {
            (Some(_), Some(issue)) => (issue.id(&["number"])?, event(item)?.into_iter().collect()),
            _ => (item.id(&["number", "id"])?, task(item)?),
        };
        tasks.add(id, found);
    }
    Ok(tasks.tasks())
}

fn task(item: Fields<'_>) -> Result<Vec<Happened>, Malformed> {
    let mut found = Vec::new();
    for timeline in ["timeline", "timeline_items", "timelineItems", "events"] {
        for entry in item.list(&[timeline])? {
            found.extend(event(entry)?);
        }
    }
    let state = item.text(&["state"])?.unwrap_or_default().to_lowercase();
    let reason = item.text(&["state_reason", "stateReason"])?.unwrap_or_default().to_lowercase();
    let merged = match item.object(&["pull_request"]) {
        Some(pull) => item.moment(&["merged_at", "mergedAt"])?.or(pull.moment(&["merged_at"])?),
        None => item.moment(&["merged_at", "mergedAt"])?,
    };
    let closed = item.moment(&["closed_at", "closedAt"])?;
    let is_pull = item.get(&["pull_request", "merged_at", "mergedAt", "mergeCommit"]).is_some();
    if state == "closed" && closed.is_none() {
        return Err(Malformed::at(item.row, "closed_at", "a closed task needs the time it was closed"));
    }
    let is_known = found.iter().any(|happened| happened.what == What::Completed);
    let completed = merged.or(closed.filter(|_| !is_pull && !NOT_DONE.contains(&reason.as_str())));
    if let Some(at) = completed.filter(|_| !is_known) {
        found.push(happened(at, What::Completed));
    }
    if NOT_DONE.contains(&reason.as_str()) {
        found.retain(|happened| happened.what != What::Completed);
    }
    if let Some(at) = completed {
        found.extend(rollup(item, at)?);
    }
    Ok(found)
}

/// What the checks of the change say, which the task was completed with.
fn rollup(item: Fields<'_>, completed: i64) -> Result<Option<Happened>, Malformed> {
    let mut worst: Option<Happened> = None;
    for check in item.list(&["statusCheckRollup", "check_runs", "statuses"])? {
        let Some(what) = check.text(&["conclusion", "state"])?.and_then(checks) else { continue };
        let at =
            check.moment(&["completedAt", "completed_at", "updated_at"])?.unwrap_or(completed).max(completed);
        if worst.is_none_or(|worst| worst.what == What::ChecksPassed) {
            worst = Some(happened(at, what));
        }
    }
    Ok(worst)
}

fn event(entry: Fields<'_>) -> Result<Option<Happened>, Malformed> {
    let kind = entry.text(&["event", "__typename"])?.unwrap_or_default();
    let what = match kind {
        "closed" | "ClosedEvent" => {
            let reason = entry.text(&["state_reason", "stateReason"])?.unwrap_or_default().to_lowercase();
            (!NOT_DONE.contains(&reason.as_str())).then_some(What::Completed)
        }
        "merged" | "MergedEvent" => Some(What::Completed),
        "reopened" | "ReopenedEvent" => Some(What::Reopened),
        "labeled" | "LabeledEvent" => {
            let name = match entry.object(&["label"]) {
                Some(name) => name.text(&["name"])?,
                None => None,
            };
            name.and_then(label)
        }
        "cross-referenced" | "CrossReferencedEvent" => {
            let source = entry.object(&["source"]);
            let issue = source.and_then(|source| source.object(&["issue"]).or(Some(source)));
            match issue {
                Some(issue) => issue.text(&["title"])?.and_then(title),
                None => None,
            }
        }
        "referenced" | "ReferencedEvent" => {
            let commit = entry.object(&["commit"]);
            let message = match commit {
                Some(commit) => commit.text(&["message", "messageHeadline"])?,
                None => entry.text(&["commit_message"])?,
            };
            message.and_then(title)
        }
        _ => None,
    };
    let Some(what) = what else { return Ok(None) };
    Ok(Some(happened(entry.needed_moment(&["created_at", "createdAt"])?, what)))
}
