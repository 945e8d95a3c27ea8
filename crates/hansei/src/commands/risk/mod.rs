//! `hansei risk`: what a mistake in a change would cost, judged by the paths it touches.

mod change;
mod github;
mod sarif;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use hansei_core::reflection::UnitInterval;
use hansei_core::risk::{Floor, RiskVerdict};
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::terminal;
use change::Change;

/// Say whether a change needs independent review (exit 1 when it does).
///
/// Without a form it looks at everything that is not committed. This is a floor: passing checks do
/// not lower it, and a failed check is not excused by it.
///
/// Examples:
///   hansei risk
///   hansei risk --base main --head HEAD --format github
///   git diff --name-only -z main | hansei risk --files -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Everything since REV (with --head: since where HEAD grew from REV).
    #[arg(long, value_name = "REV", conflicts_with_all = ["commit", "staged", "files"])]
    base: Option<String>,
    /// Up to this commit instead of the work tree.
    #[arg(long, value_name = "REV", requires = "base")]
    head: Option<String>,
    /// What one commit changed against its first parent.
    #[arg(long, value_name = "REV", conflicts_with_all = ["staged", "files"])]
    commit: Option<String>,
    /// What is staged.
    #[arg(long, conflicts_with = "files")]
    staged: bool,
    /// Paths from a file, or from standard input with `-`; one a line, or NUL-separated.
    #[arg(long, value_name = "FILE")]
    files: Option<PathBuf>,
    /// The repository, also a bare one [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The score from which review is needed, from 0 to 1 [default: 0.5]
    #[arg(long, value_name = "0..1", allow_hyphen_values = true)]
    threshold: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
    Github,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
struct Report<'a> {
    commit: Option<&'a str>,
    consequence: &'a RiskVerdict,
    files: &'a [String],
}

pub fn run(arguments: &Arguments) -> Answer {
    let threshold = arguments.threshold.map(UnitInterval::try_from).transpose();
    let threshold = threshold.map_err(|error| Failure::usage(format!("--threshold: {error}")))?;
    let change = Change::find(arguments)?;
    let floor = change.settings.floor(threshold)?;
    let verdict = floor.evaluate(&change.files);
    match if arguments.json { Format::Json } else { arguments.format } {
        Format::Text => terminal::print(&text(&verdict, &change.files)),
        Format::Json => terminal::print_json(&Report {
            commit: change.commit.as_deref(),
            consequence: &verdict,
            files: &change.files,
        })?,
        Format::Sarif => terminal::print_json(&sarif::log(&flagged(&floor, &change.files)))?,
        Format::Github => terminal::print(&github::annotations(&verdict, &flagged(&floor, &change.files))),
    }
    Ok(if verdict.needs_review { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// A path that by itself needs review.
struct Flagged<'a> {
    path: &'a str,
    verdict: RiskVerdict,
}

fn flagged<'a>(floor: &Floor, files: &'a [String]) -> Vec<Flagged<'a>> {
    let verdicts = files.iter().map(|path| Flagged { path, verdict: floor.evaluate(&[path]) });
    verdicts.filter(|flagged| flagged.verdict.needs_review).collect()
}

fn text(verdict: &RiskVerdict, files: &[String]) -> String {
    let answer = if verdict.needs_review { "review needed" } else { "no review needed" };
    let plural = if files.len() == 1 { "" } else { "s" };
    format!(
        "{answer}: score {:.2}, {} file{plural} changed\n{}\n",
        verdict.score.get(),
        files.len(),
        terminal::one_line(&verdict.reason)
    )
}
