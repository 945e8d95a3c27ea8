//! What is wrong with an eval file, and where.

use std::fmt::Display;

/// What is wrong, and where in which file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct Problem {
    /// The file, and the way to the place in it, such as `tests[3].assert[0]`.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl Problem {
    /// Something wrong at a place.
    pub fn new(place: impl Display, what: impl Display) -> Self {
        Self { place: place.to_string(), what: what.to_string() }
    }
}
