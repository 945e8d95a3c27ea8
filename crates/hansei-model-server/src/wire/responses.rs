//! OpenAI Responses.

use serde_json::{Value, json};

use super::{Event, MADE_AT, Turn, items, pieces, string};
use crate::answer::Part;
use crate::request::{Asked, Entry, OfferedTool, Takes, add_line, text_of};
use crate::script::Stop;
use crate::tool::{Call, Input};

/// Reads a request.
pub fn read(body: &Value) -> Asked {
    let mut asked = Asked {
        model: string(&body["model"]),
        stream: body["stream"] == true,
        system: string(&body["instructions"]),
        tools: items(&body["tools"]).flat_map(offered).collect(),
        ..Asked::default()
    };
    if let Value::String(text) = &body["input"] {
        asked.converse([Entry::User(text.clone())]);
        return asked;
    }
    let mut entries = Vec::new();
    for item in items(&body["input"]) {
        let kind = item["type"].as_str().unwrap_or("message");
        let text = text_of(&item["content"]);
        match (kind, item["role"].as_str()) {
            ("message", Some("system" | "developer")) => add_line(&mut asked.system, &text),
            ("message", Some("assistant")) => entries.push(Entry::Assistant),
            ("message", _) => entries.push(Entry::User(text)),
            (kind, _) if kind.ends_with("_output") => {
                entries.push(Entry::ToolResult(text_of(&item["output"])));
            }
            (kind, _) if kind.ends_with("_call") || kind == "reasoning" => entries.push(Entry::Assistant),
            // References and compacted history say nothing about whose turn it is.
            _ => {}
        }
    }
    asked.converse(entries);
    asked
}

fn offered(tool: &Value) -> Vec<OfferedTool> {
    let takes = match tool["type"].as_str() {
        Some("function") => Takes::Object(tool["parameters"].clone()),
        Some("custom") => Takes::Text,
        Some("namespace") => {
            let namespace = Some(string(&tool["name"]));
            let inner = items(&tool["tools"]).flat_map(offered);
            return inner.map(|tool| OfferedTool { namespace: namespace.clone(), ..tool }).collect();
        }
        // The provider's own, which an agent does not perform.
        _ => return Vec::new(),
    };
    vec![OfferedTool { name: string(&tool["name"]), namespace: None, takes }]
}

/// A turn as one value.
pub fn whole(turn: Turn<'_>) -> Value {
    let output: Vec<Value> =
        turn.parts.iter().enumerate().map(|(index, part)| item(turn, index, part)).collect();
    let (status, _) = ending(turn);
    response(turn, status, &json!(output))
}

/// The status of a whole answer, and why it is not complete if it is not.
fn ending(turn: Turn<'_>) -> (&'static str, Value) {
    match turn.stop {
        Stop::Done => ("completed", Value::Null),
        Stop::Length => ("incomplete", json!({ "reason": "max_output_tokens" })),
    }
}

fn response(turn: Turn<'_>, status: &str, output: &Value) -> Value {
    let is_over = status != "in_progress";
    let usage = json!({
        "input_tokens": turn.usage.input,
        "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": turn.usage.output,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": turn.usage.input + turn.usage.output,
    });
    json!({
        "id": format!("resp_{:04}", turn.number),
        "object": "response",
        "created_at": MADE_AT,
        "status": status,
        "model": turn.model,
        "output": output,
        "error": null,
        "incomplete_details": if is_over { ending(turn).1 } else { Value::Null },
        "usage": if is_over { usage } else { Value::Null },
    })
}

fn item(turn: Turn<'_>, index: usize, part: &Part) -> Value {
    let id = |prefix: &str| format!("{prefix}_{:04}_{index}", turn.number);
    let mut item = match part {
        Part::Thinking(thought) => json!({
            "type": "reasoning",
            "id": id("rs"),
            "summary": [{ "type": "summary_text", "text": thought }],
        }),
        Part::Text(text) => json!({
            "type": "message",
            "id": id("msg"),
            "status": "completed",
            "role": "assistant",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Part::Call(call) => match &call.input {
            Input::Object(_) | Input::Raw(_) => json!({
                "type": "function_call",
                "id": id("fc"),
                "status": "completed",
                "call_id": id("call"),
                "name": call.name,
                "arguments": call.input.json(),
            }),
            Input::Text(text) => json!({
                "type": "custom_tool_call",
                "id": id("ctc"),
                "status": "completed",
                "call_id": id("call"),
                "name": call.name,
                "input": text,
            }),
        },
    };
    if let Part::Call(Call { namespace: Some(namespace), .. }) = part {
        item["namespace"] = json!(namespace);
    }
    item
}

/// A turn as a stream.
pub fn events(turn: Turn<'_>) -> Vec<Event> {
    let mut events = vec![
        json!({ "type": "response.created", "response": response(turn, "in_progress", &json!([])) }),
        json!({ "type": "response.in_progress", "response": response(turn, "in_progress", &json!([])) }),
    ];
    for (index, part) in turn.parts.iter().enumerate() {
        let done = item(turn, index, part);
        let mut added = done.clone();
        let inner = inner_events(part, &mut added);
        events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": added }));
        for mut event in inner {
            event["item_id"] = done["id"].clone();
            event["output_index"] = json!(index);
            events.push(event);
        }
        events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": done }));
    }
    events.push(json!({ "type": format!("response.{}", ending(turn).0), "response": whole(turn) }));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    events.iter().map(Event::typed).collect()
}

/// The events between the beginning and the end of an item; `added` becomes what the item is at its beginning.
fn inner_events(part: &Part, added: &mut Value) -> Vec<Value> {
    match part {
        Part::Thinking(thought) => {
            added["summary"] = json!([]);
            let of = |text: &str| json!({ "type": "summary_text", "text": text });
            let part = |kind: &str, text: &str| json!({ "type": kind, "summary_index": 0, "part": of(text) });
            let mut events = vec![part("response.reasoning_summary_part.added", "")];
            events.extend(pieces(thought).into_iter().map(|piece| {
                json!({ "type": "response.reasoning_summary_text.delta", "summary_index": 0, "delta": piece })
            }));
            events.push(
                json!({ "type": "response.reasoning_summary_text.done", "summary_index": 0, "text": thought }),
            );
            events.push(part("response.reasoning_summary_part.done", thought));
            events
        }
        Part::Text(text) => {
            added["status"] = json!("in_progress");
            added["content"] = json!([]);
            let of = |text: &str| json!({ "type": "output_text", "text": text, "annotations": [] });
            let part = |kind: &str, text: &str| json!({ "type": kind, "content_index": 0, "part": of(text) });
            let mut events = vec![part("response.content_part.added", "")];
            events.extend(pieces(text).into_iter().map(
                |piece| json!({ "type": "response.output_text.delta", "content_index": 0, "delta": piece }),
            ));
            events.push(json!({ "type": "response.output_text.done", "content_index": 0, "text": text }));
            events.push(part("response.content_part.done", text));
            events
        }
        Part::Call(call) => {
            added["status"] = json!("in_progress");
            let (field, kind, text) = match &call.input {
                Input::Object(_) | Input::Raw(_) => {
                    ("arguments", "response.function_call_arguments", call.input.json())
                }
                Input::Text(text) => ("input", "response.custom_tool_call_input", text.clone()),
            };
            added[field] = json!("");
            let mut events: Vec<Value> = pieces(&text)
                .into_iter()
                .map(|piece| json!({ "type": format!("{kind}.delta"), "delta": piece }))
                .collect();
            let mut done = json!({ "type": format!("{kind}.done") });
            done[field] = json!(text);
            events.push(done);
            events
        }
    }
}
