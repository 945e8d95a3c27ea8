//! The decision flow: may this agent be sent back, now, for this?
//!
//! One pure function from a stop, the fold of our own log and what was found, to what is done about it. Protections
//! against loops rest on the ids of human messages and on compaction epochs. Whatever is unclear lets the agent stop.

mod failures;
mod feedback;
mod handover;
mod latest_word;
mod orders;
mod record;
mod stop;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use failures::{Failures, admissible, kind_name, kind_named};
pub use feedback::{MARK, is_ours};
pub use handover::{Handover, HandoverWords};
pub use latest_word::{LatestWord, latest_word};
pub use orders::Orders;
pub use record::VerdictRecord;
pub use stop::{Hold, Stop, task_key};

use crate::event::Event;
use crate::evidence::{Evidence, Kind};
use crate::ledger::Ledger;
use crate::reflection::Mode;
use crate::verdict::{Ending, Judgement, Pause, Policy, Severity, Standing};

/// What may be done in this session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Whether the agent may be steered at all.
    pub mode: Mode,
    /// Who is there, and what is expected.
    pub policy: Policy,
    /// How often.
    pub caps: Caps,
    /// Detectors that the user marked wrong here.
    pub muted: BTreeSet<Kind>,
    /// Whether the user turned Hansei off here.
    pub off: bool,
}

/// How often an agent may be sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// For one task, with a human at the terminal.
    pub attended: u32,
    /// For one task, with nobody there.
    pub unattended: u32,
    /// In a row, other hooks' blocks counted, where the agent itself sets a limit.
    pub in_a_row: Option<u32>,
    /// Attempts in a row without progress.
    pub without_progress: u32,
}

impl Default for Caps {
    fn default() -> Self {
        Self { attended: 2, unattended: 16, in_a_row: None, without_progress: 3 }
    }
}

impl Caps {
    /// How often for one task.
    pub fn per_task(&self, policy: Policy) -> u32 {
        if policy.attended { self.attended } else { self.unattended }
    }
}

/// What is done about a stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What.
    pub action: Action,
    /// How the stop stands; nothing when it was not looked at.
    pub standing: Option<Standing>,
    /// What the human is told.
    pub notice: Option<Notice>,
    /// Each question that was asked on the way, with its answer.
    pub steps: Vec<String>,
}

impl Decision {
    /// Whether the agent is let go because a cap ran out.
    pub fn is_overridden(&self) -> bool {
        matches!(self.action, Action::LetStop(why) if why.overrides())
    }

    /// What a decision to hand over becomes when the escalation was written down as `file`, or could not be.
    pub fn hand_over(&mut self, written: Option<(String, String)>) {
        let Action::HandOver { attempt, failures, .. } = &self.action else { return };
        let Some((file, feedback)) = written else {
            self.action = Action::LetStop(Why::NoProgress);
            self.standing = Some(Standing::Ended(Ending::Stuck));
            return;
        };
        let (attempt, failures) = (*attempt, failures.clone());
        self.action = Action::SendBack { feedback, attempt, failures, escalation: Some(file) };
    }

    /// The decision as an event of the session's log.
    pub fn event(&self, stop: &Stop) -> Event {
        let (stop_id, task, epoch) = (stop.id.clone(), stop.task.clone(), stop.epoch);
        match &self.action {
            Action::SendBack { feedback, attempt, failures, escalation } => Event::SentBack {
                stop: stop_id,
                task,
                epoch,
                attempt: *attempt,
                grounds: failures.kinds(),
                failures: failures.clone(),
                feedback: feedback.clone(),
                escalation: escalation.clone(),
            },
            // An escalation that nobody wrote down is not told of.
            Action::HandOver { .. } => Event::LetGo {
                stop: stop_id,
                task,
                epoch,
                why: Why::NoProgress,
                standing: Some(Standing::Ended(Ending::Stuck)),
            },
            Action::LetStop(why) => {
                Event::LetGo { stop: stop_id, task, epoch, why: *why, standing: self.standing }
            }
            Action::Skip(why) => Event::Skipped { stop: stop_id, task, why: *why },
        }
    }
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// The agent goes on, with this before it.
    SendBack {
        /// What it is told.
        feedback: String,
        /// The how-manieth time for this task.
        attempt: u32,
        /// What it is sent back for.
        failures: Failures,
        /// The escalation that it is told to hand over, where it is.
        escalation: Option<String>,
    },
    /// The agent is told once to stop and to hand over: attempts brought nothing. Whoever acts writes the escalation down first,
    /// and says where it lies ([`Decision::hand_over`]).
    HandOver {
        /// The how-manieth time for this task.
        attempt: u32,
        /// What is in the way.
        failures: Failures,
        /// How many attempts brought no progress.
        idle: u32,
    },
    /// The agent stops.
    LetStop(Why),
    /// The agent stops, and nobody looked at it.
    Skip(SkipWhy),
}

/// Why an agent may stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It is done.
    Complete,
    /// Nothing is missing, and the human is next.
    AwaitingUser,
    /// Only a human can do the next step.
    BlockedOnHuman,
    /// It was sent back as often as one task allows.
    AttemptsSpent,
    /// It was kept from stopping as often in a row as it puts up with.
    BlocksSpent,
    /// Several attempts brought no progress.
    NoProgress,
    /// It was sent back for exactly this before.
    SaidBefore,
    /// What was found is not enough to interrupt anybody.
    NotEnough,
    /// In this mode nobody is steered.
    ObserveOnly,
    /// Plan mode.
    PlanMode,
    /// A question waits for the human.
    PendingQuestion,
    /// A chat.
    ChatTurn,
    /// The human said stop, wait or only analyse.
    HumanSaid,
    /// Something else drives the agent.
    OtherDriver,
    /// Work still runs in the background.
    Background,
    /// The human spoke while we were thinking.
    HumanSpoke,
    /// The session cannot be read.
    Unreadable,
}

impl Why {
    /// Whether the agent stops only because it was kept from stopping often enough: what was found stands, and is overridden.
    pub fn overrides(self) -> bool {
        matches!(self, Self::AttemptsSpent | Self::BlocksSpent | Self::NoProgress | Self::SaidBefore)
    }
}

/// Why nobody looked at a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipWhy {
    /// The human cancelled.
    Aborted,
    /// Hansei started the session itself.
    OwnSession,
    /// The agent runs it for itself.
    SideSession,
    /// A sub-agent.
    SubAgent,
    /// The user turned Hansei off here.
    TurnedOff,
    /// This stop, or this task, was decided before.
    AlreadyJudged,
}

/// What the human is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The words.
    pub text: String,
    /// Whether it says more than that all is well.
    pub matters: bool,
}

/// Decides about a stop. Every question is one of the diagram's, in its order.
pub fn decide(
    stop: &Stop,
    ledger: &Ledger,
    judgement: &Judgement,
    evidence: &[Evidence],
    rules: &Rules,
) -> Decision {
    let mut flow = Flow { steps: Vec::new() };
    if let Some(why) = flow.skip(stop, ledger, rules) {
        return skipped(why, flow.steps);
    }
    let verdict = &judgement.verdict;
    let complete = verdict.complete && verdict.severity < Severity::Blocker;
    // A plan is no end, however good it is: when it is approved the work begins, without another word of the human's.
    if flow.asks(stop.held(|hold| *hold == Hold::PlanMode), || "plan mode".to_owned()) {
        let notice = if complete { None } else { verdict_notice(judgement, "Not complete") };
        return flow.let_stop(Why::PlanMode, Standing::Paused(Pause::WaitingForUser), notice);
    }
    let attempts = ledger.attempts(&stop.task);
    let most = rules.caps.per_task(rules.policy);
    if flow.asks(attempts >= most, || format!("attempts spent: {attempts} of {most}")) {
        let standing =
            if complete { judgement.standing } else { Standing::Ended(Ending::GaveUpAfterReflections) };
        return flow.let_stop(
            Why::AttemptsSpent,
            standing,
            verdict_notice(judgement, "Let go after the last attempt"),
        );
    }
    if flow.asks(complete, || format!("complete: {}, severity {:?}", verdict.complete, verdict.severity)) {
        let matters = verdict.severity > Severity::None && !verdict.feedback.is_empty();
        let said = verdict.feedback.trim_start_matches("Task complete.").trim_start();
        let text = if matters { format!("Task complete. {said}") } else { "Task complete".to_owned() };
        return flow.let_stop(Why::Complete, judgement.standing, Some(Notice { text, matters }));
    }
    let nothing_missing = verdict.severity == Severity::None && verdict.missing.is_empty();
    if flow.asks(nothing_missing, || "severity NONE and nothing missing".to_owned()) {
        let notice = Notice { text: "Awaiting user input".to_owned(), matters: false };
        let standing = match judgement.standing {
            paused @ Standing::Paused(_) => paused,
            Standing::Ended(_) => Standing::Paused(Pause::WaitingForUser),
        };
        return flow.let_stop(Why::AwaitingUser, standing, Some(notice));
    }
    flow.send_back(stop, ledger, judgement, evidence, rules, attempts)
}

/// The way through the diagram.
struct Flow {
    steps: Vec<String>,
}

impl Flow {
    /// Notes a question with its answer, and gives the answer.
    fn asks(&mut self, answer: bool, question: impl FnOnce() -> String) -> bool {
        self.steps.push(format!("{}? {}", question(), if answer { "yes" } else { "no" }));
        answer
    }

    fn let_stop(self, why: Why, standing: Standing, notice: Option<Notice>) -> Decision {
        Decision { action: Action::LetStop(why), standing: Some(standing), notice, steps: self.steps }
    }

    fn skip(&mut self, stop: &Stop, ledger: &Ledger, rules: &Rules) -> Option<SkipWhy> {
        let held = |hold: &Hold| stop.holds.contains(hold);
        let questions = [
            (SkipWhy::Aborted, held(&Hold::Aborted) || ledger.was_aborted(&stop.task), "recently aborted"),
            (SkipWhy::OwnSession, held(&Hold::OwnSession), "a session of Hansei's own"),
            (SkipWhy::SideSession, held(&Hold::SideSession), "a side session of the agent's"),
            (SkipWhy::SubAgent, held(&Hold::SubAgent), "a sub-agent"),
            (SkipWhy::TurnedOff, rules.off, "turned off"),
            (
                SkipWhy::AlreadyJudged,
                ledger.was_decided(&stop.id) || ledger.was_concluded(&stop.task, stop.epoch),
                "already judged",
            ),
        ];
        questions
            .into_iter()
            .find(|(_, answer, question)| self.asks(*answer, || (*question).to_owned()))
            .map(|(why, _, _)| why)
    }

    /// The last box of the diagram, and DESIGN's limits on it.
    fn send_back(
        mut self,
        stop: &Stop,
        ledger: &Ledger,
        judgement: &Judgement,
        evidence: &[Evidence],
        rules: &Rules,
        attempts: u32,
    ) -> Decision {
        let verdict = &judgement.verdict;
        let notice = verdict_notice(judgement, "Not complete");
        if let Some((why, standing)) = self.held_back(stop, judgement, rules) {
            return self.let_stop(why, standing, notice);
        }
        // Where a model decided, its words are the reason, and not what we only noted.
        let by_model = failures::model_may(verdict, rules);
        let grounds = if by_model { Vec::new() } else { failures::grounds(evidence, rules) };
        let enough = by_model || !grounds.is_empty();
        let attended = rules.policy.attended;
        if self.asks(!enough, || format!("nothing to interrupt for (attended: {attended})")) {
            return self.let_stop(Why::NotEnough, judgement.standing, notice);
        }
        let failures = Failures::of(&grounds, evidence, verdict);
        let blocks = stop.blocks;
        let in_a_row = rules.caps.in_a_row.is_some_and(|most| blocks >= most);
        let gave_up = Standing::Ended(Ending::GaveUpAfterReflections);
        if self.asks(in_a_row, || format!("blocks in a row spent: {blocks}")) {
            return self.let_stop(Why::BlocksSpent, gave_up, notice);
        }
        let said_before = ledger.was_sent_back_for(&stop.task, &failures);
        let idle = idle(stop, ledger, &failures, &grounds, said_before);
        if self.asks(idle >= rules.caps.without_progress, || format!("attempts without progress: {idle}")) {
            let told = ledger.was_handed_over(&stop.task);
            if self.asks(told, || "told to hand over before".to_owned()) {
                return self.let_stop(Why::NoProgress, Standing::Ended(Ending::Stuck), notice);
            }
            let action = Action::HandOver { attempt: attempts + 1, failures, idle };
            return Decision { action, standing: None, notice, steps: self.steps };
        }
        if self.asks(said_before, || "sent back for this before".to_owned()) {
            return self.let_stop(Why::SaidBefore, gave_up, notice);
        }
        let feedback = feedback::feedback(stop, verdict, &grounds, &failures, ledger);
        self.steps.push("send back".to_owned());
        let action = Action::SendBack { feedback, attempt: attempts + 1, failures, escalation: None };
        Decision { action, standing: None, notice, steps: self.steps }
    }

    fn held_back(&mut self, stop: &Stop, judgement: &Judgement, rules: &Rules) -> Option<(Why, Standing)> {
        let waiting = Standing::Paused(Pause::WaitingForUser);
        let questions = [
            (rules.mode != Mode::Solo, "observe only", Why::ObserveOnly, judgement.standing),
            (
                stop.held(|hold| matches!(hold, Hold::HumanSaid(_))),
                "the human's latest word",
                Why::HumanSaid,
                waiting,
            ),
            (
                stop.held(|hold| *hold == Hold::PendingQuestion),
                "a pending question",
                Why::PendingQuestion,
                waiting,
            ),
            (
                judgement.verdict.requires_human_action,
                "only a human can go on",
                Why::BlockedOnHuman,
                Standing::Paused(Pause::BlockedOnHuman),
            ),
            (stop.held(|hold| *hold == Hold::ChatTurn), "no tool call, no change", Why::ChatTurn, waiting),
            (
                stop.held(|hold| matches!(hold, Hold::OtherDriver(_))),
                "another driver",
                Why::OtherDriver,
                judgement.standing,
            ),
            (
                stop.held(|hold| *hold == Hold::Background),
                "background work",
                Why::Background,
                Standing::Paused(Pause::WaitingBackground),
            ),
        ];
        questions
            .into_iter()
            .find(|(answer, question, _, _)| self.asks(*answer, || (*question).to_owned()))
            .map(|(_, _, why, standing)| (why, standing))
    }
}

/// How many attempts brought nothing: the times that the agent was sent back in vain, and, once it was told of just these
/// failures, what it tried by itself, before and since.
fn idle(stop: &Stop, ledger: &Ledger, failures: &Failures, grounds: &[&Evidence], said_before: bool) -> u32 {
    let tried = grounds.iter().map(|ground| ground.tries).max().filter(|_| said_before);
    ledger.attempts_without_progress(&stop.task, failures).max(tried.unwrap_or_default())
}

fn skipped(why: SkipWhy, steps: Vec<String>) -> Decision {
    let standing = (why == SkipWhy::Aborted).then_some(Standing::Ended(Ending::Aborted));
    Decision { action: Action::Skip(why), standing, notice: None, steps }
}

/// What the human is told of a verdict that is not "complete".
fn verdict_notice(judgement: &Judgement, lead: &str) -> Option<Notice> {
    let said = &judgement.verdict.feedback;
    let told = if said.is_empty() { judgement.verdict.missing.first() } else { Some(said) }?;
    let text = if told.starts_with(lead) { told.clone() } else { format!("{lead}: {told}") };
    Some(Notice { text: feedback::cut(&text, 400), matters: true })
}
