//! `hansei nudge`: every edge of the flow after a compaction, every row of the table of actions, and every pattern by which
//! work on GitHub is known, through the program. The last part is what each agent's hook answers.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::stuck::{session, shell};
use crate::support::{Ran, World};

const TASK: &str = "Add a --json flag to the export command and run the tests";

fn edited() -> Vec<Value> {
    shell("e", "sed -i s/a/b/ src/export.rs", Some((0, "")))
}

fn nudge(session: &Value) -> Value {
    let world = World::without_repository();
    let ran = Ran::of(
        world.hansei().args(["nudge", "--format", "messages", "--json"]),
        session.to_string().as_bytes(),
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let answer = ran.json();
    let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["action", "hasActiveGitWork", "confidence", "nudgeMessage"], "{answer}");
    answer
}

#[test]
fn needs_github_update_prompts_to_update_with_gh_pr_comment() {
    let commented = shell("g", "gh pr comment 34 --body 'work in progress'", Some((0, "")));
    let answer = nudge(&session(
        "Work on PR #34",
        vec![edited(), commented],
        "I am half-way through the review notes.",
    ));
    assert_eq!(
        (&answer["action"], &answer["hasActiveGitWork"]),
        (&json!("needs_github_update"), &json!(true))
    );
    let message = answer["nudgeMessage"].as_str().unwrap();
    assert!(message.contains("PR #34") && message.contains("gh pr comment 34"), "{message}");
}

#[test]
fn continue_task_reminds_of_the_current_work() {
    let answer =
        nudge(&session(TASK, vec![edited()], "The flag is parsed. Next I will wire it into the writer."));
    assert_eq!(
        (&answer["action"], &answer["hasActiveGitWork"]),
        (&json!("continue_task"), &json!(false)),
        "{answer}"
    );
    let message = answer["nudgeMessage"].as_str().unwrap();
    assert!(message.contains("--json flag") && message.contains("wire it into the writer"), "{message}");
}

#[test]
fn needs_clarification_asks_to_summarize_the_state() {
    let answer = nudge(&session(
        "Please continue",
        vec![],
        "I no longer have the earlier context, and I am not sure what the task was.",
    ));
    assert_eq!(answer["action"], "needs_clarification", "{answer}");
    let message = answer["nudgeMessage"].as_str().unwrap();
    assert!(message.contains("summarize the state") && message.contains("what is next"), "{message}");
}

#[test]
fn task_complete_skips_the_nudge() {
    let green = shell("t", "cargo test", Some((0, "test result: ok. 4 passed; 0 failed; 0 ignored")));
    let answer =
        nudge(&session(TASK, vec![edited(), green], "Done: `--json` is there and all 4 tests pass."));
    assert_eq!(
        (&answer["action"], &answer["nudgeMessage"]),
        (&json!("task_complete"), &json!("")),
        "{answer}"
    );
}

#[test]
fn github_work_is_known_by_each_tool_pattern() {
    for command in [
        "gh pr create --fill",
        "gh pr comment 34 --body x",
        "gh issue create --title x",
        "gh issue comment 42 --body x",
        "git commit -m 'export: json'",
        "git push -u origin export",
        "git branch export",
    ] {
        let ran = shell("g", command, Some((0, "")));
        let answer = nudge(&session(TASK, vec![edited(), ran], "Next I will wire it into the writer."));
        assert_eq!(answer["hasActiveGitWork"], true, "{command}: {answer}");
    }
    for command in ["git status", "git log --oneline", "cargo test"] {
        let ran = shell("g", command, Some((0, "")));
        let answer = nudge(&session(TASK, vec![edited(), ran], "Next I will wire it into the writer."));
        assert_eq!(answer["hasActiveGitWork"], false, "{command}: {answer}");
    }
}

#[test]
fn github_work_is_known_by_each_text_reference() {
    for text in ["#123", "PR #34", "PR34", "issue #42", "the pull request"] {
        let asked = format!("Add the --json flag as {text} wants it, and run the tests");
        let answer = nudge(&session(
            &asked,
            vec![edited()],
            "The flag is parsed. Next I will wire it into the writer.",
        ));
        assert_eq!(answer["hasActiveGitWork"], true, "{text}: {answer}");
    }
}

/// Issues are updated as issues, whoever named them; what only looks like one is not updated.
#[test]
fn what_others_follow_is_updated_by_its_own_command() {
    let created = "https://github.com/o/r/issues/57\n";
    let next = "The flag is parsed. Next I will wire it into the writer.";
    for (asked, command, printed, said, update) in [
        (TASK, "gh issue create --title x --body y", created, next, "issue #57 with `gh issue comment 57`"),
        (TASK, "gh issue create --web", "", next, "the issue with `gh issue comment`"),
        (TASK, "gh issue comment 42 --body x", "", next, "issue #42 with `gh issue comment 42`"),
        ("Add --json as issue #42 wants it", "cargo test", "", next, "issue #42 with `gh issue comment 42`"),
        ("Add --json, see #123", "cargo test", "", next, "issue #123 with `gh issue comment 123`"),
        ("Add --json as PR34 wants it", "cargo test", "", next, "PR #34 with `gh pr comment 34`"),
        (TASK, "git commit -m 'Half of #42'", "", next, "issue #42 with `gh issue comment 42`"),
        (TASK, "cargo test", "", "Half of issue #42 is done. Next comes the writer.", "issue #42 with"),
        (TASK, "gh issue view 123456", "", next, "issue #123456 with `gh issue comment 123456`"),
        ("Set the background to #123456", "cargo test", "", next, ""),
        ("Do step #3 of the plan", "cargo test", "", next, ""),
    ] {
        let ran = shell("g", command, Some((0, printed)));
        let answer = nudge(&session(asked, vec![edited(), ran], said));
        let message = answer["nudgeMessage"].as_str().unwrap();
        assert_eq!(
            answer["action"] == "needs_github_update",
            !update.is_empty(),
            "{asked} {command}: {answer}"
        );
        assert!(
            message.contains(&format!("Update {update}")) || update.is_empty(),
            "{asked} {command}: {message}"
        );
        assert_eq!(answer["hasActiveGitWork"], !update.is_empty(), "{asked} {command}: {answer}");
    }
}

#[test]
fn lines_in_lines_out_and_wrong_use() {
    let world = World::without_repository();
    let one = session(TASK, vec![edited()], "Next I will wire it into the writer.");
    let input = format!("{one}\nnot json\n{one}\n");
    let ran = Ran::of(world.hansei().args(["nudge", "--format", "messages", "--json"]), input.as_bytes());
    let answers: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((ran.code, answers.len()), (0, 3));
    assert!(answers[1]["error"].is_string() && answers[2]["action"] == "continue_task", "{answers:#?}");
    let words = Ran::of(world.hansei().args(["nudge", "--format", "messages"]), one.to_string().as_bytes());
    assert!(words.stdout.starts_with("s: continue task (confidence "), "{}", words.stdout);
    assert_eq!((world.run(&["nudge"]).code, world.run(&["nudge", "--format", "x"]).code), (2, 2));
}

const SESSION: &str = "4322b69d-edac-4fcb-8b8a-018644b82ef2";

/// A transcript of the agent in its own folder, about an edit that is not finished.
fn transcript(world: &World, agent: &str) -> PathBuf {
    let home = world.outside().join("home");
    let words = "The flag is parsed. Next I will wire it into the writer.";
    let at = "2026-11-15T10:00:00.000Z";
    let (file, lines) = if agent == "claude-code" {
        let line = |id: &str, kind: &str, content: Value| {
            json!({ "type": kind, "uuid": id, "timestamp": at, "sessionId": SESSION, "version": "2.1.325",
                    "message": { "id": id, "role": kind, "content": content } })
        };
        let call = json!([{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "sed -i s/a/b/ src/a.rs" } }]);
        let result = json!([{ "type": "tool_result", "tool_use_id": "t", "content": "" }]);
        let said = json!([{ "type": "text", "text": words }]);
        let lines = vec![
            line("h", "user", json!(TASK)),
            line("a", "assistant", call),
            line("r", "user", result),
            line("b", "assistant", said),
        ];
        (home.join(format!(".claude/projects/p/{SESSION}.jsonl")), lines)
    } else {
        let line = |kind: &str, payload: Value| json!({ "timestamp": at, "type": kind, "payload": payload });
        let message = |role: &str, kind: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] });
        let lines = vec![
            line(
                "session_meta",
                json!({ "id": SESSION, "cwd": "/w", "cli_version": "0.166.0", "source": "cli" }),
            ),
            line("response_item", message("user", "input_text", TASK)),
            line("response_item", message("assistant", "output_text", words)),
        ];
        (home.join(format!(".codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-{SESSION}.jsonl")), lines)
    };
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    std::fs::write(&file, text.join("\n") + "\n").unwrap();
    file
}

fn hook(world: &World, agent: &str, event: &str, mode: &str, fields: &Value) -> String {
    let mut payload = json!({ "session_id": SESSION, "cwd": world.repo });
    for (key, value) in fields.as_object().unwrap() {
        payload[key] = value.clone();
    }
    let ran =
        Ran::of(world.hansei().args(["hook", agent, event, "--mode", mode]), payload.to_string().as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    ran.stdout
}

fn kinds(world: &World) -> Vec<String> {
    let kind = |line: &Value| line["event"].as_str().or(line["kind"].as_str()).unwrap().to_owned();
    world.log(SESSION).iter().map(kind).collect()
}

#[test]
fn claude_code_and_codex_take_the_nudge_when_the_session_starts_again_once_a_compaction() {
    for agent in ["claude-code", "codex"] {
        let world = World::new();
        let file = transcript(&world, agent);
        let start = json!({ "transcript_path": file, "source": "compact" });
        let mut told = Vec::new();
        for _ in 0..2 {
            hook(&world, agent, "compact", "solo", &json!({ "transcript_path": file, "trigger": "auto" }));
            told.push(hook(&world, agent, "session-start", "solo", &start));
            // Hooks that are installed twice call twice.
            assert_eq!(
                hook(&world, agent, "session-start", "solo", &start),
                "",
                "{agent}: once a compaction"
            );
        }
        for answer in &told {
            let answer: Value =
                serde_json::from_str(answer).unwrap_or_else(|error| panic!("{agent}: {error}: {answer:?}"));
            let output = &answer["hookSpecificOutput"];
            assert_eq!(output["hookEventName"], "SessionStart", "{answer}");
            let text = output["additionalContext"].as_str().unwrap();
            assert!(text.starts_with("[Hansei]") && text.contains("--json flag"), "{text}");
        }
        let once = ["compact", "session_started", "compaction_seen", "nudged", "session_started"];
        assert_eq!(kinds(&world), [once, once].concat(), "{agent}");
        for source in ["startup", "resume", "clear"] {
            let start = json!({ "transcript_path": file, "source": source });
            assert_eq!(hook(&world, agent, "session-start", "solo", &start), "", "{agent} {source}");
        }
    }
}

#[test]
fn in_orchestrated_mode_and_when_turned_off_nothing_reaches_the_agent() {
    for mode in ["orchestrated", "solo"] {
        let world = World::new();
        if mode == "solo" {
            assert_eq!(world.run(&["off"]).code, 0);
        }
        let file = transcript(&world, "claude-code");
        hook(&world, "claude-code", "compact", mode, &json!({ "transcript_path": file }));
        let start = json!({ "transcript_path": file, "source": "compact" });
        assert_eq!(hook(&world, "claude-code", "session-start", mode, &start), "", "{mode}");
        let log = world.log(SESSION);
        let seen = log.iter().find(|line| line["kind"] == "compaction_seen").unwrap();
        let why = if mode == "solo" { "turned_off" } else { "observe_only" };
        assert_eq!((&seen["action"], &seen["left_alone"]), (&json!("continue_task"), &json!(why)));
        assert!(!log.iter().any(|line| line["kind"] == "nudged"));
    }
}

#[test]
fn the_plugin_of_opencode_and_kilo_takes_the_nudge_with_the_report() {
    let time = json!({ "created": 1_794_744_000_000_u64 });
    let message = |id: &str, role: &str, part: Value| {
        let mut part = part;
        part["id"] = json!(format!("p{id}"));
        json!({ "info": { "id": id, "sessionID": SESSION, "role": role, "time": time }, "parts": [part] })
    };
    let said = |text: &str| {
        json!([
            message("msg_1", "user", json!({ "type": "text", "text": TASK })),
            message("msg_2", "assistant", json!({ "type": "text", "text": text })),
            message("msg_3", "user", json!({ "type": "compaction", "auto": true })),
        ])
    };
    for agent in ["opencode", "kilo"] {
        let world = World::new();
        let more = json!({ "messages": said("The flag is parsed. Next I will wire it into the writer.") });
        let answer: Value = serde_json::from_str(&hook(&world, agent, "compact", "solo", &more)).unwrap();
        assert!(answer["nudge"].as_str().unwrap().contains("--json flag"), "{answer}");
        assert_eq!(hook(&world, agent, "compact", "solo", &more), "", "{agent}: the same compaction");
        assert_eq!(kinds(&world), ["compact", "compaction_seen", "nudged", "compact"], "{agent}");
    }
}

#[test]
fn after_a_finished_task_there_is_a_toast_and_no_nudge() {
    let world = World::new();
    let time = json!({ "created": 1_794_744_000_000_u64 });
    let output = "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
    let state = json!({ "status": "completed", "input": { "command": "cargo test" }, "output": output, "metadata": { "exit": 0 } });
    let message = |id: &str, role: &str, parts: Value| json!({ "info": { "id": id, "sessionID": SESSION, "role": role, "time": time }, "parts": parts });
    let messages = json!([
        message("msg_1", "user", json!([{ "id": "p1", "type": "text", "text": "make `cargo test` pass" }])),
        message(
            "msg_2",
            "assistant",
            json!([
                { "id": "p2", "type": "tool", "tool": "bash", "callID": "c", "state": state },
                { "id": "p3", "type": "text", "text": "Done, all 4 tests pass." },
            ])
        ),
    ]);
    let answer: Value =
        serde_json::from_str(&hook(&world, "opencode", "compact", "solo", &json!({ "messages": messages })))
            .unwrap();
    assert_eq!(answer, json!({ "nudge": null, "notice": "Task complete" }));
    assert_eq!(kinds(&world), ["compact", "compaction_seen"]);
}

#[test]
fn gemini_reports_no_compaction_and_is_told_nothing() {
    let world = World::new();
    let start = json!({ "source": "compact" });
    assert_eq!(hook(&world, "gemini", "session-start", "solo", &start), "");
    assert_eq!(kinds(&world), ["session_started"]);
}
