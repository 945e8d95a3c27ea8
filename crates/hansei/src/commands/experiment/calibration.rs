//! `hansei experiment calibration`.

use super::output::Output;
use crate::failure::{Answer, Failure};

/// P1: does confidence tell right from wrong where it is high?
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    output: Output,
}

pub fn run(_arguments: &Arguments) -> Answer {
    Err(Failure::environment("not built yet"))
}
