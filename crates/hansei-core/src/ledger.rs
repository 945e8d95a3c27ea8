//! The fold of Hansei's own events about one session: what later decisions need to know of earlier ones.

use std::collections::BTreeMap;

use crate::event::{BaseCommit, Event, Line};
use crate::timestamp::Timestamp;

/// What Hansei knows about a session from its log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    start: Option<Start>,
    last_start: Option<Timestamp>,
    stops_of_task: u32,
    open_capture: bool,
}

/// What was there when the session began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// What was checked out.
    pub base: BaseCommit,
    /// Each file that was already changed, with what it contained.
    pub dirty: BTreeMap<String, String>,
}

impl Ledger {
    /// Folds the events of one session's log.
    pub fn fold<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let mut ledger = Self::default();
        for line in lines {
            ledger.apply(line);
        }
        ledger
    }

    fn apply(&mut self, line: &Line) {
        match &line.event {
            Event::SessionStarted { base, dirty, .. } => {
                // A resumed or compacted session starts again under the same id: its change still counts from the
                // first start.
                if self.start().is_none() {
                    let dirty = dirty.iter().map(|file| (file.path.clone(), file.blob.clone())).collect();
                    self.start = Some(Start { base: base.clone(), dirty });
                }
                self.last_start = Some(line.time.clone());
            }
            Event::TaskStarted => self.stops_of_task = 0,
            Event::AgentReported { .. } => {}
            Event::CaptureStarted { .. } => self.open_capture = true,
            Event::CaptureFailed { .. } => self.open_capture = false,
            Event::Captured { attempt, .. } => {
                self.stops_of_task = *attempt;
                self.open_capture = false;
            }
        }
    }

    /// What was there when the session began, if that was recorded.
    pub fn start(&self) -> Option<&Start> {
        self.start.as_ref().filter(|start| start.base != BaseCommit::Unknown)
    }

    /// When the session was last started or resumed, if that was recorded.
    pub fn last_start(&self) -> Option<&Timestamp> {
        self.last_start.as_ref()
    }

    /// The how-manieth stop of the current task the next one is.
    pub fn next_attempt(&self) -> u32 {
        self.stops_of_task.saturating_add(1)
    }

    /// Whether the last capture began and has not finished: it is still running, or it died.
    pub fn capture_is_open(&self) -> bool {
        self.open_capture
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::risk::{Floor, RiskVerdict};

    fn verdict() -> RiskVerdict {
        Floor::default().evaluate::<&str>(&[])
    }

    fn ledger(events: Vec<Event>) -> Ledger {
        let lines: Vec<Line> = events
            .into_iter()
            .zip(1_u8..)
            .map(|(event, n)| Line {
                v: 1,
                seq: n.into(),
                time: Timestamp::try_from(format!("2026-11-15T10:40:{n:02}Z")).unwrap(),
                event,
            })
            .collect();
        Ledger::fold(&lines)
    }

    fn captured(attempt: u32) -> Event {
        Event::Captured {
            sidecar: String::new(),
            attempt,
            files_changed: 0,
            left_out: vec![],
            risk: verdict(),
            degraded: vec![],
        }
    }

    fn started(base: &str) -> Event {
        let base = if base.is_empty() { BaseCommit::Unknown } else { BaseCommit::Commit(base.into()) };
        Event::SessionStarted { base, dirty: vec![], degraded: vec![] }
    }

    #[test]
    fn attempts_count_the_stops_of_a_task() {
        assert_eq!(ledger(vec![]).next_attempt(), 1);
        assert_eq!(ledger(vec![Event::TaskStarted, captured(1), captured(2)]).next_attempt(), 3);
        assert_eq!(ledger(vec![captured(1), Event::TaskStarted]).next_attempt(), 1);
    }

    #[test]
    fn the_first_start_is_the_base_and_the_last_one_dates_reports() {
        let ledger = ledger(vec![started(""), started("one"), captured(1), started("two")]);
        assert_eq!(ledger.start().unwrap().base, BaseCommit::Commit("one".into()));
        assert_eq!(ledger.last_start().unwrap().as_str(), "2026-11-15T10:40:04Z");
    }

    #[test]
    fn a_capture_without_its_result_is_open() {
        assert!(ledger(vec![Event::CaptureStarted { attempt: 1 }]).capture_is_open());
        assert!(!ledger(vec![Event::CaptureStarted { attempt: 1 }, captured(1)]).capture_is_open());
        let failed = Event::CaptureFailed { reason: String::new() };
        assert!(!ledger(vec![Event::CaptureStarted { attempt: 1 }, failed]).capture_is_open());
    }
}
