//! What is in the index: streams of events, and the rows that are folded from them.

use hansei_core::report::summary::Summary;

/// The name of a stream of events: a log of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StreamName {
    /// The workspace.
    pub workspace: String,
    /// The log's name: a session, a run, or `~workspace`.
    pub name: String,
}

impl StreamName {
    /// The stream `name` of `workspace`.
    pub fn new(workspace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { workspace: workspace.into(), name: name.into() }
    }
}

impl std::fmt::Display for StreamName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.workspace, self.name)
    }
}

/// Where a stream's events come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A log file.
    File,
    /// Whoever appends to the store itself.
    Store,
}

/// How far a stream has been read, and what it says so far.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamHead {
    /// Where its events come from.
    pub source: Source,
    /// How many bytes of the file were read: up to the end of a line.
    pub bytes: u64,
    /// How long the file was.
    pub size: u64,
    /// When the file was last written, in nanoseconds.
    pub modified: i64,
    /// What tells the file from another of the same name: a digest of where it begins and where reading ended.
    pub mark: String,
    /// The version of the fold.
    pub fold: u32,
    /// What the stream says so far.
    pub summary: Summary,
}

impl StreamHead {
    /// A stream of which nothing was read.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            bytes: 0,
            size: 0,
            modified: -1,
            mark: String::new(),
            fold: hansei_core::report::summary::VERSION,
            summary: Summary::default(),
        }
    }
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Its place in the stream, counted from 1.
    pub position: u64,
    /// When it was written, if it says so.
    pub time: Option<String>,
    /// Its kind; none for a line that is no event.
    pub kind: Option<String>,
    /// The line as it was written.
    pub body: Vec<u8>,
}

/// A judged stop.
#[derive(Debug, Clone, PartialEq)]
pub struct VerdictRow {
    /// The workspace.
    pub workspace: String,
    /// The session, as a part of a file name.
    pub session: String,
    /// Its event's place in the session's log.
    pub position: u64,
    /// When.
    pub time: Option<String>,
    /// The stop.
    pub stop: String,
    /// The human message that was worked on.
    pub task: String,
    /// Whether the task is complete.
    pub complete: bool,
    /// The worst of what was found.
    pub severity: String,
    /// Who decided.
    pub decided_by: String,
    /// The probability that the task is complete.
    pub p_complete: Option<f64>,
    /// Kinds of what was found.
    pub evidence: Vec<String>,
    /// The record's file name.
    pub record: Option<String>,
    /// The reflection of the same stop.
    pub reflection: Option<String>,
}

/// What turned out about a session or a reflection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeRow {
    /// The workspace.
    pub workspace: String,
    /// The stream that it was recorded in.
    pub stream: String,
    /// Its event's place there.
    pub position: u64,
    /// When it was recorded.
    pub time: Option<String>,
    /// The session or the reflection that it is about.
    pub subject: String,
    /// The session.
    pub session_id: String,
    /// `correct` or `wrong`.
    pub verdict: String,
    /// Who or what found out.
    pub source: String,
    /// Why, in words.
    pub why: Option<String>,
    /// The commits that show it.
    pub commits: Vec<String>,
}

/// A session, as its log and its records tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The workspace.
    pub workspace: String,
    /// The session, as a part of a file name.
    pub session: String,
    /// The agent, where a record of the session names it.
    pub agent: Option<String>,
    /// What the log says.
    pub summary: Summary,
}

/// A run, as far as the kinds of its events tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRow {
    /// The workspace.
    pub workspace: String,
    /// The run.
    pub run: String,
    /// What the log says.
    pub summary: Summary,
}

/// A reflection on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct ReflectionRow {
    /// The workspace.
    pub workspace: String,
    /// Its file name without the ending.
    pub name: String,
    /// What was read from the file.
    pub file: FileSeen,
    /// The session.
    pub session_id: String,
    /// The agent.
    pub agent: String,
    /// The task.
    pub task_ref: String,
    /// When the agent stopped.
    pub time: Option<String>,
    /// How sure the agent was.
    pub confidence: Option<f64>,
    /// The surface of the risk floor.
    pub surface: String,
    /// The score of the risk floor.
    pub score: Option<f64>,
    /// Whether it needs review.
    pub needs_review: Option<bool>,
    /// Why the file cannot be read, if so.
    pub error: Option<String>,
}

/// The record of a verdict on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct VerdictRecordRow {
    /// The workspace.
    pub workspace: String,
    /// Its file name.
    pub name: String,
    /// What was read from the file.
    pub file: FileSeen,
    /// The session.
    pub session_id: String,
    /// The agent.
    pub agent: String,
    /// When.
    pub time: Option<String>,
    /// Whether the task is complete.
    pub complete: Option<bool>,
    /// The worst of what was found.
    pub severity: Option<String>,
    /// What was done.
    pub action: Option<String>,
}

/// A file that was read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSeen {
    /// How long it was.
    pub size: u64,
    /// When it was last written, in nanoseconds.
    pub modified: i64,
    /// The version of the fold.
    pub fold: u32,
    /// What it contains.
    pub body: Vec<u8>,
    /// Its words, for searching.
    pub words: String,
}
