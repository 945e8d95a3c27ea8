//! `hansei init`: finds the agents on this machine and offers to install Hansei into each.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use hansei_agents::{ADAPTERS, Scope, install};
use serde_json::Value;

use super::install::{ModeChoice, applied, described, failure, plan, told};
use crate::failure::{Answer, Failure};
use crate::surroundings::Surroundings;
use crate::terminal;

/// Find the agents on this machine and install Hansei into those you choose.
///
/// Asks on a terminal. Elsewhere it only tells what it would do, unless --yes is given.
///
/// Example: hansei init --yes
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    mode: ModeChoice,
    /// Install into all without asking.
    #[arg(long, short)]
    yes: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let mode = arguments.mode.mode();
    let surroundings = Surroundings::here()?;
    let asks = std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !arguments.json;
    let mut answers: Vec<Value> = Vec::new();
    for adapter in ADAPTERS.into_iter().filter(|adapter| surroundings.has(adapter)) {
        let plan = plan(&surroundings, adapter, Scope::User, mode)?;
        let wanted = arguments.yes || (asks && plan.changes() && agreed(adapter.setup.title)?);
        if wanted {
            let unblocker = install::plan_unblocker(adapter, &surroundings.ground(Scope::User))
                .map_err(|error| failure(&error))?;
            applied(&surroundings, Scope::User, &plan, unblocker.as_ref())?;
        }
        if !arguments.json && (wanted || !asks || !plan.changes()) {
            terminal::print(&told(&surroundings, &plan, adapter, mode, !wanted));
        }
        answers.push(described(&plan, adapter, Scope::User, !wanted));
    }
    if arguments.json {
        terminal::print_json(&answers)?;
    } else if answers.is_empty() {
        let names = ADAPTERS.map(|adapter| adapter.setup.title).join(", ");
        terminal::print(&format!("no agent was found here; Hansei works with {names}\n"));
    } else if !asks && !arguments.yes {
        terminal::print(
            "nothing was changed: `hansei init --yes` does all of it, `hansei install <agent>` one\n",
        );
    } else {
        terminal::print("`hansei doctor` tells whether it works\n");
    }
    Ok(ExitCode::SUCCESS)
}

fn agreed(title: &str) -> Result<bool, Failure> {
    terminal::print(&format!("Install Hansei into {title}? [y/N] "));
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
