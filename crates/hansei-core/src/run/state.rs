//! The state of a run, and the next step that follows from it.

use serde::{Deserialize, Serialize};

use super::account::Account;
use super::budget::Used;
use super::conversation::{Conversation, Message, ToolCall, ToolOffer};
use super::event::{Ended, Purpose, RunEvent, Started};
use super::gate::{Gate, Verification};
use super::mode::Mode;
use super::repetition::Repetition;
use super::rescue::Rescued;
use super::spec::Spec;
use super::step::Step;
use super::team::Team;
use super::{evidence, prompt};
use crate::escalation::Try;
use crate::verdict::{Ending, Pause};

/// Where a run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// A team is at work.
    Teaming,
    /// A Spec is being written.
    Planning,
    /// A Spec was written and is to be kept.
    Planned {
        /// The Spec.
        spec: Spec,
        /// Whether it was prose.
        loose: bool,
    },
    /// A person looks at the Spec.
    Reviewing,
    /// The model works.
    Working,
    /// The model says that it is done: the checks are due.
    Verifying,
    /// The model thinks about what failed.
    Reflecting,
    /// Nothing helped: somebody with a clean context is to look at it.
    Unblocking {
        /// How it ends where they do not know either.
        ending: Ending,
        /// Why.
        why: String,
    },
    /// It is to rest.
    Resting {
        /// What it waits for.
        pause: Pause,
        /// Why.
        reason: String,
        /// Where it goes on.
        back: Box<Phase>,
    },
    /// It is to end.
    Over {
        /// How.
        ending: Ending,
        /// Why.
        why: String,
    },
}

/// How far the handing over of a team's work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Handing {
    /// It has not begun.
    Due,
    /// It has begun, and into the user's tree.
    Open,
    /// It is over.
    Over,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Run {
    pub(super) started: Started,
    pub(super) phase: Phase,
    pub(super) messages: Vec<Message>,
    /// Calls of the last turn that were not made yet.
    pub(super) pending: Vec<ToolCall>,
    /// A call that was begun.
    pub(super) open_call: Option<ToolCall>,
    /// A question to the model that was begun.
    pub(super) open_ask: bool,
    /// How often the model was silent on the step that is due.
    pub(super) silences: u32,
    /// Seconds to wait before the provider may be asked again.
    pub(super) limit: Option<u64>,
    pub(super) account: Account,
    pub(super) reflections: u32,
    pub(super) reinjections: u32,
    pub(super) repetition: Repetition,
    /// Those who share the work.
    pub(super) team: Option<Team>,
    /// What became of their work, once it was handed over.
    pub(super) handing: Handing,
    pub(super) spec: Option<Spec>,
    pub(super) plans: u32,
    pub(super) unreadable_plans: u32,
    pub(super) looks: u32,
    pub(super) review_open: bool,
    pub(super) edited: bool,
    /// What the agent's own last run of the tests said, where that was red.
    pub(super) tests_red: Option<String>,
    pub(super) verification: Option<Verification>,
    /// How often the checks were red.
    pub(super) reds: u32,
    /// What was said about the last failure.
    pub(super) reflection: Option<String>,
    /// What was thought to be wrong, and what came of it.
    pub(super) tried: Vec<Try>,
    /// What those answered who looked at it with a clean context.
    pub(super) rescues: Vec<Rescued>,
    pub(super) last_words: String,
    pub(super) is_parked: bool,
    pub(super) ended: Option<Ended>,
}

impl Run {
    /// A run that begins.
    pub fn new(started: Started) -> Self {
        let first = Message::User { text: prompt::task(started.mode, &started.task) };
        let plans = started.mode == Mode::PlanExec && started.terms.plans;
        let team = started.team.as_ref().and_then(Team::new);
        let phase = match (started.mode, &team) {
            (Mode::TeamCollab, Some(_)) => Phase::Teaming,
            // Nobody takes a team's place.
            (Mode::TeamCollab, None) => Phase::Over {
                ending: Ending::Failed,
                why: "no team is on record that could work on it".to_owned(),
            },
            _ if plans => Phase::Planning,
            _ => Phase::Working,
        };
        Self {
            account: Account::of(&started.terms),
            started,
            phase,
            messages: vec![first],
            pending: Vec::new(),
            open_call: None,
            open_ask: false,
            silences: 0,
            limit: None,
            reflections: 0,
            reinjections: 0,
            repetition: Repetition::default(),
            team,
            handing: Handing::Due,
            spec: None,
            plans: 0,
            unreadable_plans: 0,
            looks: 0,
            review_open: false,
            edited: false,
            tests_red: None,
            verification: None,
            reds: 0,
            reflection: None,
            tried: Vec::new(),
            rescues: Vec::new(),
            last_words: String::new(),
            is_parked: false,
            ended: None,
        }
    }

    /// A run as its events tell it; none where they do not begin with a start.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a RunEvent>) -> Option<Self> {
        let mut events = events.into_iter();
        let RunEvent::RunStarted(started) = events.next()? else { return None };
        let mut run = Self::new(started.clone());
        for event in events {
            run.apply(event);
        }
        Some(run)
    }

    /// With what it began.
    pub fn started(&self) -> &Started {
        &self.started
    }

    /// Where it is.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The steps it took.
    pub fn used(&self) -> Used {
        self.account.used
    }

    /// What models took.
    pub fn spent(&self) -> super::conversation::Spent {
        self.account.spent
    }

    /// How often it reflected.
    pub fn reflections(&self) -> u32 {
        self.reflections
    }

    /// The Spec that holds.
    pub fn spec(&self) -> Option<&Spec> {
        self.spec.as_ref()
    }

    /// The team that works on it, where it is one.
    pub fn team(&self) -> Option<&Team> {
        self.team.as_ref()
    }

    /// Whether a review waits for its reply, and under which id.
    pub fn open_review(&self) -> Option<String> {
        self.review_open.then(|| self.review_id())
    }

    /// Whether it rests.
    pub fn is_parked(&self) -> bool {
        self.is_parked
    }

    /// What those answered who looked at it with a clean context, the oldest first.
    pub fn rescues(&self) -> &[Rescued] {
        &self.rescues
    }

    /// How many seconds of work are left after so many, where there is a limit.
    pub fn seconds_left(&self, seconds: u64) -> Option<u64> {
        self.account.seconds_left(seconds)
    }

    /// How it ended, if it did.
    pub fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    /// The last verification.
    pub fn verification(&self) -> Option<&Verification> {
        self.verification.as_ref()
    }

    /// What was said so far.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Everything that the model is told, with these tools where it has any. Another agent has a clean session each time, and
    /// its own tools.
    pub fn conversation(&self, purpose: Purpose, tools: &[ToolOffer]) -> Conversation {
        let mode = self.started.mode;
        if self.started.agent.is_some() {
            let messages = vec![Message::User { text: self.brief(purpose) }];
            return Conversation { messages, ..Conversation::default() };
        }
        Conversation {
            system: prompt::system(mode),
            messages: self.messages.clone(),
            tools: if mode.has_tools() { tools.to_vec() } else { Vec::new() },
        }
    }

    /// All that another agent has to know, in one prompt. What it thought before is not in it, but for its reflection.
    fn brief(&self, purpose: Purpose) -> String {
        let last = self.messages.last().filter(|_| self.messages.len() > 1);
        let asked_again = match last {
            Some(Message::User { text }) if purpose == Purpose::Plan => Some(text.as_str()),
            _ => None,
        };
        prompt::brief(&prompt::Brief {
            task: &self.started.task,
            purpose,
            spec: self.spec.as_ref(),
            failed: self.verification.as_ref().filter(|seen| seen.gate == Gate::Red),
            reflection: self.reflection.as_deref(),
            rescue: self.rescues.last().map(|rescued| &rescued.answer).filter(|answer| answer.is_way_on()),
            asked_again,
        })
    }

    /// The id of the Spec that was written last.
    pub fn spec_id(&self) -> String {
        format!("{}-plan-{}", self.started.run, self.plans)
    }

    fn review_id(&self) -> String {
        format!("{}:spec_review", self.spec_id())
    }

    /// What is to be done next, after `seconds` of work in all.
    pub fn next(&self, seconds: u64) -> Step {
        if self.ended.is_some() || self.is_parked {
            return Step::Nothing;
        }
        if let Some(call) = &self.open_call {
            return Step::LoseTrack(call.clone());
        }
        if let Phase::Over { ending, why } = &self.phase {
            return self.end(*ending, why);
        }
        if let Phase::Resting { pause, reason, .. } = &self.phase {
            return Step::Park { pause: *pause, reason: reason.clone() };
        }
        if let Phase::Unblocking { ending, why } = &self.phase {
            return match self.limit {
                _ if self.is_spent(seconds) => {
                    self.end(*ending, &format!("{why}; nothing is left that a second look could use"))
                }
                Some(seconds) => Step::WaitForLimit { seconds },
                None => Step::Unblock,
            };
        }
        if let (Phase::Teaming, Some(team)) = (&self.phase, &self.team) {
            return team.next(self.is_spent(seconds)).map_or(Step::Nothing, Step::Team);
        }
        if let Some(call) = self.pending.first() {
            return self.call(call);
        }
        if self.account.is_late(seconds) {
            let (ending, why) = self.spent_ending("the time is up");
            return self.end(ending, &why);
        }
        if let Some(seconds) = self.limit {
            return Step::WaitForLimit { seconds };
        }
        match &self.phase {
            Phase::Planning if self.account.may_talk() => Step::Ask(Purpose::Plan),
            Phase::Planning => {
                self.end(Ending::BudgetSpent, "its tokens or its money were spent on planning")
            }
            Phase::Planned { spec, loose } => Step::KeepSpec {
                spec_id: format!("{}-plan-{}", self.started.run, self.plans + 1),
                spec: spec.clone(),
                loose: *loose,
            },
            Phase::Reviewing => Step::Review {
                spec_id: self.spec_id(),
                spec: self.spec.clone().unwrap_or_default(),
                spec_review_id: self.review_id(),
                is_open: self.review_open,
            },
            Phase::Working if self.may_think() => Step::Ask(Purpose::Work),
            Phase::Working => self.out_of_steps(),
            Phase::Verifying if self.account.may_verify() => Step::Verify { forced: false },
            Phase::Verifying => {
                let (ending, why) = self.spent_ending("no verification is left");
                self.end(ending, &why)
            }
            Phase::Reflecting if self.account.may_talk() => Step::Ask(Purpose::Reflect),
            Phase::Reflecting => {
                let (ending, why) = self.spent_ending("its tokens or its money are spent");
                self.end(ending, &why)
            }
            Phase::Teaming | Phase::Unblocking { .. } | Phase::Resting { .. } | Phase::Over { .. } => {
                Step::Nothing
            }
        }
    }

    /// Whether nothing more may be begun.
    pub fn is_spent(&self, seconds: u64) -> bool {
        self.account.is_late(seconds) || !self.account.may_talk()
    }

    pub(super) fn may_think(&self) -> bool {
        self.account.may_talk() && self.account.may_think()
    }

    /// The model has no step left, and did not say that it was done.
    fn out_of_steps(&self) -> Step {
        if self.verifies() && self.account.may_verify() {
            return Step::Verify { forced: true };
        }
        let (ending, why) = self.spent_ending("its steps are spent");
        self.end(ending, &why)
    }

    pub(super) fn verifies(&self) -> bool {
        self.started.mode.keeps_working()
    }

    /// How it ends when something is spent: whoever reflected gave up, others ran out.
    pub(super) fn spent_ending(&self, what: &str) -> (Ending, String) {
        let red = self.verification.as_ref().filter(|seen| seen.gate == Gate::Red);
        match red {
            Some(seen) if self.reflections > 0 => (
                Ending::GaveUpAfterReflections,
                format!(
                    "the checks are still red after {} reflection(s): {}",
                    self.reflections, seen.summary
                ),
            ),
            Some(seen) => (Ending::BudgetSpent, format!("{what}, and the checks are red: {}", seen.summary)),
            None => (Ending::BudgetSpent, what.to_owned()),
        }
    }

    fn end(&self, ending: Ending, why: &str) -> Step {
        // What a team did lies in a tree that goes with it.
        if self.handing == Handing::Due && self.team.as_ref().is_some_and(Team::has_work) {
            return Step::HandOver { applies: ending == Ending::Complete };
        }
        let is_green = self.verification.as_ref().is_some_and(|seen| seen.gate == Gate::Green);
        Step::End(Ended {
            ending,
            why: why.to_owned(),
            verified: ending == Ending::Complete && is_green,
            used: self.account.used,
            reflections: self.reflections,
            input_tokens: self.account.spent.input_tokens,
            output_tokens: self.account.spent.output_tokens,
            usd: self.account.spent.usd,
            last_words: self.last_words.clone(),
            escalation: self.handed_up(ending).map(Box::new),
        })
    }

    fn call(&self, call: &ToolCall) -> Step {
        let only_looks = matches!(evidence::action(call), crate::session::Action::Look);
        if self.phase == Phase::Planning && !only_looks {
            return Step::Deny { call: call.clone(), told: prompt::not_before_the_plan(&call.name) };
        }
        Step::Call(call.clone())
    }
}
