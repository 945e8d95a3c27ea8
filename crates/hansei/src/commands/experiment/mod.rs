//! `hansei experiment`: the three measurements that the gate rests on, each held against a condition that was written
//! down before any data was read.

pub mod board_history;
pub mod calibration;
pub mod git_history;
pub mod output;
mod page;
pub mod readings;
mod registration;

use clap::Subcommand;

use crate::failure::Answer;

/// Measure on your own history whether what agents say about their work is worth acting on.
///
/// Each experiment prints the condition under which it is given up before it reads any data. A killed
/// one exits 1. All of them print JSON with --json, and draw with --chart FILE.
///
/// Example: hansei experiment git-history --repo . --since all
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    experiment: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Calibration(calibration::Arguments),
    GitHistory(git_history::Arguments),
    BoardHistory(board_history::Arguments),
}

pub fn run(arguments: &Arguments) -> Answer {
    match &arguments.experiment {
        Which::Calibration(arguments) => calibration::run(arguments),
        Which::GitHistory(arguments) => git_history::run(arguments),
        Which::BoardHistory(arguments) => board_history::run(arguments),
    }
}
