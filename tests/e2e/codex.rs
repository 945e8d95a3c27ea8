//! Codex.

use hansei_model_server::ModelServer;

use crate::scenario;
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

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    prepare(world, model);
    let mut command = world.agent("codex", "codex");
    command.env("STUB_KEY", CREDENTIAL).args(["exec", "--json", "--dangerously-bypass-hook-trust", prompt]);
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
fn a_helper_is_asked() {
    scenario::a_helper_is_asked(run, "default");
}

#[test]
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("codex", "codex", prepare, run);
}
