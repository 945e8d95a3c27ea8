//! Values that others write in more than one way: what does not fit is left out, and never costs the rest.

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;

/// A value, or what stands for none where it is of another type.
pub(crate) fn any<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(from: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).unwrap_or_default())
}

/// Those of a list that fit, where there must be one.
pub(crate) fn due_list<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    let items = Vec::<Value>::deserialize(from)?;
    Ok(items.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect())
}

/// Those of a list that fit.
pub(crate) fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    let items = match Value::deserialize(from)? {
        Value::Array(items) => items,
        _ => Vec::new(),
    };
    Ok(items.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect())
}

/// A name, which may be a number.
pub(crate) fn name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(name) => Some(name),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// A whole number, which may be written as a text or with a point.
pub(crate) fn whole(value: &Value) -> Option<i32> {
    let whole = match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_i64(),
    };
    #[allow(clippy::cast_possible_truncation, reason = "only what is whole is taken")]
    let pointed = || value.as_f64().filter(|number| number.fract() == 0.0).map(|number| number as i64);
    i32::try_from(whole.or_else(pointed)?).ok()
}

/// The arguments of a call, which may be written as a text, and that text again.
pub(crate) fn arguments(given: &Value) -> Value {
    let mut given = given.clone();
    for _ in 0..3 {
        let Some(text) = given.as_str() else { break };
        let Ok(read) = serde_json::from_str(text) else { break };
        given = read;
    }
    given
}
