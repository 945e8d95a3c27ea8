//! From lines and files to rows: what they mean is folded by `hansei-core`, and put into columns here.

use std::borrow::Cow;

use hansei_core::reflection::Reflection;
use hansei_core::report::summary::{self, Noted, Seen, Summary};
use hansei_core::timestamp::Timestamp;
use serde_json::Value;

use crate::lines::{Line, Lines};
use crate::rows::{FileSeen, OutcomeRow, ReflectionRow, StreamName, VerdictRecordRow, VerdictRow};
use crate::words;

/// Turns the lines of one stream into rows, from where its summary stands.
#[derive(Debug)]
pub(crate) struct Projector<'a> {
    pub stream: &'a StreamName,
    pub summary: Summary,
    pub events: Lines,
    pub verdicts: Vec<VerdictRow>,
    pub outcomes: Vec<OutcomeRow>,
}

impl<'a> Projector<'a> {
    pub fn new(stream: &'a StreamName, summary: Summary) -> Self {
        Self { stream, summary, events: Lines::default(), verdicts: Vec::new(), outcomes: Vec::new() }
    }

    /// Takes the next line, without its line feed. Gives its place.
    pub fn take(&mut self, line: &[u8]) -> u64 {
        let Seen { kind, time, noted } = self.summary.apply(line);
        let position = self.summary.lines;
        let time = time.as_deref().map(|time| time.trim_end_matches('Z'));
        match noted {
            Some(Noted::Judged(judged)) => self.verdicts.push(VerdictRow {
                workspace: self.stream.workspace.clone(),
                session: self.stream.name.clone(),
                position,
                time: time.map(ToOwned::to_owned),
                stop: judged.stop,
                task: judged.task,
                complete: judged.complete,
                severity: judged.severity,
                decided_by: judged.decided_by,
                p_complete: judged.p_complete,
                evidence: judged.evidence,
                record: judged.record,
                reflection: judged.reflection,
            }),
            Some(Noted::Outcome(outcome)) => self.outcomes.push(OutcomeRow {
                workspace: self.stream.workspace.clone(),
                stream: self.stream.name.clone(),
                position,
                time: time.map(ToOwned::to_owned),
                subject: outcome.subject,
                session_id: outcome.session_id.unwrap_or_else(|| self.stream.name.clone()),
                verdict: outcome.outcome,
                source: outcome.source,
                why: outcome.why,
                commits: outcome.commits,
            }),
            None => {}
        }
        // PostgreSQL cannot keep this character in a text, so neither database does.
        let kind = kind
            .map(|kind| if kind.contains('\0') { Cow::Owned(kind.replace('\0', "\u{fffd}")) } else { kind });
        self.events.push(Line { position, time, kind: kind.as_deref(), body: line });
        position
    }
}

/// The moment as a text whose order is that of the moments.
pub(crate) fn moment(time: Option<&Timestamp>) -> Option<String> {
    time.map(|time| time.moment().to_owned())
}

/// A file's size, the time of its last change, and its content.
pub(crate) type Content<'a> = (u64, i64, &'a [u8]);

/// A reflection's row, from its file.
pub(crate) fn reflection(workspace: &str, name: &str, (size, modified, body): Content<'_>) -> ReflectionRow {
    let file = file_seen(size, modified, body);
    let base = ReflectionRow {
        workspace: workspace.to_owned(),
        name: name.to_owned(),
        file,
        session_id: String::new(),
        agent: String::new(),
        task_ref: String::new(),
        time: None,
        confidence: None,
        surface: String::new(),
        score: None,
        needs_review: None,
        error: None,
    };
    match Reflection::from_json(body) {
        Ok(reflection) => ReflectionRow {
            session_id: reflection.session_id,
            agent: reflection.agent,
            task_ref: reflection.task_ref,
            time: moment(Some(&reflection.timestamp)),
            confidence: reflection.confidence.map(hansei_core::reflection::UnitInterval::get),
            surface: reflection.risk.surface.name().to_owned(),
            score: Some(reflection.risk.score.get()),
            needs_review: Some(reflection.risk.needs_review),
            ..base
        },
        Err(error) => ReflectionRow { error: Some(error.to_string()), ..base },
    }
}

/// The row of a verdict's record, from its file.
pub(crate) fn verdict_record(
    workspace: &str,
    name: &str,
    (size, modified, body): Content<'_>,
) -> VerdictRecordRow {
    let file = file_seen(size, modified, body);
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |key: &str| value[key].as_str().map(ToOwned::to_owned);
    VerdictRecordRow {
        workspace: workspace.to_owned(),
        name: name.to_owned(),
        file,
        session_id: text("session_id").unwrap_or_default(),
        agent: text("agent").unwrap_or_default(),
        time: moment(text("timestamp").and_then(|time| Timestamp::try_from(time).ok()).as_ref()),
        complete: value["complete"].as_bool(),
        severity: value["verdict"]["severity"].as_str().map(ToOwned::to_owned),
        action: text("action"),
    }
}

fn file_seen(size: u64, modified: i64, body: &[u8]) -> FileSeen {
    let words = serde_json::from_slice(body).map(|value| words::of_json(&value)).unwrap_or_default();
    FileSeen { size, modified, fold: summary::VERSION, body: body.to_vec(), words }
}
