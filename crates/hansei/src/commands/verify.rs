//! `hansei verify`: runs the checks that decide whether the work in a workspace holds.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hansei_core::verification::{Answer as Verdict, CheckRow, Ecosystem, Reach, Reads, Report, with_own};
use hansei_engine::verification::{self, Request, Unverified};
use hansei_record::installed;
use hansei_record::settings::{Layers, WORKSPACE_FILE, read_file};
use hansei_record::trusted::Trusted;
use hansei_record::verify_settings::EcosystemSettings;
use hansei_workspace::changes;
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;
use hansei_workspace::sandbox::{self, Confinement};

use super::verify_report;
use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;
use crate::{confinement, interruption, terminal};

/// The largest Spec that is read.
const LARGEST_SPEC: u64 = 1 << 20;
/// What building and testing may use, where the user's settings say nothing else.
const MEMORY: u64 = 4 << 30;
const PROCESSES: u32 = 1000;
/// How long git may take in all.
const GIT_LIMIT: Duration = Duration::from_mins(10);

/// Run the checks of this workspace: tests and linters, as its files show them.
///
/// What names a check is read from the base commit, so that work in progress cannot weaken it. Where
/// something is red, it is run again on the base commit: what was red before is reported and not held
/// against the work. Every command runs in the sandbox. docs/verify.md has the table of ecosystems.
///
/// Exit codes: 0 passed or nothing to run, 1 red or unknown, 3 a program or the sandbox is missing.
///
/// Examples:
///   hansei verify
///   hansei verify --base main --spec spec.yaml --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// The commit that the work began at [default: HEAD]
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// A Spec: YAML whose list `verification` names further commands.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// Run the commands as they are, with the network and everything that you can reach.
    #[arg(long)]
    no_sandbox: bool,
    /// The longest that one command may run, in seconds [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Print {status, summary, checks, weakened, …}.
    #[arg(long)]
    json: bool,
    /// The user's tree, where this is a copy of it: what is trusted there is trusted here.
    #[arg(skip)]
    copy_of: Option<PathBuf>,
    /// What the checks may read outside the workspace.
    #[arg(skip)]
    readable: Vec<PathBuf>,
}

impl Arguments {
    /// As an agent asks for it in the middle of its work.
    pub fn of_tool(workspace: PathBuf, no_sandbox: bool) -> Self {
        Self {
            workspace: Some(workspace),
            base: None,
            spec: None,
            no_sandbox,
            timeout: None,
            json: true,
            copy_of: None,
            readable: Vec::new(),
        }
    }

    /// As a run asks for it, from the commit that it began at.
    pub fn of_run(workspace: PathBuf, base: Option<String>, no_sandbox: bool) -> Self {
        Self { base, ..Self::of_tool(workspace, no_sandbox) }
    }

    /// The same in a copy of the user's tree, where something outside it is needed.
    #[must_use]
    pub fn in_copy_of(self, tree: PathBuf, readable: Vec<PathBuf>) -> Self {
        Self { copy_of: Some(tree), readable, ..self }
    }
}

pub fn run(arguments: &Arguments) -> Answer {
    interruption::end_what_runs();
    let seen = std::io::stderr().is_terminal();
    let mut progress = |doing: &str| {
        if seen {
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", terminal::short(doing, 76));
        }
    };
    let answer = report(arguments, &mut progress)?;
    if seen {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    if let Some(code) = interruption::asked() {
        return Ok(ExitCode::from(code));
    }
    let report = answer?;
    if arguments.json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&verify_report::text(&report));
    }
    Ok(match report.status {
        Verdict::Passed | Verdict::NothingToRun => ExitCode::SUCCESS,
        Verdict::Failed | Verdict::Unknown => ExitCode::from(1),
        Verdict::MissingTool => ExitCode::from(3),
    })
}

/// What the checks of a workspace say; fails where it cannot be asked for.
pub fn report(
    arguments: &Arguments,
    progress: &mut dyn FnMut(&str),
) -> Result<Result<Report, Unverified>, Failure> {
    report_with(arguments, &[], progress)
}

/// The same with the commands of a Spec that is in no file.
pub fn report_with(
    arguments: &Arguments,
    commands: &[String],
    progress: &mut dyn FnMut(&str),
) -> Result<Result<Report, Unverified>, Failure> {
    let workspace = Workspace::at(arguments.workspace.as_deref())?;
    let root = workspace.layout.root().canonicalize()?;
    let git = match workspace.layout {
        Layout::WorkTree { .. } => Some(Git::new(&root, Instant::now() + GIT_LIMIT)?),
        Layout::Bare { .. } => {
            return Err(Failure::usage("a repository without a work tree has nothing to verify"));
        }
        Layout::Missing { .. } => None,
    };
    let base = base(arguments, git.as_ref())?;
    let mut spec = spec(arguments, &workspace)?;
    spec.extend(commands.iter().cloned());
    let mut notes = Vec::new();
    let (layers, text) = settings(&workspace, &root, git.as_ref(), base.as_deref())?;
    let trusted = arguments.copy_of.as_ref().unwrap_or(&root);
    let own = own_checks(&layers, trusted, text.as_deref(), &mut notes);
    let request = Request {
        git: git.as_ref(),
        base,
        spec,
        own,
        ecosystems: with_own(layers.verify().0.ecosystems.into_iter().map(row).collect()),
        sandbox: sandbox_of(arguments, &workspace, &root)?,
        is_over: &|| interruption::asked().is_some(),
        notes,
        root,
    };
    Ok(verification::verify(&request, progress))
}

/// The commit that was asked for, else what is checked out; none before the first commit.
fn base(arguments: &Arguments, git: Option<&Git>) -> Result<Option<String>, Failure> {
    match (&arguments.base, git) {
        (Some(revision), Some(git)) => match changes::resolve(git, revision)? {
            Some(commit) => Ok(Some(commit)),
            None => Err(Failure::usage(format!("there is no commit {revision:?}"))),
        },
        (Some(_), None) => Err(Failure::usage("--base needs a git repository")),
        (None, Some(git)) => Ok(changes::resolve(git, "HEAD")?),
        (None, None) => Ok(None),
    }
}

fn spec(arguments: &Arguments, workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let Some(file) = &arguments.spec else { return Ok(Vec::new()) };
    let file = workspace.environment.folder.join(file);
    let shown = file.display();
    let text = hansei_record::folder::read_named_by_user(&file, LARGEST_SPEC)
        .map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
    let text = String::from_utf8(text).map_err(|_| Failure::usage(format!("{shown}: not UTF-8")))?;
    verification::read_spec(&text).map_err(|error| {
        Failure::usage(format!("{shown}: {error}"))
            .hint("a Spec is YAML with a list of command lines: verification: [\"test -f report.md\"]")
    })
}

/// The settings, those of the workspace as the base commit has them, and their text there.
fn settings(
    workspace: &Workspace,
    root: &Path,
    git: Option<&Git>,
    base: Option<&str>,
) -> Result<(Layers, Option<Vec<u8>>), Failure> {
    let file = root.join(WORKSPACE_FILE);
    let text = match (git, base) {
        (Some(git), Some(base)) => changes::file_at(git, base, WORKSPACE_FILE)?,
        _ => read_file(&file)?,
    };
    let of_workspace = text.as_deref().map(|text| (file.as_path(), text));
    let layers = Layers::load(of_workspace, workspace.environment.user_settings.as_deref())?;
    Ok((layers, text))
}

/// Commands that a human put in place of the detected ones: the user's own, or those of a repository that is trusted.
fn own_checks(
    layers: &Layers,
    root: &Path,
    text: Option<&[u8]>,
    notes: &mut Vec<String>,
) -> Option<(Vec<String>, String)> {
    let (own, origin) = layers.own_checks();
    if !own.commands.is_empty() {
        return Some((own.commands, origin.to_string()));
    }
    let (declared, _) = layers.workspace_checks().filter(|(checks, _)| !checks.commands.is_empty())?;
    let file = root.join(WORKSPACE_FILE);
    if trusted().has(&file, text?) {
        return Some((declared.commands, WORKSPACE_FILE.to_owned()));
    }
    notes.push(format!(
        "[checks] in {WORKSPACE_FILE} does not count: a repository is not trusted. If you wrote it, say `hansei trust`"
    ));
    None
}

fn trusted() -> Trusted {
    trusted_folder().map(|folder| Trusted::read(&folder)).unwrap_or_default()
}

/// Where the user's own records lie.
pub fn trusted_folder() -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    installed::user_folder(path("XDG_STATE_HOME"), path("HOME"))
}

fn row(own: EcosystemSettings) -> Ecosystem {
    let EcosystemSettings { name, files, commands, tool, install } = own;
    let install = if install.is_empty() { format!("install {tool}") } else { install };
    let check = |line: String| CheckRow {
        line,
        thorough: None,
        tool: tool.clone(),
        wrapper: None,
        install: install.clone(),
        speaks: false,
    };
    Ecosystem {
        name,
        files,
        reach: Reach::Each,
        reads: Reads::Nothing,
        checks: commands.into_iter().map(check).collect(),
    }
}

fn sandbox_of(
    arguments: &Arguments,
    workspace: &Workspace,
    root: &Path,
) -> Result<sandbox::Request, Failure> {
    let mut request = sandbox::Request::new(root.to_owned(), Vec::new());
    if let Some(users) = &arguments.copy_of {
        request.users.clone_from(users);
    }
    request.limits.memory = MEMORY;
    request.limits.processes = PROCESSES;
    confinement::apply(&confinement::settings(&workspace.environment)?, &mut request);
    request.readable.extend(arguments.readable.iter().cloned());
    if let Some(seconds) = arguments.timeout {
        request.limits.time = Duration::from_secs(seconds);
    }
    if arguments.no_sandbox {
        request.confinement = Confinement::Bare;
    }
    Ok(request)
}

impl From<Unverified> for Failure {
    fn from(unverified: Unverified) -> Self {
        match unverified {
            Unverified::Git(error) => error.into(),
            Unverified::Refused(refusal) => refusal.into(),
            Unverified::Tree(_) | Unverified::Unprepared(_) | Unverified::Interrupted => {
                Self::environment(unverified.to_string())
            }
        }
    }
}
