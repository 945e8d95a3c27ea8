//! Streams that the scripted model does not make: marks on thoughts, calls without ids, pieces in odd places.

use hansei_core::run::conversation::{Conversation, Message, Turn};
use serde_json::{Value, json};

use crate::misbehaving::{answering, http};
use crate::serving;
use crate::talking::{after, conversation, say, talker, user};

/// A turn that was told in these events.
fn told(name: &str, events: &[(&str, Value)], conversation: &Conversation) -> Turn {
    let mut body = String::new();
    for (event, data) in events {
        if !event.is_empty() {
            body.extend(["event: ", event, "\r\n"]);
        }
        body.extend(["data: ", &data.to_string(), "\r\n\r\n"]);
    }
    if name.starts_with("compatible") {
        body.push_str("data: [DONE]\n\n");
    }
    let url = answering(http("200 OK", "text/event-stream", &body));
    say(&talker(name, &url), conversation).unwrap()
}

/// What a provider is told next.
fn told_back(name: &str, turn: &Turn) -> Value {
    let server = serving("rules: [{ when: { turn: 1 }, text: fine }]");
    say(&talker(name, &server.url()), &conversation(after(turn))).unwrap();
    server.stop().remove(0).body
}

fn asked() -> Conversation {
    conversation(vec![user("Do it.")])
}

fn anthropic(kind: &str, mut data: Value) -> (&str, Value) {
    data["type"] = json!(kind);
    (kind, data)
}

#[test]
fn thoughts_of_anthropic_are_told_back_with_their_signatures_and_to_nobody_else() {
    let name = "anthropic/claude-haiku-4-5";
    let events = [
        anthropic(
            "message_start",
            json!({ "message": { "usage": { "input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 1 } } }),
        ),
        anthropic(
            "content_block_start",
            json!({ "index": 0, "content_block": { "type": "thinking", "thinking": "", "signature": "" } }),
        ),
        anthropic(
            "content_block_delta",
            json!({ "index": 0, "delta": { "type": "thinking_delta", "thinking": "hm " } }),
        ),
        anthropic(
            "content_block_delta",
            json!({ "index": 0, "delta": { "type": "thinking_delta", "thinking": "hm" } }),
        ),
        anthropic(
            "content_block_delta",
            json!({ "index": 0, "delta": { "type": "signature_delta", "signature": "c2ln" } }),
        ),
        anthropic("content_block_stop", json!({ "index": 0 })),
        anthropic(
            "content_block_start",
            json!({ "index": 1, "content_block": { "type": "redacted_thinking", "data": "c2Vj" } }),
        ),
        anthropic("content_block_stop", json!({ "index": 1 })),
        anthropic("ping", json!({})),
        anthropic(
            "content_block_start",
            json!({ "index": 2, "content_block": { "type": "tool_use", "id": "toolu_1", "name": "shell", "input": {} } }),
        ),
        anthropic(
            "content_block_delta",
            json!({ "index": 2, "delta": { "type": "input_json_delta", "partial_json": "{\"command\":" } }),
        ),
        anthropic(
            "content_block_delta",
            json!({ "index": 2, "delta": { "type": "input_json_delta", "partial_json": "\"ls\"}" } }),
        ),
        anthropic("content_block_stop", json!({ "index": 2 })),
        anthropic(
            "message_delta",
            json!({ "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 7 } }),
        ),
        anthropic("message_stop", json!({})),
    ];
    let turn = told(name, &events, &asked());
    assert_eq!(turn.calls[0].input, json!({ "command": "ls" }));
    assert_eq!(
        (turn.spent.input_tokens, turn.spent.output_tokens),
        (100, 7),
        "what the cache held was read too"
    );
    let content = &told_back(name, &turn)["messages"][1]["content"];
    assert_eq!(content[0], json!({ "type": "thinking", "thinking": "hm hm", "signature": "c2ln" }));
    assert_eq!(content[1], json!({ "type": "redacted_thinking", "data": "c2Vj" }));
    assert_eq!(content[2]["type"], "tool_use");
    for other in ["gemini/gemini-2.5-flash", "openai/gpt-5.4-mini", "compatible/x"] {
        let body = told_back(other, &turn).to_string();
        assert!(
            !body.contains("c2ln") && !body.contains("c2Vj") && !body.contains("hm hm"),
            "{other}: {body}"
        );
    }
}

#[test]
fn signatures_of_gemini_go_back_to_the_calls_they_were_on() {
    let name = "gemini/gemini-3-pro-preview";
    let chunk = |parts: Value, stop: Value| {
        (
            "",
            json!({ "candidates": [{ "content": { "role": "model", "parts": parts }, "finishReason": stop }] }),
        )
    };
    let call = |command: &str| json!({ "name": "shell", "args": { "command": command } });
    let events = [
        chunk(json!([{ "text": "thinking", "thought": true }]), Value::Null),
        chunk(json!([{ "text": "I look.", "thoughtSignature": "dGV4dA" }]), Value::Null),
        chunk(
            json!([{ "functionCall": call("a") }, { "functionCall": call("b"), "thoughtSignature": "Yg" }]),
            Value::Null,
        ),
        chunk(json!([{ "functionCall": call("c"), "thoughtSignature": "Yw" }]), Value::Null),
        (
            "",
            json!({ "candidates": [{ "finishReason": "STOP" }], "usageMetadata": { "promptTokenCount": 5, "candidatesTokenCount": 3, "thoughtsTokenCount": 4 } }),
        ),
    ];
    let turn = told(name, &events, &asked());
    assert_eq!((turn.spent.input_tokens, turn.spent.output_tokens), (5, 7));
    let ids: Vec<&str> = turn.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["hansei_call_0_0", "hansei_call_0_1", "hansei_call_0_2"], "it gives none");
    assert_eq!(told(name, &events, &asked()), turn, "told twice, the same");
    let next = told(name, &events, &conversation(after(&turn)));
    assert_eq!(next.calls[0].id, "hansei_call_1_0");
    let body = told_back(name, &turn);
    let parts = &body["contents"][1]["parts"];
    let signatures: Vec<&Value> =
        parts.as_array().unwrap().iter().map(|part| &part["thoughtSignature"]).collect();
    // The first call of a turn of Gemini 3 has to have one; the library says so where there is none.
    assert_eq!(
        signatures,
        [&json!("dGV4dA"), &json!("skip_thought_signature_validator"), &json!("Yg"), &json!("Yw")]
    );
    assert_eq!(body["generationConfig"]["thinkingConfig"]["includeThoughts"], true);
    let old = told_back("gemini/gemini-2.0-flash", &turn);
    assert_eq!(old.get("generationConfig"), None, "it has no thoughts to ask for");
}

#[test]
fn thoughts_of_responses_are_told_back_unread() {
    let name = "openai/gpt-5.4-mini";
    let typed = |mut data: Value, kind: &'static str| {
        data["type"] = json!(kind);
        (kind, data)
    };
    let done = |index: usize, item: Value| {
        typed(json!({ "output_index": index, "item": item }), "response.output_item.done")
    };
    let events = [
        typed(json!({ "response": {} }), "response.created"),
        done(0, json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "Z2g" })),
        done(
            1,
            json!({ "type": "function_call", "id": "fc_1", "call_id": "call_x", "name": "shell", "arguments": "{}" }),
        ),
        typed(
            json!({ "response": { "id": "r", "status": "completed", "model": "m", "output": [], "usage": { "input_tokens": 1, "output_tokens": 2, "total_tokens": 3 } } }),
            "response.completed",
        ),
    ];
    let turn = told(name, &events, &asked());
    assert_eq!((turn.calls[0].id.as_str(), turn.calls[0].input.to_string()), ("call_x", "{}".to_owned()));
    let body = told_back(name, &turn);
    assert_eq!(body["input"][1], json!({ "type": "reasoning", "encrypted_content": "Z2g", "summary": [] }));
    assert_eq!(body["input"][2]["type"], "function_call");
}

#[test]
fn models_that_want_their_open_thoughts_back_get_them() {
    let delta = |delta: Value, stop: Value| {
        ("", json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": stop }] }))
    };
    let start = json!({ "index": 0, "id": "c", "function": { "name": "shell", "arguments": "{}" } });
    let events = [
        delta(json!({ "reasoning_content": "hm " }), Value::Null),
        delta(json!({ "reasoning_content": "hm" }), Value::Null),
        delta(json!({ "tool_calls": [start] }), json!("tool_calls")),
    ];
    for (name, expected) in [("compatible/deepseek-reasoner", json!("hm hm")), ("compatible/x", Value::Null)]
    {
        let turn = told(name, &events, &asked());
        assert_eq!(told_back(name, &turn)["messages"][2]["reasoning_content"], expected, "{name}");
    }
}

#[test]
fn calls_without_ids_and_ids_without_calls_are_told_apart() {
    let delta = |delta: Value, stop: Value| {
        ("", json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": stop }] }))
    };
    let call = |index: u32, id: Value| json!({ "index": index, "id": id, "function": { "name": "shell", "arguments": "{\"a\":1}" } });
    // One chunk with two calls of the same id, and one with none.
    let events = [
        delta(json!({ "tool_calls": [call(0, json!("same")), call(1, json!("same"))] }), Value::Null),
        delta(json!({ "tool_calls": [call(2, json!(""))] }), json!("tool_calls")),
    ];
    let turn = told("compatible/x", &events, &asked());
    let ids: Vec<&str> = turn.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["same", "hansei_call_0_1", "hansei_call_0_2"]);
    let again = told("compatible/x", &events, &conversation(after(&turn)));
    let ids: Vec<&str> = again.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["hansei_call_1_0", "hansei_call_1_1", "hansei_call_1_2"]);
    let results = after(&again).into_iter().filter(|message| matches!(message, Message::ToolResult { .. }));
    assert_eq!(results.count(), 3);
}
