//! Gemini CLI.

use std::process::Command;

use hansei_model_server::ModelServer;
use serde_json::{Value, json};

use crate::off_the_road::{self, Agent};
use crate::records::{Told, every_session_can_be_exported};
use crate::running::Running;
use crate::scenario;
use crate::sent_back;
use crate::team;
use crate::trust;
use crate::world::{CREDENTIAL, Ran, World, answered_by, story};

fn prepare(world: &World, _: &ModelServer) {
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "general": { "enableAutoUpdate": false },
        "privacy": { "usageStatisticsEnabled": false },
    });
    world.write_once(&world.home.join(".gemini/settings.json"), &settings.to_string());
    let project = world.project.display().to_string();
    let trusted = json!({ project: "TRUST_FOLDER" });
    world.write_once(&world.home.join(".gemini/trustedFolders.json"), &trusted.to_string());
}

fn command(world: &World, model: &ModelServer, prompt: &str) -> Command {
    prepare(world, model);
    let mut command = world.agent("gemini", "gemini");
    command
        .env("GEMINI_API_KEY", CREDENTIAL)
        .env("GOOGLE_GEMINI_BASE_URL", model.url())
        .env("GEMINI_CLI_NO_RELAUNCH", "true")
        .args(["-p", prompt, "--yolo", "-m", "gemini-2.5-flash", "-o", "json"]);
    command
}

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    Running::of(&mut command(world, model, prompt)).end()
}

const AGENT: Agent = Agent { name: "gemini", program: "gemini", prepare, command };

#[test]
fn an_api_error_is_not_a_stop() {
    off_the_road::an_api_error_is_not_a_stop(AGENT, &["session_started", "task_started"], None);
}

#[test]
fn an_interruption_is_not_a_stop() {
    let log = ["session_started", "task_started", "session-end"];
    off_the_road::an_interruption_is_not_a_stop(AGENT, &log, false);
}

/// It compacts only what lies before a prompt, so a session has to be resumed; the sub-agent is asked before.
#[test]
fn a_sub_agent_is_not_the_session_and_a_compaction_is_an_epoch() {
    let (world, model) = AGENT.world(
        "
aside: THE-SUMMARY of what was before.
rules:
  - when: { last_user: look for the needle, turn: 0 }
    text: The needle is in the hay.
  - when: { last_user: state_snapshot }
    text: THE-SUMMARY of what was before.
  - when: { last_user: go on }
    text: All is done.
steps:
  - tool: { name: task, input: { prompt: look for the needle, agent: generalist } }
  - text: I will write it.
    tool: { name: shell, input: { command: echo open > login.txt } }
  - text: It is written.
",
    );
    let ran = AGENT.run(&world, &model, "find it");
    assert!(ran.code == Some(0) && ran.stdout.contains("It is written."), "{ran}");
    let found = Told::about(&world, "find it");
    // It has no hook for the stop of a sub-agent.
    off_the_road::a_sub_agent_was_asked(&found, 0);
    assert_eq!(found.log[..4], ["session_started", "task_started", "capture_started", "captured"], "{found}");

    let settings = world.home.join(".gemini/settings.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(&settings).unwrap()).unwrap();
    let mut all = all.as_object().unwrap().clone();
    all.insert("model".to_owned(), json!({ "compressionThreshold": 0.00001 }));
    world.write(&settings, &Value::from(all).to_string());
    let mut command = command(&world, &model, "go on");
    let ran = Running::of(command.args(["--resume", "latest"])).end();
    let requests = model.stop();
    assert!(ran.code == Some(0) && ran.stdout.contains("All is done."), "{ran}\n{}", story(&requests));
    assert!(!answered_by(&requests, "rule 2").is_empty(), "{}", story(&requests));
    let session = Told::about(&world, "find it");
    assert_eq!(session.count("task_started"), 2, "{session}");
    assert_eq!(session.shown["tasks"].as_array().unwrap().len(), 2, "{session}");
    off_the_road::a_compaction_was_told(&session);
    every_session_can_be_exported(&world);
}

#[test]
fn a_shell_call_is_performed_and_answered() {
    scenario::a_shell_call_is_performed_and_answered(run);
}

#[test]
fn files_are_written_read_and_edited() {
    scenario::files_are_written_read_and_edited(run);
}

#[test]
fn todos_are_kept() {
    scenario::todos_are_kept(run, "Successfully updated the todo list");
}

#[test]
fn an_overloaded_model_is_asked_again() {
    scenario::an_overloaded_model_is_asked_again(run);
}

#[test]
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("gemini", "gemini", prepare, run);
}

#[test]
fn a_teammate_needs_no_hansei() {
    team::a_teammate_needs_no_hansei(AGENT);
}

#[test]
fn a_failing_check_is_mended() {
    sent_back::a_failing_check_is_mended(AGENT, sent_back::as_a_command);
}

#[test]
fn who_is_done_stops_at_once() {
    sent_back::who_is_done_stops_at_once(AGENT, sent_back::as_a_command);
}

#[test]
fn who_only_repeats_it_is_let_go() {
    sent_back::who_only_repeats_it_is_let_go(AGENT, sent_back::as_a_command);
}

#[test]
fn nobody_is_kept_for_ever() {
    sent_back::nobody_is_kept_for_ever(AGENT, sent_back::as_a_command, Some(2), 2, "attempts_spent");
}

#[test]
fn what_was_red_before_is_nobodys_fault() {
    trust::what_was_red_before_is_nobodys_fault(AGENT, sent_back::as_a_command);
}

#[test]
fn what_is_newly_red_is_named_alone() {
    trust::what_is_newly_red_is_named_alone(AGENT, sent_back::as_a_command);
}

#[test]
fn a_failure_behind_a_pipe_is_no_pass() {
    trust::a_hidden_failure_is_no_pass(AGENT, sent_back::as_a_command, "node --test | tail -n 20");
}

#[test]
fn an_exit_code_that_is_thrown_away_is_no_pass() {
    trust::a_hidden_failure_is_no_pass(AGENT, sent_back::as_a_command, "node --test > out.txt || true");
}

#[test]
fn who_is_told_to_stop_is_left_alone() {
    let prompt = "Stop here, I'll review tomorrow.";
    trust::the_agent_is_left_alone(AGENT, sent_back::as_a_command, prompt);
}

#[test]
fn a_chat_is_left_alone() {
    trust::a_chat_is_left_alone(AGENT, sent_back::as_a_command);
}

#[test]
fn a_judge_that_hangs_is_not_waited_for() {
    trust::a_judge_that_hangs_is_not_waited_for(AGENT, sent_back::as_a_command);
}

#[test]
fn who_was_interrupted_is_left_alone() {
    trust::who_was_interrupted_is_left_alone(AGENT);
}
