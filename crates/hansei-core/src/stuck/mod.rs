//! Is a session that says nothing any more stuck, and should it be nudged?
//!
//! Silence alone says little: a build runs for minutes, a question waits for its answer, finished work stays finished.
//! What was said and done last decides; how long it has been silent only decides whether to look at all.

mod delivery;
mod nudge_text;
mod second_opinion;
mod waiting;

pub use delivery::{LeftAlone, counted_silence, deliver};

use serde::{Deserialize, Serialize};

use crate::evidence::{Class, Evidence, Kind, Situation, Speech};
use crate::session::Action;
use crate::verdict::{Autonomy, Policy, judge};

/// A session that spoke less than this many seconds ago is never stuck.
pub const TOO_RECENT: u64 = 30;
/// How many seconds an assessment of a session holds.
pub const ASSESSMENT_HOLDS: u64 = 60;
/// A tool that has said nothing for this many seconds is not believed to run any more.
const LOST_TOOL: u64 = 6 * 3600;

/// The outward signs of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Signs {
    /// For how many seconds nothing has happened. Unknown counts as long enough.
    pub idle: Option<u64>,
    /// Whether the last message was finished, where that is known.
    pub finished: Option<bool>,
    /// How many tokens the last message has, where that is known.
    pub output_tokens: Option<u64>,
}

/// Why a session is silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It stopped in the middle of its work.
    GenuinelyStuck,
    /// It asked the human something.
    WaitingForUser,
    /// Something runs.
    Working,
    /// It is done.
    Complete,
}

/// What is thought of a silent session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    /// Whether it is stuck.
    pub stuck: bool,
    /// Why it is silent.
    pub reason: Reason,
    /// How sure this is.
    pub confidence: f64,
    /// Whether a word would help.
    pub should_nudge: bool,
    /// That word; empty where none is due.
    pub nudge_message: String,
}

impl Assessment {
    fn new(reason: Reason, confidence: f64, nudge_message: String) -> Self {
        let stuck = reason == Reason::GenuinelyStuck;
        Self { stuck, reason, confidence, should_nudge: stuck, nudge_message }
    }

    fn quiet(reason: Reason, confidence: f64) -> Self {
        Self::new(reason, confidence, String::new())
    }
}

/// Assesses a silent session by its evidence.
pub fn assess(situation: &Situation<'_>, evidence: &[Evidence], signs: Signs) -> Assessment {
    let assessment = by_what_happened(situation, evidence, signs);
    let recent = signs.idle.is_some_and(|idle| idle < TOO_RECENT);
    if recent && assessment.stuck { Assessment::quiet(Reason::Working, 0.9) } else { assessment }
}

fn by_what_happened(situation: &Situation<'_>, evidence: &[Evidence], signs: Signs) -> Assessment {
    let has = |kinds: &[Kind]| evidence.iter().find(|found| kinds.contains(&found.kind));
    let words = situation.last_words();
    let speech = Speech::read(&words);
    let running = situation.session.calls.iter().rev().take(8).find(|call| call.end.is_none());
    if let Some(call) = running {
        return match &call.action {
            Action::Ask { .. } | Action::Plan => Assessment::quiet(Reason::WaitingForUser, 0.97),
            _ if signs.idle.is_some_and(|idle| idle > LOST_TOOL) => {
                let message = "Your last tool call never came back. Check what became of it, and go on.";
                Assessment::new(Reason::GenuinelyStuck, 0.6, message.to_owned())
            }
            _ => Assessment::quiet(Reason::Working, 0.95),
        };
    }
    if waiting::for_provider(situation, &words) {
        return Assessment::quiet(Reason::Working, 0.85);
    }
    let stuck = |confidence: f64| {
        Assessment::new(Reason::GenuinelyStuck, confidence, nudge_text::of(situation, evidence))
    };
    if evidence.iter().any(|found| found.kind.class() == Class::Loop) || waiting::repeats_itself(&speech) {
        return stuck(0.9);
    }
    if speech.is_empty() {
        return stuck(if signs.output_tokens.unwrap_or_default() == 0 { 0.95 } else { 0.8 });
    }
    if has(&[Kind::MessageCutOff]).is_some() {
        return stuck(0.9);
    }
    let asks_last = speech.last(1).first().is_some_and(|place| speech.sentence(*place).asks);
    let left = has(&[Kind::WorkAnnounced, Kind::WorkRemaining]).is_some() && !asks_last;
    if has(&[Kind::QuestionAsked, Kind::HumanOnly, Kind::PermissionSought]).is_some()
        || !left && (has(&[Kind::Delegated]).is_some() || waiting::for_human(&speech))
    {
        // A message that was never finished asks with its last sentence or not at all.
        if asks_last || signs.finished != Some(false) {
            return Assessment::quiet(Reason::WaitingForUser, 0.9);
        }
    }
    if signs.finished == Some(false) {
        return stuck(0.85);
    }
    if has(&[Kind::BackgroundRunning]).is_some() {
        return Assessment::quiet(Reason::Working, 0.8);
    }
    if has(OPEN).is_some() {
        return stuck(0.85);
    }
    let policy = Policy { attended: false, autonomy: Autonomy::Auto };
    let complete = judge(situation, evidence, policy).verdict.complete;
    Assessment::quiet(Reason::Complete, if complete { 0.9 } else { 0.6 })
}

/// What says that the agent itself does not take its work for finished.
const OPEN: &[Kind] = &[
    Kind::WorkAnnounced,
    Kind::WorkRemaining,
    Kind::PlanOnly,
    Kind::MessageEmpty,
    Kind::OpenTodos,
    Kind::FailureAdmitted,
    Kind::CheckFailed,
    Kind::CheckFailedHidden,
    Kind::ToolErrorUnanswered,
    Kind::NothingDone,
];
