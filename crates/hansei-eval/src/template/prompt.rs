//! From a prompt and a case's vars to what a provider is asked, step by step as promptfoo does it: vars may refer to vars,
//! and a prompt that is JSON is rendered in its texts, so that no value breaks it.

use serde_json::{Map, Value};

use super::{TemplateError, check, render};
use crate::js_text;

/// How often vars are put into vars.
const ROUNDS: usize = 5;
/// The longest var after vars were put into it.
const LONGEST: usize = 1 << 20;

/// A case's vars as they are used: without the line feed at their end, and with `{{ other }}` replaced.
pub fn resolve(vars: &Map<String, Value>) -> Map<String, Value> {
    let mut vars = vars.clone();
    for value in vars.values_mut() {
        if let Value::String(text) = value
            && text.ends_with('\n')
        {
            text.pop();
        }
    }
    let names: Vec<String> = vars.keys().cloned().collect();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for name in &names {
            let Some(Value::String(text)) = vars.get(name) else { continue };
            let Some((start, end, other)) = first_name(text) else { continue };
            let Some(value) = vars.get(other).filter(|value| !value.is_null()) else { continue };
            let mut replaced = text.clone();
            replaced.replace_range(start..end, &js_text::text(value));
            if replaced.len() > LONGEST {
                continue;
            }
            vars.insert(name.clone(), Value::String(replaced));
            changed = true;
        }
        if !changed {
            break;
        }
    }
    vars
}

/// The first `{{ name }}` in a text: where it stands, and the name.
fn first_name(text: &str) -> Option<(usize, usize, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("{{").map(|at| from + at) {
        let rest = &text[at + 2..];
        if let Some(end) = rest.find("}}") {
            let name = rest[..end].trim();
            if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                return Some((at, at + 2 + end + 2, name));
            }
        }
        from = at + 2;
    }
    None
}

/// What a provider is asked, from a prompt and resolved vars.
pub fn render_prompt(prompt: &str, vars: &Map<String, Value>) -> Result<String, TemplateError> {
    if let Ok(mut parsed) = serde_json::from_str::<Value>(prompt) {
        render_texts(&mut parsed, vars)?;
        return serde_json::to_string_pretty(&parsed).map_err(|error| TemplateError(error.to_string()));
    }
    let mut rendered = Map::new();
    for (name, value) in vars {
        let value = match value {
            Value::String(text) if !names_unknown(text, vars) => Value::String(
                render(&whole(text), vars)
                    .map_err(|error| TemplateError(format!("in the var {name}: {error}")))?,
            ),
            other => other.clone(),
        };
        rendered.insert(name.clone(), value);
    }
    render(&whole(prompt), &rendered)
}

/// Checks that a prompt can be read, as far as that can be told without vars.
pub fn check_prompt(prompt: &str) -> Result<(), TemplateError> {
    if serde_json::from_str::<serde::de::IgnoredAny>(prompt).is_ok() {
        return Ok(());
    }
    check(&whole(prompt))
}

/// Renders every text in a value.
fn render_texts(value: &mut Value, vars: &Map<String, Value>) -> Result<(), TemplateError> {
    match value {
        Value::String(text) => *text = render(text, vars)?,
        Value::Array(items) => items.iter_mut().try_for_each(|item| render_texts(item, vars))?,
        Value::Object(fields) => fields.values_mut().try_for_each(|field| render_texts(field, vars))?,
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

/// A text with a tag that is opened on a line and not closed there is no template but a text.
fn whole(text: &str) -> String {
    let unfinished = text.lines().any(|line| {
        [("{%", '%'), ("{{", '}'), ("{#", '#')]
            .iter()
            .any(|(open, close)| line.rfind(open).is_some_and(|at| !line[at + 2..].contains(*close)))
    });
    let is_raw = text.contains("endraw");
    if unfinished && !is_raw { format!("{{% raw %}}{text}{{% endraw %}}") } else { text.to_owned() }
}

/// Whether a var's text names a var that there is none of; then it is left as it stands.
fn names_unknown(text: &str, vars: &Map<String, Value>) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let inside = rest[at + 2..].trim_start();
        let name: String = inside.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if begins && !vars.contains_key(&name) {
            return true;
        }
        rest = &rest[at + 2..];
    }
    false
}
