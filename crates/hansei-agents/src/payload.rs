//! What a hook's payload says. It comes from outside: nothing in it is believed further than it has to be.

use std::path::PathBuf;

use serde::Deserialize;

/// The part of a payload that all agents share.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Payload {
    /// The agent's id for the session.
    #[serde(default)]
    pub session_id: Option<String>,
    /// The folder the agent works in.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
}

/// Why a payload says nothing.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// There was none.
    #[error("the payload is empty")]
    Empty,
    /// It is larger than is read.
    #[error("the payload is larger than {0} bytes")]
    TooLarge(usize),
    /// It is not what it should be.
    #[error("the payload is not valid: {0}")]
    Invalid(#[from] serde_json::Error),
}

/// An object, and only that: serde by itself also takes an array of the fields in order.
#[derive(Deserialize)]
struct Object {
    #[serde(flatten)]
    payload: Payload,
}

/// Reads a payload.
pub fn read(bytes: &[u8]) -> Result<Payload, Unreadable> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Unreadable::Empty);
    }
    Ok(serde_json::from_slice::<Object>(bytes)?.payload)
}
