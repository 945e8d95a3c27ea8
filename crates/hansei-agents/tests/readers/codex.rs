//! Codex 0.166.0.

use hansei_agents::transcript::Homes;

use super::support::{fixture, found, read, read_text, show};

fn events(name: &str) -> String {
    show(&read(&found("codex", "s", fixture(&format!("codex/{name}.jsonl")))))
}

#[test]
fn a_stop_hook_sends_the_agent_back() {
    insta::assert_snapshot!(events("feedback"), @r#"
    started 0.166.0 - /home/dev/w main - attended Some(false)
    fed by Agent: <skills_instructions>⏎## Skills⏎A skill is a set of local in⏎<permissions instructions>⏎Filesystem sandboxing …
    fed by Agent: <environment_context>⏎  <cwd>/home/dev/w</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-15</current_date>…
    started 0.166.0 stub-model /home/dev/w main - attended Some(false)
    human Prompt: make a.txt
    thought: let me look
    called call_0_1 update_plan = todos ["Doing write it", "Open test it"]
    answered call_0_1 Failed -: unsupported call: update_plan
    used 100 20
    said: Running.
    called call_1_1 exec_command = run echo hi; exit 3
    called call_1_2 exec_command = run echo fine
    answered call_1_1 Failed 3: hi⏎
    answered call_1_2 Done 0: fine⏎
    used 100 20
    called call_2_0 apply_patch = edit ["a.txt"]
    answered call_2_0 Failed -: unsupported custom tool call: apply_patch
    used 100 20
    called call_3_0 exec_command = run sleep 4; echo late
    answered call_3_0 Background -: 
    used 100 20
    said: Done.
    used 100 20
    fed by StopHook: not yet
    said: Done.
    used 100 20
    stopped
    40 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn patches_and_refused_calls() {
    insta::assert_snapshot!(events("patches"), @r#"
    started 0.166.0 - /home/dev/w main - attended Some(false)
    fed by Agent: <skills_instructions>⏎## Skills⏎A skill is a set of local in⏎<permissions instructions>⏎Filesystem sandboxing …
    fed by Agent: <environment_context>⏎  <cwd>/home/dev/w</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-15</current_date>…
    started 0.166.0 gpt-5.5 /home/dev/w main - attended Some(false)
    human Prompt: make a.txt
    called call_0_0 apply_patch = edit ["a.txt"]
    answered call_0_0 Done 0: Success. Updated the following files:⏎A a.txt⏎
    used 100 20
    called call_1_0 apply_patch = edit ["a.txt"]
    answered call_1_0 Failed -: apply_patch verification failed: Failed to find expected lines in /home/dev/w/a.txt:⏎nothing
    used 100 20
    called call_2_0 apply_patch = edit ["a.txt", "b.txt"]
    answered call_2_0 Done 0: Success. Updated the following files:⏎M b.txt⏎
    used 100 20
    called call_3_0 exec_command = run sleep 1; echo late; exit 4
    answered call_3_0 Background -: 
    used 100 20
    called call_4_0 write_stdin = look
    answered call_4_0 Failed -: write_stdin failed: Unknown process id 1
    used 100 20
    called call_5_0 request_user_input = ask Which one?
    answered call_5_0 Failed -: request_user_input is unavailable in Default mode
    used 100 20
    called call_6_0 view_image = look
    answered call_6_0 Failed -: unable to locate image at `/home/dev/w/nope.png`: No such file or directory (os error 2)
    used 100 20
    said: Done.
    used 100 20
    stopped
    38 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn a_command_that_outlives_its_call_ends_once() {
    insta::assert_snapshot!(events("background"), @r"
    started 0.166.0 - /home/dev/w main - attended Some(false)
    fed by Agent: <skills_instructions>⏎## Skills⏎A skill is a set of local in⏎<permissions instructions>⏎Filesystem sandboxing …
    fed by Agent: <environment_context>⏎  <cwd>/home/dev/w</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-15</current_date>…
    started 0.166.0 stub-model /home/dev/w main - attended Some(false)
    human Prompt: wait for it
    called call_0_0 exec_command = run sleep 2; echo late; exit 4
    answered call_0_0 Background -: 
    used 100 20
    called call_1_0 write_stdin = look
    answered call_0_0 Failed 4: late⏎
    answered call_1_0 Failed 4: late⏎
    used 100 20
    said: Done.
    used 100 20
    stopped
    21 lines, 0 unknown, torn: false
    ");
}

#[test]
fn commands_inside_a_script_are_seen() {
    insta::assert_snapshot!(events("code-mode"), @r#"
    started 0.166.0 - /home/dev/w main - attended Some(false)
    fed by Agent: You are Codex, an agent based on GPT-6. You and the user sha
    fed by Agent: <skills_instructions>⏎## Skills⏎A skill is a set of local in⏎<permissions instructions>⏎Filesystem sandboxing …
    fed by Agent: <multi_agent_role>You are `/root`, the primary agent in a te
    fed by Agent: <multi_agent_mode>Any earlier instruction enabling proactive
    fed by Agent: <environment_context>⏎  <cwd>/home/dev/w</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-15</current_date>…
    started 0.166.0 gpt-6.1-sol /home/dev/w main - attended Some(false)
    human Prompt: make a.txt
    called call_0_0 exec = other
    called exec-2f802cd9-f9ec-44c0-b347-cc19fc670ff9 exec_command = run echo hi; exit 3
    answered exec-2f802cd9-f9ec-44c0-b347-cc19fc670ff9 Failed 3: hi⏎
    answered call_0_0 Failed -: Script failed⏎Wall time 0.1 seconds⏎Output:⏎⏎hi⏎⏎Script error:⏎TypeError: tools.update_plan is not a function⏎…
    used 100 20
    called call_1_0 exec = other
    called exec-81c792fa-25db-42c4-9e0d-be7899e523fa apply_patch = edit ["/home/dev/w/a.txt"]
    answered exec-81c792fa-25db-42c4-9e0d-be7899e523fa Done -: Success. Updated the following files:⏎A a.txt⏎
    answered call_1_0 Done -: Script completed⏎Wall time 0.0 seconds⏎Output:⏎⏎{}
    used 100 20
    said: Done.
    used 100 20
    stopped
    26 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn a_compaction_is_not_the_agents_words() {
    insta::assert_snapshot!(events("compaction"), @r"
    started 0.166.0 - /home/dev/w main - attended Some(false)
    fed by Agent: <skills_instructions>⏎## Skills⏎A skill is a set of local in⏎<permissions instructions>⏎Filesystem sandboxing …
    fed by Agent: <environment_context>⏎  <cwd>/home/dev/w</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-15</current_date>…
    started 0.166.0 gpt-5.5 /home/dev/w main - attended Some(false)
    human Prompt: make a.txt
    said: one
    called call_0_1 exec_command = run echo 1
    answered call_0_1 Done 0: 1⏎
    used 190000 20
    used 100 20
    compacted: Another language model started to solve this problem and produced a summary of its thinking process. You also …
    said: Done.
    used 100 20
    stopped
    28 lines, 0 unknown, torn: false
    ");
}

#[test]
fn a_sub_agent_is_delegated_to() {
    insta::assert_snapshot!(events("sub-agent"), @r#"
    started 0.166.0 - /home/dev/w main - attended Some(false)
    fed by Agent: <skills_instructions>⏎## Skills⏎A skill is a set of local in⏎<permissions instructions>⏎Filesystem sandboxing …
    fed by Agent: <environment_context>⏎  <cwd>/home/dev/w</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-15</current_date>…
    started 0.166.0 stub-model /home/dev/w main - attended Some(false)
    human Prompt: make a.txt
    called call_0_0 spawn_agent = delegate sub-count-files
    answered call_0_0 Done -: {"agent_id":"01a1df1c-bd0b-7d21-af87-2f43f4ae2754","nickname":"Godel"}
    used 100 20
    called call_1_0 wait_agent = look
    answered call_1_0 Failed -: invalid agent id x: Error(ParseChar { character: 'x', index: 1 })
    used 100 20
    said: Done.
    used 100 20
    stopped
    fed by Agent: <subagent_notification>⏎{"agent_path":"01a1df1c-bd0b-7d21-af87-2f43f4ae2754","status":{"completed":"three file…
    22 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn a_sub_agents_session_beside_its_parents_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let parent = folder.path().join("rollout-2026-11-15T12-09-24-01a1df1c-bc74-73a3-881d-7cbfb180742e.jsonl");
    let child = "rollout-2026-11-15T12-09-25-01a1df1c-bd0b-7d21-af87-2f43f4ae2754.jsonl";
    let text = std::fs::read_to_string(fixture("codex/sub-agent-child.jsonl")).unwrap();
    // The child also ran something, under a name that its parent's calls have too.
    let ran = r#"{"timestamp":"2026-11-15T12:09:25.080Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"cargo test\"}","call_id":"call_0_0"}}
{"timestamp":"2026-11-15T12:09:25.090Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_0_0","output":"Wall time: 0\nProcess exited with code 1\nOutput:\nred"}}
"#;
    std::fs::copy(fixture("codex/sub-agent.jsonl"), &parent).unwrap();
    std::fs::write(folder.path().join(child), text + ran).unwrap();
    let shown = show(&read(&found("codex", "s", parent)));
    let told: Vec<&str> = shown.lines().filter(|line| line.contains("call_0_0")).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    called call_0_0 spawn_agent = delegate sub-count-files
    answered call_0_0 Done -: {"agent_id":"01a1df1c-bd0b-7d21-af87-2f43f4ae2754","nickname":"Godel"}
    by the sub-agent of call_0_0: said: three files
    by the sub-agent of call_0_0: called call_0_0/call_0_0 exec_command = run cargo test
    by the sub-agent of call_0_0: answered call_0_0/call_0_0 Failed 1: red
    "#);
}

#[test]
fn an_interrupted_turn() {
    insta::assert_snapshot!(events("abort"), @r"
    started 0.166.0 - /home/dev/w main - attended Some(false)
    fed by Agent: <skills_instructions>⏎## Skills⏎A skill is a set of local in⏎<permissions instructions>⏎Filesystem sandboxing …
    fed by Agent: <environment_context>⏎  <cwd>/home/dev/w</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-15</current_date>…
    started 0.166.0 stub-model /home/dev/w main - attended Some(false)
    human Prompt: make a.txt
    called call_0_0 exec_command = run sleep 30
    answered call_0_0 Interrupted -: Wall time: 3.7 seconds⏎aborted by user
    used 100 20
    aborted
    aborted
    16 lines, 0 unknown, torn: false
    ");
}

#[test]
fn a_failed_turn() {
    insta::assert_snapshot!(events("api-error"), @r"
    started 0.166.0 - /home/dev/w main - attended Some(false)
    fed by Agent: <skills_instructions>⏎## Skills⏎A skill is a set of local in⏎<permissions instructions>⏎Filesystem sandboxing …
    fed by Agent: <environment_context>⏎  <cwd>/home/dev/w</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-15</current_date>…
    started 0.166.0 gpt-5.5 /home/dev/w main - attended Some(false)
    human Prompt: make a.txt
    failed: We’re currently experiencing high demand, which may cause temporary errors.
    10 lines, 0 unknown, torn: false
    ");
}

#[test]
fn older_versions_answer_in_json_and_say_nothing_of_who_spoke() {
    let text = r#"{"timestamp":"2025-10-01T10:00:00.000Z","type":"session_meta","payload":{"id":"x","cwd":"/w","originator":"codex_cli_rs","cli_version":"0.42.0","instructions":null,"source":"cli","git":{"branch":"main"}}}
{"timestamp":"2025-10-01T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<user_instructions>\nBe kind.\n</user_instructions>"}]}}
{"timestamp":"2025-10-01T10:00:02.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]}}
{"timestamp":"2025-10-01T10:00:02.000Z","type":"event_msg","payload":{"type":"user_message","message":"fix it","kind":"plain"}}
{"timestamp":"2025-10-01T10:00:03.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"cargo test\"]}","call_id":"c1"}}
{"timestamp":"2025-10-01T10:00:04.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"test a ... FAILED\",\"metadata\":{\"exit_code\":101,\"duration_seconds\":0.5}}"}}
{"timestamp":"2025-10-01T10:00:05.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":10,"output_tokens":2}}}}
{"timestamp":"2025-10-01T10:00:05.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":10,"output_tokens":2}}}}
{"timestamp":"2025-10-01T10:00:06.000Z","type":"event_msg","payload":{"type":"token_count","info":null}}
{"timestamp":"2025-10-01T10:00:07.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"All tests pass."}]}}
"#;
    insta::assert_snapshot!(show(&read_text("codex", text)), @r"
    started 0.42.0 - /w main - attended Some(true)
    fed by Agent: <user_instructions>⏎Be kind.⏎</user_instructions>
    human Prompt: fix it
    called c1 shell = run cargo test
    answered c1 Failed 101: test a ... FAILED
    used 10 2
    said: All tests pass.
    10 lines, 0 unknown, torn: false
    ");
}

#[test]
fn strange_files_are_read_as_far_as_they_go() {
    let known = r#"{"timestamp":"2026-11-15T10:00:00Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}}"#;
    let huge = known.replace("hi", &"x".repeat(3_000_000));
    for (text, count, lines, unknown, torn) in [
        (String::new(), 0, 0, 0, false),
        (format!("{known}\n"), 1, 1, 0, false),
        (format!("{known}\n{}", &known[..40]), 1, 2, 0, true),
        (format!("{known}\nnot json\n{known}\n"), 2, 3, 1, false),
        (format!("{{\"type\":\"dreamt\",\"payload\":{{}}}}\n{known}\n\n"), 1, 2, 1, false),
        (format!("[1,2]\n\u{0}\n{huge}\n"), 1, 3, 2, false),
    ] {
        let (events, reading) = read_text("codex", &text);
        assert_eq!(
            (events.len(), reading.lines, reading.unknown, reading.torn),
            (count, lines, unknown, torn)
        );
    }
}

#[test]
fn sessions_are_found_and_those_of_sub_agents_are_not_their_own() {
    let home = tempfile::tempdir().unwrap();
    let day = home.path().join(".codex/sessions/2026/11/15");
    std::fs::create_dir_all(&day).unwrap();
    for (fixture_name, id) in [("sub-agent", "01a1-parent"), ("sub-agent-child", "01a1-child")] {
        let name = format!("rollout-2026-11-15T12-09-24-{id}.jsonl");
        std::fs::copy(fixture(&format!("codex/{fixture_name}.jsonl")), day.join(name)).unwrap();
    }
    std::fs::write(day.join("notes.jsonl"), "").unwrap();
    let homes = Homes { home: home.path().into(), ..Homes::default() };
    let ids: Vec<String> =
        hansei_agents::sessions(&homes, Some("codex")).into_iter().map(|found| found.id).collect();
    assert_eq!(ids, ["01a1-parent"]);
}

#[cfg(feature = "transcripts")]
#[test]
fn compressed_rollouts_are_found_and_read_like_others() {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".codex/sessions/2026/11/01");
    std::fs::create_dir_all(&folder).unwrap();
    let put = |id: &str, fixture_name: &str| {
        let packed = compress_to_vec(
            std::fs::File::open(fixture(&format!("codex/{fixture_name}.jsonl"))).unwrap(),
            CompressionLevel::Fastest,
        );
        let file = folder.join(format!("rollout-2026-11-01T10-00-00-{id}.jsonl.zst"));
        std::fs::write(&file, packed).unwrap();
        file
    };
    put("01a1-parent", "sub-agent");
    put("01a1-child", "sub-agent-child");
    let torn = put("01a1-torn", "patches");
    let length = std::fs::metadata(&torn).unwrap().len();
    std::fs::File::options().write(true).open(&torn).unwrap().set_len(length - 40).unwrap();
    // Being compressed: the plain one is the one that counts.
    put("01a1-both", "patches");
    let plain = folder.join("rollout-2026-11-01T10-00-00-01a1-both.jsonl");
    std::fs::copy(fixture("codex/patches.jsonl"), &plain).unwrap();
    let homes = Homes { home: home.path().into(), ..Homes::default() };
    let mut all = hansei_agents::sessions(&homes, Some("codex"));
    all.sort_by(|a, b| a.id.cmp(&b.id));
    let ids: Vec<&str> = all.iter().map(|found| found.id.as_str()).collect();
    assert_eq!(ids, ["01a1-both", "01a1-parent", "01a1-torn"]);
    assert_eq!(all[0].file, plain);
    assert_eq!(show(&read(&all[1])), events("sub-agent"));
    let mut seen = 0;
    let cut = hansei_agents::read(&all[2], &mut |_| seen += 1);
    assert!(cut.is_err() && seen == 0, "a file that ends too early is not read as if it were whole");
}
