//! Who is elsewhere is told: at the stop itself, in the ways that the user's own file names, and never for long.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::support::{Ran, World};

const TOKEN: &str = concat!("ghp_", "FAKEfakeFAKEfakeFAKEfakeFAKEfake0000");

/// Listens on this machine for one request, and gives its body. Answers with a status.
pub struct Listener {
    pub url: String,
    heard: JoinHandle<String>,
}

impl Listener {
    pub fn new(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hook/fake-path-secret", listener.local_addr().unwrap());
        let heard = std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let head: Vec<String> =
                reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
            let length = |line: &String| {
                line.to_lowercase().strip_prefix("content-length:").map(|n| n.trim().parse().unwrap())
            };
            let length: u64 = head.iter().find_map(length).unwrap();
            let mut body = String::new();
            reader.take(length).read_to_string(&mut body).unwrap();
            let mut stream = stream;
            write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
            body
        });
        Self { url, heard }
    }

    pub fn heard(self) -> Value {
        serde_json::from_str(&self.heard.join().unwrap()).unwrap()
    }
}

pub fn configure(world: &World, settings: &str) {
    let folder = world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), settings).unwrap();
}

/// A program that keeps what it is given.
fn keeper(world: &World) -> (String, std::path::PathBuf) {
    let kept = world.outside().join("kept.json");
    (format!("[notify]\ncommand = ['sh', '-c', 'cat >> \"$0\"', '{}']\n", kept.display()), kept)
}

fn lines(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    serde_json::Deserializer::from_str(&text).into_iter().map(Result::unwrap).collect()
}

/// A hook call of a session as OpenCode's plugin makes it.
fn call(world: &World, event: &str, more: &Value) -> Ran {
    let mut payload = json!({ "session_id": "s1", "cwd": world.repo, "attended": false });
    for (key, value) in more.as_object().unwrap() {
        payload[key] = value.clone();
    }
    let ran = Ran::of(
        world.hansei().args(["hook", "opencode", event, "--mode", "solo"]),
        payload.to_string().as_bytes(),
    );
    assert_eq!(ran.code, 0);
    ran
}

/// A stop at which the agent says `words`, after it did something.
fn stop(words: &str) -> Value {
    let time = json!({ "created": 1_794_744_000_000_u64 });
    let message = |id: &str, role: &str, parts: Value| json!({ "info": { "id": id, "sessionID": "s1", "role": role, "time": time }, "parts": parts });
    let state = json!({ "status": "completed", "input": { "command": "sed -i s/a/b/ deploy.sh" }, "output": "", "metadata": { "exit": 0 } });
    json!({ "messages": [
        message("msg_1", "user", json!([{ "id": "p1", "type": "text", "text": "Deploy the service" }])),
        message("msg_2", "assistant", json!([
            { "id": "p2", "type": "tool", "tool": "bash", "callID": "c", "state": state },
            { "id": "p3", "type": "text", "text": words },
        ])),
    ]})
}

fn blocked() -> Value {
    stop(&format!(
        "I cannot go on: please log in to the registry yourself with your own credentials (not {TOKEN})."
    ))
}

fn logged(world: &World, kind: &str) -> Vec<Value> {
    world.log("s1").into_iter().filter(|line| line["kind"] == kind).collect()
}

#[test]
fn a_run_that_needs_a_human_is_told_to_a_webhook_at_the_stop_itself() {
    let world = World::new();
    let listener = Listener::new("204 No Content");
    configure(&world, &format!("[notify]\nwebhook = '{}'\n", listener.url));
    call(&world, "stop", &blocked());
    let notice = listener.heard();
    let keys: Vec<&str> = notice.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["event", "session", "agent", "workspace", "line"]);
    assert_eq!(
        (&notice["event"], &notice["session"], &notice["agent"]),
        (&json!("needs_human"), &json!("s1"), &json!("opencode"))
    );
    assert_eq!(notice["workspace"], json!(world.repo));
    assert!(!notice["line"].as_str().unwrap().is_empty() && !notice.to_string().contains(TOKEN), "{notice}");
    // The intent stands before the result, and neither holds the address.
    let log = world.log("s1");
    let place = |kind: &str| log.iter().position(|line| line["kind"] == kind).unwrap();
    assert!(place("notice_due") < place("notice_sent"));
    assert_eq!(logged(&world, "notice_sent")[0]["ways"], json!(["webhook"]));
    assert!(!format!("{log:?}").contains("fake-path-secret"));
}

#[test]
fn a_usage_limit_is_told_to_a_program_once_until_the_human_speaks() {
    let world = World::new();
    let (settings, kept) = keeper(&world);
    configure(&world, &settings);
    call(&world, "prompt", &json!({ "prompt": "go" }));
    let limit = json!({ "error": format!("You have reached your usage limit; it resets at 5 pm ({TOKEN})") });
    call(&world, "error", &limit);
    call(&world, "error", &limit);
    let told = lines(&kept);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["event"], "usage_limit");
    let line = told[0]["line"].as_str().unwrap();
    assert!(line.contains("resets at 5 pm") && !line.contains(TOKEN), "{line}");
    call(&world, "prompt", &json!({ "prompt": "again" }));
    call(&world, "error", &limit);
    assert_eq!(lines(&kept).len(), 2, "a new task");
    call(&world, "error", &json!({ "error": "connection refused" }));
    assert_eq!(lines(&kept).len(), 2, "what passes by itself is not told");
}

#[test]
fn a_stuck_run_is_told_when_no_nudge_is_left() {
    let world = World::new();
    let (settings, kept) = keeper(&world);
    configure(&world, &settings);
    for round in 0..2 {
        let mut session =
            stop(&format!("Part {round} is there. Next I will write part {} and then the", round + 1));
        session["attended"] = json!(true);
        session["idle_seconds"] = json!(60);
        call(&world, "stuck", &session);
        assert_eq!(lines(&kept).len(), round, "first the agent is nudged, then somebody is told");
    }
    assert_eq!(lines(&kept)[0]["event"], "stuck");
}

#[test]
fn the_desktop_is_told_with_what_an_agent_said_as_no_option() {
    let world = World::new();
    configure(&world, "[notify]\ndesktop = true\n");
    let bin = world.outside().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let kept = world.outside().join("shown");
    let program = bin.join("notify-send");
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\n", kept.display());
    // Written by another process: a program that this one has open cannot be started by those that it starts meanwhile.
    let written = "cat > \"$0\" && chmod 755 \"$0\"";
    assert_eq!(Ran::of(world.command("sh").args(["-c", written]).arg(&program), script.as_bytes()).code, 0);
    let mut payload = blocked();
    payload["session_id"] = json!("s1");
    payload["cwd"] = json!(world.repo);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = world.hansei();
    command.args(["hook", "opencode", "stop", "--mode", "solo"]).env("PATH", path);
    Ran::of(&mut command, payload.to_string().as_bytes());
    let shown = std::fs::read_to_string(kept).unwrap();
    let shown: Vec<&str> = shown.lines().collect();
    assert_eq!(shown[..3], ["--app-name=Hansei", "--", "Hansei: opencode needs you"], "{shown:?}");
}

#[test]
fn what_cannot_be_told_is_on_record_and_harms_nobody() {
    let world = World::new();
    let listener = Listener::new("500 Internal Server Error");
    let webhook = format!("webhook = '{}'", listener.url);
    configure(&world, &format!("[notify]\n{webhook}\ncommand = ['sleep', '600']\n"));
    let ran = call(&world, "stop", &blocked());
    assert!(ran.json()["action"] == "let_stop", "the agent has its answer: {}", ran.stdout);
    listener.heard();
    let failed = logged(&world, "notice_sent")[0]["failed"].to_string();
    for part in ["sleep did not finish in time", "webhook: 127.0.0.1 answered with status 500"] {
        assert!(failed.contains(part), "{failed}");
    }
    for (webhook, part) in [
        ("http://example.invalid/x", "must begin with https://"),
        ("file:///etc/passwd", "must begin with https://"),
        ("nonsense", "not an address"),
    ] {
        let world = World::new();
        configure(&world, &format!("[notify]\nwebhook = '{webhook}'\n"));
        call(&world, "stop", &blocked());
        let failed = logged(&world, "notice_sent")[0]["failed"].to_string();
        assert!(failed.contains(part), "{webhook}: {failed}");
    }
}

#[test]
fn without_settings_and_for_what_is_done_nobody_is_told() {
    let world = World::new();
    call(&world, "stop", &blocked());
    assert!(logged(&world, "notice_due").is_empty());
    let world = World::new();
    let (settings, kept) = keeper(&world);
    configure(&world, &settings);
    call(&world, "stop", &stop("Deployed, and the health check answers."));
    assert!(lines(&kept).is_empty());
    // A question to a human at the terminal is seen there.
    let mut asks = stop("Which region should I deploy to?");
    asks["attended"] = json!(true);
    call(&world, "stop", &asks);
    assert!(lines(&kept).is_empty());
}

#[test]
fn a_repository_names_nobody_to_tell() {
    let world = World::new();
    let ran = world.outside().join("ran");
    world.write("hansei.toml", format!("[notify]\ncommand = ['touch', '{}']\n", ran.display()));
    world.commit("Ask for more");
    call(&world, "stop", &blocked());
    assert!(!ran.exists());
    assert!(logged(&world, "notice_due").is_empty());
    let refused = world.run(&["config"]);
    assert!(refused.code == 2 && refused.stderr.contains("[notify] (command)"), "{}", refused.stderr);
}

#[test]
fn settings_are_shown_without_what_is_secret_in_them() {
    let world = World::new();
    configure(
        &world,
        "[notify]\nwebhook = 'https://x.example/fake-path-secret'\ncommand = ['say', 'fake-path-secret']\n",
    );
    let shown = world.run(&["config"]).stdout;
    assert!(
        shown.contains("notify.webhook = \"https://x.example/…\"") && shown.contains("[\"say\",\"…\"]"),
        "{shown}"
    );
    assert!(!shown.contains("fake-path-secret"), "{shown}");
}
