//! Anthropic Messages, over the wire.

use serde_json::json;

use super::*;

#[test]
fn a_request_is_read() {
    insta::assert_snapshot!(read(Format::Anthropic, &json!({
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
    })), @r#"
    model "m" stream true turn 2
    system "You are.\nAnd so."
    user "go on"
    results "r2"
    tools Bash{"command":{}}
    "#);
}

#[test]
fn a_turn_as_one_value() {
    insta::assert_snapshot!(whole(Format::Anthropic), @r#"
    {
      "id": "msg_0012",
      "type": "message",
      "role": "assistant",
      "model": "stub-model",
      "content": [
        {
          "type": "thinking",
          "thinking": "Hm.",
          "signature": "scripted"
        },
        {
          "type": "text",
          "text": "I will look at the file. Then I fix it."
        },
        {
          "type": "tool_use",
          "id": "toolu_0012_2",
          "name": "Bash",
          "input": {
            "command": "cat a.txt | head -n 1"
          }
        },
        {
          "type": "text",
          "text": "Wait."
        },
        {
          "type": "tool_use",
          "id": "toolu_0012_4",
          "name": "apply_patch",
          "input": {
            "input": "*** Begin"
          }
        }
      ],
      "stop_reason": "tool_use",
      "stop_sequence": null,
      "usage": {
        "input_tokens": 7,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 3
      }
    }
    "#);
}

#[test]
fn a_turn_as_a_stream() {
    insta::assert_snapshot!(stream(Format::Anthropic), @r#"
    event: message_start
    data: {"type":"message_start","message":{"id":"msg_0012","type":"message","role":"assistant","model":"stub-model","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":7,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}

    event: content_block_start
    data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

    event: content_block_delta
    data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}

    event: content_block_delta
    data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"scripted"}}

    event: content_block_stop
    data: {"type":"content_block_stop","index":0}

    event: content_block_start
    data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

    event: content_block_delta
    data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I will look at the file."}}

    event: content_block_delta
    data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":" Then I fix it."}}

    event: content_block_stop
    data: {"type":"content_block_stop","index":1}

    event: content_block_start
    data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_0012_2","name":"Bash","input":{}}}

    event: content_block_delta
    data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"command\":\"cat a.txt | "}}

    event: content_block_delta
    data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"head -n 1\"}"}}

    event: content_block_stop
    data: {"type":"content_block_stop","index":2}

    event: content_block_start
    data: {"type":"content_block_start","index":3,"content_block":{"type":"text","text":""}}

    event: content_block_delta
    data: {"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"Wait."}}

    event: content_block_stop
    data: {"type":"content_block_stop","index":3}

    event: content_block_start
    data: {"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"toolu_0012_4","name":"apply_patch","input":{}}}

    event: content_block_delta
    data: {"type":"content_block_delta","index":4,"delta":{"type":"input_json_delta","partial_json":"{\"input\":\"*** Begin\"}"}}

    event: content_block_stop
    data: {"type":"content_block_stop","index":4}

    event: message_delta
    data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":3}}

    event: message_stop
    data: {"type":"message_stop"}
    "#);
}
