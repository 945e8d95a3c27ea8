//! Assertions that look at the words of an answer.

use serde_json::Value;

use super::{Grade, NoGrade, quoted, verdict};
use crate::suite::Letters;
use crate::{js_text, script};

fn not(inverse: bool) -> &'static str {
    if inverse { "not " } else { "" }
}

/// The same text, or the same JSON.
pub fn equals(value: &Value, output: &str, inverse: bool) -> Grade {
    let same = match value {
        Value::Array(_) | Value::Object(_) | Value::Null => {
            serde_json::from_str(output).is_ok_and(|parsed: Value| js_text::same(value, &parsed))
        }
        other => js_text::text(other) == output,
    };
    verdict(same != inverse, || {
        let value = js_text::output_text(value);
        format!("Expected output \"{}\" to {}equal \"{}\"", quoted(output), not(inverse), quoted(&value))
    })
}

/// The value is in the answer.
pub fn contains(value: &Value, output: &str, letters: Letters, inverse: bool) -> Result<Grade, NoGrade> {
    let value = some_text(value, "contains")?;
    let found = is_in(&value, output, letters);
    Ok(verdict(found != inverse, || {
        format!("Expected output to {}contain \"{}\"", not(inverse), quoted(&value))
    }))
}

/// One of the values is in the answer.
pub fn contains_any(value: &Value, output: &str, letters: Letters, inverse: bool) -> Result<Grade, NoGrade> {
    let values = several(value, "contains-any")?;
    let found = values.iter().any(|value| is_in(value, output, letters));
    Ok(verdict(found != inverse, || {
        format!("Expected output to {}contain one of \"{}\"", not(inverse), quoted(&values.join(", ")))
    }))
}

/// All of the values are in the answer.
pub fn contains_all(value: &Value, output: &str, letters: Letters, inverse: bool) -> Result<Grade, NoGrade> {
    let values = several(value, "contains-all")?;
    let missing: Vec<&str> =
        values.iter().filter(|value| !is_in(value, output, letters)).map(String::as_str).collect();
    Ok(verdict(missing.is_empty() != inverse, || {
        format!(
            "Expected output to {}contain all of [{}]. Missing: [{}]",
            not(inverse),
            quoted(&values.join(", ")),
            quoted(&missing.join(", "))
        )
    }))
}

/// The answer begins with the value.
pub fn starts_with(value: &Value, output: &str, inverse: bool) -> Result<Grade, NoGrade> {
    let value = some_text(value, "starts-with")?;
    Ok(verdict(output.starts_with(&value) != inverse, || {
        format!("Expected output to {}start with \"{}\"", not(inverse), quoted(&value))
    }))
}

/// A pattern matches somewhere in the answer. One that is none, or never ends, fails either way.
pub fn regex(value: &Value, output: &str, inverse: bool) -> Result<Grade, NoGrade> {
    let pattern = some_text(value, "regex")?;
    Ok(match script::matches(&pattern, output) {
        Ok(matched) => verdict(matched != inverse, || {
            format!("Expected output to {}match regex \"{}\"", not(inverse), quoted(&pattern))
        }),
        Err(error) => verdict(false, || format!("Invalid regex pattern: {error}")),
    })
}

fn is_in(value: &str, output: &str, letters: Letters) -> bool {
    match letters {
        Letters::Exact => output.contains(value),
        Letters::AnyCase => output.to_lowercase().contains(&value.to_lowercase()),
    }
}

/// A text to look for. An empty one would be in everything.
fn some_text(value: &Value, kind: &str) -> Result<String, NoGrade> {
    let text = js_text::text(value);
    if text.is_empty() {
        return Err(NoGrade::Case(format!("{kind}: the value is empty")));
    }
    Ok(text)
}

fn several(value: &Value, kind: &str) -> Result<Vec<String>, NoGrade> {
    match value {
        Value::Array(items) => Ok(items.iter().map(js_text::text).collect()),
        Value::String(text) if !text.is_empty() => {
            parted(text).map_err(|what| NoGrade::Case(format!("{kind}: {what}")))
        }
        _ => Err(NoGrade::Case(format!("{kind}: the value is empty"))),
    }
}

/// The values of a text with commas; quotes hold commas together.
fn parted(text: &str) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    let mut rest = text.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('"') {
            let (value, after) = quoted_value(inside)?;
            values.push(value);
            rest = after.trim_start();
            if !rest.is_empty() && !rest.starts_with(',') {
                return Err("a comma is missing after a quoted value".to_owned());
            }
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            values.push(rest[..end].trim().to_owned());
            rest = &rest[end..];
        }
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    Ok(values)
}

fn quoted_value(inside: &str) -> Result<(String, &str), String> {
    let mut value = String::new();
    let mut letters = inside.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        match (c, next) {
            ('\\', Some(escaped @ ('"' | '\\'))) | ('"', Some(escaped @ '"')) => {
                value.push(escaped);
                letters.next();
            }
            ('"', _) => return Ok((value, &inside[at + 1..])),
            _ => value.push(c),
        }
    }
    Err("a quote is not closed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parted_by_commas() {
        for (text, values) in [
            ("a, b,c", vec!["a", "b", "c"]),
            (r#""a, b", c"#, vec!["a, b", "c"]),
            (r#""say ""hi""", "b\"s""#, vec![r#"say "hi""#, r#"b"s"#]),
            (" ,, a ,", vec!["a"]),
        ] {
            assert_eq!(parted(text).unwrap(), values, "{text}");
        }
        for bad in [r#""open"#, r#""a" b"#] {
            assert!(parted(bad).is_err(), "{bad}");
        }
    }
}
