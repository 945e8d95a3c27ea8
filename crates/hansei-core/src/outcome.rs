//! Whether work was right, as it came out later: who or what says so, and whom to believe when they disagree.

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// It came out whether a piece of work was right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The piece of work: a session, or the file name of a reflection.
    pub subject: String,
    /// How it came out.
    pub outcome: Came,
    /// Who or what says so.
    pub source: Source,
    /// Why, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The commits that show it, as full hashes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<String>,
    /// When it happened, which may be long before it was noticed.
    pub seen: Timestamp,
}

/// How a piece of work came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Came {
    /// It was right.
    Correct,
    /// It was wrong.
    Wrong,
}

/// Who or what says how a piece of work came out. Earlier ones outrank later ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A check that ran after the change.
    Check,
    /// The project's continuous integration.
    Ci,
    /// A person.
    Human,
    /// A later commit that took the change back.
    Revert,
    /// A later commit that mends the same lines.
    Fix,
    /// The task was opened again.
    Reopened,
}
