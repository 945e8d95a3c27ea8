//! What happens in a run: its log, one event a line. Everything that a run is, is a fold over these.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::budget::{Limits, Quotas, Used};
use super::conversation::{NoAnswer, Spent, Turn};
use super::gate::Verification;
use super::mode::Mode;
use super::rescue::Rescued;
use super::spec::Spec;
use super::team::Template;
use crate::escalation::{Attempt, Escalation};
use crate::timestamp::Timestamp;
use crate::verdict::{Ending, Pause};

/// One line of a run's log. The envelope is that of every log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunLine {
    /// The version of the envelope.
    pub v: u32,
    /// The line's place in its log, counted from 1.
    pub seq: u64,
    /// When it was written.
    pub time: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub event: RunEvent,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunEvent {
    /// The run begins.
    RunStarted(Started),
    /// A model is about to be asked.
    ModelAsked {
        /// What for.
        purpose: Purpose,
    },
    /// It answered.
    ModelAnswered {
        /// What it was asked for.
        purpose: Purpose,
        /// Its answer.
        #[serde(flatten)]
        turn: Turn,
        /// How long that took.
        milliseconds: u64,
    },
    /// It did not answer.
    ModelUnavailable {
        /// What it was asked for.
        purpose: Purpose,
        /// Why.
        #[serde(flatten)]
        no_answer: NoAnswer,
    },
    /// The time after which a provider may be asked again has passed.
    LimitWaitedOut {
        /// How long it was.
        seconds: u64,
    },
    /// A Spec is on disk.
    SpecWritten {
        /// Its id.
        spec_id: String,
        /// The Spec.
        spec: Spec,
        /// Whether it was prose that was taken for a plan.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        loose: bool,
        /// Whether a person edited it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        edited: bool,
    },
    /// A person is asked whether the Spec is right. Closed by exactly one reply.
    SpecReviewRequest {
        /// The Spec.
        spec_id: String,
        /// What is to be reached.
        goal: String,
        /// How.
        steps: Vec<String>,
        /// The id that the reply carries.
        spec_review_id: String,
    },
    /// The review is over.
    SpecReviewReply {
        /// The request's id.
        spec_review_id: String,
        /// What was decided.
        decision: Decision,
        /// What the person says about it.
        #[serde(default)]
        feedback: String,
    },
    /// A tool is about to be called. Without a result behind it, nobody knows what came of it.
    ToolCalled {
        /// The call's id.
        call: String,
        /// The tool.
        tool: String,
        /// What it is given.
        input: Value,
    },
    /// It came back.
    ToolReturned {
        /// The call's id.
        call: String,
        /// Whether it did what it was asked.
        ok: bool,
        /// What the model is told.
        text: String,
        /// How long it took.
        milliseconds: u64,
    },
    /// A call was begun, and what came of it was lost. It is not made again by itself.
    OutcomeUnknown {
        /// The call's id.
        call: String,
        /// The tool.
        tool: String,
    },
    /// A verification is about to begin.
    VerifyStarted {
        /// Whether the model had not said that it was done.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forced: bool,
    },
    /// It ended.
    Verified(Verification),
    /// Somebody with a clean context is about to be asked what is in the way.
    UnblockStarted {
        /// The how-manieth time.
        attempt: Attempt,
        /// What they are given.
        escalation: Box<Escalation>,
    },
    /// They answered.
    Unblocked(Box<Rescued>),
    /// Their model did not answer, and nothing else was found.
    UnblockerSilent {
        /// The how-manieth time it was.
        attempt: Attempt,
        /// Why.
        #[serde(flatten)]
        no_answer: NoAnswer,
        /// What was taken all the same.
        #[serde(default)]
        spent: Spent,
    },
    /// The ground for a team is prepared: a repository of its own, beside the user's.
    TeamReady {
        /// The commit with everything that was in the user's tree, which experts begin from.
        base: String,
    },
    /// There can be no team.
    TeamImpossible {
        /// Why.
        why: String,
    },
    /// An expert is about to be set to work.
    ExpertStarted {
        /// Who.
        expert: String,
        /// The files that it has to put right, where its work was handed back.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conflicts: Vec<String>,
    },
    /// Something happened in the work of an expert, which is a run of its own.
    ExpertDid {
        /// Whose.
        expert: String,
        /// What.
        event: Box<RunEvent>,
    },
    /// An expert says that it is done, and its work is to be merged.
    ExpertDone {
        /// Who.
        expert: String,
        /// Its last words.
        #[serde(default)]
        said: String,
    },
    /// An expert did not finish, or its work could not be merged.
    ExpertFailed {
        /// Who.
        expert: String,
        /// How its work ended.
        ending: Ending,
        /// Why.
        why: String,
    },
    /// An expert does not begin.
    ExpertSkipped {
        /// Who.
        expert: String,
        /// Why.
        why: String,
    },
    /// The work of an expert is about to be committed and merged.
    ExpertMerging {
        /// Whose.
        expert: String,
    },
    /// It is part of the whole.
    ExpertMerged {
        /// Whose.
        expert: String,
        /// The commit of the whole.
        commit: String,
        /// The files that it changed.
        #[serde(default)]
        files: Vec<String>,
    },
    /// It contradicts what others did.
    ExpertConflicted {
        /// Whose.
        expert: String,
        /// In these files.
        files: Vec<String>,
    },
    /// What a team did is about to be put into the user's tree, or kept beside it.
    HandingOver {
        /// Whether it goes into the tree.
        applies: bool,
    },
    /// It was.
    WorkHandedOver {
        /// What became of it.
        became: Became,
        /// The files that it changes.
        #[serde(default)]
        files: Vec<String>,
        /// Where it lies as a patch, where it is not in the tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        patch: Option<String>,
        /// Why it is not in the tree, where it should be.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
    },
    /// The user or the system asked the process to end. The run can go on later.
    RunInterrupted,
    /// The run rests.
    RunParked {
        /// What it waits for.
        pause: Pause,
        /// Why, in words.
        reason: String,
    },
    /// A process takes the run up again.
    RunResumed,
    /// A person called it off.
    AbortAsked,
    /// The run is over.
    RunEnded(Ended),
}

impl RunEvent {
    /// The kind, as it stands in the log.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::RunStarted(_) => "run_started",
            Self::ModelAsked { .. } => "model_asked",
            Self::ModelAnswered { .. } => "model_answered",
            Self::ModelUnavailable { .. } => "model_unavailable",
            Self::LimitWaitedOut { .. } => "limit_waited_out",
            Self::SpecWritten { .. } => "spec_written",
            Self::SpecReviewRequest { .. } => "spec_review_request",
            Self::SpecReviewReply { .. } => "spec_review_reply",
            Self::ToolCalled { .. } => "tool_called",
            Self::ToolReturned { .. } => "tool_returned",
            Self::OutcomeUnknown { .. } => "outcome_unknown",
            Self::VerifyStarted { .. } => "verify_started",
            Self::Verified(_) => "verified",
            Self::UnblockStarted { .. } => "unblock_started",
            Self::Unblocked(_) => "unblocked",
            Self::UnblockerSilent { .. } => "unblocker_silent",
            Self::TeamReady { .. } => "team_ready",
            Self::TeamImpossible { .. } => "team_impossible",
            Self::ExpertStarted { .. } => "expert_started",
            Self::ExpertDid { .. } => "expert_did",
            Self::ExpertDone { .. } => "expert_done",
            Self::ExpertFailed { .. } => "expert_failed",
            Self::ExpertSkipped { .. } => "expert_skipped",
            Self::ExpertMerging { .. } => "expert_merging",
            Self::ExpertMerged { .. } => "expert_merged",
            Self::ExpertConflicted { .. } => "expert_conflicted",
            Self::HandingOver { .. } => "handing_over",
            Self::WorkHandedOver { .. } => "work_handed_over",
            Self::RunInterrupted => "run_interrupted",
            Self::RunParked { .. } => "run_parked",
            Self::RunResumed => "run_resumed",
            Self::AbortAsked => "abort_asked",
            Self::RunEnded(_) => "run_ended",
        }
    }

    /// The expert of a team to whom it happened, if it did.
    pub fn expert(&self) -> Option<&str> {
        match self {
            Self::ExpertStarted { expert, .. }
            | Self::ExpertDid { expert, .. }
            | Self::ExpertDone { expert, .. }
            | Self::ExpertFailed { expert, .. }
            | Self::ExpertSkipped { expert, .. }
            | Self::ExpertMerging { expert }
            | Self::ExpertMerged { expert, .. }
            | Self::ExpertConflicted { expert, .. } => Some(expert),
            _ => None,
        }
    }
}

/// What became of a team's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    /// It is in the user's tree.
    Applied,
    /// It lies beside it, as a patch.
    Kept,
    /// There was nothing to hand over.
    Nothing,
}

/// With what a run begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// The run's id.
    pub run: String,
    /// What is to be done.
    pub task: String,
    /// How.
    pub mode: Mode,
    /// The team that works, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Template>,
    /// The agent that works, where that is not the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The model, as `provider/name`; of another agent, by its own name for it, and empty where it chooses.
    pub model: String,
    /// Where it answers, where that is not its provider's own address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The commit that was checked out, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// What it may do.
    #[serde(flatten)]
    pub terms: Terms,
}

/// What a run may do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of the user's, given by itself")]
pub struct Terms {
    /// The quotas of its phases; none where steps are only counted together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quotas: Option<Quotas>,
    /// All steps together.
    pub max_steps: u32,
    /// The most reflections, whatever the quota is.
    pub max_reflections: u32,
    /// How often a failed check is told to the model before it reflects.
    pub max_reinjections: u32,
    /// How often somebody with a clean context may look at what is in the way, once nothing else helped.
    #[serde(default)]
    pub max_unblocks: u32,
    /// How many steps each new beginning after that may take, beyond those of the run.
    #[serde(default)]
    pub steps_after_unblock: u32,
    /// Limits beside steps.
    #[serde(default)]
    pub limits: Limits,
    /// Minutes that a person has for a review.
    pub review_minutes: u32,
    /// Whether a Spec counts as confirmed.
    #[serde(default)]
    pub confirmed_beforehand: bool,
    /// Whether there is a Spec, in a mode that has one.
    #[serde(default = "yes")]
    pub plans: bool,
    /// Whether the run is to end at the Spec, and wait.
    #[serde(default)]
    pub plan_only: bool,
    /// Whether a provider's limit is waited for.
    #[serde(default)]
    pub waits_for_limit: bool,
    /// Whether commands are locked in.
    #[serde(default = "yes")]
    pub sandboxed: bool,
}

fn yes() -> bool {
    true
}

impl Terms {
    /// The steps of a new beginning: as many turns of work as the first had, and a verification.
    pub fn steps_anew(quotas: Quotas) -> u32 {
        quotas.think.saturating_add(1)
    }

    /// What `mode` may do where nobody says otherwise.
    pub fn of(mode: Mode) -> Self {
        Self {
            quotas: mode.quotas(),
            max_steps: 10,
            max_reflections: 2,
            max_reinjections: 0,
            max_unblocks: if mode.keeps_working() { 2 } else { 0 },
            steps_after_unblock: mode.quotas().map_or(0, Terms::steps_anew),
            limits: Limits::default(),
            review_minutes: 30,
            confirmed_beforehand: false,
            plans: true,
            plan_only: false,
            waits_for_limit: false,
            sandboxed: true,
        }
    }
}

/// What a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A Spec.
    Plan,
    /// The next step of the work.
    Work,
    /// What went wrong, and what to do differently.
    Reflect,
}

/// How a review ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Go on.
    Confirm,
    /// Plan again.
    Reject,
    /// Nobody answered in time.
    Timeout,
    /// It was called off.
    Cancel,
}

/// How a run ended, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// How.
    pub ending: Ending,
    /// Why, in a sentence.
    pub why: String,
    /// Whether checks ran at the end and passed.
    pub verified: bool,
    /// The steps it took.
    pub used: Used,
    /// How often it reflected.
    pub reflections: u32,
    /// Tokens read and written.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What they cost, where the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// The model's last words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub last_words: String,
    /// What is handed up to whoever comes next, where the run was blocked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<Box<Escalation>>,
}
