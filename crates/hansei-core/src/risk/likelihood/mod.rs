//! The review likelihood: how *likely* a mistake in this change is, from its size and spread and from what was known of
//! its files and its author before it. What a mistake would cost is the floor's to say ([`crate::risk`]).
//!
//! A sum of few weighted measures on a logarithmic scale ([`model`]), pressed into the interval from 0 to 1. Nothing is
//! learned at run time. The weights come from public histories; `docs/risk.md` says which, how well they rank, and where
//! they fail. More lines never lower it: every measure of size grows with every line, and no measure of the past looks at
//! the lines of the change.

mod ancestors;
mod fix_words;
mod kind;
mod measures;
mod model;
mod past;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::history::FileChange;
use crate::reflection::UnitInterval;

pub use ancestors::{Ancestors, reached_from};
pub use fix_words::announces_fix;
pub use kind::FileKind;
pub use measures::files_with_a_past;
pub use past::{FilePast, Known, Past, WINDOW_DAYS, identity};

/// How many reasons are given.
const REASONS: usize = 3;
/// A part that moves the sum by less than this is no reason.
const WORTH_TELLING: f64 = 0.005;
/// Digits that a score is rounded to: a sum in another order must not be another score.
const PRECISION: f64 = 1e6;

/// How likely a mistake in a change is, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Likelihood {
    /// From 0 to 1.
    pub score: UnitInterval,
    /// What moved the score most, against a change of the usual kind.
    pub reasons: Vec<String>,
}

/// The likelihood of a change of `files`, by what was known before it; nothing where there is no history to ask. Where
/// lines are not known, there are taken to be at least as many as usual.
pub fn assess(files: &[FileChange], known: Option<&Known>) -> Likelihood {
    let measures = measures::of(files, known);
    let mut parts = model::parts(&measures, known);
    let sum: f64 = model::INTERCEPT + parts.iter().map(|part| part.weight * part.value).sum::<f64>();
    let score = ((1.0 / (1.0 + (-sum).exp())) * PRECISION).round() / PRECISION;
    parts.sort_by(|a, b| b.moves().abs().total_cmp(&a.moves().abs()));
    let mut reasons: Vec<String> = Vec::with_capacity(REASONS);
    match (measures.lines_unknown, known) {
        (true, None) => reasons.push("judged by paths alone: neither lines nor history are known".to_owned()),
        (true, Some(_)) => reasons.push("how many lines changed is not known".to_owned()),
        (false, None) => reasons.push("judged by the change alone: there is no history to ask".to_owned()),
        (false, Some(_)) => {}
    }
    let told = parts.iter().filter(|part| part.moves().abs() >= WORTH_TELLING).map(model::Part::reason);
    reasons.extend(told.take(REASONS - reasons.len()));
    // A rounded sigmoid is within the interval, whatever the sum.
    Likelihood { score: UnitInterval::try_from(score).unwrap_or(UnitInterval::ONE), reasons }
}

/// What to look at first: what a mistake costs times how likely one is.
pub fn rank(consequence: UnitInterval, likelihood: &Likelihood) -> f64 {
    consequence.get() * likelihood.score.get()
}

#[cfg(test)]
mod tests;
