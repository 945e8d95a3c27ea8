//! `hansei mcp`: the protocol line by line, whatever comes; and a real client, the official SDK.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{HANSEI, Ran, World};

const PATIENCE: Duration = Duration::from_mins(2);
const TOOLS: [&str; 6] = ["self_report", "review", "escalate", "probe", "decisions_check", "risk"];

/// A server, and a client that writes lines.
struct Talk {
    server: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
}

impl Talk {
    /// A server in the repository, to which nothing was said yet.
    fn unopened(world: &World, change: impl FnOnce(&mut Command)) -> Self {
        let mut command = world.hansei();
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        change(&mut command);
        let mut server = command.spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        let input = server.stdin.take();
        Self { server, input, lines, next: 1 }
    }

    fn with(world: &World, change: impl FnOnce(&mut Command)) -> Self {
        let mut talk = Self::unopened(world, change);
        talk.open();
        talk
    }

    fn new(world: &World) -> Self {
        Self::with(world, |_| ())
    }

    /// Says hello, and gives what the server says of itself.
    fn open(&mut self) -> Value {
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = self.ask("initialize", &hello);
        self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer["result"].clone()
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// Sends a request, and gives its number.
    fn request(&mut self, method: &str, parameters: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters });
        self.say(&request.to_string());
        id
    }

    /// The next message, which is nothing but protocol.
    fn hear(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the server says nothing more");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// The answer to a request, which is the next message that is one.
    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.request(method, parameters);
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))["result"].clone()
    }

    /// That the server is still there, and answers.
    fn is_alive(&mut self) {
        assert_eq!(self.ask("ping", &json!({}))["result"], json!({}));
    }

    /// Goes away, and gives the server's exit code.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        until("the server has ended", || self.server.try_wait().unwrap().is_some());
        assert_eq!(self.lines.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
        self.server.wait().unwrap().code()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What a tool answered, where it is no error.
fn said(answer: &Value) -> &Value {
    assert_eq!(answer["isError"], false, "{answer}");
    let text: Value = serde_json::from_str(answer["content"][0]["text"].as_str().unwrap()).unwrap();
    assert!(same(&text, &answer["structuredContent"]), "both forms say the same: {answer}");
    &answer["structuredContent"]
}

/// Whether two values are one to a client for which 1 and 1.0 are the same number.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

/// What is wrong, where a tool says that something is.
fn error(answer: &Value) -> &str {
    assert_eq!(answer["isError"], true, "{answer}");
    answer["content"][0]["text"].as_str().unwrap()
}

/// A search path whose git does as `script` says, and a place for what it leaves.
fn git_that(world: &World, script: &str) -> (std::ffi::OsString, PathBuf) {
    let folder = world.outside().join("bin");
    std::fs::create_dir_all(&folder).unwrap();
    let note = world.outside().join("note");
    let program = folder.join("git");
    std::fs::write(&program, format!("#!/bin/sh\nnote={}\n{script}\n", note.display())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut path = folder.into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    (path, note)
}

/// A git that hangs, after it has noted its own number and that of who called it.
const HANGS: &str = "echo $$ $PPID >> $note\nexec sleep 3600";

fn noted(note: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(note).unwrap_or_default();
    text.split_whitespace().map(ToOwned::to_owned).collect()
}

fn is_gone(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat")).map_or(true, |stat| stat.contains(") Z "))
}

#[test]
fn the_server_says_who_it_is_and_lists_its_tools() {
    let world = World::new();
    let mut talk = Talk::unopened(&world, |_| ());
    let hello = talk.open();
    assert_eq!(hello["serverInfo"]["name"], "hansei");
    assert_eq!(hello["protocolVersion"], "2025-06-18");
    assert_eq!(hello["capabilities"], json!({ "tools": {} }));
    for name in TOOLS {
        assert!(hello["instructions"].as_str().unwrap().contains(&format!("`{name}`")), "{name}");
    }
    let listed = talk.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS, "what is the user's alone is not there");
    for tool in listed.as_array().unwrap() {
        assert!(jsonschema::meta::is_valid(&tool["inputSchema"]), "{tool}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
    }
    assert_eq!(talk.end(), Some(0));
}

#[test]
fn a_tool_is_the_command_of_the_same_meaning_and_no_is_an_answer() {
    let world = World::new();
    world.write(
        "docs/adr/0001-dates.md",
        "# 1. Dates\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will not use `moment`.\n",
    );
    world.commit("Decide");
    world.write("src/login.js", "import moment from 'moment'\n");
    let mut talk = Talk::new(&world);

    let risk = talk.call("risk", &json!({}));
    assert_eq!(said(&risk), &world.run(&["risk", "--json"]).json());
    assert_eq!(
        (&risk["_meta"]["hansei/exit_code"], &risk["structuredContent"]["consequence"]["needs_review"]),
        (&json!(1), &json!(true))
    );
    let files = talk.call("risk", &json!({ "files": ["README.md", "-o"] }));
    assert_eq!(said(&files)["files"], json!(["README.md", "-o"]));
    assert_eq!(files["_meta"]["hansei/exit_code"], 0);
    let commit = talk.call("risk", &json!({ "commit": "HEAD" }));
    assert_eq!(said(&commit), &world.run(&["risk", "--commit", "HEAD", "--json"]).json());

    let check = talk.call("decisions_check", &json!({}));
    assert_eq!(said(&check), &world.run(&["decisions", "check", "--json"]).json());
    assert_eq!(check["structuredContent"]["violations"][0]["file"], "src/login.js");
    let plan = talk.call("decisions_check", &json!({ "plan": "We will use `moment` for dates.\n" }));
    assert_eq!(said(&plan)["violations"][0]["decision"], "ADR-0001");
    assert_eq!(
        said(&talk.call("decisions_check", &json!({ "plan": "Use Temporal." })))["violations"],
        json!([])
    );

    let report = talk.call(
        "self_report",
        &json!({ "confidence": 0.25, "most_likely_wrong": { "surface": "auth", "description": "--json $(id) \"q\"" }, "session": "s1" }),
    );
    let path = PathBuf::from(said(&report)["path"].as_str().unwrap());
    let written: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(written["most_likely_wrong"]["description"], "--json $(id) \"q\"");
    let confidence = world.capture().confidence.unwrap().get();
    assert!((confidence - 0.25).abs() < 1e-9, "it is there at the next stop: {confidence}");
    assert_eq!(talk.end(), Some(0));
}

/// A session of Claude Code in `folder` whose last words are not true.
fn session(world: &World, id: &str, folder: &Path, second: u32) {
    let line = |number: u32, kind: &str, content: Value| {
        json!({
            "type": kind, "uuid": format!("u{number}"), "sessionId": id, "version": "2.1.325", "cwd": folder,
            "timestamp": format!("2026-11-15T10:{second:02}:{number:02}.000Z"),
            "message": { "id": format!("m{number}"), "role": kind, "content": content },
        })
        .to_string()
    };
    let run =
        json!([{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "cargo test" } }]);
    let red = json!([{ "type": "tool_result", "tool_use_id": "t", "is_error": true, "content": "Exit code 101\ntest result: FAILED. 3 passed; 1 failed" }]);
    let lines = [
        line(1, "user", json!("Fix the parser")),
        line(2, "assistant", run),
        line(3, "user", red),
        line(4, "assistant", json!([{ "type": "text", "text": "Fixed. All tests pass." }])),
    ];
    let projects = world.outside().join("home/.claude/projects/p");
    std::fs::create_dir_all(&projects).unwrap();
    std::fs::write(projects.join(format!("{id}.jsonl")), lines.join("\n") + "\n").unwrap();
}

#[test]
fn a_review_is_of_this_workspace_unless_a_session_is_named() {
    let world = World::new();
    let (here, there) = ("7c0d3f6e-0000-4000-8000-000000000001", "8d0d3f6e-0000-4000-8000-000000000002");
    let mut talk = Talk::new(&world);
    let none = talk.call("review", &json!({}));
    assert!(error(&none).contains("no session on this disk worked in"), "{none}");
    session(&world, here, &world.repo, 1);
    session(&world, there, &world.outside(), 2);
    let review = talk.call("review", &json!({}));
    assert_eq!(
        (&said(&review)["session"], &said(&review)["verdict"]["complete"]),
        (&json!(here), &json!(false))
    );
    assert_eq!(review["_meta"]["hansei/exit_code"], 1);
    assert_eq!(said(&talk.call("review", &json!({ "session": "8d0d" })))["session"], there);
    let elsewhere = talk.call("review", &json!({ "workspace": ".." }));
    assert!([here, there].contains(&said(&elsewhere)["session"].as_str().unwrap()), "both are below it");
    assert!(error(&talk.call("review", &json!({ "session": "nosuch" }))).contains("there is no session"));
}

#[test]
fn bad_arguments_are_told_and_the_server_stays() {
    let world = World::new();
    let mut talk = Talk::new(&world);
    for (tool, arguments, says) in [
        ("risk", json!({ "bass": "main" }), "'bass' was unexpected"),
        ("risk", json!({ "staged": "yes" }), "staged: what was given is not of type \"boolean\""),
        ("risk", json!({ "base": "no-such-revision" }), "error: \"no-such-revision\""),
        ("risk", json!({ "base": "HEAD", "staged": true }), "cannot be used with"),
        ("risk", json!({ "commit": "--upload-pack=x" }), "error: "),
        ("risk", json!({ "head": "HEAD" }), "--base"),
        ("risk", json!({ "workspace": "no/such" }), "risk: workspace: "),
        ("risk", json!({ "workspace": "README.md" }), "is not a folder"),
        ("self_report", json!({}), "required"),
        ("self_report", json!({ "confidence": 7 }), "confidence: "),
        ("decisions_check", json!({ "plan": "a", "diff": "b" }), "cannot be used with"),
        ("decisions_check", json!({ "diff": "no diff at all" }), "--diff"),
        ("escalate", json!({}), "give payload, or at least task and attempt"),
        ("escalate", json!({ "attempt": "four", "task": "t" }), "attempt: "),
        ("probe", json!({ "command": 1 }), "command: "),
        ("review", json!({ "session": ["a"] }), "session: "),
    ] {
        let answer = talk.call(tool, &arguments);
        assert!(error(&answer).contains(says), "{tool} {arguments}: {answer}");
    }
    for (parameters, says) in [
        (json!({ "name": "off", "arguments": {} }), "there is no tool \"off\"; there are self_report"),
        (json!({ "name": "risk", "arguments": "text" }), "\"arguments\": object"),
        (json!({ "name": "risk", "arguments": [] }), "\"arguments\": object"),
        (json!({ "arguments": {} }), "\"name\": text"),
        (json!({ "name": 7 }), "\"name\": text"),
    ] {
        let answer = talk.ask("tools/call", &parameters);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(says), "{parameters}: {answer}");
    }
    assert_eq!(talk.ask("no/such/method", &json!({}))["error"]["code"], -32601);
    talk.is_alive();
    assert_eq!(talk.end(), Some(0));
}

#[test]
fn lines_that_are_no_messages_do_no_harm() {
    let world = World::new();
    let mut talk = Talk::unopened(&world, |_| ());
    // Before the beginning: nothing that is no request is an answer to us.
    for line in [
        "",
        "garbage {",
        "\u{0}\u{1}",
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#,
    ] {
        talk.say(line);
    }
    talk.open();
    for line in [
        "garbage {",
        "null",
        "[]",
        "[1]",
        "7",
        r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#,
        r#"{"id":"x"}"#,
        "\r",
    ] {
        talk.say(line);
    }
    talk.input.as_mut().unwrap().write_all(b"\xff\xfe\x00 no text\n").unwrap();
    // Whatever is said to those names no request of ours.
    let id = talk.request("ping", &json!({}));
    loop {
        let message = talk.hear();
        if message["id"] == id {
            assert_eq!(message["result"], json!({}));
            break;
        }
        assert!(message["result"].is_null() && message["error"]["code"].is_i64(), "{message}");
    }
    assert_eq!(talk.end(), Some(0));
}

#[test]
fn whoever_says_nothing_or_leaves_at_once_ends_it_quietly() {
    let world = World::new();
    let silent = Ran::of(world.hansei().arg("mcp"), b"");
    assert_eq!((silent.code, silent.stdout.as_str(), silent.stderr.as_str()), (0, "", ""));
    let half = Ran::of(world.hansei().arg("mcp"), br#"{"jsonrpc":"2.0","id":1,"method":"initialize""#);
    assert_eq!((half.code, half.stdout.as_str(), half.stderr.as_str()), (0, "", ""));
    // Everything at once and then the end, as a shell would pipe it: what was asked is still answered.
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "decisions_check" } }),
    ];
    let piped = Ran::of(world.hansei().arg("mcp"), format!("{}\n{}\n", lines[0], lines[1]).as_bytes());
    assert_eq!((piped.code, piped.stderr.as_str()), (0, ""));
    let last: Value = serde_json::from_str(piped.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last["result"]["structuredContent"], json!({ "violations": [] }), "{last}");
}

#[test]
fn a_cancelled_call_is_ended_with_all_that_it_started() {
    let world = World::new();
    let (path, note) = git_that(&world, HANGS);
    let mut talk = Talk::with(&world, |command| {
        command.env("PATH", path);
    });
    let id = talk.request("tools/call", &json!({ "name": "risk", "arguments": {} }));
    until("git is running", || noted(&note).len() >= 2);
    talk.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id, "reason": "no more" } }).to_string());
    until("the command and its git are gone", || noted(&note).iter().all(|process| is_gone(process)));
    // The next message is the next answer: nothing is said to who does not wait.
    talk.is_alive();
    assert_eq!(talk.end(), Some(0));
}

#[test]
fn a_call_that_takes_too_long_is_ended_and_told() {
    let world = World::new();
    let (path, note) = git_that(&world, HANGS);
    let mut talk = Talk::with(&world, |command| {
        command.args(["--limit", "1"]).env("PATH", path);
    });
    let answer = talk.call("risk", &json!({}));
    assert!(error(&answer).contains("`hansei risk` did not finish in its time and was ended"), "{answer}");
    assert!(noted(&note).len() >= 2 && noted(&note).iter().all(|process| is_gone(process)));
    talk.is_alive();
}

#[test]
fn whoever_goes_away_leaves_nothing_running() {
    for by_signal in [false, true] {
        let world = World::new();
        let (path, note) = git_that(&world, HANGS);
        let mut talk = Talk::with(&world, |command| {
            command.env("PATH", path);
        });
        talk.request("tools/call", &json!({ "name": "risk", "arguments": {} }));
        until("git is running", || noted(&note).len() >= 2);
        if by_signal {
            let ended = Command::new("kill").arg(talk.server.id().to_string()).status().unwrap();
            assert!(ended.success());
            until("the server has ended", || talk.server.try_wait().unwrap().is_some());
        } else {
            // A client that waits for an answer may still get an error for it.
            drop(talk.input.take());
            until("the server has ended", || talk.server.try_wait().unwrap().is_some());
        }
        assert_eq!(talk.server.wait().unwrap().code(), Some(0));
        until("the command and its git are gone", || noted(&note).iter().all(|process| is_gone(process)));
    }
}

#[test]
fn calls_do_not_wait_for_each_other() {
    let world = World::new();
    let (path, note) = git_that(&world, "until [ -e $note ]; do sleep 0.02; done\nexit 1");
    let mut talk = Talk::with(&world, |command| {
        command.env("PATH", path);
    });
    let slow = talk.request("tools/call", &json!({ "name": "risk", "arguments": {} }));
    let quick = talk.call("self_report", &json!({ "known_not_in_diff": "a" }));
    assert_eq!(said(&quick)["report"]["known_not_in_diff"], "a", "answered while the other is under way");
    std::fs::write(&note, "go").unwrap();
    let answer = talk.hear();
    assert_eq!(answer["id"], slow);
    assert!(error(&answer["result"]).starts_with("error: "), "git failed, and the command says so: {answer}");
}

#[test]
fn what_is_huge_is_refused_or_shortened() {
    let world = World::new();
    let mut talk = Talk::new(&world);
    let huge = talk.call("decisions_check", &json!({ "plan": "x".repeat(5 << 20) }));
    assert!(
        error(&huge).contains("plan: what was given is longer than 4194304 characters"),
        "{}",
        error(&huge).len()
    );
    // Longer than any message may be: it is dropped, and the server goes on.
    talk.request(
        "tools/call",
        &json!({ "name": "decisions_check", "arguments": { "plan": "x".repeat(9 << 20) } }),
    );
    talk.is_alive();
    let files: Vec<String> = (0..15_000).map(|n| format!("src/some/folder/file-{n}.rs")).collect();
    let many = talk.call("risk", &json!({ "files": files }));
    assert_eq!(said(&many)["files"].as_array().unwrap().len(), 200);
    assert_eq!(said(&many)["left_out"], json!([{ "at": "/files", "items": 14_800 }]));
    let plan = "ä".repeat(1 << 20);
    assert_eq!(said(&talk.call("decisions_check", &json!({ "plan": plan })))["violations"], json!([]));
}

#[test]
fn a_secret_does_not_reach_whoever_asks() {
    let world = World::new();
    let token = concat!("ghp_", "FAKEfakeFAKEfakeFAKEfakeFAKEfake0000");
    world.write("a.sql", "-- @REJECTED: `moment`\n");
    world.commit("Decide");
    world.write("a.js", format!("import moment from 'moment' // {token}\n"));
    let mut talk = Talk::new(&world);
    let answer = talk.call("decisions_check", &json!({})).to_string();
    assert!(answer.contains("a.js") && !answer.contains(token), "{answer}");
    let answer = talk.call("risk", &json!({ "base": token })).to_string();
    assert!(answer.contains("names no") && !answer.contains(token), "{answer}");
}

/// What a coder says who gave up after three attempts.
fn escalation() -> Value {
    json!({
        "task": "Make the report read its settings.",
        "attempt": 4,
        "what_was_tried": ["another parser", "a longer timeout"],
        "what_did_not_work": ["the same KeyError", "the same KeyError"],
        "command": "python3 report.py",
        "error": "Traceback (most recent call last):\n  File \"report.py\", line 3, in <module>\nKeyError: 'REPORT_FOLDER'\n",
    })
}

/// A project whose code wants a variable that nobody set.
fn unset_variable() -> World {
    let world = World::new();
    world.write("report.py", "import os\n\nprint(os.environ['REPORT_FOLDER'])\n");
    world.write(".env.example", "REPORT_FOLDER=reports\n");
    world.commit("Report");
    world
}

#[test]
fn a_probe_and_an_escalation_are_the_commands_of_the_same_meaning() {
    let world = unset_variable();
    let mut talk = Talk::new(&world);
    let fields = escalation();
    let probe = talk.call("probe", &json!({ "command": fields["command"], "error": fields["error"] }));
    let mut direct = world.hansei();
    direct.args(["probe", "--json", "--command", "python3 report.py", "--error", "-"]);
    let direct = Ran::of(&mut direct, fields["error"].as_str().unwrap().as_bytes());
    assert_eq!((said(&probe), &probe["_meta"]["hansei/exit_code"]), (&direct.json(), &json!(direct.code)));
    assert!(said(&probe)["findings"][0]["cause"].as_str().unwrap().contains("REPORT_FOLDER"), "{probe}");

    let escalated = talk.call("escalate", &fields);
    assert_eq!(
        (&said(&escalated)["kind"], &escalated["_meta"]["hansei/exit_code"]),
        (&json!("environment_fix"), &json!(0)),
        "{escalated}"
    );
    assert!(
        escalated["structuredContent"]["new_hypothesis"].as_str().unwrap().contains("REPORT_FOLDER"),
        "{escalated}"
    );
    let mut early = fields.clone();
    early["attempt"] = json!(3);
    let mut fourth = fields.clone();
    fourth["rescue_attempt"] = json!(4);
    let mut polluted = fields.clone();
    polluted["task"] = json!("User: fix it\nAssistant: I tried\nUser: no\nAssistant: again\n");
    for (arguments, kind, target) in [
        (early, "need_context", json!("escalation_payload")),
        (polluted, "need_context", json!("clean_handoff")),
        (json!({ "payload": "please help", "task": "t" }), "need_context", json!("escalation_payload")),
        (fourth, "escalation", Value::Null),
    ] {
        let answer = talk.call("escalate", &arguments);
        assert_eq!((&said(&answer)["kind"], &said(&answer)["target"]), (&json!(kind), &target), "{answer}");
        assert_eq!(answer["_meta"]["hansei/exit_code"], 1, "no is an answer");
        assert_eq!(
            said(&answer)["reason"].is_string(),
            kind == "need_context",
            "a refusal says why: {answer}"
        );
    }
    let left: Vec<_> =
        std::fs::read_dir(world.outside()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(talk.end(), Some(0));
    assert!(!format!("{left:?}").contains("hansei-"), "{left:?}");
}

/// What the official SDK's client heard of these calls.
fn heard_by_the_sdk(world: &World, calls: &Value) -> Value {
    let packages = std::env::var_os("HANSEI_TEST_MCP_SDK")
        .expect("run ./scripts/test, which installs the MCP SDK and sets HANSEI_TEST_MCP_SDK");
    let list = world.outside().join("calls.json");
    std::fs::write(&list, calls.to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.mjs");
    let mut node = world.command("node");
    node.arg(script).arg(packages).arg(list).arg(HANSEI).arg(&world.repo);
    let ran = Ran::of(&mut node, b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.json()
}

#[test]
fn the_official_client_lists_and_calls_every_tool() {
    let world = World::new();
    session(&world, "7c0d3f6e-0000-4000-8000-000000000001", &world.repo, 1);
    world.write("src/login.rs", "fn main() {}\n");
    let payload = "<ESCALATION>\nstatus: blocked\nattempt: [ATTEMPT: 2]\ntask_scope: x\n</ESCALATION>";
    let calls = json!([
        ["self_report", { "confidence": 0.5 }],
        ["review", {}],
        ["escalate", { "payload": payload, "task": "Close every handle." }],
        ["probe", {}],
        ["decisions_check", { "staged": true }],
        ["risk", {}],
        ["self_report", { "confidence": "sure" }],
        ["review", { "session": 7 }],
        ["escalate", { "task": "t" }],
        ["probe", { "unknown": 1 }],
        ["decisions_check", { "base": "no-such-revision" }],
        ["risk", { "threshold": -1 }],
        ["approve", {}],
    ]);
    let heard = heard_by_the_sdk(&world, &calls);
    assert_eq!(heard["server"]["version"]["name"], "hansei");
    let names: Vec<&str> =
        heard["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    let results = heard["results"].as_array().unwrap();
    for (tool, result, field) in [
        (0, &results[0], "/report/confidence"),
        (1, &results[1], "/verdict/complete"),
        (2, &results[2], "/kind"),
        (3, &results[3], "/findings"),
        (4, &results[4], "/violations"),
        (5, &results[5], "/consequence/needs_review"),
    ] {
        assert!(said(result).pointer(field).is_some(), "{}: {result}", TOOLS[tool]);
    }
    assert_eq!(said(&results[2])["kind"], "need_context", "an attempt below the fourth is misrouted");
    for (tool, result) in TOOLS.iter().zip(&results[6..12]) {
        assert!(!error(result).is_empty(), "{tool}");
    }
    assert_eq!(results[12]["refused"], -32602);
    assert!(results[12]["message"].as_str().unwrap().contains("there is no tool \"approve\""));
}
