//! `hansei index`, and the filters of `hansei log` that ask it.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Ran, World};

/// A world with two stops of two agents, the first judged incomplete.
fn world() -> World {
    let world = World::new();
    fill(&world.repo);
    world
}

fn fill(repo: &Path) {
    let hansei = repo.join(".hansei");
    for folder in ["log", "reflections", "verdicts"] {
        std::fs::create_dir_all(hansei.join(folder)).unwrap();
    }
    for (session, agent, surface, hour) in [("s1", "claude-code", "auth", 10), ("s2", "codex", "docs", 11)] {
        let time = format!("2025-11-15T{hour}:00:00.000000Z");
        let reflection = json!({
            "schema": "reflection.v1", "task_ref": "project@main", "agent": agent, "session_id": session,
            "timestamp": time, "repo": "project", "confidence": 0.75,
            "most_likely_wrong": { "surface": "auth", "description": "the refresh races" }, "known_not_in_diff": null,
            "risk": { "needs_review": true, "score": 1.0, "surface": surface, "reason": "why" },
            "files_changed": ["src/login.rs"],
            "provenance": { "source": "stop-hook", "reflection_attempt": 1, "degraded": false, "reflection_mode": "solo" },
        });
        std::fs::write(
            hansei.join(format!("reflections/{session}-1.reflection.json")),
            reflection.to_string(),
        )
        .unwrap();
        let mut events = vec![
            json!({ "kind": "task_started" }),
            json!({ "kind": "captured", "sidecar": format!("{session}-1.reflection.json") }),
        ];
        if session == "s1" {
            let verdict = json!({ "session_id": session, "agent": agent, "timestamp": time, "complete": false,
                "verdict": { "feedback": "pytest is red" } });
            std::fs::write(hansei.join("verdicts/s1_1.json"), verdict.to_string()).unwrap();
            events.push(json!({ "kind": "judged", "stop": "x", "task": "t", "epoch": 0, "complete": false,
                "severity": "HIGH", "decided_by": "executed", "p_complete": 0.1, "evidence": [], "record": "s1_1.json" }));
        }
        let lines = events.into_iter().zip(1..).map(|(mut event, seq)| {
            (event["v"], event["seq"], event["time"]) = (json!(1), json!(seq), json!(time));
            format!("{event}\n")
        });
        let log: String = lines.collect();
        std::fs::write(hansei.join(format!("log/{session}.jsonl")), log).unwrap();
    }
}

fn ids(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.json().as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_log_is_filtered_by_what_the_index_knows() {
    let world = world();
    let cases: [(&[&str], &[&str]); 12] = [
        (&["--agent", "codex"], &["s2-1"]),
        (&["--agent", "nobody"], &[]),
        (&["--surface", "auth"], &["s1-1"]),
        (&["--verdict", "incomplete"], &["s1-1"]),
        (&["--verdict", "complete"], &[]),
        (&["--verdict", "none"], &["s2-1"]),
        (&["--since", "2025-11-15T10:30:00Z"], &["s2-1"]),
        (&["--search", "RACES login"], &["s2-1", "s1-1"]),
        (&["--search", "pytest"], &["s1-1"]),
        (&["--search", "pytest", "--agent", "codex"], &[]),
        (&["--search", "\" OR *"], &[]),
        (&["--since", "2025-11-15T09:00:00Z", "-n", "1"], &["s2-1"]),
    ];
    for (arguments, expected) in cases {
        let ran = world.run(&[["log", "--json"].as_slice(), arguments].concat());
        assert_eq!(ids(&ran), expected, "{arguments:?}");
    }
    let table = world.run(&["log", "--agent", "codex"]).stdout;
    assert!(table.contains("WHEN") && table.contains("codex") && !table.contains("claude-code"), "{table}");
    assert_eq!(world.run(&["log", "--agent", "nobody"]).stdout, "no reflection is like that\n");
    for (arguments, part) in [
        (["--surface", "moon"], "auth, data, infra"),
        (["--verdict", "maybe"], "incomplete"),
        (["--since", "yesterday"], "is no time such as"),
    ] {
        let ran = world.run(&["log", arguments[0], arguments[1]]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
}

#[test]
fn a_filter_sees_what_was_written_a_moment_ago_and_leaves_nothing_where_nothing_is() {
    let world = world();
    assert_eq!(ids(&world.run(&["log", "--json", "--surface", "auth"])), ["s1-1"]);
    std::fs::remove_file(world.path(".hansei/reflections/s1-1.reflection.json")).unwrap();
    assert_eq!(ids(&world.run(&["log", "--json", "--surface", "auth"])), [] as [&str; 0]);
    world.hook("stop");
    assert_eq!(world.run(&["log", "--json", "--since", "1h"]).json().as_array().unwrap().len(), 1);
    let empty = World::new();
    assert_eq!(empty.run(&["log", "--json", "--agent", "codex"]).stdout, "[]\n");
    assert!(!empty.path(".hansei").exists());
}

#[test]
fn the_index_is_caught_up_once_and_says_what_it_read() {
    let world = world();
    let first = world.run(&["index", "--json"]).json();
    assert_eq!(first["new_events"], 5);
    assert_eq!(first["workspaces"][0]["read"]["records"], 3);
    assert_eq!(
        first["holds"],
        json!({ "streams": 2, "events": 5, "malformed": 0, "sessions": 2, "reflections": 2,
        "verdicts": 1, "runs": 0, "outcomes": 0 })
    );
    assert_eq!(world.run(&["index", "--json"]).json()["new_events"], 0);
    let text = world.run(&["index"]).stdout;
    assert!(text.contains(".hansei/index.db") && text.contains("0 new events"), "{text}");
    assert_eq!(world.git(&["status", "--porcelain"]), "", "the index is not the repository's");
}

#[test]
fn many_at_once_read_every_event_once() {
    let world = world();
    let running: Vec<_> = (0..6)
        .map(|_| {
            world
                .hansei()
                .args(["index", "--json"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let read = running.into_iter().map(|child| {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["new_events"].as_u64().unwrap()
    });
    assert_eq!(read.sum::<u64>(), 5);
    assert_eq!(world.run(&["index", "--check"]).code, 0);
}

#[test]
fn a_deleted_index_is_built_again_equal_and_a_wrong_one_is_found_out() {
    let world = world();
    let check = |code: i32| {
        let ran = world.run(&["index", "--check", "--json"]);
        assert_eq!(ran.code, code, "{} {}", ran.stdout, ran.stderr);
        ran.json()["check"].clone()
    };
    assert_eq!(check(0), json!({ "equal": true, "differs": [] }));
    std::fs::remove_file(world.path(".hansei/index.db")).unwrap();
    assert_eq!(check(0)["equal"], true);
    // A log that is changed without a trace: the same size, the same time.
    let log = world.path(".hansei/log/s1.jsonl");
    let modified = std::fs::metadata(&log).unwrap().modified().unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, text.replace("HIGH", "LOW!")).unwrap();
    std::fs::File::options().write(true).open(&log).unwrap().set_modified(modified).unwrap();
    let found = check(1);
    assert_eq!(found["equal"], false);
    assert!(found["differs"].to_string().contains("verdicts"), "{found}");
    assert_eq!(world.run(&["index", "--rebuild"]).code, 0);
    assert_eq!(check(0)["equal"], true);
    std::fs::write(world.path(".hansei/index.db"), "not a database ".repeat(300)).unwrap();
    let damaged = world.run(&["index"]);
    assert_eq!(damaged.code, 3);
    assert!(damaged.stderr.contains("damaged") && damaged.stderr.contains("--rebuild"), "{}", damaged.stderr);
    assert_eq!(world.run(&["index", "--rebuild"]).code, 0);
    assert_eq!(check(0)["equal"], true);
}

#[test]
fn an_index_of_a_newer_hansei_is_refused_and_the_log_still_works() {
    let world = world();
    world.run(&["index"]);
    let changed = Command::new("python3")
        .args(["-c", "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('update schema_version set version=99'); c.commit()"])
        .arg(world.path(".hansei/index.db"))
        .status();
    assert!(changed.unwrap().success());
    for arguments in [["index", "--json"], ["log", "--agent=codex"]] {
        let ran = world.run(&arguments);
        assert_eq!(ran.code, 3);
        assert!(ran.stderr.contains("newer Hansei") && ran.stderr.contains("99"), "{}", ran.stderr);
    }
    assert_eq!(ids(&world.run(&["log", "--json"])), ["s2-1", "s1-1"]);
}

#[test]
fn an_index_that_cannot_be_written_keeps_nobody_from_reading() {
    let world = world();
    // A folder in its place stops everybody, root too.
    std::fs::create_dir(world.path(".hansei/index.db")).unwrap();
    let ran = world.run(&["log", "--agent", "codex"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("index.db cannot be opened"), "{}", ran.stderr);
    assert_eq!(ids(&world.run(&["log", "--json"])), ["s2-1", "s1-1"]);
}

#[test]
fn the_users_index_has_the_workspaces_that_were_opted_in_and_no_other() {
    let world = world();
    let other = world.outside().join("other");
    std::fs::create_dir(&other).unwrap();
    world.git_in(&other, &["init", "--quiet"]);
    fill(&other);
    assert_eq!(world.run(&["log", "--all", "--json"]).stdout, "[]\n");
    assert!(world.run(&["log", "--all"]).stdout.contains("hansei index --user --add"));
    assert_eq!(world.run(&["index", "--user", "--add"]).code, 0);
    let entries = world.run(&["log", "--all", "--json"]).json();
    assert_eq!(entries.as_array().unwrap().len(), 2);
    assert_eq!(entries[0]["workspace"], world.repo.to_str().unwrap());
    let added = world.run(&["index", "--user", "--add", other.to_str().unwrap(), "--json", "--check"]).json();
    assert_eq!(added["workspaces"].as_array().unwrap().len(), 2);
    assert_eq!(added["check"]["equal"], true);
    let names = |arguments: &[&str]| -> Vec<Value> {
        let entries = world.run(&[["log", "--all", "--json"].as_slice(), arguments].concat()).json();
        entries.as_array().unwrap().iter().map(|entry| entry["workspace"].clone()).collect()
    };
    assert_eq!(names(&["--agent", "codex"]).len(), 2);
    let table = world.run(&["log", "--all"]).stdout;
    assert!(table.contains("WORKSPACE") && table.contains(other.to_str().unwrap()), "{table}");
    assert_eq!(world.run(&["index", "--user", "--remove"]).code, 0);
    assert!(names(&[]).iter().all(|name| name == other.to_str().unwrap()));
    assert_eq!(world.run(&["index", "--user", "--json"]).json()["holds"]["events"], 5);
    let twice = world.run(&["index", "--user", "--remove"]);
    assert_eq!(twice.code, 2);
    assert!(twice.stderr.contains("is not opted in"), "{}", twice.stderr);
}

#[test]
fn a_repository_cannot_name_the_server_and_the_user_can() {
    let server = std::env::var("HANSEI_TEST_POSTGRES")
        .expect("HANSEI_TEST_POSTGRES is not set: `scripts/test` starts a server, see CONTRIBUTING.md");
    let world = world();
    // In the repository's file it is an error where settings of repositories are read, and nothing where they are not.
    world.write("hansei.toml", "[store]\nurl = 'postgresql://evil.example/x'\n");
    let told = world.run(&["config"]);
    assert_eq!(told.code, 2);
    assert!(told.stderr.contains("[store] (url)"), "{}", told.stderr);
    assert!(world.run(&["index"]).stdout.contains(".hansei/index.db"));
    std::fs::remove_file(world.path("hansei.toml")).unwrap();

    let config = world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), format!("[store]\nurl = '{server}'\n")).unwrap();
    let first = world.run(&["index", "--json", "--check"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let first = first.json();
    assert!(first["place"].as_str().unwrap().starts_with("PostgreSQL at "), "{first}");
    assert_eq!((&first["new_events"], &first["check"]["equal"]), (&json!(5), &json!(true)));
    assert_eq!(world.run(&["index", "--json"]).json()["new_events"], 0);
    assert_eq!(ids(&world.run(&["log", "--json", "--search", "pytest"])), ["s1-1"]);
    // The team keeps what the machine deletes.
    std::fs::remove_file(world.path(".hansei/reflections/s1-1.reflection.json")).unwrap();
    assert_eq!(ids(&world.run(&["log", "--json", "--surface", "auth"])), ["s1-1"]);
    assert_eq!(ids(&world.run(&["log", "--json"])), ["s2-1"]);
    assert_eq!(world.run(&["index", "--rebuild"]).code, 2);
    let shown = world.run(&["config"]).stdout;
    assert!(shown.contains("store.url = \"postgresql://…\""), "{shown}");
    std::fs::write(
        config.join("config.toml"),
        "[store]\nurl = 'postgresql://me:fake-secret@127.0.0.1:1/x'\n",
    )
    .unwrap();
    let gone = world.run(&["index"]);
    assert_eq!(gone.code, 3);
    assert!(gone.stderr.contains("127.0.0.1") && !gone.stderr.contains("fake-secret"), "{}", gone.stderr);
}
