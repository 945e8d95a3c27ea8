//! ATIF, the Agent Trajectory Interchange Format: sessions from and for other tools.
//!
//! An export is a trajectory of the newest version that any consumer can read. What ATIF has no place for stands in
//! `extra` under the one key `hansei`, so that importing an export yields the same events again.

mod export;
mod import;

pub use export::export;
pub use import::import;

/// The version that is written.
pub const VERSION: &str = "ATIF-v1.8";

/// The key in `extra` that is ours.
const OURS: &str = "hansei";

/// Whose session it is.
#[derive(Debug, Clone, Copy)]
pub struct Whose<'a> {
    /// The agent's name.
    pub agent: &'a str,
    /// The agent's id for the session.
    pub session: &'a str,
}

/// Why a text is not a trajectory that can be read.
#[derive(Debug, thiserror::Error)]
pub enum NotATrajectory {
    /// It is not JSON, or not of that form.
    #[error("this is not an ATIF trajectory: {0}")]
    Invalid(#[from] serde_json::Error),
    /// Its version is not known.
    #[error("schema_version {0:?} is not one of ATIF-v1.0 to ATIF-v1.8")]
    Version(String),
}
