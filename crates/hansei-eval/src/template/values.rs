//! Values in templates as JavaScript sees them: lists and objects are true even when empty, and are written its way.

use std::fmt;
use std::sync::Arc;

use minijinja::value::{Enumerator, Object, ObjectRepr, ValueKind};
use minijinja::{Error, Output, State, Value as Shown};
use serde_json::{Map, Value};

use crate::js_text;

/// The variables of a template.
pub fn context(vars: &Map<String, Value>) -> Shown {
    Shown::from_object(Record(Value::Object(vars.clone())))
}

/// A value for a template.
pub fn shown(value: &Value) -> Shown {
    match value {
        Value::Array(items) => Shown::from_object(List(items.iter().map(shown).collect(), value.clone())),
        Value::Object(_) => Shown::from_object(Record(value.clone())),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Shown::from(whole),
            (None, float) => number_shown(float.unwrap_or(f64::NAN)),
        },
        Value::String(text) => Shown::from(text.as_str()),
        Value::Bool(flag) => Shown::from(*flag),
        Value::Null => Shown::from(()),
    }
}

/// A float, which is a whole number where it has no fraction.
pub fn number_shown(float: f64) -> Shown {
    if float.fract() == 0.0 && float.abs() < 1e15 {
        #[allow(clippy::cast_possible_truncation, reason = "it has no fraction and is small enough")]
        return Shown::from(float as i64);
    }
    Shown::from(float)
}

/// What a value is as JSON, for methods and filters.
pub fn json(value: &Shown) -> Value {
    if let Some(list) = value.downcast_object_ref::<List>() {
        return list.1.clone();
    }
    if let Some(record) = value.downcast_object_ref::<Record>() {
        return record.0.clone();
    }
    match value.kind() {
        ValueKind::Bool => value.is_true().into(),
        ValueKind::Number => match value.as_i64() {
            Some(whole) => whole.into(),
            None => f64::try_from(value.clone()).unwrap_or(f64::NAN).into(),
        },
        ValueKind::String => value.as_str().unwrap_or_default().into(),
        ValueKind::Seq | ValueKind::Iterable => {
            value.try_iter().map(|items| items.map(|item| json(&item)).collect()).unwrap_or_default()
        }
        ValueKind::Map => {
            let keys = value.try_iter().into_iter().flatten();
            let fields =
                keys.map(|key| (text(&key), value.get_item(&key).map_or(Value::Null, |value| json(&value))));
            Value::Object(fields.collect())
        }
        _ => Value::Null,
    }
}

/// A value as text: nothing is empty, everything else as JavaScript writes it.
pub fn text(value: &Shown) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None if value.is_none() || value.is_undefined() => String::new(),
        None => js_text::text(&json(value)),
    }
}

/// Writes a value into the output.
pub fn format(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Shown) -> Result<(), Error> {
    if value.kind() == ValueKind::Invalid {
        // An error that was carried as a value.
        return Err(Error::new(minijinja::ErrorKind::InvalidOperation, value.to_string()));
    }
    out.write_str(&text(value)).map_err(Error::from)
}

/// A list, which is true even when empty.
#[derive(Debug)]
struct List(Vec<Shown>, Value);

impl Object for List {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Shown) -> Option<Shown> {
        self.0.get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.0.len())
    }

    fn is_true(self: &Arc<Self>) -> bool {
        true
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&js_text::text(&self.1))
    }
}

/// An object. It cannot be looped over: minijinja would give its keys where nunjucks gives nothing.
#[derive(Debug)]
struct Record(Value);

impl Object for Record {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Shown) -> Option<Shown> {
        self.0.get(key.as_str()?).map(shown)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::NonEnumerable
    }

    fn is_true(self: &Arc<Self>) -> bool {
        true
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&js_text::text(&self.0))
    }
}
