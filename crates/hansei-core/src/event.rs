//! What Hansei writes into a session's log: one event a line, appended and never changed.
//!
//! A reader keeps kinds it does not know (a newer version may have written them); a writer can only write the kinds
//! below.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::escalation::{AnswerKind, Attempt, FailureLayer, Fingerprint};
use crate::evidence::Kind;
use crate::experiment::{Experiment, Status};
use crate::interrupt::{Failures, SkipWhy, Why};
use crate::notice::About;
use crate::nudge;
use crate::outcome::Outcome;
use crate::risk::RiskVerdict;
use crate::stuck::{self, LeftAlone};
use crate::timestamp::Timestamp;
use crate::transcript_mark::TranscriptMark;
use crate::verdict::{DecidedBy, Severity, Standing};

/// The version of the envelope that this code writes.
pub const VERSION: u32 = 1;

/// One line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The version of the envelope.
    pub v: u32,
    /// The line's place in its log, counted from 1: with the log's name, the event's identity.
    pub seq: u64,
    /// When it was written.
    pub time: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// An agent's session began or was resumed.
    SessionStarted {
        /// What was checked out.
        base: BaseCommit,
        /// Files that were already changed, and what they contained.
        dirty: Vec<DirtyFile>,
        /// What could not be recorded.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        degraded: Vec<String>,
    },
    /// A human asked for something: a new task.
    TaskStarted,
    /// Something else an agent reported; kept for the order of events.
    AgentReported {
        /// Which of the common hook events it was.
        event: HookEvent,
    },
    /// A capture is about to begin. Without its result behind it, it is still running or it died.
    CaptureStarted {
        /// The how-manieth stop of this task.
        attempt: u32,
    },
    /// A capture ended without a reflection.
    CaptureFailed {
        /// Why.
        reason: String,
    },
    /// A reflection is on disk.
    Captured {
        /// The sidecar's file name.
        sidecar: String,
        /// The how-manieth stop of this task.
        attempt: u32,
        /// How many paths the sidecar names.
        files_changed: usize,
        /// Paths that were dirty before the session and have not changed since: not the agent's, and left out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<String>,
        /// The risk floor.
        risk: RiskVerdict,
        /// Why the sidecar is degraded; empty when it is whole.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        degraded: Vec<String>,
    },
    /// A stop is about to be judged. Without a result behind it, that is still going on, or it died.
    JudgingStarted {
        /// The stop.
        stop: String,
        /// When it is over at the latest.
        until: Timestamp,
    },
    /// A transcript was read at a stop: so much was there.
    TranscriptRead(TranscriptMark),
    /// A stop was judged.
    Judged {
        /// The stop.
        stop: String,
        /// The human message that was worked on.
        task: String,
        /// The compaction epoch.
        epoch: u32,
        /// Whether the task is complete.
        complete: bool,
        /// The worst of what was found.
        severity: Severity,
        /// Who decided.
        decided_by: DecidedBy,
        /// The probability that the task is complete.
        p_complete: f64,
        /// What was found.
        evidence: Vec<Kind>,
        /// The record's file name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<String>,
    },
    /// A model that was to be asked gave no opinion.
    JudgeUnavailable {
        /// Why.
        reason: String,
    },
    /// The agent was sent back. Recorded before it is told.
    SentBack {
        /// The stop.
        stop: String,
        /// The human message that is worked on.
        task: String,
        /// The compaction epoch.
        epoch: u32,
        /// The how-manieth time for this task.
        attempt: u32,
        /// What for, as kinds of evidence.
        grounds: Vec<Kind>,
        /// What for, as it is compared.
        failures: Failures,
        /// What the agent is told.
        feedback: String,
        /// The escalation that it was told to hand over, where it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        escalation: Option<String>,
    },
    /// The agent was let go.
    LetGo {
        /// The stop.
        stop: String,
        /// The human message that was worked on.
        task: String,
        /// The compaction epoch.
        epoch: u32,
        /// Why.
        why: Why,
        /// How the stop stands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        standing: Option<Standing>,
    },
    /// Nobody looked at a stop.
    Skipped {
        /// The stop.
        stop: String,
        /// The human message that was worked on.
        task: String,
        /// Why.
        why: SkipWhy,
    },
    /// A silent session was looked at.
    SilenceSeen {
        /// The stop after which it is silent.
        stop: String,
        /// The human message that was worked on.
        task: String,
        /// Why it is silent.
        reason: stuck::Reason,
        /// Why the agent was left alone; none where it is nudged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_alone: Option<LeftAlone>,
    },
    /// A session was looked at after its context was compacted.
    CompactionSeen {
        /// The human message that was worked on.
        task: String,
        /// The compaction epoch.
        epoch: u32,
        /// What is best.
        action: nudge::Action,
        /// Why the agent was left alone; none where it is nudged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_alone: Option<LeftAlone>,
    },
    /// The agent is told to go on. Recorded before it is told.
    Nudged {
        /// The stop after which it was silent; empty after a compaction.
        stop: String,
        /// The human message that was worked on.
        task: String,
        /// The compaction epoch.
        epoch: u32,
        /// What for.
        because: NudgeCause,
        /// What it is told.
        text: String,
    },
    /// A person is about to be told, in the ways that their settings name.
    NoticeDue {
        /// What about.
        about: About,
        /// The one line that matters.
        line: String,
    },
    /// How telling a person went.
    NoticeSent {
        /// What about.
        about: About,
        /// The ways that worked.
        ways: Vec<String>,
        /// The ways that did not, and why.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        failed: Vec<String>,
    },
    /// The user turned Hansei off here.
    TurnedOff,
    /// The user turned Hansei on again.
    TurnedOn,
    /// The user says that evidence of this kind was wrong; its detector is muted here.
    MarkedWrong {
        /// The detector.
        detector: String,
        /// The session in which it was wrong, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// It came out whether work was right.
    Outcome(Outcome),
    /// An experiment read this workspace's data.
    ExperimentRead {
        /// Which one.
        experiment: Experiment,
        /// The digest of the thresholds that it was held against.
        registration: String,
        /// How it came out.
        status: Status,
        /// How many rows, signals or tasks it rested on.
        n: u64,
    },
    /// The user opened the gate against what the experiments say.
    GateOverridden {
        /// Why.
        why: String,
        /// Who.
        who: String,
    },
    /// The user took an override back.
    GateOverrideEnded {
        /// Who.
        who: String,
    },
    /// Somebody with a clean context was asked about a failure, and proposed something.
    RescueProposed {
        /// The failure.
        fingerprint: Fingerprint,
        /// The how-manieth rescue it was.
        attempt: Attempt,
        /// What kind of answer.
        answer: AnswerKind,
        /// What is thought to be wrong.
        hypothesis: String,
        /// In which layer.
        layer: FailureLayer,
        /// The run that asked, where one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<String>,
    },
    /// The checks of a run passed after something was proposed to it: that was no failed try.
    RescueWorked {
        /// The failure.
        fingerprint: Fingerprint,
        /// The how-manieth rescue it was.
        attempt: Attempt,
        /// What was thought to be wrong, and was.
        hypothesis: String,
        /// The run that asked.
        run: String,
    },
    /// A command that is the user's was tried from inside an agent, and refused.
    RefusedInsideAgent {
        /// The command.
        command: String,
        /// How the agent was recognised.
        by: String,
    },
}

/// What an agent is nudged for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NudgeCause {
    /// It stopped in the middle and said nothing more.
    Silence,
    /// Its context was compacted.
    Compaction,
}

/// What was checked out when a session began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseCommit {
    /// This commit.
    Commit(String),
    /// The repository had no commit yet.
    Empty,
    /// It could not be found out, or was recorded by an earlier start of the session.
    Unknown,
}

/// A file that had uncommitted changes when a session began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirtyFile {
    /// Its path, escaped as `path_text` does.
    pub path: String,
    /// What it contained: a git blob hash, `absent`, or `stat:…` for a file too large to read.
    pub blob: String,
}

/// The hook events that all agents' own events are mapped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HookEvent {
    /// A session begins or is resumed.
    SessionStart,
    /// A human says something.
    Prompt,
    /// A tool was used.
    Tool,
    /// The agent stops.
    Stop,
    /// A sub-agent stops.
    SubagentStop,
    /// The context is compacted.
    Compact,
    /// Nothing has happened for a while.
    Stuck,
    /// A turn failed.
    Error,
    /// A human interrupted.
    Abort,
    /// The session ends.
    SessionEnd,
}

impl HookEvent {
    /// Every event with its name on the command line.
    pub const NAMES: [(&'static str, Self); 10] = [
        ("session-start", Self::SessionStart),
        ("prompt", Self::Prompt),
        ("tool", Self::Tool),
        ("stop", Self::Stop),
        ("subagent-stop", Self::SubagentStop),
        ("compact", Self::Compact),
        ("stuck", Self::Stuck),
        ("error", Self::Error),
        ("abort", Self::Abort),
        ("session-end", Self::SessionEnd),
    ];

    /// The event called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, event)| event)
    }
}

/// A line as it was read.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadLine {
    /// A line this version understands.
    Known(Line),
    /// A whole JSON object of a kind or version that this one does not know.
    Unknown(Value),
    /// Not a JSON object: a torn write.
    Torn,
}

/// Reads one line of a log.
pub fn read_line(line: &[u8]) -> ReadLine {
    if let Ok(line) = serde_json::from_slice(line) {
        return ReadLine::Known(line);
    }
    match serde_json::from_slice(line) {
        Ok(value @ Value::Object(_)) => ReadLine::Unknown(value),
        _ => ReadLine::Torn,
    }
}

#[cfg(test)]
mod tests;
