//! Gemini CLI.

use std::process::Command;

use hansei_model_server::ModelServer;
use serde_json::{Value, json};

use crate::agent::{Agent, as_a_command, every_scenario};
use crate::claims::{self, DELEGATING, Delegating};
use crate::doer;
use crate::left_alone;
use crate::mcp;
use crate::off_the_road;
use crate::records::{Told, every_session_can_be_exported};
use crate::running::Running;
use crate::scenario;
use crate::sent_back;
use crate::team;
use crate::world::{CREDENTIAL, World, answered_by, story};

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

fn offline(world: &World, model: &ModelServer, prompt: &str) -> Command {
    prepare(world, model);
    let mut command = world.agent("gemini", "gemini");
    command
        .env("GEMINI_API_KEY", CREDENTIAL)
        .env("GOOGLE_GEMINI_BASE_URL", model.url())
        .env("GEMINI_CLI_NO_RELAUNCH", "true")
        .args(["-p", prompt, "-m", "gemini-2.5-flash", "-o", "json"]);
    command
}

fn command(world: &World, model: &ModelServer, prompt: &str) -> Command {
    let mut command = offline(world, model, prompt);
    command.arg("--yolo");
    command
}

const AGENT: Agent = Agent {
    name: "gemini",
    program: "gemini",
    prepare,
    command,
    drive: as_a_command,
    plan: |_, world, model, prompt| {
        let mut command = offline(world, model, prompt);
        Running::of(command.args(["--approval-mode", "plan", "--allowed-tools", "run_shell_command"])).end()
    },
    question: "ask_user",
};

every_scenario!(AGENT);

const DELEGATES: Delegating = Delegating {
    helper: "generalist",
    // A sub-agent of its that ends with words alone is told to have failed.
    reports: "tool: { name: complete_task, input: { result: { response: \"THE-REPORT: I tried it.\" } } }",
    ..DELEGATING
};

#[test]
fn what_a_sub_agent_ran_was_run() {
    claims::what_a_sub_agent_ran_was_run(AGENT, &DELEGATES);
}

#[test]
fn what_a_sub_agent_saw_fail_did_not_pass() {
    claims::what_a_sub_agent_saw_fail_did_not_pass(AGENT, &DELEGATES);
}

#[test]
fn a_tool_of_ours_is_offered_called_and_answered() {
    mcp::a_tool_is_offered_called_and_answered(AGENT, "mcp_hansei_risk");
}

#[test]
fn it_works_over_acp() {
    doer::over_acp(AGENT, "gemini --acp -m gemini-2.5-flash");
}

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
fn todos_are_kept() {
    scenario::todos_are_kept(AGENT, "Successfully updated the todo list");
}

#[test]
fn an_overloaded_model_is_asked_again() {
    scenario::an_overloaded_model_is_asked_again(AGENT);
}

#[test]
fn a_teammate_needs_no_hansei() {
    team::a_teammate_needs_no_hansei(AGENT);
}

#[test]
fn nobody_is_kept_for_ever() {
    sent_back::nobody_is_kept_for_ever(AGENT, Some(2), 2, "attempts_spent");
}

#[test]
fn who_was_interrupted_is_left_alone() {
    left_alone::who_was_interrupted_is_left_alone(AGENT);
}
