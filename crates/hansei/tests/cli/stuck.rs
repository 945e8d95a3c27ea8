//! `hansei stuck`: every edge of the flow from a silence to what is done about it, and every scenario of the table, through
//! the program. The last part is the hook that OpenCode's and Kilo's plugin asks.

use hansei_model_server::{ModelServer, Options};
use serde_json::{Value, json};

use crate::support::{Ran, World};

const TASK: &str = "Add a --json flag to the export command and run the tests";

/// A tool call with its answer; without one it still runs.
pub fn shell(id: &str, command: &str, answer: Option<(i32, &str)>) -> Vec<Value> {
    let arguments = json!({ "command": command }).to_string();
    let function = json!({ "name": "bash", "arguments": arguments });
    let call = json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": id, "type": "function", "function": function }] });
    let answer = answer.map(|(code, output)| {
        json!({ "role": "tool", "tool_call_id": id, "content": output, "extra": { "exit_code": code } })
    });
    [Some(call), answer].into_iter().flatten().collect()
}

/// A session: a request, what was done, and the last words.
pub fn session(request: &str, calls: Vec<Vec<Value>>, words: &str) -> Value {
    let mut messages = vec![json!({ "role": "user", "content": request })];
    messages.extend(calls.into_iter().flatten());
    if !words.is_empty() {
        messages.push(json!({ "role": "assistant", "content": words }));
    }
    json!({ "session": "s", "messages": messages })
}

fn edited() -> Vec<Value> {
    shell("e", "sed -i s/a/b/ src/export.rs", Some((0, "")))
}

fn asked(world: &World, session: &Value, flags: &[&str]) -> (i32, Value) {
    let arguments: Vec<&str> =
        ["stuck", "--format", "messages", "--json"].iter().chain(flags).copied().collect();
    let ran = Ran::of(world.hansei().args(&arguments), session.to_string().as_bytes());
    (ran.code, ran.json())
}

/// What is said of a session that has been silent for so many seconds: its reason, and whether it is nudged.
fn reason(session: &Value, idle: u64) -> (String, bool) {
    let (code, answer) = asked(&World::without_repository(), session, &["--idle-seconds", &idle.to_string()]);
    let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["stuck", "reason", "confidence", "shouldNudge", "nudgeMessage"], "{answer}");
    let stuck = answer["reason"] == "genuinely_stuck";
    assert_eq!(
        (&answer["stuck"], &answer["shouldNudge"], code),
        (&json!(stuck), &json!(stuck), i32::from(stuck)),
        "{answer}"
    );
    let message = answer["nudgeMessage"].as_str().unwrap();
    assert_eq!(message.starts_with("[Hansei]"), stuck, "{answer}");
    assert_eq!(message.is_empty(), !stuck, "{answer}");
    (answer["reason"].as_str().unwrap().to_owned(), answer["shouldNudge"] == true)
}

fn stopped_midway() -> Value {
    session(TASK, vec![edited()], "The flag is parsed. Next I will wire it into the writer and then run the")
}

#[test]
fn a_message_younger_than_30_seconds_is_not_stuck() {
    for idle in [0, 1, 29] {
        assert_ne!(reason(&stopped_midway(), idle).0, "genuinely_stuck", "{idle}");
    }
}

#[test]
fn a_message_of_30_seconds_or_more_is_evaluated() {
    for idle in [30, 31, 3600] {
        assert_eq!(reason(&stopped_midway(), idle), ("genuinely_stuck".into(), true), "{idle}");
    }
}

#[test]
fn genuinely_stuck_is_sent_a_message_to_continue() {
    let (_, answer) = asked(&World::without_repository(), &stopped_midway(), &["--idle-seconds", "60"]);
    let message = answer["nudgeMessage"].as_str().unwrap();
    assert!(message.contains("continue") && message.contains("--json flag"), "{message}");
}

#[test]
fn waiting_for_user_waits_for_the_response() {
    let waiting = session(TASK, vec![edited()], "Before I go on: should the output be pretty-printed?");
    assert_eq!(reason(&waiting, 600), ("waiting_for_user".into(), false));
}

#[test]
fn working_with_a_tool_that_runs_is_let_finish() {
    let working = session(TASK, vec![edited(), shell("t", "cargo test", None)], "");
    assert_eq!(reason(&working, 600), ("working".into(), false));
}

#[test]
fn complete_is_left_alone() {
    let green = shell("t", "cargo test", Some((0, "test result: ok. 4 passed; 0 failed; 0 ignored")));
    let done = session(TASK, vec![edited(), green], "Done: `--json` is there and all 4 tests pass.");
    assert_eq!(reason(&done, 600), ("complete".into(), false));
}

#[test]
fn scenario_npm_install_for_90_seconds_is_working() {
    let install = session("Set up the project", vec![shell("i", "npm install", None)], "");
    assert_eq!(reason(&install, 90), ("working".into(), false));
}

#[test]
fn scenario_which_database_is_waiting_for_user() {
    let looked = shell("l", "ls src", Some((0, "main.rs\n")));
    let asks = session("Add persistence", vec![looked], "Which database should I use, PostgreSQL or SQLite?");
    assert_eq!(reason(&asks, 120), ("waiting_for_user".into(), false));
}

#[test]
fn scenario_stopped_mid_sentence_is_genuinely_stuck() {
    let cut = session(TASK, vec![edited()], "I changed the parser so that the flag is read, and now the");
    assert_eq!(reason(&cut, 60), ("genuinely_stuck".into(), true));
}

#[test]
fn scenario_next_steps_but_stopped_is_genuinely_stuck() {
    for last in ["Document it", "Run the tests", "Add tests for it", "Push and check the run"] {
        let words = format!("The flag is parsed.\n\n## Next Steps\n- Wire it into the writer\n- {last}");
        let stopped = session(TASK, vec![edited()], &words);
        assert_eq!(reason(&stopped, 60), ("genuinely_stuck".into(), true), "{last}");
    }
}

#[test]
fn scenario_a_long_build_or_test_is_working() {
    for command in ["cargo build --release", "npm test", "docker build .", "pytest -x"] {
        let long = session(TASK, vec![edited(), shell("b", command, None)], "");
        assert_eq!(reason(&long, 1800), ("working".into(), false), "{command}");
    }
}

#[test]
fn a_rate_limit_that_is_waited_for_is_working() {
    let limited =
        session(TASK, vec![edited()], "The API answered 429 Too Many Requests; I will retry in 60 seconds.");
    assert_eq!(reason(&limited, 45), ("working".into(), false));
}

#[test]
fn a_loop_is_genuinely_stuck() {
    let again = |number: usize| {
        shell(&format!("c{number}"), "npm run build", Some((1, "error TS2304: Cannot find name 'foo'")))
    };
    let looped = session("Make the build pass", (0..8).map(again).collect(), "Let me try the build again.");
    assert_eq!(reason(&looped, 60), ("genuinely_stuck".into(), true));
}

#[test]
fn without_idle_seconds_the_last_timestamp_counts_and_without_one_it_is_long_enough() {
    let world = World::without_repository();
    let (_, answer) = asked(&world, &stopped_midway(), &[]);
    assert_eq!(answer["reason"], "genuinely_stuck", "no timestamp: {answer}");
    let dated = |at: &str| {
        let mut session = stopped_midway();
        for message in session["messages"].as_array_mut().unwrap() {
            message["timestamp"] = json!(at);
        }
        asked(&world, &session, &[]).1["stuck"].clone()
    };
    assert_eq!(dated("2020-01-01T00:00:00Z"), true, "long ago");
    assert_eq!(dated("2999-01-01T00:00:00Z"), false, "a moment ago, as far as this clock can tell");
}

#[test]
fn one_line_comes_out_for_each_that_goes_in_and_a_trajectory_is_read_too() {
    let world = World::without_repository();
    let waiting = session(TASK, vec![edited()], "Which format do you want?");
    let input = format!("{}\nnot json\n{waiting}\n", stopped_midway());
    let ran = Ran::of(world.hansei().args(["stuck", "--format", "messages", "--json"]), input.as_bytes());
    let answers: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((ran.code, answers.len()), (0, 3), "several exit 0");
    assert_eq!((&answers[0]["stuck"], &answers[2]["reason"]), (&json!(true), &json!("waiting_for_user")));
    assert!(answers[1]["error"].is_string());

    let step = |source: &str, message: &str| json!({ "step_id": 1, "source": source, "message": message });
    let trajectory = json!({ "schema_version": "ATIF-v1.6", "session_id": "t", "agent": { "name": "some", "version": "1" },
        "steps": [step("user", "Add persistence"), step("agent", "Which database should I use?")] });
    let ran =
        Ran::of(world.hansei().args(["stuck", "--idle-seconds", "60"]), trajectory.to_string().as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("t: waiting for you (confidence "), "{}", ran.stdout);

    for (arguments, code) in [
        (&["stuck", "--format", "other"][..], 2),
        (&["stuck", "--idle-seconds", "soon"], 2),
        (&["stuck", "/no/such/file"], 3),
        (&["stuck"], 2),
    ] {
        assert_eq!(world.run(arguments).code, code, "{arguments:?}");
    }
    let help = world.run(&["help", "--all"]).stdout;
    for command in ["  stuck ", "  nudge ", "  watch "] {
        assert!(help.contains(command), "{command}: {help}");
    }
}

#[test]
fn secrets_do_not_come_out_again() {
    let token = concat!("ghp_", "FAKEfakeFAKEfakeFAKEfakeFAKEfake0000");
    let asks = format!("Deploy with {token} and run the checks");
    let (_, answer) = asked(
        &World::without_repository(),
        &session(&asks, vec![edited()], "Deployed. Next I will run the checks."),
        &["--idle-seconds", "60"],
    );
    assert!(!answer.to_string().contains(token), "{answer}");
}

/// Where evidence leaves it open, and only there, the model that the user named is asked; the same within a minute once.
#[test]
fn a_fast_model_is_asked_where_evidence_is_open_and_not_twice_within_a_minute() {
    let opinion = json!({ "complete": false, "severity": "MEDIUM", "requires_human_action": false, "feedback": "x",
        "missing": ["the flag"], "next_actions": ["add it"], "confidence": 0.9 });
    let script = format!("steps:\n  - text: {}\n", json!(opinion.to_string()));
    let model = ModelServer::start(script.parse().unwrap(), Options::default()).unwrap();
    let world = World::without_repository();
    let folder = world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&folder).unwrap();
    let judge = format!("[judge]\nmodel = 'compatible/x'\nbase_url = '{}'\n", model.url());
    std::fs::write(folder.join("config.toml"), judge).unwrap();

    let (_, sure) = asked(&world, &stopped_midway(), &["--idle-seconds", "60"]);
    assert_eq!(sure["reason"], "genuinely_stuck");
    let open = session(
        "Add a --json flag to the export command, document it, and run `cargo test`",
        vec![edited()],
        "The flag is in.",
    );
    let without = asked(&World::without_repository(), &open, &["--idle-seconds", "60"]).1;
    assert_eq!(without["reason"], "complete", "evidence alone, and not sure of it: {without}");
    assert!(without["confidence"].as_f64().unwrap() < 0.8, "{without}");
    let with = asked(&world, &open, &["--idle-seconds", "60"]).1;
    assert_eq!((&with["reason"], &with["shouldNudge"]), (&json!("genuinely_stuck"), &json!(true)), "{with}");
    assert_eq!(asked(&world, &open, &["--idle-seconds", "60"]).1, with);
    assert_eq!(model.stop().len(), 1, "asked once, and never about what is sure");
}

/// What OpenCode's and Kilo's plugin sends along: a message of each, with its parts.
fn sent(messages: &Value) -> Value {
    let time = json!({ "created": 1_794_744_000_000_u64 });
    let mut all = Vec::new();
    for (number, message) in messages.as_array().unwrap().iter().enumerate() {
        let id = format!("msg_{number}");
        let mut part = message.clone();
        let role = part.as_object_mut().unwrap().shift_remove("role").unwrap();
        part["id"] = json!(format!("p{number}"));
        part["sessionID"] = json!("s1");
        part["messageID"] = json!(id);
        all.push(
            json!({ "info": { "id": id, "sessionID": "s1", "role": role, "time": time }, "parts": [part] }),
        );
    }
    json!(all)
}

fn midway() -> Value {
    let state = json!({ "status": "completed", "input": { "command": "sed -i s/a/b/ src/a.rs" }, "output": "", "metadata": { "exit": 0 } });
    sent(&json!([
        { "role": "user", "type": "text", "text": TASK },
        { "role": "assistant", "type": "tool", "tool": "bash", "callID": "c", "state": state },
        { "role": "assistant", "type": "text", "text": "The flag is parsed. Next I will wire it into the writer and then run the" },
    ]))
}

fn silence(world: &World, agent: &str, mode: &str, messages: &Value, fields: &Value) -> Value {
    let mut payload = json!({ "session_id": "s1", "cwd": world.repo, "hook_event_name": "silence", "attended": true,
        "idle_seconds": 31, "messages": messages });
    for (key, value) in fields.as_object().unwrap() {
        payload[key] = value.clone();
    }
    let ran = Ran::of(
        world.hansei().args(["hook", agent, "stuck", "--mode", mode]),
        payload.to_string().as_bytes(),
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    if ran.stdout.is_empty() { Value::Null } else { ran.json() }
}

fn kinds(world: &World) -> Vec<String> {
    world.log("s1").iter().map(|line| line["kind"].as_str().unwrap().to_owned()).collect()
}

/// A stop that is let go with something open says when to look again; one that is done or asks says nothing.
#[test]
fn a_stop_that_is_let_go_with_something_open_is_looked_at_again() {
    let asks = sent(&json!([
        { "role": "user", "type": "text", "text": TASK },
        { "role": "assistant", "type": "text", "text": "Which format do you want?" },
    ]));
    for (messages, mode, after) in [
        (&midway(), "solo", json!(30)),
        (&asks, "solo", Value::Null),
        (&midway(), "orchestrated", Value::Null),
    ] {
        let world = World::new();
        let payload =
            json!({ "session_id": "s1", "cwd": world.repo, "attended": true, "messages": messages });
        let ran = Ran::of(
            world.hansei().args(["hook", "opencode", "stop", "--mode", mode]),
            payload.to_string().as_bytes(),
        );
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        assert_eq!(answer["assess_after"], after, "{mode} {messages}: {answer}");
    }
}

#[test]
fn a_silence_is_answered_with_a_nudge_once_and_the_intent_is_on_record_first() {
    for agent in ["opencode", "kilo"] {
        let world = World::new();
        let answer = silence(&world, agent, "solo", &midway(), &json!({}));
        assert!(answer["nudge"].as_str().unwrap().starts_with("[Hansei]"), "{answer}");
        assert_eq!(kinds(&world), ["silence_seen", "nudged"]);
        assert_eq!(world.log("s1")[1]["text"], answer["nudge"], "what is told is what is recorded");
        assert_eq!(silence(&world, agent, "solo", &midway(), &json!({})), Value::Null, "once a silence");
        assert_eq!(kinds(&world).len(), 2);
    }
}

#[test]
fn a_nudge_comes_once_a_task_with_a_human_there_and_three_times_with_nobody() {
    for (attended, most) in [(true, 1), (false, 3)] {
        let world = World::new();
        let mut told = 0;
        for round in 0..6 {
            let mut messages = midway();
            let last = messages.as_array_mut().unwrap().last_mut().unwrap();
            last["parts"][0]["text"] =
                json!(format!("Part {round} is done. Next I will write part {} and then the", round + 1));
            let answer = silence(&world, "opencode", "solo", &messages, &json!({ "attended": attended }));
            told += usize::from(answer["nudge"].is_string());
        }
        assert_eq!(told, most, "attended: {attended}");
    }
}

#[test]
fn who_waits_works_was_aborted_or_is_only_observed_is_not_nudged() {
    let asks = sent(&json!([
        { "role": "user", "type": "text", "text": TASK },
        { "role": "assistant", "type": "text", "text": "Which format do you want?" },
    ]));
    for (name, mode, messages, more, before, reason, left) in [
        ("it asked", "solo", &asks, json!({}), None, "waiting_for_user", "not_due"),
        ("too recent", "solo", &midway(), json!({ "idle_seconds": 29 }), None, "working", "not_due"),
        ("aborted", "solo", &midway(), json!({}), Some("abort"), "genuinely_stuck", "held"),
        ("observed", "orchestrated", &midway(), json!({}), None, "genuinely_stuck", "observe_only"),
        (
            "plan mode",
            "solo",
            &midway(),
            json!({ "permission_mode": "plan" }),
            None,
            "genuinely_stuck",
            "held",
        ),
    ] {
        let world = World::new();
        if let Some(event) = before {
            let payload = json!({ "session_id": "s1", "cwd": world.repo }).to_string();
            Ran::of(world.hansei().args(["hook", "opencode", event, "--mode", "solo"]), payload.as_bytes());
        }
        assert_eq!(silence(&world, "opencode", mode, messages, &more), Value::Null, "{name}");
        let log = world.log("s1");
        let seen = log.iter().find(|line| line["kind"] == "silence_seen").unwrap();
        assert_eq!((&seen["reason"], &seen["left_alone"]), (&json!(reason), &json!(left)), "{name}");
        assert!(!log.iter().any(|line| line["kind"] == "nudged"), "{name}");
    }
    // A session that Hansei started itself is never looked at, and one that is turned off neither nudged.
    let world = World::new();
    let payload = json!({ "session_id": "s1", "cwd": world.repo, "idle_seconds": 60, "messages": midway() })
        .to_string();
    let mut command = world.hansei();
    command.args(["hook", "opencode", "stuck", "--mode", "solo"]).env("HANSEI_CHILD", "1");
    assert_eq!(Ran::of(&mut command, payload.as_bytes()).stdout, "");
    assert_eq!(world.run(&["off"]).code, 0);
    assert_eq!(silence(&world, "opencode", "solo", &midway(), &json!({})), Value::Null);
}

#[test]
fn the_users_own_setting_says_after_which_silence() {
    let world = World::new();
    let folder = world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "[stuck]\nafter_seconds = 2\n").unwrap();
    assert_eq!(silence(&world, "opencode", "solo", &midway(), &json!({ "idle_seconds": 1 })), Value::Null);
    let shown = world.run(&["config"]).stdout;
    assert!(shown.contains("stuck.after_seconds = 2"), "{shown}");
    let world = World::new();
    world.write("hansei.toml", "[stuck]\nafter_seconds = 2\n");
    let refused = world.run(&["config"]);
    assert!(refused.code == 2 && refused.stderr.contains("[stuck] (after_seconds)"), "{}", refused.stderr);
}
