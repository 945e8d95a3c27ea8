//! The last rung but one: nothing helped, so somebody with a clean context looks at what is in the way. What they find begins
//! the work anew, in a conversation that holds nothing of what was said before; where they find nothing, the run is
//! handed up.

use serde::{Deserialize, Serialize};

use super::conversation::{Message, NoAnswer, Spent};
use super::evidence;
use super::gate::Gate;
use super::mode::Mode;
use super::prompt;
use super::state::{Phase, Run};
use crate::escalation::{
    Answer, Attempt, Brought, ErrorSignature, Escalation, Failure, FailureLayer, Fingerprint, ForcedContext,
    Handoff, OF_THE_UNBLOCKER, RescueMode, Snapshot, Try, terminal,
};
use crate::model_text::one_line;
use crate::verdict::{Ending, Pause};

const LONGEST_HYPOTHESIS: usize = 300;

/// What somebody answered who looked with a clean context, as the run remembers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rescued {
    /// The how-manieth time it was.
    pub attempt: Attempt,
    /// The answer that counts.
    pub answer: Answer,
    /// Answers that did not, and what else went wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// What models took.
    #[serde(default)]
    pub spent: Spent,
    /// How long it took.
    #[serde(default)]
    pub milliseconds: u64,
    /// The failure that they looked at, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
}

/// A run that needs somebody else: everything that they are given.
#[derive(Debug, Clone, PartialEq)]
pub struct Distress {
    /// The how-manieth time, counted by itself.
    pub attempt: Attempt,
    /// The clean handoff.
    pub handoff: Handoff,
    /// What is the same whenever the same thing fails.
    pub fingerprint: Fingerprint,
    /// What the failing command printed.
    pub error: String,
    /// Its exit code, where it is known.
    pub exit_code: Option<i32>,
    /// What was tried before, by anybody in this run.
    pub tried: Vec<Try>,
}

/// What fails: the command, its exit code where it is known, and what it prints.
struct Signal {
    command: String,
    exit_code: Option<i32>,
    error: String,
}

impl Run {
    /// What somebody with a clean context is given; none where nothing is in the way.
    pub fn distress(&self) -> Option<Distress> {
        let Signal { command, exit_code, error } = self.signal()?;
        let failure = Failure { command: &command, exit_code, output: &error };
        let signature = ErrorSignature::of(&failure);
        let fingerprint = signature.fingerprint();
        let attempt = Attempt::new(u32::try_from(self.rescues.len()).unwrap_or(u32::MAX).saturating_add(1));
        let handoff = Handoff {
            task: prompt::contract(&self.started.task, self.spec.as_ref()),
            snapshot: self.snapshot(),
            escalation: self.escalation(&signature),
            forced: ForcedContext::default(),
            command: Some(one_line(&command, 400)).filter(|command| !command.is_empty()),
            signature: Some(signature),
        };
        Some(Distress { attempt, handoff, fingerprint, error, exit_code, tried: self.tried.clone() })
    }

    /// The command that fails and what it prints: a check that is red, or else a call that led nowhere again and again.
    fn signal(&self) -> Option<Signal> {
        if let Some(seen) = self.verification.as_ref().filter(|seen| seen.gate == Gate::Red) {
            let failed = seen.checks.iter().find(|check| check.status == "failed");
            let check = failed.or(seen.checks.first());
            let error = if seen.output.is_empty() { &seen.summary } else { &seen.output };
            return Some(Signal {
                command: check.map(|check| check.command.clone()).unwrap_or_default(),
                exit_code: check.and_then(|check| check.exit_code),
                error: error.clone(),
            });
        }
        let is_stuck = matches!(
            &self.phase,
            Phase::Unblocking { ending: Ending::Stuck, .. } | Phase::Over { ending: Ending::Stuck, .. }
        );
        let last = self.messages.iter().rev().find_map(|message| match message {
            Message::ToolResult { call, text, .. } => Some((call, text)),
            _ => None,
        });
        let (id, text) = last.filter(|_| is_stuck)?;
        let calls = self.messages.iter().rev().filter_map(|message| match message {
            Message::Assistant { calls, .. } => Some(calls),
            _ => None,
        });
        let call = calls.flatten().find(|call| call.id == *id)?;
        let command = call.input["command"].as_str().filter(|_| call.name == "shell");
        let (error, exit_code) = evidence::printed(text);
        let command = command.map_or_else(|| format!("{} {}", call.name, call.input), str::to_owned);
        Some(Signal { command, exit_code, error })
    }

    /// The source as it was before anybody worked on it.
    fn snapshot(&self) -> Snapshot {
        self.started.base.as_deref().and_then(Snapshot::named).unwrap_or_else(Snapshot::of_work_tree)
    }

    /// What the coder hands up.
    fn escalation(&self, signature: &ErrorSignature) -> Escalation {
        let mut escalation = Escalation::of(Attempt::given_up_after(self.reds), &self.started.task);
        escalation.suspected_failure_layer = vec![FailureLayer::Unknown];
        escalation.what_was_tried = self.tried.iter().map(|one| one.hypothesis.clone()).collect();
        escalation.what_did_not_work =
            self.tried.iter().map(|one| one.outcome.clone()).filter(|outcome| !outcome.is_empty()).collect();
        let seen = self.verification.as_ref();
        if escalation.what_did_not_work.is_empty() {
            escalation.what_did_not_work.extend(seen.map(|seen| seen.summary.clone()));
        }
        let passing = seen.iter().flat_map(|seen| &seen.checks).filter(|check| check.status == "passed");
        escalation.current_invariants = passing.map(|check| format!("passes: {}", check.command)).collect();
        escalation.handoff_artifacts = vec![
            format!("original task reference: {}", self.started.run),
            format!("clean snapshot reference: {}", self.snapshot().revision()),
            format!("latest blocking signal: {}", signature.line()),
        ];
        escalation.request = vec![OF_THE_UNBLOCKER.to_owned()];
        escalation.bounded()
    }

    /// What is handed up with an ending: where somebody looked in vain, that they did.
    pub(super) fn handed_up(&self, ending: Ending) -> Option<Escalation> {
        let is_blocked = matches!(ending, Ending::GaveUpAfterReflections | Ending::Stuck);
        if !is_blocked || !self.verifies() {
            return None;
        }
        let Distress { handoff, tried, .. } = self.distress()?;
        let rescues = u32::try_from(self.rescues.len()).unwrap_or(u32::MAX);
        if rescues == 0 {
            return Some(handoff.escalation);
        }
        let proposed: Vec<Try> = tried.into_iter().filter(|one| self.was_proposed(&one.hypothesis)).collect();
        match terminal(Attempt::given_up_after(rescues), &Brought::admitted(&handoff), &proposed) {
            Answer::Escalation(escalation) => Some(escalation),
            _ => None,
        }
    }

    /// Whether a hypothesis came from somebody who looked, and not from the coder.
    fn was_proposed(&self, hypothesis: &str) -> bool {
        let found = self.rescues.iter().filter_map(|rescued| rescued.answer.diagnosis());
        found.into_iter().any(|found| one_line(&found.new_hypothesis, LONGEST_HYPOTHESIS) == hypothesis)
    }

    /// Where it goes on when it would end so: somebody may look first, where they have not looked too often.
    pub(super) fn climb(&self, ending: Ending, why: String) -> Phase {
        let terms = &self.started.terms;
        let is_blocked = matches!(ending, Ending::GaveUpAfterReflections | Ending::Stuck);
        let rescues = u32::try_from(self.rescues.len()).unwrap_or(u32::MAX);
        let may_look = rescues < terms.max_unblocks
            && RescueMode::of(Attempt::new(rescues.saturating_add(1))) != RescueMode::Terminal
            && self.account.may_begin_anew(terms.steps_after_unblock);
        if is_blocked && self.verifies() && may_look {
            Phase::Unblocking { ending, why }
        } else {
            Phase::Over { ending, why }
        }
    }

    /// Remembers what is thought to be wrong.
    pub(super) fn tries(&mut self, hypothesis: &str, layer: FailureLayer) {
        let hypothesis = one_line(hypothesis, LONGEST_HYPOTHESIS);
        if !hypothesis.is_empty() {
            self.tried.push(Try { hypothesis, layer, outcome: String::new() });
        }
    }

    /// The checks are red: that is what came of the last try.
    pub(super) fn failed_again(&mut self, summary: &str) {
        self.reds += 1;
        if let Some(last) = self.tried.last_mut().filter(|last| last.outcome.is_empty()) {
            last.outcome = one_line(summary, LONGEST_HYPOTHESIS);
        }
    }

    /// The model of whoever looks did not answer. It is treated as the coder's own: asked once more, waited for where that
    /// is wanted, and rested for otherwise, because nobody has looked yet.
    pub(super) fn unblocker_silent(&mut self, no_answer: &NoAnswer, spent: &Spent) {
        self.account.pay(spent);
        let Phase::Unblocking { ending, why } = self.phase.clone() else { return };
        let reason = match no_answer {
            NoAnswer::Interrupted => return,
            NoAnswer::UsageLimit { again_in: Some(seconds), .. } if self.started.terms.waits_for_limit => {
                self.limit = Some(*seconds);
                return;
            }
            NoAnswer::Outage { reason } => {
                self.silences += 1;
                if self.silences < 2 {
                    return;
                }
                reason
            }
            NoAnswer::UsageLimit { reason, .. } | NoAnswer::Refused { reason } => reason,
        };
        let reason = format!("the unblocker's model does not answer: {reason}");
        if self.started.mode == Mode::TeamCollab {
            // A team cannot rest, and ends as it would have ended without anybody to look.
            self.phase = Phase::Over { ending, why: format!("{why}; {reason}") };
        } else {
            self.rest(Pause::Parked, reason);
        }
    }

    /// Somebody looked.
    pub(super) fn unblocked(&mut self, rescued: &Rescued) {
        self.account.pay(&rescued.spent);
        self.silences = 0;
        let Phase::Unblocking { ending, why } = self.phase.clone() else { return };
        self.rescues.push(rescued.clone());
        let answer = &rescued.answer;
        let Some(found) = answer.diagnosis() else {
            let mut said = one_line(&answer.text(), LONGEST_HYPOTHESIS);
            if let Some(cause) = rescued.refused.last() {
                said = format!("{said} ({})", one_line(cause, LONGEST_HYPOTHESIS));
            }
            self.phase = Phase::Over { ending, why: format!("{why}; a second look did not help: {said}") };
            return;
        };
        self.tries(&found.new_hypothesis, found.failure_layer);
        let terms = &self.started.terms;
        let think = terms.quotas.map_or(terms.max_steps, |quotas| quotas.think);
        self.account.begin_anew(think, terms.steps_after_unblock);
        let seen = self.verification.as_ref().filter(|seen| seen.gate == Gate::Red);
        let text = prompt::anew(&self.started.task, self.spec.as_ref(), seen, answer);
        // Nothing of the conversation that failed reaches the new one.
        self.messages = vec![Message::User { text }];
        self.pending.clear();
        self.reflection = None;
        self.tests_red = None;
        self.reinjections = 0;
        self.repetition.reset();
        self.phase = Phase::Working;
    }
}
