//! Claude Code.

use std::process::Command;

use hansei_model_server::ModelServer;

use crate::agent::{Agent, as_a_command, every_scenario};
use crate::claims::{self, DELEGATING, Delegating};
use crate::left_alone;
use crate::mcp;
use crate::off_the_road;
use crate::running::Running;
use crate::scenario;
use crate::sent_back;
use crate::team;
use crate::two_worktrees::{self, RELEASE, Waiting};
use crate::world::{CREDENTIAL, World};

/// Other people's settings, which installing must leave alone to the byte.
fn prepare(world: &World, _: &ModelServer) {
    let settings = "{\n\t\"cleanupPeriodDays\": 30 }";
    world.write_once(&world.home.join(".claude/settings.json"), settings);
}

fn offline(world: &World, model: &ModelServer, prompt: &str) -> Command {
    let mut command = world.agent("claude-code", "claude");
    command
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("ANTHROPIC_API_KEY", CREDENTIAL)
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        // It offers a list of todos only to some models, and hides it unless told not to.
        .env("CLAUDE_CODE_ENABLE_TASKS", "false")
        .env("ENABLE_TOOL_SEARCH", "false")
        // As root it insists on being told that nothing can break.
        .env("IS_SANDBOX", "1")
        .args(["-p", prompt, "--output-format", "json", "--model", "claude-sonnet-4-5"]);
    command
}

fn command(world: &World, model: &ModelServer, prompt: &str) -> Command {
    let mut command = offline(world, model, prompt);
    command.arg("--dangerously-skip-permissions");
    command
}

const AGENT: Agent = Agent {
    name: "claude-code",
    program: "claude",
    prepare,
    command,
    drive: as_a_command,
    plan: |_, world, model, prompt| {
        let mut command = offline(world, model, prompt);
        Running::of(command.args(["--permission-mode", "plan", "--allowedTools", "Bash"])).end()
    },
    question: "AskUserQuestion",
};

every_scenario!(AGENT);

const DELEGATES: Delegating = Delegating { helper: "general-purpose", ..DELEGATING };

#[test]
fn what_a_sub_agent_ran_was_run() {
    claims::what_a_sub_agent_ran_was_run(AGENT, &DELEGATES);
}

#[test]
fn what_a_sub_agent_saw_fail_did_not_pass() {
    claims::what_a_sub_agent_saw_fail_did_not_pass(AGENT, &DELEGATES);
}

#[test]
fn the_unblocker_is_started() {
    let with_our_plugin = Agent {
        command: |world, model, prompt| {
            let mut command = command(world, model, prompt);
            let plugin = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../integrations/claude-code");
            command.arg("--plugin-dir").arg(plugin);
            command
        },
        ..AGENT
    };
    mcp::the_unblocker_is_started(with_our_plugin, "hansei:hansei-unblocker");
}

#[test]
fn a_tool_of_ours_is_offered_called_and_answered() {
    mcp::a_tool_is_offered_called_and_answered(AGENT, "mcp__hansei__risk");
}

#[test]
fn an_api_error_is_not_a_stop() {
    // Its hook for a failure is not waited for, and may come when the session has ended.
    let log = ["session_started", "task_started", "error", "session-end"];
    let once = Agent {
        command: |world, model, prompt| {
            let mut command = command(world, model, prompt);
            command.env("CLAUDE_CODE_MAX_RETRIES", "0");
            command
        },
        ..AGENT
    };
    off_the_road::an_api_error_is_not_a_stop(once, &log, Some("the model is out of order"));
}

#[test]
fn an_interruption_is_not_a_stop() {
    let log = ["session_started", "task_started", "session-end"];
    off_the_road::an_interruption_is_not_a_stop(AGENT, &log, true);
}

#[test]
fn a_sub_agent_is_not_the_session() {
    off_the_road::a_sub_agent_is_not_the_session(AGENT, "general-purpose", 1);
}

#[test]
fn a_compaction_is_an_epoch() {
    let small = Agent {
        command: |world, model, prompt| {
            let mut command = command(world, model, prompt);
            command.env("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
            command
        },
        ..AGENT
    };
    off_the_road::a_compaction_is_an_epoch(small, 195_000, "create a detailed summary");
}

#[test]
fn an_overloaded_model_is_asked_again() {
    scenario::an_overloaded_model_is_asked_again(AGENT);
}

#[test]
fn todos_are_kept() {
    scenario::todos_are_kept(AGENT, "Todos have been modified successfully");
}

#[test]
fn a_teammate_needs_no_hansei() {
    team::a_teammate_needs_no_hansei(AGENT);
}

#[test]
fn nobody_is_kept_for_ever() {
    // It gives an empty result when it is kept from stopping nine times in a row.
    sent_back::nobody_is_kept_for_ever(AGENT, None, 7, "blocks_spent");
}

#[test]
fn who_was_interrupted_is_left_alone() {
    left_alone::who_was_interrupted_is_left_alone(AGENT);
}

#[test]
fn each_of_two_worktrees_is_judged_for_itself() {
    let waiting = Waiting {
        command: |world, _, model| command(world, model, &format!("/goal {RELEASE}")),
        background: (
            "{ name: shell, input: { command: sleep 3, run_in_background: true, description: waits } }",
            true,
        ),
    };
    two_worktrees::each_is_judged_for_itself(AGENT, &waiting);
}
