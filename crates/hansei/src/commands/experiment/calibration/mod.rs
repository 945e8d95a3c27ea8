//! `hansei experiment calibration`.

mod chart;
mod details;
mod figures;
mod intake;
mod measure;
mod own_rows;
mod page;
mod warnings;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use hansei_core::experiment::Experiment;

use super::output::Output;
use super::readings;
use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;

pub(in crate::commands) use intake::{By, Intake};
pub(in crate::commands) use measure::measure;
pub(in crate::commands) use own_rows::own_rows;

/// P1: does confidence tell right from wrong where it is high?
///
/// Reads answers as JSON lines of {"confidence": 0.9, "correct": true}, with "surface", "agent" and "model" if they
/// are known. A row that cannot be read is left out, counted and named.
///
/// Example: hansei experiment calibration answers.jsonl --by model --chart calibration.svg
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// A file with one answer a line, `-` for standard input.
    #[arg(value_name = "FILE", required_unless_present = "from_store", conflicts_with = "from_store")]
    file: Option<PathBuf>,
    /// Take this workspace's own reflections whose outcome is known instead.
    #[arg(long)]
    from_store: bool,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR", requires = "from_store")]
    repo: Option<PathBuf>,
    /// Look at each surface, agent or model also by itself.
    #[arg(long, value_name = "WHAT")]
    by: Option<By>,
    #[command(flatten)]
    output: Output,
}

pub fn run(arguments: &Arguments) -> Answer {
    let begun =
        arguments.output.begin(Experiment::Calibration, readings::workspace(arguments.repo.as_deref()))?;
    let intake = match &arguments.file {
        Some(file) => of_file(file, arguments.by)?,
        None => of_workspace(&Workspace::at(arguments.repo.as_deref())?, arguments.by)?,
    };
    let (measured, details) = measure(intake, &begun.registration);
    arguments.output.end(&begun, measured, details)
}

/// The answers in a file.
pub(in crate::commands) fn of_file(file: &Path, by: Option<By>) -> Result<Intake, Failure> {
    let mut intake = Intake::new(by);
    intake.read(BufReader::with_capacity(1 << 18, open(file)?))?;
    if let Some(first) = intake.all_refused() {
        return Err(Failure::usage(format!("no row could be read: line {} {}", first.line, first.why))
            .hint("each line is a JSON object with a confidence from 0 to 1 and whether it was correct"));
    }
    Ok(intake)
}

/// The answers in a workspace's own records.
pub(in crate::commands) fn of_workspace(workspace: &Workspace, by: Option<By>) -> Result<Intake, Failure> {
    let mut intake = Intake::new(by);
    for row in own_rows(workspace)? {
        intake.take(&row);
    }
    Ok(intake)
}

fn open(file: &Path) -> Result<Box<dyn Read>, Failure> {
    if file.as_os_str() == "-" {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    match File::open(file) {
        Ok(open) => Ok(Box::new(open)),
        Err(error) => Err(Failure::usage(format!("{} cannot be read: {error}", file.display()))),
    }
}
