//! `hansei experiment git-history`: signals of failure in a git history, and the gate that would have caught each.

mod chart;
mod page;

use std::io::{IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use hansei_core::experiment::git_history::{Details, Survey, measure};
use hansei_core::experiment::registration::{GitHistory, Registration};
use hansei_core::experiment::{Experiment, Measured};
use hansei_record::{clock, since};
use hansei_stats::proportion::wilson;
use hansei_workspace::changes;
use hansei_workspace::git::Git;
use hansei_workspace::history::{self, Files, Walk};
use hansei_workspace::layout::Layout;

use super::output::Output;
use super::readings;
use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;

/// A long history takes minutes, and a slow disk its time.
const PATIENCE: Duration = Duration::from_hours(24);
/// How far before the beginning commits are read as well, so that what is taken back soon after it can be named.
const LOOK_BACK: i64 = 90 * 86_400;

/// P2: is there a failure that only self-reflection would have caught?
///
/// Looks for work that was taken back, brought back, or repaired soon after it landed, and says for each
/// which gate would have caught it: CI, human review, or only self-reflection.
///
/// Example: hansei experiment git-history --repo . --since all
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The repository, bare or not.
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Since when: a day (2026-11-15), a span (90d), or `all` [default: the registered number of days before
    /// the last commit]
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    #[command(flatten)]
    output: Output,
}

pub fn run(arguments: &Arguments) -> Answer {
    let since = Since::read(arguments.since.as_deref())?;
    let begun =
        arguments.output.begin(Experiment::GitHistory, readings::workspace(arguments.repo.as_deref()))?;
    let registered = &begun.registration.thresholds.git_history;
    let (measured, details) = look(arguments.repo.as_deref(), since, registered)?;
    arguments.output.end(&begun, measured, details)
}

/// P2 on the history of `workspace`. A folder without one has nothing to tell.
pub(in crate::commands) fn of_workspace(
    workspace: &Workspace,
    since: Option<&str>,
    registration: &Registration,
) -> Result<Measured, Failure> {
    let registered = &registration.thresholds.git_history;
    if let Layout::Missing { .. } = workspace.layout {
        let nothing = measure(Vec::new(), registered, |_, _| [0.0, 1.0]).0;
        return Ok(Measured { why: "there is no git history here".to_owned(), ..nothing });
    }
    Ok(look(Some(workspace.layout.root()), Since::read(since)?, registered)?.0)
}

/// Since when signals count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// The registered number of days before the last commit.
    Registered,
    /// A moment, in seconds after 1970.
    Moment(i64),
    /// The first commit.
    All,
}

impl Since {
    fn read(text: Option<&str>) -> Result<Self, Failure> {
        match text {
            None => Ok(Self::Registered),
            Some("all") => Ok(Self::All),
            Some(text) => {
                let moment = since::moment(text).map_err(|wrong| {
                    Failure::usage(format!("--since: {wrong}")).hint("--since all reads everything")
                })?;
                let time = clock::system_time(&moment).and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                Ok(Self::Moment(time.and_then(|time| i64::try_from(time.as_secs()).ok()).unwrap_or(0)))
            }
        }
    }
}

/// Looks at the history of the repository at `folder`, or here.
pub fn look(
    folder: Option<&Path>,
    since: Since,
    registered: &GitHistory,
) -> Result<(Measured, Details), Failure> {
    let workspace = Workspace::at(folder)?;
    if let Layout::Missing { folder } = &workspace.layout {
        return Err(Failure::usage(format!("{} is not in a git repository", folder.display()))
            .hint("name one with --repo"));
    }
    let git = Git::new(workspace.layout.root(), Instant::now() + PATIENCE)?;
    // Which files is enough to know which commits to ask for their lines.
    let walk = Walk { files: Files::Named, ..Walk::default() };
    let everything = history::list(&git, &walk)?;
    let since = match since {
        Since::All => None,
        Since::Moment(moment) => Some(moment),
        Since::Registered => {
            let last = everything.ids().last().map(ToString::to_string);
            let last = last.map(|last| changes::commit_time(&git, &last)).transpose()?.flatten();
            let last = last.and_then(|last| i64::try_from(last).ok());
            last.map(|last| last - i64::from(registered.window_days) * 86_400)
        }
    };
    let mut survey = Survey::new(everything.ids().to_vec(), since, registered);
    match since {
        None => told(&everything, &mut survey)?,
        Some(since) => {
            let walk = Walk { since: Some(since.saturating_sub(LOOK_BACK)), ..walk };
            told(&history::list(&git, &walk)?, &mut survey)?;
        }
    }
    drop(everything);
    let wanted = survey.lines_wanted();
    let mut progress = Progress::of("comparing lines of", wanted.len());
    let without_content = history::patches(&git, &wanted, |patch| {
        progress.step();
        survey.take_lines(&patch);
        ControlFlow::Continue(())
    })?;
    drop(progress);
    let commits = survey.commits();
    let (measured, details) = measure(survey.signals(), registered, |signals, n| {
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let interval = wilson(count(signals), count(n));
        [interval.low, interval.high]
    });
    let details = Details { commits, commits_without_content: without_content, since, ..details };
    Ok((measured, details))
}

/// Tells the survey every commit.
fn told(history: &history::History<'_>, survey: &mut Survey) -> Result<(), Failure> {
    let mut progress = Progress::of("reading", history.len());
    history.tell(|commit| {
        progress.step();
        survey.take(&commit);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// A line on the terminal that says how far we are; nothing where nobody sees it.
struct Progress {
    doing: &'static str,
    done: usize,
    all: usize,
    seen: bool,
}

impl Progress {
    fn of(doing: &'static str, all: usize) -> Self {
        Self { doing, done: 0, all, seen: std::io::stderr().is_terminal() }
    }

    fn step(&mut self) {
        self.done += 1;
        if self.seen && (self.done.is_multiple_of(200) || self.done == self.all) {
            let percent = self.done * 100 / self.all.max(1);
            let bar = format!("{:<25}", "█".repeat(percent / 4));
            let (doing, done, all) = (self.doing, self.done, self.all);
            let _ = write!(std::io::stderr(), "\r{bar} {percent:>3} %  {doing} {done} of {all} commits");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.seen && self.done > 0 {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
