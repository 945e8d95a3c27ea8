//! Kilo.

use std::process::Command;

use hansei_model_server::ModelServer;

use crate::agent::{Agent, as_a_command, every_scenario, scenarios};
use crate::claims::{self, DELEGATING};
use crate::doer;
use crate::mcp;
use crate::opencode::{offline, settings};
use crate::running::Running;
use crate::scenario;
use crate::sent_back;
use crate::world::World;
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

const AGENT: Agent = Agent {
    name: "kilo",
    program: "kilo",
    prepare,
    command,
    drive: as_a_command,
    plan: |_, world, model, prompt| {
        Running::of(command(world, model, prompt).args(["--agent", "plan"])).end()
    },
    question: "question",
};

every_scenario!(AGENT);

#[test]
fn what_a_sub_agent_ran_was_run() {
    claims::what_a_sub_agent_ran_was_run(AGENT, &DELEGATING);
}

#[test]
fn what_a_sub_agent_saw_fail_did_not_pass() {
    claims::what_a_sub_agent_saw_fail_did_not_pass(AGENT, &DELEGATING);
}

#[test]
fn the_unblocker_is_started() {
    mcp::the_unblocker_is_started(AGENT, "hansei-unblocker");
}

#[test]
fn a_tool_of_ours_is_offered_called_and_answered() {
    mcp::a_tool_is_offered_called_and_answered(AGENT, "hansei_risk");
}

#[test]
fn it_works_over_acp() {
    doer::over_acp(AGENT, "kilo acp");
}

/// As a server, which lives on when a session is idle.
pub const SERVED: Agent = Agent {
    command: |world, _, _| {
        let mut command = world.agent("kilo", "kilo");
        offline(&mut command, "KILO");
        command.arg("serve");
        command
    },
    drive: serve::until_it_is_let_go,
    ..AGENT
};

mod served {
    super::scenarios! { super::SERVED;
        serve::{nothing_but_a_stop_is_a_stop}
        sent_back::{a_failing_check_is_mended, who_is_done_stops_at_once}
        left_alone::{who_was_aborted_or_turned_down_is_left_alone}
    }

    #[test]
    fn what_a_sub_agent_ran_was_run() {
        crate::claims::what_a_sub_agent_ran_was_run(super::SERVED, &crate::claims::DELEGATING);
    }
}

#[test]
fn todos_are_kept() {
    scenario::todos_are_kept(AGENT, r#"\"content\": \"first thing\""#);
}

#[test]
fn a_teammate_needs_no_hansei() {
    team::a_teammate_needs_no_hansei(AGENT);
}

#[test]
fn nobody_is_kept_for_ever() {
    sent_back::nobody_is_kept_for_ever(AGENT, Some(2), 2, "attempts_spent");
}

#[test]
fn nobody_is_kept_for_ever_by_a_server() {
    sent_back::nobody_is_kept_for_ever(SERVED, None, 2, "attempts_spent");
}
