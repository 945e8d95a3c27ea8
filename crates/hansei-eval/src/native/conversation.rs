//! A case's vars as a session: what was asked, the calls that are told of, what was said last.

use hansei_agents::messages;
use hansei_core::session::Session;
use serde_json::{Map, Value, json};

use super::told::{self, Told};

/// A session in which `task` was asked, `tools` were used and `words` were said last.
pub(super) fn session(task: &str, tools: &Value, words: &str) -> Result<Session, String> {
    let mut all = Vec::new();
    if !task.trim().is_empty() {
        all.push(json!({ "role": "user", "content": task }));
    }
    for (place, call) in told::calls(tools).into_iter().enumerate() {
        all.extend(as_messages(&call, place));
    }
    all.push(json!({ "role": "assistant", "content": words }));
    let events =
        messages::import(Value::Array(all).to_string().as_bytes()).map_err(|error| error.to_string())?;
    Ok(Session::fold(&events))
}

/// A call and its answer, if it has one.
fn as_messages(call: &Told, place: usize) -> Vec<Value> {
    let id = format!("call_{place}");
    let called = json!({
        "role": "assistant",
        "content": null,
        "tool_calls": [{
            "id": id,
            "type": "function",
            "function": { "name": call.tool, "arguments": call.input.to_string() },
        }],
    });
    if call.result.running {
        return vec![called];
    }
    let failed = call.result.exit_code.is_some_and(|code| code != 0);
    let mut extra = json!({ "is_error": failed });
    if let Some(code) = call.result.exit_code {
        extra["exit_code"] = json!(code);
    }
    let answer = json!({ "role": "tool", "tool_call_id": id, "content": call.result.text, "extra": extra });
    vec![called, answer]
}

/// The text of a var; numbers and booleans as they are written, lists and objects as JSON.
pub(super) fn text(vars: &Map<String, Value>, names: &[&str]) -> String {
    match names.iter().find_map(|name| vars.get(*name)) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Whether a var says yes; nothing if it is not there or says something else.
pub(super) fn truth(vars: &Map<String, Value>, name: &str) -> Option<bool> {
    match text(vars, &[name]).trim().to_lowercase().as_str() {
        "true" | "yes" | "1" | "y" | "on" => Some(true),
        "false" | "no" | "0" | "n" | "off" => Some(false),
        _ => None,
    }
}

/// A length of time in seconds: `45`, `90s`, `3 minutes`, `1m 30s`, `0.4 minutes`, `2 hours`.
pub(super) fn seconds(text: &str) -> Option<u64> {
    let mut total = 0.0_f64;
    let mut found = false;
    let mut rest = text.trim();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..]
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .map_or(rest.len(), |end| start + end);
        let number: f64 = rest[start..end].trim_end_matches('.').parse().ok()?;
        let unit = rest[end..].trim_start().to_lowercase();
        let factor = if unit.starts_with("ms") || unit.starts_with("milli") {
            0.001
        } else if unit.starts_with('m') {
            60.0
        } else if unit.starts_with('h') || unit.starts_with("st") || unit.starts_with("std") {
            3600.0
        } else if unit.starts_with('d') || unit.starts_with("ta") {
            86_400.0
        } else {
            1.0
        };
        total += number * factor;
        found = true;
        rest = &rest[end..];
    }
    // A length of time is never negative, and one beyond all bounds is as good as any.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded just before")]
    let seconds = total.clamp(0.0, 1e9) as u64;
    found.then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time() {
        for (text, expected) in [
            ("45", Some(45)),
            ("90s", Some(90)),
            ("45 seconds", Some(45)),
            ("3 minutes", Some(180)),
            ("1m 30s", Some(90)),
            ("0.4 minutes", Some(24)),
            ("3 minutos", Some(180)),
            ("30 Minuten", Some(1800)),
            ("2 hours", Some(7200)),
            ("1500ms", Some(1)),
            ("a while", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
