//! `hansei risk`: what a mistake in a change would cost, judged by the paths it touches, and how likely one is, judged by
//! its size and by what was known of its files before it.

mod change;
mod commits;
mod github;
mod sarif;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use hansei_core::history::FileChange;
use hansei_core::reflection::UnitInterval;
use hansei_core::risk::likelihood::{Known, Likelihood, assess, rank};
use hansei_core::risk::{Floor, RiskVerdict};
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::terminal;
use change::Change;

/// Say whether a change needs independent review (exit 1 when it does).
///
/// Without a form it looks at everything that is not committed. This is a floor: passing checks do
/// not lower it, and a failed check is not excused by it. How likely a mistake is does not lower it
/// either; it says what to look at first.
///
/// Examples:
///   hansei risk
///   hansei risk --base main --head HEAD --format github
///   git diff --name-only -z main | hansei risk --files -
///   git rev-list --since=1.month HEAD | hansei risk --commits - | jq -s 'sort_by(-.rank)'
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
    /// Commits from a file, or from standard input with `-`, one a line: each is answered with a line
    /// of JSON, by what was known before it. The exit code is 0.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "commit", "staged", "files"])]
    commits: Option<PathBuf>,
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
    likelihood: &'a Likelihood,
    /// Their product.
    rank: f64,
    files: &'a [String],
}

impl<'a> Report<'a> {
    fn new(
        commit: Option<&'a str>,
        consequence: &'a RiskVerdict,
        likelihood: &'a Likelihood,
        files: &'a [String],
    ) -> Self {
        Self { commit, consequence, likelihood, rank: rank(consequence.score, likelihood), files }
    }
}

pub fn run(arguments: &Arguments) -> Answer {
    crate::interruption::end_with_what_runs();
    let threshold = arguments.threshold.map(UnitInterval::try_from).transpose();
    let threshold = threshold.map_err(|error| Failure::usage(format!("--threshold: {error}")))?;
    let format = if arguments.json { Format::Json } else { arguments.format };
    if let Some(list) = &arguments.commits {
        if matches!(format, Format::Sarif | Format::Github) {
            return Err(Failure::usage("--commits prints lines of JSON, and no other format"));
        }
        return commits::run(arguments.repo.as_deref(), list, threshold);
    }
    let change = Change::find(arguments)?;
    let floor = change.settings.floor(threshold)?;
    let verdict = floor.evaluate(&change.files);
    let likelihood = assess(&change.counted, change.known.as_ref());
    match format {
        Format::Text => terminal::print(&text(&verdict, &likelihood, &change.files)),
        Format::Json => {
            terminal::print_json(&Report::new(
                change.commit.as_deref(),
                &verdict,
                &likelihood,
                &change.files,
            ))?;
        }
        Format::Sarif => {
            terminal::print_json(&sarif::log(&verdict, &likelihood, &flagged(&floor, &change)))?;
        }
        Format::Github => {
            terminal::print(&github::annotations(&verdict, &likelihood, &flagged(&floor, &change)));
        }
    }
    Ok(if verdict.needs_review { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// A path that by itself needs review.
struct Flagged<'a> {
    path: &'a str,
    verdict: RiskVerdict,
    /// How likely a mistake in this file alone is.
    likelihood: Likelihood,
}

impl Flagged<'_> {
    fn rank(&self) -> f64 {
        rank(self.verdict.score, &self.likelihood)
    }
}

/// The paths that need review, those to look at first in front.
fn flagged<'a>(floor: &Floor, change: &'a Change) -> Vec<Flagged<'a>> {
    let verdicts = change.files.iter().map(|path| (path, floor.evaluate(&[path])));
    let needed = verdicts.filter(|(_, verdict)| verdict.needs_review);
    let mut flagged: Vec<Flagged<'a>> = needed
        .map(|(path, verdict)| Flagged { path, verdict, likelihood: likelihood_of(path, change) })
        .collect();
    flagged.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
    flagged
}

/// The likelihood of what `change` did to the file at `path` alone. Where a moved file was, nothing is left to go wrong
/// but the move itself.
fn likelihood_of(path: &str, change: &Change) -> Likelihood {
    let own: Vec<FileChange> = change.counted.iter().filter(|file| file.path == path).cloned().collect();
    let was = own.first().and_then(|file| file.renamed_from.as_deref()).unwrap_or(path);
    let known = change.known.as_ref().map(|known| Known {
        files: known.files.iter().filter(|past| past.path == was).cloned().collect(),
        author_commits: known.author_commits,
    });
    assess(&own, known.as_ref())
}

fn text(verdict: &RiskVerdict, likelihood: &Likelihood, files: &[String]) -> String {
    let answer = if verdict.needs_review { "review needed" } else { "no review needed" };
    let plural = if files.len() == 1 { "" } else { "s" };
    let mut text = format!(
        "{answer}: score {:.2}, {} file{plural} changed\n{}\nlikelihood of a mistake {:.2}, rank {:.2}\n",
        verdict.score.get(),
        files.len(),
        terminal::one_line(&verdict.reason),
        likelihood.score.get(),
        rank(verdict.score, likelihood),
    );
    for reason in &likelihood.reasons {
        text.push_str("  ");
        text.push_str(&terminal::one_line(reason));
        text.push('\n');
    }
    text
}
