//! `hansei install`: puts Hansei's hooks into an agent's settings.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use hansei_agents::hook_command::mode_name;
use hansei_agents::install::{self, Plan, Wish};
use hansei_agents::setup::Trust;
use hansei_agents::{Adapter, Scope, adapter_named};
use hansei_core::reflection::Mode;
use serde_json::{Value, json};

use super::before_commit::{self, Done};
use crate::failure::{Answer, Failure};
use crate::surroundings::Surroundings;
use crate::terminal;

/// The agents' names, for the argument parser.
pub fn agent_names() -> PossibleValuesParser {
    PossibleValuesParser::new(hansei_agents::ADAPTERS.map(|adapter| adapter.name))
}

/// A scope, as the command line names it.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum ScopeName {
    /// Your own settings, for all projects.
    User,
    /// The settings of this project, shared with everybody who works on it.
    Project,
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Self {
        match name {
            ScopeName::User => Self::User,
            ScopeName::Project => Self::Project,
        }
    }
}

/// How far Hansei may go.
#[derive(Debug, clap::Args)]
pub struct ModeChoice {
    /// Let Hansei send the agent back when its work is not done; this is the default.
    #[arg(long, conflicts_with = "observe")]
    act: bool,
    /// Only record; never steer the agent.
    #[arg(long)]
    observe: bool,
}

impl ModeChoice {
    /// The mode that this stands for.
    pub fn mode(&self) -> Mode {
        if self.observe && !self.act { Mode::Orchestrated } else { Mode::Solo }
    }
}

/// Install Hansei into an agent.
///
/// Adds hooks to the agent's own settings and leaves every other byte of them alone. A copy of the
/// file as it was is kept; `hansei uninstall` takes out exactly what was put in.
///
/// With --mcp it registers `hansei mcp` instead, so that the agent may ask: in the agents that are
/// named, or in all that are here. With --before-commit it goes into this repository instead: git's
/// pre-commit hook then holds what is committed against the decisions that are written down here
/// (docs/decisions.md).
///
/// Examples:
///   hansei install claude-code
///   hansei install --mcp claude-code codex
///   hansei install --before-commit
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct Arguments {
    /// The agent; with --mcp any number of them.
    #[arg(value_parser = agent_names(), required_unless_present_any = ["mcp", "before_commit"], value_name = "AGENT")]
    agents: Vec<String>,
    /// Register the MCP server instead of the hooks.
    #[arg(long, conflicts_with_all = ["act", "observe"])]
    mcp: bool,
    /// Hold every commit in this repository against its decisions.
    #[arg(long, conflicts_with_all = ["agents", "mcp", "act", "observe", "scope"])]
    before_commit: bool,
    #[command(flatten)]
    mode: ModeChoice,
    /// Whose settings.
    #[arg(long, value_enum, default_value = "user")]
    scope: ScopeName,
    /// Show what would change, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    if arguments.before_commit {
        let (done, file) = before_commit::install(arguments.dry_run)?;
        return tell_before_commit(done, &file, arguments.dry_run, arguments.json);
    }
    let mode = arguments.mode.mode();
    let surroundings = Surroundings::here()?;
    let scope = arguments.scope.into();
    if arguments.mcp {
        return super::install_mcp::run(
            &surroundings, &arguments.agents, scope, arguments.dry_run, arguments.json,
        );
    }
    let [agent] = arguments.agents.as_slice() else {
        return Err(Failure::usage("hooks are installed into one agent at a time")
            .hint("`hansei init` installs into all that are here"));
    };
    let adapter = named(agent)?;
    let plan = plan(&surroundings, adapter, scope, mode)?;
    let unblocker =
        install::plan_unblocker(adapter, &surroundings.ground(scope)).map_err(|error| failure(&error))?;
    let backup =
        if arguments.dry_run { None } else { applied(&surroundings, scope, &plan, unblocker.as_ref())? };
    if arguments.json {
        let mut answer = described(&plan, adapter, scope, arguments.dry_run);
        answer["mode"] = mode_name(mode).into();
        answer["unblocker"] = json!(unblocker.as_ref().map(|plan| plan.file.to_string_lossy()));
        answer["backup"] = json!(backup.map(|path| path.to_string_lossy().into_owned()));
        answer["next"] = json!(next_steps(&surroundings, adapter, scope));
        terminal::print_json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    terminal::print(&told(&surroundings, &plan, adapter, mode, arguments.dry_run));
    if let Some(unblocker) = &unblocker {
        terminal::print(&format!(
            "beside it, an agent of its own: {}\n",
            surroundings.short(&unblocker.file)
        ));
    }
    if arguments.dry_run {
        terminal::print(&changed_lines(&plan));
    } else {
        if let Some(backup) = backup.filter(|_| plan.changes()) {
            terminal::print(&format!("the file as it was: {}\n", surroundings.short(&backup)));
        }
        for step in next_steps(&surroundings, adapter, scope) {
            terminal::print(&format!("next: {step}\n"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Carries out both plans, and gives where the copy of the settings as they were lies.
pub fn applied(
    surroundings: &Surroundings,
    scope: Scope,
    plan: &Plan,
    unblocker: Option<&Plan>,
) -> Result<Option<PathBuf>, Failure> {
    let records = surroundings.records(scope)?;
    let backup = install::apply(plan, &records).map_err(|error| failure(&error))?;
    if let Some(unblocker) = unblocker {
        install::apply(unblocker, &records).map_err(|error| failure(&error))?;
    }
    Ok(backup)
}

/// Says what became of git's hook.
pub fn tell_before_commit(done: Done, file: &Path, dry_run: bool, json: bool) -> Answer {
    if json {
        let changes = !matches!(done, Done::WasInstalled | Done::NotInstalled);
        terminal::print_json(&json!({
            "hook": "pre-commit", "file": file.to_string_lossy(), "changes": changes, "dry_run": dry_run,
        }))?;
    } else {
        let would = if dry_run { "would be done: " } else { "" };
        terminal::print(&format!(
            "{would}{}: {}\n",
            done.told(),
            terminal::one_line(&file.to_string_lossy())
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The adapter called `name`.
pub fn named(name: &str) -> Result<&'static Adapter, Failure> {
    adapter_named(name).ok_or_else(|| Failure::usage(format!("there is no agent {name:?}")))
}

/// What installing would change.
pub fn plan(
    surroundings: &Surroundings,
    adapter: &'static Adapter,
    scope: Scope,
    mode: Mode,
) -> Result<Plan, Failure> {
    let version = surroundings.agent(adapter).and_then(|agent| agent.version);
    let wish = Wish { mode, program: surroundings.program(scope)?, version };
    install::plan(adapter, &surroundings.ground(scope), &wish).map_err(|error| failure(&error))
}

/// What happened or would happen, on one line.
pub fn told(
    surroundings: &Surroundings,
    plan: &Plan,
    adapter: &Adapter,
    mode: Mode,
    dry_run: bool,
) -> String {
    let verb = match (plan.changes(), dry_run) {
        (false, _) => "is already installed in",
        (true, true) => "would be installed in",
        (true, false) => "is installed in",
    };
    let file = surroundings.short(&plan.file);
    format!("Hansei {verb} {}: {file} (mode {})\n", adapter.setup.title, mode_name(mode))
}

/// How an error is reported.
pub fn failure(error: &install::InstallError) -> Failure {
    let failure = Failure::environment(error.to_string());
    match error {
        install::InstallError::Settings { .. } => {
            failure.hint("mend the file there and try again; nothing was changed")
        }
        install::InstallError::NotOurs(_) => failure.hint("move it away and try again; nothing was changed"),
        install::InstallError::Outside(_) => {
            failure.hint("replace the link and try again; nothing was changed")
        }
        install::InstallError::Io { .. } => failure,
    }
}

/// A plan as JSON.
pub fn described(plan: &Plan, adapter: &Adapter, scope: Scope, dry_run: bool) -> Value {
    json!({
        "agent": adapter.name,
        "scope": scope.name(),
        "file": plan.file.to_string_lossy(),
        "changes": plan.changes(),
        "dry_run": dry_run,
    })
}

/// What only the user can do now.
fn next_steps(surroundings: &Surroundings, adapter: &Adapter, scope: Scope) -> Vec<String> {
    let mut steps = Vec::new();
    if scope == Scope::Project && !surroundings.has_hansei_on_path() {
        steps.push("put hansei on your PATH; until then the project's hooks do nothing".to_owned());
    }
    match adapter.setup.trust {
        Trust::EachHook => {
            steps.push(format!("start `{}`, open /hooks and trust Hansei's hooks", adapter.setup.program));
        }
        Trust::ProjectFolder if scope == Scope::Project => {
            steps.push(format!("start `{}` in this folder and trust it", adapter.setup.program));
        }
        Trust::ProjectFolder | Trust::NotNeeded => {}
    }
    steps.push("`hansei doctor` tells whether it works".to_owned());
    steps
}

/// The lines that a plan takes out and puts in.
pub fn changed_lines(plan: &Plan) -> String {
    let lines = |text: &Option<String>| -> Vec<String> {
        text.as_deref().unwrap_or_default().lines().map(terminal::one_line).collect()
    };
    let (before, after) = (lines(&plan.before), lines(&plan.after));
    let mut shown: Vec<(char, &String)> = Vec::new();
    let mut rest = after.as_slice();
    for line in &before {
        match rest.iter().position(|other| other == line) {
            Some(place) => {
                shown.extend(rest[..place].iter().map(|new| ('+', new)));
                rest = &rest[place + 1..];
            }
            None => shown.push(('-', line)),
        }
    }
    shown.extend(rest.iter().map(|new| ('+', new)));
    let mut page = String::new();
    for (sign, line) in shown {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "{sign} {line}");
    }
    page
}
