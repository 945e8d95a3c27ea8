//! OpenCode, and what its fork shares.

use std::process::Command;

use hansei_model_server::ModelServer;
use serde_json::{Value, json};

use crate::off_the_road::Agent;
use crate::running::Running;
use crate::scenario;
use crate::sent_back;
use crate::world::{CREDENTIAL, Ran, World};
use crate::{serve, team, trust};

/// The project's settings: the scripted model as the only provider.
pub fn settings(model: &ModelServer) -> Value {
    let models =
        json!({ "stub-model": { "tool_call": true, "limit": { "context": 100_000, "output": 4_000 } } });
    let base_url = format!("{}/v1", model.url());
    json!({
        "provider": {
            "stub": {
                "npm": "@ai-sdk/openai-compatible",
                "options": { "baseURL": base_url, "apiKey": CREDENTIAL },
                "models": models,
            },
        },
        "model": "stub/stub-model",
        "small_model": "stub/stub-model",
        "enabled_providers": ["stub"],
        "permission": { "edit": "allow", "bash": "allow" },
    })
}

/// Keeps the agent off the network: it would install packages and fetch lists. `prefix` begins its variables' names.
pub fn offline(command: &mut Command, prefix: &str) {
    for what in ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE", "SESSION_INGEST"] {
        command.env(format!("{prefix}_DISABLE_{what}"), "1");
    }
    command.env("npm_config_registry", "http://127.0.0.1:9").env("npm_config_fetch_retries", "0");
}

fn prepare(world: &World, model: &ModelServer) {
    world.write_once(&world.project.join("opencode.json"), &settings(model).to_string());
}

fn command(world: &World, model: &ModelServer, prompt: &str) -> Command {
    prepare(world, model);
    let mut command = world.agent("opencode", "opencode");
    offline(&mut command, "OPENCODE");
    command.args(["run", "--format", "json", prompt]);
    command
}

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    Running::of(&mut command(world, model, prompt)).end()
}

const AGENT: Agent = Agent { name: "opencode", program: "opencode", prepare, command };

/// As a server, which lives on when a session is idle.
pub const SERVED: Agent = Agent {
    command: |world, _, _| {
        let mut command = world.agent("opencode", "opencode");
        offline(&mut command, "OPENCODE");
        command.arg("serve");
        command
    },
    ..AGENT
};

#[test]
fn nothing_but_a_stop_is_a_stop() {
    serve::nothing_but_a_stop_is_a_stop(SERVED);
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
    scenario::todos_are_kept(run, r#"\"content\": \"first thing\""#);
}

#[test]
fn an_overloaded_model_is_asked_again() {
    scenario::an_overloaded_model_is_asked_again(run);
}

#[test]
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("opencode", "opencode", prepare, run);
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
fn a_failing_check_is_mended_by_a_server() {
    sent_back::a_failing_check_is_mended(SERVED, serve::until_it_is_let_go);
}

#[test]
fn who_is_done_stops_at_once_in_a_server() {
    sent_back::who_is_done_stops_at_once(SERVED, serve::until_it_is_let_go);
}

#[test]
fn nobody_is_kept_for_ever_by_a_server() {
    sent_back::nobody_is_kept_for_ever(SERVED, serve::until_it_is_let_go, None, 2, "attempts_spent");
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
