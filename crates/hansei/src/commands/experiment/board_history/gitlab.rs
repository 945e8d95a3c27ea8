//! GitLab's issues and merge requests: as its API lists them, and as a project's export holds them, one a line.

use hansei_core::experiment::board_history::{Happened, Task, What};

use super::fields::{Fields, checks, happened, label};
use super::items::items;
use super::malformed::Malformed;

pub fn tasks(text: &str) -> Result<Vec<Task>, Malformed> {
    let task = |(row, value): &(u64, serde_json::Value)| {
        let item = Fields::of(*row, value)?;
        Ok(Task { id: item.id(&["iid", "id"])?, happened: task(item)? })
    };
    items(text)?.iter().map(task).collect()
}

fn task(item: Fields<'_>) -> Result<Vec<Happened>, Malformed> {
    let mut found = Vec::new();
    let is_merge_request = item.get(&["merged_at", "mergedAt", "source_branch", "sourceBranch"]).is_some();
    for event in item.list(&["resource_state_events", "resourceStateEvents"])? {
        let what = match event.text(&["state"])?.unwrap_or_default() {
            "closed" if !is_merge_request => What::Completed,
            "merged" => What::Completed,
            "reopened" => What::Reopened,
            _ => continue,
        };
        found.push(happened(event.needed_moment(&["created_at", "createdAt"])?, what));
    }
    for event in item.list(&["resource_label_events", "resourceLabelEvents"])? {
        let is_put_on = event.text(&["action"])? == Some("add");
        let name = match event.object(&["label"]) {
            Some(name) => name.text(&["name", "title"])?,
            None => None,
        };
        if let Some(what) = name.and_then(label).filter(|_| is_put_on) {
            found.push(happened(event.needed_moment(&["created_at", "createdAt"])?, what));
        }
    }
    // Projects from before there were such events tell of it in notes that the system wrote.
    for note in item
        .list(&["notes"])?
        .into_iter()
        .filter(|note| note.get(&["system"]).is_some_and(|(_, value)| value.as_bool() == Some(true)))
    {
        let words = note.text(&["note", "body"])?.unwrap_or_default();
        if words.starts_with("reopened") {
            found.push(happened(note.needed_moment(&["created_at", "createdAt"])?, What::Reopened));
        }
    }
    let closed = item.moment(&["closed_at", "closedAt"])?;
    let state = item.text(&["state"])?.unwrap_or_default().to_lowercase();
    if state == "closed" && !is_merge_request && closed.is_none() {
        return Err(Malformed::at(item.row, "closed_at", "a closed task needs the time it was closed"));
    }
    let is_moved = item.get(&["moved_to_id", "duplicated_to_id"]).is_some();
    let completed =
        item.moment(&["merged_at", "mergedAt"])?.or(closed.filter(|_| !is_merge_request && !is_moved));
    let is_known = found.iter().any(|happened| happened.what == What::Completed);
    if let Some(at) = completed.filter(|_| !is_known) {
        found.push(happened(at, What::Completed));
    }
    if let (Some(at), Some(pipeline)) =
        (completed, item.object(&["head_pipeline", "headPipeline", "pipeline"]))
        && let Some(what) = pipeline.text(&["status"])?.and_then(checks)
    {
        let ended = pipeline.moment(&["finished_at", "finishedAt", "updated_at"])?.unwrap_or(at);
        found.push(happened(ended.max(at), what));
    }
    Ok(found)
}
