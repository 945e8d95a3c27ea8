//! `hansei uninstall`: takes out of an agent's settings what `hansei install` put in, and nothing else.

use std::fmt::Write as _;
use std::process::ExitCode;

use hansei_agents::{Scope, install};
use serde_json::{Value, json};

use super::install::{ScopeName, agent_names, changed_lines, described, failure, named, tell_before_commit};
use super::{before_commit, install_mcp};
use crate::failure::Answer;
use crate::surroundings::Surroundings;
use crate::terminal;

/// Remove Hansei from an agent.
///
/// Takes out exactly what `hansei install` put in. What others changed in the file since then stays.
/// With --mcp only the registration of the MCP server goes, else that goes as well.
///
/// Examples:
///   hansei uninstall claude-code
///   hansei uninstall --before-commit
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct Arguments {
    /// The agent.
    #[arg(value_parser = agent_names(), required_unless_present = "before_commit")]
    agent: Option<String>,
    /// Only the registration of the MCP server.
    #[arg(long)]
    mcp: bool,
    /// Take git's pre-commit hook out of this repository.
    #[arg(long, conflicts_with_all = ["agent", "mcp", "scope"])]
    before_commit: bool,
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

/// What is taken out of a settings file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Server,
    Hooks,
}

pub fn run(arguments: &Arguments) -> Answer {
    let Some(agent) = &arguments.agent else {
        let (done, file) = before_commit::uninstall(arguments.dry_run)?;
        return tell_before_commit(done, &file, arguments.dry_run, arguments.json);
    };
    let surroundings = Surroundings::here()?;
    let adapter = named(agent)?;
    let scope: Scope = arguments.scope.into();
    let mut answers: Vec<Value> = Vec::new();
    let mut page = String::new();
    let parts = if arguments.mcp { &[Part::Server][..] } else { &[Part::Server, Part::Hooks] };
    for part in parts {
        // Planned one after another: both may stand in the same file.
        let plans = match part {
            Part::Server => install_mcp::removal(&surroundings, adapter, scope)?,
            Part::Hooks => install::plan_removal(adapter, &surroundings.ground(scope))
                .map_err(|error| failure(&error))?,
        };
        for plan in &plans {
            let backup = if arguments.dry_run {
                None
            } else {
                install::apply(plan, &surroundings.records(scope)?).map_err(|error| failure(&error))?
            };
            let verb = if arguments.dry_run { "would be removed" } else { "is removed" };
            let file = surroundings.short(&plan.file);
            let what = if *part == Part::Server { "`hansei mcp`" } else { "Hansei" };
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(page, "{what} {verb} from {}: {file}", adapter.setup.title);
            if arguments.dry_run {
                page.push_str(&changed_lines(plan));
            }
            // As long as something of ours is in the file, its copy is kept without a word.
            let backup = backup.filter(|_| plan.is_last());
            if let Some(backup) = &backup {
                let backup = surroundings.short(backup);
                let _ = writeln!(page, "others changed the file; a copy is in {backup}");
            }
            let mut answer = described(plan, adapter, scope, arguments.dry_run);
            answer["backup"] = json!(backup.map(|path| path.to_string_lossy().into_owned()));
            answers.push(answer);
        }
    }
    if arguments.json {
        terminal::print_json(&answers)?;
    } else if answers.is_empty() {
        let what = if arguments.mcp { "`hansei mcp` is not registered" } else { "Hansei is not installed" };
        terminal::print(&format!("{what} in {} ({} scope)\n", adapter.setup.title, scope.name()));
    } else {
        terminal::print(&page);
    }
    Ok(ExitCode::SUCCESS)
}
