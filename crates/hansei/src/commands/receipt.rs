//! `hansei receipt`: what supports the claims about a change, for a pull request.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use hansei_core::path_text;
use hansei_core::report::receipt::{Change, Receipt, part};
use hansei_core::report::receipt_markdown::{Rerun, Reruns, markdown};
use hansei_core::timestamp::Timestamp;
use hansei_record::clock;
use hansei_record::redacted::Redacted;
use hansei_record::settings::{Layers, WORKSPACE_FILE};
use hansei_workspace::changes::{self, Base};
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;

use crate::accounts::{self, Reach};
use crate::failure::{Answer, Failure};
use crate::terminal;
use crate::workspace::Workspace;

/// A person waits, but not forever.
const PATIENCE: Duration = Duration::from_mins(5);
/// What a change usually grows from, the first that is there.
const USUAL_BASES: [&str; 5] = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

/// Write a receipt for a pull request: each claim of the agents beside the commands that support it.
///
/// It is bound to the commit that is checked out, and says so where it is not. The exit code is the
/// answer: 0 every claim is supported, 1 not.
///
/// Examples:
///   hansei receipt --base origin/main
///   hansei receipt --json | git notes --ref hansei-receipt add -f -F -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// What the change grew from [default: the main branch]
    #[arg(long, value_name = "COMMIT")]
    base: Option<String>,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print Markdown, which is the default.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print JSON: a receipt.v1.
    #[arg(long)]
    json: bool,
    /// Show a receipt that was made elsewhere.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The commit that the receipt is shown at; one made for another says so.
    #[arg(long, value_name = "COMMIT", requires = "from")]
    head: Option<String>,
    /// Checks that were run again: an exit code, a tab and the command line, one a line.
    #[arg(long, value_name = "FILE", requires = "from")]
    rerun: Option<PathBuf>,
    /// Only list the checks that the base declares in its hansei.toml, one a line.
    #[arg(long, requires = "base", conflicts_with_all = ["from", "markdown"])]
    list_checks: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    if arguments.list_checks {
        return list_checks(arguments);
    }
    let receipt = match &arguments.from {
        Some(file) => read(file)?,
        None => made_here(arguments)?,
    };
    let reruns = match &arguments.rerun {
        Some(file) => Reruns::Ran(rerun_results(file)?),
        None => Reruns::NotAsked,
    };
    let elsewhere = arguments.head.as_ref().is_some_and(|head| *head != receipt.head);
    let failed = matches!(&reruns, Reruns::Ran(ran) if ran.iter().any(|rerun| rerun.exit_code != 0));
    if arguments.json {
        terminal::print_json(&receipt)?;
    } else {
        terminal::print(&markdown(&receipt, arguments.head.as_deref(), &reruns));
    }
    Ok(ExitCode::from(u8::from(!receipt.holds() || elsewhere || failed)))
}

fn read(file: &Path) -> Result<Receipt, Failure> {
    let text = std::fs::read(file)
        .map_err(|error| Failure::environment(format!("{} cannot be read: {error}", file.display())))?;
    let receipt = Receipt::from_json(&text)
        .map_err(|error| Failure::usage(format!("{} is no receipt.v1: {error}", file.display())))?;
    redacted(&receipt)
}

/// The receipt without secrets: it is meant to be shown to everybody.
fn redacted(receipt: &Receipt) -> Result<Receipt, Failure> {
    let clean = Redacted::new(receipt).map_err(std::io::Error::from)?;
    serde_json::from_value(clean.value().clone())
        .map_err(|error| Failure::environment(format!("the receipt cannot be redacted: {error}")))
}

fn made_here(arguments: &Arguments) -> Result<Receipt, Failure> {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    let change = change(&workspace, arguments.base.as_deref())?;
    let parts =
        accounts::each(&workspace, Reach::Here, SystemTime::UNIX_EPOCH, |account, _| part(account, &change));
    redacted(&Receipt::of(&workspace.layout.name(), &change, parts))
}

fn change(workspace: &Workspace, base: Option<&str>) -> Result<Change, Failure> {
    let git = git(workspace)?;
    let work = changes::since(&git, Base::Head)?;
    let head = work.status.head.clone().ok_or_else(|| Failure::usage("there is no commit here yet"))?;
    let base = match base {
        Some(base) => commit_named(&git, base)?,
        None => usual_base(&git)?,
    };
    let base = changes::fork_point(&git, &base, &head)?;
    let ours = workspace.places.ours_in(workspace.layout.root());
    let dirty: Vec<String> =
        work.paths.iter().filter(|path| !ours.has(path)).map(|path| path_text::encode(path)).collect();
    let committed = changes::between(&git, &base, &head)?;
    let paths: BTreeSet<String> =
        committed.iter().map(|path| path_text::encode(path)).chain(dirty.iter().cloned()).collect();
    Ok(Change {
        base_time: committed_at(&git, &base)?,
        head_time: committed_at(&git, &head)?,
        base,
        head,
        branch: work.status.branch,
        paths,
        dirty,
    })
}

fn git(workspace: &Workspace) -> Result<Git, Failure> {
    match &workspace.layout {
        Layout::WorkTree { root, .. } => Ok(Git::new(root, Instant::now() + PATIENCE)?),
        Layout::Bare { git_dir: folder } | Layout::Missing { folder } => {
            Err(Failure::usage(format!("{} is no work tree of a git repository", folder.display()))
                .hint("name one with --repo"))
        }
    }
}

fn commit_named(git: &Git, revision: &str) -> Result<String, Failure> {
    changes::resolve(git, revision)?
        .ok_or_else(|| Failure::usage(format!("{revision:?} names no commit in {}", git.folder().display())))
}

fn usual_base(git: &Git) -> Result<String, Failure> {
    for base in USUAL_BASES {
        if let Some(commit) = changes::resolve(git, base)? {
            return Ok(commit);
        }
    }
    Err(Failure::usage("nobody knows what the change grew from").hint("say it with --base"))
}

fn committed_at(git: &Git, commit: &str) -> Result<Option<Timestamp>, Failure> {
    let seconds = changes::commit_time(git, commit)?;
    let moment = seconds.and_then(|seconds| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)));
    Ok(moment.map(clock::at))
}

fn list_checks(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    let git = git(&workspace)?;
    let base = commit_named(&git, arguments.base.as_deref().unwrap_or_default())?;
    let text = changes::file_at(&git, &base, WORKSPACE_FILE)?;
    let layers = Layers::load(text.as_deref().map(|text| (Path::new(WORKSPACE_FILE), text)), None)?;
    let commands = layers.checks().0.commands;
    if arguments.json {
        terminal::print_json(&commands)?;
    } else {
        terminal::print(&commands.iter().flat_map(|command| [command.as_str(), "\n"]).collect::<String>());
    }
    Ok(ExitCode::SUCCESS)
}

fn rerun_results(file: &Path) -> Result<Vec<Rerun>, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::environment(format!("{} cannot be read: {error}", file.display())))?;
    let result = |line: &str| {
        let (code, command) = line.split_once('\t')?;
        Some(Rerun { command: command.to_owned(), exit_code: code.parse().ok()? })
    };
    let wrong =
        |line: &str| Failure::usage(format!("{}: {line:?} is no exit code, tab and command", file.display()));
    text.lines().map(|line| result(line).ok_or_else(|| wrong(line))).collect()
}
