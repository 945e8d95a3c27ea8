//! `hansei mcp`: what an agent may ask while it works, over the Model Context Protocol.

use std::process::ExitCode;
use std::time::Duration;

use hansei_server::mcp::{Options, ServeError, serve};

use crate::failure::{Answer, Failure};

/// Serve an agent over the Model Context Protocol, on standard input and output.
///
/// Tools: `self_report`, `review`, `escalate`, `probe`, `decisions_check`, `risk`. Each is the command
/// of the same meaning in this folder, or in the one that a call names. `hansei install --mcp`
/// registers the server in an agent's settings. Ends with its client.
///
/// Example: claude mcp add hansei -- hansei mcp
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The most seconds that one call may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,
}

pub fn run(arguments: &Arguments) -> Answer {
    let options = Options {
        program: std::env::current_exe()?,
        folder: std::env::current_dir()?,
        limit: Duration::from_secs(arguments.limit),
    };
    serve(options)?;
    Ok(ExitCode::SUCCESS)
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::System(_) => Self::environment(error.to_string()),
            ServeError::Beginning(_) => Self::usage(error.to_string())
                .hint("an agent starts this: `hansei install --mcp` registers it"),
        }
    }
}
