//! An agent as tests drive it, and the list of scenarios that every agent stands.

use std::process::Command;

use hansei_model_server::ModelServer;

use crate::running::Running;
use crate::world::{Ran, World, program};

/// Brings an agent from a prompt to its last stop.
pub type Drive = fn(&Agent, &World, &ModelServer, &str) -> Ran;

/// An agent with Hansei installed for the user.
#[derive(Clone, Copy)]
pub struct Agent {
    pub name: &'static str,
    pub program: &'static str,
    /// Puts its own settings where it looks for them.
    pub prepare: fn(&World, &ModelServer),
    /// The command that works on a prompt, with nobody at the terminal.
    pub command: fn(&World, &ModelServer, &str) -> Command,
    pub drive: Drive,
    /// The same where the agent may only plan.
    pub plan: Drive,
    /// Its tool for a question to the human.
    pub question: &'static str,
}

impl Agent {
    /// A world with the agent, a model and our hooks.
    pub fn world(&self, script: &str) -> (World, ModelServer) {
        self.world_of(World::new(), script)
    }

    /// The same in a world that is there.
    pub fn world_of(&self, world: World, script: &str) -> (World, ModelServer) {
        world.offer(self.program, &program(self.name, self.program));
        let model = world.model(script);
        (self.prepare)(&world, &model);
        let installed = world.hansei(&["install", self.name]);
        assert_eq!(installed.code, Some(0), "{installed}");
        (world, model)
    }

    pub fn run(&self, world: &World, model: &ModelServer, prompt: &str) -> Ran {
        (self.drive)(self, world, model, prompt)
    }
}

/// A command with a prompt, which ends with the session.
pub fn as_a_command(agent: &Agent, world: &World, model: &ModelServer, prompt: &str) -> Ran {
    Running::of(&mut (agent.command)(world, model, prompt)).end()
}

/// One test for each scenario, with this agent.
macro_rules! scenarios {
    ($agent:expr; $($subject:ident::{$($scenario:ident),* $(,)?})*) => {
        $($(
            #[test]
            fn $scenario() {
                crate::$subject::$scenario($agent);
            }
        )*)*
    };
}

/// What every agent stands.
macro_rules! every_scenario {
    ($agent:expr) => {
        $crate::agent::scenarios! { $agent;
            scenario::{
                a_shell_call_is_performed_and_answered,
                files_are_written_read_and_edited,
                a_stop_is_captured_from_install_to_uninstall,
            }
            sent_back::{
                a_failing_check_is_mended,
                who_is_done_stops_at_once,
                who_only_repeats_it_is_let_go,
                who_makes_no_progress_is_told_to_hand_over,
                a_judge_that_hangs_is_not_waited_for,
            }
            claims::{
                who_was_red_before_and_is_still_does_not_pass,
                who_mended_what_was_red_stops_at_once,
                a_run_that_nobody_made_is_no_run,
            }
            trust::{
                what_was_red_before_is_nobodys_fault,
                what_is_newly_red_is_named_alone,
                a_failure_behind_a_pipe_is_no_pass,
                an_exit_code_that_is_thrown_away_is_no_pass,
                tests_that_did_not_run_are_no_pass,
            }
            doer::{
                a_failing_test_is_brought_to_green,
                whoever_never_mends_it_gave_up_after_reflections,
            }
            left_alone::{
                who_is_told_to_stop_is_left_alone,
                a_plan_is_left_alone,
                a_question_is_left_alone,
                a_question_by_a_tool_is_left_alone,
                a_chat_is_left_alone,
                polling_is_left_alone,
            }
        }
    };
}

pub(crate) use {every_scenario, scenarios};
