//! `hansei watch`: follows what agents write, tells once, and ends when it is told to.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::notices::{Listener, configure};
use crate::support::{Ran, World};

/// Writes a session of Claude Code that ended `age` seconds ago.
fn transcript(world: &World, id: &str, words: &str, age: u64) -> PathBuf {
    let folder = world.outside().join("home/.claude/projects/p");
    std::fs::create_dir_all(&folder).unwrap();
    let line = |number: usize, kind: &str, content: Value| {
        json!({ "type": kind, "uuid": format!("{id}-{number}"), "timestamp": "2026-11-15T10:00:00.000Z", "sessionId": id,
            "version": "2.1.325", "cwd": world.repo, "message": { "id": format!("m{number}"), "role": kind, "content": content } })
            .to_string()
    };
    let call = json!([{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "sed -i s/a/b/ src/a.rs" } }]);
    let result = json!([{ "type": "tool_result", "tool_use_id": "t", "content": "" }]);
    let lines = [
        line(1, "user", json!("Add a --json flag to the export command and run the tests")),
        line(2, "assistant", call),
        line(3, "user", result),
        line(4, "assistant", json!([{ "type": "text", "text": words }])),
    ];
    let file = folder.join(format!("{id}.jsonl"));
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    let old = SystemTime::now() - Duration::from_secs(age);
    std::fs::File::options().append(true).open(&file).unwrap().set_modified(old).unwrap();
    file
}

const STUCK: &str = "The flag is parsed. Next I will wire it into the writer and then run the";
const WAITING: &str = "Should the output be pretty-printed?";

fn look(world: &World, flags: &[&str]) -> Vec<Value> {
    let ran = Ran::of(world.hansei().args(["watch", "--once", "--json"]).args(flags), b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn silent_sessions_are_assessed_and_those_that_speak_are_let_alone() {
    let world = World::new();
    transcript(&world, "stuck", STUCK, 60);
    transcript(&world, "waits", WAITING, 90);
    transcript(&world, "talks", STUCK, 0);
    transcript(&world, "long-gone", STUCK, 7200);
    let mut seen: Vec<(String, String)> = look(&world, &[])
        .iter()
        .map(|row| (row["session"].as_str().unwrap().to_owned(), row["reason"].as_str().unwrap().to_owned()))
        .collect();
    seen.sort();
    let expected = [("stuck", "genuinely_stuck"), ("waits", "waiting_for_user")];
    assert_eq!(seen, expected.map(|(id, reason)| (id.to_owned(), reason.to_owned())));
    let ran = world.run(&["watch", "--once"]);
    assert!(ran.stdout.contains("claude-code  stuck  is stuck: The flag is parsed."), "{}", ran.stdout);
    assert!(look(&world, &["--agent", "codex"]).is_empty());
    assert_eq!(world.run(&["watch", "--agent", "nobody"]).code, 2);
}

#[test]
fn a_person_is_told_once_also_by_another_watch() {
    let world = World::new();
    let listener = Listener::new("200 OK");
    configure(&world, &format!("[notify]\nwebhook = '{}'\n", listener.url));
    transcript(&world, "one", WAITING, 60);
    let rows = look(&world, &[]);
    assert_eq!((rows.len(), &rows[0]["told"]), (1, &json!(["webhook"])), "{rows:?}");
    let notice = listener.heard();
    assert_eq!(
        (&notice["event"], &notice["session"], &notice["line"]),
        (&json!("needs_human"), &json!("one"), &json!(WAITING))
    );
    assert_eq!(notice["workspace"], json!(world.repo));
    // Nobody listens any more: a second try would be on record as failed.
    let again = look(&world, &[]);
    assert_eq!((&again[0]["told"], &again[0]["failed"]), (&Value::Null, &Value::Null), "{again:?}");
}

#[test]
fn a_usage_limit_is_told_although_the_agent_only_waits() {
    let world = World::new();
    let listener = Listener::new("200 OK");
    configure(&world, &format!("[notify]\nwebhook = '{}'\n", listener.url));
    let file = transcript(&world, "one", STUCK, 60);
    let limit = "Claude usage limit reached. It resets at 5pm.";
    let error = json!({ "type": "assistant", "uuid": "one-5", "timestamp": "2026-11-15T10:01:00.000Z", "sessionId": "one",
        "isApiErrorMessage": true, "message": { "id": "m5", "role": "assistant", "content": [{ "type": "text", "text": limit }] } });
    let text = std::fs::read_to_string(&file).unwrap() + &error.to_string() + "\n";
    std::fs::write(&file, text).unwrap();
    let old = SystemTime::now() - Duration::from_mins(1);
    std::fs::File::options().append(true).open(&file).unwrap().set_modified(old).unwrap();
    let rows = look(&world, &[]);
    assert_eq!(
        (&rows[0]["reason"], &rows[0]["event"]),
        (&json!("working"), &json!("usage_limit")),
        "{rows:?}"
    );
    let notice = listener.heard();
    assert_eq!((&notice["event"], &notice["line"]), (&json!("usage_limit"), &json!(limit)));
}

#[test]
fn it_follows_until_it_is_told_to_end() {
    for signal in ["TERM", "INT"] {
        let world = World::new();
        configure(&world, "[stuck]\nafter_seconds = 1\n");
        let mut command = world.hansei();
        command.args(["watch", "--json", "--every", "1"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
        transcript(&world, "one", WAITING, 0);
        assert_eq!(next()["reason"], "waiting_for_user");
        transcript(&world, "one", STUCK, 0);
        assert_eq!(next()["reason"], "genuinely_stuck", "a change is told");
        let killed = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert!(lines.next().is_none(), "and nothing is told twice");
    }
}
