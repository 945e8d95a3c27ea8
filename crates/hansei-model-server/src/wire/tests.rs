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
    })), @r#"
    model "m" stream true turn 2
    system "You are.\nAnd so."
    user "go on"
    results "r2"
    tools Bash{"command":{}}
    "#);
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
    })), @r#"
    model "m" stream false turn 1
    system "You are."
    user ""
    results "r1\nr2"
    tools bash{"command":{}}
    "#);
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
    })), @r#"
    model "m" stream true turn 2
    system "You are.\nAnd so."
    user "go on"
    results ""
    tools exec_command{"cmd":{}} apply_patch(text)
    "#);
    insta::assert_snapshot!(read(Format::Responses, json!({ "model": "m", "input": "do it" })), @r#"
    model "m" stream false turn 0
    system ""
    user "do it"
    results ""
    tools
    "#);
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
    })), @r#"
    model "" stream false turn 1
    system "You are."
    user ""
    results "{\"output\":\"r1\"}"
    tools run_shell_command{"command":{}}
    "#);
}

#[test]
fn requests_of_no_sense_are_read_as_empty() {
    for format in [Format::Anthropic, Format::Chat, Format::Responses, Format::Gemini] {
        for body in
            [json!(null), json!([]), json!({ "messages": 3, "input": {}, "contents": [1], "tools": [2] })]
        {
            assert_eq!(format.read(&body), Asked::default(), "{format:?} {body}");
        }
    }
}

#[test]
fn errors_have_the_providers_own_shape() {
    let all = |status| {
        [Format::Anthropic, Format::Chat, Format::Gemini].map(|format| error(format, status)).join("\n")
    };
    insta::assert_snapshot!(all(529), @r#"
    {"type":"error","error":{"type":"overloaded_error","message":"no"}}
    {"error":{"message":"no","type":"server_error","param":null,"code":null}}
    {"error":{"code":529,"message":"no","status":"UNAVAILABLE"}}
    "#);
    insta::assert_snapshot!(all(429), @r#"
    {"type":"error","error":{"type":"rate_limit_error","message":"no"}}
    {"error":{"message":"no","type":"requests","param":null,"code":"rate_limit_exceeded"}}
    {"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}}
    "#);
    insta::assert_snapshot!(all(401), @r#"
    {"type":"error","error":{"type":"authentication_error","message":"no"}}
    {"error":{"message":"no","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}
    {"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}
    "#);
    let error: ErrorAnswer =
        serde_saphyr::from_str("{ status: 400, kind: context_length_exceeded, body: { own: 1 } }").unwrap();
    assert_eq!(Format::Chat.error(&error), json!({ "own": 1 }));
    let error = ErrorAnswer { body: None, ..error };
    assert_eq!(Format::Responses.error(&error)["error"]["code"], "context_length_exceeded");
}

#[test]
fn anthropic_whole() {
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
fn anthropic_stream() {
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

#[test]
fn chat_whole() {
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
fn chat_stream() {
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

#[test]
fn responses_whole() {
    insta::assert_snapshot!(whole(Format::Responses), @r#"
    {
      "id": "resp_0012",
      "object": "response",
      "created_at": 1700000000,
      "status": "completed",
      "model": "stub-model",
      "output": [
        {
          "type": "reasoning",
          "id": "rs_0012_0",
          "summary": [
            {
              "type": "summary_text",
              "text": "Hm."
            }
          ]
        },
        {
          "type": "message",
          "id": "msg_0012_1",
          "status": "completed",
          "role": "assistant",
          "content": [
            {
              "type": "output_text",
              "text": "I will look at the file. Then I fix it.",
              "annotations": []
            }
          ]
        },
        {
          "type": "function_call",
          "id": "fc_0012_2",
          "status": "completed",
          "call_id": "call_0012_2",
          "name": "Bash",
          "arguments": "{\"command\":\"cat a.txt | head -n 1\"}"
        },
        {
          "type": "message",
          "id": "msg_0012_3",
          "status": "completed",
          "role": "assistant",
          "content": [
            {
              "type": "output_text",
              "text": "Wait.",
              "annotations": []
            }
          ]
        },
        {
          "type": "custom_tool_call",
          "id": "ctc_0012_4",
          "status": "completed",
          "call_id": "call_0012_4",
          "name": "apply_patch",
          "input": "*** Begin"
        }
      ],
      "error": null,
      "incomplete_details": null,
      "usage": {
        "input_tokens": 7,
        "input_tokens_details": {
          "cached_tokens": 0
        },
        "output_tokens": 3,
        "output_tokens_details": {
          "reasoning_tokens": 0
        },
        "total_tokens": 10
      }
    }
    "#);
}

#[test]
fn responses_stream() {
    insta::assert_snapshot!(stream(Format::Responses), @r#"
    event: response.created
    data: {"type":"response.created","response":{"id":"resp_0012","object":"response","created_at":1700000000,"status":"in_progress","model":"stub-model","output":[],"error":null,"incomplete_details":null,"usage":null},"sequence_number":0}

    event: response.in_progress
    data: {"type":"response.in_progress","response":{"id":"resp_0012","object":"response","created_at":1700000000,"status":"in_progress","model":"stub-model","output":[],"error":null,"incomplete_details":null,"usage":null},"sequence_number":1}

    event: response.output_item.added
    data: {"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_0012_0","summary":[]},"sequence_number":2}

    event: response.reasoning_summary_part.added
    data: {"type":"response.reasoning_summary_part.added","summary_index":0,"part":{"type":"summary_text","text":""},"item_id":"rs_0012_0","output_index":0,"sequence_number":3}

    event: response.reasoning_summary_text.delta
    data: {"type":"response.reasoning_summary_text.delta","summary_index":0,"delta":"Hm.","item_id":"rs_0012_0","output_index":0,"sequence_number":4}

    event: response.reasoning_summary_text.done
    data: {"type":"response.reasoning_summary_text.done","summary_index":0,"text":"Hm.","item_id":"rs_0012_0","output_index":0,"sequence_number":5}

    event: response.reasoning_summary_part.done
    data: {"type":"response.reasoning_summary_part.done","summary_index":0,"part":{"type":"summary_text","text":"Hm."},"item_id":"rs_0012_0","output_index":0,"sequence_number":6}

    event: response.output_item.done
    data: {"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_0012_0","summary":[{"type":"summary_text","text":"Hm."}]},"sequence_number":7}

    event: response.output_item.added
    data: {"type":"response.output_item.added","output_index":1,"item":{"type":"message","id":"msg_0012_1","status":"in_progress","role":"assistant","content":[]},"sequence_number":8}

    event: response.content_part.added
    data: {"type":"response.content_part.added","content_index":0,"part":{"type":"output_text","text":"","annotations":[]},"item_id":"msg_0012_1","output_index":1,"sequence_number":9}

    event: response.output_text.delta
    data: {"type":"response.output_text.delta","content_index":0,"delta":"I will look at the file.","item_id":"msg_0012_1","output_index":1,"sequence_number":10}

    event: response.output_text.delta
    data: {"type":"response.output_text.delta","content_index":0,"delta":" Then I fix it.","item_id":"msg_0012_1","output_index":1,"sequence_number":11}

    event: response.output_text.done
    data: {"type":"response.output_text.done","content_index":0,"text":"I will look at the file. Then I fix it.","item_id":"msg_0012_1","output_index":1,"sequence_number":12}

    event: response.content_part.done
    data: {"type":"response.content_part.done","content_index":0,"part":{"type":"output_text","text":"I will look at the file. Then I fix it.","annotations":[]},"item_id":"msg_0012_1","output_index":1,"sequence_number":13}

    event: response.output_item.done
    data: {"type":"response.output_item.done","output_index":1,"item":{"type":"message","id":"msg_0012_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"I will look at the file. Then I fix it.","annotations":[]}]},"sequence_number":14}

    event: response.output_item.added
    data: {"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"fc_0012_2","status":"in_progress","call_id":"call_0012_2","name":"Bash","arguments":""},"sequence_number":15}

    event: response.function_call_arguments.delta
    data: {"type":"response.function_call_arguments.delta","delta":"{\"command\":\"cat a.txt | ","item_id":"fc_0012_2","output_index":2,"sequence_number":16}

    event: response.function_call_arguments.delta
    data: {"type":"response.function_call_arguments.delta","delta":"head -n 1\"}","item_id":"fc_0012_2","output_index":2,"sequence_number":17}

    event: response.function_call_arguments.done
    data: {"type":"response.function_call_arguments.done","arguments":"{\"command\":\"cat a.txt | head -n 1\"}","item_id":"fc_0012_2","output_index":2,"sequence_number":18}

    event: response.output_item.done
    data: {"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","id":"fc_0012_2","status":"completed","call_id":"call_0012_2","name":"Bash","arguments":"{\"command\":\"cat a.txt | head -n 1\"}"},"sequence_number":19}

    event: response.output_item.added
    data: {"type":"response.output_item.added","output_index":3,"item":{"type":"message","id":"msg_0012_3","status":"in_progress","role":"assistant","content":[]},"sequence_number":20}

    event: response.content_part.added
    data: {"type":"response.content_part.added","content_index":0,"part":{"type":"output_text","text":"","annotations":[]},"item_id":"msg_0012_3","output_index":3,"sequence_number":21}

    event: response.output_text.delta
    data: {"type":"response.output_text.delta","content_index":0,"delta":"Wait.","item_id":"msg_0012_3","output_index":3,"sequence_number":22}

    event: response.output_text.done
    data: {"type":"response.output_text.done","content_index":0,"text":"Wait.","item_id":"msg_0012_3","output_index":3,"sequence_number":23}

    event: response.content_part.done
    data: {"type":"response.content_part.done","content_index":0,"part":{"type":"output_text","text":"Wait.","annotations":[]},"item_id":"msg_0012_3","output_index":3,"sequence_number":24}

    event: response.output_item.done
    data: {"type":"response.output_item.done","output_index":3,"item":{"type":"message","id":"msg_0012_3","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Wait.","annotations":[]}]},"sequence_number":25}

    event: response.output_item.added
    data: {"type":"response.output_item.added","output_index":4,"item":{"type":"custom_tool_call","id":"ctc_0012_4","status":"in_progress","call_id":"call_0012_4","name":"apply_patch","input":""},"sequence_number":26}

    event: response.custom_tool_call_input.delta
    data: {"type":"response.custom_tool_call_input.delta","delta":"*** Begin","item_id":"ctc_0012_4","output_index":4,"sequence_number":27}

    event: response.custom_tool_call_input.done
    data: {"type":"response.custom_tool_call_input.done","input":"*** Begin","item_id":"ctc_0012_4","output_index":4,"sequence_number":28}

    event: response.output_item.done
    data: {"type":"response.output_item.done","output_index":4,"item":{"type":"custom_tool_call","id":"ctc_0012_4","status":"completed","call_id":"call_0012_4","name":"apply_patch","input":"*** Begin"},"sequence_number":29}

    event: response.completed
    data: {"type":"response.completed","response":{"id":"resp_0012","object":"response","created_at":1700000000,"status":"completed","model":"stub-model","output":[{"type":"reasoning","id":"rs_0012_0","summary":[{"type":"summary_text","text":"Hm."}]},{"type":"message","id":"msg_0012_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"I will look at the file. Then I fix it.","annotations":[]}]},{"type":"function_call","id":"fc_0012_2","status":"completed","call_id":"call_0012_2","name":"Bash","arguments":"{\"command\":\"cat a.txt | head -n 1\"}"},{"type":"message","id":"msg_0012_3","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Wait.","annotations":[]}]},{"type":"custom_tool_call","id":"ctc_0012_4","status":"completed","call_id":"call_0012_4","name":"apply_patch","input":"*** Begin"}],"error":null,"incomplete_details":null,"usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":0},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10}},"sequence_number":30}
    "#);
}

#[test]
fn gemini_whole() {
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
fn gemini_stream() {
    insta::assert_snapshot!(stream(Format::Gemini), @r#"
    data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hm.","thought":true}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"text":"I will look at the file."}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"text":" Then I fix it."}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"call_0012_2","name":"Bash","args":{"command":"cat a.txt | head -n 1"}}}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Wait."}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}

    data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"call_0012_4","name":"apply_patch","args":{"input":"*** Begin"}}}]},"index":0,"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"stub-model","responseId":"response_0012"}
    "#);
}
