//! A second look that is interrupted, that nobody answers or that has no time left, and what is remembered of it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::run_support::{Beside, Stage, Told};
use crate::run_unblock::{ANEW, LOOKS, looks, looping, mends, model, packet, run, text, when};
use crate::verify_support::search_path;

const RATE: &str = "the rate is 25 %";
/// Longer than anybody waits for in these tests.
const SLOW: &str = "    delay_ms: 60000\n";

/// The same world with another model.
fn with(stage: Stage, rules: &str) -> Stage {
    Stage { model: model(rules), ..stage }
}

fn resume(stage: &Stage, name: &str) -> Told {
    let mut command = stage.world.hansei();
    command.env("ANTHROPIC_API_KEY", "sk-ant-fake-000").env("PATH", search_path());
    Told::of(command.args(["resume", name, "--json", "--base-url", &stage.model.url()]))
}

/// A run that the user ends in its second look, once the unblocker's model was asked so often.
fn interrupted(stage: &Stage, arguments: &[&str], asked: usize) -> Told {
    let mut beside =
        Beside::start(stage.command(&[&["--yes"], arguments].concat()).env("PATH", search_path()));
    beside.until("unblock_started");
    let looked = || stage.model.requests().iter().filter(|one| one.body.to_string().contains(LOOKS)).count();
    while looked() < asked {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = rustix::process::Pid::from_child(&beside.child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let told = beside.end();
    assert_eq!(told.code, 130, "{:?} {}", told.kinds(), told.stderr);
    assert_eq!(told.kinds().last(), Some(&"run_interrupted"));
    told
}

/// What the workspace remembers of rescues.
fn remembered(stage: &Stage) -> Vec<Value> {
    let log = std::fs::read_to_string(stage.world.path(".hansei/log/~workspace.jsonl")).unwrap_or_default();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["kind"].as_str().unwrap().starts_with("rescue_")).collect()
}

#[test]
fn ctrl_c_in_a_second_look_is_obeyed_and_what_was_not_handed_on_was_not_tried() {
    let slow = format!("{SLOW}{}", text(&packet(RATE)));
    let stage = looping(&when(&json!({ "system": LOOKS }), &slow));
    let told = interrupted(&stage, &[], 1);
    assert_eq!(told.count("unblocked"), 0, "the answer is not waited for");
    assert_eq!(told.all("unblocker_silent")[0]["why"], "interrupted");
    assert_eq!(remembered(&stage), Vec::<Value>::new());
    let stage = with(stage, &(looks(&packet(RATE)) + &mends()));
    let resumed = resume(&stage, told.run());
    assert_eq!(resumed.ending(), "complete", "{:?}", resumed.lines);
    assert_eq!(resumed.all("unblocked").len(), 1);
    assert_eq!(resumed.all("unblocked")[0]["refused"], Value::Null);
    let kinds: Vec<Value> = remembered(&stage).iter().map(|line| line["kind"].clone()).collect();
    assert_eq!(kinds, ["rescue_proposed", "rescue_worked"]);
}

#[test]
fn what_a_second_look_took_before_it_was_ended_is_on_the_account() {
    let repair = when(
        &json!({ "system": LOOKS, "body": "could not be used" }),
        &format!("{SLOW}{}", text(&packet(RATE))),
    );
    let stage = looping(&(repair + &looks("I have no idea.")));
    let told = interrupted(&stage, &[], 2);
    let spent = &told.all("unblocker_silent")[0]["spent"];
    assert!(spent["input_tokens"].as_u64().unwrap() > 0, "{spent}");
    let shown = stage.hansei(&["runs", "show", told.run(), "--json"]);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let answered = told.all("model_answered");
    let of_coder: u64 = answered.iter().map(|line| line["spent"]["input_tokens"].as_u64().unwrap()).sum();
    assert_eq!(shown["input_tokens"].as_u64().unwrap(), of_coder + spent["input_tokens"].as_u64().unwrap());
}

#[test]
fn a_run_may_hand_on_a_proposal_of_its_own_that_never_reached_it() {
    let slow = format!("{SLOW}{}", text(&packet(RATE)));
    let stage = looping(&when(&json!({ "system": LOOKS }), &slow));
    let told = interrupted(&stage, &[], 1);
    let stage = with(stage, &(looks(&packet(RATE)) + &mends()));
    let url = stage.model.url();
    stage.configure(&format!("[unblock]\nmodel = \"anthropic/claude-scripted\"\nbase_url = \"{url}\"\n"));
    let looked = stage.hansei(&["unblock", "--run", told.run(), "--json"]);
    assert_eq!(looked.code, 0, "{} {}", looked.stdout, looked.stderr);
    assert_eq!(remembered(&stage).len(), 1);
    // Whoever else asks is told that it was proposed; the run that it is for has not heard of it yet.
    assert_eq!(stage.hansei(&["unblock", "--run", told.run(), "--json"]).code, 1);
    let resumed = resume(&stage, told.run());
    assert_eq!(resumed.ending(), "complete", "{:?}", resumed.lines);
}

#[test]
fn a_proposal_is_remembered_once_whenever_the_run_was_killed_behind_it() {
    let works = when(&json!({ "body": ANEW }), &format!("{SLOW}{}", text("Done.")));
    for is_lost in [true, false] {
        let stage = looping(&(looks(&packet(RATE)) + &works));
        let mut beside = Beside::start(stage.command(&["--yes"]).env("PATH", search_path()));
        beside.until("unblocked");
        beside.until("model_asked");
        beside.child.kill().unwrap();
        let told = beside.end();
        if is_lost {
            std::fs::remove_file(stage.world.path(".hansei/log/~workspace.jsonl")).unwrap();
        }
        let stage = with(stage, &mends());
        assert_eq!(resume(&stage, told.run()).ending(), "complete");
        let kinds: Vec<Value> = remembered(&stage).iter().map(|line| line["kind"].clone()).collect();
        assert_eq!(kinds, ["rescue_proposed", "rescue_worked"], "lost: {is_lost}");
    }
}

#[test]
fn what_made_a_run_green_may_be_proposed_again_until_it_comes_to_nothing() {
    let right = looks(&packet(RATE)) + &mends();
    let idle = looks(&packet(RATE)) + &when(&json!({ "body": ANEW }), &text("Done."));
    let mut stage = looping(&right);
    for (number, rules, ending, looked) in [
        (1, &right, "complete", vec!["retry_packet_for_coder"]),
        (2, &right, "complete", vec!["retry_packet_for_coder"]),
        (3, &idle, "gave_up_after_reflections", vec!["retry_packet_for_coder", "need_context"]),
        (4, &right, "gave_up_after_reflections", vec!["need_context"]),
    ] {
        stage = with(stage, rules);
        let told = run(&stage, &[]);
        assert_eq!(told.ending(), ending, "run {number}: {:?}", told.all("unblocked"));
        let kinds: Vec<&Value> = told.all("unblocked").iter().map(|line| &line["answer"]["kind"]).collect();
        assert_eq!(kinds, looked, "run {number}");
        stage.world.git(&["checkout", "--", "."]);
    }
}

#[test]
fn an_unblocker_that_does_not_answer_is_treated_as_a_coder_that_does_not() {
    let error = |words: &str| {
        let silent = when(&json!({ "system": LOOKS }), &format!("    error: {{ {words} }}\n"));
        silent + &looks(&packet(RATE)) + &mends()
    };
    let limit = "status: 429, kind: rate_limit_error, retry_after: 1, times: 1";
    for (words, arguments, silences) in
        [("status: 500, times: 1", &[][..], 1), (limit, &["--wait-for-limit"][..], 1)]
    {
        let told = run(&looping(&error(words)), arguments);
        assert_eq!(told.ending(), "complete", "{words}: {:?}", told.kinds());
        assert_eq!((told.count("unblocker_silent"), told.count("unblocked")), (silences, 1), "{words}");
        assert_eq!(told.count("limit_waited_out"), usize::from(!arguments.is_empty()), "{words}");
    }
    for (words, silences, cause) in [("status: 503, times: 2", 2, "503"), (limit, 1, "limit is reached")] {
        let stage = looping(&error(words));
        let told = run(&stage, &[]);
        let last = told.last();
        assert_eq!((told.code, &last["kind"], &last["pause"]), (1, &json!("run_parked"), &json!("parked")));
        assert!(last["reason"].as_str().unwrap().contains(cause), "{last}");
        assert_eq!((told.count("unblocker_silent"), told.count("unblocked")), (silences, 0), "{words}");
        assert_eq!(resume(&stage, told.run()).ending(), "complete", "{words}");
    }
    // What stays is not waited for, and is told.
    let told = run(&looping(&error("status: 401")), &[]);
    assert_eq!(told.ending(), "gave_up_after_reflections");
    assert!(told.last()["why"].as_str().unwrap().contains("is the key right?"), "{}", told.last());
}

#[test]
fn a_second_look_has_no_more_time_than_the_run() {
    let slow = format!("{SLOW}{}", text(&packet(RATE)));
    let stage = looping(&when(&json!({ "system": LOOKS }), &slow));
    let told = interrupted(&stage, &["--max-minutes", "1"], 1);
    // The record says that the work has taken 54 seconds.
    let path = stage.world.path(&format!(".hansei/log/{}.jsonl", told.run()));
    let log = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (number, line) in lines.iter_mut().enumerate() {
        let second = if number == 0 { "00" } else { "54" };
        line["time"] = json!(format!("2026-11-16T10:00:{second}.000000Z"));
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, lines.concat()).unwrap();
    let resumed = resume(&stage, told.run());
    assert_eq!(resumed.ending(), "gave_up_after_reflections", "{:?}", resumed.kinds());
    assert_eq!(resumed.count("unblocked"), 0);
    assert!(resumed.last()["why"].as_str().unwrap().contains("nothing is left"), "{}", resumed.last());
}

#[test]
fn what_a_run_hands_up_is_shown_with_it() {
    let stage = looping(&looks("I have no idea."));
    let told = run(&stage, &[]);
    assert_eq!(told.ending(), "gave_up_after_reflections");
    let shown = stage.hansei(&["runs", "show", told.run()]).stdout;
    assert!(shown.contains("<ESCALATION>") && shown.contains("</ESCALATION>"), "{shown}");
    let shown: Value =
        serde_json::from_str(&stage.hansei(&["runs", "show", told.run(), "--json"]).stdout).unwrap();
    assert_eq!(shown["escalation"], told.last()["escalation"]);
    assert_eq!(shown["escalation"]["attempt"], 4, "{shown}");
    let stage = with(stage, &(looks(&packet(RATE)) + &mends()));
    let told = run(&stage, &[]);
    assert_eq!(told.ending(), "complete");
    assert!(!stage.hansei(&["runs", "show", told.run()]).stdout.contains("ESCALATION"));
    let shown: Value =
        serde_json::from_str(&stage.hansei(&["runs", "show", told.run(), "--json"]).stdout).unwrap();
    assert_eq!(shown["escalation"], Value::Null);
}
