//! Carries out what a run asks for, step by step, and records each before it is acted on.
//!
//! What happens next is decided by [`hansei_core::run`]; here it is done. Everybody whom a run needs, a model, a person who
//! reviews, the checks, comes in through a small trait, so that a run can be driven from a terminal, a server or a test.

mod book;
mod driver;
mod expert;
mod handing_over;
mod second_look;
mod spec_file;
mod team;

use std::time::Duration;

use hansei_core::run::conversation::{Conversation, NoAnswer, Turn};
use hansei_core::run::spec::Spec;
use hansei_core::run::{Decision, Distress, Ended, Rescued};
use hansei_core::verification::Report;
use serde_json::Value;

pub use book::Book;
pub use driver::{Crew, DriveError, Driver, Halt};
pub use expert::{Assignment, Desk, Staff};
pub use team::TeamCrew;

use crate::rescue::Rescue;
use crate::verification::Unverified;

/// A model that works.
pub trait Voice {
    /// Tells it everything, and waits for its turn. Its words are `heard` as they come.
    fn say(&self, conversation: &Conversation, heard: &mut dyn FnMut(&str)) -> Result<Turn, NoAnswer>;
}

/// The checks at the end of an attempt.
pub trait Checks {
    /// Runs the project's checks and those of the Spec. `doing` hears of each before it is run.
    fn verify(&self, spec: &[String], doing: &mut dyn FnMut(&str)) -> Result<Report, Unverified>;
}

/// Somebody with a clean context, who is asked when nothing else helps.
pub trait Rescuer {
    /// Looks at what is in the way, for no longer than `time` where there is a limit.
    fn rescue(&self, distress: &Distress, time: Option<Duration>) -> Rescue;
    /// Remembers what was proposed, for whoever looks next. Called only when the run has it on record; may be called again.
    fn proposed(&self, rescued: &Rescued);
    /// Remembers that the checks passed after this proposal. May be called again.
    fn worked(&self, rescued: &Rescued);
}

/// A person who reviews Specs.
pub trait Reviewer {
    /// Asks them. None where nobody is here: then the answer is waited for in the log.
    fn review(&mut self, spec: &Spec) -> Option<Reviewed>;
}

/// What a person says to a Spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewed {
    /// What was decided.
    pub decision: Decision,
    /// Why, or what to mind.
    pub feedback: String,
    /// The Spec as they changed it.
    pub edited: Option<Spec>,
    /// Whether the whole run is called off.
    pub abort: bool,
}

/// Whoever watches a run.
pub trait Watcher {
    /// A line of the log, as it was written.
    fn line(&mut self, line: &Value);
    /// A piece of what the model says.
    fn words(&mut self, piece: &str);
    /// What is being done, where that may take a while.
    fn doing(&mut self, what: &str);
}

/// Called once when a run ends, before its ending is recorded: for what is kept of it.
pub type Closing<'a> = Box<dyn FnMut(&Ended) + 'a>;
