//! Gemini CLI.

use hansei_model_server::ModelServer;
use serde_json::json;

use crate::scenario;
use crate::world::{CREDENTIAL, Ran, World};

fn prepare(world: &World, _: &ModelServer) {
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "general": { "enableAutoUpdate": false },
        "privacy": { "usageStatisticsEnabled": false },
    });
    world.write_once(&world.home.join(".gemini/settings.json"), &settings.to_string());
    let project = world.project.display().to_string();
    let trusted = json!({ project: "TRUST_FOLDER" });
    world.write_once(&world.home.join(".gemini/trustedFolders.json"), &trusted.to_string());
}

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    prepare(world, model);
    let mut command = world.agent("gemini", "gemini");
    command
        .env("GEMINI_API_KEY", CREDENTIAL)
        .env("GOOGLE_GEMINI_BASE_URL", model.url())
        .env("GEMINI_CLI_NO_RELAUNCH", "true")
        .args(["-p", prompt, "--yolo", "-m", "gemini-2.5-flash", "-o", "json"]);
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
fn todos_are_kept() {
    scenario::todos_are_kept(run, "Successfully updated the todo list");
}

#[test]
fn a_helper_is_asked() {
    scenario::a_helper_is_asked(run, "generalist");
}

#[test]
fn an_overloaded_model_is_asked_again() {
    scenario::an_overloaded_model_is_asked_again(run);
}

#[test]
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("gemini", "gemini", prepare, run);
}
