//! Payloads as the real programs sent them, and hostile ones.

use serde_json::json;

use super::*;
use crate::names_of;

fn of(agent: &str, payload: &str) -> Payload {
    read(payload.as_bytes(), names_of(Some(agent))).unwrap_or_else(|error| panic!("{error}: {payload}"))
}

#[test]
fn what_claude_code_tells() {
    let start = r#"{"session_id":"417d605f","transcript_path":"/h/.claude/projects/-p/417d605f.jsonl","cwd":"/p","hook_event_name":"SessionStart","source":"startup"}"#;
    let session = Payload {
        session_id: Some("417d605f".into()),
        cwd: Some("/p".into()),
        transcript_path: Some("/h/.claude/projects/-p/417d605f.jsonl".into()),
        ..Payload::default()
    };
    assert_eq!(of("claude-code", start), Payload { source: Some(Source::Startup), ..session.clone() });

    let prompt = r#"{"session_id":"417d605f","transcript_path":"/h/.claude/projects/-p/417d605f.jsonl","cwd":"/p","prompt_id":"dfde3bfb","permission_mode":"plan","hook_event_name":"UserPromptSubmit","prompt":"find it"}"#;
    let planning = Payload {
        planning: Some(true),
        permission_mode: Some("plan".into()),
        turn_id: Some("dfde3bfb".into()),
        prompt: Some("find it".into()),
        ..session.clone()
    };
    assert_eq!(of("claude-code", prompt), planning);

    let stop = r#"{"session_id":"417d605f","transcript_path":"/h/.claude/projects/-p/417d605f.jsonl","cwd":"/p","prompt_id":"dfde3bfb","permission_mode":"bypassPermissions","effort":{"level":"high"},"hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"Found.","background_tasks":[{"id":"b1","type":"shell","status":"running","description":"sleep","command":"sleep 60"},{"id":"b2","type":"subagent","status":"pending","description":"x"},{"id":"b3","type":"shell","status":"completed","description":"x"}],"session_crons":[{"id":"c","schedule":"0 9 * * 1-5","recurring":true,"prompt":"again"}]}"#;
    let stopped = Payload {
        planning: Some(false),
        permission_mode: Some("bypassPermissions".into()),
        turn_id: Some("dfde3bfb".into()),
        last_message: Some("Found.".into()),
        stop_hook_active: true,
        background_tasks: 2,
        session_crons: 1,
        ..session.clone()
    };
    assert_eq!(of("claude-code", stop), stopped);

    let failure = r#"{"session_id":"417d605f","transcript_path":"/h/.claude/projects/-p/417d605f.jsonl","cwd":"/p","prompt_id":"dfde3bfb","hook_event_name":"StopFailure","error":"server_error","last_assistant_message":"API Error: 529 overloaded"}"#;
    let failed = Payload {
        turn_id: Some("dfde3bfb".into()),
        error: Some("server_error".into()),
        last_message: Some("API Error: 529 overloaded".into()),
        ..session.clone()
    };
    assert_eq!(of("claude-code", failure), failed);

    let compaction = r#"{"session_id":"417d605f","transcript_path":"/h/.claude/projects/-p/417d605f.jsonl","cwd":"/p","hook_event_name":"PreCompact","trigger":"auto","custom_instructions":null}"#;
    assert_eq!(of("claude-code", compaction), Payload { trigger: Some(Trigger::Auto), ..session });
}

#[test]
fn what_other_agents_tell() {
    let codex = r#"{"session_id":"01a1df77","turn_id":"01a1df77-200e","transcript_path":"/h/.codex/sessions/2026/11/15/rollout-01a1df77.jsonl","cwd":"/p","hook_event_name":"Stop","model":"stub-model","permission_mode":"bypassPermissions","stop_hook_active":false,"last_assistant_message":"Found."}"#;
    let expected = Payload {
        session_id: Some("01a1df77".into()),
        cwd: Some("/p".into()),
        transcript_path: Some("/h/.codex/sessions/2026/11/15/rollout-01a1df77.jsonl".into()),
        last_message: Some("Found.".into()),
        planning: None,
        permission_mode: Some("bypassPermissions".into()),
        turn_id: Some("01a1df77-200e".into()),
        ..Payload::default()
    };
    assert_eq!(of("codex", codex), expected);

    let gemini = r#"{"session_id":"45c5dadd","transcript_path":"/h/.gemini/tmp/p/chats/session-2026.jsonl","cwd":"/p","hook_event_name":"AfterAgent","timestamp":"2026-11-15T13:48:15.389Z","prompt":"find it","prompt_response":"Found.\nReally.","stop_hook_active":true}"#;
    let expected = Payload {
        session_id: Some("45c5dadd".into()),
        cwd: Some("/p".into()),
        transcript_path: Some("/h/.gemini/tmp/p/chats/session-2026.jsonl".into()),
        last_message: Some("Found.\nReally.".into()),
        last_message_accumulates: true,
        prompt: Some("find it".into()),
        stop_hook_active: true,
        ..Payload::default()
    };
    assert_eq!(of("gemini", gemini), expected);

    for agent in ["opencode", "kilo", "some-other-agent"] {
        let stop = r#"{"session_id":"ses_e208","cwd":"/p","hook_event_name":"session.idle","last_assistant_message":"Found.","permission_mode":"build","turn_id":"msg_1"}"#;
        let expected = Payload {
            session_id: Some("ses_e208".into()),
            cwd: Some("/p".into()),
            last_message: Some("Found.".into()),
            planning: Some(false),
            permission_mode: Some("build".into()),
            turn_id: Some("msg_1".into()),
            ..Payload::default()
        };
        assert_eq!(of(agent, stop), expected);
    }
}

#[test]
fn whose_doing_it_is() {
    use Speaker::{Machinery, Session, SubAgent};
    for (agent, payload, speaker) in [
        ("claude-code", json!({ "prompt": "find it" }), Session),
        // What runs in the background speaks up when it is done.
        ("claude-code", json!({ "prompt": "<task-notification>\n<task-id>a8</task-id>" }), Machinery),
        ("claude-code", json!({ "agent_id": "a8", "agent_type": "general-purpose" }), SubAgent),
        // A whole session may run as a kind of agent.
        ("claude-code", json!({ "agent_type": "reviewer" }), Session),
        // What sums up for a compaction stops like a sub-agent.
        ("claude-code", json!({ "agent_id": "a8", "agent_type": "", "stop_hook_active": false }), Machinery),
        ("claude-code", json!({ "transcript_path": null }), Session),
        ("codex", json!({ "transcript_path": "/h/rollout.jsonl", "prompt": "find it" }), Session),
        ("codex", json!({ "transcript_path": null, "last_assistant_message": "A title" }), Machinery),
        ("codex", json!({ "agent_id": "01a1", "agent_type": "default", "prompt": "look for it" }), SubAgent),
        ("opencode", json!({ "agent_id": "ses_e208" }), SubAgent),
        ("opencode", json!({}), Session),
    ] {
        assert_eq!(of(agent, &payload.to_string()).speaker, speaker, "{agent} {payload}");
    }
}

#[test]
fn a_field_of_a_wrong_type_takes_no_other_with_it() {
    let fields = [
        "session_id", "cwd", "transcript_path", "last_assistant_message", "stop_hook_active", "prompt",
        "permission_mode", "agent_id", "agent_type", "agent_transcript_path", "background_tasks",
        "session_crons", "source", "trigger", "error", "prompt_id",
    ];
    for field in fields {
        for wrong in [json!(7), json!({ "deep": [[[]]] }), json!(1e300)] {
            let mut payload = json!({ "session_id": "s1", "cwd": "/p", "prompt_id": "t" });
            payload[field] = wrong;
            let read = of("claude-code", &payload.to_string());
            assert_eq!(read.odd, [field]);
            assert_eq!(read.session_id.is_some(), field != "session_id");
            assert_eq!(read.cwd.is_some(), field != "cwd");
            assert_eq!(read.turn_id.is_some(), field != "prompt_id");
        }
        let mut payload = json!({ "session_id": "s1" });
        payload[field] = json!(null);
        assert!(of("claude-code", &payload.to_string()).odd.is_empty(), "null is as good as absent");
    }
    let listed = of("claude-code", r#"{"background_tasks":[7,null,{"status":9}],"source":"dreamt"}"#);
    assert_eq!((listed.background_tasks, listed.source), (3, None));
}

#[test]
fn half_a_character_costs_only_itself() {
    for (written, read) in [
        (r"cut \ud83d", "cut \u{fffd}"),
        (r"\ude00 cut", "\u{fffd} cut"),
        (r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}"),
        (r"\ud83dx\\ud83d \\\ud83d", "\u{fffd}x\\ud83d \\\u{fffd}"),
    ] {
        let payload = of("codex", &format!(r#"{{"last_assistant_message":"{written}","session_id":"s1"}}"#));
        assert_eq!(payload.last_message.as_deref(), Some(read), "{written}");
        assert_eq!(payload.session_id.as_deref(), Some("s1"));
    }
    let payload = read(b"{\"prompt\":\"\xff\",\"session_id\":\"s1\"}", names_of(None)).unwrap();
    assert_eq!((payload.prompt.as_deref(), payload.session_id.as_deref()), (Some("\u{fffd}"), Some("s1")));
}

#[test]
fn what_is_no_object_says_nothing() {
    for bytes in
        [b"".as_slice(), b" \n", b"[\"s1\"]", b"7", b"{", b"{\"session_id\":\"s1\"} x", b"\\", b"\\ud8"]
    {
        assert!(read(bytes, names_of(None)).is_err(), "{}", String::from_utf8_lossy(bytes));
    }
}
