//! Another agent as the one who works, played by a script: how it may fail, and what is left of it then.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::Duration;

use crate::run_support::{Beside, Told};
use crate::support::{Ran, World};

const DONE: &str = r#"echo '{"type":"result","is_error":false,"result":"Done."}'"#;

/// A project that a script verifies, and an agent that is this script.
fn world(agent: &str) -> World {
    let world = World::new();
    world.write(
        "package.json",
        r#"{ "name": "x", "version": "1.0.0", "scripts": { "test": "node test.js" } }"#,
    );
    world.write("test.js", "process.exit(require('fs').existsSync('done.txt') ? 0 : 1);\n");
    world.commit("What proves it");
    let bin = world.outside().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let file = bin.join("claude");
    std::fs::write(&file, format!("#!/bin/sh\n{agent}\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    world
}

fn command(world: &World, arguments: &[&str]) -> Command {
    let mut command = world.hansei();
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", world.outside().join("bin").display()));
    command.args(["run", "--json", "--agent", "claude-code"]).args(arguments).arg("make done.txt");
    command
}

/// Whether a process with this mark is running.
fn is_running(mark: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).contains(mark))
}

#[test]
fn another_agent_is_prompted_verified_and_prompted_again_in_a_clean_session() {
    // It works only when it is told that it failed; every prompt it hears is kept.
    let agent = format!(
        "for last; do :; done\nprintf '%s\\n----\\n' \"$last\" >> ../prompts\ncase \"$last\" in *'Now do it differently'*) touch done.txt;; esac\n{DONE}"
    );
    let world = world(&agent);
    let told = Told::of(&mut command(&world, &[]));
    assert_eq!(told.ending(), "complete", "{:?}", told.kinds());
    assert_eq!(told.count("spec_review_request"), 0, "no Spec unless it is asked for");
    assert_eq!(told.last()["reflections"], 1);
    let prompts = std::fs::read_to_string(world.outside().join("prompts")).unwrap();
    let prompts: Vec<&str> = prompts.split("----\n").collect();
    assert_eq!(prompts.len(), 4, "work, reflect, work, and the end of the text");
    assert!(
        prompts.iter().take(3).all(|prompt| prompt.starts_with("make done.txt")),
        "each stands by itself"
    );
    assert!(!prompts[0].contains("attempt was made") && prompts[2].contains("npm test"), "{prompts:?}");
}

#[test]
fn an_agent_that_crashes_ends_the_run_as_failed() {
    let world = world("echo 'out of cheese' >&2; exit 70");
    let told = Told::of(&mut command(&world, &[]));
    assert_eq!(told.ending(), "failed");
    let why = told.last()["why"].as_str().unwrap();
    assert!(why.contains("exit code 70") && why.contains("out of cheese"), "{why}");
}

#[test]
fn an_agent_that_reaches_its_limit_ends_the_run_as_that() {
    let world = world(
        r#"echo '{"type":"result","is_error":true,"result":"You have hit your usage limit. Try again at 5pm."}'; exit 1"#,
    );
    assert_eq!(Told::of(&mut command(&world, &[])).ending(), "usage_limit");
}

#[test]
fn an_agent_that_hangs_is_ended_with_everything_that_it_started() {
    let mark = format!("30{}", std::process::id());
    let world = world(&format!("sleep {mark} & sleep {mark}"));
    let folder = world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "[run]\nagent_minutes = 0\n").unwrap();
    let told = Told::of(&mut command(&world, &[]));
    assert_eq!(told.ending(), "failed");
    assert!(told.last()["why"].as_str().unwrap().contains("did not finish"), "{}", told.last());
    assert!(!is_running(&mark));
}

#[test]
fn ctrl_c_ends_the_agent_too() {
    let mark = format!("31{}", std::process::id());
    let world = world(&format!("sleep {mark} & sleep {mark}"));
    let mut run = Beside::start(&mut command(&world, &[]));
    run.until("model_asked");
    while !is_running(&mark) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = rustix::process::Pid::from_child(&run.child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let told = run.end();
    assert_eq!((told.code, told.kinds().last()), (130, Some(&"run_interrupted")));
    assert!(!is_running(&mark));
}

#[test]
fn an_agent_that_is_not_there_is_named() {
    let world = World::new();
    let unknown = world.run(&["run", "--agent", "hal", "open the doors"]);
    assert_eq!(
        (unknown.code, unknown.stderr.contains("claude-code, codex, gemini, opencode, kilo")),
        (2, true),
        "{}",
        unknown.stderr
    );
    let only_git = world.outside().join("only-git");
    std::fs::create_dir(&only_git).unwrap();
    let missing = Ran::of(world.hansei().env("PATH", only_git).args(["run", "--agent", "codex", "x"]), b"");
    assert_eq!((missing.code, missing.stderr.contains("npm install")), (3, true), "{}", missing.stderr);
}

/// An agent that speaks ACP: it asks for a permission, edits when it is told that it failed, and may crash or hang.
const ACP: &str = r#"
import json, os, sys, time
def say(message): print(json.dumps(dict(message, jsonrpc="2.0")), flush=True)
print("starting up, not JSON", flush=True)
mode = sys.argv[1]
for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "initialize":
        assert message["params"]["protocolVersion"] == 1
        say({"id": id, "result": {"protocolVersion": 1, "agentCapabilities": {}}})
    elif method == "session/new":
        say({"id": id, "result": {"sessionId": "s"}})
    elif method == "session/prompt":
        text = message["params"]["prompt"][0]["text"]
        if mode == "crash":
            print("out of cheese", file=sys.stderr, flush=True)
            os._exit(70)
        if mode == "hang":
            os.system("sleep " + sys.argv[2])
        chunk = lambda text: say({"method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}}})
        chunk("I will write. ")
        say({"id": 99, "method": "session/request_permission", "params": {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": [{"optionId": "always", "kind": "allow_always"}, {"optionId": "once", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]}})
        answer = json.loads(sys.stdin.readline())
        assert answer["result"]["outcome"] == {"outcome": "selected", "optionId": "once"}, answer
        say({"id": 100, "method": "fs/read_text_file", "params": {"sessionId": "s", "path": "/etc/passwd"}})
        assert json.loads(sys.stdin.readline())["error"]["code"] == -32601
        say({"method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "tool_call", "toolCallId": "t"}}})
        if "Now do it differently" in text:
            open("done.txt", "w").close()
        chunk("Writ")
        chunk("ten.")
        say({"id": id, "result": {"stopReason": "end_turn"}})
"#;

fn over_acp(world: &World, mode: &str) -> Command {
    let program = world.outside().join("acp.py");
    std::fs::write(&program, ACP).unwrap();
    let mut command = world.hansei();
    let agent = format!("acp:python3 {} {mode}", program.display());
    command.args(["run", "--json", "--agent", &agent, "make done.txt"]);
    command
}

#[test]
fn any_agent_that_speaks_acp_works_and_its_requests_are_answered_by_policy() {
    let world = world("exit 1");
    let told = Told::of(&mut over_acp(&world, "fine"));
    assert_eq!(told.ending(), "complete", "{:?}", told.lines);
    assert_eq!(told.all("model_answered")[0]["text"], "Written.", "its words after its last call");
    assert_eq!(told.last()["reflections"], 1);
}

#[test]
fn an_acp_agent_that_crashes_or_hangs_is_ended_openly() {
    let crashed = world("exit 1");
    let told = Told::of(&mut over_acp(&crashed, "crash"));
    assert_eq!(told.ending(), "failed");
    assert!(told.last()["why"].as_str().unwrap().contains("out of cheese"), "{}", told.last());
    let mark = format!("32{}", std::process::id());
    let hanging = world("exit 1");
    let mut run = Beside::start(&mut over_acp(&hanging, &format!("hang {mark}")));
    run.until("model_asked");
    while !is_running(&mark) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = rustix::process::Pid::from_child(&run.child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let told = run.end();
    assert_eq!(told.code, 130);
    while is_running(&format!("sleep {mark}")) || is_running(&format!("sleep\0{mark}")) {
        std::thread::sleep(Duration::from_millis(5));
    }
}
