//! Each format as it goes over the wire: what is read from a request, and what is written.

use serde_json::{Map, Value, json};

use super::*;
use crate::tool::{Call, Input};

fn parts() -> Vec<Part> {
    let input = Map::from_iter([("command".to_owned(), json!("cat a.txt | head -n 1"))]);
    vec![
        Part::Thinking("Hm.".to_owned()),
        Part::Text("I will look at the file.".to_owned() + " Then I fix it."),
        Part::Call(Call { name: "Bash".to_owned(), input: Input::Object(input) }),
        Part::Text("Wait.".to_owned()),
        Part::Call(Call { name: "apply_patch".to_owned(), input: Input::Text("*** Begin".to_owned()) }),
    ]
}

fn whole(format: Format) -> String {
    let parts = parts();
    let usage = Usage { input: 7, output: 3 };
    let turn = Turn { number: 12, model: "stub-model", parts: &parts, usage };
    serde_json::to_string_pretty(&format.whole(turn)).unwrap()
}

fn stream(format: Format) -> String {
    let parts = parts();
    let usage = Usage { input: 7, output: 3 };
    let turn = Turn { number: 12, model: "stub-model", parts: &parts, usage };
    format.events(turn).iter().map(Event::text).collect()
}

fn error(format: Format, status: u16) -> String {
    let error = format!("{{ status: {status}, message: no }}");
    let error: ErrorAnswer = serde_saphyr::from_str(&error).unwrap();
    format.error(&error).to_string()
}

/// Everything that was understood, on a few lines.
fn read(format: Format, body: Value) -> String {
    let asked = format.read(&body);
    let tools: Vec<String> = asked
        .tools
        .iter()
        .map(|tool| match &tool.takes {
            crate::request::Takes::Object(schema) => format!("{}{}", tool.name, schema["properties"]),
            crate::request::Takes::Text => format!("{}(text)", tool.name),
        })
        .collect();
    format!(
        "model {:?} stream {} turn {}\nsystem {:?}\nuser {:?}\nresults {:?}\ntools {}",
        asked.model,
        asked.stream,
        asked.turn,
        asked.system,
        asked.last_user,
        asked.tool_results,
        tools.join(" ")
    )
}

#[test]
fn anthropic_is_read() {
    insta::assert_snapshot!(read(Format::Anthropic, json!({
        "model": "m", "stream": true,
        "system": [{ "type": "text", "text": "You are." }, { "type": "text", "text": "And so." }],
        "messages": [
            { "role": "user", "content": "do it" },
            { "role": "assistant", "content": [{ "type": "text", "text": "a" }, { "type": "tool_use", "id": "1" }] },
            { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "1", "content": "r1" }] },
            { "role": "assistant", "content": "b" },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "2", "content": [{ "type": "text", "text": "r2" }] },
                { "type": "text", "text": "go on" },
            ] },
        ],
        "tools": [{ "name": "Bash", "input_schema": { "properties": { "command": {} } } }],
    })), @"");
}

#[test]
fn chat_is_read() {
    insta::assert_snapshot!(read(Format::Chat, json!({
        "model": "m",
        "messages": [
            { "role": "system", "content": "You are." },
            { "role": "user", "content": [{ "type": "text", "text": "do it" }] },
            { "role": "assistant", "content": null, "tool_calls": [{ "id": "1" }, { "id": "2" }] },
            { "role": "tool", "tool_call_id": "1", "content": "r1" },
            { "role": "tool", "tool_call_id": "2", "content": "r2" },
        ],
        "tools": [{ "type": "function", "function": { "name": "bash", "parameters": { "properties": { "command": {} } } } }],
    })), @"");
}

#[test]
fn responses_are_read() {
    insta::assert_snapshot!(read(Format::Responses, json!({
        "model": "m", "stream": true, "instructions": "You are.",
        "input": [
            { "type": "message", "role": "developer", "content": [{ "type": "input_text", "text": "And so." }] },
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "do it" }] },
            { "type": "reasoning", "id": "r" },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "a" }] },
            { "type": "function_call", "call_id": "1" },
            { "type": "custom_tool_call", "call_id": "2" },
            { "type": "function_call_output", "call_id": "1", "output": "r1" },
            { "type": "custom_tool_call_output", "call_id": "2", "output": [{ "type": "input_text", "text": "r2" }] },
            { "role": "assistant", "content": "b" },
            { "role": "user", "content": "go on" },
        ],
        "tools": [
            { "type": "function", "name": "exec_command", "parameters": { "properties": { "cmd": {} } } },
            { "type": "custom", "name": "apply_patch" },
            { "type": "web_search" },
        ],
    })), @"");
    insta::assert_snapshot!(read(Format::Responses, json!({ "model": "m", "input": "do it" })), @"");
}

#[test]
fn gemini_is_read() {
    insta::assert_snapshot!(read(Format::Gemini, json!({
        "systemInstruction": { "parts": [{ "text": "You are." }] },
        "contents": [
            { "role": "user", "parts": [{ "text": "do it" }] },
            { "role": "model", "parts": [{ "text": "a" }, { "functionCall": { "name": "x" } }] },
            { "role": "user", "parts": [{ "functionResponse": { "name": "x", "response": { "output": "r1" } } }] },
        ],
        "tools": [{ "functionDeclarations": [
            { "name": "run_shell_command", "parametersJsonSchema": { "properties": { "command": {} } } },
        ] }],
    })), @"");
}

#[test]
fn requests_of_no_sense_are_read_as_empty() {
    for format in [Format::Anthropic, Format::Chat, Format::Responses, Format::Gemini] {
        for body in [json!(null), json!([]), json!({ "messages": 3, "input": {}, "contents": [1], "tools": [2] })] {
            assert_eq!(format.read(&body), Asked::default(), "{format:?} {body}");
        }
    }
}

#[test]
fn errors_have_the_providers_own_shape() {
    let all = |status| {
        [Format::Anthropic, Format::Chat, Format::Gemini].map(|format| error(format, status)).join("\n")
    };
    insta::assert_snapshot!(all(529), @"");
    insta::assert_snapshot!(all(429), @"");
    insta::assert_snapshot!(all(401), @"");
    let error: ErrorAnswer =
        serde_saphyr::from_str("{ status: 400, kind: context_length_exceeded, body: { own: 1 } }").unwrap();
    assert_eq!(Format::Chat.error(&error), json!({ "own": 1 }));
    let error = ErrorAnswer { body: None, ..error };
    assert_eq!(Format::Responses.error(&error)["error"]["code"], "context_length_exceeded");
}

#[test]
fn anthropic_whole() {
    insta::assert_snapshot!(whole(Format::Anthropic), @"");
}

#[test]
fn anthropic_stream() {
    insta::assert_snapshot!(stream(Format::Anthropic), @"");
}

#[test]
fn chat_whole() {
    insta::assert_snapshot!(whole(Format::Chat), @"");
}

#[test]
fn chat_stream() {
    insta::assert_snapshot!(stream(Format::Chat), @"");
}

#[test]
fn responses_whole() {
    insta::assert_snapshot!(whole(Format::Responses), @"");
}

#[test]
fn responses_stream() {
    insta::assert_snapshot!(stream(Format::Responses), @"");
}

#[test]
fn gemini_whole() {
    insta::assert_snapshot!(whole(Format::Gemini), @"");
}

#[test]
fn gemini_stream() {
    insta::assert_snapshot!(stream(Format::Gemini), @"");
}
