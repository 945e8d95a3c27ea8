//! What the index keeps of one log: a fold over its lines that can be put aside and taken up again.
//!
//! A line is read only as far as it is counted. Kinds that this version does not know are counted as lines and kept by
//! whoever keeps them; a line that is no event is counted as malformed.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::timestamp::is_moment;

/// The version of this fold: what was folded by an older one is folded again.
pub const VERSION: u32 = 1;

const SIDECAR_ENDING: &str = ".reflection.json";

/// What is known of a log so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// How many lines it has.
    pub lines: u64,
    /// How many of them are no events.
    pub malformed: u64,
    /// When the first event was written, as a moment in UTC.
    pub first: Option<String>,
    /// When the last event was written, as a moment in UTC.
    pub last: Option<String>,
    /// How often a human asked for something.
    pub tasks: u64,
    /// How many reflections were captured.
    pub captures: u64,
    /// How many captures failed.
    pub failed_captures: u64,
    /// How many stops were judged.
    pub judged: u64,
    /// How often the agent was sent back.
    pub sent_back: u64,
    /// How often it was let go.
    pub let_go: u64,
    /// How many stops nobody looked at.
    pub skipped: u64,
    /// How often it was nudged.
    pub nudged: u64,
    /// How many outcomes were recorded.
    pub outcomes: u64,
    /// Whether the task was complete at the newest judged stop.
    pub complete: Option<bool>,
    /// The severity at the newest judged stop.
    pub severity: Option<String>,
    /// How the newest stop stands at which the agent was let go.
    pub standing: Option<String>,
    /// The newest reflection.
    pub reflection: Option<String>,
    /// What is known of the run, if the log is a run's.
    pub run: Option<RunSummary>,
}

/// What is known of a run from the kinds of its events alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSummary {
    /// The kind of its newest event.
    pub last_kind: String,
    /// How it ended.
    pub ending: Option<String>,
}

/// A line, as far as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen<'a> {
    /// Its kind; none for what is no event.
    pub kind: Option<Cow<'a, str>>,
    /// When it was written, as a moment in UTC.
    pub time: Option<Cow<'a, str>>,
    /// What is worth a row of its own.
    pub noted: Option<Noted>,
}

/// What is worth a row of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Noted {
    /// A stop was judged.
    Judged(JudgedStop),
    /// It turned out whether something was right.
    Outcome(OutcomeSeen),
}

/// A judged stop, as a log of any version tells it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct JudgedStop {
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
    /// The reflection of the same stop: the newest before it.
    #[serde(skip)]
    pub reflection: Option<String>,
}

/// An outcome, as a log of any version tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OutcomeSeen {
    /// The session or the reflection that it is about.
    pub subject: String,
    /// The session, where the event names it.
    pub session_id: Option<String>,
    /// `correct` or `wrong`.
    pub outcome: String,
    /// Who or what found out.
    pub source: String,
    /// Why, in words.
    pub why: Option<String>,
    /// The commits that show it.
    pub commits: Vec<String>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    time: Option<Cow<'a, str>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Details {
    sidecar: Option<String>,
    standing: Option<String>,
    ending: Option<String>,
}

impl Summary {
    /// Takes one more line, without its line feed.
    pub fn apply<'a>(&mut self, line: &'a [u8]) -> Seen<'a> {
        self.lines += 1;
        let Some(head) = head(line) else {
            self.malformed += 1;
            return Seen { kind: None, time: None, noted: None };
        };
        let time = head.time.filter(|time| is_moment(time));
        if let Some(time) = &time {
            if self.first.is_none() {
                self.first = Some(time.clone().into_owned());
            }
            // Every line comes by here, so the text before is written over.
            time.as_ref().clone_into(self.last.get_or_insert_default());
        }
        let noted = self.count(&head.kind, line);
        Seen { kind: Some(head.kind), time, noted }
    }

    fn count(&mut self, kind: &str, line: &[u8]) -> Option<Noted> {
        match kind {
            "task_started" => self.tasks += 1,
            "captured" => {
                self.captures += 1;
                self.reflection = details(line).sidecar.map(|name| reflection_id(&name).to_owned());
            }
            "capture_failed" => self.failed_captures += 1,
            "judged" => {
                let mut judged: JudgedStop = serde_json::from_slice(line).ok()?;
                judged.reflection.clone_from(&self.reflection);
                self.judged += 1;
                self.complete = Some(judged.complete);
                self.severity = Some(judged.severity.clone());
                return Some(Noted::Judged(judged));
            }
            "sent_back" => self.sent_back += 1,
            "let_go" => {
                self.let_go += 1;
                self.standing = details(line).standing;
            }
            "skipped" => self.skipped += 1,
            "nudged" => self.nudged += 1,
            "outcome" => {
                let outcome = serde_json::from_slice(line).ok()?;
                self.outcomes += 1;
                return Some(Noted::Outcome(outcome));
            }
            _ if kind.starts_with("run_") => {
                let ending = details(line).ending;
                let run = self.run.get_or_insert_default();
                kind.clone_into(&mut run.last_kind);
                run.ending = ending.or(run.ending.take());
            }
            _ => {}
        }
        None
    }
}

/// The id of a reflection from its file name.
pub fn reflection_id(file_name: &str) -> &str {
    file_name.strip_suffix(SIDECAR_ENDING).unwrap_or(file_name)
}

fn head(line: &[u8]) -> Option<Head<'_>> {
    // By itself serde also takes an array of the fields in order.
    if line.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return None;
    }
    serde_json::from_slice(line).ok()
}

fn details(line: &[u8]) -> Details {
    serde_json::from_slice(line).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &[&str] = &[
        r#"{"v":1,"seq":1,"time":"2026-11-15T10:40:00Z","kind":"task_started"}"#,
        r#"{"v":1,"seq":2,"time":"2026-11-15T10:40:01Z","kind":"captured","sidecar":"s-1.reflection.json"}"#,
        r#"{"v":1,"seq":3,"time":"2026-11-15T10:40:02Z","kind":"judged","stop":"x","task":"m","epoch":0,"complete":false,"severity":"HIGH","decided_by":"executed","p_complete":0.25,"evidence":["of_the_future"]}"#,
        r#"{"v":1,"seq":4,"time":"2026-11-15T10:40:03Z","kind":"let_go","stop":"x","task":"m","epoch":0,"why":"w","standing":"parked"}"#,
        r#"{"v":9,"seq":5,"time":"later","kind":"dreamt","of":["sheep"]}"#,
        r#"{"v":1,"seq":6,"ti"#,
        r#"["judged"]"#,
        r#"{"v":1,"seq":8,"time":"2026-11-15T10:40:09Z","kind":"outcome","subject":"s-1","outcome":"wrong","source":"revert","commits":["ab"]}"#,
    ];

    #[test]
    fn a_log_is_counted_and_what_deserves_a_row_is_noted() {
        let mut summary = Summary::default();
        let noted: Vec<Noted> = LOG.iter().filter_map(|line| summary.apply(line.as_bytes()).noted).collect();
        assert_eq!((summary.lines, summary.malformed, summary.tasks, summary.captures), (8, 2, 1, 1));
        assert_eq!((summary.judged, summary.let_go, summary.outcomes), (1, 1, 1));
        assert_eq!((summary.complete, summary.severity.as_deref()), (Some(false), Some("HIGH")));
        assert_eq!(summary.standing.as_deref(), Some("parked"));
        assert_eq!(summary.last.as_deref(), Some("2026-11-15T10:40:09Z"));
        let [Noted::Judged(judged), Noted::Outcome(outcome)] = noted.as_slice() else { panic!("{noted:?}") };
        assert_eq!(judged.reflection.as_deref(), Some("s-1"));
        assert_eq!(judged.evidence, ["of_the_future"]);
        assert_eq!((outcome.outcome.as_str(), outcome.commits.len()), ("wrong", 1));
    }

    #[test]
    fn it_can_be_put_aside_after_any_line() {
        let mut whole = Summary::default();
        for line in LOG {
            whole.apply(line.as_bytes());
        }
        for cut in 0..LOG.len() {
            let mut first = Summary::default();
            for line in &LOG[..cut] {
                first.apply(line.as_bytes());
            }
            let kept = serde_json::to_string(&first).unwrap();
            let mut second: Summary = serde_json::from_str(&kept).unwrap();
            for line in &LOG[cut..] {
                second.apply(line.as_bytes());
            }
            assert_eq!(second, whole, "{cut}");
        }
    }

    #[test]
    fn a_run_is_known_by_the_kinds_of_its_events() {
        let mut summary = Summary::default();
        for line in [
            r#"{"kind":"run_started"}"#,
            r#"{"kind":"run_ended","ending":"complete"}"#,
            r#"{"kind":"run_noted"}"#,
        ] {
            summary.apply(line.as_bytes());
        }
        let run = summary.run.unwrap();
        assert_eq!((run.last_kind.as_str(), run.ending.as_deref()), ("run_noted", Some("complete")));
    }
}
