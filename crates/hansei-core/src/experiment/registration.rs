//! The registered thresholds: what they are, and whether they are still what they were.

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// The digest of the thresholds as they were registered.
pub const REGISTERED: &str = "95f34d04f8034d405fadbfd3ff28efb83a2a00d3959fb39ba24fd5fd9fe67a71";

/// The thresholds, and the digest of the file that they stand in.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    /// What the file says.
    pub thresholds: Thresholds,
    /// Its SHA-256 digest, in hexadecimal.
    pub digest: String,
}

/// Every number that an experiment is decided by.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// The how-manieth registration.
    pub version: u32,
    /// The day of it.
    pub registered: String,
    /// P1.
    pub calibration: Calibration,
    /// P2.
    pub git_history: GitHistory,
    /// P3.
    pub board_history: BoardHistory,
}

/// P1.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// When it is given up, in words.
    pub kill: String,
    /// A confidence from here on is high.
    pub high: f64,
    /// The AUC of a coin.
    pub chance: f64,
    /// How many right and how many wrong answers among the confident ones are needed.
    pub fewest_of_each: u64,
    /// The AUC that there should be enough data for to tell it from a coin's.
    pub worth_telling: f64,
    /// The chance with which it should be told.
    pub power: f64,
}

/// P2.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GitHistory {
    /// When it is given up, in words.
    pub kill: String,
    /// A share under this is as good as none.
    pub near_empty: f64,
    /// A fix counts against a change this many days after it.
    pub fix_within_days: u32,
    /// How many days of history are read unless another span is asked for.
    pub window_days: u32,
    /// How many signals are needed.
    pub fewest_signals: u64,
}

/// P3.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardHistory {
    /// When it is given up, in words.
    pub kill: String,
    /// The smallest share of tasks with a sign.
    pub base_rate: f64,
    /// A sign counts this many days after a task was completed.
    pub within_days: u32,
    /// How many completed tasks are needed.
    pub fewest_tasks: u64,
}

/// Whether the thresholds in use are the registered ones, and whether data was read with others before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The how-manieth registration.
    pub version: u32,
    /// The day of it.
    pub registered: String,
    /// Whether the thresholds are as they were registered.
    pub as_registered: bool,
    /// Other thresholds that this workspace's data was read with first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<ReadBefore>,
}

/// A reading of data with other thresholds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadBefore {
    /// Their digest.
    pub digest: String,
    /// When data was first read with them.
    pub time: Timestamp,
}

impl Registration {
    /// How these thresholds stand, given the `first` reading of data that is known: its digest and time.
    pub fn standing(&self, first: Option<(&str, &Timestamp)>) -> Standing {
        Standing {
            version: self.thresholds.version,
            registered: self.thresholds.registered.clone(),
            as_registered: self.digest == REGISTERED,
            changed_since: first
                .filter(|(digest, _)| *digest != self.digest)
                .map(|(digest, time)| ReadBefore { digest: digest.to_owned(), time: time.clone() }),
        }
    }
}

impl Standing {
    /// What a reader must be told of it; nothing when all is as it was.
    pub fn warning(&self) -> Option<String> {
        match (&self.changed_since, self.as_registered) {
            (Some(before), _) => Some(format!(
                "the thresholds were changed after data was seen: it was first read on {} with those of digest {}",
                before.time, before.digest
            )),
            (None, false) => Some("these thresholds are not the registered ones".to_owned()),
            (None, true) => None,
        }
    }
}
