//! Jira's search results with `expand=changelog`.

use std::collections::BTreeSet;

use hansei_core::experiment::board_history::{Happened, Task, What};

use super::fields::{Fields, happened, label};
use super::items::items;
use super::malformed::Malformed;

/// What finished work is called where no status says that it is of the category "done".
const DONE: [&str; 7] = ["done", "closed", "resolved", "complete", "completed", "released", "verified"];

/// Resolutions of work that was not done.
const NOT_DONE: [&str; 6] =
    ["won't do", "won't fix", "duplicate", "cannot reproduce", "declined", "incomplete"];

pub fn tasks(text: &str) -> Result<Vec<Task>, Malformed> {
    let items = items(text)?;
    let issues: Vec<(Fields<'_>, Fields<'_>)> = items
        .iter()
        .map(|(row, value)| {
            let item = Fields::of(*row, value)?;
            let fields = item
                .object(&["fields"])
                .ok_or_else(|| Malformed::at(*row, "fields", "an issue needs fields"))?;
            Ok((item, fields))
        })
        .collect::<Result<_, Malformed>>()?;
    let mut done: BTreeSet<String> = DONE.iter().map(|&name| name.to_owned()).collect();
    // Every board names its own last columns; the issues that stand in them say of which category they are.
    for (_, fields) in &issues {
        if let Some(status) = fields.object(&["status"]) {
            let category = status.object(&["statusCategory"]);
            let key = category.map(|category| category.text(&["key"])).transpose()?.flatten();
            if let (Some("done"), Some(name)) = (key, status.text(&["name"])?) {
                done.insert(name.to_lowercase());
            }
        }
    }
    issues
        .into_iter()
        .map(|(item, fields)| Ok(Task { id: item.id(&["key", "id"])?, happened: task(item, fields, &done)? }))
        .collect()
}

fn task(item: Fields<'_>, fields: Fields<'_>, done: &BTreeSet<String>) -> Result<Vec<Happened>, Malformed> {
    let mut found = Vec::new();
    let histories = match item.object(&["changelog"]) {
        Some(changelog) => changelog.list(&["histories", "values"])?,
        None => Vec::new(),
    };
    for history in histories {
        for change in history.list(&["items"])? {
            let to = change.text(&["toString"])?.unwrap_or_default().to_lowercase();
            let from = change.text(&["fromString"])?.unwrap_or_default().to_lowercase();
            let what = match change.text(&["field"])?.unwrap_or_default() {
                "status" => match (done.contains(&from), done.contains(&to)) {
                    (false, true) => Some(What::Completed),
                    (true, false) => Some(What::Reopened),
                    _ => None,
                },
                "labels" => {
                    to.split(' ').filter(|word| !from.split(' ').any(|old| old == *word)).find_map(label)
                }
                _ => None,
            };
            if let Some(what) = what {
                found.push(happened(history.needed_moment(&["created"])?, what));
            }
        }
    }
    let resolved = fields.moment(&["resolutiondate"])?;
    let resolution = match fields.object(&["resolution"]) {
        Some(resolution) => resolution.text(&["name"])?.unwrap_or_default().to_lowercase(),
        None => String::new(),
    };
    if NOT_DONE.contains(&resolution.as_str()) {
        found.retain(|happened| happened.what != What::Completed);
        return Ok(found);
    }
    let is_known = found.iter().any(|happened| happened.what == What::Completed);
    if let Some(at) = resolved.filter(|_| !is_known) {
        found.push(happened(at, What::Completed));
    }
    Ok(found)
}
