//! `hansei completions`: completion scripts for shells.

use std::process::ExitCode;

/// Print a completion script for a shell.
///
/// Example: hansei completions bash > ~/.local/share/bash-completion/completions/hansei
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The shell.
    shell: clap_complete::Shell,
}

pub fn run(arguments: &Arguments, cli: &mut clap::Command) -> ExitCode {
    clap_complete::generate(arguments.shell, cli, "hansei", &mut std::io::stdout());
    ExitCode::SUCCESS
}
