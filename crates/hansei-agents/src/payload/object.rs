//! A payload as JSON, read field by field.

use std::path::PathBuf;

use serde_json::{Map, Value};

/// The object of a payload, and which of its fields were not what they should be.
pub(super) struct Object {
    fields: Map<String, Value>,
    pub(super) odd: Vec<&'static str>,
}

impl Object {
    /// Reads an object, and only that.
    pub(super) fn parse(bytes: &[u8]) -> serde_json::Result<Self> {
        // Agents that cut texts between two halves of a character write escapes that stand for nothing.
        let fields = serde_json::from_slice(bytes)
            .or_else(|error| serde_json::from_str(&with_whole_characters(bytes)).map_err(|_| error))?;
        Ok(Self { fields, odd: Vec::new() })
    }

    pub(super) fn is_null(&self, name: &str) -> bool {
        self.fields.get(name).is_some_and(Value::is_null)
    }

    pub(super) fn text(&mut self, name: &'static str) -> Option<String> {
        match self.fields.get_mut(name)? {
            Value::String(text) => Some(std::mem::take(text)),
            Value::Null => None,
            _ => self.odd(name),
        }
    }

    pub(super) fn path(&mut self, name: &'static str) -> Option<PathBuf> {
        self.text(name).filter(|path| !path.is_empty()).map(PathBuf::from)
    }

    pub(super) fn flag(&mut self, name: &'static str) -> bool {
        match self.fields.get(name) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::Null) | None => false,
            Some(_) => self.odd(name).unwrap_or_default(),
        }
    }

    pub(super) fn choice(&mut self, name: &'static str) -> Option<bool> {
        match self.fields.get(name)? {
            Value::Bool(choice) => Some(*choice),
            Value::Null => None,
            _ => self.odd(name),
        }
    }

    pub(super) fn number(&mut self, name: &'static str) -> Option<u64> {
        match self.fields.get(name)? {
            Value::Number(number) if number.is_u64() => number.as_u64(),
            Value::Null => None,
            _ => self.odd(name),
        }
    }

    /// How many members of a list there are that `counts` is true of.
    pub(super) fn count(&mut self, name: &'static str, counts: impl Fn(&Value) -> bool) -> usize {
        match self.fields.get(name) {
            Some(Value::Array(members)) => members.iter().filter(|member| counts(member)).count(),
            Some(Value::Null) | None => 0,
            Some(_) => self.odd(name).unwrap_or_default(),
        }
    }

    /// A word out of a list. A newer agent may use others: those are not odd, but say nothing to us.
    pub(super) fn one_of<T: Copy>(&mut self, name: &'static str, words: &[(&str, T)]) -> Option<T> {
        let word = self.text(name)?;
        words.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
    }

    fn odd<T>(&mut self, name: &'static str) -> Option<T> {
        self.odd.push(name);
        None
    }
}

/// The text with every half of a character, escaped or not, replaced by the mark for one that is not known.
fn with_whole_characters(bytes: &[u8]) -> String {
    const UNKNOWN: &str = "\\ufffd";
    let text = String::from_utf8_lossy(bytes);
    let mut whole = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(place) = rest.find('\\') {
        whole.push_str(&rest[..place]);
        rest = &rest[place..];
        let length = match (half(rest), rest.get(6..).and_then(half)) {
            (Some(Half::First), Some(Half::Second)) => 12,
            (Some(_), _) => {
                whole.push_str(UNKNOWN);
                rest = &rest[6..];
                continue;
            }
            // An escaped backslash begins no other escape.
            (None, _) => rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end),
        };
        whole.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    whole.push_str(rest);
    whole
}

enum Half {
    First,
    Second,
}

/// Which half of a character an escape at the beginning of `text` stands for.
fn half(text: &str) -> Option<Half> {
    let code = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(code, 16).ok()? {
        0xd800..=0xdbff => Some(Half::First),
        0xdc00..=0xdfff => Some(Half::Second),
        _ => None,
    }
}
