//! Gemini, over the wire.

use serde_json::json;

use super::*;

#[test]
fn a_request_is_read() {
    insta::assert_snapshot!(read(Format::Gemini, &json!({
        "systemInstruction": { "parts": [{ "text": "You are." }] },
        "contents": [
            { "role": "user", "parts": [{ "text": "do it" }] },
            { "role": "model", "parts": [{ "text": "a" }, { "functionCall": { "name": "x" } }] },
            { "role": "user", "parts": [{ "functionResponse": { "name": "x", "response": { "output": "r1" } } }] },
        ],
        "tools": [{ "functionDeclarations": [
            { "name": "run_shell_command", "parametersJsonSchema": { "properties": { "command": {} } } },
        ] }],
    })), @r#"
    model "" stream false turn 1
    system "You are."
    user ""
    results "{\"output\":\"r1\"}"
    tools run_shell_command{"command":{}}
    "#);
}

#[test]
fn a_turn_as_one_value() {
    insta::assert_snapshot!(whole(Format::Gemini), @r#"
    {
      "candidates": [
        {
          "content": {
            "role": "model",
            "parts": [
              {
                "text": "Hm.",
                "thought": true
              },
              {
                "text": "I will look at the file. Then I fix it."
              },
              {
                "functionCall": {
                  "id": "call_0012_2",
                  "name": "Bash",
                  "args": {
                    "command": "cat a.txt | head -n 1"
                  }
                }
              },
              {
                "text": "Wait."
              },
              {
                "functionCall": {
                  "id": "call_0012_4",
                  "name": "apply_patch",
                  "args": {
                    "input": "*** Begin"
                  }
                }
              }
            ]
          },
          "index": 0,
          "finishReason": "STOP"
        }
      ],
      "usageMetadata": {
        "promptTokenCount": 7,
        "candidatesTokenCount": 3,
        "totalTokenCount": 10
      },
      "modelVersion": "stub-model",
      "responseId": "response_0012"
    }
    "#);
}

#[test]
fn a_turn_as_a_stream() {
    insta::assert_snapshot!(stream(Format::Gemini), @r#"
    data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hm.","thought":true}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"text":"I will look at the file."}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"text":" Then I fix it."}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"call_0012_2","name":"Bash","args":{"command":"cat a.txt | head -n 1"}}}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Wait."}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"call_0012_4","name":"apply_patch","args":{"input":"*** Begin"}}}]},"index":0,"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}
    "#);
}
