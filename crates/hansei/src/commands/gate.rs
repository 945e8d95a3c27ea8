//! `hansei gate`: may what was learned act by itself?

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use hansei_core::event::Event;
use hansei_core::experiment::{Experiment, Finding};
use hansei_core::gate::{Gate, Override, Weighed};
use hansei_record::redacted::Redacted;
use serde::Serialize;
use serde_json::json;

use super::experiment::board_history::{self, InputFormat};
use super::experiment::output::Begun;
use super::experiment::{calibration, git_history};
use crate::failure::{Answer, Failure};
use crate::gate_override;
use crate::inside_agent::{append, refuse};
use crate::outcomes;
use crate::terminal;
use crate::workspace::Workspace;

/// May what was learned reach prompts by itself? Asks the three experiments, on your own history.
///
/// Open (exit 0) only if all three pass, or if you opened it by hand. P1 or P2 killed closes it, P3 killed
/// alone leaves notes for people, and too little data is closed, with what is missing.
///
/// Examples:
///   hansei gate --json
///   hansei gate override --why "a pilot of two weeks, ends on Friday"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Ask P1 about this file of {confidence, correct} instead of the workspace's records.
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Ask P2 about this history: a date, or `all` [default: the registered window]
    #[arg(long, value_name = "DATE|all")]
    since: Option<String>,
    /// Ask P3 about this board instead of the workspace's records.
    #[arg(long, value_name = "FILE", requires = "board_format")]
    board: Option<PathBuf>,
    /// What kind of board it is.
    #[arg(long, value_name = "KIND", requires = "board")]
    board_format: Option<InputFormat>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Override(OverrideArguments),
}

/// Open the gate against the experiments, on record, or take that back.
///
/// Every later report shows it. Refused inside an agent's own shell.
///
/// Example: hansei gate override --why "a pilot of two weeks, ends on Friday"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
struct OverrideArguments {
    /// Why.
    #[arg(long, value_name = "TEXT", required_unless_present = "end")]
    why: Option<String>,
    /// Take the override back.
    #[arg(long, conflicts_with = "why")]
    end: bool,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    match &arguments.command {
        Some(Command::Override(arguments)) => set_override(arguments),
        None => ask(arguments),
    }
}

fn ask(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    let announced = |experiment| {
        let begun = Begun::quietly(experiment, readable(&workspace))?;
        let line = format!("{}\n", experiment.kill_condition(&begun.registration));
        if arguments.json {
            anstream::eprint!("{line}");
        } else {
            terminal::print(&line);
        }
        Ok::<Begun, Failure>(begun)
    };
    let begun = [
        announced(Experiment::Calibration)?,
        announced(Experiment::GitHistory)?,
        announced(Experiment::BoardHistory)?,
    ];
    let registration = &begun[0].registration;
    outcomes::look(&workspace)?;
    let confidence = match &arguments.calibration {
        Some(file) => calibration::of_file(file, None)?,
        None => calibration::of_workspace(&workspace, None)?,
    };
    let confidence = calibration::measure(confidence, registration).0;
    let history = git_history::of_workspace(&workspace, arguments.since.as_deref(), registration)?;
    let board = match (&arguments.board, arguments.board_format) {
        (Some(file), Some(format)) => board_history::of_board(file, format, registration)?,
        _ => board_history::of_workspace(&workspace, registration)?,
    };
    let [p1, p2, p3] = &begun;
    let findings = [p1.found(confidence, ()), p2.found(history, ()), p3.found(board, ())];
    let gate = decided(&findings, gate_override::standing(&workspace));
    if arguments.json {
        let answer = Told { gate: &gate, experiments: &findings };
        terminal::print_json(Redacted::new(&answer).map_err(std::io::Error::from)?.value())?;
    } else {
        terminal::print(&page(&gate, &findings));
    }
    Ok(if gate.is_open() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The gate's answer with what it rests on.
#[derive(Debug, Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    gate: &'a Gate,
    experiments: &'a [Finding<()>; 3],
}

fn decided(findings: &[Finding<()>; 3], overridden: Option<Override>) -> Gate {
    let weighed = findings.each_ref().map(|finding| Weighed { status: finding.status, why: &finding.why });
    Gate::decided(weighed, overridden)
}

fn readable(workspace: &Workspace) -> Option<Workspace> {
    super::experiment::readings::workspace(Some(workspace.layout.root()))
}

fn page(gate: &Gate, findings: &[Finding<()>; 3]) -> String {
    let mut page = String::new();
    let word = if gate.is_open() { "open" } else { "closed" };
    // Writing to a String cannot fail.
    let _ = writeln!(page, "\nthe gate is {word}: {}", gate.mode().name());
    for finding in findings {
        let number = finding.experiment.number();
        let _ = writeln!(page, "{number}  {:<16}{}", finding.status.name(), terminal::one_line(&finding.why));
    }
    if let Some(overridden) = gate.overridden() {
        let _ = writeln!(page, "{}", terminal::one_line(&overridden.line()));
    }
    if let Some(warning) = findings[0].registration.warning() {
        let _ = writeln!(page, "warning: {warning}");
    }
    page
}

fn set_override(arguments: &OverrideArguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    refuse("gate override", &workspace)?;
    let who = workspace.user();
    let why = match &arguments.why {
        Some(why) if why.trim().is_empty() => {
            return Err(Failure::usage("an override needs a reason").hint("say why with --why"));
        }
        why => why.clone(),
    };
    let event = match &why {
        Some(why) => Event::GateOverridden { why: why.clone(), who: who.clone() },
        None => Event::GateOverrideEnded { who: who.clone() },
    };
    append(&workspace, event)?;
    let standing = gate_override::standing(&workspace);
    if arguments.json {
        terminal::print_json(
            Redacted::new(&json!({ "override": standing })).map_err(std::io::Error::from)?.value(),
        )?;
    } else if let Some(standing) = standing {
        terminal::print(&format!("{}\n", terminal::one_line(&standing.line())));
    } else {
        terminal::print("the experiments decide again\n");
    }
    Ok(ExitCode::SUCCESS)
}
