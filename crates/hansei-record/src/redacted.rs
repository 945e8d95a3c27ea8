//! Records that went through the redactor, as the only thing this crate writes.

use serde::Serialize;
use serde_json::Value;

use crate::redact::redact;

/// A record with every secret taken out of every text in it.
#[derive(Debug, Clone)]
pub struct Redacted {
    value: Value,
    is_changed: bool,
}

impl Redacted {
    /// Redacts `record`.
    pub fn new(record: &impl Serialize) -> serde_json::Result<Self> {
        let mut value = serde_json::to_value(record)?;
        let is_changed = clean(&mut value);
        Ok(Self { value, is_changed })
    }

    /// The record on one line, with a line feed.
    pub fn line(&self) -> Vec<u8> {
        let mut line = self.value.to_string().into_bytes();
        line.push(b'\n');
        line
    }

    /// The record for people to read, with a line feed.
    pub fn pretty(&self) -> Vec<u8> {
        let mut text = format!("{:#}", self.value).into_bytes();
        text.push(b'\n');
        text
    }

    /// Whether something was taken out.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The record itself.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// Takes secrets out of every text, and says whether there were any.
fn clean(value: &mut Value) -> bool {
    match value {
        Value::String(text) => match redact(text) {
            std::borrow::Cow::Owned(clean) => {
                *text = clean;
                true
            }
            std::borrow::Cow::Borrowed(_) => false,
        },
        Value::Array(items) => items.iter_mut().fold(false, |changed, item| clean(item) | changed),
        Value::Object(map) => map.values_mut().fold(false, |changed, item| clean(item) | changed),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
