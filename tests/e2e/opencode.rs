//! OpenCode, and what its fork shares.

use std::process::Command;

use hansei_model_server::ModelServer;
use serde_json::{Value, json};

use crate::off_the_road::Agent;
use crate::running::Running;
use crate::scenario;
use crate::world::{CREDENTIAL, Ran, World};
use crate::{serve, team};

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

#[test]
fn nothing_but_a_stop_is_a_stop() {
    let served = Agent {
        command: |world, _, _| {
            let mut command = world.agent("opencode", "opencode");
            offline(&mut command, "OPENCODE");
            command.arg("serve");
            command
        },
        ..AGENT
    };
    serve::nothing_but_a_stop_is_a_stop(served);
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
