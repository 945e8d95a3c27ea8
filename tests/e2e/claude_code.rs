//! Claude Code.

use hansei_model_server::ModelServer;

use crate::scenario;
use crate::world::{CREDENTIAL, Ran, World};

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    let mut command = world.agent("claude-code", "claude");
    command
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("ANTHROPIC_API_KEY", CREDENTIAL)
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        // As root it insists on being told that nothing can break.
        .env("IS_SANDBOX", "1")
        .args(["-p", prompt, "--output-format", "json", "--dangerously-skip-permissions"]);
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
