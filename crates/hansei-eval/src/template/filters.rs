//! The filters and tests of nunjucks that templates may use, with its meaning. One that is not here is an error.

use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, Value as Shown};
use serde_json::Value;

use super::LONGEST;
use super::methods::{grown, too_long};
use super::values::{json, number_shown, shown, text};
use crate::js_text;

/// The names of the filters.
pub const KNOWN: &[&str] = &[
    "abs", "capitalize", "d", "default", "dump", "first", "float", "int", "join", "last", "length", "load",
    "lower", "replace", "reverse", "safe", "string", "title", "trim", "upper",
];

/// Makes them known.
pub fn register(environment: &mut Environment<'_>) {
    environment.add_filter("upper", |value: Shown| text(&value).to_uppercase());
    environment.add_filter("lower", |value: Shown| text(&value).to_lowercase());
    environment.add_filter("trim", |value: Shown| text(&value).trim().to_owned());
    environment.add_filter("string", |value: Shown| text(&value));
    environment.add_filter("safe", |value: Shown| value);
    environment.add_filter("capitalize", |value: Shown| capitalized(&text(&value)));
    environment.add_filter("title", |value: Shown| {
        text(&value).split(' ').map(capitalized).collect::<Vec<_>>().join(" ")
    });
    environment.add_filter("length", |value: Shown| length(&value).unwrap_or(0));
    environment.add_filter("js_length", |value: Shown| length(&value).map_or(Shown::UNDEFINED, Shown::from));
    environment.add_filter("default", default);
    environment.add_filter("d", default);
    environment.add_filter("join", join);
    environment.add_filter("first", |value: Shown| item(&value, <[Value]>::first));
    environment.add_filter("last", |value: Shown| item(&value, <[Value]>::last));
    environment.add_filter("reverse", reverse);
    environment.add_filter("replace", replace);
    environment.add_filter("dump", dump);
    environment.add_filter("load", load);
    environment.add_filter("abs", |value: f64| number_shown(value.abs()));
    environment.add_filter("int", |value: Shown| number_shown(number(&value).map_or(0.0, f64::trunc)));
    environment.add_filter("float", |value: Shown| number_shown(number(&value).unwrap_or(0.0)));

    environment.add_test("defined", |value: &Shown| !value.is_undefined());
    environment.add_test("undefined", |value: &Shown| value.is_undefined());
    environment.add_test("none", |value: &Shown| value.is_none());
    environment.add_test("null", |value: &Shown| value.is_none());
    environment.add_test("string", |value: &Shown| value.kind() == ValueKind::String);
    environment.add_test("number", |value: &Shown| value.kind() == ValueKind::Number);
    environment.add_test("odd", |value: i64| value % 2 != 0);
    environment.add_test("even", |value: i64| value % 2 == 0);
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + &letters.as_str().to_lowercase()
    })
}

/// The length as JavaScript counts it, of what has one.
fn length(value: &Shown) -> Option<usize> {
    match json(value) {
        Value::String(text) => Some(text.encode_utf16().count()),
        Value::Array(items) => Some(items.len()),
        Value::Object(fields) => Some(fields.len()),
        _ => None,
    }
}

/// The other value where there is none; with `true`, also where it is false, zero or empty.
fn default(value: Shown, other: Option<Shown>, also_false: Option<bool>) -> Shown {
    let missing = if also_false.unwrap_or(false) { !value.is_true() } else { value.is_undefined() };
    if missing { other.unwrap_or_else(|| Shown::from("")) } else { value }
}

fn join(value: &Shown, separator: Option<&str>, attribute: Option<&Shown>) -> Result<String, Error> {
    let Value::Array(items) = json(value) else {
        return Err(Error::new(ErrorKind::InvalidOperation, "join wants a list"));
    };
    if attribute.is_some() {
        return Err(Error::new(ErrorKind::TooManyArguments, "join by an attribute is not supported"));
    }
    let texts: Vec<String> =
        items.iter().map(|item| if item.is_null() { String::new() } else { js_text::text(item) }).collect();
    Ok(texts.join(separator.unwrap_or_default()))
}

fn item(value: &Shown, which: fn(&[Value]) -> Option<&Value>) -> Shown {
    match json(value) {
        Value::Array(items) => which(&items).map_or(Shown::UNDEFINED, shown),
        Value::String(text) => {
            let letters: Vec<Value> = text.chars().map(|c| c.to_string().into()).collect();
            which(&letters).map_or(Shown::UNDEFINED, shown)
        }
        _ => Shown::UNDEFINED,
    }
}

fn reverse(value: &Shown) -> Result<Shown, Error> {
    match json(value) {
        Value::Array(items) => Ok(shown(&items.into_iter().rev().collect())),
        Value::String(text) => Ok(Shown::from(text.chars().rev().collect::<String>())),
        _ => Err(Error::new(ErrorKind::InvalidOperation, "reverse wants a list or a text")),
    }
}

fn replace(value: &Shown, from: &str, to: &str) -> Result<String, Error> {
    let text = text(value);
    if grown(&text, from, to) > LONGEST {
        return Err(too_long("replace"));
    }
    Ok(text.replace(from, to))
}

/// JSON, on as many lines as `JSON.stringify` with that many spaces would write.
fn dump(value: &Shown, spaces: Option<usize>) -> Result<String, Error> {
    let value = json(value);
    let Some(spaces) = spaces.filter(|spaces| *spaces > 0) else {
        return Ok(value.to_string());
    };
    let indent = " ".repeat(spaces.min(10));
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    let written = serde::Serialize::serialize(&value, &mut serializer);
    written.map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn load(value: &Shown) -> Result<Shown, Error> {
    let parsed: Result<Value, _> = serde_json::from_str(&text(value));
    parsed
        .map(|value| shown(&value))
        .map_err(|error| Error::new(ErrorKind::InvalidOperation, format!("load wants JSON: {error}")))
}

fn number(value: &Shown) -> Option<f64> {
    match json(value) {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}
