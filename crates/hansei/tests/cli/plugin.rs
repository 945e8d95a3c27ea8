//! The plugin for OpenCode and Kilo, driven as those drive it.

use std::path::Path;

use serde_json::{Value, json};

use crate::install::Machine;
use crate::support::Ran;

/// Feeds a plugin the events that a line of JSON names, in order.
const DRIVER: &str = r#"
import { readFileSync } from "node:fs"
const { Hansei } = await import(process.argv[2])
const sent = []
const client = {
  session: {
    get: async ({ path }) => ({ data: path.id === "old-child" ? { parentID: "old" } : {} }),
    messages: async () => ({ data: JSON.parse(process.env.MESSAGES ?? "[]") }),
    promptAsync: async (prompt) => { sent.push(prompt) },
  },
  tui: { showToast: async () => {} },
}
const plugin = await Hansei({ client, directory: process.cwd() })
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { message, request, until, ...event } = JSON.parse(line)
  if (request) {
    const output = { messages: request }
    await plugin["experimental.chat.messages.transform"]({}, output)
    sent.push({ request: output.messages })
  } else if (until) while (sent.length < until) await new Promise((go) => setTimeout(go, 20))
  else if (message) await plugin["chat.message"]({ sessionID: message.id }, { parts: message.parts, message: message.message })
  else await plugin.event({ event })
}
console.log(JSON.stringify(sent))
"#;

fn node() -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("node")).find(|file| file.is_file())
}

/// Drives the plugin, which must come through unharmed. Gives the prompts that it sent.
fn drive(machine: &Machine, plugin: &Path, events: &[&str]) -> Value {
    drive_with(machine, plugin, events, |_| ())
}

fn drive_with(
    machine: &Machine,
    plugin: &Path,
    events: &[&str],
    change: impl FnOnce(&mut std::process::Command),
) -> Value {
    // Without a package.json around it, node takes only this ending for a module.
    let module = machine.world.outside().join("plugin.mjs");
    std::fs::copy(plugin, &module).unwrap();
    let driver = machine.world.outside().join("driver.mjs");
    std::fs::write(&driver, DRIVER).unwrap();
    let mut command = machine.command(node().expect("node is there, as for the schemas"));
    command.arg(driver).arg(module);
    change(&mut command);
    let ran = Ran::of(&mut command, events.join("\n").as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.json()
}

fn kinds(machine: &Machine, session: &str) -> Vec<String> {
    let of = |line: serde_json::Value| line["event"].as_str().or(line["kind"].as_str()).unwrap().to_owned();
    machine.world.log(session).into_iter().map(of).collect()
}

const SESSION: [&str; 12] = [
    r#"{"type":"session.created","properties":{"info":{"id":"s1"}}}"#,
    r#"{"message":{"id":"s1","parts":[{"type":"text","text":"do it"}]}}"#,
    r#"{"message":{"id":"s1","parts":[{"type":"text","text":"go on","synthetic":true}]}}"#,
    r#"{"type":"session.created","properties":{"info":{"id":"child","parentID":"s1"}}}"#,
    r#"{"message":{"id":"child","parts":[{"type":"text","text":"help"}]}}"#,
    r#"{"type":"session.idle","properties":{"sessionID":"child"}}"#,
    r#"{"type":"session.compacted","properties":{"sessionID":"s1"}}"#,
    r#"{"type":"message.part.updated","properties":{"part":{"sessionID":"s1","type":"text","text":"Done."}}}"#,
    r#"{"type":"session.idle","properties":{"sessionID":"s1"}}"#,
    r#"{"message":{"id":"s1","parts":[{"type":"text","text":"again"}]}}"#,
    r#"{"type":"session.error","properties":{"sessionID":"s1","error":{"name":"MessageAbortedError"}}}"#,
    r#"{"type":"session.idle","properties":{"sessionID":"s1"}}"#,
];

#[test]
fn a_session_is_told_in_order() {
    for agent in ["opencode", "kilo"] {
        let machine = Machine::new();
        machine.fine(&["install", agent]);
        drive(&machine, &machine.home(&format!(".config/{agent}/plugin/hansei.js")), &SESSION);
        assert_eq!(
            kinds(&machine, "s1"),
            [
                "session_started", "task_started", "subagent-stop", "compact", "capture_started", "captured",
                "judging_started", "skipped", "task_started", "abort"
            ]
        );
        assert_eq!(machine.world.last().agent, agent);
    }
}

#[test]
fn a_session_from_before_is_asked_for_and_odd_events_do_no_harm() {
    let machine = Machine::new();
    machine.fine(&["install", "opencode", "--scope", "project"]);
    let odd = [
        r#"{"type":"session.idle","properties":{"sessionID":"old-child"}}"#,
        r#"{"type":"session.idle","properties":{"sessionID":"old"}}"#,
        r#"{"type":"message.updated","properties":{"info":{"role":"assistant","sessionID":"old","error":{}}}}"#,
        r#"{"type":"session.idle","properties":{"sessionID":"old"}}"#,
        r#"{"type":"session.idle"}"#,
        r#"{"type":"session.error","properties":{}}"#,
        r#"{"type":"toString","properties":{"sessionID":"old"}}"#,
        r#"{"message":{"id":"old"}}"#,
    ];
    drive(&machine, &machine.world.path(".opencode/plugin/hansei.js"), &odd);
    let told = ["subagent-stop", "capture_started", "captured", "judging_started", "skipped"];
    assert_eq!(kinds(&machine, "old"), told, "a session without messages is nobody's");
}

#[test]
fn without_the_program_nothing_happens() {
    let machine = Machine::new();
    machine.fine(&["install", "kilo", "--scope", "project"]);
    std::fs::remove_file(machine.bin().join("hansei")).unwrap();
    drive(&machine, &machine.world.path(".kilo/plugin/hansei.js"), &SESSION);
    assert!(!machine.world.path(".hansei/log").exists());
}

/// A session that stops with a failing test and a false word, as the agent's server gives it out.
fn red_session() -> Value {
    let output =
        "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
    let state = json!({ "status": "completed", "input": { "command": "cargo test" }, "output": output, "metadata": { "exit": 101, "output": "x" } });
    let time = json!({ "created": 1_794_744_000_000_u64 });
    let model = json!({ "providerID": "p", "modelID": "m" });
    json!([
        { "info": { "id": "msg_1", "sessionID": "s1", "role": "user", "time": time, "agent": "build", "model": model },
          "parts": [{ "id": "p1", "sessionID": "s1", "messageID": "msg_1", "type": "text", "text": "make `cargo test` pass" }] },
        { "info": { "id": "msg_2", "sessionID": "s1", "role": "assistant", "time": time },
          "parts": [
            { "id": "p2", "sessionID": "s1", "messageID": "msg_2", "type": "tool", "tool": "bash", "callID": "c", "state": state },
            { "id": "p3", "sessionID": "s1", "messageID": "msg_2", "type": "text", "text": "All tests pass." }] },
    ])
}

/// The same as the events by which it came about.
fn events_of(session: &Value) -> Vec<String> {
    let mut events =
        vec![json!({ "type": "session.created", "properties": { "info": { "id": "s1" } } }).to_string()];
    for message in session.as_array().unwrap() {
        let (info, parts) = (&message["info"], message["parts"].as_array().unwrap());
        if info["role"] == "user" {
            events.push(json!({ "message": { "id": "s1", "parts": parts, "message": info } }).to_string());
        }
        events.push(json!({ "type": "message.updated", "properties": { "info": info } }).to_string());
        events.extend(parts.iter().map(|part| {
            json!({ "type": "message.part.updated", "properties": { "part": part } }).to_string()
        }));
    }
    events
}

fn finish(reason: &str) -> String {
    let part = json!({ "id": "p4", "sessionID": "s1", "messageID": "msg_2", "type": "step-finish", "reason": reason });
    json!({ "type": "message.part.updated", "properties": { "part": part } }).to_string()
}

const IDLE: &str = r#"{"type":"session.idle","properties":{"sessionID":"s1"}}"#;

fn sends_back_once(agent: &str, words: &[&str], steps: &[&str]) {
    let machine = Machine::new();
    machine.fine(&["install", agent]);
    let session = red_session();
    let mut events = events_of(&session);
    events.extend(steps.iter().map(|step| (*step).to_owned()));
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let plugin = machine.home(&format!(".config/{agent}/plugin/hansei.js"));
    let sent = drive_with(&machine, &plugin, &events, |command| {
        command.args(words).env("MESSAGES", session.to_string());
    });
    assert_eq!(
        sent.as_array().map(Vec::len),
        Some(1),
        "{agent} {words:?}: {sent} {:?}",
        kinds(&machine, "s1")
    );
    let body = &sent[0]["body"];
    assert_eq!(sent[0]["path"]["id"], "s1");
    assert_eq!((&body["agent"], &body["model"]["modelID"]), (&json!("build"), &json!("m")));
    assert_eq!(body["parts"][0]["synthetic"], true);
    assert!(body["parts"][0]["text"].as_str().unwrap().starts_with("[Hansei]"), "{body}");
    let told = kinds(&machine, "s1").into_iter().filter(|kind| kind == "captured").count();
    assert_eq!(told, 1, "one stop is told once");
}

#[test]
fn a_false_done_is_answered_when_the_session_is_idle() {
    for (agent, words) in [("opencode", &["serve"][..]), ("kilo", &["serve"]), ("kilo", &["run"])] {
        sends_back_once(agent, words, &[&finish("stop"), IDLE, IDLE]);
    }
}

#[test]
fn a_false_done_of_opencode_run_is_answered_when_the_last_step_finishes() {
    // At idle its process ends; and a step that calls a tool is not the last.
    sends_back_once("opencode", &["run"], &[&finish("tool-calls"), &finish("stop"), IDLE]);
}

/// The red session, cut off in the middle of its work instead: nothing that a human at the terminal is interrupted for.
fn session_cut_off() -> Value {
    let mut session = red_session();
    let state = json!({ "status": "completed", "input": { "command": "sed -i s/a/b/ src/a.rs" }, "output": "", "metadata": { "exit": 0 } });
    session[0]["parts"][0]["text"] = json!("Add a --json flag and document it");
    session[1]["parts"][0]["state"] = state;
    session[1]["parts"][1]["text"] = json!("The flag is parsed. Next I will document it and then run the");
    session
}

fn installed_for_silence(agent: &str, after: u32) -> (Machine, std::path::PathBuf) {
    let machine = Machine::new();
    machine.fine(&["install", agent]);
    let config = machine.home(".config/hansei/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(config, format!("[stuck]\nafter_seconds = {after}\n")).unwrap();
    let plugin = machine.home(&format!(".config/{agent}/plugin/hansei.js"));
    (machine, plugin)
}

#[test]
fn a_silence_is_broken_once_where_the_process_lives_on() {
    for agent in ["opencode", "kilo"] {
        let (machine, plugin) = installed_for_silence(agent, 1);
        let session = session_cut_off();
        let mut events = events_of(&session);
        events.push(finish("stop"));
        events.extend([IDLE.to_owned(), r#"{"until":1}"#.to_owned()]);
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let sent = drive_with(&machine, &plugin, &events, |command| {
            command.arg("serve").env("MESSAGES", session.to_string());
        });
        let text = sent[0]["body"]["parts"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("[Hansei]") && sent.as_array().unwrap().len() == 1, "{sent}");
        let told = kinds(&machine, "s1");
        assert_eq!(told[told.len() - 3..], ["let_go", "silence_seen", "nudged"], "{told:?}");
    }
}

#[test]
fn in_run_and_in_observe_mode_no_silence_is_listened_to() {
    for (words, mode) in [("run", "--act"), ("serve", "--observe")] {
        let (machine, plugin) = installed_for_silence("opencode", 1);
        machine.fine(&["install", "opencode", mode]);
        let session = session_cut_off();
        let mut events = events_of(&session);
        events.extend([finish("stop"), IDLE.to_owned()]);
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        // A timer would keep nothing alive, but it would be asked for in the reply.
        let sent = drive_with(&machine, &plugin, &events, |command| {
            command.arg(words).env("MESSAGES", session.to_string());
        });
        let told = kinds(&machine, "s1");
        assert!(
            told.contains(&"judged".to_owned()) && !told.contains(&"silence_seen".to_owned()),
            "{told:?}"
        );
        if mode == "--observe" {
            assert_eq!(sent, json!([]));
        }
    }
}

#[test]
fn the_word_after_a_compaction_goes_with_the_next_request_alone() {
    for (agent, words) in [("opencode", "serve"), ("opencode", "run"), ("kilo", "serve"), ("kilo", "run")] {
        let (machine, plugin) = installed_for_silence(agent, 30);
        let session = session_cut_off();
        let mut events = events_of(&session);
        events.push(r#"{"type":"session.compacted","properties":{"sessionID":"s1"}}"#.to_owned());
        let user = &session[0];
        let request = json!({ "request": [user, { "info": { "id": "msg_9", "sessionID": "s1", "role": "user" }, "parts": [] }] });
        events.extend([request.to_string(), request.to_string()]);
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let sent = drive_with(&machine, &plugin, &events, |command| {
            command.arg(words).env("MESSAGES", session.to_string());
        });
        let part = &sent[0]["request"][1]["parts"][0];
        let text = part["text"].as_str().unwrap_or_else(|| panic!("{agent} {words}: {sent}"));
        assert!(
            text.starts_with("[Hansei] The context was compacted") && part["synthetic"] == true,
            "{part}"
        );
        assert_eq!(sent[0]["request"][0], *user, "what the human said is as it was");
        assert_eq!(sent[1]["request"][1]["parts"], json!([]), "once");
        let told = kinds(&machine, "s1");
        assert_eq!(told[told.len() - 3..], ["compact", "compaction_seen", "nudged"], "{told:?}");
    }
}
