//! The gate, which only the three experiments or the user's own word can open.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Ran, World};

/// A file of confidences that tell right from wrong, or do not.
fn confidences(world: &World, tells: bool) {
    let rows = (0..200).fold(String::new(), |mut rows, n| {
        let confidence = 0.8 + f64::from(n % 20) / 100.0;
        let correct = if tells { n % 20 >= 10 } else { n % 2 == 0 };
        writeln!(rows, "{}", json!({ "confidence": confidence, "correct": correct })).unwrap();
        rows
    });
    std::fs::write(world.outside().join("p1.jsonl"), rows).unwrap();
}

/// A board with a sign on so many of a hundred tasks.
fn board(world: &World, signs: u32) {
    let rows = (0..100).fold(String::from("id,completed_at,reopened_at\n"), |mut rows, n| {
        writeln!(rows, "{n},2026-01-01,{}", if n < signs { "2026-01-05" } else { "" }).unwrap();
        rows
    });
    std::fs::write(world.outside().join("p3.csv"), rows).unwrap();
}

/// Commits that were taken back, for reasons that CI would have seen, or that nobody could but the one who did it.
fn history(world: &World, why: &str, count: u32) {
    for number in 0..count {
        world.write("src/lib.rs", format!("fn f() {{ {number} }}\n"));
        world.commit(&format!("Change the result to {number}"));
        let change = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
        world.write("src/lib.rs", "fn f() {}\n");
        world.commit(&format!(
            "Revert \"Change the result to {number}\"\n\nThis reverts commit {change}.\n\n{why}\n"
        ));
    }
}

const SILENT: &str = "It gave wrong results for customers with no error and every test green.";
const RED: &str = "It broke the build: the tests fail on CI.";

fn gate(world: &World) -> (Ran, Value) {
    let (p1, p3) = (world.outside().join("p1.jsonl"), world.outside().join("p3.csv"));
    let ran = world.run(&[
        "gate",
        "--json",
        "--calibration",
        p1.to_str().unwrap(),
        "--board",
        p3.to_str().unwrap(),
        "--board-format",
        "csv",
    ]);
    let answer = ran.json();
    (ran, answer)
}

fn statuses(answer: &Value) -> [&str; 3] {
    [0, 1, 2].map(|at| answer["experiments"][at]["status"].as_str().unwrap())
}

#[test]
fn a_fresh_workspace_is_closed_and_says_what_is_missing() {
    let world = World::new();
    let ran = world.run(&["gate", "--json"]);
    let answer = ran.json();
    assert_eq!(ran.code, 1);
    assert_eq!(
        [&answer["open"], &answer["mode"], &answer["override"]],
        [&json!(false), &json!("closed"), &Value::Null]
    );
    assert_eq!(statuses(&answer), ["not_enough_data"; 3]);
    assert_eq!(answer["reasons"].as_array().unwrap().len(), 3);
    for condition in ["P1 is killed", "P2 is killed", "P3 is killed"] {
        assert!(ran.stderr.contains(condition), "{}", ran.stderr);
    }
    assert!(!world.path(".hansei").exists(), "asking leaves no trace");
    let page = world.run(&["gate"]);
    assert_eq!(page.code, 1);
    assert!(page.stdout.contains("the gate is closed"), "{}", page.stdout);
    assert!(page.stdout.find("P1 is killed").unwrap() < page.stdout.find("the gate is").unwrap());
}

#[test]
fn three_passes_open_it_and_each_killed_experiment_closes_it() {
    for (tells, why, reverts, signs, found, mode) in [
        (true, SILENT, 12, 50, ["pass", "pass", "pass"], "automatic"),
        (false, SILENT, 12, 50, ["killed", "pass", "pass"], "closed"),
        (true, RED, 80, 50, ["pass", "killed", "pass"], "closed"),
        (true, SILENT, 12, 5, ["pass", "pass", "killed"], "caveat_notes_only"),
        (true, SILENT, 3, 50, ["pass", "not_enough_data", "pass"], "closed"),
    ] {
        let world = World::new();
        confidences(&world, tells);
        board(&world, signs);
        history(&world, why, reverts);
        let (ran, answer) = gate(&world);
        assert_eq!(statuses(&answer), found, "{answer:#}");
        assert_eq!(answer["mode"], mode);
        assert_eq!(answer["open"], mode == "automatic");
        assert_eq!(ran.code, i32::from(mode != "automatic"));
    }
}

#[test]
fn an_override_is_on_record_and_in_every_later_report() {
    let world = World::new();
    world.hook("stop");
    for arguments in [&["gate", "override"][..], &["gate", "override", "--why", "  "]] {
        assert_eq!(world.run(arguments).code, 2, "{arguments:?}");
    }
    world.git(&["config", "user.name", "Ada"]);
    let ran = world.run(&["gate", "override", "--why", "a pilot until Friday"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = world.run(&["gate", "--json"]);
    let answer = ran.json();
    assert_eq!(ran.code, 0);
    assert_eq!([&answer["open"], &answer["mode"]], [&json!(true), &json!("overridden")]);
    assert_eq!(answer["override"]["why"], "a pilot until Friday");
    assert!(answer["override"]["who"].as_str().unwrap().contains("Ada"));
    assert!(answer["override"]["time"].is_string());
    assert_eq!(statuses(&answer), ["not_enough_data"; 3], "it changes no experiment");
    let told = "opened by hand";
    for arguments in [
        &["gate"][..],
        &["digest"],
        &["stats"],
        &["log"],
        &["experiment", "board-history", "--from-store"],
        &["experiment", "calibration", "--from-store"],
        &["experiment", "git-history", "--repo", "."],
    ] {
        let ran = world.run(arguments);
        assert!(ran.stdout.contains(told), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    }
    for arguments in [
        &["digest", "--json"][..],
        &["stats", "--json"],
        &["experiment", "board-history", "--from-store", "--json"],
    ] {
        let answer = world.run(arguments).json();
        assert_eq!(answer["gate_override"]["why"], "a pilot until Friday", "{arguments:?}");
    }
    assert_eq!(world.run(&["gate", "override", "--end"]).code, 0);
    assert_eq!(world.run(&["gate"]).code, 1);
    assert!(!world.run(&["digest"]).stdout.contains(told));
}

#[test]
fn an_agent_cannot_open_it() {
    let world = World::new();
    world.hook("stop");
    let mut command = world.hansei();
    command.env("CLAUDECODE", "1").args(["gate", "override", "--why", "I am sure"]);
    assert_eq!(Ran::of(&mut command, b"").code, 1);
    assert_eq!(world.run(&["gate"]).code, 1);
}

#[test]
fn thresholds_that_changed_after_data_was_seen_are_shown() {
    let world = World::new();
    world.hook("stop");
    world.run(&["gate"]);
    let log = world.path(".hansei/log/~workspace.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    let read: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(read["kind"], "experiment_read");
    let digest = read["registration"].as_str().unwrap();
    // As if a program with other thresholds had read this workspace first.
    std::fs::write(&log, text.replacen(digest, &"0".repeat(64), 1)).unwrap();
    let answer = world.run(&["gate", "--json"]).json();
    for at in 0..3 {
        assert_eq!(answer["experiments"][at]["registration"]["changed_since"]["digest"], "0".repeat(64));
    }
    assert!(world.run(&["gate"]).stdout.contains("changed after data was seen"));
    let page = world.run(&["experiment", "board-history", "--from-store"]).stdout;
    assert!(page.contains("changed after data was seen"), "{page}");
}
