//! Fields of an item, with where they stand.

use hansei_core::experiment::board_history::{Happened, What};
use hansei_record::foreign_time;
use serde_json::Value;

use super::malformed::Malformed;

/// The object behind one row.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a> {
    pub row: u64,
    value: &'a Value,
}

impl<'a> Fields<'a> {
    /// The fields of `value`, which must be an object.
    pub fn of(row: u64, value: &'a Value) -> Result<Self, Malformed> {
        if value.is_object() {
            Ok(Self { row, value })
        } else {
            Err(Malformed::value(row, "1", value, "an object"))
        }
    }

    /// The field of the first of these names that is there and not null, with that name.
    pub fn get(&self, names: &[&'a str]) -> Option<(&'a str, &'a Value)> {
        names.iter().find_map(|name| {
            let value = self.value.get(name).filter(|value| !value.is_null())?;
            Some((*name, value))
        })
    }

    /// What identifies the item: a text or a number.
    pub fn id(&self, names: &[&'a str]) -> Result<String, Malformed> {
        match self.get(names) {
            Some((_, Value::String(text))) if !text.trim().is_empty() => Ok(text.clone()),
            Some((_, Value::Number(number))) => Ok(number.to_string()),
            Some((name, value)) => Err(Malformed::value(self.row, name, value, "a task's id")),
            None => {
                Err(Malformed::at(self.row, names.first().copied().unwrap_or_default(), "a task needs an id"))
            }
        }
    }

    /// A text.
    pub fn text(&self, names: &[&'a str]) -> Result<Option<&'a str>, Malformed> {
        match self.get(names) {
            None => Ok(None),
            Some((_, Value::String(text))) => Ok(Some(text)),
            Some((name, value)) => Err(Malformed::value(self.row, name, value, "a text")),
        }
    }

    /// A moment.
    pub fn moment(&self, names: &[&'a str]) -> Result<Option<i64>, Malformed> {
        let Some((name, value)) = self.get(names) else { return Ok(None) };
        if value.as_str().is_some_and(|text| text.trim().is_empty()) {
            return Ok(None);
        }
        let moment = value.as_str().and_then(foreign_time::seconds).or_else(|| value.as_i64());
        moment.map(Some).ok_or_else(|| Malformed::value(self.row, name, value, "a time"))
    }

    /// A moment that must be there.
    pub fn needed_moment(&self, names: &[&'a str]) -> Result<i64, Malformed> {
        let missing =
            || Malformed::at(self.row, names.first().copied().unwrap_or_default(), "a time is missing");
        self.moment(names)?.ok_or_else(missing)
    }

    /// The objects of a list, in `{ nodes: [...] }` too; none where there is no such field.
    pub fn list(&self, names: &[&'a str]) -> Result<Vec<Fields<'a>>, Malformed> {
        let Some((name, value)) = self.get(names) else { return Ok(Vec::new()) };
        let list = value.as_array().or_else(|| value.get("nodes").and_then(Value::as_array));
        let list = list.ok_or_else(|| Malformed::value(self.row, name, value, "a list"))?;
        list.iter()
            .map(|value| match value {
                Value::Object(_) => Ok(Fields { row: self.row, value }),
                _ => Err(Malformed::value(self.row, name, value, "an object")),
            })
            .collect()
    }

    /// The fields of an object in this one.
    pub fn object(&self, names: &[&'a str]) -> Option<Fields<'a>> {
        let (_, value) = self.get(names)?;
        value.is_object().then_some(Fields { row: self.row, value })
    }
}

/// Something that happened.
pub fn happened(at: i64, what: What) -> Happened {
    Happened { at, what }
}

/// What a label, put on after the work was done, says about it.
pub fn label(name: &str) -> Option<What> {
    let name = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["regression", "rejected", "reopened", "qa failed", "qa-failed", "not fixed"]) {
        Some(What::Refused)
    } else if has(&["verified", "accepted", "qa passed", "qa-passed"]) {
        Some(What::Accepted)
    } else {
        None
    }
}

/// What the title of a change that points at a task says about it.
pub fn title(title: &str) -> Option<What> {
    let lower = title.trim_start().to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if begins(&["revert ", "revert\"", "revert:", "reverts ", "roll back", "rollback", "back out", "backout"])
    {
        Some(What::Reverted)
    } else if begins(&["hotfix", "regression"]) || lower.contains("regression") {
        Some(What::Fixed)
    } else {
        None
    }
}

/// What the end of a pipeline, a check run or a status says.
pub fn checks(word: &str) -> Option<What> {
    match word.to_lowercase().as_str() {
        "success" | "passed" => Some(What::ChecksPassed),
        "failure" | "failed" | "error" | "timed_out" | "startup_failure" => Some(What::ChecksFailed),
        _ => None,
    }
}
