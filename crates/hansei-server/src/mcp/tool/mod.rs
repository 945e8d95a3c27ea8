//! The tools: one table of them, one schema and one command each.
//!
//! A schema is plain on purpose (an object, no choices at its top): some providers of models refuse others. What has to be
//! given together or not at all is said by the command.

mod decisions_check;
mod escalate;
mod probe;
mod review;
mod risk;
mod self_report;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use jsonschema::error::ValidationErrorKind;
use rmcp::model::{Tool as Listed, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::calling::Asked;

/// The longest text that is taken in an argument.
const LONGEST_TEXT: u64 = 4 << 20;
/// The longest of a line: a name, a revision, a command.
const LONGEST_LINE: u64 = 4_000;

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    /// What it is called by.
    pub(super) name: &'static str,
    /// The command that answers.
    pub(super) command: &'static str,
    /// What it is called for people.
    title: &'static str,
    /// What it does and when to use it.
    description: &'static str,
    /// Its properties, and which of them are required.
    schema: fn() -> Value,
    /// Whether it leaves something behind.
    effect: Effect,
    /// The most that it may take.
    pub(super) limit: Duration,
    asked: fn(&Value) -> Result<Asked, String>,
}

/// What a call leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Nothing.
    ReadsOnly,
    /// A record of ours.
    Notes,
    /// A record as well, and a model may be asked: the same call again may be answered in another way.
    Asks,
}

/// Every tool.
pub(super) const TOOLS: &[Tool] =
    &[self_report::TOOL, review::TOOL, escalate::TOOL, probe::TOOL, decisions_check::TOOL, risk::TOOL];

impl Tool {
    /// The tool as clients see it.
    pub(super) fn listed(&self) -> Listed {
        let schema: Map<String, Value> = match (self.schema)() {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(self.effect == Effect::ReadsOnly)
            .destructive(false)
            .idempotent(self.effect != Effect::Asks)
            .open_world(self.effect == Effect::Asks);
        Listed::new(self.name, self.description, Arc::new(schema))
            .with_title(self.title)
            .with_annotations(hints)
    }
}

/// The command that a call stands for, or what is wrong with its arguments.
///
/// A field that is null counts as absent: that is how some models leave one out.
pub(super) fn asked(tool: &Tool, arguments: &Value) -> Result<Asked, String> {
    let given = arguments.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    let arguments = Value::Object(given.map(|(key, value)| (key.clone(), value.clone())).collect());
    let schema = (tool.schema)();
    let known = jsonschema::validator_for(&schema).map_err(|error| error.to_string())?;
    let wrong: Vec<String> = known.iter_errors(&arguments).take(5).map(|error| told(&error)).collect();
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    (tool.asked)(&arguments)
}

/// What is wrong, and where; never the value itself, which may be very long.
fn told(error: &jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let message = match error.kind() {
        ValidationErrorKind::Enum { options } => format!("what was given is none of {options}"),
        _ => error.masked_with("what was given").to_string(),
    };
    if place.is_empty() { message } else { format!("{}: {message}", place.trim_start_matches('/')) }
}

/// A schema of an object with these properties, the workspace, and nothing else.
fn object(mut properties: Value) -> Value {
    properties["workspace"] =
        line("The folder to work in, absolute or from where the server was started [default: there].");
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn line(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_LINE, "description": description })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_TEXT, "description": description })
}

fn lines(description: &str) -> Value {
    json!({
        "type": "array",
        "items": { "type": "string", "minLength": 1, "maxLength": LONGEST_LINE },
        "maxItems": 50,
        "description": description,
    })
}
