//! Anthropic Messages.

use serde_json::{Value, json};

use super::{Event, Turn, items, pieces, string};
use crate::answer::Part;
use crate::request::{Asked, Entry, OfferedTool, Takes, text_of};
use crate::script::{ErrorAnswer, Stop};

/// Reads a request.
pub fn read(body: &Value) -> Asked {
    let tools = items(&body["tools"]).filter(|tool| tool["name"].is_string());
    let mut asked = Asked {
        model: string(&body["model"]),
        stream: body["stream"] == true,
        system: text_of(&body["system"]),
        tools: tools
            .map(|tool| OfferedTool {
                name: string(&tool["name"]),
                namespace: None,
                takes: Takes::Object(tool["input_schema"].clone()),
            })
            .collect(),
        ..Asked::default()
    };
    asked.converse(items(&body["messages"]).flat_map(entries));
    asked
}

fn entries(message: &Value) -> Vec<Entry> {
    let content = &message["content"];
    if message["role"] == "assistant" {
        return vec![Entry::Assistant];
    }
    if let Value::String(text) = content {
        return vec![Entry::User(text.clone())];
    }
    let entry = |block: &Value| match block["type"].as_str() {
        Some("tool_result") => Entry::ToolResult(text_of(&block["content"])),
        _ => Entry::User(text_of(block)),
    };
    items(content).map(entry).collect()
}

/// A turn as one value.
pub fn whole(turn: Turn<'_>) -> Value {
    let content: Vec<Value> =
        turn.parts.iter().enumerate().map(|(index, part)| block(turn, index, part)).collect();
    message(turn, &json!(content), &json!(stop_reason(turn)), turn.usage.output)
}

fn message(turn: Turn<'_>, content: &Value, stop_reason: &Value, output: u64) -> Value {
    json!({
        "id": format!("msg_{:04}", turn.number),
        "type": "message",
        "role": "assistant",
        "model": turn.model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": {
            "input_tokens": turn.usage.input,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": output,
        },
    })
}

fn stop_reason(turn: Turn<'_>) -> &'static str {
    match turn.stop {
        Stop::Length => "max_tokens",
        Stop::Done if turn.parts.iter().any(|part| matches!(part, Part::Call(_))) => "tool_use",
        Stop::Done => "end_turn",
    }
}

fn block(turn: Turn<'_>, index: usize, part: &Part) -> Value {
    match part {
        Part::Thinking(thought) => {
            json!({ "type": "thinking", "thinking": thought, "signature": "scripted" })
        }
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Call(call) => json!({
            "type": "tool_use",
            "id": format!("toolu_{:04}_{index}", turn.number),
            "name": call.name,
            "input": call.input.object(),
        }),
    }
}

/// A turn as a stream.
pub fn events(turn: Turn<'_>) -> Vec<Event> {
    let start = message(turn, &json!([]), &Value::Null, 1);
    let mut events = vec![json!({ "type": "message_start", "message": start })];
    for (index, part) in turn.parts.iter().enumerate() {
        let mut empty = block(turn, index, part);
        let deltas: Vec<Value> = match part {
            Part::Thinking(thought) => {
                empty["thinking"] = json!("");
                empty["signature"] = json!("");
                let thought = pieces(thought)
                    .into_iter()
                    .map(|piece| json!({ "type": "thinking_delta", "thinking": piece }));
                thought.chain([json!({ "type": "signature_delta", "signature": "scripted" })]).collect()
            }
            Part::Text(text) => {
                empty["text"] = json!("");
                pieces(text).into_iter().map(|piece| json!({ "type": "text_delta", "text": piece })).collect()
            }
            Part::Call(call) => {
                empty["input"] = json!({});
                let json = call.input.json();
                pieces(&json)
                    .into_iter()
                    .map(|piece| json!({ "type": "input_json_delta", "partial_json": piece }))
                    .collect()
            }
        };
        events.push(json!({ "type": "content_block_start", "index": index, "content_block": empty }));
        events.extend(
            deltas
                .into_iter()
                .map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })),
        );
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    events.push(json!({
        "type": "message_delta",
        "delta": { "stop_reason": stop_reason(turn), "stop_sequence": null },
        "usage": { "output_tokens": turn.usage.output },
    }));
    events.push(json!({ "type": "message_stop" }));
    events.iter().map(Event::typed).collect()
}

/// The body of an error.
pub fn error(error: &ErrorAnswer) -> Value {
    let kind = match error.status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    let kind = error.kind.as_deref().unwrap_or(kind);
    json!({ "type": "error", "error": { "type": kind, "message": error.message } })
}
