//! OpenAI Chat Completions, over the wire.

use serde_json::json;

use super::*;

#[test]
fn a_request_is_read() {
    insta::assert_snapshot!(read(Format::Chat, &json!({
        "model": "m",
        "messages": [
            { "role": "system", "content": "You are." },
            { "role": "user", "content": [{ "type": "text", "text": "do it" }] },
            { "role": "assistant", "content": null, "tool_calls": [{ "id": "1" }, { "id": "2" }] },
            { "role": "tool", "tool_call_id": "1", "content": "r1" },
            { "role": "tool", "tool_call_id": "2", "content": "r2" },
        ],
        "tools": [{ "type": "function", "function": { "name": "bash", "parameters": { "properties": { "command": {} } } } }],
    })), @r#"
    model "m" stream false turn 1
    system "You are."
    user ""
    results "r1\nr2"
    tools bash{"command":{}}
    "#);
}

#[test]
fn a_turn_as_one_value() {
    insta::assert_snapshot!(whole(Format::Chat), @r#"
    {
      "id": "chatcmpl-0012",
      "object": "chat.completion",
      "created": 1700000000,
      "model": "stub-model",
      "choices": [
        {
          "index": 0,
          "message": {
            "role": "assistant",
            "content": "I will look at the file. Then I fix it.\nWait.",
            "reasoning_content": "Hm.",
            "tool_calls": [
              {
                "id": "call_0012_2",
                "type": "function",
                "function": {
                  "name": "Bash",
                  "arguments": "{\"command\":\"cat a.txt | head -n 1\"}"
                }
              },
              {
                "id": "call_0012_4",
                "type": "function",
                "function": {
                  "name": "apply_patch",
                  "arguments": "{\"input\":\"*** Begin\"}"
                }
              }
            ]
          },
          "finish_reason": "tool_calls"
        }
      ],
      "usage": {
        "prompt_tokens": 7,
        "completion_tokens": 3,
        "total_tokens": 10
      }
    }
    "#);
}

#[test]
fn a_turn_as_a_stream() {
    insta::assert_snapshot!(stream(Format::Chat), @r#"
    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"reasoning_content":"Hm."},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"content":"I will look at the file."},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"content":" Then I fix it."},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_0012_2","type":"function","function":{"name":"Bash","arguments":""}}]},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"command\":\"cat a.txt | "}}]},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"head -n 1\"}"}}]},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"content":"\nWait."},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_0012_4","type":"function","function":{"name":"apply_patch","arguments":""}}]},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"input\":\"*** Begin\"}"}}]},"finish_reason":null}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

    data: {"id":"chatcmpl-0012","object":"chat.completion.chunk","created":1700000000,"model":"stub-model","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}

    data: [DONE]
    "#);
}
