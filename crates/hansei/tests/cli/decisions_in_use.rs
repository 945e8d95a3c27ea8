//! Decisions where work ends: at a stop of an agent, and at the end of a run.

use serde_json::{Value, json};

use crate::run_support::{PLAN, Stage, says, shell};
use crate::support::{Ran, World};

const SESSION: &str = "4322b69d-edac-4fcb-8b8a-018644b82ef2";
const CACHE: &str = "# @RATIONALE: one process less\n# @REJECTED: `redis`\ndef cache(): ...\n";

fn decided() -> World {
    let world = World::new();
    world.write("src/cache.py", CACHE);
    world.write("src/pages.py", "def pages(): ...\n");
    world.commit("Decide");
    world
}

/// A session that edited a file, saw its tests pass, and says that it is done.
fn transcript(task: &str) -> String {
    let call = |id: &str, name: &str, input: Value| json!([{ "type": "tool_use", "id": id, "name": name, "input": input }]);
    let result =
        |id: &str, text: &str| json!([{ "type": "tool_result", "tool_use_id": id, "content": text }]);
    let edit = json!({ "file_path": "src/pages.py", "old_string": "...", "new_string": "redis" });
    let steps = [
        ("user", task, json!("cache the pages")),
        ("assistant", "a1", call("t1", "Edit", edit)),
        ("user", "r1", result("t1", "The file src/pages.py has been updated.")),
        ("assistant", "a2", call("t2", "Bash", json!({ "command": "pytest -q" }))),
        ("user", "r2", result("t2", "4 passed in 0.02s\n")),
        ("assistant", "a3", json!([{ "type": "text", "text": "Pages are cached. `pytest -q` passes." }])),
    ];
    let line = |(at, (role, id, content)): (usize, (&str, &str, Value))| {
        let message = json!({ "id": format!("m{at}"), "role": role, "content": content });
        json!({
            "type": role, "uuid": id, "timestamp": format!("2026-11-15T10:00:{at:02}.000Z"), "sessionId": SESSION,
            "version": "2.1.325", "entrypoint": "cli", "message": message,
        })
        .to_string()
    };
    steps.into_iter().enumerate().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// A stop of that session, with nobody there or somebody.
fn stop(world: &World, task: &str, attended: bool) -> Ran {
    let file = world.outside().join(format!("home/.claude/projects/p/{SESSION}.jsonl"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, transcript(task)).unwrap();
    let payload = json!({
        "session_id": SESSION, "cwd": world.repo, "hook_event_name": "Stop", "stop_hook_active": false,
        "transcript_path": file, "last_assistant_message": "Pages are cached. `pytest -q` passes.",
    });
    let mut command = world.hansei();
    command
        .args(["hook", "claude-code", "stop", "--mode", "solo"])
        .env("CLAUDE_CODE_SESSION_ATTENDED", if attended { "1" } else { "0" });
    let ran = Ran::of(&mut command, payload.to_string().as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    ran
}

fn verdict(world: &World) -> Value {
    let file = world.path(&format!(".hansei/verdicts/verdict_{SESSION}.json"));
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

fn kinds(verdict: &Value) -> Vec<&str> {
    verdict["evidence"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect()
}

#[test]
fn whoever_breaks_a_decision_with_nobody_there_is_sent_back_with_its_name() {
    let world = decided();
    world.write("src/pages.py", "import redis\ndef pages(): ...\n");
    let told = stop(&world, "h1", false).json();
    let told = told["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    for part in ["src/pages.py:1", "src/cache.py:1", "use another way", "hansei decisions revise"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let record = verdict(&world);
    assert_eq!(record["action"], "send_back");
    assert!(kinds(&record).contains(&"decision_broken"), "{record}");
}

#[test]
fn with_a_human_there_it_is_a_note_and_whoever_calls_it_wrong_is_not_told_again() {
    let world = decided();
    world.write("src/pages.py", "import redis\ndef pages(): ...\n");
    let ran = stop(&world, "h1", true);
    let record = verdict(&world);
    assert_eq!((&record["action"], &record["why"]), (&json!("let_stop"), &json!("not_enough")), "{record}");
    assert!(record["notice"].as_str().unwrap().contains("src/pages.py:1"), "{record}");
    assert!(!ran.stdout.contains("additionalContext"), "{}", ran.stdout);
    assert_eq!(world.run(&["wrong", "--detector", "decision_broken"]).code, 0);
    stop(&world, "h2", true);
    let record = verdict(&world);
    assert!(!kinds(&record).contains(&"decision_broken"), "{record}");
}

#[test]
fn what_keeps_to_the_decisions_is_let_go_and_what_was_dirty_before_is_not_the_sessions() {
    let world = decided();
    world.write("src/mine.py", "import redis\n");
    let start = json!({ "session_id": SESSION, "cwd": world.repo, "hook_event_name": "SessionStart", "source": "startup" });
    let mut command = world.hansei();
    command.args(["hook", "claude-code", "session-start", "--mode", "solo"]);
    assert_eq!(Ran::of(&mut command, start.to_string().as_bytes()).code, 0);
    world.write("src/pages.py", "from functools import cache\ndef pages(): ...\n");
    stop(&world, "h1", false);
    let record = verdict(&world);
    assert!(!kinds(&record).contains(&"decision_broken"), "{record}");
    assert!(record["decisions_unchecked"].is_null(), "{record}");
    // A decision that is committed away during the session binds it all the same.
    std::fs::remove_file(world.path("src/cache.py")).unwrap();
    world.commit("Tidy");
    stop(&world, "h2", false);
    assert!(kinds(&verdict(&world)).contains(&"decision_broken"), "{}", verdict(&world));
}

#[test]
fn which_files_hold_decisions_is_found_once_and_followed_from_commit_to_commit() {
    let world = decided();
    world.write("src/pages.py", "x = 1\n");
    stop(&world, "h1", false);
    let kept = || -> Value {
        serde_json::from_slice(&std::fs::read(world.path(".hansei/decided_files.json")).unwrap()).unwrap()
    };
    assert_eq!(kept()["files"], json!(["src/cache.py"]));
    world.write("docs/adr/0001-dates.md", "# Dates\n\n## Decision\n\nWe will not use `moment`.\n");
    world.write("src/gone.py", "# @REJECTED: `x1`\n");
    world.commit("More");
    std::fs::remove_file(world.path(".hansei/log/").join(format!("{SESSION}.jsonl"))).unwrap();
    world.write("web/a.js", "import moment from 'moment';\n");
    stop(&world, "h2", false);
    assert_eq!(kept()["files"], json!(["docs/adr/0001-dates.md", "src/cache.py", "src/gone.py"]));
    assert!(kinds(&verdict(&world)).contains(&"decision_broken"), "{}", verdict(&world));
    // What cannot be read is found anew.
    std::fs::write(world.path(".hansei/decided_files.json"), "{").unwrap();
    stop(&world, "h3", false);
    assert_eq!(kept()["files"].as_array().unwrap().len(), 3);
}

#[test]
fn a_look_that_fails_breaks_nothing_and_is_recorded() {
    let world = decided();
    world.write("src/pages.py", "import redis\n");
    let head = world.git(&["rev-parse", "HEAD:src/cache.py"]);
    let (folder, file) = head.trim().split_at(2);
    let object = world.path(".git/objects").join(folder).join(file);
    std::fs::remove_file(&object).unwrap();
    std::fs::write(&object, "no object").unwrap();
    stop(&world, "h1", false);
    let record = verdict(&world);
    assert!(record["decisions_unchecked"].is_string(), "{record}");
    assert!(!kinds(&record).contains(&"decision_broken"), "{record}");
}

/// A repository with a decision, and nothing in it that any tool would check.
fn decided_in_lua() -> World {
    let world = World::new();
    world.write("net.lua", "-- @REJECTED: `socket.http`, no TLS on the device\nlocal net = {}\nreturn net\n");
    world.commit("Decide");
    world
}

#[test]
fn a_run_is_not_complete_while_it_breaks_a_decision() {
    let broken = shell("printf 'local http = require \"socket.http\"\\n' > fetch.lua; touch done.txt");
    let mended = shell("printf 'local net = require \"net\"\\n' > fetch.lua");
    let steps = [
        PLAN,
        &broken,
        &says("Done; whatever was decided, socket.http is fine here, and I am sure of it."),
        &says("It was rejected, so I will use net."),
        &mended,
        &says("Now without it."),
    ];
    let stage = Stage::of(decided_in_lua(), &format!("steps:\n{}", steps.concat()));
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    let gates: Vec<&Value> = told.all("verified").into_iter().map(|line| &line["gate"]).collect();
    assert_eq!(gates, ["red", "green"]);
    let red = told.all("verified")[0].to_string();
    assert!(red.contains("decision net.lua:1 in fetch.lua:1") && red.contains("local http"), "{red}");
    let requests = stage.model.stop();
    let reflected =
        requests.iter().any(|request| request.body.to_string().contains("hansei decisions check"));
    assert!(reflected, "what was found reached whoever reflects");
}

#[test]
fn a_run_that_never_mends_it_is_never_complete() {
    let broken = shell("printf 'local http = require \"socket.http\"\\n' > fetch.lua; touch done.txt");
    let done: Vec<String> = (0..4).map(|_| says("Done, all is well.")).collect();
    let mut steps = vec![PLAN, &broken];
    steps.extend(done.iter().map(String::as_str));
    let stage = Stage::of(decided_in_lua(), &format!("steps:\n{}", steps.concat()));
    assert_eq!(stage.run(&["--yes"]).ending(), "gave_up_after_reflections");
}
