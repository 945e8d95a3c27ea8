//! An export as a list of JSON objects, however it is wrapped.

use std::io::Read as _;
use std::path::Path;

use serde_json::Value;

use super::malformed::Malformed;
use crate::failure::Failure;

/// Lists in which exports wrap their items.
const WRAPPERS: [&str; 10] = [
    "items", "issues", "nodes", "data", "repository", "project", "pullRequests", "mergeRequests", "values",
    "search",
];

/// What stands in `file`, or comes from standard input for `-`.
pub fn text(file: &Path) -> Result<String, Failure> {
    let cannot = |error: &std::io::Error| Failure::usage(format!("{}: {error}", file.display()));
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
    } else {
        bytes = std::fs::read(file).map_err(|error| cannot(&error))?;
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let row = before.split(|byte| *byte == b'\n').count();
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        Failure::usage(format!("{}: row {row}, column {column}: not UTF-8", file.display()))
    })
}

/// The objects of an export: one JSON document, or one a line. Each with its row: its place in the list, or its line.
pub fn items(text: &str) -> Result<Vec<(u64, Value)>, Malformed> {
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str::<Value>(text) {
        Ok(document) => {
            let items = unwrapped(document)?;
            Ok((1..).zip(items).collect())
        }
        Err(_) if is_one_a_line(text) => one_a_line(text),
        Err(error) => Err(Malformed::json(&error, 0)),
    }
}

/// Whether the first line is an object by itself and another follows.
fn is_one_a_line(text: &str) -> bool {
    let mut rows = text.lines().filter(|row| !row.trim().is_empty());
    rows.next().is_some_and(|row| serde_json::from_str::<serde_json::Map<String, Value>>(row).is_ok())
        && rows.next().is_some()
}

fn one_a_line(text: &str) -> Result<Vec<(u64, Value)>, Malformed> {
    let mut items = Vec::new();
    for (before, row) in (0..).zip(text.lines()) {
        if row.trim().is_empty() {
            continue;
        }
        let value = serde_json::from_str(row).map_err(|error| Malformed::json(&error, before))?;
        items.push((before + 1, value));
    }
    Ok(items)
}

/// The list in a document: itself, or what the first wrapper holds; a document that is no list is one item.
fn unwrapped(document: Value) -> Result<Vec<Value>, Malformed> {
    match document {
        Value::Array(items) => Ok(items),
        Value::Object(mut fields) => {
            let wrapper = WRAPPERS
                .into_iter()
                .find(|name| matches!(fields.get(*name), Some(Value::Array(_) | Value::Object(_))));
            match wrapper.and_then(|name| fields.remove(name)) {
                Some(inner) => unwrapped(inner),
                None if fields.is_empty() => Ok(Vec::new()),
                None => Ok(vec![Value::Object(fields)]),
            }
        }
        other => Err(Malformed::value(1, "1", &other, "a list of tasks")),
    }
}
