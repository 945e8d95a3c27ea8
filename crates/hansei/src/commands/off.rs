//! `hansei off`: agents here are left alone until `hansei on`.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_core::event::Event;

use super::switch::{Switch, turn};
use crate::failure::Answer;

/// Leave agents here alone: nobody is judged or sent back until `hansei on`.
///
/// Stops are still captured. Refused inside an agent's own shell; in its chat, type /hansei off.
///
/// Example: hansei off --session 0b6f7a3e
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Only this session [default: the whole workspace].
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print {off, session}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let switch = Switch {
        command: "off",
        event: Event::TurnedOff,
        session: arguments.session.as_deref(),
        repo: arguments.repo.as_deref(),
        json: arguments.json,
    };
    turn(&switch)?;
    Ok(ExitCode::SUCCESS)
}
