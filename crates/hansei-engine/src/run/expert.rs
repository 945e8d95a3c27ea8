//! One expert of a team at work, in a thread of its own: a run like any other, whose log is the team's.
//!
//! It writes nothing by itself. What happens to it is told to the thread that drives the team, which records it and
//! answers; so there is one writer, and an expert goes on only when it is on record what it does.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use hansei_core::escalation::{Answer, ContextTarget};
use hansei_core::run::conversation::{Conversation, NoAnswer, Turn};
use hansei_core::run::spec::Spec;
use hansei_core::run::{Distress, Rescued, RunEvent, RunLine, Started};
use hansei_core::verification::Report;
use hansei_record::log::LogError;
use serde_json::Value;

use super::{Book, Checks, Crew, Driver, Halt, Rescuer, Reviewed, Reviewer, Voice, Watcher};
use crate::rescue::Rescue;
use crate::tool::Workplace;
use crate::verification::Unverified;

/// What an expert is set to.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// Its part, as a run.
    pub started: Started,
    /// Its tree.
    pub tree: PathBuf,
    /// What its commands may read outside it.
    pub readable: Vec<PathBuf>,
}

/// Everything that an expert works with.
pub struct Desk<'a> {
    /// The model, or the agent.
    pub voice: &'a dyn Voice,
    /// The tools' workplace.
    pub workplace: &'a Workplace,
    /// Whether the user wants the process to end.
    pub is_over: &'a dyn Fn() -> bool,
}

/// Whoever gives experts what they work with.
pub trait Staff: Sync {
    /// Gives `work` a desk for this assignment, or says why there is none. Called in the expert's own thread.
    fn seat(&self, assignment: &Assignment, work: &mut dyn FnMut(&Desk<'_>)) -> Result<(), String>;
}

/// What an expert's thread tells the team's.
pub(super) enum News {
    /// Something happened to it. It waits for the answer.
    Event { expert: String, event: Box<RunEvent>, reply: Sender<Result<RunLine, LogError>> },
    /// What was told is to survive a power cut.
    Sync { reply: Sender<Result<(), LogError>> },
    /// What it does now.
    Doing { expert: String, what: String },
    /// It is through.
    Left { expert: String, came: Result<Halt, String> },
}

/// The way from an expert's thread to the team's.
#[derive(Clone)]
pub(super) struct Wire {
    pub(super) expert: String,
    pub(super) tell: Sender<News>,
    /// Whether what the team may use is spent.
    pub(super) is_spent: Arc<AtomicBool>,
}

impl Wire {
    fn gone() -> LogError {
        io::Error::new(io::ErrorKind::BrokenPipe, "the team is over").into()
    }
}

impl Book for Wire {
    fn append(&mut self, event: RunEvent) -> Result<RunLine, LogError> {
        let (reply, answer) = channel();
        let news = News::Event { expert: self.expert.clone(), event: Box::new(event), reply };
        self.tell.send(news).map_err(|_| Self::gone())?;
        answer.recv().map_err(|_| Self::gone())?
    }

    fn sync(&self) -> Result<(), LogError> {
        let (reply, answer) = channel();
        self.tell.send(News::Sync { reply }).map_err(|_| Self::gone())?;
        answer.recv().map_err(|_| Self::gone())?
    }

    fn release(&mut self) -> Result<(), LogError> {
        Ok(())
    }

    fn retake(&mut self, _: Duration) -> Result<Vec<Value>, LogError> {
        Ok(Vec::new())
    }
}

impl Watcher for Wire {
    fn line(&mut self, _: &Value) {}

    fn words(&mut self, _: &str) {}

    fn doing(&mut self, what: &str) {
        let _ = self.tell.send(News::Doing { expert: self.expert.clone(), what: what.to_owned() });
    }
}

/// Works until the expert is through.
pub(super) fn work(staff: &dyn Staff, assignment: &Assignment, wire: &Wire) -> Result<Halt, String> {
    let mut came = Err("it was not set to work".to_owned());
    staff.seat(assignment, &mut |desk| {
        let voice = Accounted { voice: desk.voice, is_spent: &wire.is_spent };
        let mut watcher = wire.clone();
        let crew = Crew {
            voice: &voice,
            workplace: desk.workplace,
            checks: &OfTheWhole,
            rescuer: &OfTheWhole,
            reviewer: &mut OfTheWhole,
            watcher: &mut watcher,
            closing: Box::new(|_| ()),
            is_over: desk.is_over,
            specs: None,
            team: None,
        };
        let driver = Driver::begin(Box::new(wire.clone()), assignment.started.clone(), crew);
        came = driver.and_then(|mut driver| driver.drive()).map_err(|error| error.to_string());
    })?;
    came
}

/// A voice that is asked only while the team has something to spend.
struct Accounted<'a> {
    voice: &'a dyn Voice,
    is_spent: &'a AtomicBool,
}

impl Voice for Accounted<'_> {
    fn say(&self, conversation: &Conversation, heard: &mut dyn FnMut(&str)) -> Result<Turn, NoAnswer> {
        if self.is_spent.load(Ordering::SeqCst) {
            return Err(NoAnswer::Refused { reason: "what the team may use is spent".to_owned() });
        }
        self.voice.say(conversation, heard)
    }
}

/// Plans are not reviewed and parts are neither verified nor rescued: the whole is.
struct OfTheWhole;

impl Rescuer for OfTheWhole {
    fn rescue(&self, _: &Distress, _: Option<Duration>) -> Rescue {
        Rescue::of(Answer::NeedContext(ContextTarget::EscalationPayload))
    }

    fn proposed(&self, _: &Rescued) {}

    fn worked(&self, _: &Rescued) {}
}

impl Checks for OfTheWhole {
    fn verify(&self, _: &[String], _: &mut dyn FnMut(&str)) -> Result<Report, Unverified> {
        Err(Unverified::Unprepared("an expert's part is not verified by itself".to_owned()))
    }
}

impl Reviewer for OfTheWhole {
    fn review(&mut self, _: &Spec) -> Option<Reviewed> {
        Some(Reviewed::plain(hansei_core::run::Decision::Confirm))
    }
}
