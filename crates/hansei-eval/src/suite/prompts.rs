//! The prompts of an eval file: texts, or files of one or several.

use serde_json::Value;

use super::keys;
use crate::files::Files;
use crate::template::check_prompt;
use crate::{Problem, yaml};

/// A line that parts the prompts of a text file.
const PARTING: &str = "---";
const EXTENSIONS: &[&str] = &["txt", "md", "j2", "json", "jsonl", "yaml", "yml"];

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Its template.
    pub raw: String,
    /// What it is called.
    pub label: String,
}

/// The prompts under `prompts`.
pub fn list(written: Option<&Value>, files: &Files, place: &str) -> Result<Vec<Prompt>, Problem> {
    let entries: &[Value] = match written {
        Some(Value::Array(entries)) => entries,
        Some(one @ Value::String(_)) => std::slice::from_ref(one),
        None | Some(Value::Null) => &[],
        Some(_) => return Err(Problem::new(place, "prompts is a list or a text")),
    };
    let mut prompts = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let place = keys::at(place, &format!("prompts[{number}]"));
        let found = match entry {
            Value::String(text) => of_text(text, None, files, &place)?,
            Value::Object(map) => {
                keys::check(map, keys::PROMPT, &place, "")?;
                let text = ["raw", "id"].iter().find_map(|key| map.get(*key)).and_then(Value::as_str);
                let text = text.ok_or_else(|| Problem::new(&place, "a prompt has raw or id, a text"))?;
                of_text(text, map.get("label").and_then(Value::as_str), files, &place)?
            }
            _ => return Err(Problem::new(&place, "a prompt is a text or a map")),
        };
        if found.is_empty() {
            return Err(Problem::new(&place, "there is no prompt in it"));
        }
        for prompt in &found {
            check_prompt(&prompt.raw).map_err(|error| Problem::new(&place, error))?;
        }
        prompts.extend(found);
    }
    if prompts.is_empty() {
        return Err(Problem::new(place, "there is no prompt; give prompts a list"));
    }
    Ok(prompts)
}

fn of_text(text: &str, label: Option<&str>, files: &Files, place: &str) -> Result<Vec<Prompt>, Problem> {
    if !is_path(text) {
        return Ok(vec![prompt(text.to_owned(), label.unwrap_or(text))]);
    }
    let name = text.strip_prefix("file://").unwrap_or(text);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
    if !EXTENSIONS.contains(&extension) {
        let what = format!(
            "{text:?} looks like a file, and only {} are read as prompts; a text with / in it must have two lines",
            EXTENSIONS.join(", ")
        );
        return Err(Problem::new(place, what));
    }
    let content = files.read(text, place)?;
    let label = label.unwrap_or(name);
    Ok(match extension {
        "txt" => {
            let mut parts = vec![String::new()];
            for line in content.lines() {
                if line.trim() == PARTING {
                    parts.push(String::new());
                } else if let Some(last) = parts.last_mut() {
                    last.push_str(line);
                    last.push('\n');
                }
            }
            let parts: Vec<&str> =
                parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
            let several = parts.len() > 1;
            let called =
                |number: usize| if several { format!("{label}: {number}") } else { label.to_owned() };
            parts.iter().zip(1..).map(|(part, number)| prompt((*part).to_owned(), &called(number))).collect()
        }
        "jsonl" => content
            .lines()
            .filter(|line| !line.is_empty())
            .map(|line| prompt(line.to_owned(), label))
            .collect(),
        "yaml" | "yml" => vec![prompt(yaml::parse(&content, place)?.to_string(), label)],
        "json" => {
            let parsed: Result<Value, _> = serde_json::from_str(&content);
            vec![prompt(parsed.map_or(content, |value| value.to_string()), label)]
        }
        _ => vec![prompt(content, label)],
    })
}

fn prompt(raw: String, label: &str) -> Prompt {
    Prompt { raw, label: label.to_owned() }
}

/// Whether promptfoo takes a prompt for the name of a file.
fn is_path(text: &str) -> bool {
    if text.contains('\n') {
        return false;
    }
    let dot_from_end = |from_end: usize| text.chars().rev().nth(from_end) == Some('.');
    text.starts_with("file://")
        || EXTENSIONS.iter().any(|extension| text.ends_with(&format!(".{extension}")))
        || dot_from_end(2)
        || dot_from_end(3)
        || text.contains(['*', '/', '\\'])
}
