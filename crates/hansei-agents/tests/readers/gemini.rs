//! Gemini CLI 0.61.0.

use hansei_agents::transcript::Homes;

use super::support::{fixture, found, read, read_text, show};

fn events(name: &str) -> String {
    show(&read(&found("gemini", "s", fixture(&format!("gemini/{name}.jsonl")))))
}

#[test]
fn a_stop_hook_sends_the_agent_back() {
    insta::assert_snapshot!(events("feedback"), @r#"
    fed by Agent: <session_context>⏎This is the Gemini CLI. We are setting up the context for our chat.⏎Today's date is Sunday, …
    human Prompt: make a.txt
    started - gemini-2.5-flash - - - attended None
    thought: let me look
    said: I will plan.
    used 100 25
    called write_todos__write_todos_1794744599556_0 write_todos = todos ["Doing write it", "Open test it"]
    answered write_todos__write_todos_1794744599556_0 Done -: Successfully updated the todo list. The current list is now:⏎1. [in_progress] write it⏎2. [pending] test it
    used 100 25
    called run_shell_command__run_shell_command_1794744599693_0 run_shell_command = run echo hi; exit 3
    answered run_shell_command__run_shell_command_1794744599693_0 Failed 3: hi
    called run_shell_command__run_shell_command_1794744599695_1 run_shell_command = run echo fine
    answered run_shell_command__run_shell_command_1794744599695_1 Done 0: fine
    used 100 25
    called write_file__write_file_1794744599946_0 write_file = edit ["a.txt"]
    answered write_file__write_file_1794744599946_0 Done -: Successfully created and wrote to new file: /home/dev/w/a.txt. Here is the updated code:⏎hello⏎
    used 100 25
    called replace__replace_1794744600066_0 replace = edit ["a.txt"]
    answered replace__replace_1794744600066_0 Failed -: Could not find an exact match for 'old_string' in 'a.txt'. If previous edits modified the file or you are modi…
    used 100 25
    called no_such_tool__no_such_tool_1794744600134_0 no_such_tool = other
    answered no_such_tool__no_such_tool_1794744600134_0 Failed -: Tool "no_such_tool" not found. Did you mean one of: "write_todos", "update_topic", "list_directory"?
    used 100 25
    called run_shell_command__run_shell_command_1794744600169_0 run_shell_command = run in background sleep 100
    answered run_shell_command__run_shell_command_1794744600169_0 Background -: Command moved to background (PID: 5857). Output hidden. Press Ctrl+B to view.
    said: Done.
    used 100 25
    fed by StopHook: not yet
    said: Done.
    used 100 25
    26 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn plan_mode_and_a_sub_agent() {
    insta::assert_snapshot!(events("plan-and-sub-agent"), @r#"
    fed by Agent: <session_context>⏎This is the Gemini CLI. We are setting up the context for our chat.⏎Today's date is Sunday, …
    human Prompt: make a.txt
    started - gemini-2.5-flash - - - attended None
    used 100 25
    called ask_user__ask_user_1794745123849_0 ask_user = ask Which?
    answered ask_user__ask_user_1794745123849_0 Failed -: Tool "ask_user" not found. Did you mean one of: "replace", "read_file", "grep_search"?
    used 100 25
    called enter_plan_mode__enter_plan_mode_1794745124080_0 enter_plan_mode = other
    answered enter_plan_mode__enter_plan_mode_1794745124080_0 Done -: Switching to Plan mode.
    permission plan, plan true
    used 100 25
    called invoke_agent__invoke_agent_1794745124572_0 invoke_agent = delegate count
    answered invoke_agent__invoke_agent_1794745124572_0 Done -: Subagent 'codebase_investigator' finished.⏎Termination Reason: ERROR_NO_COMPLETE_TASK_CALL⏎Result:⏎Agent stopp…
    said: Done.
    used 100 25
    15 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn an_api_error_takes_the_prompt_back_out_of_the_history_but_not_out_of_what_happened() {
    insta::assert_snapshot!(events("api-error"), @r"
    fed by Agent: <session_context>⏎This is the Gemini CLI. We are setting up the context for our chat.⏎Today's date is Sunday, …
    human Prompt: make a.txt
    5 lines, 0 unknown, torn: false
    ");
}

#[test]
fn a_killed_session_ends_where_it_was() {
    insta::assert_snapshot!(events("killed"), @r"
    fed by Agent: <session_context>⏎This is the Gemini CLI. We are setting up the context for our chat.⏎Today's date is Sunday, …
    human Prompt: make a.txt
    started - gemini-2.5-flash - - - attended None
    used 100 25
    6 lines, 0 unknown, torn: false
    ");
}

#[test]
fn a_compressed_history_begins_a_new_epoch() {
    let text = r#"{"sessionId":"s","projectHash":"h","startTime":"2026-11-15T10:00:00.000Z","kind":"main"}
{"id":"1","timestamp":"2026-11-15T10:00:01.000Z","type":"user","content":[{"text":"fix it"}]}
{"id":"2","timestamp":"2026-11-15T10:00:02.000Z","type":"gemini","content":"I did a.","model":"m"}
{"id":"3","timestamp":"2026-11-15T10:09:02.000Z","type":"user","content":"and b"}
{"$set":{"messages":[{"id":"9","timestamp":"2026-11-15T10:09:03.000Z","type":"user","content":[{"text":"<state_snapshot>a is done</state_snapshot>"}]},{"id":"10","timestamp":"2026-11-15T10:09:03.000Z","type":"gemini","content":[{"text":"Got it."}]},{"id":"3","timestamp":"2026-11-15T10:09:02.000Z","type":"user","content":"and b"}]}}
{"$rewindTo":"3"}
{"$set":{"messages":[{"id":"13","timestamp":"2026-11-15T10:09:03.500Z","type":"user","content":[{"text":"a is done, untagged"}]},{"id":"14","timestamp":"2026-11-15T10:09:03.500Z","type":"gemini","content":[{"text":"Got it. Thanks for the additional context!"}]}]}}
{"id":"11","timestamp":"2026-11-15T10:09:04.000Z","type":"error","content":"[API Error: quota]"}
{"id":"12","timestamp":"2026-11-15T10:09:05.000Z","type":"info","content":"Request cancelled."}
"#;
    insta::assert_snapshot!(show(&read_text("gemini", text)), @r"
    human Prompt: fix it
    started - m - - - attended None
    said: I did a.
    human Prompt: and b
    compacted: <state_snapshot>a is done</state_snapshot>
    compacted: a is done, untagged
    failed: [API Error: quota]
    aborted
    9 lines, 0 unknown, torn: false
    ");
}

#[test]
fn strange_files_are_read_as_far_as_they_go() {
    let known = r#"{"id":"1","timestamp":"2026-11-15T10:00:02.000Z","type":"gemini","content":"hi"}"#;
    let huge = known.replace("hi", &"x".repeat(3_000_000));
    for (text, count, lines, unknown, torn) in [
        (String::new(), 0, 0, 0, false),
        (format!("{known}\n{}", &known[..40]), 1, 2, 0, true),
        (format!("{known}\nnot json\n"), 1, 2, 1, false),
        (format!("{{\"id\":\"2\",\"type\":\"dreamt\"}}\n{{}}\n{known}\n\n"), 1, 3, 2, false),
        (format!("[1,2]\n\u{0}\n{huge}\n"), 1, 3, 2, false),
    ] {
        let (events, reading) = read_text("gemini", &text);
        assert_eq!(
            (events.len(), reading.lines, reading.unknown, reading.torn),
            (count, lines, unknown, torn)
        );
    }
}

#[test]
fn sessions_are_found_with_their_folder_also_in_the_older_form() {
    let home = tempfile::tempdir().unwrap();
    let chats = home.path().join(".gemini/tmp/w/chats");
    std::fs::create_dir_all(chats.join("4322b69d")).unwrap();
    std::fs::write(home.path().join(".gemini/tmp/w/.project_root"), "/home/dev/w").unwrap();
    std::fs::write(home.path().join(".gemini/tmp/w/session-x.json"), "{}").unwrap();
    std::fs::write(chats.join("4322b69d/session-sub.jsonl"), "").unwrap();
    std::fs::copy(fixture("gemini/feedback.jsonl"), chats.join("session-2026-11-15T12-09-4322b69d.jsonl"))
        .unwrap();
    let older = r#"{
  "sessionId": "older-1", "projectHash": "h",
  "messages": [
    { "id": "1", "timestamp": "2025-10-01T10:00:00.000Z", "type": "user", "content": "fix it" },
    { "id": "2", "timestamp": "2025-10-01T10:00:09.000Z", "type": "gemini", "content": "Done.",
      "toolCalls": [{ "id": "c", "name": "run_shell_command", "args": { "command": "make" }, "status": "success",
        "result": [{ "functionResponse": { "id": "c", "response": { "output": "Command: make\nDirectory: (root)\nOutput: x\nError: (none)\nExit Code: 2\nSignal: (none)" } } }] }] }
  ]
}"#;
    std::fs::write(chats.join("session-2025-10-01T10-00-older.json"), older).unwrap();
    let homes = Homes { home: home.path().into(), ..Homes::default() };
    let mut sessions = hansei_agents::sessions(&homes, Some("gemini"));
    sessions.sort_by(|a, b| a.id.cmp(&b.id));
    let ids: Vec<&str> = sessions.iter().map(|found| &*found.id).collect();
    assert_eq!(ids, ["4322b69d-edac-4fcb-8b8a-018644b82ef2", "older-1"]);
    insta::assert_snapshot!(show(&read(&sessions[1])), @r"
    started - - /home/dev/w - - attended None
    human Prompt: fix it
    said: Done.
    called c run_shell_command = run make
    answered c Failed 2: x
    1 lines, 0 unknown, torn: false
    ");
}

#[test]
fn what_a_sub_agent_did_stands_in_the_chat_that_its_call_names() {
    let chats = tempfile::tempdir().unwrap();
    let file = chats.path().join("session-2026-11-15T10-00-4322b69d.jsonl");
    let call = |agent: &str| {
        format!(
            r#"{{"sessionId":"4322b69d-aa","kind":"main"}}
{{"id":"1","timestamp":"2026-11-15T10:00:02.000Z","type":"gemini","content":"","toolCalls":[{{"id":"c1","name":"invoke_agent","args":{{"prompt":"test it"}},"result":[{{"functionResponse":{{"id":"c1","response":{{"output":"I tried it."}}}}}}],"status":"success","timestamp":"2026-11-15T10:00:09.000Z","agentId":"{agent}"}}]}}
"#
        )
    };
    let child = r#"{"sessionId":"7bbc","kind":"subagent"}
{"id":"1","timestamp":"2026-11-15T10:00:03.000Z","type":"user","content":"test it"}
{"id":"2","timestamp":"2026-11-15T10:00:04.000Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"run_shell_command","args":{"command":"cargo test"},"result":[{"functionResponse":{"id":"c1","response":{"output":"Output: red\nExit Code: 1"}}}],"status":"success","timestamp":"2026-11-15T10:00:05.000Z"}]}
"#;
    std::fs::create_dir_all(chats.path().join("4322b69d-aa")).unwrap();
    std::fs::write(chats.path().join("4322b69d-aa/7bbc.jsonl"), child).unwrap();
    std::fs::write(chats.path().join("outside.jsonl"), child).unwrap();
    for (agent, is_read) in [("7bbc", true), ("gone", false), ("../outside", false), ("", false)] {
        std::fs::write(&file, call(agent)).unwrap();
        let (events, reading) = read(&found("gemini", "4322b69d-aa", file.clone()));
        assert_eq!((reading.lines, reading.unknown), (2, 0));
        let session = hansei_core::session::Session::fold(&events);
        assert_eq!(session.calls[0].unread, !is_read, "{agent}");
        let codes: Vec<_> = session.calls.iter().map(|call| call.end.as_ref().unwrap().exit_code).collect();
        assert_eq!(codes, if is_read { vec![None, Some(1)] } else { vec![None] }, "{agent}");
        assert!(session.calls.iter().skip(1).all(|call| call.by_sub_agent), "{agent}");
    }
}
