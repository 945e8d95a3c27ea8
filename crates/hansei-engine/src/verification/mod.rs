//! Carries out a verification: looks at the workspace, runs what was planned, and compares what is red with the base.
//!
//! Every command runs in the sandbox unless a human said otherwise. The base commit is only brought up, in a throw-away
//! tree, when something is red.

mod look;
mod runner;
mod spec;

use std::path::{Path, PathBuf};

use hansei_core::verification::inheritance::inheritance;
use hansei_core::verification::{
    self, Asked, CheckReport, Contents, Ecosystem, Judged, Plan, PlannedCheck, Report, Source, Status, Todo,
    excerpt,
};
use hansei_workspace::git::{Git, GitError};
use hansei_workspace::sandbox::{self, Refusal};
use hansei_workspace::throwaway::{Throwaway, ThrowawayError};

pub use spec::{BadSpec, read as read_spec};

use runner::{Ran, Runner};

/// The most characters of one check's output that are reported.
const MOST_OUTPUT: usize = 4_000;

/// What is to be verified, and how.
pub struct Request<'a> {
    /// The root of the workspace, absolute.
    pub root: PathBuf,
    /// A way to ask git about it; none where it is no repository.
    pub git: Option<&'a Git>,
    /// The commit that checks are read from; none where there is none.
    pub base: Option<String>,
    /// Commands of a Spec.
    pub spec: Vec<String>,
    /// Commands that a human put in place of the detected ones, and where they stand.
    pub own: Option<(Vec<String>, String)>,
    /// The table of ecosystems.
    pub ecosystems: Vec<Ecosystem>,
    /// How commands are locked in: limits, windows, and whether at all. Its command and folders are ours to fill.
    pub sandbox: sandbox::Request,
    /// Whether the user wants it to end.
    pub is_over: &'a dyn Fn() -> bool,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

/// Why there is no answer at all.
#[derive(Debug, thiserror::Error)]
pub enum Unverified {
    /// git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
    /// No command may be run.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// No tree could be made.
    #[error(transparent)]
    Tree(#[from] ThrowawayError),
    /// It could not be prepared.
    #[error("{0}")]
    Unprepared(String),
    /// The user ended it.
    #[error("it was interrupted")]
    Interrupted,
}

/// Verifies a workspace. `progress` hears of each command before it is run.
pub fn verify(request: &Request<'_>, progress: &mut dyn FnMut(&str)) -> Result<Report, Unverified> {
    let contents = look::contents(request)?;
    let asked = Asked {
        ecosystems: request.ecosystems.clone(),
        spec: request.spec.clone(),
        own: request.own.clone(),
        root: request.root.to_string_lossy().into_owned(),
    };
    let plan = verification::plan(&contents, &asked);
    let now = Now::of(request, &contents, &plan)?;
    let mut first = Vec::new();
    for (number, check) in plan.checks.iter().enumerate() {
        progress(&format!("{} of {}: {}", number + 1, plan.checks.len(), check.line));
        ended(request)?;
        first.push(once(check, &check.line, &now.runner(request))?);
    }
    let comparable = |(check, ran): &(&PlannedCheck, &Ran)| {
        check.source != Source::Spec && ran.judged.status == Status::Failed
    };
    let red = plan.checks.iter().zip(&first).filter(comparable).count();
    let base = match request.base.as_deref().filter(|_| red > 0) {
        Some(commit) => {
            progress("what is red is run again on the base commit");
            base_tree(request, commit, &plan)
        }
        None => None,
    };
    let mut checks = Vec::new();
    for (check, ran) in plan.checks.iter().zip(first) {
        ended(request)?;
        let is_red = comparable(&(check, &ran));
        let compared = match &base {
            Some(base) if is_red => {
                progress(&format!("on the base commit: {}", check.line));
                compare(check, &now.runner(request), &base.runner(request), ran)?
            }
            _ => Compared { inherited: Vec::new(), ran },
        };
        checks.push(report(check, compared));
    }
    ended(request)?;
    let (status, summary) = verification::answer(&mut checks, &plan.weakened);
    Ok(Report {
        status,
        summary,
        task: plan.task,
        base: request.base.clone(),
        checks,
        weakened: plan.weakened,
        notes: request.notes.clone(),
    })
}

fn ended(request: &Request<'_>) -> Result<(), Unverified> {
    if (request.is_over)() { Err(Unverified::Interrupted) } else { Ok(()) }
}

/// The tree that is verified: the workspace itself, or a copy with the base's definitions of checks put back.
enum Now {
    Workspace(PathBuf),
    Copy(Throwaway),
}

impl Now {
    fn of(request: &Request<'_>, contents: &Contents, plan: &Plan) -> Result<Self, Unverified> {
        if plan.restored.is_empty() {
            return Ok(Self::Workspace(request.root.clone()));
        }
        let paths: Vec<Vec<u8>> = contents.now.iter().map(|path| path.clone().into_bytes()).collect();
        let mut copy = Throwaway::of_now(&request.root, &paths, request.git)?;
        for file in &plan.restored {
            copy.write(&file.path, &file.text).map_err(ThrowawayError::from)?;
        }
        copy.link_installed(&request.root, folders(plan)).map_err(ThrowawayError::from)?;
        Ok(Self::Copy(copy))
    }

    fn runner<'a>(&'a self, request: &'a Request<'_>) -> Runner<'a> {
        match self {
            Self::Workspace(root) => Runner { root, readable: &[], sandbox: &request.sandbox },
            Self::Copy(copy) => copy.runner(request),
        }
    }
}

trait Runs {
    fn runner<'a>(&'a self, request: &'a Request<'_>) -> Runner<'a>;
}

impl Runs for Throwaway {
    fn runner<'a>(&'a self, request: &'a Request<'_>) -> Runner<'a> {
        Runner { root: self.root(), readable: self.readable(), sandbox: &request.sandbox }
    }
}

fn folders(plan: &Plan) -> impl Iterator<Item = &str> {
    plan.checks.iter().map(|check| check.folder.as_str()).filter(|folder| !folder.is_empty())
}

/// The base commit's tree. Without one nothing is excused, which is the safe side.
fn base_tree(request: &Request<'_>, commit: &str, plan: &Plan) -> Option<Throwaway> {
    let mut tree = Throwaway::of_commit(request.git?, commit).ok()?;
    tree.link_installed(&request.root, folders(plan)).ok()?;
    Some(tree)
}

/// Runs a check once, if it is to be run and can be.
fn once(check: &PlannedCheck, line: &str, runner: &Runner<'_>) -> Result<Ran, Unverified> {
    match &check.todo {
        Todo::Nothing(why) => return Ok(Ran::without(Judged::without_run(Status::NothingToRun, why))),
        Todo::Reject(why) => return Ok(Ran::without(Judged::without_run(Status::Rejected, why))),
        Todo::Run => {}
    }
    if let Some(tool) = &check.tool
        && !runner.has(&tool.name, &check.folder)
    {
        let why = format!("{} is not installed", tool.name);
        return Ok(Ran::without(Judged::without_run(Status::MissingTool, why)));
    }
    Ok(runner.run(check, line)?)
}

struct Compared {
    inherited: Vec<String>,
    ran: Ran,
}

/// Sets inherited failures apart. Where the check stopped at its first failure and that one is inherited, it is run
/// again to its end: the next one may be new.
fn compare(
    check: &PlannedCheck,
    now: &Runner<'_>,
    base: &Runner<'_>,
    first: Ran,
) -> Result<Compared, Unverified> {
    let line = check.thorough.as_deref().unwrap_or(&check.line);
    if !base.root.join(Path::new(&check.folder)).is_dir() {
        return Ok(Compared { inherited: Vec::new(), ran: first });
    }
    let before = once(check, line, base)?;
    let mut ran = first;
    let mut found = inheritance(&ran.judged, &before.judged);
    if !found.inherited.is_empty() && line != check.line {
        ran = once(check, line, now)?;
        found = inheritance(&ran.judged, &before.judged);
    }
    if found.is_all {
        ran.judged.status = Status::Inherited;
        "it fails only where the base commit fails too".clone_into(&mut ran.judged.why);
    } else if found.new.is_empty() && !found.inherited.is_empty() {
        ran.judged.status = Status::Unknown;
        "what it names fails on the base commit too, but it may have stopped there: nobody knows what comes after"
            .clone_into(&mut ran.judged.why);
    }
    ran.judged.failing = found.new;
    Ok(Compared { inherited: found.inherited, ran })
}

fn report(check: &PlannedCheck, compared: Compared) -> CheckReport {
    let Compared { inherited, ran } = compared;
    let Ran { judged, output, took } = ran;
    let names: Vec<String> = judged.failing.iter().chain(&inherited).cloned().collect();
    let clean = |text: &str| hansei_record::redact::redact(text).into_owned();
    let is_missing = judged.status == Status::MissingTool;
    let install = check.tool.as_ref().map(|tool| tool.install.clone());
    CheckReport {
        command: clean(&check.line),
        folder: if check.folder.is_empty() { ".".to_owned() } else { check.folder.clone() },
        source: check.source,
        status: judged.status,
        exit_code: judged.exit_code,
        failing_tests: judged.failing.iter().map(|name| clean(name)).collect(),
        inherited: inherited.iter().map(|name| clean(name)).collect(),
        output: clean(&excerpt(&output, &names, MOST_OUTPUT)),
        why: clean(&format!("{}; {}", check.why, judged.why)),
        install: is_missing
            .then(|| install.unwrap_or_else(|| "install the program that the command names".to_owned())),
        milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
    }
}
