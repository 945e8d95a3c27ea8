//! The review of a Spec, between processes: one request, exactly one reply, one id.

use serde_json::Value;

use crate::run_support::{Beside, PLAN, Stage, Told, says, shell};
use crate::support::{Ran, World};

fn stage() -> Stage {
    Stage::with(&[PLAN, &shell("touch done.txt"), &says("Done.")])
}

/// Requests and replies, in order.
fn reviews(told: &Told) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    told.lines
        .iter()
        .filter(|line| line["kind"].as_str().unwrap().starts_with("spec_review"))
        .map(|line| (text(&line["spec_review_id"]), text(&line["decision"])))
        .collect()
}

#[test]
fn ae4_execution_waits_until_the_plan_is_confirmed_from_another_terminal() {
    let stage = stage();
    let mut run = Beside::start(&mut stage.command(&[]));
    let request = run.until("spec_review_request");
    let name = request["run"].as_str().unwrap();
    assert_eq!(request["spec_review_id"], format!("{}:spec_review", request["spec_id"].as_str().unwrap()));
    assert_eq!((&request["goal"], &request["steps"][0]), (&"done.txt is there".into(), &"write it".into()));
    assert!(!stage.world.path("done.txt").exists());
    let standing = stage.hansei(&["runs", "--json"]).json();
    assert_eq!(standing[0]["standing"], "waiting_for_review");
    assert_eq!(stage.hansei(&["approve", name]).code, 0);
    let told = run.end();
    assert_eq!(told.ending(), "complete");
    assert_eq!(reviews(&told).len(), 2);
    assert_eq!(reviews(&told)[1].1, "confirm");
    let spec = stage.world.path(&format!(".hansei/specs/{}.yaml", request["spec_id"].as_str().unwrap()));
    assert!(std::fs::read_to_string(spec).unwrap().contains("status: confirmed"));
}

#[test]
fn a_rejected_plan_is_written_again_and_reviewed_again() {
    let stage = Stage::with(&[PLAN, PLAN, &shell("touch done.txt"), &says("Done.")]);
    let mut run = Beside::start(&mut stage.command(&[]));
    let first = run.until("spec_review_request");
    let name = first["run"].as_str().unwrap().to_owned();
    let no = stage.hansei(&["reject", &name, "--feedback", "smaller steps, please", "--json"]);
    assert_eq!(no.json()["decision"], "reject");
    let second = run.until("spec_review_request");
    assert_ne!(first["spec_review_id"], second["spec_review_id"], "another Spec, another review");
    assert_eq!(stage.hansei(&["approve", second["spec_review_id"].as_str().unwrap()]).code, 0);
    assert_eq!(run.end().ending(), "complete");
    let requests = stage.model.stop();
    assert!(requests[1].body.to_string().contains("smaller steps, please"));
}

#[test]
fn a_review_that_nobody_answers_is_parked_and_resumed_under_the_same_id() {
    let stage = stage();
    stage.configure("[run]\nreview_minutes = 0\n");
    let told = stage.run(&[]);
    assert_eq!((told.code, told.kinds().last()), (1, Some(&"run_parked")), "{:?}", told.kinds());
    assert_eq!(reviews(&told)[1].1, "timeout");
    assert_eq!(told.last()["pause"], "parked");
    assert_eq!(stage.hansei(&["runs", "--json"]).json()[0]["standing"], "parked", "not failed");
    let late = stage.hansei(&["approve", told.run()]);
    assert_eq!((late.code, late.stderr.contains("hansei resume")), (2, true), "{}", late.stderr);
    let resumed = stage.resume(told.run(), &["--yes"]);
    assert_eq!(resumed.ending(), "complete");
    assert_eq!(reviews(&resumed)[0].0, reviews(&told)[0].0, "the same id");
    assert_eq!(reviews(&resumed)[1].1, "confirm");
}

#[test]
fn a_run_that_is_ended_during_the_review_closes_it_and_can_go_on() {
    let stage = stage();
    let mut run = Beside::start(&mut stage.command(&[]));
    let request = run.until("spec_review_request");
    let id = rustix::process::Pid::from_child(&run.child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let told = run.end();
    assert_eq!(reviews(&told).len(), 2, "closed on every path");
    assert_eq!(reviews(&told)[1].1, "cancel");
    let resumed = stage.resume(told.run(), &["--yes"]);
    assert_eq!(resumed.ending(), "complete");
    assert_eq!(reviews(&resumed)[0].0, request["spec_review_id"]);
}

#[test]
fn a_run_that_is_killed_during_the_review_can_be_approved_and_goes_on() {
    let stage = stage();
    let mut run = Beside::start(&mut stage.command(&[]));
    let name = run.until("spec_review_request")["run"].as_str().unwrap().to_owned();
    run.child.kill().unwrap();
    run.child.wait().unwrap();
    assert_eq!(stage.hansei(&["approve", &name]).code, 0);
    let resumed = stage.resume(&name, &[]);
    assert_eq!(resumed.ending(), "complete");
    let all = stage.world.log(&name);
    let count = |kind: &str| all.iter().filter(|line| line["kind"] == kind).count();
    assert_eq!((count("spec_review_request"), count("spec_review_reply")), (1, 1));
}

#[test]
fn only_the_plan_is_written_where_that_is_wanted() {
    let stage = stage();
    let told = stage.run(&["--plan"]);
    assert_eq!((told.code, told.kinds().last()), (1, Some(&"run_parked")));
    assert!(!stage.world.path("done.txt").exists());
    let approved = stage.hansei(&["approve", "last"]);
    assert_eq!((approved.code, approved.stderr.contains("hansei resume")), (0, true), "{}", approved.stderr);
    assert_eq!(stage.resume(told.run(), &[]).ending(), "complete");
}

#[test]
fn what_does_not_exist_cannot_be_approved() {
    let stage = stage();
    for command in ["approve", "reject", "resume"] {
        assert_eq!(stage.hansei(&[command, "run-1"]).code, 2, "{command}");
    }
    let told = stage.run(&["--plan"]);
    let other = format!("{}-plan-7:spec_review", told.run());
    let ran = stage.hansei(&["approve", &other]);
    assert_eq!((ran.code, ran.stderr.contains("plan-1:spec_review")), (2, true), "{}", ran.stderr);
    assert_eq!(stage.hansei(&["reject", "last", "--abort"]).code, 0);
    let over = stage.resume(told.run(), &[]);
    assert_eq!(over.ending(), "aborted");
    assert_eq!(stage.hansei(&["approve", "last"]).code, 2, "it is over");
}

#[test]
fn an_agent_cannot_approve_its_own_plan() {
    let stage = stage();
    let told = stage.run(&["--plan"]);
    let mut command = stage.world.hansei();
    command.args(["approve", told.run()]).env("CLAUDECODE", "1");
    let ran = Ran::of(&mut command, b"");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(stage.hansei(&["runs", "--json"]).json()[0]["standing"], "waiting_for_review");
}

#[test]
fn nothing_is_written_before_the_plan_is_confirmed() {
    let early = shell("touch early.txt");
    let look = "  - tool: { name: list_files, input: {} }\n";
    let stage = Stage::with(&[&early, look, PLAN, &shell("touch done.txt"), &says("Done.")]);
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "complete", "{:?}", told.kinds());
    assert!(!stage.world.path("early.txt").exists());
    assert!(told.all("tool_returned")[0]["text"].as_str().unwrap().contains("plan_first"));
    assert_eq!(told.all("tool_returned")[1]["ok"], true, "looking is allowed");
}

#[test]
fn a_record_that_came_with_a_repository_opens_nothing() {
    // A log that names a host and says that commands need no sandbox.
    let stage = Stage::of(World::new(), &format!("steps:\n{}", says("Hm.")));
    let started = serde_json::json!({
        "v": 1, "seq": 1, "time": "2026-11-15T10:40:00Z", "kind": "run_started", "run": "run-1", "task": "x",
        "mode": "react", "model": "anthropic/claude-x", "base_url": "http://evil.example/", "max_steps": 10,
        "max_reflections": 2, "max_reinjections": 0, "review_minutes": 30, "sandboxed": false,
    });
    stage.world.write(".hansei/log/run-1.jsonl", format!("{started}\n"));
    let told = stage.resume("run-1", &[]);
    assert_eq!((told.code, told.stderr.contains("--base-url")), (2, true), "{}", told.stderr);
    let ran = stage.world.path("ran");
    let evil = serde_json::json!({
        "v": 1, "seq": 1, "time": "2026-11-15T10:40:00Z", "kind": "run_started", "run": "run-2", "task": "x",
        "mode": "react", "agent": format!("acp:touch {}", ran.display()), "model": "", "max_steps": 10,
        "max_reflections": 2, "max_reinjections": 0, "review_minutes": 30,
    });
    stage.world.write(".hansei/log/run-2.jsonl", format!("{evil}\n"));
    let told = stage.resume("run-2", &[]);
    assert_eq!((told.code, told.stderr.contains("--agent")), (2, true), "{}", told.stderr);
    assert!(!ran.exists());
}

/// Runs a command at a terminal of its own, where a person types `keys`.
fn at_a_terminal(command: &std::process::Command, keys: &str) -> Ran {
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| format!("'{}'", word.to_str().unwrap()))
        .collect();
    let mut terminal = std::process::Command::new("script");
    terminal.args([
        "--quiet",
        "--return",
        "--flush",
        "--echo",
        "never",
        "--command",
        &words.join(" "),
        "/dev/null",
    ]);
    terminal.env_clear().current_dir(command.get_current_dir().unwrap());
    terminal.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Ran::of(&mut terminal, keys.as_bytes())
}

/// `hansei run` as a person starts it.
fn by_hand(stage: &Stage) -> std::process::Command {
    let mut command = stage.world.hansei();
    command.env("ANTHROPIC_API_KEY", "sk-ant-fake-000");
    command.args([
        "run",
        "--model",
        "anthropic/claude-scripted",
        "--base-url",
        &stage.model.url(),
        "make it so",
    ]);
    command
}

#[test]
fn at_a_terminal_the_plan_is_shown_and_asked_about() {
    let stage = stage();
    let ran = at_a_terminal(&by_hand(&stage), "what?\ny mind the cat\n");
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    for part in [
        "done.txt is there",
        "1. write it",
        "verified by: test -f done.txt",
        "[y]es",
        "think 1/7",
        "verify 1/2",
        "complete",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} is missing in {}", ran.stdout);
    }
    assert!(stage.model.stop()[1].body.to_string().contains("mind the cat"));
}

#[test]
fn at_a_terminal_a_plan_is_sent_back_edited_and_called_off() {
    let stage = Stage::with(&[PLAN, PLAN, &shell("touch done.txt"), &says("Done.")]);
    let editor = stage.world.outside().join("editor.sh");
    std::fs::write(&editor, "#!/bin/sh\nsed -i 's/write it/write it twice/' \"$1\"\n").unwrap();
    let mut command = by_hand(&stage);
    command.env("EDITOR", format!("sh {}", editor.display()));
    let ran = at_a_terminal(&command, "n\ntoo short\ne\ny\n");
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let requests = stage.model.stop();
    assert!(requests[1].body.to_string().contains("too short"));
    assert!(requests[2].body.to_string().contains("write it twice"), "the edited plan is the one that holds");
    let stage = self::stage();
    let ran = at_a_terminal(&by_hand(&stage), "q\n");
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("aborted"), "{}", ran.stdout);
    assert!(!stage.world.path("done.txt").exists());
}
