//! OpenCode, and what its fork shares.

use std::process::Command;

use hansei_model_server::ModelServer;
use serde_json::{Value, json};

use crate::agent::{Agent, as_a_command, every_scenario, scenarios};
use crate::claims::{self, DELEGATING};
use crate::doer;
use crate::mcp;
use crate::running::Running;
use crate::scenario;
use crate::sent_back;
use crate::two_worktrees::{self, RELEASE, Waiting};
use crate::world::{CREDENTIAL, World};
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

const AGENT: Agent = Agent {
    name: "opencode",
    program: "opencode",
    prepare,
    command,
    drive: as_a_command,
    plan: |_, world, model, prompt| {
        Running::of(command(world, model, prompt).args(["--agent", "plan"])).end()
    },
    question: "question",
};

every_scenario!(AGENT);

#[test]
fn what_a_sub_agent_ran_was_run() {
    claims::what_a_sub_agent_ran_was_run(AGENT, &DELEGATING);
}

#[test]
fn what_a_sub_agent_saw_fail_did_not_pass() {
    claims::what_a_sub_agent_saw_fail_did_not_pass(AGENT, &DELEGATING);
}

#[test]
fn the_unblocker_is_started() {
    mcp::the_unblocker_is_started(AGENT, "hansei-unblocker");
}

#[test]
fn a_tool_of_ours_is_offered_called_and_answered() {
    mcp::a_tool_is_offered_called_and_answered(AGENT, "hansei_risk");
}

#[test]
fn it_works_over_acp() {
    doer::over_acp(AGENT, "opencode acp");
}

/// As a server, which lives on when a session is idle.
pub const SERVED: Agent = Agent {
    command: |world, _, _| {
        let mut command = world.agent("opencode", "opencode");
        offline(&mut command, "OPENCODE");
        command.arg("serve");
        command
    },
    drive: serve::until_it_is_let_go,
    ..AGENT
};

mod served {
    super::scenarios! { super::SERVED;
        serve::{nothing_but_a_stop_is_a_stop}
        sent_back::{a_failing_check_is_mended, who_is_done_stops_at_once}
        left_alone::{who_was_aborted_or_turned_down_is_left_alone}
    }

    #[test]
    fn what_a_sub_agent_ran_was_run() {
        crate::claims::what_a_sub_agent_ran_was_run(super::SERVED, &crate::claims::DELEGATING);
    }
}

#[test]
fn todos_are_kept() {
    scenario::todos_are_kept(AGENT, r#"\"content\": \"first thing\""#);
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
fn nobody_is_kept_for_ever_by_a_server() {
    sent_back::nobody_is_kept_for_ever(SERVED, None, 2, "attempts_spent");
}

/// A plugin that goes on once when the agent has said something, as loop plugins do.
const LOOP: &str = "
export const Loop = async ({ client }) => {
  let looped = false
  return {
    'experimental.text.complete': async ({ sessionID }) => {
      if (looped) return
      looped = true
      const parts = [{ type: 'text', text: 'The loop goes on.' }]
      await client.session.promptAsync({ path: { id: sessionID }, body: { parts } })
    },
  }
}
";

/// OpenCode creates its database when it first starts; two that do so at once get in each other's way.
fn creates_its_database(world: &World) {
    let mut command = world.agent("opencode", "opencode");
    offline(&mut command, "OPENCODE");
    let ended = Running::of(command.args(["session", "list"])).end();
    assert_eq!(ended.code, Some(0), "{ended}");
}

#[test]
fn each_of_two_worktrees_is_judged_for_itself() {
    let waiting = Waiting {
        command: |world, worktree, model| {
            world.write(&worktree.join("opencode.json"), &settings(model).to_string());
            world.write(&worktree.join(".opencode/plugin/loop.js"), LOOP);
            creates_its_database(world);
            command(world, model, RELEASE)
        },
        background: ("{ name: shell, input: { command: \"sleep 60 > /dev/null 2>&1 &\" } }", false),
    };
    two_worktrees::each_is_judged_for_itself(AGENT, &waiting);
}
