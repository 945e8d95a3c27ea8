//! A Spec: a plan that a person can review, as YAML, with the commands that prove it.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// What is to be reached.
    pub goal: String,
    /// How, in order.
    pub steps: Vec<String>,
    /// The files that will change.
    #[serde(default)]
    pub files: Vec<String>,
    /// Commands that succeed when it is done.
    #[serde(default)]
    pub verification: Vec<String>,
    /// What may go wrong.
    #[serde(default)]
    pub risks: Vec<String>,
}

/// The most entries that a list of a Spec keeps, and the most characters of an entry.
const MOST: usize = 100;
const LONGEST: usize = 4_000;

/// Why a text is no Spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSpec(pub String);

/// Reads a Spec out of an answer: the whole of it, or a block in it between fences.
pub fn read(answer: &str) -> Result<Spec, NoSpec> {
    let mut problem = NoSpec("there is no YAML in it".to_owned());
    for text in candidates(answer) {
        match of_yaml(text) {
            Ok(spec) => return Ok(spec),
            Err(error) => problem = error,
        }
    }
    Err(problem)
}

/// What may be a Spec in an answer: blocks between fences, then from the line on that begins with a key, then everything.
fn candidates(answer: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = answer;
    while let Some(start) = rest.find("```") {
        let after = &rest[start + 3..];
        let Some(line) = after.find('\n') else { break };
        let body = &after[line + 1..];
        let end = body.find("```").unwrap_or(body.len());
        found.push(&body[..end]);
        rest = &body[end..];
        rest = rest.strip_prefix("```").unwrap_or("");
    }
    let mut at = 0;
    for line in answer.split_inclusive('\n') {
        if ["goal:", "steps:", "---"].iter().any(|start| line.trim_start().starts_with(start)) {
            found.push(&answer[at..]);
            break;
        }
        at += line.len();
    }
    found.push(answer);
    found
}

/// Reads a Spec from YAML. Entries may be texts or have a text among their fields.
pub fn of_yaml(text: &str) -> Result<Spec, NoSpec> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_events: 100_000, max_aliases: 1_000, max_depth: 50 },
    };
    let value: Value = serde_saphyr::from_str_with_options(text, options)
        .map_err(|error| NoSpec(format!("not YAML: {error}")))?;
    let Value::Object(map) = &value else {
        return Err(NoSpec("a Spec is a mapping with the keys goal and steps".to_owned()));
    };
    // Some wrap it once more.
    let map = match map.get("spec").or_else(|| map.get("plan")) {
        Some(Value::Object(inner)) if !map.contains_key("goal") => inner,
        _ => map,
    };
    let list = |names: &[&str]| -> Vec<String> {
        let Some(value) = names.iter().find_map(|name| map.get(*name)) else { return Vec::new() };
        let items = match value {
            Value::Array(items) => items.iter().collect(),
            Value::Null => Vec::new(),
            other => vec![other],
        };
        items.into_iter().filter_map(entry).take(MOST).collect()
    };
    let spec = Spec {
        goal: map.get("goal").and_then(entry).unwrap_or_default(),
        steps: list(&["steps", "tasks"]),
        files: list(&["files"]),
        verification: list(&["verification", "verification_commands", "verify", "checks"]),
        risks: list(&["risks"]),
    };
    if spec.goal.is_empty() {
        return Err(NoSpec("the key goal is missing".to_owned()));
    }
    if spec.steps.is_empty() {
        return Err(NoSpec("the key steps is missing or empty".to_owned()));
    }
    Ok(spec)
}

/// The text of an entry, whichever way it is written.
fn entry(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Object(map) => {
            let named = ["command", "step", "description", "title", "path", "file", "name", "text", "risk"];
            let first = named.iter().find_map(|name| map.get(*name)).or_else(|| map.values().next());
            // `- Write the test: in tests/a.py` is read as a mapping by YAML, and meant as a sentence.
            match (map.len(), map.iter().next(), first) {
                (1, Some((key, Value::String(rest))), _) if !named.contains(&key.as_str()) => {
                    format!("{key}: {rest}")
                }
                (_, _, Some(Value::String(text))) => text.trim().to_owned(),
                _ => return None,
            }
        }
        Value::Array(_) | Value::Null => return None,
    };
    (!text.is_empty()).then(|| text.chars().take(LONGEST).collect())
}

impl Spec {
    /// A plan that was written as prose: each of its lines is a step.
    pub fn of_prose(task: &str, answer: &str) -> Self {
        let marks = ['-', '*', '•', '#', '`', ' ', '\t'];
        let lines = answer.lines().map(|line| line.trim().trim_start_matches(marks).trim());
        let steps: Vec<String> = lines
            .filter(|line| !line.is_empty())
            .map(|line| line.chars().take(LONGEST).collect())
            .take(MOST)
            .collect();
        let steps = if steps.is_empty() { vec!["Do what was asked.".to_owned()] } else { steps };
        Self { goal: task.chars().take(LONGEST).collect(), steps, ..Self::default() }
    }

    /// The Spec as YAML.
    pub fn yaml(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail. A JSON string is a YAML string.
        let quoted = |entry: &str| Value::from(entry).to_string();
        let _ = writeln!(text, "goal: {}", quoted(&self.goal));
        let lists = [
            ("steps", &self.steps),
            ("files", &self.files),
            ("verification", &self.verification),
            ("risks", &self.risks),
        ];
        for (name, list) in lists {
            if list.is_empty() {
                let _ = writeln!(text, "{name}: []");
                continue;
            }
            let _ = writeln!(text, "{name}:");
            for item in list {
                let _ = writeln!(text, "  - {}", quoted(item));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_however_they_are_written() {
        let spec = Spec {
            goal: "Green tests".into(),
            steps: vec!["Read a.py".into(), "Fix add: it subtracts".into()],
            files: vec!["a.py".into()],
            verification: vec!["pytest -q".into()],
            risks: vec![],
        };
        for answer in [
            "goal: Green tests\nsteps:\n  - Read a.py\n  - 'Fix add: it subtracts'\nfiles: [a.py]\nverification:\n  - pytest -q\n",
            "Here is my plan.\n\n```yaml\ngoal: Green tests\nsteps:\n- Read a.py\n- Fix add: it subtracts\nfiles: a.py\nverification_commands:\n- pytest -q\nrisks:\n```\nShall I?",
            "spec:\n  goal: Green tests\n  steps:\n  - description: Read a.py\n    id: 1\n  - step: 'Fix add: it subtracts'\n  files:\n  - path: a.py\n  verification:\n  - command: pytest -q\n",
            "Plan:\ngoal: Green tests\nsteps: [Read a.py, 'Fix add: it subtracts']\nfiles: [a.py]\nverify: pytest -q",
        ] {
            assert_eq!(read(answer), Ok(spec.clone()), "{answer}");
        }
        assert_eq!(of_yaml(&spec.yaml()), Ok(spec), "what is written can be read");
    }

    #[test]
    fn what_is_no_spec_is_not_taken_for_one() {
        for answer in
            ["", "I will fix it.", "goal: x", "steps: [a]", "- a\n- b", "goal: [", "goal: x\nsteps: []"]
        {
            assert!(read(answer).is_err(), "{answer}");
        }
    }

    #[test]
    fn prose_becomes_steps() {
        let spec = Spec::of_prose("Fix it", "# Plan\n\n1. Look\n- Fix\n");
        assert_eq!(spec.steps, ["Plan", "1. Look", "Fix"]);
        assert!(!Spec::of_prose("Fix it", " \n").steps.is_empty());
    }
}
