//! OpenAI Responses, over the wire.

use serde_json::json;

use super::*;

#[test]
fn a_request_is_read() {
    insta::assert_snapshot!(read(Format::Responses, &json!({
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
            { "type": "namespace", "name": "files", "tools": [{ "type": "custom", "name": "apply_patch" }] },
            { "type": "web_search" },
        ],
    })), @r#"
    model "m" stream true turn 2
    system "You are.\nAnd so."
    user "go on"
    results ""
    tools exec_command{"cmd":{}} apply_patch(text)
    "#);
    insta::assert_snapshot!(read(Format::Responses, &json!({ "model": "m", "input": "do it" })), @r#"
    model "m" stream false turn 0
    system ""
    user "do it"
    results ""
    tools
    "#);
}

#[test]
fn a_turn_as_one_value() {
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
          "input": "*** Begin",
          "namespace": "files"
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
fn a_turn_as_a_stream() {
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
    data: {"type":"response.output_item.added","output_index":4,"item":{"type":"custom_tool_call","id":"ctc_0012_4","status":"in_progress","call_id":"call_0012_4","name":"apply_patch","input":"","namespace":"files"},"sequence_number":26}

    event: response.custom_tool_call_input.delta
    data: {"type":"response.custom_tool_call_input.delta","delta":"*** Begin","item_id":"ctc_0012_4","output_index":4,"sequence_number":27}

    event: response.custom_tool_call_input.done
    data: {"type":"response.custom_tool_call_input.done","input":"*** Begin","item_id":"ctc_0012_4","output_index":4,"sequence_number":28}

    event: response.output_item.done
    data: {"type":"response.output_item.done","output_index":4,"item":{"type":"custom_tool_call","id":"ctc_0012_4","status":"completed","call_id":"call_0012_4","name":"apply_patch","input":"*** Begin","namespace":"files"},"sequence_number":29}

    event: response.completed
    data: {"type":"response.completed","response":{"id":"resp_0012","object":"response","created_at":1700000000,"status":"completed","model":"stub-model","output":[{"type":"reasoning","id":"rs_0012_0","summary":[{"type":"summary_text","text":"Hm."}]},{"type":"message","id":"msg_0012_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"I will look at the file. Then I fix it.","annotations":[]}]},{"type":"function_call","id":"fc_0012_2","status":"completed","call_id":"call_0012_2","name":"Bash","arguments":"{\"command\":\"cat a.txt | head -n 1\"}"},{"type":"message","id":"msg_0012_3","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Wait.","annotations":[]}]},{"type":"custom_tool_call","id":"ctc_0012_4","status":"completed","call_id":"call_0012_4","name":"apply_patch","input":"*** Begin","namespace":"files"}],"error":null,"incomplete_details":null,"usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":0},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10}},"sequence_number":30}
    "#);
}
