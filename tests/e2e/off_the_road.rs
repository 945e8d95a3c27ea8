//! What is not the plain road from a prompt to a stop: an API error, an abort, a compaction, a sub-agent. None of them
//! may be taken for the session's stop, and each must be told afterwards.
//!
//! What cannot be provoked, or leaves no trace:
//! - Gemini CLI calls no hook on an API error and writes nothing about it, nor about an interruption; it has no hook
//!   after a compaction either (`PreCompress` fires before every call, compaction or not).
//! - Codex has no hook for a failed turn; its session file tells.
//! - Claude Code has no hook for an interruption; its session file tells.
//! - `opencode run` and `kilo run` die of an interrupt without a word. Their abort is the one of the interface, which is
//!   an endpoint of their servers.

use std::time::{Duration, Instant};

use crate::agent::Agent;
use crate::compaction::the_nudge_reached_the_next_request;
use crate::records::{Told, every_session_can_be_exported};
use crate::running::{LONGEST_RUN, Running};
use crate::world::{answered_by, story};

/// What an API error leaves: the log of Hansei, and the words that the session tells of it.
pub fn an_api_error_is_not_a_stop(agent: Agent, log: &[&str], told: Option<&str>) {
    // A hook that the agent does not wait for may end after the agent, and is ended with it where the machine is busy.
    let all_came = (0..3).any(|_| api_error(agent, log, told));
    assert!(all_came, "three times the log was short of {log:?}");
}

/// One such run; whether every hook came to write its line.
fn api_error(agent: Agent, log: &[&str], told: Option<&str>) -> bool {
    let (world, model) = agent.world(
        "
aside: A title
steps:
  - text: I will write it.
    tool: { name: shell, input: { command: echo open > login.txt } }
  - error: { status: 400, message: the model is out of order }
",
    );
    let ran = agent.run(&world, &model, "write the login");
    let story = story(&model.stop());
    assert_ne!(ran.code, Some(0), "{ran}\n{story}");
    let came = || Told::about(&world, "write the login").log.len() >= log.len();
    let until = Instant::now() + Duration::from_secs(10);
    while !came() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(100));
    }
    if !came() {
        return false;
    }
    let session = Told::about(&world, "write the login");
    let sorted = |mut log: Vec<String>| {
        log.sort();
        log
    };
    let expected = log.iter().map(|kind| (*kind).to_owned()).collect();
    assert_eq!(sorted(session.log.clone()), sorted(expected), "{session}\n{ran}\n{story}");
    assert!(session.reflections.is_empty(), "{session}");
    let failed = session.last_turn()["failed"].as_str();
    match told {
        Some(words) => assert!(failed.is_some_and(|failed| failed.contains(words)), "{session}"),
        None => assert_eq!(failed, None, "it tells now: assert on it"),
    }
    assert_eq!(session.last_turn()["aborted"], false, "{session}");
    assert_eq!(session.calls("run").len(), 1, "{session}");
    every_session_can_be_exported(&world);
    true
}

/// A human presses Ctrl-C while a command runs.
pub fn an_interruption_is_not_a_stop(agent: Agent, log: &[&str], told: bool) {
    let (world, model) = agent.world(
        "
aside: A title
steps:
  - text: I will wait.
    tool: { name: shell, input: { command: echo begun > begun.txt; sleep 120 } }
  - text: I waited.
",
    );
    let mut command = (agent.command)(&world, &model, "wait for me");
    let running = Running::of(&mut command);
    wait_for(|| world.read("begun.txt").is_some());
    running.signal("INT");
    let ran = running.end();
    let story = story(&model.stop());
    assert!(!ran.stdout.contains("I waited."), "{ran}\n{story}");
    let session = Told::about(&world, "wait for me");
    assert_eq!(session.log, log, "{session}\n{ran}\n{story}");
    assert!(session.reflections.is_empty(), "{session}");
    assert_eq!(session.last_turn()["aborted"], told, "{session}");
    assert_eq!(session.last_turn()["failed"], serde_json::Value::Null, "{session}");
    every_session_can_be_exported(&world);
}

/// A sub-agent of the kind `helper` is asked, and its stop is reported so many times.
pub fn a_sub_agent_is_not_the_session(agent: Agent, helper: &str, reported: usize) {
    let (world, model) = agent.world(&format!(
        "
aside: A title
rules:
  - when: {{ last_user: look for the needle, turn: 0 }}
    text: The needle is in the hay.
steps:
  - tool: {{ name: task, input: {{ prompt: look for the needle, agent: {helper} }} }}
  - delay_ms: 500
    text: Found.
"
    ));
    let ran = agent.run(&world, &model, "find it");
    let story = story(&model.stop());
    assert!(ran.code == Some(0) && ran.stdout.contains("Found."), "{ran}\n{story}");
    let session = Told::about(&world, "find it");
    a_sub_agent_was_asked(&session, reported);
    assert_eq!(session.count("captured"), session.reflections.len(), "{session}");
    // An agent that is told of its sub-agent's end in a turn of its own stops a second time, at the same task.
    let attempts: Vec<u64> = session.reflections.iter().rev().map(attempt).collect();
    assert!(attempts == [1] || attempts == [1, 2], "{session}\n{story}");
    every_session_can_be_exported(&world);
}

fn attempt(reflection: &serde_json::Value) -> u64 {
    reflection["provenance"]["reflection_attempt"].as_u64().unwrap()
}

/// What a sub-agent is told is no task of the human's, and its stop is none of the session's.
pub fn a_sub_agent_was_asked(session: &Told, reported: usize) {
    assert_eq!(session.count("task_started"), 1, "{session}");
    assert_eq!(session.count("subagent-stop"), reported, "{session}");
    assert_eq!(session.shown["tasks"].as_array().unwrap().len(), 1, "{session}");
    let asked = session.calls("delegate");
    assert_eq!(asked.len(), 1, "{session}");
    assert!(asked[0]["action"]["request"].as_str().unwrap().contains("look for the needle"), "{session}");
}

/// The context is full after a step: `usage` tokens, where `summariser` is in what the agent asks for a summary.
pub fn a_compaction_is_an_epoch(agent: Agent, usage: u64, summariser: &str) {
    let (world, model) = agent.world(&format!(
        "
aside: THE-SUMMARY of what was before.
rules:
  - when: {{ body: THE-SUMMARY }}
    text: All is done.
  - when: {{ last_user: {summariser} }}
    text: THE-SUMMARY of what was before.
steps:
  - text: I will write it.
    tool: {{ name: shell, input: {{ command: echo open > login.txt }} }}
    usage: {{ input: {usage}, output: 56 }}
  - text: It was never full.
"
    ));
    let ran = agent.run(&world, &model, "write the login");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("All is done."), "{ran}\n{story}");
    assert!(!answered_by(&requests, "rule 2").is_empty(), "{story}");
    let session = Told::about(&world, "write the login");
    // The session starts again after it; whatever sums up is no sub-agent.
    let before = ["session_started", "task_started", "compact", "session_started"];
    let log = [&before[..], &["compaction_seen", "nudged", "capture_started", "captured"]].concat();
    assert_eq!(session.log[..log.len()], log, "{session}\n{story}");
    let id = session.shown["id"].as_str().unwrap();
    the_nudge_reached_the_next_request(&world, id, &answered_by(&requests, "rule 1"));
    assert_eq!(session.count("subagent-stop"), 0, "{session}");
    a_compaction_was_told(&session);
    every_session_can_be_exported(&world);
}

/// One epoch after another, one task, one stop, and the change still counts from the beginning.
pub fn a_compaction_was_told(session: &Told) {
    assert_eq!(session.shown["compactions"], 1, "{session}");
    assert!(session.last_turn()["last_words"].as_str().unwrap().contains("All is done."), "{session}");
    let last = &session.reflections[0];
    assert!(last["files_changed"].as_array().unwrap().contains(&"login.txt".into()), "{session}");
    assert_eq!(attempt(last), 1, "{session}");
}

/// Waits until something is there.
pub fn wait_for(is_there: impl Fn() -> bool) {
    let until = Instant::now() + LONGEST_RUN;
    while !is_there() {
        assert!(Instant::now() < until, "it did not come within {LONGEST_RUN:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
