//! Records that went through the redactor, as the only thing this crate writes.

use serde::Serialize;
use serde_json::Value;

use crate::redact::redact;

/// A record with every secret taken out of every text in it.
#[derive(Debug, Clone)]
pub struct Redacted(Value);

impl Redacted {
    /// Redacts `record`.
    pub fn new(record: &impl Serialize) -> serde_json::Result<Self> {
        let mut value = serde_json::to_value(record)?;
        clean(&mut value);
        Ok(Self(value))
    }

    /// The record on one line, with a line feed.
    pub fn line(&self) -> Vec<u8> {
        let mut line = self.0.to_string().into_bytes();
        line.push(b'\n');
        line
    }

    /// The record for people to read, with a line feed.
    pub fn pretty(&self) -> Vec<u8> {
        let mut text = format!("{:#}", self.0).into_bytes();
        text.push(b'\n');
        text
    }

    /// The record itself.
    pub fn value(&self) -> &Value {
        &self.0
    }
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let std::borrow::Cow::Owned(clean) = redact(text) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(map) => map.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
