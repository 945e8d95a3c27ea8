//! A human's Esc, as each agent's own transcript records it: nobody judges such a stop, whatever was red.

use serde_json::{Value, json};

use crate::support::{Ran, World};

const SESSION: &str = "4322b69d-edac-4fcb-8b8a-018644b82ef2";
const REQUEST: &str = "fix the parser so that `cargo test` passes";
const RED: &str =
    "test parse::empty ... FAILED\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured\n";
const AT: &str = "2026-11-15T10:00:00.000Z";
const WORDS: &str = "Done. All tests pass.";

/// The agent, the ways in which it records that a human interrupted it, and the session up to there.
type Recorded = (&'static str, Vec<Value>, Vec<Value>, &'static str);

fn recorded() -> Vec<Recorded> {
    let claude = |id: &str, kind: &str, content: Value| {
        json!({ "type": kind, "uuid": id, "timestamp": AT, "sessionId": SESSION, "version": "2.1.325",
                "message": { "id": id, "role": kind, "content": content } })
    };
    let codex = |kind: &str, payload: Value| json!({ "timestamp": AT, "type": kind, "payload": payload });
    let heard = |role: &str, kind: &str, text: &str| {
        let content = json!([{ "type": kind, "text": text }]);
        codex("response_item", json!({ "type": "message", "role": role, "content": content }))
    };
    let gemini = |id: &str, kind: &str, content: Value| json!({ "id": id, "timestamp": AT, "type": kind, "content": content });
    let printed = format!("Output: {RED}\nExit Code: 101\nProcess Group PGID: 7");
    let response = json!([{ "functionResponse": { "id": "c", "name": "run_shell_command", "response": { "output": printed } } }]);
    let call = json!({ "id": "c", "name": "run_shell_command", "args": { "command": "cargo test" },
                       "result": response, "status": "success", "timestamp": AT });
    let mut gemini_called = gemini("g2", "gemini", json!(""));
    gemini_called["toolCalls"] = json!([call]);
    vec![
        (
            "claude-code",
            vec![
                claude("x", "user", json!([{ "type": "text", "text": "[Request interrupted by user]" }])),
                claude(
                    "x",
                    "user",
                    json!([{ "type": "text", "text": "[Request interrupted by user for tool use]" }]),
                ),
                claude("x", "user", json!("[Request interrupted by user]")),
            ],
            vec![
                claude("h", "user", json!(REQUEST)),
                claude(
                    "a",
                    "assistant",
                    json!([{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "cargo test" } }]),
                ),
                claude(
                    "r",
                    "user",
                    json!([{ "type": "tool_result", "tool_use_id": "t", "is_error": true, "content": format!("Exit code 101\n{RED}") }]),
                ),
                claude("b", "assistant", json!([{ "type": "text", "text": WORDS }])),
            ],
            ".claude/projects/p/4322b69d-edac-4fcb-8b8a-018644b82ef2.jsonl",
        ),
        (
            "codex",
            vec![
                codex("event_msg", json!({ "type": "turn_aborted", "reason": "interrupted" })),
                heard(
                    "user",
                    "input_text",
                    "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
                ),
            ],
            vec![
                codex(
                    "session_meta",
                    json!({ "id": SESSION, "cwd": "/w", "cli_version": "0.166.0", "source": "cli" }),
                ),
                heard("user", "input_text", REQUEST),
                codex(
                    "response_item",
                    json!({ "type": "function_call", "name": "exec_command", "arguments": json!({ "cmd": "cargo test" }).to_string(), "call_id": "c" }),
                ),
                codex(
                    "response_item",
                    json!({ "type": "function_call_output", "call_id": "c", "output": format!("Wall time: 0.1 seconds\nProcess exited with code 101\nOutput:\n{RED}") }),
                ),
                heard("assistant", "output_text", WORDS),
            ],
            ".codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-4322b69d-edac-4fcb-8b8a-018644b82ef2.jsonl",
        ),
        (
            "gemini",
            vec![
                gemini("x", "info", json!("Request cancelled.")),
                gemini("x", "info", json!([{ "text": "User cancelled the request." }])),
            ],
            vec![
                json!({ "sessionId": SESSION, "startTime": AT, "kind": "main" }),
                gemini("g1", "user", json!([{ "text": REQUEST }])),
                gemini_called,
                gemini("g3", "gemini", json!(WORDS)),
            ],
            ".gemini/tmp/p/chats/session-2026-11-15T10-00-4322b69d.jsonl",
        ),
    ]
}

/// The last event of the log after a stop of this session.
fn stopped(agent: &str, file: &str, lines: &[Value]) -> Value {
    let world = World::new();
    let file = world.outside().join("home").join(file);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    std::fs::write(&file, text.join("\n") + "\n").unwrap();
    let payload = json!({ "session_id": SESSION, "cwd": world.repo, "hook_event_name": "Stop",
                          "stop_hook_active": false, "transcript_path": file });
    let mut command = world.hansei();
    command.args(["hook", agent, "stop", "--mode", "solo"]);
    let ran = Ran::of(&mut command, payload.to_string().as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{agent}");
    world.log(SESSION).pop().unwrap()
}

#[test]
fn an_abort_is_known_from_each_agents_own_transcript() {
    for (agent, aborts, lines, file) in recorded() {
        assert_eq!(stopped(agent, file, &lines)["kind"], "sent_back", "{agent}: red, and nobody interrupted");
        for abort in aborts {
            let mut lines = lines.clone();
            lines.push(abort.clone());
            let event = stopped(agent, file, &lines);
            assert_eq!(
                (&event["kind"], &event["why"]),
                (&json!("skipped"), &json!("aborted")),
                "{agent} {abort}: {event}"
            );
        }
    }
}
