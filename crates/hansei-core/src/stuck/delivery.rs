//! Whether a stuck agent may be told so: once a silence, a few times a task, and never against the human's word.

use serde::{Deserialize, Serialize};

use super::{Assessment, TOO_RECENT};
use crate::interrupt::{Hold, Rules, Stop};
use crate::ledger::Ledger;
use crate::reflection::Mode;

/// How often a silent agent is nudged for one task, with a human at the terminal.
const MOST_ATTENDED: u32 = 1;
/// The same with nobody there.
const MOST_UNATTENDED: u32 = 3;

/// Why an agent was left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftAlone {
    /// A word would not help.
    NotDue,
    /// In this mode nobody is steered.
    ObserveOnly,
    /// The user turned Hansei off here.
    TurnedOff,
    /// A human cancelled, waits to be asked, or said to wait; or something else drives the agent.
    Held,
    /// The task came to its conclusion.
    Concluded,
    /// This very silence was looked at before.
    SaidBefore,
    /// It was nudged as often as one task allows.
    Spent,
}

/// A silence of `seconds` as an assessment counts it, for a user who wants sessions to be looked at after `after` seconds.
pub fn counted_silence(seconds: u64, after: u64) -> u64 {
    if seconds >= after { seconds.max(TOO_RECENT) } else { seconds.min(TOO_RECENT - 1) }
}

/// Whether the agent of a silent session is nudged, or why not.
pub fn deliver(
    stop: &Stop,
    ledger: &Ledger,
    assessment: &Assessment,
    rules: &Rules,
) -> Result<(), LeftAlone> {
    let most = if rules.policy.attended { MOST_ATTENDED } else { MOST_UNATTENDED };
    let questions = [
        (rules.mode != Mode::Solo, LeftAlone::ObserveOnly),
        (rules.off, LeftAlone::TurnedOff),
        (ledger.silence_was_seen(&stop.id), LeftAlone::SaidBefore),
        (!assessment.should_nudge, LeftAlone::NotDue),
        (ledger.was_aborted(&stop.task) || stop.held(holds_back), LeftAlone::Held),
        (ledger.was_concluded(&stop.task, stop.epoch), LeftAlone::Concluded),
        (ledger.silence_nudges(&stop.task) >= most, LeftAlone::Spent),
    ];
    questions.into_iter().find(|(answer, _)| *answer).map_or(Ok(()), |(_, why)| Err(why))
}

/// Whether a hold also keeps us from a nudge. All do: what may not be sent back may not be driven on either.
fn holds_back(hold: &Hold) -> bool {
    match hold {
        Hold::Aborted
        | Hold::OwnSession
        | Hold::SideSession
        | Hold::SubAgent
        | Hold::PlanMode
        | Hold::PendingQuestion
        | Hold::ChatTurn
        | Hold::HumanSaid(_)
        | Hold::OtherDriver(_)
        | Hold::Background => true,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::event::{Event, HookEvent, Line, NudgeCause};
    use crate::interrupt::{Caps, Why};
    use crate::stuck::Reason;
    use crate::timestamp::Timestamp;
    use crate::verdict::{Autonomy, Policy};

    fn ledger(events: Vec<Event>) -> Ledger {
        let time = Timestamp::try_from("2026-11-15T10:40:00Z".to_owned()).unwrap();
        let lines: Vec<Line> =
            events.into_iter().map(|event| Line { v: 1, seq: 1, time: time.clone(), event }).collect();
        Ledger::fold(&lines)
    }

    fn nudged(stop: &str) -> Event {
        Event::Nudged {
            stop: stop.into(),
            task: "t".into(),
            epoch: 0,
            because: NudgeCause::Silence,
            text: "go on".into(),
        }
    }

    #[test]
    fn a_silence_counts_from_when_the_user_says() {
        for (seconds, after, counted) in
            [(29, 30, 29), (30, 30, 30), (2, 2, 30), (1, 2, 1), (45, 60, 29), (90, 60, 90)]
        {
            assert_eq!(counted_silence(seconds, after), counted, "{seconds} {after}");
        }
    }

    #[test]
    fn every_reason_to_leave_an_agent_alone() {
        let let_go = |why| Event::LetGo { stop: "s".into(), task: "t".into(), epoch: 0, why, standing: None };
        let aborted = Event::AgentReported { event: HookEvent::Abort };
        let stuck = Reason::GenuinelyStuck;
        let none: Vec<Hold> = vec![];
        for (events, holds, reason, mode, off, attended, expected) in [
            (vec![], none.clone(), stuck, Mode::Solo, false, true, Ok(())),
            (vec![let_go(Why::NotEnough)], none.clone(), stuck, Mode::Solo, false, true, Ok(())),
            (vec![], none.clone(), stuck, Mode::Orchestrated, false, true, Err(LeftAlone::ObserveOnly)),
            (vec![], none.clone(), stuck, Mode::Solo, true, true, Err(LeftAlone::TurnedOff)),
            (vec![], none.clone(), Reason::Working, Mode::Solo, false, true, Err(LeftAlone::NotDue)),
            (vec![], none.clone(), Reason::WaitingForUser, Mode::Solo, false, true, Err(LeftAlone::NotDue)),
            (vec![aborted], none.clone(), stuck, Mode::Solo, false, true, Err(LeftAlone::Held)),
            (vec![], vec![Hold::PlanMode], stuck, Mode::Solo, false, true, Err(LeftAlone::Held)),
            (
                vec![let_go(Why::Complete)],
                none.clone(),
                stuck,
                Mode::Solo,
                false,
                true,
                Err(LeftAlone::Concluded),
            ),
            (vec![nudged("s")], none.clone(), stuck, Mode::Solo, false, false, Err(LeftAlone::SaidBefore)),
            (vec![nudged("a")], none.clone(), stuck, Mode::Solo, false, true, Err(LeftAlone::Spent)),
            (vec![nudged("a"), nudged("b")], none.clone(), stuck, Mode::Solo, false, false, Ok(())),
            (
                vec![nudged("a"), nudged("b"), nudged("c")],
                none,
                stuck,
                Mode::Solo,
                false,
                false,
                Err(LeftAlone::Spent),
            ),
        ] {
            let stop = Stop { id: "s".into(), task: "t".into(), holds, ..Stop::default() };
            let policy = Policy { attended, autonomy: Autonomy::Auto };
            let rules = Rules { mode, policy, caps: Caps::default(), muted: BTreeSet::new(), off };
            let assessment = Assessment::new(reason, 0.9, "go on".into());
            assert_eq!(deliver(&stop, &ledger(events.clone()), &assessment, &rules), expected, "{events:?}");
        }
    }
}
