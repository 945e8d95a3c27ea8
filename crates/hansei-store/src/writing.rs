//! Carries out changes within a transaction, the same way in every database.

use std::collections::BTreeSet;

use hansei_core::session_name;

use crate::fault::{Fault, FaultKind};
use crate::lines::Lines;
use crate::projection::Projector;
use crate::rows::{
    FileSeen, OutcomeRow, ReflectionRow, Source, StreamHead, StreamName, VerdictRecordRow, VerdictRow,
};
use crate::sql::{Dialect, Sql, Value, check_position, place, places};
use crate::store::{Change, Effect, Extension, NewEvent};

/// Makes all `changes`, in order.
pub(crate) fn make(sql: &mut dyn Sql, changes: &[Change]) -> Result<Vec<Effect>, Fault> {
    // Whoever locks several streams locks them in one order, so that nobody waits in a circle.
    let mut names: Vec<&StreamName> = changes.iter().filter_map(stream_of).collect();
    if names.len() > 1 && sql.dialect() == Dialect::Postgres {
        names.sort();
        for name in names {
            stream(sql, name)?;
        }
    }
    changes.iter().map(|change| make_one(sql, change)).collect()
}

fn stream_of(change: &Change) -> Option<&StreamName> {
    match change {
        Change::Extend(extension) => Some(&extension.stream),
        Change::Append(name, _) | Change::Forget(name) => Some(name),
        _ => None,
    }
}

fn make_one(sql: &mut dyn Sql, change: &Change) -> Result<Effect, Fault> {
    match change {
        Change::Extend(extension) => return extend(sql, extension),
        Change::Append(name, events) => return append(sql, name, events),
        Change::Forget(name) => {
            if let Some((id, _)) = stream(sql, name)? {
                clear(sql, id)?;
                for table in ["sessions", "runs"] {
                    sql.run(&format!("DELETE FROM {table} WHERE stream = ?1"), &[id.into()])?;
                }
                sql.run("DELETE FROM event_keys WHERE stream = ?1", &[id.into()])?;
                sql.run("DELETE FROM streams WHERE id = ?1", &[id.into()])?;
            }
        }
        Change::PutReflection(row) => put_reflection(sql, row)?,
        Change::PutVerdictRecord(row) => put_verdict_record(sql, row)?,
        Change::ForgetReflection(workspace, name) => {
            let values = [workspace.into(), name.into()];
            sql.run("DELETE FROM reflections WHERE workspace = ?1 AND name = ?2", &values)?;
        }
        Change::ForgetVerdictRecord(workspace, name) => {
            let values = [workspace.into(), name.into()];
            sql.run("DELETE FROM verdict_records WHERE workspace = ?1 AND name = ?2", &values)?;
        }
    }
    Ok(Effect::Made)
}

fn extend(sql: &mut dyn Sql, extension: &Extension) -> Result<Effect, Fault> {
    let found = stream(sql, &extension.stream)?;
    let stands = found.as_ref().map(|(_, head)| (head.bytes, head.mark.clone()));
    if stands != extension.expected {
        return Ok(Effect::Overtaken);
    }
    let id = match found {
        Some((id, _)) => id,
        None => match create(sql, &extension.stream, &extension.head)? {
            Some(id) => id,
            None => return Ok(Effect::Overtaken),
        },
    };
    if extension.from_start {
        clear(sql, id)?;
    }
    add(sql, id, &extension.events, &extension.verdicts, &extension.outcomes)?;
    put_head(sql, id, &extension.stream, &extension.head)?;
    Ok(Effect::Made)
}

fn append(sql: &mut dyn Sql, name: &StreamName, events: &[NewEvent]) -> Result<Effect, Fault> {
    let mut found = stream(sql, name)?;
    if found.is_none() {
        create(sql, name, &StreamHead::new(Source::Store))?;
        found = stream(sql, name)?;
    }
    let (id, mut head) =
        found.ok_or_else(|| Fault::new(FaultKind::Other, format!("{name} vanished while it was created")))?;
    if head.source == Source::File {
        return Err(Fault::new(FaultKind::FollowsAFile, name));
    }
    let keys: Vec<&str> = events.iter().map(|event| event.key.as_str()).collect();
    let known = sql.known_keys(id, &keys)?;
    let mut projector = Projector::new(name, std::mem::take(&mut head.summary));
    let mut seen = BTreeSet::new();
    let mut duplicates = Vec::new();
    for event in events {
        if known.contains(&event.key) || !seen.insert(event.key.as_str()) {
            duplicates.push(event.key.clone());
            continue;
        }
        let line = event.line.line();
        let position = projector.take(line.strip_suffix(b"\n").unwrap_or(&line));
        let values = [id.into(), Value::from(&event.key), position.into()];
        sql.run("INSERT INTO event_keys (stream, event_key, position) VALUES (?1, ?2, ?3)", &values)?;
    }
    let new = projector.events.len() as u64;
    if new > 0 {
        add(sql, id, &projector.events, &projector.verdicts, &projector.outcomes)?;
        head.summary = projector.summary;
        put_head(sql, id, name, &head)?;
    }
    Ok(Effect::Appended { new, duplicates })
}

/// A stream's number and head, kept from others until the end.
fn stream(sql: &mut dyn Sql, name: &StreamName) -> Result<Option<(i64, StreamHead)>, Fault> {
    let statement = format!(
        "SELECT id, {HEAD} FROM streams WHERE workspace = ?1 AND name = ?2{}",
        sql.dialect().for_update()
    );
    let row = sql.row(&statement, &[(&name.workspace).into(), (&name.name).into()])?;
    row.map(|mut row| Ok((row.int(), crate::reading::head(&mut row)?))).transpose()
}

pub(crate) const HEAD: &str = "source, bytes, size, modified, mark, fold, summary";

/// Creates a stream; none if somebody else just did.
fn create(sql: &mut dyn Sql, name: &StreamName, head: &StreamHead) -> Result<Option<i64>, Fault> {
    let statement = format!(
        "INSERT INTO streams (workspace, name, {HEAD}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) \
         ON CONFLICT (workspace, name) DO NOTHING RETURNING id"
    );
    let empty = StreamHead { bytes: 0, mark: String::new(), ..StreamHead::new(head.source) };
    let values: Vec<Value<'_>> =
        [(&name.workspace).into(), (&name.name).into()].into_iter().chain(head_values(&empty)?).collect();
    Ok(sql.row(&statement, &values)?.map(|mut row| row.int()))
}

fn head_values(head: &StreamHead) -> Result<[Value<'_>; 7], Fault> {
    let source = match head.source {
        Source::File => "file",
        Source::Store => "store",
    };
    Ok([
        source.into(),
        head.bytes.into(),
        head.size.into(),
        head.modified.into(),
        (&head.mark).into(),
        i64::from(head.fold).into(),
        Value::Text(json(&head.summary)?.into()),
    ])
}

fn put_head(sql: &mut dyn Sql, id: i64, name: &StreamName, head: &StreamHead) -> Result<(), Fault> {
    let values: Vec<Value<'_>> = std::iter::once(id.into()).chain(head_values(head)?).collect();
    let statement = "UPDATE streams SET source = ?2, bytes = ?3, size = ?4, modified = ?5, mark = ?6, fold = ?7, \
                     summary = ?8 WHERE id = ?1";
    sql.run(statement, &values)?;
    // What begins so is a workspace's own log, and no session's.
    if name.name.starts_with('~') {
        return Ok(());
    }
    let summary = &head.summary;
    let [first, last] = [&summary.first, &summary.last].map(|time| moment(time.as_deref()));
    let whole = json(summary)?;
    match &summary.run {
        None => {
            let statement = "INSERT INTO sessions (stream, workspace, session, first_time, last_time, complete, \
                severity, standing, summary) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (stream) DO UPDATE \
                SET first_time = excluded.first_time, last_time = excluded.last_time, complete = excluded.complete, \
                severity = excluded.severity, standing = excluded.standing, summary = excluded.summary";
            let values = [
                id.into(),
                (&name.workspace).into(),
                (&name.name).into(),
                first,
                last,
                summary.complete.into(),
                (&summary.severity).into(),
                (&summary.standing).into(),
                (&whole).into(),
            ];
            sql.run(statement, &values)?;
        }
        Some(run) => {
            sql.run("DELETE FROM sessions WHERE stream = ?1", &[id.into()])?;
            let statement = "INSERT INTO runs (stream, workspace, run, first_time, last_time, last_kind, ending, \
                summary) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (stream) DO UPDATE SET \
                first_time = excluded.first_time, last_time = excluded.last_time, last_kind = excluded.last_kind, \
                ending = excluded.ending, summary = excluded.summary";
            let values = [
                id.into(),
                (&name.workspace).into(),
                (&name.name).into(),
                first,
                last,
                (&run.last_kind).into(),
                (&run.ending).into(),
                (&whole).into(),
            ];
            sql.run(statement, &values)?;
        }
    }
    Ok(())
}

/// Takes a stream's events out, with what was noted of them; not the keys, whose events come again.
fn clear(sql: &mut dyn Sql, id: i64) -> Result<(), Fault> {
    let (from, to) = places(id);
    for table in ["events", "verdicts", "outcomes"] {
        sql.run(&format!("DELETE FROM {table} WHERE id >= ?1 AND id < ?2"), &[from.into(), to.into()])?;
    }
    for table in ["sessions", "runs"] {
        sql.run(&format!("DELETE FROM {table} WHERE stream = ?1"), &[id.into()])?;
    }
    Ok(())
}

fn add(
    sql: &mut dyn Sql,
    id: i64,
    events: &Lines,
    verdicts: &[VerdictRow],
    outcomes: &[OutcomeRow],
) -> Result<(), Fault> {
    check_position(events.last_position())?;
    sql.insert_events(id, events)?;
    for row in verdicts {
        let statement = "INSERT INTO verdicts (id, workspace, session, time, stop, task, complete, severity, decided_by, \
            p_complete, evidence, record, reflection) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        let values = [
            place(id, row.position).into(),
            (&row.workspace).into(),
            (&row.session).into(),
            (&row.time).into(),
            (&row.stop).into(),
            (&row.task).into(),
            row.complete.into(),
            (&row.severity).into(),
            (&row.decided_by).into(),
            row.p_complete.into(),
            Value::Text(json(&row.evidence)?.into()),
            (&row.record).into(),
            (&row.reflection).into(),
        ];
        sql.run(statement, &values)?;
    }
    for row in outcomes {
        let statement = "INSERT INTO outcomes (id, workspace, stream, time, subject, session_id, verdict, source, why, \
            commits) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let values = [
            place(id, row.position).into(),
            (&row.workspace).into(),
            (&row.stream).into(),
            (&row.time).into(),
            (&row.subject).into(),
            (&row.session_id).into(),
            (&row.verdict).into(),
            (&row.source).into(),
            (&row.why).into(),
            Value::Text(json(&row.commits)?.into()),
        ];
        sql.run(statement, &values)?;
    }
    Ok(())
}

fn file_values(file: &FileSeen) -> [Value<'_>; 5] {
    [
        file.size.into(),
        file.modified.into(),
        i64::from(file.fold).into(),
        file.body.as_slice().into(),
        (&file.words).into(),
    ]
}

fn put_reflection(sql: &mut dyn Sql, row: &ReflectionRow) -> Result<(), Fault> {
    let columns = "size, modified, fold, body, words, session, session_id, agent, task_ref, time, confidence, surface, score, \
                   needs_review, error";
    let own = [
        Value::Text(session_name::safe(&row.session_id).into()),
        (&row.session_id).into(),
        (&row.agent).into(),
        (&row.task_ref).into(),
        (&row.time).into(),
        row.confidence.into(),
        (&row.surface).into(),
        row.score.into(),
        row.needs_review.into(),
        (&row.error).into(),
    ];
    put(
        sql,
        "reflections",
        [&row.workspace, &row.name],
        columns,
        file_values(&row.file).into_iter().chain(own),
    )
}

fn put_verdict_record(sql: &mut dyn Sql, row: &VerdictRecordRow) -> Result<(), Fault> {
    let columns =
        "size, modified, fold, body, words, session, session_id, agent, time, complete, severity, action";
    let own = [
        Value::Text(session_name::safe(&row.session_id).into()),
        (&row.session_id).into(),
        (&row.agent).into(),
        (&row.time).into(),
        row.complete.into(),
        (&row.severity).into(),
        (&row.action).into(),
    ];
    let values = file_values(&row.file).into_iter().chain(own);
    put(sql, "verdict_records", [&row.workspace, &row.name], columns, values)
}

/// Writes a row that is known by its workspace and name, in the place of the one before.
fn put<'b>(
    sql: &mut dyn Sql,
    table: &str,
    [workspace, name]: [&'b String; 2],
    columns: &str,
    values: impl Iterator<Item = Value<'b>>,
) -> Result<(), Fault> {
    let values: Vec<Value<'_>> = [workspace.into(), name.into()].into_iter().chain(values).collect();
    let numbers: Vec<String> = (1..=values.len()).map(|number| format!("?{number}")).collect();
    let sets: Vec<String> =
        columns.split(", ").map(|column| format!("{column} = excluded.{column}")).collect();
    let statement = format!(
        "INSERT INTO {table} (workspace, name, {columns}) VALUES ({}) ON CONFLICT (workspace, name) DO UPDATE SET {}",
        numbers.join(", "),
        sets.join(", ")
    );
    sql.run(&statement, &values)?;
    Ok(())
}

/// The moment as a text whose order is that of the moments.
fn moment(time: Option<&str>) -> Value<'_> {
    time.map_or(Value::Null, |time| time.trim_end_matches('Z').into())
}

fn json(value: &impl serde::Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::new(FaultKind::Other, error))
}
