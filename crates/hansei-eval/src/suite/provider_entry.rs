//! A provider as an eval file names it.

use serde_json::{Map, Value};

use super::assertion::Transform;
use super::keys;
use crate::Problem;
use crate::provider::ProviderName;

/// A provider of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderEntry {
    /// Who is asked.
    pub name: ProviderName,
    /// What it is called in results, where the file says so.
    pub label: Option<String>,
    /// What the file says about how to ask.
    pub config: Value,
    /// What is done to its answers.
    pub transform: Option<Transform>,
    /// Where it stands.
    pub place: String,
}

/// The providers of a file.
pub fn list(written: &Map<String, Value>, place: &str) -> Result<Vec<ProviderEntry>, Problem> {
    let key = if written.contains_key("targets") { "targets" } else { "providers" };
    match written.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(entries)) => entries
            .iter()
            .enumerate()
            .map(|(number, entry)| entry_of(entry, &keys::at(place, &format!("{key}[{number}]"))))
            .collect(),
        Some(one) => entry_of(one, &keys::at(place, key)).map(|entry| vec![entry]),
    }
}

/// One provider: a name, a map with its `id`, or a map from its name to the rest.
pub fn entry_of(written: &Value, place: &str) -> Result<ProviderEntry, Problem> {
    let (id, options) = match written {
        Value::String(id) => (id.as_str(), None),
        Value::Object(map) => match (map.get("id"), map.iter().next()) {
            (Some(id), _) => {
                let id = id.as_str().ok_or_else(|| Problem::new(place, "id is the name of a provider"))?;
                (id, Some(map))
            }
            (None, Some((id, Value::Object(options)))) if map.len() == 1 => (id.as_str(), Some(options)),
            _ => return Err(Problem::new(place, "a provider has an id")),
        },
        _ => return Err(Problem::new(place, "a provider is a name or a map with an id")),
    };
    let name = id.parse().map_err(|what: String| Problem::new(place, what))?;
    let mut entry =
        ProviderEntry { name, label: None, config: Value::Null, transform: None, place: place.to_owned() };
    if let Some(options) = options {
        keys::check(options, keys::PROVIDER, place, "")?;
        entry.label = options.get("label").and_then(Value::as_str).map(ToOwned::to_owned);
        entry.config = options.get("config").cloned().unwrap_or_default();
        entry.transform = options.get("transform").map(|code| Transform::inline(code, place)).transpose()?;
    }
    Ok(entry)
}
