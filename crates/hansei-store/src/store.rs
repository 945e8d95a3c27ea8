//! The one trait that both databases fulfil: changes go in as batches, rows come out.

use std::collections::BTreeMap;
use std::sync::mpsc;

use hansei_core::timestamp::Timestamp;
use hansei_record::redacted::Redacted;

use crate::fault::{Refused, StoreError};
use crate::lines::Lines;
use crate::rows::{
    EventRow, OutcomeRow, ReflectionRow, RunRow, SessionRow, StreamHead, StreamName, VerdictRecordRow,
    VerdictRow,
};

/// A change of the store.
#[derive(Debug)]
pub enum Change {
    /// A log file was read further.
    Extend(Box<Extension>),
    /// New events for a stream of the store itself.
    Append(StreamName, Vec<NewEvent>),
    /// A log file is gone.
    Forget(StreamName),
    /// A reflection was read.
    PutReflection(Box<ReflectionRow>),
    /// A reflection is gone: its workspace and its name.
    ForgetReflection(String, String),
    /// The record of a verdict was read.
    PutVerdictRecord(Box<VerdictRecordRow>),
    /// The record of a verdict is gone: its workspace and its name.
    ForgetVerdictRecord(String, String),
}

/// What a log file gained.
#[derive(Debug)]
pub struct Extension {
    /// The stream.
    pub stream: StreamName,
    /// The bytes and the mark that the reader started from; none for a stream that was not there.
    pub expected: Option<(u64, String)>,
    /// Whether what was there before is replaced.
    pub from_start: bool,
    /// The events.
    pub events: Lines,
    /// The judged stops among them.
    pub verdicts: Vec<VerdictRow>,
    /// The outcomes among them.
    pub outcomes: Vec<OutcomeRow>,
    /// How far the stream has been read then.
    pub head: StreamHead,
}

/// An event for a stream of the store itself. Nothing that was not redacted can be one.
#[derive(Debug, Clone)]
pub struct NewEvent {
    /// What makes it the same event when it is sent again.
    pub key: String,
    /// The event, as a line of a log.
    pub line: Redacted,
}

impl Change {
    /// What is refused when this change is.
    pub fn weight(&self) -> Refused {
        match self {
            Self::Extend(extension) => Refused { events: extension.events.len() as u64, others: 0 },
            Self::Append(_, events) => Refused { events: events.len() as u64, others: 0 },
            _ => Refused { events: 0, others: 1 },
        }
    }
}

/// What is refused when all of these are.
pub(crate) fn weight(changes: &[Change]) -> Refused {
    changes.iter().map(Change::weight).fold(Refused::default(), |all, one| Refused {
        events: all.events + one.events,
        others: all.others + one.others,
    })
}

/// What a change did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// It was made.
    Made,
    /// Nothing: somebody else has read the same file further meanwhile.
    Overtaken,
    /// Events were appended.
    Appended {
        /// How many.
        new: u64,
        /// The keys that were there already, whose events were left out.
        duplicates: Vec<String>,
    },
}

/// Effects that are acknowledged later.
#[derive(Debug)]
pub enum Pending {
    /// They already are.
    Now(Result<Vec<Effect>, StoreError>),
    /// They will be.
    Later(mpsc::Receiver<Result<Vec<Effect>, StoreError>>, Box<StoreError>),
}

impl Pending {
    /// Waits until the effects are on disk, or refused.
    pub fn wait(self) -> Result<Vec<Effect>, StoreError> {
        match self {
            Self::Now(effects) => effects,
            Self::Later(inbox, lost) => inbox.recv().unwrap_or(Err(*lost)),
        }
    }
}

/// Which rows are wanted. What a row does not have is not asked of it.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The workspaces; all where there is none.
    pub workspaces: Vec<String>,
    /// The session, as a part of a file name.
    pub session: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// The surface of the risk floor.
    pub surface: Option<String>,
    /// How the newest verdict on it is.
    pub verdict: Option<Judged>,
    /// Not before this moment.
    pub since: Option<Timestamp>,
    /// Words that all occur, each as the beginning of a word.
    pub search: Option<String>,
    /// At most so many.
    pub limit: Option<u64>,
}

/// How something was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// As complete.
    Complete,
    /// As incomplete.
    Incomplete,
    /// Not at all.
    Never,
}

/// A reflection, with the verdict on the same stop.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundReflection {
    /// The reflection.
    pub reflection: ReflectionRow,
    /// Whether the task was complete; none where nobody judged.
    pub complete: Option<bool>,
    /// How bad it was.
    pub severity: Option<String>,
}

/// How much there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Streams of events.
    pub streams: u64,
    /// Events, and lines that are none.
    pub events: u64,
    /// Lines that are no events.
    pub malformed: u64,
    /// Sessions.
    pub sessions: u64,
    /// Reflections.
    pub reflections: u64,
    /// Judged stops.
    pub verdicts: u64,
    /// Runs.
    pub runs: u64,
    /// Outcomes.
    pub outcomes: u64,
}

/// A file that was read whole before: its size, when it was written, and the version of the fold.
pub type Known = (u64, i64, u32);

/// An index of events and of what is folded from them.
pub trait Store: Send {
    /// What it is called in messages; never with a password.
    fn place(&self) -> &str;

    /// Another way into the same store, for another thread.
    fn another(&self) -> Result<Box<dyn Store>, StoreError>;

    /// Sends changes, which happen all or not at all. They are on disk when the answer says so, and not before.
    fn send(&mut self, changes: Vec<Change>) -> Pending;

    /// Sends changes and waits for the answer.
    fn write(&mut self, changes: Vec<Change>) -> Result<Vec<Effect>, StoreError> {
        self.send(changes).wait()
    }

    /// Appends events to a stream of the store itself. Gives how many are new, and the keys that were there already.
    fn append(
        &mut self,
        stream: StreamName,
        events: Vec<NewEvent>,
    ) -> Result<(u64, Vec<String>), StoreError> {
        let effects = self.write(vec![Change::Append(stream, events)])?;
        match effects.into_iter().next() {
            Some(Effect::Appended { new, duplicates }) => Ok((new, duplicates)),
            _ => Ok((0, Vec::new())),
        }
    }

    /// The streams of a workspace.
    fn streams(&mut self, workspace: &str) -> Result<BTreeMap<String, StreamHead>, StoreError>;

    /// The events of a stream behind the one at `after`, at most so many.
    fn events(&mut self, stream: &StreamName, after: u64, most: u64) -> Result<Vec<EventRow>, StoreError>;

    /// The reflections of a workspace that were read before, by name.
    fn known_reflections(&mut self, workspace: &str) -> Result<BTreeMap<String, Known>, StoreError>;

    /// The records of verdicts of a workspace that were read before, by name.
    fn known_verdict_records(&mut self, workspace: &str) -> Result<BTreeMap<String, Known>, StoreError>;

    /// Sessions, the newest first.
    fn sessions(&mut self, filter: &Filter) -> Result<Vec<SessionRow>, StoreError>;

    /// Reflections, the newest first.
    fn reflections(&mut self, filter: &Filter) -> Result<Vec<FoundReflection>, StoreError>;

    /// Judged stops, the newest first.
    fn verdicts(&mut self, filter: &Filter) -> Result<Vec<VerdictRow>, StoreError>;

    /// The records of verdicts, the newest first.
    fn verdict_records(&mut self, filter: &Filter) -> Result<Vec<VerdictRecordRow>, StoreError>;

    /// Runs, the newest first.
    fn runs(&mut self, filter: &Filter) -> Result<Vec<RunRow>, StoreError>;

    /// Outcomes, the newest first.
    fn outcomes(&mut self, filter: &Filter) -> Result<Vec<OutcomeRow>, StoreError>;

    /// How much there is in a workspace, or in all.
    fn counts(&mut self, workspace: Option<&str>) -> Result<Counts, StoreError>;

    /// Every row of a workspace, or of all, as a line of JSON: equal stores tell equal lines in equal order, whichever
    /// database they are. How far files were read is not among them.
    fn dump(&mut self, workspace: Option<&str>, take: &mut dyn FnMut(&str)) -> Result<(), StoreError>;
}
