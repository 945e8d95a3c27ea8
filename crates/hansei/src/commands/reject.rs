//! `hansei reject`: sends a run back to plan again, or calls it off.

use std::path::PathBuf;

use hansei_core::run::Decision;

use super::approve::{self, Reply};
use crate::failure::Answer;
use crate::workspace::Workspace;

/// Reject the plan that a run waits with: it is written again, with what you say in mind.
///
/// Exit codes: 0 done, 2 there is no such run or no review is open.
///
/// Example: hansei reject last --feedback "do not touch the public API"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The run's name or the beginning of it, or `last`; or the id of the review.
    run: String,
    /// What is wrong with the plan.
    #[arg(long, value_name = "TEXT", default_value = "")]
    feedback: String,
    /// Call the whole run off instead.
    #[arg(long)]
    abort: bool,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print {run, `spec_review_id`, decision}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.workspace.as_deref())?;
    let reply =
        Reply { decision: Decision::Reject, feedback: arguments.feedback.clone(), abort: arguments.abort };
    approve::answer(&workspace, &arguments.run, &reply, arguments.json)
}
