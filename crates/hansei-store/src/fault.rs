//! What can go wrong, and what was refused because of it.

use std::fmt;

/// Why the store did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Its schema is one of a newer version.
    #[error("{place} was written by a newer Hansei: its schema is {found}, and this one knows up to {known}")]
    NewerSchema {
        /// Which store.
        place: String,
        /// Its schema.
        found: i64,
        /// The newest schema that this version knows.
        known: i64,
    },
    /// It cannot be opened or reached.
    #[error("{place} cannot be opened: {reason}")]
    CannotOpen {
        /// Which store.
        place: String,
        /// Why.
        reason: String,
    },
    /// It is no store of ours, or a broken one.
    #[error("{place} is damaged: {reason}")]
    Damaged {
        /// Which store.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no room. Nothing of what was refused is in the store, and everything acknowledged before is.
    #[error("{place} has no room: {refused} refused ({reason})")]
    Full {
        /// Which store.
        place: String,
        /// What was refused.
        refused: Refused,
        /// What the system said.
        reason: String,
    },
    /// The server went away. What was not acknowledged may be there or not; sending it again with the same keys is safe.
    #[error("{place} went away: {refused} not acknowledged ({reason})")]
    Gone {
        /// Which store.
        place: String,
        /// What was not acknowledged.
        refused: Refused,
        /// What was seen.
        reason: String,
    },
    /// Somebody else held it for too long.
    #[error("{place} is in use by others: {refused} refused ({reason})")]
    Busy {
        /// Which store.
        place: String,
        /// What was refused.
        refused: Refused,
        /// What was seen.
        reason: String,
    },
    /// Events were to be appended to a stream that follows a file, which only the file may extend.
    #[error("{stream} follows a log file: append to the file")]
    FollowsAFile {
        /// The stream.
        stream: String,
    },
    /// Anything else.
    #[error("{place}: {refused} refused ({reason})")]
    Failed {
        /// Which store.
        place: String,
        /// What was refused.
        refused: Refused,
        /// What was seen.
        reason: String,
    },
}

/// How much was refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refused {
    /// How many events.
    pub events: u64,
    /// How many other changes.
    pub others: u64,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |number: u64| if number == 1 { "" } else { "s" };
        match (self.events, self.others) {
            (0, 0) => f.write_str("the question was"),
            (events, 0) => write!(f, "{events} event{} not written,", plural(events)),
            (0, others) => write!(f, "{others} record{} not written,", plural(others)),
            (events, others) => write!(
                f,
                "{events} event{} and {others} record{} not written,",
                plural(events),
                plural(others)
            ),
        }
    }
}

/// What a database said, before anybody knows what was refused because of it.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub kind: FaultKind,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    NewerSchema { found: i64, known: i64 },
    CannotOpen,
    Damaged,
    Full,
    Gone,
    Busy,
    FollowsAFile,
    Other,
}

impl Fault {
    pub fn new(kind: FaultKind, reason: impl fmt::Display) -> Self {
        Self { kind, reason: reason.to_string() }
    }

    /// The fault of the store at `place`, with what was refused.
    pub fn at(self, place: &str, refused: Refused) -> StoreError {
        let (place, reason) = (place.to_owned(), self.reason);
        match self.kind {
            FaultKind::NewerSchema { found, known } => StoreError::NewerSchema { place, found, known },
            FaultKind::CannotOpen => StoreError::CannotOpen { place, reason },
            FaultKind::Damaged => StoreError::Damaged { place, reason },
            FaultKind::Full => StoreError::Full { place, refused, reason },
            FaultKind::Gone => StoreError::Gone { place, refused, reason },
            FaultKind::Busy => StoreError::Busy { place, refused, reason },
            FaultKind::FollowsAFile => StoreError::FollowsAFile { stream: reason },
            FaultKind::Other => StoreError::Failed { place, refused, reason },
        }
    }
}
