//! The ledger of claims: what the agent's last words say, taken one by one, and how each stands against what happened.
//!
//! `read` finds the claims, `hold` marks them. The verdict, the feedback, the receipt and the pages are views of this list.

mod acts;
mod grounded;
mod hold;
#[cfg(test)]
mod mark_cases;
mod read;
mod results;
mod said;
#[cfg(test)]
mod tests;
mod vocabulary;
mod world;

use serde::{Deserialize, Serialize};

use super::citation::quoted;
use super::course::Course;
use super::reading::{Reading, may_show};
use super::test_text::found;
use super::{Evidence, Findings, Kind, Place, Speech};
use crate::prose;
use crate::prose::words::CODE;
use crate::session::Action;
use crate::verdict::Severity;

/// A claim, and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The sentence that makes it.
    pub quote: String,
    /// What it is about.
    pub kind: ClaimKind,
    /// How it stands.
    pub mark: Mark,
    /// Why, in words that follow "but" or "because".
    pub because: String,
    /// What happened that says so.
    #[serde(rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The command that would settle it, or the sentence to correct.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settle: Option<String>,
    /// What fails, by name.
    #[serde(skip)]
    pub about: Vec<String>,
    /// Whether what shows it is older than an edit that it covers.
    #[serde(skip)]
    pub is_stale: bool,
    /// How much it matters.
    #[serde(skip)]
    severity: Severity,
}

impl Claim {
    fn of(quote: &str, kind: ClaimKind, found: Finding) -> Self {
        Self {
            quote: short(quote),
            kind,
            mark: found.mark,
            because: found.because,
            places: found.place.into_iter().collect(),
            settle: found.settle,
            about: found.about,
            is_stale: found.is_stale,
            severity: found.severity,
        }
    }
}

/// A quotation in bounded room.
fn short(text: &str) -> String {
    let cut: String = text.chars().take(280).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ClaimKind {
    Tests,
    Build,
    Lint,
    Types,
    Format,
    /// A named command ran, or passes.
    Command,
    /// Checks on another machine.
    Ci,
    /// A fault is gone, or something works.
    Fixed,
    /// Something was run or verified.
    Ran,
    Created,
    Changed,
    Removed,
    /// Nothing else was touched.
    Only,
    /// Committed, pushed, clean, matches.
    Git,
    PullRequest,
    Deploy,
    Publish,
    Install,
    Count,
    Coverage,
}

/// How a claim stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// What happened shows it.
    Supported,
    /// The evidence lies where it cannot be looked at.
    Unverifiable,
    /// Nothing shows it, or what shows it is narrower, older or hidden.
    Unsupported,
    /// What happened says otherwise.
    Contradicted,
}

/// What people see of all the claims of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// Every claim is supported.
    Verified,
    /// At least one is contradicted.
    Contradicted,
    /// The rest.
    Unproven,
}

impl Proof {
    /// What `claims` come to; `None` where nothing is claimed.
    pub fn of(claims: &[Claim]) -> Option<Self> {
        let worst = claims.iter().map(|claim| claim.mark).max()?;
        Some(match worst {
            Mark::Supported => Self::Verified,
            Mark::Contradicted => Self::Contradicted,
            Mark::Unverifiable | Mark::Unsupported => Self::Unproven,
        })
    }
}

/// A claim as it was made, before it is held against anything.
#[derive(Debug, Clone)]
struct Said {
    quote: String,
    kind: ClaimKind,
    scope: Scope,
    /// The number that it states.
    number: Option<u64>,
    /// Whether it says that a run or an act took place, and not only how things are.
    happened: bool,
    /// The very act, for claims about git: committed, pushed, clean.
    act: String,
}

impl Said {
    /// The place of the verb in the sentence; behind its end where there is none.
    fn verb(&self) -> usize {
        let words = &self.scope.words;
        words.iter().position(|word| *word == self.act).unwrap_or(words.len())
    }

    /// "I added it", "Added it": what the agent says that it did itself.
    fn is_own_act(&self) -> bool {
        let words = &self.scope.words;
        let own = |word: &String| vocabulary::is(word, "speaker") || vocabulary::is(word, "helpers");
        self.happened && self.verb() < words.len() && words[..self.verb()].iter().all(own)
    }
}

/// How much a claim covers.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools, reason = "what a claim says of how much it covers")]
struct Scope {
    /// "All", "the full suite".
    whole: bool,
    /// "The full suite", "across all packages": said as such, not as "all" that just ran.
    expressly: bool,
    /// "Both", "these", "the new ones", "all but".
    bounded: bool,
    /// "8 of 9".
    partial: bool,
    /// The words of the sentence.
    words: Vec<String>,
    /// The code in it: commands, files, names.
    code: Vec<String>,
}

/// How a claim stands, and why.
#[derive(Debug, Clone)]
struct Finding {
    mark: Mark,
    because: String,
    place: Option<Place>,
    settle: Option<String>,
    about: Vec<String>,
    is_stale: bool,
    severity: Severity,
}

impl Finding {
    fn new(mark: Mark, because: impl Into<String>) -> Self {
        let severity = if mark >= Mark::Unsupported { Severity::High } else { Severity::None };
        Self {
            mark,
            because: because.into(),
            place: None,
            settle: None,
            about: Vec::new(),
            is_stale: false,
            severity,
        }
    }

    /// What shows it is narrower than the claim, or hidden: noted, and no reason to send anybody back.
    fn weak(mut self) -> Self {
        self.severity = Severity::Medium;
        self
    }

    /// It only was not shown, as most work is not.
    fn slight(mut self) -> Self {
        self.severity = Severity::Low;
        self
    }

    fn at(mut self, call: usize) -> Self {
        self.place = Some(Place::Call(call));
        self
    }

    fn settled_by(mut self, command: &str) -> Self {
        self.settle = Some(command.to_owned());
        self
    }
}

/// The claims of the last words, each with its mark.
pub(super) fn claims(course: &Course<'_>, reading: &Reading, found: &[Evidence]) -> Vec<Claim> {
    let world = world::World::of(course, reading, found);
    // Who was to change something and says "Fixed." tells of it, whatever was changed.
    let worked = world.edited || world.acted() || reading.wants_action() && reading.speech.understood;
    let mut claims: Vec<Claim> = Vec::new();
    for said in read::read(&reading.speech, worked) {
        let claim = Claim::of(&said.quote, said.kind, hold::hold(&said, &world));
        if !claims.iter().any(|known| {
            known.quote == claim.quote && known.kind == claim.kind && known.because == claim.because
        }) {
            claims.push(claim);
        }
    }
    let more = grounded::claims(&reading.speech, &world, &claims);
    claims.extend(more);
    claims.extend(untrue_before(&world, worked));
    claims
}

/// What the turn's earlier words say was done and was not. What they say of a check's result was of that moment.
fn untrue_before(world: &world::World<'_, '_>, worked: bool) -> Vec<Claim> {
    let words = world.course.situation.turn().map(|turn| turn.words.as_slice()).unwrap_or_default();
    let earlier = words.split_last().map(|(_, earlier)| earlier).unwrap_or_default();
    let is_act = |said: &Said| {
        use ClaimKind::{Changed, Created, Deploy, Git, Install, Publish, PullRequest, Ran, Removed};
        let acts = [Changed, Created, Deploy, Git, Install, Publish, PullRequest, Ran, Removed];
        said.is_own_act() && acts.contains(&said.kind)
    };
    let mut untrue: Vec<Claim> = Vec::new();
    for text in earlier {
        let speech = Speech::read(&text.text.text());
        for said in read::read(&speech, worked).into_iter().filter(is_act) {
            let claim = Claim::of(&said.quote, said.kind, hold::hold(&said, world));
            if claim.mark == Mark::Contradicted && !untrue.contains(&claim) {
                untrue.push(claim);
            }
        }
    }
    untrue
}

/// What the claims that do not stand are as evidence: of each mark the first of each place.
pub(super) fn detect(claims: &[Claim], findings: &mut Findings) {
    for (mark, kind) in
        [(Mark::Contradicted, Kind::ClaimContradicted), (Mark::Unsupported, Kind::ClaimUnsupported)]
    {
        let mut told: Vec<(&str, &[Place])> = Vec::new();
        for claim in claims.iter().filter(|claim| claim.mark == mark) {
            let key = (claim.because.as_str(), claim.places.as_slice());
            if told.len() == 3 || told.contains(&key) {
                continue;
            }
            told.push(key);
            let place = claim.places.first().copied().unwrap_or(Place::LastWords);
            let text = format!("you said “{}”, but {}", claim.quote, claim.because);
            findings.add_about(kind, claim.severity, place, text, claim.about.clone());
            if let Some(newest) = findings.0.last_mut() {
                newest.settle.clone_from(&claim.settle);
            }
        }
    }
}

/// Whether a text makes any claim at all.
pub(super) fn reads_any(text: &str) -> bool {
    !read::read(&super::Speech::read(text), true).is_empty()
}

/// The most commands that are named as not known.
const MOST_UNKNOWN: usize = 5;

/// What ran for this task and is known neither as a check nor as a look, and whether the words could be read.
pub(super) fn unrecognised(course: &Course<'_>, reading: &Reading) -> Vec<String> {
    let mut unknown: Vec<String> = Vec::new();
    if !reading.speech.understood {
        unknown.push("the last words are in a language that is not read".to_owned());
    }
    let session = course.situation.session;
    for at in course.situation.task_calls().rev() {
        let call = &session.calls[at];
        let name = match &call.action {
            Action::Run { command, .. } if call.checks.is_empty() && may_show(command) => quoted(command),
            Action::Other => quoted(&call.tool),
            Action::Delegate { .. } => "a sub-agent's work".to_owned(),
            _ => continue,
        };
        if unknown.len() == MOST_UNKNOWN {
            break;
        }
        if !unknown.contains(&name) {
            unknown.push(name);
        }
    }
    unknown
}

/// Whether the words tell that a check was switched off, left out or made weaker.
pub(super) fn tells_of_bending(reading: &Reading) -> bool {
    reading.speech.prose.sentences.iter().any(|sentence| {
        let words = &sentence.words;
        let bends = |at: &usize| vocabulary::has(&words[*at..=*at], "bends");
        let denied =
            |at: usize| words[at.saturating_sub(3)..at].iter().any(|word| prose::is(word, "negates"));
        let mut codes = (0..words.len()).filter(|at| words[*at] == CODE).zip(&sentence.code);
        (0..words.len()).filter(bends).any(|at| !denied(at))
            || codes
                .any(|(at, code)| found("told: marks in code", &code.to_lowercase()).is_some() && !denied(at))
    })
}
