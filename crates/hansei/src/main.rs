//! The `hansei` program: one file a command, and no logic that another front end would need again.

mod accounts;
mod advisor;
mod chart;
mod cli;
mod commands;
mod confinement;
mod explained;
mod failure;
mod found_run;
mod gate_override;
mod given_file;
mod given_sessions;
mod homes;
mod index;
mod inside_agent;
mod interruption;
mod notices;
mod outcomes;
mod provider_key;
mod samples;
mod surroundings;
mod terminal;
mod unblocking;
mod user_cache;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Agents call hooks on every turn, so a hook is answered before anything else is set up.
    match commands::hook::answer(std::env::args_os().skip(1)) {
        Some(code) => code,
        None => cli::run(),
    }
}
