//! Claude Code.

use hansei_model_server::ModelServer;

use crate::scenario;
use crate::world::{CREDENTIAL, Ran, World};

/// Other people's settings, which installing must leave alone to the byte.
fn prepare(world: &World, _: &ModelServer) {
    let settings = "{\n\t\"cleanupPeriodDays\": 30 }";
    world.write_once(&world.home.join(".claude/settings.json"), settings);
}

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
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
        .args(["-p", prompt, "--output-format", "json", "--dangerously-skip-permissions"])
        .args(["--model", "claude-sonnet-4-5"]);
    Ran::of(&mut command)
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
fn a_helper_is_asked() {
    scenario::a_helper_is_asked(run, "general-purpose");
}

#[test]
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("claude-code", "claude", prepare, run);
}
