//! JavaScript's methods on texts, lists and numbers, as far as templates use them. One that is not here is an error.

use minijinja::{Error, ErrorKind, State, Value as Shown};
use serde_json::Value;

use super::LONGEST;
use super::values::{json, shown, text};
use crate::js_text;

/// Calls `method` of `value`.
pub fn call(_: &mut State<'_, '_>, value: &Shown, method: &str, arguments: &[Shown]) -> Result<Shown, Error> {
    let given = match json(value) {
        Value::String(text) => of_text(&text, method, arguments),
        Value::Array(items) => of_list(&items, method, arguments),
        Value::Number(number) => of_number(number.as_f64().unwrap_or(f64::NAN), method, arguments),
        _ => None,
    };
    match given {
        Some(Value::String(text)) if text.len() > LONGEST => Err(too_long(method)),
        Some(given) => Ok(shown(&given)),
        None => {
            let what = format!("the method {method}() of a {} is not supported here", value.kind());
            Err(Error::new(ErrorKind::UnknownMethod, what))
        }
    }
}

/// The error for a text that grows without end.
pub fn too_long(what: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("{what} makes a text that is too long"))
}

fn of_text(subject: &str, method: &str, arguments: &[Shown]) -> Option<Value> {
    let argument = |number: usize| arguments.get(number).map(text).unwrap_or_default();
    let first = argument(0);
    Some(match (method, arguments.len()) {
        ("toUpperCase", 0) => subject.to_uppercase().into(),
        ("toLowerCase", 0) => subject.to_lowercase().into(),
        ("trim", 0) => subject.trim().into(),
        ("trimStart", 0) => subject.trim_start().into(),
        ("trimEnd", 0) => subject.trim_end().into(),
        ("toString", 0) => subject.into(),
        ("includes", 1) => subject.contains(&first).into(),
        ("startsWith", 1) => subject.starts_with(&first).into(),
        ("endsWith", 1) => subject.ends_with(&first).into(),
        ("indexOf", 1) => {
            subject.find(&first).map_or(-1, |at| as_index(subject[..at].encode_utf16().count())).into()
        }
        ("split", 1) if first.is_empty() => subject.chars().map(|c| c.to_string()).collect(),
        ("split", 1) => subject.split(first.as_str()).collect(),
        ("replace", 2) => subject.replacen(&first, &argument(1), 1).into(),
        ("replaceAll", 2) if grown(subject, &first, &argument(1)) <= LONGEST => {
            subject.replace(&first, &argument(1)).into()
        }
        ("concat", 1) => format!("{subject}{first}").into(),
        ("repeat", 1) => {
            let times = usize::try_from(arguments[0].as_i64()?).ok()?;
            if subject.len().saturating_mul(times) > LONGEST {
                return None;
            }
            subject.repeat(times).into()
        }
        ("slice", 1 | 2) => {
            let units: Vec<u16> = subject.encode_utf16().collect();
            let (from, to) = range(units.len(), arguments)?;
            String::from_utf16_lossy(&units[from..to]).into()
        }
        ("substring", 1 | 2) => {
            let units: Vec<u16> = subject.encode_utf16().collect();
            let bound = |number: usize| -> Option<usize> {
                let at = arguments.get(number).map_or(Some(as_index(units.len())), Shown::as_i64)?;
                Some(usize::try_from(at.max(0)).unwrap_or(usize::MAX).min(units.len()))
            };
            let (from, to) = (bound(0)?, bound(1)?);
            String::from_utf16_lossy(&units[from.min(to)..from.max(to)]).into()
        }
        ("charAt", 1) => {
            let at = usize::try_from(arguments[0].as_i64()?).ok();
            let unit = at.and_then(|at| subject.encode_utf16().nth(at));
            unit.map(|unit| String::from_utf16_lossy(&[unit])).unwrap_or_default().into()
        }
        _ => return None,
    })
}

fn of_list(items: &[Value], method: &str, arguments: &[Shown]) -> Option<Value> {
    Some(match (method, arguments.len()) {
        ("join", 0) => js_text::text(&Value::from(items)).into(),
        ("join", 1) => {
            let separator = text(&arguments[0]);
            let texts: Vec<String> = items
                .iter()
                .map(|item| if item.is_null() { String::new() } else { js_text::text(item) })
                .collect();
            texts.join(&separator).into()
        }
        ("includes", 1) => items.iter().any(|item| js_text::same(item, &json(&arguments[0]))).into(),
        ("indexOf", 1) => {
            let wanted = json(&arguments[0]);
            items.iter().position(|item| js_text::same(item, &wanted)).map_or(-1, as_index).into()
        }
        ("slice", 0..=2) => {
            let (from, to) = range(items.len(), arguments)?;
            items[from..to].into()
        }
        ("concat", 1) => match json(&arguments[0]) {
            Value::Array(more) => items.iter().cloned().chain(more).collect(),
            one => items.iter().cloned().chain([one]).collect(),
        },
        ("toString", 0) => js_text::text(&Value::from(items)).into(),
        _ => return None,
    })
}

fn of_number(number: f64, method: &str, arguments: &[Shown]) -> Option<Value> {
    match (method, arguments.len()) {
        ("toString", 0) => Some(js_text::float_text(number).into()),
        ("toFixed", 0) => Some(format!("{number:.0}").into()),
        ("toFixed", 1) => {
            let digits = usize::try_from(arguments[0].as_i64()?).ok().filter(|digits| *digits <= 100)?;
            Some(format!("{number:.digits$}").into())
        }
        _ => None,
    }
}

/// How long `text` becomes when every `from` in it is `to`.
pub fn grown(text: &str, from: &str, to: &str) -> usize {
    if to.len() <= from.len() {
        return text.len();
    }
    text.len().saturating_add(text.matches(from).count().saturating_mul(to.len() - from.len()))
}

fn as_index(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

/// The bounds of `slice`: negative ones count from the end.
fn range(length: usize, arguments: &[Shown]) -> Option<(usize, usize)> {
    let bound = |number: usize, missing: usize| -> Option<usize> {
        let Some(given) = arguments.get(number) else {
            return Some(missing);
        };
        let at = given.as_i64()?;
        let at = if at < 0 { as_index(length).saturating_add(at).max(0) } else { at };
        Some(usize::try_from(at).unwrap_or(usize::MAX).min(length))
    };
    let from = bound(0, 0)?;
    Some((from, bound(1, length)?.max(from)))
}
