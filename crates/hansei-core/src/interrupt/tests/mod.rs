//! The decision flow, from tables and from simulated sessions.

mod diagram;
mod feedback;
mod interruption;
mod protections;
mod situations;

use std::collections::BTreeSet;

use super::*;
use crate::event::{Event, Line};
use crate::evidence::Place;
use crate::timestamp::Timestamp;
use crate::verdict::{Autonomy, DecidedBy, Verdict};

/// A log in memory, and its fold.
#[derive(Default)]
pub(super) struct Log(Vec<Line>);

impl Log {
    pub(super) fn append(&mut self, event: Event) {
        let time = Timestamp::try_from("2026-11-15T10:40:00Z".to_owned()).unwrap();
        self.0.push(Line { v: 1, seq: self.0.len() as u64 + 1, time, event });
    }

    pub(super) fn ledger(&self) -> Ledger {
        Ledger::fold(&self.0)
    }

    /// Records a decision as the hook does.
    pub(super) fn record(&mut self, stop: &Stop, decision: &Decision) {
        self.append(event_of(stop, decision));
    }
}

pub(super) fn event_of(stop: &Stop, decision: &Decision) -> Event {
    decision.event(stop)
}

/// A stop of a task, with an id of its own.
pub(super) fn stop(id: &str, task: &str) -> Stop {
    Stop { id: id.into(), task: task.into(), ..Stop::default() }
}

pub(super) fn held(hold: Hold) -> Stop {
    Stop { holds: vec![hold], ..stop("s", "m") }
}

pub(super) fn verdict(complete: bool, severity: Severity) -> Judgement {
    let missing = if complete { vec![] } else { vec!["tests pass".to_owned()] };
    Judgement {
        verdict: Verdict {
            complete,
            severity,
            requires_human_action: false,
            feedback: "`cargo test` exited 101".into(),
            missing,
            next_actions: vec![],
            evidence_ids: vec![],
            decided_by: DecidedBy::Executed,
            confidence: 0.9,
        },
        standing: Standing::Ended(if complete { Ending::Complete } else { Ending::Failed }),
        p_complete: if complete { 0.9 } else { 0.1 },
    }
}

pub(super) fn found(kind: Kind, about: &[&str]) -> Evidence {
    Evidence {
        id: "e1".into(),
        kind,
        severity: Severity::High,
        place: Place::Session,
        text: format!("{} of {}", kind_name(kind), about.join(" and ")),
        about: about.iter().map(|about| (*about).to_owned()).collect(),
        settle: None,
        tries: 0,
    }
}

pub(super) fn red(tests: &[&str]) -> Vec<Evidence> {
    vec![found(Kind::CheckFailed, tests)]
}

pub(super) fn attended() -> Rules {
    Rules {
        mode: Mode::Solo,
        policy: Policy { attended: true, autonomy: Autonomy::Ask },
        caps: Caps::default(),
        muted: BTreeSet::new(),
        off: false,
    }
}

pub(super) fn unattended() -> Rules {
    Rules { policy: Policy { attended: false, autonomy: Autonomy::Auto }, ..attended() }
}

/// What is decided about a failing stop.
pub(super) fn failing(stop: &Stop, ledger: &Ledger, rules: &Rules) -> Action {
    decide(stop, ledger, &verdict(false, Severity::High), &red(&["a"]), rules).action
}

pub(super) fn is_send_back(action: &Action) -> bool {
    matches!(action, Action::SendBack { .. })
}
