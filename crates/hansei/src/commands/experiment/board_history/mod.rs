//! `hansei experiment board-history`: P3, can a machine tell afterwards whether a task was done right?

mod csv_board;
mod fields;
mod git_board;
mod github;
mod gitlab;
mod items;
mod jira;
mod lines;
mod malformed;
mod own_tasks;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hansei_core::experiment::board_history::{Details, Task, measure};
use hansei_core::experiment::registration::Registration;
use hansei_core::experiment::{Experiment, Measured};
use hansei_stats::proportion::wilson;

use super::output::{self, Output};
use super::page::Page;
use super::readings;
use crate::chart::bars::{self, Bar, Bars};
use crate::chart::svg::Svg;
use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;

/// P3: of how many completed tasks can a machine tell within 30 days whether they were done right?
///
/// Signs are: reopened, reverted, fixed, checks passed or failed, accepted, refused. Formats: issues or pull
/// requests as GitHub's and GitLab's APIs give them, Jira's search with `expand=changelog`, CSV and JSON
/// lines with `id` and `completed_at`, and the git history of a folder of task files. docs/experiments.md
/// names every field.
///
/// Example: gh issue list --state all --json number,state,closedAt | hansei experiment board-history --input-format github -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// What kind of board it is.
    #[arg(long, value_name = "KIND", required_unless_present = "from_store")]
    input_format: Option<InputFormat>,
    /// The board: an export, or `-` for standard input; for git a folder or file in a work tree.
    #[arg(value_name = "FILE", required_unless_present = "from_store")]
    file: Option<PathBuf>,
    /// Take this workspace's own records: tasks that agents completed, and what is known of their outcomes.
    #[arg(long, conflicts_with_all = ["file", "input_format"])]
    from_store: bool,
    #[command(flatten)]
    output: Output,
}

/// What kind of board it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum InputFormat {
    Github,
    Gitlab,
    Jira,
    Csv,
    Jsonl,
    Git,
}

pub fn run(arguments: &Arguments) -> Answer {
    let begun = arguments.output.begin(Experiment::BoardHistory, readings::workspace(None))?;
    let tasks = match (&arguments.file, arguments.input_format) {
        (Some(file), Some(format)) => read(file, format)?,
        _ => own_tasks::read(&Workspace::at(None)?)?,
    };
    let (measured, told) = counted(&tasks, &begun.registration);
    arguments.output.end(&begun, measured, told)
}

/// P3 on `workspace`'s own records.
pub(in crate::commands) fn of_workspace(
    workspace: &Workspace,
    registration: &Registration,
) -> Result<Measured, Failure> {
    Ok(counted(&own_tasks::read(workspace)?, registration).0)
}

/// P3 on a board.
pub(in crate::commands) fn of_board(
    file: &Path,
    format: InputFormat,
    registration: &Registration,
) -> Result<Measured, Failure> {
    Ok(counted(&read(file, format)?, registration).0)
}

fn counted(tasks: &[Task], registration: &Registration) -> (Measured, Told) {
    let registered = &registration.thresholds.board_history;
    let (measured, details) = measure(tasks, registered, interval);
    (measured, Told(details, registered.base_rate))
}

fn interval(tasks: u64, all: u64) -> [f64; 2] {
    let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let interval = wilson(whole(tasks), whole(all));
    [interval.low, interval.high]
}

#[allow(clippy::cast_precision_loss, reason = "a board has far fewer than 2^52 tasks")]
fn share(tasks: u64, all: u64) -> f64 {
    tasks as f64 / all as f64
}

fn read(file: &Path, format: InputFormat) -> Result<Vec<Task>, Failure> {
    if format == InputFormat::Git {
        return git_board::read(file);
    }
    let text = items::text(file)?;
    let tasks = match format {
        InputFormat::Github => github::tasks(&text),
        InputFormat::Gitlab => gitlab::tasks(&text),
        InputFormat::Jira => jira::tasks(&text),
        InputFormat::Csv => csv_board::tasks(&text),
        InputFormat::Jsonl | InputFormat::Git => lines::tasks(&text),
    };
    tasks.map_err(|malformed| Failure::usage(format!("{}: {malformed}", file.display())))
}

/// What P3 tells, for people, with the share that it is held against.
#[derive(Debug)]
struct Told(Details, f64);

impl serde::Serialize for Told {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl output::Details for Told {
    fn page(&self) -> Page {
        let Details { tasks, completed, with_sign, right, wrong, too_young, signs } = &self.0;
        let mut page = Page::default();
        page.say(format!(
            "{tasks} tasks, {completed} completed; of {with_sign} a machine can tell: {right} right, {wrong} wrong."
        ));
        if *too_young > 0 {
            page.say(format!("{too_young} were completed so late that a sign may still come."));
        }
        let rows = signs.iter();
        let rows = rows.map(|sign| [sign.kind.to_owned(), sign.says.to_owned(), sign.tasks.to_string()]);
        page.table(["first sign", "says", "tasks"], rows.collect());
        page
    }

    fn chart(&self) -> String {
        let Details { completed, with_sign, right, wrong, .. } = self.0;
        let bar = |label: &str, tasks: u64| Bar {
            label: label.to_owned(),
            share: (completed > 0).then(|| share(tasks, completed)),
            interval: (completed > 0).then(|| interval(tasks, completed)),
            note: format!("{tasks} of {completed}"),
        };
        let bars = Bars {
            title: "Completed tasks of which a machine can tell",
            rows: vec![bar("right or wrong", with_sign), bar("right", right), bar("wrong", wrong)],
            threshold: (self.1, "killed below"),
        };
        let mut svg = Svg::new(bars::WIDTH, bars.height(), bars.title);
        bars.draw(&mut svg, 0.0);
        svg.file()
    }
}
