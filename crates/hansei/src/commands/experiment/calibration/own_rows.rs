//! Answers from this workspace's own records: what an agent said of its confidence when it stopped, beside what came out
//! about that work.

use std::borrow::Cow;

use hansei_core::experiment::answer::Answer;
use hansei_core::outcome::Came;

use crate::failure::Failure;
use crate::outcomes;
use crate::workspace::Workspace;

/// Each reflection whose confidence and outcome are known.
pub fn own_rows(workspace: &Workspace) -> Result<Vec<Answer<'static>>, Failure> {
    let known = outcomes::of_stops(workspace)?.into_iter();
    let rows = known.filter_map(|(stop, outcome)| {
        Some(Answer {
            confidence: stop.reflection.confidence?.get(),
            correct: outcome.outcome == Came::Correct,
            surface: Some(Cow::Owned(stop.reflection.risk.surface.to_string())),
            agent: Some(Cow::Owned(stop.reflection.agent)),
            model: None,
        })
    });
    Ok(rows.collect())
}
