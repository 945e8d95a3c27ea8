//! Gemini `generateContent`. The model's name and whether to stream stand in the path.

use serde_json::{Value, json};

use super::{Event, Turn, items, pieces, string};
use crate::answer::Part;
use crate::request::{Asked, Entry, OfferedTool, Takes, text_of};
use crate::script::{ErrorAnswer, Stop};

/// Reads a request.
pub fn read(body: &Value) -> Asked {
    let declared = items(&body["tools"]).flat_map(|tool| items(&tool["functionDeclarations"]));
    let mut asked = Asked {
        system: text_of(&body["systemInstruction"]["parts"]),
        tools: declared
            .map(|tool| {
                let schema =
                    ["parametersJsonSchema", "parameters"].into_iter().find_map(|name| tool.get(name));
                OfferedTool {
                    name: string(&tool["name"]),
                    namespace: None,
                    takes: Takes::Object(schema.cloned().unwrap_or_default()),
                }
            })
            .collect(),
        ..Asked::default()
    };
    asked.converse(items(&body["contents"]).flat_map(entries));
    asked
}

fn entries(content: &Value) -> Vec<Entry> {
    if content["role"] == "model" {
        return vec![Entry::Assistant];
    }
    let entry = |part: &Value| match part.get("functionResponse") {
        Some(result) => Entry::ToolResult(result["response"].to_string()),
        None => Entry::User(text_of(part)),
    };
    items(&content["parts"]).map(entry).collect()
}

/// A turn as one value.
pub fn whole(turn: Turn<'_>) -> Value {
    let parts: Vec<Value> =
        turn.parts.iter().enumerate().map(|(index, part)| part_of(turn, index, part)).collect();
    chunk(turn, &json!(parts), Ends::Here)
}

#[derive(Clone, Copy, PartialEq)]
enum Ends {
    Here,
    Later,
}

fn chunk(turn: Turn<'_>, parts: &Value, ends: Ends) -> Value {
    let mut candidate = json!({ "content": { "role": "model", "parts": parts }, "index": 0 });
    if ends == Ends::Here {
        candidate["finishReason"] = json!(match turn.stop {
            Stop::Done => "STOP",
            Stop::Length => "MAX_TOKENS",
        });
    }
    json!({
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": turn.usage.input,
            "candidatesTokenCount": turn.usage.output,
            "totalTokenCount": turn.usage.input + turn.usage.output,
        },
        "modelVersion": turn.model,
        "responseId": format!("response_{:04}", turn.number),
    })
}

fn part_of(turn: Turn<'_>, index: usize, part: &Part) -> Value {
    match part {
        Part::Thinking(thought) => json!({ "text": thought, "thought": true }),
        Part::Text(text) => json!({ "text": text }),
        Part::Call(call) => {
            let id = format!("call_{:04}_{index}", turn.number);
            json!({ "functionCall": { "id": id, "name": call.name, "args": call.input.object() } })
        }
    }
}

/// A turn as a stream. A call is never split in this format.
pub fn events(turn: Turn<'_>) -> Vec<Event> {
    let mut parts = Vec::new();
    for (index, part) in turn.parts.iter().enumerate() {
        match part {
            Part::Thinking(thought) => {
                parts.extend(
                    pieces(thought).into_iter().map(|piece| json!({ "text": piece, "thought": true })),
                );
            }
            Part::Text(text) => parts.extend(pieces(text).into_iter().map(|piece| json!({ "text": piece }))),
            Part::Call(_) => parts.push(part_of(turn, index, part)),
        }
    }
    if parts.is_empty() {
        parts.push(json!({ "text": "" }));
    }
    let last = parts.len() - 1;
    let ends = |index| if index == last { Ends::Here } else { Ends::Later };
    parts
        .iter()
        .enumerate()
        .map(|(index, part)| Event::of(&chunk(turn, &json!([part]), ends(index))))
        .collect()
}

/// The body of an error.
pub fn error(error: &ErrorAnswer) -> Value {
    let status = match error.status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        503 | 529 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        _ => "INTERNAL",
    };
    let status = error.kind.as_deref().unwrap_or(status);
    json!({ "error": { "code": error.status, "message": error.message, "status": status } })
}
