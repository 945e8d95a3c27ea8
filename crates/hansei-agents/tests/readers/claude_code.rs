//! Claude Code 2.1: the forms of its lines, as it writes them.

use hansei_core::session::{Action, Session, SessionEvent};

use super::support::{found, read, show};

/// A session with the transcripts of its sub-agents: the name of each below the session's folder, and its lines.
fn session(lines: &[String], sub_agents: &[(&str, &[String])]) -> (Vec<SessionEvent>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.jsonl");
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    for (name, lines) in sub_agents {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, lines.join("\n") + "\n").unwrap();
    }
    let (events, reading) = read(&found("claude-code", "s", file));
    let shown = show(&(events.clone(), reading));
    (events, shown)
}

/// A line of `kind` at the second `at` with these blocks.
fn line(kind: &str, at: u32, more: &str, blocks: &str) -> String {
    format!(
        r#"{{"type":"{kind}","timestamp":"2026-03-04T10:00:{at:02}.000Z"{more},"message":{{"role":"{kind}","content":[{blocks}]}}}}"#
    )
}

fn call(at: u32, more: &str, id: &str, tool: &str, input: &str) -> String {
    let block = format!(r#"{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}"#);
    line("assistant", at, more, &block)
}

fn answer(at: u32, more: &str, id: &str, text: &str) -> String {
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{text}"}}"#);
    line("user", at, more, &block)
}

fn text(kind: &str, at: u32, more: &str, text: &str) -> String {
    line(kind, at, more, &format!(r#"{{"type":"text","text":"{text}"}}"#))
}

const SIDE: &str = r#","isSidechain":true"#;

/// What a sub-agent wrote: it looked, tested and reported.
fn work(at: u32, ids: &str) -> Vec<String> {
    vec![
        text("user", at, SIDE, "test it"),
        call(at + 1, SIDE, &format!("{ids}1"), "Bash", r#"{"command":"cargo test"}"#),
        answer(at + 2, SIDE, &format!("{ids}1"), "test result: ok. 3 passed; 0 failed"),
        text("assistant", at + 3, SIDE, "All green."),
    ]
}

fn delegate(at: u32, id: &str) -> String {
    call(at, "", id, "Task", r#"{"description":"d","prompt":"test it","subagent_type":"general"}"#)
}

#[test]
fn a_sub_agents_work_is_told_at_its_place() {
    let agent = r#","toolUseResult":{"agentId":"a1","status":"completed"}"#;
    let lines = [
        text("user", 0, "", "test it"),
        delegate(1, "d"),
        answer(9, agent, "d", "All green."),
        text("assistant", 10, "", "Tests pass."),
    ];
    let beside = work(2, "x");
    for name in ["s/subagents/agent-a1.jsonl", "agent-a1.jsonl"] {
        let (events, shown) = session(&lines, &[(name, &beside)]);
        insta::allow_duplicates! { insta::assert_snapshot!(shown, @r"
        human Prompt: test it
        called d Task = delegate test it
        by the sub-agent of d: called x1 Bash = run cargo test
        by the sub-agent of d: answered x1 Done 0: test result: ok. 3 passed; 0 failed
        by the sub-agent of d: said: All green.
        answered d Done -: All green.
        said: Tests pass.
        4 lines, 0 unknown, torn: false
        "); }
        let session = Session::fold(&events);
        assert!(
            !session.calls[0].unread && session.calls[1].by_sub_agent && session.calls[1].checks.len() == 1
        );
    }
    for (name, sub_agents) in [
        ("not there", vec![]),
        ("another's", vec![("s/subagents/agent-a2.jsonl", beside.as_slice())]),
        ("empty", vec![("s/subagents/agent-a1.jsonl", &[][..])]),
    ] {
        let session = Session::fold(&session(&lines, &sub_agents).0);
        assert!(session.calls.len() == 1 && session.calls[0].unread, "{name}");
    }
    let away = r#","toolUseResult":{"agentId":"../a1"}"#;
    let lines = [delegate(1, "d"), answer(9, away, "d", "x")];
    assert_eq!(
        Session::fold(&session(&lines, &[("s/a1.jsonl", &beside)]).0).calls.len(),
        1,
        "no other folder"
    );
}

#[test]
fn the_same_work_told_twice_counts_once() {
    let progress = |line: &str| {
        format!(
            r#"{{"type":"progress","timestamp":"2026-03-04T10:00:05.000Z","parentToolUseID":"d","data":{{"type":"agent_progress","agentId":"a1","message":{line}}}}}"#
        )
    };
    let work = work(2, "x");
    let mut lines = vec![text("user", 0, "", "test it"), delegate(1, "d")];
    lines.extend(work.iter().map(|line| progress(&line.replace(SIDE, ""))));
    lines.extend(work.clone());
    lines.push(answer(9, r#","toolUseResult":{"agentId":"a1"}"#, "d", "All green."));
    let (events, _) = session(&lines, &[("s/subagents/agent-a1.jsonl", &work)]);
    let session = Session::fold(&events);
    assert_eq!(session.calls.len(), 2);
    assert!(!session.calls[0].unread && !session.is_working());
}

#[test]
fn a_sub_agent_in_the_background_works_at_its_own_times() {
    let launched = r#","toolUseResult":{"agentId":"a1","status":"async_launched","isAsync":true}"#;
    let lines = [
        text("user", 0, "", "test it"),
        delegate(1, "d"),
        answer(2, launched, "d", "Async agent launched"),
        call(3, "", "e", "Edit", r#"{"file_path":"a.rs","old_string":"x","new_string":"y"}"#),
        answer(4, "", "e", "updated"),
        text("assistant", 8, "", "I wait."),
    ];
    let (events, _) = session(&lines, &[("s/subagents/agent-a1.jsonl", &work(4, "x"))]);
    let session = Session::fold(&events);
    let does: Vec<bool> =
        session.calls.iter().map(|call| matches!(call.action, Action::Run { .. })).collect();
    assert_eq!(does, [false, false, true], "after the edit, as it was");
}

#[test]
fn side_chains_of_sub_agents_that_start_others() {
    let inner = r#","isSidechain":true,"toolUseResult":{"agentId":"b2"}"#;
    let outer = [call(2, SIDE, "i", "Agent", r#"{"prompt":"deeper"}"#), answer(7, inner, "i", "done")];
    let lines = [
        text("user", 0, "", "test it"),
        delegate(1, "d"),
        answer(9, r#","toolUseResult":{"agentId":"a1"}"#, "d", "All green."),
    ];
    let deep = work(3, "y");
    let (events, _) =
        session(&lines, &[("s/subagents/agent-a1.jsonl", &outer), ("s/subagents/agent-b2.jsonl", &deep)]);
    let session = Session::fold(&events);
    assert_eq!(session.calls.len(), 3);
    assert!(session.calls.iter().all(|call| !call.unread));
}

#[test]
fn what_was_left_running_ends_where_it_is_told() {
    let left = r#","toolUseResult":{"stdout":"","interrupted":false,"backgroundTaskId":"b1"}"#;
    let start = || {
        vec![
            text("user", 0, "", "test it"),
            call(1, "", "r", "Bash", r#"{"command":"pytest -q","run_in_background":true}"#),
            answer(2, left, "r", "Command running in background with ID: b1"),
        ]
    };
    let red =
        r"<status>completed</status>\n<exit_code>1</exit_code>\n<stdout>1 failed, 2 passed in 0.1s</stdout>";
    let running = r"<status>running</status>\n<stdout>collecting</stdout>";
    let note = r#"{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-04T10:00:05.000Z","content":"<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n<summary>Background command \"x\" failed with exit code 1</summary>\n</task-notification>"}"#;
    let poll = |at, tool: &str, key: &str| call(at, "", "p", tool, &format!(r#"{{"{key}":"b1"}}"#));
    for (name, more, ends) in [
        ("by its output", vec![poll(3, "BashOutput", "bash_id"), answer(4, "", "p", red)], Some(1)),
        ("by another tool", vec![poll(3, "TaskOutput", "task_id"), answer(4, "", "p", red)], Some(1)),
        ("still running", vec![poll(3, "BashOutput", "bash_id"), answer(4, "", "p", running)], None),
        ("told", vec![note.to_owned()], Some(1)),
        (
            "told, then read",
            vec![note.to_owned(), poll(6, "TaskOutput", "task_id"), answer(7, "", "p", red)],
            Some(1),
        ),
        (
            "its log is read",
            vec![
                call(3, "", "p", "Bash", r#"{"command":"tail -f /tmp/b1"}"#),
                answer(4, "", "p", "collecting"),
            ],
            None,
        ),
    ] {
        let mut lines = start();
        lines.extend(more);
        let session = Session::fold(&session(&lines, &[]).0);
        let ended: Vec<_> = session.calls.iter().filter(|call| call.ends == Some(0)).collect();
        assert_eq!(ended.first().and_then(|call| call.end.as_ref()?.exit_code), ends, "{name}");
        assert!(ended.len() <= 1, "{name}");
    }
}

#[test]
fn a_servers_shell_says_how_it_ended() {
    let shell = |answer_text: &str| {
        let lines = [
            call(1, "", "r", "mcp__shell__run", r#"{"command":"cargo test"}"#),
            answer(2, "", "r", answer_text),
        ];
        Session::fold(&session(&lines, &[]).0).calls[0].end.as_ref().unwrap().exit_code
    };
    assert_eq!(shell(r#"{\"stdout\":\"x\",\"exit_code\":1}"#), Some(1));
    assert_eq!(shell(r"x\n[exit 0]"), Some(0));
    assert_eq!(shell("x"), None);
}
