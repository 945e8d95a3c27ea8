//! What evidence can be of, and the name of the detector that finds it.

use serde::{Deserialize, Serialize};

/// What a detector found. Each kind has one detector, and its name is what `hansei wrong --detector` mutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A check failed last, and its own exit code says so.
    CheckFailed,
    /// A check failed last behind a pipe or its like, and its runner's summary says so.
    CheckFailedHidden,
    /// Files that a check covers were edited after it last ran.
    CheckStale,
    /// A check ran, and what it said was hidden.
    CheckMasked,
    /// A check ran no test.
    CheckRanNothing,
    /// The task or the project's instructions demand a check that nobody ran.
    CheckDemanded,
    /// What fails failed before the first edit.
    RedBefore,
    /// A check passed after the last edit.
    CheckPassed,
    /// An act that was forbidden, or that is forbidden everywhere.
    ForbiddenAct,
    /// Tests were deleted, skipped or weakened.
    TestsWeakened,
    /// A gate was walked around.
    GateBypassed,
    /// The change goes against a decision that is written down in the repository.
    DecisionBroken,
    /// The transcript is shorter or other than it was at an earlier stop, or cannot be read any more.
    TranscriptChanged,
    /// The last thing a tool said was an error, and nothing came after it.
    ToolErrorUnanswered,
    /// Work is still running in the background.
    BackgroundRunning,
    /// The agent says that a check passes, and what ran says otherwise.
    ClaimContradicted,
    /// The agent claims what no command supports.
    ClaimUnsupported,
    /// The agent says itself that a check fails.
    FailureAdmitted,
    /// The agent says itself that something is left.
    WorkRemaining,
    /// The agent announced work and stopped.
    WorkAnnounced,
    /// What was written holds placeholders.
    Placeholder,
    /// A part of the request is mentioned nowhere.
    PartMissing,
    /// The list of things to do has open items.
    OpenTodos,
    /// The last message breaks off.
    MessageCutOff,
    /// There is no last message.
    MessageEmpty,
    /// Only a plan, although action was asked for.
    PlanOnly,
    /// Nothing was done, although action was asked for.
    NothingDone,
    /// The human is told to do what the agent could do.
    Delegated,
    /// The human is asked for what only a human can do.
    HumanOnly,
    /// A question that only the human can decide.
    QuestionAsked,
    /// The agent asks whether it may go on.
    PermissionSought,
    /// A failing test is waved away as flaky or unrelated.
    FailureDismissed,
    /// Warnings, although clean output was asked for.
    WarningsLeft,
    /// The human changed the request, and the old one was done.
    PivotIgnored,
    /// No code was due: research, a plan, a conversation.
    NoCodeDue,
    /// The same call with the same result, again and again.
    LoopRepeated,
    /// A cycle of calls that comes round and round.
    LoopCycle,
    /// The same error, again and again.
    LoopErrors,
    /// Much looking or planning, no acting.
    LoopNoAction,
    /// Message after message, no tool.
    LoopMonologue,
}

/// Where a kind of evidence comes from, which decides how far it may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Something that was executed says so.
    Executed,
    /// The agent's own words, or the lack of them, say so.
    Said,
    /// The course of the session says so.
    Loop,
    /// It explains, and accuses nobody.
    Circumstance,
}

impl Kind {
    /// Every kind.
    pub const ALL: &[Self] = &[
        Self::CheckFailed,
        Self::CheckFailedHidden,
        Self::CheckStale,
        Self::CheckMasked,
        Self::CheckRanNothing,
        Self::CheckDemanded,
        Self::RedBefore,
        Self::CheckPassed,
        Self::ForbiddenAct,
        Self::TestsWeakened,
        Self::GateBypassed,
        Self::DecisionBroken,
        Self::TranscriptChanged,
        Self::ToolErrorUnanswered,
        Self::BackgroundRunning,
        Self::ClaimContradicted,
        Self::ClaimUnsupported,
        Self::FailureAdmitted,
        Self::WorkRemaining,
        Self::WorkAnnounced,
        Self::Placeholder,
        Self::PartMissing,
        Self::OpenTodos,
        Self::MessageCutOff,
        Self::MessageEmpty,
        Self::PlanOnly,
        Self::NothingDone,
        Self::Delegated,
        Self::HumanOnly,
        Self::QuestionAsked,
        Self::PermissionSought,
        Self::FailureDismissed,
        Self::WarningsLeft,
        Self::PivotIgnored,
        Self::NoCodeDue,
        Self::LoopRepeated,
        Self::LoopCycle,
        Self::LoopErrors,
        Self::LoopNoAction,
        Self::LoopMonologue,
    ];

    /// Where it comes from.
    pub fn class(self) -> Class {
        match self {
            Self::CheckFailed
            | Self::CheckFailedHidden
            | Self::CheckStale
            | Self::CheckMasked
            | Self::CheckRanNothing
            | Self::ForbiddenAct
            | Self::TestsWeakened
            | Self::GateBypassed
            | Self::DecisionBroken
            | Self::TranscriptChanged
            | Self::ClaimContradicted => Class::Executed,
            Self::LoopRepeated
            | Self::LoopCycle
            | Self::LoopErrors
            | Self::LoopNoAction
            | Self::LoopMonologue => Class::Loop,
            Self::CheckPassed
            | Self::RedBefore
            | Self::BackgroundRunning
            | Self::HumanOnly
            | Self::QuestionAsked
            | Self::NoCodeDue => Class::Circumstance,
            Self::CheckDemanded
            | Self::ToolErrorUnanswered
            | Self::ClaimUnsupported
            | Self::FailureAdmitted
            | Self::WorkRemaining
            | Self::WorkAnnounced
            | Self::Placeholder
            | Self::PartMissing
            | Self::OpenTodos
            | Self::MessageCutOff
            | Self::MessageEmpty
            | Self::PlanOnly
            | Self::NothingDone
            | Self::Delegated
            | Self::PermissionSought
            | Self::FailureDismissed
            | Self::WarningsLeft
            | Self::PivotIgnored => Class::Said,
        }
    }
}
