//! The plugin for OpenCode and Kilo, driven as those drive it.

use std::path::Path;

use crate::install::Machine;
use crate::support::Ran;

/// Feeds a plugin the events that a line of JSON names, in order.
const DRIVER: &str = r#"
import { readFileSync } from "node:fs"
const { Hansei } = await import(process.argv[2])
const client = { session: { get: async ({ path }) => ({ data: path.id === "old-child" ? { parentID: "old" } : {} }) } }
const plugin = await Hansei({ client, directory: process.cwd() })
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { message, ...event } = JSON.parse(line)
  if (message) await plugin["chat.message"]({ sessionID: message.id }, { parts: message.parts })
  else await plugin.event({ event })
}
console.log("unharmed")
"#;

fn node() -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("node")).find(|file| file.is_file())
}

fn drive(machine: &Machine, plugin: &Path, events: &[&str]) {
    // Without a package.json around it, node takes only this ending for a module.
    let module = machine.world.outside().join("plugin.mjs");
    std::fs::copy(plugin, &module).unwrap();
    let driver = machine.world.outside().join("driver.mjs");
    std::fs::write(&driver, DRIVER).unwrap();
    let mut command = machine.command(node().expect("node is there, as for the schemas"));
    let ran = Ran::of(command.arg(driver).arg(module), events.join("\n").as_bytes());
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "unharmed\n"), "{}", ran.stderr);
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
                "session_started",
                "task_started",
                "subagent-stop",
                "compact",
                "capture_started",
                "captured",
                "task_started",
                "abort"
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
    assert_eq!(kinds(&machine, "old"), ["subagent-stop", "capture_started", "captured"]);
}

#[test]
fn without_the_program_nothing_happens() {
    let machine = Machine::new();
    machine.fine(&["install", "kilo", "--scope", "project"]);
    std::fs::remove_file(machine.bin().join("hansei")).unwrap();
    drive(&machine, &machine.world.path(".kilo/plugin/hansei.js"), &SESSION);
    assert!(!machine.world.path(".hansei/log").exists());
}
