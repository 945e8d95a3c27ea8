//! Claude Code.

use std::process::Command;

use hansei_model_server::ModelServer;

use crate::off_the_road::{self, Agent};
use crate::running::Running;
use crate::scenario;
use crate::sent_back;
use crate::team;
use crate::trust;
use crate::two_worktrees;
use crate::world::{CREDENTIAL, Ran, World};

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

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    Running::of(&mut command(world, model, prompt)).end()
}

const AGENT: Agent = Agent { name: "claude-code", program: "claude", prepare, command };

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
fn a_shell_call_is_performed_and_answered() {
    scenario::a_shell_call_is_performed_and_answered(run);
}

#[test]
fn files_are_written_read_and_edited() {
    scenario::files_are_written_read_and_edited(run);
}

#[test]
fn an_overloaded_model_is_asked_again() {
    scenario::an_overloaded_model_is_asked_again(run);
}

#[test]
fn todos_are_kept() {
    scenario::todos_are_kept(run, "Todos have been modified successfully");
}

#[test]
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("claude-code", "claude", prepare, run);
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
    // It gives an empty result when it is kept from stopping nine times in a row.
    sent_back::nobody_is_kept_for_ever(AGENT, sent_back::as_a_command, None, 7, "blocks_spent");
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

#[test]
fn a_plan_is_left_alone() {
    let planning = Agent {
        command: |world, model, prompt| {
            let mut command = offline(world, model, prompt);
            command.args(["--permission-mode", "plan", "--allowedTools", "Bash"]);
            command
        },
        ..AGENT
    };
    trust::the_agent_is_left_alone(planning, sent_back::as_a_command, sent_back::PROMPT);
}

#[test]
fn each_of_two_worktrees_is_judged_for_itself() {
    two_worktrees::each_is_judged_for_itself(AGENT, two_worktrees::in_claude_code);
}
