//! Reads an `<ESCALATION>` payload as agents really write it: in other cases, with other bullets, in a code fence, in a
//! quotation, on one line, as JSON. Tolerant of form, not of meaning: without a status of `blocked` and an attempt there is
//! none. Where a payload stands in a text is for `payload_extent.rs`; how its keys are written for `payload_keys.rs`.

use serde_json::Value;

use super::attempt::Attempt;
use super::forced_context::{self, ForcedContext};
use super::layer::FailureLayer;
use super::payload::{Escalation, LONGEST_PAYLOAD, says_something};
use super::payload_extent::{extents, inside, plain};
use super::payload_keys::{Keys, is_list, item_of, known_key, on_lines};

/// The longest item that is read; what is longer tells a story.
const LONGEST_READ_ITEM: usize = 1_000;

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
    /// One of its items is longer than an item may be.
    #[error("an item of {key} has {bytes} bytes; {LONGEST_READ_ITEM} are allowed")]
    LongItem {
        /// In which list.
        key: &'static str,
        /// How long it is.
        bytes: usize,
    },
    /// It is longer than a payload may be.
    #[error("the payload has {bytes} bytes; {LONGEST_PAYLOAD} are allowed")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
}

/// A payload, and what it insists on besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPayload {
    /// The payload.
    pub escalation: Escalation,
    /// The blocks of forced context that stand inside it.
    pub forced: ForcedContext,
}

impl Escalation {
    /// The payload in a text.
    pub fn read(text: &str) -> Result<Self, NoPayload> {
        read_payload(text).map(|read| read.escalation)
    }
}

/// The payload in a text, with the blocks that stand inside it.
pub(super) fn read_payload(text: &str) -> Result<ReadPayload, NoPayload> {
    let text = plain(text);
    let mut found: Option<ReadPayload> = None;
    for extent in extents(&text) {
        let bytes = extent.end - extent.start;
        if bytes > LONGEST_PAYLOAD * 2 {
            return Err(NoPayload::TooLong { bytes });
        }
        let one = read_one(inside(&text[extent.start..extent.end]))?;
        if found.as_ref().is_some_and(|known| *known != one) {
            return Err(NoPayload::Several);
        }
        found = Some(one);
    }
    found.ok_or(NoPayload::Missing)
}

fn read_one(inside: &str) -> Result<ReadPayload, NoPayload> {
    let mut draft = Draft::default();
    match json_in(inside) {
        Some(fields) => fields.into_iter().for_each(|(key, value)| draft.take_json(&key, value)),
        None => draft.take_lines(&on_lines(inside)),
    }
    let forced = ForcedContext::read(&draft.blocks);
    let escalation = draft.finish()?;
    let bytes = inside.trim().len();
    if bytes > LONGEST_PAYLOAD {
        return Err(NoPayload::TooLong { bytes });
    }
    Ok(ReadPayload { escalation, forced })
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
    /// The lines of `[FORCED_CONTEXT]` and `[CHECKLIST]`, as they stand.
    blocks: String,
}

impl Draft {
    fn take_lines(&mut self, inside: &str) {
        let keys = Keys::of(inside);
        let mut key: Option<&'static str> = None;
        let mut in_block = false;
        for raw in inside.lines() {
            let line = raw.trim_start_matches(['>', ' ', '\t']).trim_end();
            if line.trim_start_matches('`').trim().is_empty() || line.starts_with("```") {
                continue;
            }
            if forced_context::is_mark(line) {
                in_block = true;
            } else if let Some((named, rest)) = keys.key_of(raw) {
                in_block = false;
                key = named;
                if let Some(key) = named {
                    self.touch(key);
                    self.take(key, rest, true);
                }
                continue;
            }
            if in_block {
                self.blocks.extend([line, "\n"]);
            } else if let Some(attempt) = marker_alone(line).filter(|_| !key.is_some_and(is_list)) {
                self.attempts.push(Some(attempt));
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
        if !says_blocked(&status) {
            return Err(NoPayload::NotBlocked { status: crate::model_text::one_line(&status, 80) });
        }
        let mut attempts: Vec<Attempt> = self.attempts.into_iter().flatten().collect();
        attempts.dedup();
        let [attempt] = attempts[..] else { return Err(NoPayload::NoAttempt) };
        let mut escalation = Escalation::of(attempt, &self.scope.join(" "));
        escalation.suspected_failure_layer =
            if self.layers.is_empty() { vec![FailureLayer::Unknown] } else { self.layers };
        for (name, items) in self.lists {
            if let Some(long) = items.iter().find(|item| item.len() > LONGEST_READ_ITEM) {
                return Err(NoPayload::LongItem { key: name, bytes: long.len() });
            }
            if let Some(list) = escalation.list_mut(name) {
                *list = items;
            }
        }
        Ok(escalation.bounded())
    }
}

/// Whether a status says that it is blocked; a remark may stand behind it.
fn says_blocked(status: &str) -> bool {
    let plain = status.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = plain.find(|c: char| !c.is_alphanumeric()).unwrap_or(plain.len());
    let behind = plain[end..]
        .trim_start_matches(|c: char| matches!(c, '`' | '*' | '"' | '\'' | '_') || c.is_whitespace());
    let is_remark = behind.is_empty()
        || behind.starts_with(['#', ';', ',', '.', '!', '(', '<', '-', '–', '—'])
        || behind.starts_with("//");
    plain[..end].eq_ignore_ascii_case("blocked") && is_remark
}

/// The attempt of a line that holds its marker and nothing else.
fn marker_alone(line: &str) -> Option<Attempt> {
    let line = line.trim_matches(|c: char| matches!(c, '`' | '*') || c.is_whitespace());
    let is_marker = line.starts_with('[') && line.find(']') == Some(line.len() - 1);
    if is_marker { Attempt::markers(line).first().copied() } else { None }
}
