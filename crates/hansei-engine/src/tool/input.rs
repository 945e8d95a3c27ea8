//! A tool's input, held against its schema: what is missing, unknown or of the wrong kind is named.

use hansei_workspace::beneath::RelativePath;
use serde_json::{Map, Value};

use super::ToolError;

/// An input that its schema allows. A field that is null counts as absent: that is how some models leave one out.
#[derive(Debug)]
pub(super) struct Input<'a> {
    fields: &'a Map<String, Value>,
}

impl<'a> Input<'a> {
    pub fn checked(input: &'a Value, schema: &Value) -> Result<Self, ToolError> {
        let Value::Object(fields) = input else {
            return Err(ToolError::bad_input(format!("the input is {}, not an object", kind_of(input))));
        };
        let empty = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&empty);
        for (name, value) in fields {
            let Some(property) = properties.get(name) else {
                let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(ToolError::bad_input(format!("there is no field {name:?}; there are: {known}")));
            };
            if !value.is_null() {
                check(name, value, property)?;
            }
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if fields.get(name).is_none_or(Value::is_null) {
                return Err(missing(name));
            }
        }
        Ok(Self { fields })
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.as_str()
    }

    pub fn required(&self, name: &str) -> Result<&'a str, ToolError> {
        self.text(name).ok_or_else(|| missing(name))
    }

    pub fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.as_i64()
    }

    /// A number of at least `least`.
    pub fn count(&self, name: &str, least: usize) -> Result<Option<usize>, ToolError> {
        let Some(number) = self.number(name) else { return Ok(None) };
        match usize::try_from(number) {
            Ok(count) if count >= least => Ok(Some(count)),
            _ => Err(ToolError::bad_input(format!("{name:?} is {number}, and {least} is the least"))),
        }
    }

    pub fn numbers(&self, name: &str) -> Option<Vec<i64>> {
        Some(self.get(name)?.as_array()?.iter().filter_map(Value::as_i64).collect())
    }

    /// The path in the field `path`; the root of the workspace where there is none.
    pub fn path(&self) -> Result<RelativePath, ToolError> {
        self.text("path").map_or_else(|| Ok(RelativePath::root()), |path| Ok(RelativePath::parse(path)?))
    }
}

fn missing(name: &str) -> ToolError {
    ToolError::bad_input(format!("the field {name:?} is missing"))
}

fn check(name: &str, value: &Value, property: &Value) -> Result<(), ToolError> {
    let wanted = property["type"].as_str().unwrap_or("string");
    let fits = match wanted {
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "boolean" => value.is_boolean(),
        "array" => value.as_array().is_some_and(|items| items.iter().all(Value::is_i64)),
        _ => false,
    };
    if !fits {
        let wanted = if wanted == "array" { "array of integers" } else { wanted };
        let kind = kind_of(value);
        return Err(ToolError::bad_input(format!("the field {name:?} is {kind}, not of type {wanted}")));
    }
    if let Some(allowed) = property["enum"].as_array()
        && !allowed.contains(value)
    {
        let allowed: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        let allowed = allowed.join(", ");
        return Err(ToolError::bad_input(format!("the field {name:?} is {value}, not one of {allowed}")));
    }
    Ok(())
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a number that is not whole",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
