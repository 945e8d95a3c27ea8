//! `hansei doctor`: whether Hansei works in each agent, and what mends it where it does not.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use hansei_agents::examination::{Examination, Firing, Problem, Seen, examine, installed_at, mode_said};
use hansei_agents::hook_command::mode_name;
use hansei_agents::install::Ground;
use hansei_agents::{ADAPTERS, Adapter, Scope};
use hansei_core::reflection::{Mode, Reflection};
use hansei_core::session::Session;
use hansei_record::clock;
use serde_json::{Value, json};

use super::log::reflections;
use super::sessions;
use crate::failure::Answer;
use crate::homes;
use crate::surroundings::{AgentProgram, Surroundings};
use crate::terminal;

/// Tell whether Hansei works in each agent, and what mends it where it does not.
///
/// Looks at the agents' programs and settings, at what they trust, at the last stop that was
/// captured in this workspace, and, if there is none, whether the agent worked here since the hooks
/// were installed. Then it tries every protection of the sandbox. Changes nothing. Exit code 1 means
/// that something is wrong.
///
/// With --judge it asks the judge's model about a sample stop, which may cost a little, and tells
/// whether it answers.
///
/// Example: hansei doctor
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Ask the judge's model about a sample stop instead.
    #[arg(long)]
    judge: bool,
    /// Show what each detector may do, and the figures that its right rests on.
    #[arg(long, conflicts_with = "judge")]
    detectors: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A session that was written to so lately may still be at work.
const AT_WORK: Duration = Duration::from_mins(1);
/// How many sessions are read to find one whose stop was not captured.
const MOST_READ: usize = 20;

/// What was found about one agent.
struct Patient {
    adapter: &'static Adapter,
    program: Option<AgentProgram>,
    last_stop: Option<Reflection>,
    firing: Firing,
    examination: Examination,
}

pub fn run(arguments: &Arguments) -> Answer {
    if arguments.judge {
        return super::doctor_judge::run(arguments.json);
    }
    if arguments.detectors {
        return super::doctor_detectors::run(arguments.json);
    }
    let surroundings = Surroundings::here()?;
    let stops: Vec<Reflection> = reflections(&surroundings.workspace)?
        .into_iter()
        .filter_map(|stored| stored.reflection.ok())
        .collect();
    let patients: Vec<Patient> =
        ADAPTERS.into_iter().map(|adapter| examined(&surroundings, adapter, &stops)).collect();
    let general = general_problems(&patients);
    let sandbox = super::doctor_sandbox::examined();
    let well = general.is_empty()
        && sandbox.is_well()
        && patients.iter().all(|patient| patient.examination.problems.is_empty());
    if arguments.json {
        terminal::print_json(&json!({
            "well": well,
            "problems": general.iter().map(problem_json).collect::<Vec<_>>(),
            "agents": patients.iter().map(patient_json).collect::<Vec<_>>(),
            "sandbox": sandbox.json(),
        }))?;
    } else {
        let mut page: String = patients.iter().map(|patient| told(&surroundings, patient)).collect();
        page.push_str(&sandbox.told());
        page.push_str(&listed(&general, ""));
        if well {
            let waits = |patient: &Patient| {
                !patient.examination.installations.is_empty() && patient.firing == Firing::NotYet
            };
            let all_fire = !patients.iter().any(waits);
            page.push_str(if all_fire { "all is well\n" } else { "nothing is wrong so far\n" });
        }
        terminal::print(&page);
    }
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn examined(surroundings: &Surroundings, adapter: &'static Adapter, stops: &[Reflection]) -> Patient {
    let program = surroundings.agent(adapter);
    let last_stop = stops.iter().find(|stop| stop.agent == adapter.name).cloned();
    let grounds = [Scope::User, Scope::Project].map(|scope| surroundings.ground(scope));
    // A home folder that is itself the project has one set of settings, not two.
    let several = if grounds[0].user.home == grounds[1].project { &grounds[..1] } else { &grounds[..] };
    let firing = if last_stop.is_some() { Firing::Yes } else { silence(adapter, several) };
    let seen = Seen {
        program: program.is_some(),
        version: program.as_ref().and_then(|program| program.version),
        hansei_on_path: surroundings.has_hansei_on_path(),
        firing,
    };
    Patient { adapter, examination: examine(adapter, several, &seen), program, last_stop, firing }
}

/// What it means that no stop was captured: whether `adapter`'s agent worked here since the hooks were installed.
fn silence(adapter: &'static Adapter, grounds: &[Ground]) -> Firing {
    let (Some(since), Some(here)) = (installed_at(adapter, grounds), grounds.last()) else {
        return Firing::NotYet;
    };
    let at = clock::at(since);
    let still = SystemTime::now().checked_sub(AT_WORK).unwrap_or(SystemTime::UNIX_EPOCH);
    let sessions = hansei_agents::sessions(&homes::of_user(), Some(adapter.name))
        .iter()
        .filter(|found| found.modified > since && found.modified < still)
        .take(MOST_READ)
        .filter_map(sessions::read)
        .filter(|session| {
            let inside = session
                .circumstances
                .cwd
                .as_ref()
                .is_some_and(|cwd| Path::new(cwd).starts_with(&here.project));
            // One that ran already has not read the settings since.
            inside && session.started.as_ref().is_some_and(|started| *started > at) && came_to_a_stop(session)
        })
        .count();
    if sessions == 0 { Firing::NotYet } else { Firing::Never { sessions } }
}

fn came_to_a_stop(session: &Session) -> bool {
    session.turns().any(|(_, turn)| turn.last_words.is_some() && !turn.aborted && turn.failed.is_none())
}

/// What is wrong whatever the agent.
fn general_problems(patients: &[Patient]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let installed = patients.iter().any(|patient| !patient.examination.installations.is_empty());
    let broken = patients.iter().any(|patient| !patient.examination.problems.is_empty());
    if !installed && !broken {
        let here = patients.iter().find(|patient| patient.program.is_some());
        let name = here.map_or("claude-code", |patient| patient.adapter.name);
        problems.push(Problem {
            what: "Hansei is not installed in any agent".to_owned(),
            repair: format!("run `hansei install {name}`, or `hansei init`"),
        });
    }
    if let Some(mode) = std::env::var_os("REFLECTION_MODE") {
        let mode = mode.to_string_lossy().into_owned();
        if installed && Mode::from_name(&mode) == Mode::Off {
            problems.push(Problem {
                what: format!(
                    "REFLECTION_MODE is {mode:?} in your environment, which switches every hook off"
                ),
                repair: "run `unset REFLECTION_MODE`".to_owned(),
            });
        }
    }
    problems
}

fn told(surroundings: &Surroundings, patient: &Patient) -> String {
    let setup = &patient.adapter.setup;
    let version = match &patient.program {
        Some(AgentProgram { version: Some(version), .. }) => version.to_string(),
        Some(_) => "(version unknown)".to_owned(),
        None => "(not on your PATH)".to_owned(),
    };
    let mut page = format!("{} {version}\n", setup.title);
    for installation in &patient.examination.installations {
        let scope = installation.scope.name();
        let file = surroundings.short(&installation.file);
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(page, "  installed  {scope}: {file}, mode {}", mode_said(installation.mode));
    }
    for server in &patient.examination.servers {
        let file = surroundings.short(&server.file);
        let _ = writeln!(
            page,
            "  may ask    {}: {file}, `{} mcp`",
            server.scope.name(),
            terminal::one_line(&server.program)
        );
    }
    if patient.examination.installations.is_empty() {
        page.push_str("  not installed\n");
    } else if let Some(stop) = &patient.last_stop {
        let mode = mode_said(stop.provenance.reflection_mode);
        let _ = writeln!(page, "  last stop  {}, mode {mode}", clock::local(&stop.timestamp));
    } else if patient.firing == Firing::NotYet {
        let _ = writeln!(
            page,
            "  not yet    no stop was captured in this workspace: let {} do a task here, then run `hansei doctor` again",
            setup.title
        );
    }
    page + &listed(&patient.examination.problems, "  ")
}

fn listed(problems: &[Problem], indent: &str) -> String {
    let mut page = String::new();
    for problem in problems {
        let _ = writeln!(page, "{indent}wrong      {}", terminal::one_line(&problem.what));
        let _ = writeln!(page, "{indent}           {}", terminal::one_line(&problem.repair));
    }
    page
}

fn problem_json(problem: &Problem) -> Value {
    json!({ "what": problem.what, "repair": problem.repair })
}

fn patient_json(patient: &Patient) -> Value {
    let program = patient.program.as_ref();
    let installations = patient.examination.installations.iter().map(|installation| {
        json!({
            "scope": installation.scope.name(),
            "file": installation.file.to_string_lossy(),
            "mode": mode_name(installation.mode),
            "events": installation.events,
            "trusted": installation.trusted.name(),
            "modified": installation.modified,
        })
    });
    let servers = patient.examination.servers.iter().map(|server| {
        json!({
            "scope": server.scope.name(),
            "file": server.file.to_string_lossy(),
            "program": server.program,
        })
    });
    json!({
        "agent": patient.adapter.name,
        "program": program.map(|program| program.path.to_string_lossy()),
        "version": program.and_then(|program| program.version).map(|version| version.to_string()),
        "firing": (!patient.examination.installations.is_empty()).then(|| patient.firing.name()),
        "installations": installations.collect::<Vec<_>>(),
        "mcp": servers.collect::<Vec<_>>(),
        "last_stop": patient.last_stop.as_ref().map(|stop| json!({
            "session_id": stop.session_id,
            "timestamp": stop.timestamp,
            "mode": mode_name(stop.provenance.reflection_mode),
        })),
        "problems": patient.examination.problems.iter().map(problem_json).collect::<Vec<_>>(),
    })
}
