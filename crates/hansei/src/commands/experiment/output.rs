//! How every experiment answers: its condition first, then what came of it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use hansei_core::experiment::registration::{Registration, Standing};
use hansei_core::experiment::{Experiment, Finding, Measured, Status};
use hansei_record::redacted::Redacted;
use serde::Serialize;

use super::page::Page;
use super::{readings, registration};
use crate::failure::{Answer, Failure};
use crate::gate_override;
use crate::terminal;
use crate::workspace::Workspace;

/// In which form an experiment answers.
#[derive(Debug, Clone, clap::Args)]
pub struct Output {
    /// The form of the answer.
    #[arg(long, value_name = "FORM", default_value = "text", conflicts_with = "json")]
    format: Format,
    /// Print JSON: --format json.
    #[arg(long)]
    json: bool,
    /// Draw the answer into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Markdown,
}

/// What an experiment tells beyond its figure.
pub trait Details: Serialize {
    /// For people.
    fn page(&self) -> Page;

    /// As a drawing, in SVG.
    fn chart(&self) -> String;
}

/// An experiment whose condition was printed, and which may now read data.
pub struct Begun {
    experiment: Experiment,
    /// The thresholds.
    pub registration: Registration,
    standing: Standing,
    workspace: Option<Workspace>,
}

impl Begun {
    /// Begins `experiment` without a word: for whoever prints its condition itself.
    pub fn quietly(experiment: Experiment, workspace: Option<Workspace>) -> Result<Self, Failure> {
        let registration = registration::registered()?;
        let standing = readings::standing(&registration, workspace.as_ref());
        Ok(Self { experiment, registration, standing, workspace })
    }

    /// What was found, put on record where there is a workspace with records.
    pub fn found<D>(&self, measured: Measured, details: D) -> Finding<D> {
        if let Some(workspace) = &self.workspace {
            readings::record(workspace, self.experiment, &self.registration, measured.status, measured.n);
        }
        Finding::new(self.experiment, &self.registration, self.standing.clone(), measured, details)
    }

    fn heading(&self) -> [String; 2] {
        let condition = self.experiment.kill_condition(&self.registration);
        [format!("{} {}", self.experiment.number(), self.experiment.name()), condition.to_owned()]
    }
}

impl Output {
    /// Prints the condition under which `experiment` is given up: nothing may be read before.
    pub fn begin(&self, experiment: Experiment, workspace: Option<Workspace>) -> Result<Begun, Failure> {
        let begun = Begun::quietly(experiment, workspace)?;
        let [name, condition] = begun.heading();
        match self.format() {
            Format::Text => terminal::print(&format!("{name}\n{condition}\n\n")),
            Format::Markdown => terminal::print(&format!("# {name}\n\n> {condition}\n\n")),
            Format::Json => anstream::eprintln!("{condition}"),
        }
        Ok(begun)
    }

    /// Prints what was found.
    pub fn end<D: Details>(&self, begun: &Begun, measured: Measured, details: D) -> Answer {
        let finding = begun.found(measured, details);
        match self.format() {
            Format::Json => {
                let shown = gate_override::shown(begun.workspace.as_ref(), &finding);
                let shown = Redacted::new(&shown).map_err(std::io::Error::from)?;
                terminal::print_json(shown.value())?;
            }
            Format::Text => {
                let page = finding.details.page().text();
                terminal::print(&format!("{}\n\n{page}\n", summary(&finding)));
            }
            Format::Markdown => {
                let page = finding.details.page().markdown();
                terminal::print(&format!("{}\n\n{page}\n", summary(&finding)));
            }
        }
        if self.format() != Format::Json {
            terminal::print(&gate_override::line(begun.workspace.as_ref()));
        }
        if let Some(file) = &self.chart {
            std::fs::write(file, finding.details.chart())
                .map_err(|error| Failure::environment(format!("{}: {error}", file.display())))?;
        }
        Ok(if finding.status == Status::Killed { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// The finding in a few lines.
fn summary<D>(finding: &Finding<D>) -> String {
    let figure = match (finding.figure, finding.interval) {
        (Some(figure), Some([low, high])) => format!("{figure:.3} (95 %: {low:.3} to {high:.3})"),
        (Some(figure), None) => format!("{figure:.3}"),
        (None, _) => "none".to_owned(),
    };
    let mut lines = vec![
        format!("status  {}: {}", finding.status.name(), finding.why),
        format!("figure  {figure}, n {}", finding.n),
        format!(
            "thresholds  version {} of {}, digest {}",
            finding.registration.version, finding.registration.registered, finding.registration_digest
        ),
    ];
    lines.extend(finding.registration.warning().map(|warning| format!("warning  {warning}")));
    lines.join("  \n")
}
