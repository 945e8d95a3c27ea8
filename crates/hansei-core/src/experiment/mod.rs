//! The three experiments that must pass before anything that was learned acts by itself, each with a condition under
//! which it is given up that was written down before any data was read.

pub mod answer;
pub mod board_history;
pub mod calibration;
pub mod git_history;
pub mod registration;

use serde::Serialize;

use registration::Registration;

/// Which experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Experiment {
    /// P1: does confidence tell right from wrong where it is high?
    Calibration,
    /// P2: is there a failure that only self-reflection would have caught?
    GitHistory,
    /// P3: can a machine tell afterwards whether a task was done right?
    BoardHistory,
}

impl Experiment {
    /// All of them, in their order.
    pub const ALL: [Self; 3] = [Self::Calibration, Self::GitHistory, Self::BoardHistory];

    /// Its name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calibration => "calibration",
            Self::GitHistory => "git-history",
            Self::BoardHistory => "board-history",
        }
    }

    /// Its number in the plan.
    pub fn number(self) -> &'static str {
        match self {
            Self::Calibration => "P1",
            Self::GitHistory => "P2",
            Self::BoardHistory => "P3",
        }
    }

    /// The condition under which it is given up, as registered.
    pub fn kill_condition(self, registration: &Registration) -> &str {
        match self {
            Self::Calibration => &registration.thresholds.calibration.kill,
            Self::GitHistory => &registration.thresholds.git_history.kill,
            Self::BoardHistory => &registration.thresholds.board_history.kill,
        }
    }
}

/// How an experiment came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Its kill condition does not hold.
    Pass,
    /// Its kill condition holds.
    Killed,
    /// Too little data to say.
    NotEnoughData,
}

impl Status {
    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Killed => "killed",
            Self::NotEnoughData => "not_enough_data",
        }
    }
}

/// What was measured, and what follows from it by the registered thresholds.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// How it came out.
    pub status: Status,
    /// The figure that decides; none where it cannot be computed.
    pub figure: Option<f64>,
    /// Its interval of 95 %, lower end first.
    pub interval: Option<[f64; 2]>,
    /// How many rows, signals or tasks it rests on.
    pub n: u64,
    /// Why in words: what is missing, or what the figure was held against.
    pub why: String,
}

/// The result of an experiment, as it is printed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding<D> {
    /// Which one.
    pub experiment: Experiment,
    /// When it is given up.
    pub kill_condition: String,
    /// The digest of the thresholds it was held against.
    pub registration_digest: String,
    /// Whether those are the registered ones, and the ones that data was read with before.
    pub registration: registration::Standing,
    /// How it came out.
    pub status: Status,
    /// The figure that decides.
    pub figure: Option<f64>,
    /// Its interval of 95 %, lower end first.
    pub interval: Option<[f64; 2]>,
    /// How many rows, signals or tasks it rests on.
    pub n: u64,
    /// Why in words.
    pub why: String,
    /// What this experiment tells beyond that.
    #[serde(flatten)]
    pub details: D,
}

impl<D> Finding<D> {
    /// The result of `experiment` under `registration`.
    pub fn new(
        experiment: Experiment,
        registration: &Registration,
        standing: registration::Standing,
        measured: Measured,
        details: D,
    ) -> Self {
        Self {
            experiment,
            kill_condition: experiment.kill_condition(registration).to_owned(),
            registration_digest: registration.digest.clone(),
            registration: standing,
            status: measured.status,
            figure: measured.figure,
            interval: measured.interval,
            n: measured.n,
            why: measured.why,
            details,
        }
    }
}
