//! Boards in our own words, one JSON object a line: `{id, completed_at?, <sign>_at?, events: [{what, at}]?}`.

use std::collections::BTreeMap;

use hansei_core::experiment::board_history::{Happened, Task, What};
use serde_json::Value;

use super::fields::{Fields, happened};
use super::malformed::Malformed;

/// Columns that hold when something happened, and what.
pub const COLUMNS: [(&str, What); 8] = [
    ("completed_at", What::Completed),
    ("reopened_at", What::Reopened),
    ("reverted_at", What::Reverted),
    ("fixed_at", What::Fixed),
    ("checks_passed_at", What::ChecksPassed),
    ("checks_failed_at", What::ChecksFailed),
    ("accepted_at", What::Accepted),
    ("refused_at", What::Refused),
];

pub fn tasks(text: &str) -> Result<Vec<Task>, Malformed> {
    let mut tasks = Gathered::default();
    for (before, row) in (0..).zip(text.lines()) {
        if row.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(row).map_err(|error| Malformed::json(&error, before))?;
        let item = Fields::of(before + 1, &value)?;
        tasks.add(item.id(&["id"])?, task(item)?);
    }
    Ok(tasks.tasks())
}

fn task(item: Fields<'_>) -> Result<Vec<Happened>, Malformed> {
    let mut found = Vec::new();
    for (column, what) in COLUMNS {
        found.extend(item.moment(&[column])?.map(|at| happened(at, what)));
    }
    for event in item.list(&["events"])? {
        let name = event.text(&["what"])?.unwrap_or_default();
        found.push(happened(event.needed_moment(&["at"])?, named(item.row, "events.what", name)?));
    }
    Ok(found)
}

/// What `name` means.
pub fn named(row: u64, column: &str, name: &str) -> Result<What, Malformed> {
    What::named(name).ok_or_else(|| {
        let known: Vec<&str> = What::NAMES.iter().map(|(name, _)| *name).collect();
        Malformed::at(row, column, format!("{name:?} is none of {}", known.join(", ")))
    })
}

/// Tasks in the order of their first rows; several rows may tell of one.
#[derive(Debug, Default)]
pub struct Gathered {
    order: Vec<String>,
    happened: BTreeMap<String, Vec<Happened>>,
}

impl Gathered {
    /// Takes what a row tells of the task `id`.
    pub fn add(&mut self, id: String, found: Vec<Happened>) {
        if !self.happened.contains_key(&id) {
            self.order.push(id.clone());
        }
        self.happened.entry(id).or_default().extend(found);
    }

    /// All of them.
    pub fn tasks(mut self) -> Vec<Task> {
        let task = |id: String| {
            let happened = self.happened.remove(&id).unwrap_or_default();
            Task { id, happened }
        };
        self.order.into_iter().map(task).collect()
    }
}
