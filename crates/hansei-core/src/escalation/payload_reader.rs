//! Reads an `<ESCALATION>` payload as agents really write it: in other cases, with other bullets, in a code fence, in a
//! quotation, as JSON. Tolerant of form, not of meaning: without a status of `blocked` and an attempt there is none.

use serde_json::Value;

use super::attempt::Attempt;
use super::layer::FailureLayer;
use super::payload::{Escalation, LONGEST_PAYLOAD, says_something};

/// Why there is no payload in a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPayload {
    /// There is no `<ESCALATION>` in it.
    #[error("there is no <ESCALATION> payload")]
    Missing,
    /// There are several, and they differ.
    #[error("there are several <ESCALATION> payloads that differ")]
    Several,
    /// Its status is another than `blocked`.
    #[error("the payload's status is {status:?}, not \"blocked\"")]
    NotBlocked {
        /// What it says instead.
        status: String,
    },
    /// It says no attempt, or two.
    #[error("the payload says no attempt that can be read")]
    NoAttempt,
    /// It is longer than a payload may be.
    #[error("the payload has {bytes} bytes; {LONGEST_PAYLOAD} are allowed")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
}

/// Where a payload stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Its first byte, the tag's.
    pub start: usize,
    /// The first byte behind it.
    pub end: usize,
}

impl Escalation {
    /// The payload in a text.
    pub fn read(text: &str) -> Result<Self, NoPayload> {
        let mut found: Option<Self> = None;
        for extent in extents(text) {
            let bytes = extent.end - extent.start;
            if bytes > LONGEST_PAYLOAD * 2 {
                return Err(NoPayload::TooLong { bytes });
            }
            let one = read_one(&text[extent.start..extent.end])?;
            if found.as_ref().is_some_and(|known| *known != one) {
                return Err(NoPayload::Several);
            }
            found = Some(one);
        }
        found.ok_or(NoPayload::Missing)
    }
}

/// Where the payloads of a text stand. One that is not closed ends with the text.
pub fn extents(text: &str) -> Vec<Extent> {
    let mut found: Vec<Extent> = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = bare_line(line);
        let tag: String = bare.chars().filter(|c| !c.is_whitespace()).take(64).collect();
        if tag.eq_ignore_ascii_case("</escalation>") {
            if let Some(start) = open.take() {
                found.push(Extent { start, end: at + line.len() });
            }
        } else if open.is_none() && opens(&tag) {
            let start = at + line.find('<').unwrap_or_default();
            let closes = line.to_ascii_lowercase().rfind("</escalation>");
            if let Some(close) = closes {
                found.push(Extent { start, end: at + close + "</escalation>".len() });
            } else {
                open = Some(start);
            }
        }
        at += line.len();
    }
    if let Some(start) = open {
        let end = closed_inline(text, start).unwrap_or(text.len());
        found.push(Extent { start, end });
    }
    found
}

fn opens(tag: &str) -> bool {
    let lower = tag.to_ascii_lowercase();
    lower == "<escalation>" || (lower.starts_with("<escalation>") && lower.len() > "<escalation>".len())
}

/// The end of a payload whose closing tag stands behind other words of a line.
fn closed_inline(text: &str, start: usize) -> Option<usize> {
    let lower = text[start..].to_ascii_lowercase();
    lower.rfind("</escalation>").map(|at| start + at + "</escalation>".len())
}

/// A line without what quotes and fences put before it.
fn bare_line(line: &str) -> &str {
    line.trim().trim_start_matches(['>', ' ', '\t']).trim_start_matches('`').trim_end_matches('`').trim()
}

fn read_one(payload: &str) -> Result<Escalation, NoPayload> {
    let lower = payload.to_ascii_lowercase();
    let from = lower.find('>').map_or(0, |at| at + 1);
    let to = lower.rfind("</escalation").unwrap_or(payload.len()).max(from);
    let inside = &payload[from..to];
    let mut draft = Draft::default();
    match json_in(inside) {
        Some(fields) => fields.into_iter().for_each(|(key, value)| draft.take_json(&key, value)),
        None => draft.take_lines(inside),
    }
    let escalation = draft.finish()?;
    let bytes = inside.trim().len();
    if bytes > LONGEST_PAYLOAD {
        return Err(NoPayload::TooLong { bytes });
    }
    Ok(escalation)
}

fn json_in(inside: &str) -> Option<serde_json::Map<String, Value>> {
    let start = inside.find('{')?;
    let before = inside[..start].trim().trim_start_matches('`').trim();
    if !before.is_empty() && !before.eq_ignore_ascii_case("json") {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(&inside[start..]).into_iter::<Value>();
    match values.next()?.ok()? {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

/// What was read so far.
#[derive(Debug, Default)]
struct Draft {
    status: Option<String>,
    attempts: Vec<Option<Attempt>>,
    scope: Vec<String>,
    layers: Vec<FailureLayer>,
    lists: std::collections::BTreeMap<&'static str, Vec<String>>,
}

impl Draft {
    fn take_lines(&mut self, inside: &str) {
        let mut key: Option<&'static str> = None;
        for line in inside.lines() {
            let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
            if line.trim_start_matches('`').trim().is_empty() || line.starts_with("```") {
                continue;
            }
            if let Some((named, rest)) = key_of(line) {
                key = named;
                if let Some(key) = named {
                    self.touch(key);
                    self.take(key, rest, true);
                }
            } else if let Some(key) = key {
                let (item, is_new) = item_of(line);
                self.take(key, item, is_new);
            }
        }
    }

    fn take_json(&mut self, key: &str, value: Value) {
        let Some(key) = known_key(key) else { return };
        let mut one = |value: &Value| match value {
            Value::String(text) => self.take(key, text, true),
            Value::Number(number) => self.take(key, &number.to_string(), true),
            _ => {}
        };
        match value {
            Value::Array(items) => items.iter().for_each(one),
            value => one(&value),
        }
    }

    fn touch(&mut self, key: &'static str) {
        if key == "attempt" {
            self.attempts.push(None);
        }
    }

    /// Takes a value in: a new item, or more of the last.
    fn take(&mut self, key: &'static str, text: &str, is_new: bool) {
        let text = text.trim();
        if !says_something(text) {
            return;
        }
        match key {
            "status" => {
                self.status.get_or_insert_with(|| text.to_owned());
            }
            "attempt" => self.attempts.push(Attempt::read(text)),
            "task_scope" => self.scope.push(text.to_owned()),
            "suspected_failure_layer" => {
                self.layers.extend(text.split(['|', ',', ';']).filter_map(FailureLayer::read));
            }
            key => {
                let items = self.lists.entry(key).or_default();
                match items.last_mut() {
                    Some(last) if !is_new => {
                        last.push(' ');
                        last.push_str(text);
                    }
                    _ => items.push(text.to_owned()),
                }
            }
        }
    }

    fn finish(self) -> Result<Escalation, NoPayload> {
        let status = self.status.unwrap_or_default();
        let plain = status.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        if !plain.eq_ignore_ascii_case("blocked") {
            return Err(NoPayload::NotBlocked { status: crate::model_text::one_line(&status, 80) });
        }
        let mut attempts: Vec<Attempt> = self.attempts.into_iter().flatten().collect();
        attempts.dedup();
        let [attempt] = attempts[..] else { return Err(NoPayload::NoAttempt) };
        let mut escalation = Escalation::of(attempt, &self.scope.join(" "));
        escalation.suspected_failure_layer =
            if self.layers.is_empty() { vec![FailureLayer::Unknown] } else { self.layers };
        for (name, items) in self.lists {
            if let Some(list) = escalation.list_mut(name) {
                *list = items;
            }
        }
        Ok(escalation.bounded())
    }
}

/// The key that begins a line, and the rest of it. A key that is not ours is one too, so that what follows it is not taken
/// for an item of the key before.
fn key_of(line: &str) -> Option<(Option<&'static str>, &str)> {
    let line = line.trim_start_matches('#').trim_start();
    let (name, rest) = line.split_once(':')?;
    let name = name.trim_matches(|c: char| matches!(c, '*' | '`' | '_' | '"' | ' '));
    let is_name = !name.is_empty()
        && name.len() <= 40
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' '));
    if !is_name || line.starts_with("- ") || line.starts_with("* ") {
        return None;
    }
    let rest = rest.trim_start_matches('*').trim();
    match known_key(name) {
        Some(key) => Some((Some(key), rest)),
        None if !name.contains(' ') && rest.is_empty() => Some((None, rest)),
        None => None,
    }
}

fn known_key(name: &str) -> Option<&'static str> {
    let name = name.trim().to_ascii_lowercase().replace(['-', ' '], "_");
    Some(match name.as_str() {
        "status" => "status",
        "attempt" | "attempts" => "attempt",
        "task_scope" | "scope" | "task" => "task_scope",
        "suspected_failure_layer" | "suspected_failure_layers" | "failure_layer" | "failure_layers" => {
            "suspected_failure_layer"
        }
        "what_was_tried" | "tried" => "what_was_tried",
        "what_did_not_work" | "did_not_work" => "what_did_not_work",
        "forced_context_checked" => "forced_context_checked",
        "current_invariants" | "invariants" => "current_invariants",
        "handoff_artifacts" | "handoff_artefacts" | "artifacts" => "handoff_artifacts",
        "request" | "requests" => "request",
        _ => return None,
    })
}

/// The item of a line, and whether a bullet begins it.
fn item_of(line: &str) -> (&str, bool) {
    let line = line.trim();
    for bullet in ["- ", "* ", "• ", "+ ", "– "] {
        if let Some(item) = line.strip_prefix(bullet) {
            return (item.trim(), true);
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0
        && let Some(item) = line[digits..].strip_prefix(". ").or_else(|| line[digits..].strip_prefix(") "))
    {
        return (item.trim(), true);
    }
    (line, line == "-")
}
