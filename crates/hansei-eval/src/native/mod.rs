//! Our own decisions as providers: what Hansei itself would answer, from a case's vars.

use serde_json::{Map, Value};

/// Which of our decisions is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Native {
    /// Whichever the vars fit.
    Any,
    /// The verdict on a finished task.
    Judge,
    /// Whether a session is stuck.
    Stuck,
    /// What to say after a compaction.
    Nudge,
    /// The evaluation of an agent's work.
    Agent,
}

/// The answer as one JSON object and nothing around it, or why there is none.
pub fn answer(native: Native, vars: &Map<String, Value>) -> Result<String, String> {
    let _ = vars;
    Err(format!("the provider {native:?} is not available in this version"))
}
