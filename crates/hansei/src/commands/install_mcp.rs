//! `hansei install --mcp` and `hansei uninstall --mcp`: whether an agent may ask `hansei mcp`.

use std::process::ExitCode;

use hansei_agents::install::{self, Plan};
use hansei_agents::{ADAPTERS, Adapter, Scope};
use serde_json::{Value, json};

use super::install::{changed_lines, described, failure, named};
use crate::failure::{Answer, Failure};
use crate::surroundings::Surroundings;
use crate::terminal;

/// The agents that are named, or all that are here.
fn chosen(surroundings: &Surroundings, names: &[String]) -> Result<Vec<&'static Adapter>, Failure> {
    if !names.is_empty() {
        return names.iter().map(|name| named(name)).collect();
    }
    let here: Vec<_> = ADAPTERS.into_iter().filter(|adapter| surroundings.has(adapter)).collect();
    if here.is_empty() {
        let all = ADAPTERS.map(|adapter| adapter.name).join(", ");
        return Err(Failure::environment("no agent was found here").hint(format!("name one of {all}")));
    }
    Ok(here)
}

pub(super) fn run(
    surroundings: &Surroundings,
    names: &[String],
    scope: Scope,
    dry_run: bool,
    json: bool,
) -> Answer {
    let program = surroundings.program(scope)?;
    let mut answers: Vec<Value> = Vec::new();
    for adapter in chosen(surroundings, names)? {
        let plan = install::plan_server(adapter, &surroundings.ground(scope), &program)
            .map_err(|error| failure(&error))?;
        if !dry_run {
            install::apply(&plan, &surroundings.records(scope)?).map_err(|error| failure(&error))?;
        }
        let next = adapter.setup.servers.project_trust.filter(|_| scope == Scope::Project);
        if json {
            let mut answer = described(&plan, adapter, scope, dry_run);
            answer["next"] = json!(next.into_iter().collect::<Vec<_>>());
            answers.push(answer);
            continue;
        }
        let verb = match (plan.changes(), dry_run) {
            (false, _) => "may already ask",
            (true, true) => "would be allowed to ask",
            (true, false) => "may now ask",
        };
        let (title, file) = (adapter.setup.title, surroundings.short(&plan.file));
        terminal::print(&format!("{title} {verb} `hansei mcp`: {file}\n"));
        if dry_run {
            terminal::print(&changed_lines(&plan));
        } else if let Some(next) = next {
            terminal::print(&format!("next: {next}\n"));
        }
    }
    if json {
        terminal::print_json(&answers)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What taking the registration out of `adapter`'s settings would change.
pub(super) fn removal(
    surroundings: &Surroundings,
    adapter: &'static Adapter,
    scope: Scope,
) -> Result<Vec<Plan>, Failure> {
    install::plan_server_removal(adapter, &surroundings.ground(scope)).map_err(|error| failure(&error))
}
