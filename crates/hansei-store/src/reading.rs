//! Questions to the store, the same for every database.

use std::collections::BTreeMap;

use hansei_core::report::summary::Summary;

use crate::fault::{Fault, FaultKind};
use crate::rows::{
    EventRow, FileSeen, OutcomeRow, ReflectionRow, RunRow, SessionRow, Source, StreamHead, StreamName,
    VerdictRecordRow, VerdictRow,
};
use crate::sql::{Dialect, Row, Sql, Value, places};
use crate::store::{Counts, Filter, FoundReflection, Judged, Known};
use crate::words;
use crate::writing::HEAD;

/// A stream's head, from the columns of [`HEAD`].
pub(crate) fn head(row: &mut Row) -> Result<StreamHead, Fault> {
    let source = if row.text() == "file" { Source::File } else { Source::Store };
    let (bytes, size, modified, mark) = (row.count(), row.count(), row.int(), row.text());
    let fold = u32::try_from(row.int()).unwrap_or_default();
    Ok(StreamHead { source, bytes, size, modified, mark, fold, summary: summary(&row.text())? })
}

fn summary(text: &str) -> Result<Summary, Fault> {
    serde_json::from_str(text).map_err(|error| Fault::new(FaultKind::Damaged, error))
}

fn list(text: &str) -> Result<Vec<String>, Fault> {
    serde_json::from_str(text).map_err(|error| Fault::new(FaultKind::Damaged, error))
}

pub(crate) fn streams(sql: &mut dyn Sql, workspace: &str) -> Result<BTreeMap<String, StreamHead>, Fault> {
    let rows =
        sql.rows(&format!("SELECT name, {HEAD} FROM streams WHERE workspace = ?1"), &[workspace.into()])?;
    rows.into_iter().map(|mut row| Ok((row.text(), head(&mut row)?))).collect()
}

pub(crate) fn events(
    sql: &mut dyn Sql,
    stream: &StreamName,
    after: u64,
    most: u64,
) -> Result<Vec<EventRow>, Fault> {
    let values = [(&stream.workspace).into(), (&stream.name).into()];
    let found = sql.row("SELECT id FROM streams WHERE workspace = ?1 AND name = ?2", &values)?;
    let Some(id) = found.map(|mut row| row.int()) else { return Ok(Vec::new()) };
    events_of(sql, id, after, most)
}

pub(crate) fn events_of(sql: &mut dyn Sql, id: i64, after: u64, most: u64) -> Result<Vec<EventRow>, Fault> {
    let (from, to) = places(id);
    let after = from.saturating_add(i64::try_from(after).unwrap_or(i64::MAX));
    let statement = "SELECT id, time, kind, body FROM events WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT ?3";
    let rows = sql.rows(statement, &[after.into(), to.into(), most.into()])?;
    let event = |mut row: Row| EventRow {
        position: u64::try_from(row.int() - from).unwrap_or_default(),
        time: row.optional_text(),
        kind: row.optional_text(),
        body: row.bytes(),
    };
    Ok(rows.into_iter().map(event).collect())
}

/// Files of a workspace that were read before. `table` is one of ours.
pub(crate) fn known(
    sql: &mut dyn Sql,
    table: &str,
    workspace: &str,
) -> Result<BTreeMap<String, Known>, Fault> {
    let statement = format!("SELECT name, size, modified, fold FROM {table} WHERE workspace = ?1");
    let rows = sql.rows(&statement, &[workspace.into()])?;
    let one =
        |mut row: Row| (row.text(), (row.count(), row.int(), u32::try_from(row.int()).unwrap_or_default()));
    Ok(rows.into_iter().map(one).collect())
}

/// The conditions of a question, with their values.
#[derive(Default)]
struct Conditions<'a> {
    all: Vec<String>,
    values: Vec<Value<'a>>,
}

impl<'a> Conditions<'a> {
    fn value(&mut self, value: impl Into<Value<'a>>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    /// `condition`, with the value's number in the place of `?`.
    fn with(&mut self, condition: &str, value: impl Into<Value<'a>>) {
        let number = self.value(value);
        self.all.push(condition.replace('?', &number));
    }

    fn workspaces(&mut self, column: &str, workspaces: &'a [String]) {
        if !workspaces.is_empty() {
            let numbers: Vec<String> = workspaces.iter().map(|workspace| self.value(workspace)).collect();
            self.all.push(format!("{column} IN ({})", numbers.join(", ")));
        }
    }

    fn judged(&mut self, column: &str, judged: Option<Judged>) {
        self.all.extend(judged.map(|judged| match judged {
            Judged::Complete => format!("{column} = 1"),
            Judged::Incomplete => format!("{column} = 0"),
            Judged::Never => format!("{column} IS NULL"),
        }));
    }

    fn clause(&self) -> String {
        if self.all.is_empty() { String::new() } else { format!(" WHERE {}", self.all.join(" AND ")) }
    }

    fn limit(&mut self, limit: Option<u64>) -> String {
        limit.map_or_else(String::new, |limit| format!(" LIMIT {}", self.value(limit)))
    }
}

/// Words as the database's own search wants them; none where there is no word.
fn search(dialect: Dialect, text: &str) -> Option<String> {
    let words: Vec<String> = words::of_text(text)
        .map(|word| match dialect {
            Dialect::Sqlite => format!("\"{word}\"*"),
            Dialect::Postgres => format!("'{word}':*"),
        })
        .collect();
    let between = match dialect {
        Dialect::Sqlite => " ",
        Dialect::Postgres => " & ",
    };
    (!words.is_empty()).then(|| words.join(between))
}

/// The condition that a row of `table`, called `row` here, has the words numbered `number`.
fn matches(dialect: Dialect, table: &str, row: &str, number: &str) -> String {
    match dialect {
        Dialect::Sqlite => {
            format!("{row}.id IN (SELECT rowid FROM {table}_search WHERE {table}_search MATCH {number})")
        }
        Dialect::Postgres => format!("{row}.search @@ CAST(CAST({number} AS TEXT) AS tsquery)"),
    }
}

pub(crate) fn sessions(sql: &mut dyn Sql, filter: &Filter) -> Result<Vec<SessionRow>, Fault> {
    let agent = |table: &str| {
        format!(
            "(SELECT a.agent FROM {table} a WHERE a.workspace = s.workspace AND a.session = s.session AND a.agent <> '' \
             ORDER BY COALESCE(a.time, '') DESC, a.name DESC LIMIT 1)"
        )
    };
    let agent = format!("COALESCE({}, {})", agent("reflections"), agent("verdict_records"));
    let mut conditions = Conditions::default();
    conditions.workspaces("s.workspace", &filter.workspaces);
    if let Some(session) = &filter.session {
        conditions.with("s.session = ?", session);
    }
    if let Some(name) = &filter.agent {
        conditions.with(&format!("{agent} = ?"), name);
    }
    if let Some(since) = &filter.since {
        conditions.with("s.last_time >= ?", since.moment());
    }
    conditions.judged("s.complete", filter.verdict);
    let clause = conditions.clause();
    let limit = conditions.limit(filter.limit);
    let statement = format!(
        "SELECT s.workspace, s.session, {agent}, s.summary FROM sessions s{clause} \
         ORDER BY COALESCE(s.last_time, '') DESC, s.workspace, s.session{limit}"
    );
    let rows = sql.rows(&statement, &conditions.values)?;
    let session = |mut row: Row| {
        Ok(SessionRow {
            workspace: row.text(),
            session: row.text(),
            agent: row.optional_text(),
            summary: summary(&row.text())?,
        })
    };
    rows.into_iter().map(session).collect()
}

pub(crate) fn runs(sql: &mut dyn Sql, filter: &Filter) -> Result<Vec<RunRow>, Fault> {
    let mut conditions = Conditions::default();
    conditions.workspaces("workspace", &filter.workspaces);
    if let Some(since) = &filter.since {
        conditions.with("last_time >= ?", since.moment());
    }
    let clause = conditions.clause();
    let limit = conditions.limit(filter.limit);
    let statement = format!(
        "SELECT workspace, run, summary FROM runs{clause} ORDER BY COALESCE(last_time, '') DESC, workspace, run{limit}"
    );
    let rows = sql.rows(&statement, &conditions.values)?;
    let run =
        |mut row: Row| Ok(RunRow { workspace: row.text(), run: row.text(), summary: summary(&row.text())? });
    rows.into_iter().map(run).collect()
}

const FILE: &str = "size, modified, fold, body, words";

fn file(row: &mut Row) -> FileSeen {
    FileSeen {
        size: row.count(),
        modified: row.int(),
        fold: u32::try_from(row.int()).unwrap_or_default(),
        body: row.bytes(),
        words: row.text(),
    }
}

fn of_table(table: &str, columns: &str) -> String {
    columns.split(", ").map(|column| format!("{table}.{column}")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn reflections(sql: &mut dyn Sql, filter: &Filter) -> Result<Vec<FoundReflection>, Fault> {
    let mut conditions = Conditions::default();
    conditions.workspaces("r.workspace", &filter.workspaces);
    if let Some(session) = &filter.session {
        conditions.with("r.session = ?", session);
    }
    if let Some(agent) = &filter.agent {
        conditions.with("r.agent = ?", agent);
    }
    if let Some(surface) = &filter.surface {
        conditions.with("r.surface = ?", surface);
    }
    if let Some(since) = &filter.since {
        conditions.with("r.time >= ?", since.moment());
    }
    conditions.judged("v.complete", filter.verdict);
    if let Some(text) = &filter.search {
        let dialect = sql.dialect();
        let condition = search(dialect, text).map(|words| {
            let number = conditions.value(Value::Text(words.into()));
            format!(
                "({} OR EXISTS (SELECT 1 FROM verdict_records d WHERE d.workspace = r.workspace AND d.name = v.record \
                 AND {}))",
                matches(dialect, "reflections", "r", &number),
                matches(dialect, "verdict_records", "d", &number)
            )
        });
        conditions.all.push(condition.unwrap_or_else(|| "1 = 0".to_owned()));
    }
    let clause = conditions.clause();
    let limit = conditions.limit(filter.limit);
    let own = "session_id, agent, task_ref, time, confidence, surface, score, needs_review, error";
    let statement = format!(
        "SELECT r.workspace, r.name, {}, {}, v.complete, v.severity FROM reflections r LEFT JOIN verdicts v ON v.id = \
         (SELECT MAX(x.id) FROM verdicts x WHERE x.workspace = r.workspace AND x.reflection = r.name){clause} \
         ORDER BY COALESCE(r.time, '') DESC, r.name DESC, r.workspace{limit}",
        of_table("r", FILE),
        of_table("r", own)
    );
    let rows = sql.rows(&statement, &conditions.values)?;
    let found = |mut row: Row| FoundReflection {
        reflection: ReflectionRow {
            workspace: row.text(),
            name: row.text(),
            file: file(&mut row),
            session_id: row.text(),
            agent: row.text(),
            task_ref: row.text(),
            time: row.optional_text(),
            confidence: row.optional_real(),
            surface: row.text(),
            score: row.optional_real(),
            needs_review: row.optional_bool(),
            error: row.optional_text(),
        },
        complete: row.optional_bool(),
        severity: row.optional_text(),
    };
    Ok(rows.into_iter().map(found).collect())
}

pub(crate) fn verdicts(sql: &mut dyn Sql, filter: &Filter) -> Result<Vec<VerdictRow>, Fault> {
    let mut conditions = Conditions::default();
    conditions.workspaces("v.workspace", &filter.workspaces);
    if let Some(session) = &filter.session {
        conditions.with("v.session = ?", session);
    }
    if let Some(agent) = &filter.agent {
        conditions.with("d.agent = ?", agent);
    }
    if let Some(since) = &filter.since {
        conditions.with("v.time >= ?", since.moment());
    }
    conditions.judged("v.complete", filter.verdict);
    if let Some(text) = &filter.search {
        let dialect = sql.dialect();
        let condition = search(dialect, text).map(|words| {
            let number = conditions.value(Value::Text(words.into()));
            matches(dialect, "verdict_records", "d", &number)
        });
        conditions.all.push(condition.unwrap_or_else(|| "1 = 0".to_owned()));
    }
    let clause = conditions.clause();
    let limit = conditions.limit(filter.limit);
    let statement = format!(
        "SELECT v.id, v.workspace, v.session, v.time, v.stop, v.task, v.complete, v.severity, v.decided_by, \
         v.p_complete, v.evidence, v.record, v.reflection FROM verdicts v LEFT JOIN verdict_records d \
         ON d.workspace = v.workspace AND d.name = v.record{clause} \
         ORDER BY COALESCE(v.time, '') DESC, v.workspace, v.session, v.id DESC{limit}"
    );
    let rows = sql.rows(&statement, &conditions.values)?;
    let verdict = |mut row: Row| {
        Ok(VerdictRow {
            position: position(row.int()),
            workspace: row.text(),
            session: row.text(),
            time: row.optional_text(),
            stop: row.text(),
            task: row.text(),
            complete: row.optional_bool() == Some(true),
            severity: row.text(),
            decided_by: row.text(),
            p_complete: row.optional_real(),
            evidence: list(&row.text())?,
            record: row.optional_text(),
            reflection: row.optional_text(),
        })
    };
    rows.into_iter().map(verdict).collect()
}

fn position(place: i64) -> u64 {
    u64::try_from(place & 0xffff_ffff).unwrap_or_default()
}

pub(crate) fn verdict_records(sql: &mut dyn Sql, filter: &Filter) -> Result<Vec<VerdictRecordRow>, Fault> {
    let mut conditions = Conditions::default();
    conditions.workspaces("d.workspace", &filter.workspaces);
    if let Some(session) = &filter.session {
        conditions.with("d.session = ?", session);
    }
    if let Some(agent) = &filter.agent {
        conditions.with("d.agent = ?", agent);
    }
    if let Some(since) = &filter.since {
        conditions.with("d.time >= ?", since.moment());
    }
    conditions.judged("d.complete", filter.verdict);
    if let Some(text) = &filter.search {
        let dialect = sql.dialect();
        let condition = search(dialect, text).map(|words| {
            let number = conditions.value(Value::Text(words.into()));
            matches(dialect, "verdict_records", "d", &number)
        });
        conditions.all.push(condition.unwrap_or_else(|| "1 = 0".to_owned()));
    }
    let clause = conditions.clause();
    let limit = conditions.limit(filter.limit);
    let statement = format!(
        "SELECT d.workspace, d.name, {}, d.session_id, d.agent, d.time, d.complete, d.severity, d.action \
         FROM verdict_records d{clause} ORDER BY COALESCE(d.time, '') DESC, d.name DESC, d.workspace{limit}",
        of_table("d", FILE)
    );
    let rows = sql.rows(&statement, &conditions.values)?;
    let record = |mut row: Row| VerdictRecordRow {
        workspace: row.text(),
        name: row.text(),
        file: file(&mut row),
        session_id: row.text(),
        agent: row.text(),
        time: row.optional_text(),
        complete: row.optional_bool(),
        severity: row.optional_text(),
        action: row.optional_text(),
    };
    Ok(rows.into_iter().map(record).collect())
}

pub(crate) fn outcomes(sql: &mut dyn Sql, filter: &Filter) -> Result<Vec<OutcomeRow>, Fault> {
    let mut conditions = Conditions::default();
    conditions.workspaces("workspace", &filter.workspaces);
    if let Some(session) = &filter.session {
        conditions.with("session_id = ?", session);
    }
    if let Some(since) = &filter.since {
        conditions.with("time >= ?", since.moment());
    }
    let clause = conditions.clause();
    let limit = conditions.limit(filter.limit);
    let statement = format!(
        "SELECT id, workspace, stream, time, subject, session_id, verdict, source, why, commits FROM outcomes{clause} \
         ORDER BY COALESCE(time, '') DESC, workspace, stream, id DESC{limit}"
    );
    let rows = sql.rows(&statement, &conditions.values)?;
    let outcome = |mut row: Row| {
        Ok(OutcomeRow {
            position: position(row.int()),
            workspace: row.text(),
            stream: row.text(),
            time: row.optional_text(),
            subject: row.text(),
            session_id: row.text(),
            verdict: row.text(),
            source: row.text(),
            why: row.optional_text(),
            commits: list(&row.text())?,
        })
    };
    rows.into_iter().map(outcome).collect()
}

pub(crate) fn counts(sql: &mut dyn Sql, workspace: Option<&str>) -> Result<Counts, Fault> {
    let (clause, values) = match workspace {
        Some(workspace) => (" WHERE workspace = ?1", vec![workspace.into()]),
        None => ("", Vec::new()),
    };
    let mut count = |table: &str| {
        let row = sql.row(&format!("SELECT COUNT(*) FROM {table}{clause}"), &values)?;
        Ok::<u64, Fault>(row.map_or(0, |mut row| row.count()))
    };
    let mut counts = Counts {
        streams: count("streams")?,
        sessions: count("sessions")?,
        reflections: count("reflections")?,
        verdicts: count("verdicts")?,
        runs: count("runs")?,
        outcomes: count("outcomes")?,
        ..Counts::default()
    };
    for mut row in sql.rows(&format!("SELECT summary FROM streams{clause}"), &values)? {
        let summary = summary(&row.text())?;
        counts.events += summary.lines;
        counts.malformed += summary.malformed;
    }
    Ok(counts)
}
