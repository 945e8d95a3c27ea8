//! Kilo.

use std::process::Command;

use hansei_model_server::ModelServer;

use crate::off_the_road::Agent;
use crate::opencode::{offline, settings};
use crate::running::Running;
use crate::scenario;
use crate::world::{Ran, World};
use crate::{serve, team};

fn prepare(world: &World, model: &ModelServer) {
    world.write_once(&world.project.join("kilo.json"), &settings(model).to_string());
}

fn command(world: &World, model: &ModelServer, prompt: &str) -> Command {
    prepare(world, model);
    let mut command = world.agent("kilo", "kilo");
    offline(&mut command, "KILO");
    command.args(["run", "--format", "json", prompt]);
    command
}

fn run(world: &World, model: &ModelServer, prompt: &str) -> Ran {
    Running::of(&mut command(world, model, prompt)).end()
}

const AGENT: Agent = Agent { name: "kilo", program: "kilo", prepare, command };

#[test]
fn nothing_but_a_stop_is_a_stop() {
    let served = Agent {
        command: |world, _, _| {
            let mut command = world.agent("kilo", "kilo");
            offline(&mut command, "KILO");
            command.arg("serve");
            command
        },
        ..AGENT
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

#[test]
fn a_teammate_needs_no_hansei() {
    team::a_teammate_needs_no_hansei(AGENT);
}
