//! Codex.

use std::process::Command;

use hansei_model_server::ModelServer;
use serde_json::{Value, json};

use crate::agent::{Agent, as_a_command, every_scenario};
use crate::claims::{self, DELEGATING, Delegating};
use crate::codex_server;
use crate::left_alone;
use crate::mcp;
use crate::off_the_road;
use crate::scenario;
use crate::sent_back;
use crate::team;
use crate::two_worktrees::{self, LOOP, RELEASE, Waiting};
use crate::world::{CREDENTIAL, World};

fn prepare(world: &World, model: &ModelServer) {
    let settings = format!(
        r#"
model = "stub-model"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "{}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 0

[analytics]
enabled = false

[projects."{}"]
trust_level = "trusted"
"#,
        model.url(),
        world.project.display()
    );
    world.write_once(&world.home.join(".codex/config.toml"), &settings);
}

fn command(world: &World, model: &ModelServer, prompt: &str) -> Command {
    prepare(world, model);
    let mut command = world.agent("codex", "codex");
    command.env("STUB_KEY", CREDENTIAL).args(["exec", "--json", "--dangerously-bypass-hook-trust", prompt]);
    command
}

const AGENT: Agent = Agent {
    name: "codex",
    program: "codex",
    prepare,
    command,
    drive: as_a_command,
    plan: codex_server::planning,
    question: "request_user_input",
};

every_scenario!(AGENT);

/// Its sub-agents work on their own, and are told of with a later request: it waits until the report is there.
const DELEGATES: Delegating = Delegating {
    helper: "default",
    meanwhile: "tool: { name: shell, input: { command: \"until grep -rqs THE-REPOR[T] $HOME/.codex/sessions; do sleep 0.2; done\" } }",
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
    mcp::a_tool_is_offered_called_and_answered(AGENT, "risk");
}

#[test]
fn an_api_error_is_not_a_stop() {
    let log = ["session_started", "task_started", "session-end"];
    off_the_road::an_api_error_is_not_a_stop(AGENT, &log, Some("the model is out of order"));
}

#[test]
fn an_interruption_is_not_a_stop() {
    let log = ["session_started", "task_started", "abort", "session-end"];
    off_the_road::an_interruption_is_not_a_stop(AGENT, &log, true);
}

#[test]
fn a_sub_agent_is_not_the_session() {
    off_the_road::a_sub_agent_is_not_the_session(AGENT, "default", 1);
}

#[test]
fn a_compaction_is_an_epoch() {
    let small = Agent {
        command: |world, model, prompt| {
            let mut command = command(world, model, prompt);
            command.args(["-c", "model_auto_compact_token_limit=50000"]);
            command
        },
        ..AGENT
    };
    off_the_road::a_compaction_is_an_epoch(small, 195_000, "COMPACTION");
}

#[test]
fn an_overloaded_model_is_asked_again() {
    scenario::an_overloaded_model_is_asked_again(AGENT);
}

/// As a person runs it: only hooks that are trusted are called.
fn trusting(world: &World, model: &ModelServer, prompt: &str) -> Command {
    prepare(world, model);
    let mut command = world.agent("codex", "codex");
    command.env("STUB_KEY", CREDENTIAL).args(["exec", "--json", prompt]);
    command
}

#[test]
fn a_teammate_needs_no_hansei() {
    team::a_teammate_needs_no_hansei(Agent { command: trusting, ..AGENT });
}

#[test]
fn it_still_trusts_what_it_trusted() {
    team::codex_still_trusts_what_it_trusted(AGENT);
}

#[test]
fn nobody_is_kept_for_ever() {
    sent_back::nobody_is_kept_for_ever(AGENT, Some(2), 2, "attempts_spent");
}

#[test]
fn who_was_interrupted_is_left_alone() {
    left_alone::who_was_interrupted_is_left_alone(AGENT);
}

#[test]
fn each_of_two_worktrees_is_judged_for_itself() {
    let waiting = Waiting {
        command: |world, worktree, model| {
            // Hooks in a worktree are not read: a project has them in its main one.
            let file = world.home.join(".codex/hooks.json");
            let mut hooks: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            let there = format!("case $PWD in {}) {LOOP};; esac", worktree.display());
            let stops = hooks["hooks"]["Stop"].as_array_mut().unwrap();
            stops.push(json!({ "hooks": [{ "type": "command", "command": there }] }));
            world.write(&file, &hooks.to_string());
            let file = world.home.join(".codex/config.toml");
            let config = std::fs::read_to_string(&file).unwrap();
            let trusted = format!("\n[projects.\"{}\"]\ntrust_level = \"trusted\"\n", worktree.display());
            world.write(&file, &(config + &trusted));
            let url = format!("model_providers.stub.base_url=\"{}/v1\"", model.url());
            let mut command = command(world, model, RELEASE);
            command.args(["-c", &url]);
            command
        },
        background: ("{ name: shell, input: { command: sleep 60, yield_time_ms: 250 } }", true),
    };
    two_worktrees::each_is_judged_for_itself(AGENT, &waiting);
}
