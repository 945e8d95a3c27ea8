//! Whether the agent hears a nudge after a compaction: once a compaction, and never against the human's word.

use super::{Action, Nudge};
use crate::interrupt::{Hold, Rules, Stop};
use crate::ledger::Ledger;
use crate::reflection::Mode;
use crate::stuck::LeftAlone;

/// How a compaction is told apart from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    /// The agent reports each before it happens.
    Reported,
    /// By how many there were.
    Counted(u32),
}

/// Whether the agent is nudged after a compaction, or why not.
pub fn deliver(
    stop: &Stop,
    ledger: &Ledger,
    compaction: Compaction,
    nudge: &Nudge,
    rules: &Rules,
) -> Result<(), LeftAlone> {
    let seen = match compaction {
        Compaction::Reported => !ledger.compaction_is_new(),
        Compaction::Counted(epoch) => ledger.compaction_was_seen(epoch),
    };
    // A question that is pending, a plan, a word to wait: they hold after a compaction as before.
    let held = |hold: &Hold| !matches!(hold, Hold::ChatTurn | Hold::Background);
    let questions = [
        (rules.mode != Mode::Solo, LeftAlone::ObserveOnly),
        (rules.off, LeftAlone::TurnedOff),
        (seen, LeftAlone::SaidBefore),
        (nudge.action == Action::TaskComplete, LeftAlone::NotDue),
        (ledger.was_aborted(&stop.task) || stop.held(held), LeftAlone::Held),
    ];
    questions.into_iter().find(|(answer, _)| *answer).map_or(Ok(()), |(_, why)| Err(why))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::event::{Event, HookEvent, Line};
    use crate::interrupt::{Caps, LatestWord};
    use crate::timestamp::Timestamp;
    use crate::verdict::{Autonomy, Policy};

    fn ledger(events: Vec<Event>) -> Ledger {
        let time = Timestamp::try_from("2026-11-15T10:40:00Z".to_owned()).unwrap();
        let lines: Vec<Line> =
            events.into_iter().map(|event| Line { v: 1, seq: 1, time: time.clone(), event }).collect();
        Ledger::fold(&lines)
    }

    #[test]
    fn once_a_compaction_and_never_against_the_humans_word() {
        let compact = || Event::AgentReported { event: HookEvent::Compact };
        let seen = |epoch| Event::CompactionSeen {
            task: "t".into(),
            epoch,
            action: Action::ContinueTask,
            left_alone: None,
        };
        let go = Action::ContinueTask;
        for (events, compaction, action, hold, mode, expected) in [
            (vec![compact()], Compaction::Reported, go, None, Mode::Solo, Ok(())),
            (
                vec![compact(), seen(1)],
                Compaction::Reported,
                go,
                None,
                Mode::Solo,
                Err(LeftAlone::SaidBefore),
            ),
            (vec![compact(), seen(1), compact()], Compaction::Reported, go, None, Mode::Solo, Ok(())),
            (vec![compact(), seen(1), compact()], Compaction::Counted(2), go, None, Mode::Solo, Ok(())),
            (
                vec![compact(), seen(1), compact()],
                Compaction::Counted(1),
                go,
                None,
                Mode::Solo,
                Err(LeftAlone::SaidBefore),
            ),
            (
                vec![compact()],
                Compaction::Reported,
                Action::TaskComplete,
                None,
                Mode::Solo,
                Err(LeftAlone::NotDue),
            ),
            (
                vec![compact()],
                Compaction::Reported,
                go,
                Some(Hold::PlanMode),
                Mode::Solo,
                Err(LeftAlone::Held),
            ),
            (
                vec![compact()],
                Compaction::Reported,
                go,
                Some(Hold::HumanSaid(LatestWord::Stop)),
                Mode::Solo,
                Err(LeftAlone::Held),
            ),
            (vec![compact()], Compaction::Reported, go, Some(Hold::ChatTurn), Mode::Solo, Ok(())),
            (
                vec![compact()],
                Compaction::Reported,
                go,
                None,
                Mode::Orchestrated,
                Err(LeftAlone::ObserveOnly),
            ),
        ] {
            let stop =
                Stop { task: "t".into(), holds: hold.clone().into_iter().collect(), ..Stop::default() };
            let policy = Policy { attended: true, autonomy: Autonomy::Ask };
            let rules = Rules { mode, policy, caps: Caps::default(), muted: BTreeSet::new(), off: false };
            let nudge =
                Nudge { action, has_active_git_work: false, confidence: 0.8, nudge_message: "x".into() };
            let told = deliver(&stop, &ledger(events.clone()), compaction, &nudge, &rules);
            assert_eq!(told, expected, "{events:?} {compaction:?} {hold:?}");
        }
    }
}
