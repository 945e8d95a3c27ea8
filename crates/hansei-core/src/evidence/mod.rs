//! Evidence: facts about a session that speak for or against its being done, each with a pointer to where it was seen.
//!
//! One detector a file. A detector looks at a [`Situation`] and finds facts; what follows from them is decided in
//! [`crate::verdict`]. Detectors know structure and meaning, never the wording of an example.

mod acts_due;
mod admissions;
mod asks;
mod background;
mod base_tree;
mod bearing;
mod bent_checks;
mod broken_decisions;
mod bypassed_gate;
mod changes;
mod check_runs;
mod circumstances;
mod citation;
mod claims;
mod committed_secret;
mod confessed_bending;
mod course;
mod coverage;
mod crash_seen;
mod demanded_check;
mod env_committed;
mod executed;
mod failed_check;
pub(crate) mod file_world;
mod forbidden_act;
mod forbidden_by_request;
mod forbidden_words;
mod git_command;
#[cfg(test)]
mod honest_sessions;
mod kind;
mod left_work;
mod loops;
mod lost_data;
mod masked_check;
mod message;
mod parts;
mod passed_check;
mod placeholders;
#[cfg(test)]
mod properties;
mod reading;
mod red_before;
mod request;
#[cfg(test)]
pub(crate) mod shorthand;
mod speech;
mod stale_check;
pub(crate) mod test_text;
mod todos;
mod tool_error;
mod tries;
mod undone_words;
mod weakened_security;
mod weakened_tests;
mod wishes;

pub use kind::{Class, Kind};
pub(crate) use speech::Speech;

use serde::Serialize;

use self::reading::Reading;
use crate::decision_memory::Violation;
use crate::session::{Excerpt, Session, Task, Turn};
use crate::verdict::Severity;

/// A fact about a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// Its name within one evaluation: the kind and a number.
    pub id: String,
    /// What was found.
    pub kind: Kind,
    /// How bad it is, should it be true.
    pub severity: Severity,
    /// Where it was seen.
    #[serde(rename = "where")]
    pub place: Place,
    /// The fact, in a sentence that an agent can act on.
    pub text: String,
    /// What it is about, for telling sets of failures apart: failing tests, a check, a todo.
    #[serde(skip)]
    pub about: Vec<String>,
    /// How many changes were followed by it again, without progress.
    #[serde(skip)]
    pub tries: u32,
}

/// Where something was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In a tool call, by its place in the session.
    Call(usize),
    /// In the agent's last words.
    LastWords,
    /// In the human's request.
    Request,
    /// In the list of things to do.
    Todos,
    /// In the project's own instructions.
    Instructions,
    /// In the session as a whole.
    Session,
}

/// What detectors look at: a session at a stop, and what is known around it.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The session.
    pub session: &'a Session,
    /// The project's own instructions to agents, such as `AGENTS.md`.
    pub instructions: &'a [Instructions],
    /// How many tasks the agent says are still running in the background.
    pub background: usize,
    /// What the change of the session does against decisions that are written down in the repository.
    pub broken: &'a [Violation],
}

/// A file with instructions to agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instructions {
    /// The file's name.
    pub file: String,
    /// What it says.
    pub text: String,
}

impl<'a> Situation<'a> {
    /// A session by itself.
    pub fn of(session: &'a Session) -> Self {
        Self { session, instructions: &[], background: 0, broken: &[] }
    }

    /// The task that the agent works on: the human's latest request.
    pub fn task(&self) -> Option<&'a Task> {
        self.session.tasks.last()
    }

    /// The stretch of work that ends with this stop.
    pub fn turn(&self) -> Option<&'a Turn> {
        self.task()?.turns.last()
    }

    /// The human's latest request.
    pub fn request(&self) -> String {
        self.task().and_then(|task| task.request.as_ref()).map(Excerpt::text).unwrap_or_default()
    }

    /// What the agent said last.
    pub fn last_words(&self) -> String {
        self.turn().and_then(|turn| turn.last_words.as_ref()).map(Excerpt::text).unwrap_or_default()
    }

    /// The calls that were made for the current task.
    pub fn task_calls(&self) -> std::ops::Range<usize> {
        let turns = self.task().map(|task| task.turns.as_slice()).unwrap_or_default();
        let start = turns.first().map_or(self.session.calls.len(), |turn| turn.calls.start);
        start..self.session.calls.len()
    }
}

/// A detector: finds facts of one subject.
type Detector = fn(&Situation<'_>, &mut Findings);

/// Detectors of what was executed.
const DETECTORS: &[Detector] = &[executed::detect, broken_decisions::detect];

/// A detector of what was said, which may look at what was found before.
type WordDetector = fn(&Situation<'_>, &Reading, &mut Findings);

/// Detectors of what was said, in an order in which later ones may build on earlier ones.
const WORD_DETECTORS: &[WordDetector] = &[
    circumstances::detect,
    bent_checks::detect,
    confessed_bending::detect,
    forbidden_words::detect,
    claims::detect,
    admissions::detect,
    left_work::detect,
    message::detect,
    asks::detect,
    parts::detect,
    acts_due::detect,
    todos::detect,
    placeholders::detect,
    weakened_security::detect,
    env_committed::detect,
    crash_seen::detect,
];

/// The longest text of a fact.
const LONGEST: usize = 600;

/// Collects what detectors find.
#[derive(Debug, Default)]
pub struct Findings(Vec<Evidence>);

impl Findings {
    /// What was found so far.
    fn all(&self) -> &[Evidence] {
        &self.0
    }

    /// Adds a fact.
    pub fn add(&mut self, kind: Kind, severity: Severity, place: Place, text: impl Into<String>) {
        self.add_about(kind, severity, place, text, Vec::new());
    }

    /// Adds a fact about something that can be told apart from others of its kind.
    pub fn add_about(
        &mut self,
        kind: Kind,
        severity: Severity,
        place: Place,
        text: impl Into<String>,
        about: Vec<String>,
    ) {
        let id = format!("e{}", self.0.len() + 1);
        self.0.push(Evidence { id, kind, severity, place, text: one_line(&text.into()), about, tries: 0 });
    }

    /// Adds a failure that was tried so often in vain.
    fn add_tried(
        &mut self,
        kind: Kind,
        place: Place,
        text: impl Into<String>,
        about: Vec<String>,
        tries: u32,
    ) {
        self.add_about(kind, Severity::High, place, text, about);
        if let Some(newest) = self.0.last_mut() {
            newest.tries = tries;
        }
    }
}

/// `text` as a bounded line without invisible characters: names of files and tests are other people's words.
fn one_line(text: &str) -> String {
    let invisible = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let visible = text.chars().filter(|c| !invisible(*c)).map(|c| if c.is_control() { ' ' } else { c });
    visible.take(LONGEST).collect()
}

/// Everything that the detectors find.
pub fn gather(situation: &Situation<'_>) -> Vec<Evidence> {
    let mut findings = Findings::default();
    for detector in DETECTORS {
        detector(situation, &mut findings);
    }
    let reading = Reading::of(situation);
    for detector in WORD_DETECTORS {
        detector(situation, &reading, &mut findings);
    }
    findings.0
}
