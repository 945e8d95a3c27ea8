//! Codex.

use std::process::Command;

use hansei_model_server::ModelServer;

use crate::off_the_road::{self, Agent};
use crate::running::Running;
use crate::scenario;
use crate::sent_back;
use crate::team;
use crate::trust;
use crate::world::{CREDENTIAL, Ran, World};

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

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    Running::of(&mut command(world, model, prompt)).end()
}

const AGENT: Agent = Agent { name: "codex", program: "codex", prepare, command };

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
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("codex", "codex", prepare, run);
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
