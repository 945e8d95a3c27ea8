//! A driver for tests: it answers what a run asks for from a script, and remembers what was asked.

use std::collections::VecDeque;

use serde_json::json;

use crate::escalation::{Answer, ContextTarget};
use crate::run::conversation::{NoAnswer, Spent, ToolCall, Turn};
use crate::run::{Decision, Ended, Gate, Mode, Rescued, Run, RunEvent, Started, Step, Terms, Verification};

/// What the model says next.
#[derive(Debug, Clone)]
pub(super) enum Says {
    /// Words.
    Words(&'static str),
    /// Calls of the shell, with these commands.
    Calls(Vec<String>),
    /// Nothing at all.
    Silence(NoAnswer),
}

pub(super) const PLAN: &str = "goal: g\nsteps: [a]\nverification: [\"true\"]";

pub(super) fn call(command: &str) -> Says {
    Says::Calls(vec![command.to_owned()])
}

pub(super) fn outage() -> Says {
    Says::Silence(NoAnswer::Outage { reason: "down".into() })
}

/// A story: what the model and the checks say, and what happened.
pub(super) struct Story {
    pub(super) run: Run,
    pub(super) events: Vec<RunEvent>,
    says: VecDeque<Says>,
    /// Said when the script is over.
    pub(super) after: Says,
    checks: VecDeque<Gate>,
    pub(super) after_checks: Gate,
    pub(super) decisions: VecDeque<Decision>,
    /// What those answer who look with a clean context; after that, nothing that helps.
    pub(super) rescues: VecDeque<Answer>,
    calls: u32,
}

impl Story {
    pub(super) fn new(mode: Mode, terms: Terms) -> Self {
        let started = Started {
            run: "r".into(),
            task: "do it".into(),
            mode,
            team: None,
            agent: None,
            model: "m/n".into(),
            base_url: None,
            base: None,
            terms,
        };
        Self {
            run: Run::new(started.clone()),
            events: vec![RunEvent::RunStarted(started)],
            says: VecDeque::new(),
            after: Says::Words("done"),
            checks: VecDeque::new(),
            after_checks: Gate::Green,
            decisions: VecDeque::new(),
            rescues: VecDeque::new(),
            calls: 0,
        }
    }

    pub(super) fn of(mode: Mode, says: Vec<Says>, checks: &[Gate]) -> Self {
        let mut story = Self::new(mode, Terms::of(mode));
        story.says(says);
        story.checks.extend(checks);
        story
    }

    pub(super) fn says(&mut self, says: Vec<Says>) {
        self.says.extend(says);
    }

    pub(super) fn push_check(&mut self, gate: Gate) {
        self.checks.push_back(gate);
    }

    pub(super) fn record(&mut self, event: RunEvent) {
        self.run.apply(&event);
        self.events.push(event);
    }

    /// Goes on until the run rests or is over.
    pub(super) fn go(&mut self) -> &mut Self {
        for _ in 0..500 {
            if !self.step() {
                return self;
            }
        }
        panic!("the run has no end: {:?}", self.kinds());
    }

    /// One step; false where there is none.
    pub(super) fn step(&mut self) -> bool {
        match self.run.next(0) {
            Step::Ask(purpose) => {
                self.record(RunEvent::ModelAsked { purpose });
                let said = self.says.pop_front().unwrap_or_else(|| self.after.clone());
                let turn = |text: &str, calls| Turn {
                    text: text.to_owned(),
                    calls,
                    signatures: Vec::new(),
                    cut_off: false,
                    spent: Spent { input_tokens: 10, output_tokens: 5, usd: Some(0.01) },
                };
                let turn = match said {
                    Says::Words(words) => turn(words, Vec::new()),
                    Says::Calls(commands) => {
                        let calls = commands.iter().map(|command| {
                            self.calls += 1;
                            ToolCall {
                                id: format!("c{}", self.calls),
                                name: "shell".into(),
                                input: json!({ "command": command }),
                            }
                        });
                        turn("", calls.collect())
                    }
                    Says::Silence(no_answer) => {
                        self.record(RunEvent::ModelUnavailable { purpose, no_answer });
                        return true;
                    }
                };
                self.record(RunEvent::ModelAnswered { purpose, turn, milliseconds: 1 });
            }
            Step::WaitForLimit { seconds } => self.record(RunEvent::LimitWaitedOut { seconds }),
            Step::Call(call) => {
                let (id, tool) = (call.id.clone(), call.name.clone());
                self.record(RunEvent::ToolCalled { call: id.clone(), tool, input: call.input.clone() });
                let command = call.input["command"].as_str().unwrap_or_default();
                let code = i32::from(command.starts_with("false"));
                let text =
                    json!({ "ok": true, "output": { "exit_code": code, "text": command } }).to_string();
                self.record(RunEvent::ToolReturned { call: id, ok: true, text, milliseconds: 1 });
            }
            Step::Deny { call, told } => {
                self.record(RunEvent::ToolReturned { call: call.id, ok: false, text: told, milliseconds: 0 });
            }
            Step::LoseTrack(call) => self.record(RunEvent::OutcomeUnknown { call: call.id, tool: call.name }),
            Step::KeepSpec { spec_id, spec, loose } => {
                self.record(RunEvent::SpecWritten { spec_id, spec, loose, edited: false });
            }
            Step::Review { spec_id, spec, spec_review_id, is_open } => {
                if !is_open {
                    self.record(RunEvent::SpecReviewRequest {
                        spec_id,
                        goal: spec.goal,
                        steps: spec.steps,
                        spec_review_id: spec_review_id.clone(),
                    });
                }
                let decision = self.decisions.pop_front().unwrap_or(Decision::Confirm);
                let feedback = if decision == Decision::Reject { "smaller steps" } else { "" }.to_owned();
                self.record(RunEvent::SpecReviewReply { spec_review_id, decision, feedback });
            }
            Step::Verify { forced } => {
                self.record(RunEvent::VerifyStarted { forced });
                let gate = self.checks.pop_front().unwrap_or(self.after_checks);
                self.record(RunEvent::Verified(verification(gate)));
            }
            Step::Unblock => {
                let distress = self.run.distress().expect("somebody is asked about something");
                let (attempt, escalation) = (distress.attempt, Box::new(distress.handoff.escalation));
                self.record(RunEvent::UnblockStarted { attempt, escalation });
                let nothing = Answer::NeedContext(ContextTarget::Other("a model".into()));
                let answer = self.rescues.pop_front().unwrap_or(nothing);
                let spent = Spent { input_tokens: 100, output_tokens: 50, usd: None };
                let rescued = Rescued {
                    attempt,
                    answer,
                    refused: Vec::new(),
                    spent,
                    milliseconds: 1,
                    fingerprint: None,
                };
                self.record(RunEvent::Unblocked(Box::new(rescued)));
            }
            Step::Park { pause, reason } => self.record(RunEvent::RunParked { pause, reason }),
            Step::End(ended) => self.record(RunEvent::RunEnded(ended)),
            Step::Team(_) | Step::HandOver { .. } => panic!("teams are told elsewhere"),
            Step::Nothing => return false,
        }
        true
    }

    pub(super) fn ended(&self) -> &Ended {
        self.run.ended().unwrap_or_else(|| panic!("not over: {:?}", self.kinds()))
    }

    pub(super) fn kinds(&self) -> Vec<&'static str> {
        self.events.iter().map(RunEvent::kind).collect()
    }

    pub(super) fn count(&self, kind: &str) -> usize {
        self.kinds().into_iter().filter(|other| *other == kind).count()
    }
}

pub(super) fn verification(gate: Gate) -> Verification {
    Verification {
        gate,
        summary: match gate {
            Gate::Green => "all checks passed",
            Gate::NothingRan => "there is nothing to run",
            Gate::Red => "1 check failed (1 new failure)",
            Gate::Blocked => "a program that a check needs is missing",
        }
        .to_owned(),
        failing: if gate == Gate::Red { vec!["test_add".into()] } else { Vec::new() },
        ..Verification::impossible("")
    }
}
