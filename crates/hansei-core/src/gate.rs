//! The gate: whether what was learned may act by itself.
//!
//! [`Gate::decided`] is the only way to an answer, so nothing else can open it.

use serde::Serialize;

use crate::event::{Event, Line};
use crate::experiment::Status;
use crate::timestamp::Timestamp;

/// Whether what was learned may act by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gate {
    open: bool,
    mode: Mode,
    reasons: Vec<String>,
    #[serde(rename = "override")]
    overridden: Option<Override>,
}

/// How far what was learned may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// All three experiments passed: it reaches prompts by itself.
    Automatic,
    /// The user opened the gate against the experiments.
    Overridden,
    /// Notes for people, nothing automatic.
    CaveatNotesOnly,
    /// Nothing.
    Closed,
}

impl Mode {
    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Overridden => "overridden",
            Self::CaveatNotesOnly => "caveat_notes_only",
            Self::Closed => "closed",
        }
    }
}

/// The user's word that the gate is open all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Override {
    /// Why.
    pub why: String,
    /// Who.
    pub who: String,
    /// When.
    pub time: Timestamp,
}

impl Override {
    /// The one that stands, by the workspace's own log.
    pub fn standing(own_log: &[Line]) -> Option<Self> {
        own_log.iter().rev().find_map(|line| match &line.event {
            Event::GateOverridden { why, who } => {
                Some(Some(Self { why: why.clone(), who: who.clone(), time: line.time.clone() }))
            }
            Event::GateOverrideEnded { .. } => Some(None),
            _ => None,
        })?
    }

    /// One line for every report that is made while it stands.
    pub fn line(&self) -> String {
        format!("the gate was opened by hand on {} by {}: {}", self.time, self.who, self.why)
    }
}

/// How one experiment came out, and why, as the gate weighs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weighed<'a> {
    /// How it came out.
    pub status: Status,
    /// Why.
    pub why: &'a str,
}

impl Gate {
    /// The answer: from how P1, P2 and P3 came out, and the user's word against them.
    pub fn decided(experiments: [Weighed<'_>; 3], overridden: Option<Override>) -> Self {
        let statuses = experiments.map(|experiment| experiment.status);
        let mode = match (statuses, &overridden) {
            (_, Some(_)) => Mode::Overridden,
            ([Status::Pass, Status::Pass, Status::Pass], None) => Mode::Automatic,
            ([Status::Pass, Status::Pass, Status::Killed], None) => Mode::CaveatNotesOnly,
            _ => Mode::Closed,
        };
        let reasons = ["P1", "P2", "P3"].iter().zip(experiments).filter_map(|(number, experiment)| {
            let word = match experiment.status {
                Status::Pass => return None,
                Status::Killed => "killed",
                Status::NotEnoughData => "not enough data",
            };
            Some(format!("{number} {word}: {}", experiment.why))
        });
        Self {
            open: matches!(mode, Mode::Automatic | Mode::Overridden),
            mode,
            reasons: reasons.collect(),
            overridden,
        }
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// How far what was learned may go.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What keeps it closed, or would.
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }

    /// The user's word against the experiments.
    pub fn overridden(&self) -> Option<&Override> {
        self.overridden.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time() -> Timestamp {
        Timestamp::try_from("2026-11-15T10:00:00Z".to_owned()).unwrap()
    }

    #[test]
    fn every_combination_has_one_answer() {
        use Status::{Killed, NotEnoughData, Pass};
        let all = [Pass, Killed, NotEnoughData];
        let word = Override { why: "a pilot".into(), who: "Ada".into(), time: time() };
        for p1 in all {
            for p2 in all {
                for p3 in all {
                    let experiments = [p1, p2, p3].map(|status| Weighed { status, why: "so" });
                    let gate = Gate::decided(experiments, None);
                    let mode = match (p1, p2, p3) {
                        (Pass, Pass, Pass) => Mode::Automatic,
                        (Pass, Pass, Killed) => Mode::CaveatNotesOnly,
                        _ => Mode::Closed,
                    };
                    assert_eq!((gate.mode(), gate.is_open()), (mode, mode == Mode::Automatic));
                    let against = [p1, p2, p3].iter().filter(|status| **status != Pass).count();
                    assert_eq!(gate.reasons().len(), against);
                    let forced = Gate::decided(experiments, Some(word.clone()));
                    assert_eq!((forced.mode(), forced.is_open()), (Mode::Overridden, true));
                    assert_eq!(forced.reasons(), gate.reasons());
                }
            }
        }
    }

    #[test]
    fn an_override_stands_until_it_is_taken_back() {
        let line = |event| Line { v: 1, seq: 1, time: time(), event };
        let opened = line(Event::GateOverridden { why: "a pilot".into(), who: "Ada".into() });
        let ended = line(Event::GateOverrideEnded { who: "Ada".into() });
        assert_eq!(Override::standing(&[]), None);
        assert!(Override::standing(&[opened.clone(), line(Event::TaskStarted)]).is_some());
        assert_eq!(Override::standing(&[opened.clone(), ended.clone()]), None);
        assert!(Override::standing(&[ended, opened]).is_some());
    }
}
