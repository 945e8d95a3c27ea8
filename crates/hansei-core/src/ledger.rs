//! The fold of Hansei's own events about one session: what later decisions need to know of earlier ones.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::{BaseCommit, Event, HookEvent, Line, NudgeCause};
use crate::evidence::Kind;
use crate::interrupt::{Failures, SkipWhy, Why};
use crate::notice::About;
use crate::timestamp::Timestamp;
use crate::transcript_mark::TranscriptMark;

/// What Hansei knows about a session from its log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Ledger {
    start: Option<Start>,
    last_start: Option<Timestamp>,
    stops_of_task: u32,
    open_capture: bool,
    judging_until: Option<Timestamp>,
    decided: BTreeSet<String>,
    concluded: BTreeSet<(String, u32)>,
    sent_back: Vec<SendBack>,
    handed_over: BTreeSet<String>,
    aborted: BTreeSet<String>,
    aborted_since_prompt: bool,
    turned_off: Option<bool>,
    prompts: u64,
    silences: BTreeSet<String>,
    silence_nudges: BTreeMap<String, u32>,
    compaction_reported: bool,
    compactions: BTreeSet<u32>,
    noticed: BTreeSet<About>,
    transcript: Option<TranscriptMark>,
    told_of_transcript: bool,
}

/// A time that the agent was sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendBack {
    /// The human message that was worked on.
    pub task: String,
    /// What for.
    pub failures: Failures,
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

    /// Takes one more event.
    pub fn apply(&mut self, line: &Line) {
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
            Event::TaskStarted => {
                self.stops_of_task = 0;
                self.aborted_since_prompt = false;
                self.prompts += 1;
                self.noticed.clear();
            }
            Event::AgentReported { event: HookEvent::Abort } => self.aborted_since_prompt = true,
            Event::AgentReported { event: HookEvent::Compact } => self.compaction_reported = true,
            Event::AgentReported { .. }
            | Event::Judged { .. }
            | Event::ExperimentRead { .. }
            | Event::GateOverridden { .. }
            | Event::GateOverrideEnded { .. }
            | Event::JudgeUnavailable { .. }
            | Event::MarkedWrong { .. }
            | Event::NoticeSent { .. }
            | Event::Nudged { because: NudgeCause::Compaction, .. }
            | Event::Outcome(_)
            | Event::RescueProposed { .. }
            | Event::RescueWorked { .. }
            | Event::RefusedInsideAgent { .. } => {}
            Event::CaptureStarted { .. } => self.open_capture = true,
            Event::CaptureFailed { .. } => self.open_capture = false,
            Event::Captured { attempt, .. } => {
                self.stops_of_task = *attempt;
                self.open_capture = false;
            }
            Event::JudgingStarted { until, .. } => self.judging_until = Some(until.clone()),
            Event::TranscriptRead(mark) => self.transcript = Some(mark.clone()),
            Event::SentBack { stop, task, failures, escalation, grounds, .. } => {
                self.told_of_transcript |= grounds.contains(&Kind::TranscriptChanged);
                self.decide(stop);
                if escalation.is_some() {
                    self.handed_over.insert(task.clone());
                }
                self.sent_back.push(SendBack { task: task.clone(), failures: failures.clone() });
            }
            Event::LetGo { stop, task, epoch, why, .. } => {
                self.decide(stop);
                if is_conclusion(*why) {
                    self.concluded.insert((task.clone(), *epoch));
                }
            }
            Event::Skipped { stop, task, why } => {
                self.decide(stop);
                if *why == SkipWhy::Aborted {
                    self.aborted.insert(task.clone());
                    self.aborted_since_prompt = false;
                }
            }
            Event::SilenceSeen { stop, .. } => {
                self.silences.insert(stop.clone());
            }
            Event::CompactionSeen { epoch, .. } => {
                self.compaction_reported = false;
                self.compactions.insert(*epoch);
            }
            Event::Nudged { stop, task, because: NudgeCause::Silence, .. } => {
                self.silences.insert(stop.clone());
                *self.silence_nudges.entry(task.clone()).or_default() += 1;
            }
            Event::NoticeDue { about, .. } => {
                self.noticed.insert(*about);
            }
            Event::TurnedOff => self.turned_off = Some(true),
            Event::TurnedOn => self.turned_off = Some(false),
        }
    }

    fn decide(&mut self, stop: &str) {
        self.judging_until = None;
        self.decided.insert(stop.to_owned());
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

    /// Until when another process is judging, if one began and has not said what it decided.
    pub fn judging_until(&self) -> Option<&Timestamp> {
        self.judging_until.as_ref()
    }

    /// Whether this very stop was decided before.
    pub fn was_decided(&self, stop: &str) -> bool {
        self.decided.contains(stop)
    }

    /// Whether this task came to a conclusion in this epoch, so that only a human's new word opens it again.
    pub fn was_concluded(&self, task: &str, epoch: u32) -> bool {
        self.concluded.contains(&(task.to_owned(), epoch))
    }

    /// Whether a human cancelled this task. A new task is not cancelled with it.
    pub fn was_aborted(&self, task: &str) -> bool {
        // An abort names no message, and may be reported before or after the stop that it causes: until the human
        // speaks again, it is meant for whatever stops next.
        self.aborted.contains(task) || self.aborted_since_prompt
    }

    /// The times that the agent was sent back while working on `task`, in order.
    pub fn send_backs<'a>(&'a self, task: &'a str) -> impl DoubleEndedIterator<Item = &'a SendBack> {
        self.sent_back.iter().filter(move |sent| sent.task == task)
    }

    /// How often the agent was sent back while working on `task`.
    pub fn attempts(&self, task: &str) -> u32 {
        u32::try_from(self.send_backs(task).count()).unwrap_or(u32::MAX)
    }

    /// Whether the agent was sent back for exactly this while working on `task`.
    pub fn was_sent_back_for(&self, task: &str, failures: &Failures) -> bool {
        self.send_backs(task).any(|sent| sent.failures.all == failures.all)
    }

    /// How many of the last attempts at `task` brought no progress up to `now`.
    pub fn attempts_without_progress(&self, task: &str, now: &Failures) -> u32 {
        let mut later = now;
        let mut count = 0;
        for sent in self.send_backs(task).rev() {
            if later.is_progress_since(&sent.failures) {
                break;
            }
            count += 1;
            later = &sent.failures;
        }
        count
    }

    /// Whether the agent was told to hand `task` over.
    pub fn was_handed_over(&self, task: &str) -> bool {
        self.handed_over.contains(task)
    }

    /// Whether the user turned Hansei off or on here, by the latest word.
    pub fn turned_off(&self) -> Option<bool> {
        self.turned_off
    }

    /// How far the transcript was read at the last stop that was judged.
    pub fn transcript(&self) -> Option<&TranscriptMark> {
        self.transcript.as_ref()
    }

    /// Whether the agent was sent back for a transcript that was changed: that is said once a session.
    pub fn was_told_of_transcript(&self) -> bool {
        self.told_of_transcript
    }

    /// How many prompts of humans were reported: more than before means that somebody spoke.
    pub fn prompts(&self) -> u64 {
        self.prompts
    }

    /// Whether the silence after this stop was looked at before.
    pub fn silence_was_seen(&self, stop: &str) -> bool {
        self.silences.contains(stop)
    }

    /// How often the agent was nudged out of a silence while working on `task`.
    pub fn silence_nudges(&self, task: &str) -> u32 {
        self.silence_nudges.get(task).copied().unwrap_or_default()
    }

    /// Whether a compaction was reported after which nobody has looked yet.
    pub fn compaction_is_new(&self) -> bool {
        self.compaction_reported
    }

    /// Whether somebody looked after the compaction that began this epoch.
    pub fn compaction_was_seen(&self, epoch: u32) -> bool {
        self.compactions.contains(&epoch)
    }

    /// Whether a person was told about this since the human last spoke.
    pub fn was_noticed(&self, about: About) -> bool {
        self.noticed.contains(&about)
    }

    /// Whether the last capture began and has not finished: it is still running, or it died.
    pub fn capture_is_open(&self) -> bool {
        self.open_capture
    }
}

/// Whether nothing but a human's new word opens a task again that was let go for this reason.
fn is_conclusion(why: Why) -> bool {
    matches!(
        why,
        Why::Complete
            | Why::AwaitingUser
            | Why::AttemptsSpent
            | Why::BlocksSpent
            | Why::NoProgress
            | Why::SaidBefore
    )
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
