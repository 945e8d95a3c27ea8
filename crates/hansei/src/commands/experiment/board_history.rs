//! `hansei experiment board-history`.

use super::output::Output;
use crate::failure::{Answer, Failure};

/// P3: can a machine tell afterwards whether a task was done right?
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    output: Output,
}

pub fn run(_arguments: &Arguments) -> Answer {
    Err(Failure::environment("not built yet"))
}
