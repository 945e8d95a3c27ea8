//! Chat messages, in both shapes.

use std::collections::BTreeSet;

use hansei_agents::atif::Whose;
use hansei_agents::messages::{Shape, export, import};
use hansei_agents::transcript::Reading;
use hansei_core::session::{SessionEvent, What};
use serde_json::json;

use super::support::{fixture, found, read, show};

const WHOSE: Whose<'static> = Whose { agent: "codex", session: "s1" };

#[test]
fn openai_messages_are_read() {
    let messages = json!({ "session": "s", "cwd": "/w", "messages": [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "fix it", "timestamp": "2026-11-15T10:00:00Z"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "bash", "arguments": "{\"command\":\"make\"}"}},
            {"type": "function", "function": {"name": "odd", "arguments": "not json"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "boom\nExit code: 2"},
        {"role": "tool", "tool_call_id": "call_2", "content": [{"type": "text", "text": "x"}]},
        {"role": "user", "name": "stop_hook", "content": "make fails"},
        {"role": "assistant", "content": "Done.", "reasoning_content": "Hm."}
    ]});
    let events = import(messages.to_string().as_bytes()).unwrap();
    insta::assert_snapshot!(show(&(events, Reading::default())), @r"
    started - - /w - - attended None
    fed by Agent: Be kind.
    human Prompt: fix it
    called 1 bash = run make
    called call_2 odd = other
    answered 1 Failed 2: boom⏎Exit code: 2
    answered call_2 Done -: x
    fed by StopHook: make fails
    thought: Hm.
    said: Done.
    0 lines, 0 unknown, torn: false
    ");
}

#[test]
fn anthropic_messages_are_read() {
    let messages = json!([
        {"role": "user", "content": "fix it"},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Building."},
            {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "make"}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "1", "content": "Exit code 2\nboom", "is_error": true},
            {"type": "text", "text": "and hurry"}]},
        {"role": "user", "content": "Stop hook feedback:\nmake fails"},
        {"role": "user", "content": "<system-reminder>\nTodos are empty.\n</system-reminder>"},
        {"role": "assistant", "content": "Done."}
    ]);
    let events = import(messages.to_string().as_bytes()).unwrap();
    insta::assert_snapshot!(show(&(events, Reading::default())), @r"
    human Prompt: fix it
    thought: Hm.
    said: Building.
    called 1 Bash = run make
    answered 1 Failed 2: Exit code 2⏎boom
    human Prompt: and hurry
    fed by StopHook: make fails
    fed by Agent: Todos are empty.
    said: Done.
    0 lines, 0 unknown, torn: false
    ");
}

#[test]
fn a_session_is_told_in_messages() {
    let (events, _) = read(&found("codex", "s", fixture("codex/background.jsonl")));
    let told: Vec<String> = export(&events[4..], Shape::OpenAi, WHOSE)["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    {"role":"user","content":"wait for it"}
    {"role":"assistant","content":null,"tool_calls":[{"id":"call_0_0","type":"function","function":{"name":"exec_command","arguments":"{\"cmd\":\"sleep 2; echo late; exit 4\",\"yield_time_ms\":300}"}}]}
    {"role":"tool","tool_call_id":"call_0_0","content":""}
    {"role":"assistant","content":null,"tool_calls":[{"id":"call_1_0","type":"function","function":{"name":"write_stdin","arguments":"{\"session_id\":52733,\"chars\":\"\",\"yield_time_ms\":4000}"}}]}
    {"role":"tool","tool_call_id":"call_1_0","content":"Exit code 4\nlate\n"}
    {"role":"assistant","content":"Done."}
    "#);
}

/// What messages can carry of an event.
fn carried(event: &SessionEvent) -> Option<What> {
    match &event.what {
        What::Answered { call, output, .. } => {
            let output = output.strip_prefix("Exit code 3\n").unwrap_or(output);
            let output = output.strip_prefix("Exit code 4\n").unwrap_or(output).to_owned();
            Some(What::Answered {
                call: call.clone(),
                output,
                end: hansei_core::session::AnswerEnd::Done,
                exit_code: None,
            })
        }
        What::Called { call, tool, input, .. } => Some(What::Called {
            call: call.clone(),
            tool: tool.clone(),
            input: if input.is_object() { input.clone() } else { json!({ "input": input }) },
            action: hansei_core::session::Action::Other,
        }),
        What::HumanSaid { .. } | What::Fed { .. } | What::Said { .. } | What::Thought { .. } => {
            Some(event.what.clone())
        }
        _ => None,
    }
}

#[test]
fn a_conversation_survives_both_shapes() {
    for name in ["feedback", "patches", "code-mode", "background", "abort"] {
        let (events, _) = read(&found("codex", "s", fixture(&format!("codex/{name}.jsonl"))));
        for shape in [Shape::OpenAi, Shape::Anthropic] {
            let exported = export(&events, shape, WHOSE);
            assert_eq!(exported["cwd"], "/home/dev/w");
            let again = import(exported.to_string().as_bytes()).unwrap();
            // A call has one result in messages: what arrives later is that of the call that fetched it.
            let mut answered = BTreeSet::new();
            let events: Vec<SessionEvent> = events
                .iter()
                .filter(|event| match &event.what {
                    What::Answered { call, .. } => answered.insert(call.clone()),
                    _ => true,
                })
                .cloned()
                .collect();
            let before: Vec<What> = events.iter().filter_map(carried).collect();
            let after: Vec<What> = again.iter().filter_map(carried).collect();
            assert_eq!(after, before, "{name} {shape:?}");
            let codes = |events: &[SessionEvent]| -> Vec<i32> {
                let code = |event: &SessionEvent| match event.what {
                    What::Answered { exit_code, .. } => exit_code.filter(|code| *code != 0),
                    _ => None,
                };
                events.iter().filter_map(code).collect()
            };
            assert_eq!(codes(&again), codes(&events), "{name} {shape:?}");
        }
    }
}

#[test]
fn what_is_no_list_of_messages_is_refused() {
    for text in ["", "{}", "3", "[3]", r#"[{"content":"x"}]"#, r#"{"messages":[{}]}"#] {
        let refused = import(text.as_bytes()).unwrap_err().to_string();
        assert!(refused.starts_with("these are not chat messages"), "{text}: {refused}");
    }
}
