//! Values as JavaScript writes them: templates and assertions of eval files are written with that in mind.

use serde_json::{Number, Value};

/// `String(value)`.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number_text(number),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(item_text).collect::<Vec<_>>().join(","),
        Value::Object(_) => "[object Object]".to_owned(),
    }
}

/// The same inside an array, where nothing is written as nothing.
fn item_text(value: &Value) -> String {
    if value.is_null() { String::new() } else { text(value) }
}

/// A number: `1.0` is `1`.
fn number_text(number: &Number) -> String {
    match (number.as_i64(), number.as_f64()) {
        (None, Some(float)) => float_text(float),
        _ => number.to_string(),
    }
}

/// A float, without a fraction where there is none.
pub fn float_text(float: f64) -> String {
    if float.is_nan() {
        "NaN".to_owned()
    } else if float.is_infinite() {
        if float > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() }
    } else {
        format!("{float}")
    }
}

/// A number as a value: a whole one where it has no fraction, as JSON would write it.
pub fn number_value(float: f64) -> Value {
    if float.fract() == 0.0 && float.abs() < 9e15 {
        #[allow(clippy::cast_possible_truncation, reason = "it has no fraction and is small enough")]
        return Value::from(float as i64);
    }
    Value::from(float)
}

/// The output of a provider or a transform as the text that assertions look at: itself, or its JSON.
pub fn output_text(output: &Value) -> String {
    match output {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether two values are the same to JavaScript, which has one kind of number.
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_written_as_javascript_does() {
        for (value, expected) in [
            (json!(1.0), "1"),
            (json!(1.5), "1.5"),
            (json!(-3), "-3"),
            (json!(true), "true"),
            (json!(null), "null"),
            (json!([1, "a", null, [2, 3]]), "1,a,,2,3"),
            (json!({ "a": 1 }), "[object Object]"),
        ] {
            assert_eq!(text(&value), expected);
        }
        assert!(same(&json!({ "a": [1.0], "b": 2 }), &json!({ "b": 2, "a": [1] })));
        assert!(!same(&json!([1, 2]), &json!([2, 1])) && !same(&json!("1"), &json!(1)));
    }
}
