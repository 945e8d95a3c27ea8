//! How a run takes in what happened.

use std::fmt::Write as _;

use super::conversation::{Message, NoAnswer, Turn};
use super::event::{Decision, Purpose, RunEvent};
use super::gate::{Gate, Verification};
use super::spec::{self, Spec};
use super::state::{Handing, Phase, Run};
use super::{evidence, prompt};
use crate::escalation::FailureLayer;
use crate::session::Action;
use crate::verdict::{Ending, Pause};

/// How often a plan that cannot be read is asked for again.
const PLANS_ASKED_AGAIN: u32 = 1;
/// How many turns the model may look around before it plans.
const LOOKS_BEFORE_PLAN: u32 = 8;

impl Run {
    /// Takes in what happened.
    pub fn apply(&mut self, event: &RunEvent) {
        match event {
            RunEvent::RunStarted(_)
            | RunEvent::VerifyStarted { .. }
            | RunEvent::UnblockStarted { .. }
            | RunEvent::RunInterrupted => {}
            RunEvent::TeamImpossible { why } => {
                self.phase = over(Ending::Failed, &format!("there can be no team: {why}"));
            }
            RunEvent::TeamReady { .. }
            | RunEvent::ExpertStarted { .. }
            | RunEvent::ExpertDid { .. }
            | RunEvent::ExpertDone { .. }
            | RunEvent::ExpertFailed { .. }
            | RunEvent::ExpertSkipped { .. }
            | RunEvent::ExpertMerging { .. }
            | RunEvent::ExpertMerged { .. }
            | RunEvent::ExpertConflicted { .. } => self.teamed(event),
            RunEvent::HandingOver { applies } => {
                if *applies {
                    self.handing = Handing::Open;
                }
            }
            RunEvent::WorkHandedOver { became, patch, why, .. } => {
                self.handed_over(*became, patch.as_deref(), why);
            }
            RunEvent::ModelAsked { .. } => self.open_ask = true,
            RunEvent::ModelAnswered { purpose, turn, .. } => {
                self.open_ask = false;
                self.silences = 0;
                self.account.pay(&turn.spent);
                match purpose {
                    Purpose::Plan => self.planned(turn),
                    Purpose::Work => self.worked(turn),
                    Purpose::Reflect => self.reflected(turn),
                }
            }
            RunEvent::ModelUnavailable { purpose, no_answer } => self.silent(*purpose, no_answer),
            RunEvent::LimitWaitedOut { .. } => self.limit = None,
            RunEvent::SpecWritten { spec, edited, .. } => {
                if *edited {
                    self.edited = true;
                } else {
                    self.plans += 1;
                }
                self.spec = Some(spec.clone());
                self.phase = Phase::Reviewing;
            }
            RunEvent::SpecReviewRequest { .. } => self.review_open = true,
            RunEvent::SpecReviewReply { decision, feedback, .. } => self.reviewed(*decision, feedback),
            RunEvent::ToolCalled { call, .. } => {
                let at = self.pending.iter().position(|pending| pending.id == *call);
                self.open_call = at.map(|at| self.pending.remove(at));
            }
            RunEvent::ToolReturned { call, ok, text, .. } => self.returned(call, *ok, text),
            RunEvent::OutcomeUnknown { call, tool } => {
                self.open_call = None;
                self.hear(call, prompt::outcome_unknown(tool), true);
            }
            RunEvent::Verified(verification) => self.verified(verification),
            RunEvent::Unblocked(rescued) => self.unblocked(rescued),
            RunEvent::UnblockerSilent { no_answer, spent, .. } => self.unblocker_silent(no_answer, spent),
            RunEvent::RunParked { .. } => self.is_parked = true,
            RunEvent::RunResumed => self.resumed(),
            RunEvent::AbortAsked => {
                self.is_parked = false;
                self.open_call = None;
                self.phase = over(Ending::Aborted, "it was called off");
            }
            RunEvent::RunEnded(ended) => self.ended = Some(ended.clone()),
        }
    }

    fn resumed(&mut self) {
        self.is_parked = false;
        if self.started.team.is_some() {
            self.team_again();
            return;
        }
        if let Phase::Resting { back, .. } = &self.phase {
            self.phase = Phase::clone(back);
        }
        // The step that was interrupted is tried once more. If it fails again, somebody has to look.
        self.silences = u32::from(self.open_ask || self.silences > 0);
        self.open_ask = false;
        self.limit = None;
    }

    /// Rests, to go on where it is now. A team cannot: its trees do not outlive the process, and so it ends openly.
    pub(super) fn rest(&mut self, pause: Pause, reason: String) {
        if self.started.mode == super::Mode::TeamCollab {
            self.phase = over(Ending::Failed, &reason);
            return;
        }
        let back = Box::new(self.phase.clone());
        self.phase = Phase::Resting { pause, reason, back };
    }

    fn say(&mut self, text: String) {
        self.messages.push(Message::User { text });
    }

    fn heard(&mut self, turn: &Turn) {
        // Providers refuse an empty message of the assistant.
        let is_empty = turn.calls.is_empty() && turn.text.trim().is_empty();
        self.messages.push(Message::Assistant {
            text: if is_empty { "(nothing)".to_owned() } else { turn.text.clone() },
            calls: turn.calls.clone(),
            // One that went through the redactor is no mark any more.
            signatures: turn.signatures.iter().filter(|mark| !mark.contains("[REDACTED:")).cloned().collect(),
        });
        self.pending.clone_from(&turn.calls);
        if !turn.text.trim().is_empty() {
            turn.text.trim().clone_into(&mut self.last_words);
        }
    }

    /// Whether the turn neither says nor does anything; then the model is told so.
    fn said_nothing(&mut self, turn: &Turn) -> bool {
        if !turn.calls.is_empty() || (!turn.text.trim().is_empty() && !turn.cut_off) {
            return false;
        }
        self.say(if turn.cut_off { prompt::cut_off() } else { prompt::said_nothing() });
        true
    }

    fn planned(&mut self, turn: &Turn) {
        self.heard(turn);
        if !turn.calls.is_empty() {
            self.looks += 1;
            if self.looks > 2 * LOOKS_BEFORE_PLAN {
                self.phase = over(Ending::Failed, "the model never wrote a plan");
            }
            return;
        }
        match spec::read(&turn.text) {
            Ok(spec) => self.phase = Phase::Planned { spec, loose: false },
            Err(_) if self.unreadable_plans >= PLANS_ASKED_AGAIN => {
                let spec = Spec::of_prose(&self.started.task, &turn.text);
                self.phase = Phase::Planned { spec, loose: true };
            }
            Err(problem) => {
                self.unreadable_plans += 1;
                if turn.text.trim().is_empty() {
                    self.said_nothing(turn);
                } else {
                    self.say(prompt::not_a_plan(&problem.to_string()));
                }
            }
        }
    }

    fn worked(&mut self, turn: &Turn) {
        self.account.used.think += 1;
        self.heard(turn);
        if self.started.mode == super::Mode::DirectChat {
            self.pending.clear();
            self.phase = if turn.text.trim().is_empty() {
                over(Ending::Failed, "the model answered nothing")
            } else {
                over(Ending::Complete, "the model answered")
            };
            return;
        }
        if !turn.calls.is_empty() || self.said_nothing(turn) {
            return;
        }
        self.phase = if self.verifies() { Phase::Verifying } else { self.unchecked_end() };
    }

    /// How it ends where nobody runs the checks: by what the agent ran itself, and by whether it says no more than that.
    fn unchecked_end(&self) -> Phase {
        // Whether the whole holds is found out when it is whole.
        let is_part = self.started.mode == super::Mode::Expert;
        if let Some(red) = self.red_evidence().filter(|_| !is_part) {
            return over(Ending::Failed, &format!("the agent says that it is done, and {red}"));
        }
        let done = "the agent says that it is done";
        let unproven = evidence::unproven(&self.started.task, &self.messages).filter(|_| !is_part);
        match unproven {
            // What another agent ran stands in its own session.
            Some(_) if self.started.agent.is_some() => over(
                Ending::Complete,
                &format!("{done}; what it claims of its own runs cannot be looked up here"),
            ),
            Some(claim) if claim.decides => over(Ending::Failed, &format!("{done}, but {}", claim.text)),
            Some(claim) => over(Ending::Complete, &format!("{done}; not shown: {}", claim.text)),
            None => over(Ending::Complete, &format!("{done}, and nothing speaks against it")),
        }
    }

    /// A check that the agent ran itself, that failed and was not mended.
    fn red_evidence(&self) -> Option<String> {
        self.tests_red.clone().or_else(|| evidence::against(&self.started.task, &self.messages))
    }

    fn reflected(&mut self, turn: &Turn) {
        self.heard(turn);
        self.reflection = Some(turn.text.trim().to_owned()).filter(|text| !text.is_empty());
        self.tries(turn.text.trim(), FailureLayer::Unknown);
        self.next_attempt();
        if turn.calls.is_empty() {
            self.say(prompt::retry(self.account.thinks_left()));
        } else {
            // It acts already: that is a step of the work.
            self.account.used.think += 1;
        }
    }

    /// A new attempt begins: what led to the last one is not held against it.
    fn next_attempt(&mut self) {
        self.account.used.reflect += 1;
        self.reflections += 1;
        self.reinjections = 0;
        self.repetition.reset();
        self.phase = Phase::Working;
    }

    fn silent(&mut self, purpose: Purpose, no_answer: &NoAnswer) {
        self.open_ask = false;
        match no_answer {
            NoAnswer::Interrupted => {}
            NoAnswer::UsageLimit { reason, again_in } => match again_in {
                Some(seconds) if self.started.terms.waits_for_limit => self.limit = Some(*seconds),
                _ => self.phase = over(Ending::UsageLimit, reason),
            },
            // A reflection is a help and no condition: without it the next attempt begins with what is known.
            NoAnswer::Outage { .. } | NoAnswer::Refused { .. } if purpose == Purpose::Reflect => {
                self.next_attempt();
                self.messages.pop();
                let failed = self.verification.as_ref().map(prompt::failed).unwrap_or_default();
                self.say(prompt::reinjected(&failed));
            }
            NoAnswer::Refused { reason } => self.phase = over(Ending::Failed, reason),
            NoAnswer::Outage { reason } => {
                self.silences += 1;
                if self.silences > 1 {
                    self.rest(Pause::Parked, format!("the model does not answer: {reason}"));
                }
            }
        }
    }

    fn reviewed(&mut self, decision: Decision, feedback: &str) {
        self.review_open = false;
        match decision {
            Decision::Confirm => {
                let spec = self.spec.clone().unwrap_or_default();
                let mut text = prompt::confirmed(&spec, self.edited);
                if !feedback.trim().is_empty() {
                    let _ = write!(text, "\n\nThe reviewer adds: {}", feedback.trim());
                }
                self.say(text);
                self.phase = Phase::Working;
            }
            Decision::Reject => {
                self.edited = false;
                self.unreadable_plans = 0;
                self.looks = 0;
                self.say(prompt::rejected(feedback));
                self.phase = Phase::Planning;
            }
            Decision::Timeout => self.rest(Pause::Parked, "nobody reviewed the Spec in time".to_owned()),
            Decision::Cancel => self.rest(Pause::Parked, "the review was called off".to_owned()),
        }
    }

    fn returned(&mut self, id: &str, ok: bool, text: &str) {
        let open = self.open_call.take().or_else(|| {
            let at = self.pending.iter().position(|pending| pending.id == id)?;
            Some(self.pending.remove(at))
        });
        self.hear(id, text.to_owned(), !ok);
        let Some(call) = open else { return };
        if call.name == "run_tests" {
            self.tests_red = red_tests(text);
        }
        let changes = ok && matches!(evidence::action(&call), Action::Edit { .. });
        let times = self.repetition.see(&call, text, changes);
        if times >= self.started.mode.loop_threshold() {
            let why =
                format!("{} was called {times} times with the same input and the same result", call.name);
            self.phase = self.climb(Ending::Stuck, why);
        }
    }

    fn hear(&mut self, call: &str, text: String, is_error: bool) {
        self.messages.push(Message::ToolResult { call: call.to_owned(), text, is_error });
        let planning_long = self.phase == Phase::Planning && self.looks >= LOOKS_BEFORE_PLAN;
        if planning_long && self.pending.is_empty() {
            self.say(prompt::plan_at_last());
        }
    }

    fn verified(&mut self, verification: &Verification) {
        let forced = self.phase != Phase::Verifying;
        let mut verification = verification.clone();
        if verification.gate == Gate::NothingRan
            && !forced
            && let Some(red) = self.red_evidence()
        {
            verification.gate = Gate::Red;
            verification.summary = red;
        }
        self.verification = Some(verification.clone());
        if verification.gate == Gate::Blocked {
            let reason = format!("{}: {}", verification.summary, verification.install.join("; "));
            self.rest(Pause::BlockedOnHuman, reason);
            return;
        }
        self.account.used.verify += 1;
        if verification.gate == Gate::Red {
            self.failed_again(&verification.summary);
        }
        self.phase = match verification.gate {
            Gate::Green if forced => over(
                Ending::Complete,
                "the checks pass; its steps were spent before it said that it was done",
            ),
            Gate::Green => over(Ending::Complete, &verification.summary),
            Gate::NothingRan if forced => over(
                Ending::BudgetSpent,
                "its steps were spent before it said that it was done, and there was nothing to check",
            ),
            Gate::NothingRan => {
                over(Ending::Complete, "the agent says that it is done; there was nothing to check")
            }
            Gate::Red | Gate::Blocked => self.after_red(&verification),
        };
    }

    /// A check is red: say so, reflect, or give up.
    fn after_red(&mut self, verification: &Verification) -> Phase {
        let can_go_on = self.may_think() && self.account.may_verify();
        let failed = prompt::failed(verification);
        if can_go_on && self.reinjections < self.started.terms.max_reinjections {
            self.reinjections += 1;
            self.say(prompt::reinjected(&failed));
            return Phase::Working;
        }
        let reflections = self.started.terms.max_reflections;
        if can_go_on && self.account.may_reflect() && self.reflections < reflections {
            self.say(prompt::reflect(&failed));
            return Phase::Reflecting;
        }
        let what = if self.account.may_reflect() { "its steps are spent" } else { "no reflection is left" };
        let (ending, why) = self.spent_ending(what);
        self.climb(ending, why)
    }
}

pub(super) fn over(ending: Ending, why: &str) -> Phase {
    Phase::Over { ending, why: why.to_owned() }
}

/// What a run of the tests in the middle of the work says, where that is no pass.
fn red_tests(told: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(told).ok()?;
    let output = &value["output"];
    // What was red before is red, too: nothing in the middle of the work says that it may stay so.
    let is_old =
        |check: &serde_json::Value| check["inherited"].as_array().is_some_and(|names| !names.is_empty());
    let old = output["checks"].as_array().is_some_and(|checks| checks.iter().any(is_old));
    let is_red = old || matches!(output["status"].as_str()?, "failed" | "unknown");
    is_red.then(|| {
        format!("its own last run of the tests said: {}", output["summary"].as_str().unwrap_or("red"))
    })
}
