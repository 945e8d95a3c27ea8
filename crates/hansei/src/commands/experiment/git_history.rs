//! `hansei experiment git-history`.

use super::output::Output;
use crate::failure::{Answer, Failure};

/// P2: is there a failure that only self-reflection would have caught?
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    output: Output,
}

pub fn run(_arguments: &Arguments) -> Answer {
    Err(Failure::environment("not built yet"))
}
