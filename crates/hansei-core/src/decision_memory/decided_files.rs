//! Which files of a commit hold decisions. A commit does not change, so it has to be found out once.

use serde::{Deserialize, Serialize};

use super::adr::is_adr_path;

/// Words of which a file with tags or blocks holds one, in any case.
pub const MARKS: &[&str] = &["@REJECTED", "@RATIONALE", "[DEF:"];

/// Whether a file may hold decisions: by its place, or by a word in it.
pub fn may_hold_decisions(path: &str, text: &str) -> bool {
    if is_adr_path(path) {
        return true;
    }
    let lower = text.to_lowercase();
    MARKS.iter().any(|mark| lower.contains(&mark.to_lowercase()))
}

/// The files of a commit that hold decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedFiles {
    /// Of this format.
    pub version: u32,
    /// The commit, by its whole name.
    pub commit: String,
    /// The paths of files with tags, and of documents.
    pub files: Vec<String>,
}

impl DecidedFiles {
    /// The format that is written.
    pub const VERSION: u32 = 1;
}
