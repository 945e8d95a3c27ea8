//! Kilo.

use hansei_model_server::ModelServer;

use crate::off_the_road::Agent;
use crate::opencode::{offline, settings};
use crate::running::Running;
use crate::scenario;
use crate::serve;
use crate::world::{Ran, World};

fn prepare(world: &World, model: &ModelServer) {
    world.write_once(&world.project.join("kilo.json"), &settings(model).to_string());
}

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    prepare(world, model);
    let mut command = world.agent("kilo", "kilo");
    offline(&mut command, "KILO");
    command.args(["run", "--format", "json", prompt]);
    Running::of(&mut command).end()
}

#[test]
fn nothing_but_a_stop_is_a_stop() {
    let served = Agent {
        name: "kilo",
        program: "kilo",
        prepare,
        command: |world, _, _| {
            let mut command = world.agent("kilo", "kilo");
            offline(&mut command, "KILO");
            command.arg("serve");
            command
        },
    };
    serve::nothing_but_a_stop_is_a_stop(served);
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
fn a_stop_is_captured_from_install_to_uninstall() {
    scenario::a_stop_is_captured_from_install_to_uninstall("kilo", "kilo", prepare, run);
}
