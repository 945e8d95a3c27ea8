//! `hansei on`: agents here are judged again.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_core::event::Event;

use super::switch::{Switch, turn};
use crate::failure::Answer;

/// Judge agents here again, after `hansei off`.
///
/// Refused inside an agent's own shell; in its chat, type /hansei on.
///
/// Example: hansei on --session 0b6f7a3e
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
        command: "on",
        event: Event::TurnedOn,
        session: arguments.session.as_deref(),
        repo: arguments.repo.as_deref(),
        json: arguments.json,
    };
    turn(&switch)?;
    Ok(ExitCode::SUCCESS)
}
