//! One answer: how sure the agent was, and whether it was right.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::Value;

use crate::terminal;

/// One answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Row<'a> {
    /// How sure the agent was, from 0 to 1.
    pub confidence: f64,
    /// Whether it was right. Also read from 1 and 0, which is what many tools write for a truth value.
    #[serde(deserialize_with = "truth")]
    pub correct: bool,
    /// The part of the system that was changed.
    #[serde(borrow, default)]
    pub surface: Option<Cow<'a, str>>,
    /// Who did the work.
    #[serde(borrow, default)]
    pub agent: Option<Cow<'a, str>>,
    /// The model behind it.
    #[serde(borrow, default)]
    pub model: Option<Cow<'a, str>>,
}

impl<'a> Row<'a> {
    /// The row on `line`, or what is wrong with it.
    pub fn read(line: &'a [u8]) -> Result<Self, String> {
        // By itself serde also takes an array of the fields in order.
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err("is not a JSON object".to_owned());
        }
        match serde_json::from_slice::<Self>(line) {
            Ok(row) if (0.0..=1.0).contains(&row.confidence) => Ok(row),
            Ok(row) => Err(format!("has a confidence of {}, which is not from 0 to 1", row.confidence)),
            Err(error) => Err(explanation(line, &error)),
        }
    }
}

/// What is wrong with a line that cannot be read.
fn explanation(line: &[u8], error: &serde_json::Error) -> String {
    let fields = match serde_json::from_slice::<Value>(line) {
        Ok(fields) => fields,
        Err(error) => {
            let text = String::from_utf8_lossy(line);
            return if text.contains("NaN") || text.contains("Infinity") {
                "holds a NaN or an infinity, which is neither JSON nor from 0 to 1".to_owned()
            } else {
                format!("is not valid JSON at column {}", error.column())
            };
        }
    };
    for (name, meant, fits) in [
        ("confidence", "a number from 0 to 1", Value::is_number as fn(&Value) -> bool),
        ("correct", "true or false", |value: &Value| {
            value.is_boolean() || value.as_f64() == Some(0.0) || value.as_f64() == Some(1.0)
        }),
    ] {
        match fields.get(name) {
            None => return format!("has no {name}"),
            Some(value) if !fits(value) => {
                return format!(
                    "has a {name} of {}, which is not {meant}",
                    terminal::short(&value.to_string(), 40)
                );
            }
            Some(_) => {}
        }
    }
    for name in ["surface", "agent", "model"] {
        if fields.get(name).is_some_and(|value| !value.is_string() && !value.is_null()) {
            return format!("has a {name} that is not a text");
        }
    }
    terminal::short(&error.to_string(), 80)
}

/// A truth value, also as 1 or 0.
fn truth<'de, D: Deserializer<'de>>(input: D) -> Result<bool, D::Error> {
    struct Truth;

    impl Visitor<'_> for Truth {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("true or false")
        }

        fn visit_bool<E: Error>(self, value: bool) -> Result<bool, E> {
            Ok(value)
        }

        fn visit_u64<E: Error>(self, value: u64) -> Result<bool, E> {
            match value {
                0 => Ok(false),
                1 => Ok(true),
                _ => Err(E::custom("neither true nor false")),
            }
        }

        fn visit_f64<E: Error>(self, value: f64) -> Result<bool, E> {
            if value == 0.0 {
                Ok(false)
            } else if value == 1.0 {
                Ok(true)
            } else {
                Err(E::custom("neither true nor false"))
            }
        }
    }

    input.deserialize_any(Truth)
}
