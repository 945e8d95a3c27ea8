//! Evidence: facts about a session that speak for or against its being done, each with a pointer to where it was seen.
//!
//! One detector a file. A detector looks at a [`Situation`] and finds facts; what follows from them is decided in
//! [`crate::verdict`]. Detectors know structure and meaning, never the wording of an example.

mod acts_due;
mod admissions;
mod allowed;
mod asks;
mod background;
mod base_tree;
mod bearing;
#[cfg(test)]
mod bending_tests;
mod bent_checks;
mod broken_decisions;
mod bypassed_gate;
mod changes;
mod check_definitions;
mod check_runs;
mod circumstances;
mod citation;
mod claims;
mod committed_secret;
mod course;
mod coverage;
mod crash_seen;
mod demanded_check;
mod failed_check;
mod file_deltas;
pub(crate) mod file_world;
mod forbidden_act;
mod forbidden_by_request;
mod git_command;
#[cfg(test)]
mod honest_sessions;
mod human_only;
mod kind;
mod left_work;
mod loops;
mod lost_data;
mod masked_check;
mod message;
mod narrowed_checks;
mod parts;
mod passed_check;
mod placeholders;
mod prohibitions;
#[cfg(test)]
mod properties;
mod reading;
mod red_before;
mod request;
mod rights;
mod shape;
#[cfg(test)]
pub(crate) mod shorthand;
mod speech;
mod stale_check;
mod stream_edits;
#[cfg(test)]
mod stream_edits_cases;
mod sub_agent;
pub(crate) mod test_text;
mod todos;
mod tool_error;
mod tries;
mod undone_words;
mod weakened_security;
mod weakened_tests;
#[cfg(test)]
mod weakening_cases;
mod wishes;

pub use claims::{Claim, ClaimKind, Mark, Proof};
pub use kind::{Class, Kind};
pub use rights::{Basis, Right, may_act, rights};
pub use shape::Shape;
pub(crate) use speech::Speech;

use serde::Serialize;

use self::course::{Course, CourseDetector};
use self::reading::Reading;
use crate::decision_memory::{Change, Violation};
use crate::prose::Concept;
use crate::session::{Excerpt, Session, Task, Turn};
use crate::timestamp::Timestamp;
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
    /// The command that would settle it.
    #[serde(skip)]
    pub settle: Option<String>,
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
    /// What the work tree's own diff says that the session changed of tests and checks; none where nobody looked.
    pub changed: Option<&'a Change>,
    /// The files that differ from what the session began with, where somebody can see the tree.
    pub touched: &'a [Touched],
}

/// Whether a change of the file at `path` may tell something about a bent check: code, tests, and what sets checks up.
pub fn may_bend(path: &str) -> bool {
    let locked =
        file_world::ending_of(path) == "lock" || path.ends_with("lock.json") || path.ends_with("go.sum");
    !locked && (file_world::is_code(path) || bent_checks::is_settings(path))
}

/// A file that differs from what the session began with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The file.
    pub path: String,
    /// When it was last written.
    pub at: Timestamp,
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
        Self { session, instructions: &[], background: 0, broken: &[], changed: None, touched: &[] }
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

    /// The place of the oldest task that is still open: what the human adds while the agent is at work ends nothing.
    pub fn open_from(&self) -> usize {
        let tasks = &self.session.tasks;
        let worked_on = |turn: &Turn| {
            !turn.aborted
                && turn.failed.is_none()
                && (turn.last_words.is_none() || turn.last_words_after < turn.calls.end)
        };
        let ended = |task: &Task| !task.turns.last().is_some_and(worked_on);
        let earlier = &tasks[..tasks.len().saturating_sub(1)];
        earlier.iter().rposition(ended).map_or(0, |place| place + 1)
    }

    /// The calls that were made since the oldest open task was given.
    pub fn open_calls(&self) -> std::ops::Range<usize> {
        let turn = self.session.tasks.get(self.open_from()).and_then(|task| task.turns.first());
        turn.map_or_else(|| self.task_calls(), |turn| turn.calls.start..self.session.calls.len())
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

/// Detectors of what was executed. They share one reading of the session.
const COURSE_DETECTORS: &[CourseDetector] = &[
    failed_check::detect,
    red_before::detect,
    stale_check::detect,
    masked_check::detect,
    passed_check::detect,
    demanded_check::detect,
    forbidden_act::detect,
    committed_secret::detect,
    forbidden_by_request::detect,
    lost_data::detect,
    weakened_tests::detect,
    bypassed_gate::detect,
    tool_error::detect,
    background::detect,
];

/// A detector of what was said, which may look at what was found before.
type WordDetector = fn(&Situation<'_>, &Reading, &mut Findings);

/// Detectors of what was said, in an order in which later ones may build on earlier ones.
const WORD_DETECTORS: &[WordDetector] = &[
    circumstances::detect,
    admissions::detect,
    left_work::detect,
    sub_agent::detect,
    message::detect,
    asks::detect,
    parts::detect,
    acts_due::detect,
    todos::detect,
    placeholders::detect,
    weakened_security::detect,
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
        self.0.push(Evidence {
            id,
            kind,
            severity,
            place,
            text: one_line(&text.into()),
            about,
            settle: None,
            tries: 0,
        });
    }

    /// Adds a failure that was tried so often in vain.
    fn add_tried(
        &mut self,
        kind: Kind,
        severity: Severity,
        place: Place,
        text: impl Into<String>,
        about: Vec<String>,
        tries: u32,
    ) {
        self.add_about(kind, severity, place, text, about);
        if let Some(newest) = self.0.last_mut() {
            newest.tries = tries;
        }
    }
}

/// What an agent may tell of itself, so that it is worth less.
const TELLABLE: [Kind; 4] =
    [Kind::CheckFailed, Kind::CheckFailedHidden, Kind::TestsWeakened, Kind::GateBypassed];

impl Findings {
    /// What was found, as long as nobody has read what the agent says of it: it may have told it all.
    fn unheard(&self) -> Vec<Evidence> {
        let mut found = self.0.clone();
        for found in found.iter_mut().filter(|found| TELLABLE.contains(&found.kind)) {
            found.severity = found.severity.min(Severity::Medium);
        }
        found
    }

    /// What the agent says itself is worth less than what it hides: a person who is there has read it.
    fn believe(&mut self, reading: &Reading) {
        let (fails, bends) = (reading.speech.tells_of_failing(), claims::tells_of_bending(reading));
        for found in self.0.iter_mut().filter(|found| found.severity == Severity::High) {
            let of_checks = matches!(found.kind, Kind::CheckFailed | Kind::CheckFailedHidden);
            if TELLABLE.contains(&found.kind) && if of_checks { fails } else { bends } {
                found.severity = Severity::Medium;
            }
        }
        // Where a person is needed for the rest, the error was answered by saying so.
        let speech = &reading.speech;
        let held = |place: usize| {
            let needs = speech.holds(place, Concept::Unable) || speech.sentence(place).has("needing");
            speech.holds(place, Concept::HumanAlone) || needs && speech.holds(place, Concept::HumanOnly)
        };
        if speech.places().any(held) {
            let errors = self.0.iter_mut().filter(|found| found.kind == Kind::ToolErrorUnanswered);
            errors.for_each(|found| found.severity = Severity::Low);
        }
    }
}

/// `text` as a bounded line without invisible characters: names of files and tests are other people's words.
fn one_line(text: &str) -> String {
    let invisible = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let visible = text.chars().filter(|c| !invisible(*c)).map(|c| if c.is_control() { ' ' } else { c });
    visible.take(LONGEST).collect()
}

/// What a look at a stop gives: the facts that the detectors find, and the claims that were made, each with its mark.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The facts.
    pub evidence: Vec<Evidence>,
    /// The claims.
    pub claims: Vec<Claim>,
    /// What ran and is not known, and words that were not understood.
    pub unrecognised: Vec<String>,
    /// The shape of the work; none where no code was changed or due.
    pub shape: Option<Shape>,
}

/// Looks at a stop.
pub fn look(situation: &Situation<'_>) -> Found {
    look_telling(situation, &mut |_| ())
}

/// Looks at a stop, and tells what was found so far after each step: whoever waits may have to act on that.
pub fn look_telling(situation: &Situation<'_>, tell: &mut dyn FnMut(&[Evidence])) -> Found {
    let mut findings = Findings::default();
    let course = Course::of(situation);
    for detector in COURSE_DETECTORS.iter().chain(loops::DETECTORS) {
        detector(&course, &mut findings);
        tell(&findings.unheard());
    }
    broken_decisions::detect(situation, &mut findings);
    let reading = Reading::of(situation);
    let claims = claims::claims(&course, &reading, findings.all());
    claims::detect(&claims, &mut findings);
    findings.believe(&reading);
    tell(&findings.0);
    for detector in WORD_DETECTORS {
        detector(situation, &reading, &mut findings);
        tell(&findings.0);
    }
    let unrecognised = claims::unrecognised(&course, &reading);
    let due = findings.0.iter().all(|found| found.kind != Kind::NoCodeDue) && reading.wants_action();
    let shape = Shape::of(&course, due);
    Found { evidence: findings.0, claims, unrecognised, shape }
}

/// Whether a text claims that work is done, or anything that can be held against what ran.
pub fn claims_anything(text: &str) -> bool {
    let speech = Speech::read(text);
    (speech.claims_done() || claims::reads_any(text)) && speech.admits_failing().is_empty()
}

/// Whether a text tells that its work was not checked, and claims no check's result.
pub fn tells_unchecked(text: &str) -> bool {
    let speech = Speech::read(text);
    speech.tells_unchecked() && speech.claims_passing().is_empty()
}

/// The claims of each stop of a session, held against all that the session did: the place of its task, and what was claimed there.
pub fn claims_of_stops(session: &Session) -> Vec<(usize, Vec<Claim>)> {
    let mut all = Vec::new();
    for (place, task) in session.tasks.iter().enumerate() {
        let Some(turn) = task.turns.last().filter(|turn| !turn.aborted && turn.failed.is_none()) else {
            continue;
        };
        let Some(words) = &turn.last_words else { continue };
        if claims::reads_any(&words.text()) {
            let then = session.speaking_at(place);
            all.push((place, look(&Situation::of(&then)).claims));
        }
    }
    all
}

/// Everything that the detectors find.
pub fn gather(situation: &Situation<'_>) -> Vec<Evidence> {
    look(situation).evidence
}
