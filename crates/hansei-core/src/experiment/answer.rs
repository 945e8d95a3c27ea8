//! One answer of an agent: how sure it was, and whether it was right. P1 reads them one JSON object a line.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::Value;

/// One answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Answer<'a> {
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

impl<'a> Answer<'a> {
    /// The answer on `line`, or what is wrong with it.
    pub fn read(line: &'a [u8]) -> Result<Self, String> {
        // By itself serde also takes an array of the fields in order.
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err("is not a JSON object".to_owned());
        }
        match serde_json::from_slice::<Self>(line) {
            Ok(answer) if (0.0..=1.0).contains(&answer.confidence) => Ok(answer),
            Ok(answer) => {
                Err(format!("has a confidence of {:?}, which is not from 0 to 1", answer.confidence))
            }
            Err(error) => Err(explanation(line, &error)),
        }
    }
}

/// What is wrong with a line that cannot be read. Nothing that stands in it is repeated but a number.
fn explanation(line: &[u8], error: &serde_json::Error) -> String {
    let fields = match serde_json::from_slice::<Value>(line) {
        Ok(fields) => fields,
        Err(error) => {
            let holds = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
            return if holds(b"NaN") || holds(b"Infinity") {
                "holds a NaN or an infinity, which is neither JSON nor from 0 to 1".to_owned()
            } else {
                format!("is not valid JSON at column {}", error.column())
            };
        }
    };
    for (name, meant, fits) in [
        ("confidence", "a number from 0 to 1", Value::is_number as fn(&Value) -> bool),
        ("correct", "true or false", is_truth),
    ] {
        match fields.get(name) {
            None => return format!("has no {name}"),
            Some(value) if !fits(value) => return format!("has {} as {name}, not {meant}", kind(value)),
            Some(_) => {}
        }
    }
    for name in ["surface", "agent", "model"] {
        if let Some(value) = fields.get(name).filter(|value| !value.is_string() && !value.is_null()) {
            return format!("has {} as {name}, not a text", kind(value));
        }
    }
    error.to_string()
}

fn is_truth(value: &Value) -> bool {
    value.is_boolean() || value.as_f64() == Some(0.0) || value.as_f64() == Some(1.0)
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "a truth value".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
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
            match value {
                0.0 => Ok(false),
                1.0 => Ok(true),
                _ => Err(E::custom("neither true nor false")),
            }
        }
    }

    input.deserialize_any(Truth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_or_told_what_is_wrong_with_it() {
        for (line, found) in [
            (r#"{"confidence": 0.9, "correct": true}"#, Ok((0.9, true))),
            (r#" {"correct": 0, "other": [1], "confidence": 1}"#, Ok((1.0, false))),
            (r#"{"confidence": 0, "correct": 1.0}"#, Ok((0.0, true))),
            (
                r#"{"confidence": 1e300, "correct": 1}"#,
                Err("has a confidence of 1e300, which is not from 0 to 1"),
            ),
            (
                r#"{"confidence": [0.9], "correct": 1}"#,
                Err("has a list as confidence, not a number from 0 to 1"),
            ),
            (r#"{"confidence": 0.9, "correct": 0.5}"#, Err("has 0.5 as correct, not true or false")),
            (r#"{"confidence": 0.9, "correct": -1}"#, Err("has -1 as correct, not true or false")),
            ("", Err("is not a JSON object")),
        ] {
            let read = Answer::read(line.as_bytes()).map(|answer| (answer.confidence, answer.correct));
            assert_eq!(read, found.map_err(ToOwned::to_owned), "{line}");
        }
    }
}
