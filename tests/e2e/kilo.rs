//! Kilo.

use hansei_model_server::ModelServer;

use crate::opencode::{offline, settings};
use crate::scenario;
use crate::world::{Ran, World};

fn prepare(world: &World, model: &ModelServer) {
    world.write_once(&world.project.join("kilo.json"), &settings(model).to_string());
}

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    prepare(world, model);
    let mut command = world.agent("kilo", "kilo");
    offline(&mut command, "KILO");
    command.args(["run", "--format", "json", prompt]);
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
    scenario::todos_are_kept(run, r#"\"content\": \"first thing\""#);
}

#[test]
fn a_helper_is_asked() {
    scenario::a_helper_is_asked(run, "general");
}

#[test]
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("kilo", "kilo", prepare, run);
}
