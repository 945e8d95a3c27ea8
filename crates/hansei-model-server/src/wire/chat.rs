//! OpenAI Chat Completions.

use serde_json::{Value, json};

use super::{Event, MADE_AT, Turn, items, pieces, string};
use crate::answer::Part;
use crate::request::{Asked, Entry, OfferedTool, Takes, add_line, text_of};
use crate::script::{ErrorAnswer, Stop};

/// Reads a request.
pub fn read(body: &Value) -> Asked {
    let tools = items(&body["tools"]).map(|tool| &tool["function"]).filter(|tool| tool["name"].is_string());
    let mut asked = Asked {
        model: string(&body["model"]),
        stream: body["stream"] == true,
        tools: tools
            .map(|tool| OfferedTool {
                name: string(&tool["name"]),
                namespace: None,
                takes: Takes::Object(tool["parameters"].clone()),
            })
            .collect(),
        ..Asked::default()
    };
    let mut entries = Vec::new();
    for message in items(&body["messages"]) {
        let text = text_of(&message["content"]);
        match message["role"].as_str() {
            Some("system" | "developer") => add_line(&mut asked.system, &text),
            Some("assistant") => entries.push(Entry::Assistant),
            Some("tool" | "function") => entries.push(Entry::ToolResult(text)),
            _ => entries.push(Entry::User(text)),
        }
    }
    asked.converse(entries);
    asked
}

/// A turn as one value. This format has one text, so several become its lines.
pub fn whole(turn: Turn<'_>) -> Value {
    let (mut thoughts, mut text, mut calls) = (String::new(), String::new(), Vec::new());
    for (index, part) in turn.parts.iter().enumerate() {
        match part {
            Part::Thinking(thought) => add_line(&mut thoughts, thought),
            Part::Text(said) => add_line(&mut text, said),
            Part::Call(call) => calls.push(json!({
                "id": call_id(turn, index),
                "type": "function",
                "function": { "name": call.name, "arguments": call.input.json() },
            })),
        }
    }
    let mut message =
        json!({ "role": "assistant", "content": if text.is_empty() { Value::Null } else { json!(text) } });
    if !thoughts.is_empty() {
        message["reasoning_content"] = json!(thoughts);
    }
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    json!({
        "id": id(turn),
        "object": "chat.completion",
        "created": MADE_AT,
        "model": turn.model,
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason(turn) }],
        "usage": usage(turn),
    })
}

fn id(turn: Turn<'_>) -> String {
    format!("chatcmpl-{:04}", turn.number)
}

fn call_id(turn: Turn<'_>, index: usize) -> String {
    format!("call_{:04}_{index}", turn.number)
}

fn finish_reason(turn: Turn<'_>) -> &'static str {
    match turn.stop {
        Stop::Length => "length",
        Stop::Done if turn.parts.iter().any(|part| matches!(part, Part::Call(_))) => "tool_calls",
        Stop::Done => "stop",
    }
}

fn usage(turn: Turn<'_>) -> Value {
    json!({
        "prompt_tokens": turn.usage.input,
        "completion_tokens": turn.usage.output,
        "total_tokens": turn.usage.input + turn.usage.output,
    })
}

/// A turn as a stream.
pub fn events(turn: Turn<'_>) -> Vec<Event> {
    let chunk = |choices: Value| {
        json!({
            "id": id(turn),
            "object": "chat.completion.chunk",
            "created": MADE_AT,
            "model": turn.model,
            "choices": choices,
        })
    };
    let delta = |delta: Value| chunk(json!([{ "index": 0, "delta": delta, "finish_reason": null }]));
    let mut chunks = vec![delta(json!({ "role": "assistant", "content": "" }))];
    let (mut texts, mut calls) = (0, 0);
    for (index, part) in turn.parts.iter().enumerate() {
        match part {
            Part::Thinking(thought) => chunks.extend(
                pieces(thought).into_iter().map(|piece| delta(json!({ "reasoning_content": piece }))),
            ),
            Part::Text(text) => {
                let line = if texts == 0 { text.clone() } else { format!("\n{text}") };
                chunks.extend(pieces(&line).into_iter().map(|piece| delta(json!({ "content": piece }))));
                texts += 1;
            }
            Part::Call(call) => {
                let function = json!({ "name": call.name, "arguments": "" });
                let start = json!({ "index": calls, "id": call_id(turn, index), "type": "function", "function": function });
                chunks.push(delta(json!({ "tool_calls": [start] })));
                for piece in pieces(&call.input.json()) {
                    let more = json!({ "index": calls, "function": { "arguments": piece } });
                    chunks.push(delta(json!({ "tool_calls": [more] })));
                }
                calls += 1;
            }
        }
    }
    chunks.push(chunk(json!([{ "index": 0, "delta": {}, "finish_reason": finish_reason(turn) }])));
    let mut last = chunk(json!([]));
    last["usage"] = usage(turn);
    chunks.push(last);
    let done = Event { name: None, data: "[DONE]".to_owned() };
    chunks.iter().map(Event::of).chain([done]).collect()
}

/// The body of an error; the Responses format has the same.
pub fn error(error: &ErrorAnswer) -> Value {
    let (kind, code) = match error.status {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        404 => ("invalid_request_error", Some("model_not_found")),
        429 => ("requests", Some("rate_limit_exceeded")),
        400..500 => ("invalid_request_error", None),
        _ => ("server_error", None),
    };
    let code = error.kind.as_deref().or(code);
    json!({ "error": { "message": error.message, "type": kind, "param": null, "code": code } })
}
