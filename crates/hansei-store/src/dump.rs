//! Every row as a line of JSON, in an order that does not depend on the database or on when rows were written.

use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use crate::fault::Fault;
use crate::reading::events_of;
use crate::sql::{Sql, Value};

/// Rows of tables, but for events: a table's name, its columns, and what orders them.
const TABLES: &[(&str, &str, &str)] = &[
    (
        "sessions",
        "workspace, session, first_time, last_time, complete, severity, standing, summary",
        "workspace, session",
    ),
    ("runs", "workspace, run, first_time, last_time, last_kind, ending, summary", "workspace, run"),
    (
        "verdicts",
        "workspace, session, id % 4294967296, time, stop, task, complete, severity, decided_by, p_complete, evidence, \
         record, reflection",
        "workspace, session, id",
    ),
    (
        "outcomes",
        "workspace, stream, id % 4294967296, time, subject, session_id, verdict, source, why, commits",
        "workspace, stream, id",
    ),
    (
        "reflections",
        "workspace, name, session, session_id, agent, task_ref, time, confidence, surface, score, needs_review, error, \
         words, body",
        "workspace, name",
    ),
    (
        "verdict_records",
        "workspace, name, session, session_id, agent, time, complete, severity, action, words, body",
        "workspace, name",
    ),
];

const PAGE: u64 = 2000;

pub(crate) fn dump(
    sql: &mut dyn Sql,
    workspace: Option<&str>,
    take: &mut dyn FnMut(&str),
) -> Result<(), Fault> {
    let (clause, values) = match workspace {
        Some(workspace) => (" WHERE workspace = ?1", vec![Value::from(workspace)]),
        None => ("", Vec::new()),
    };
    let statement =
        format!("SELECT id, workspace, name, source, summary FROM streams{clause} ORDER BY workspace, name");
    for mut row in sql.rows(&statement, &values)? {
        let id = row.int();
        let mut line = vec![json!("streams")];
        line.extend(row.values().into_iter().map(shown));
        take(&Json::Array(line.clone()).to_string());
        let mut after = 0;
        loop {
            let events = events_of(sql, id, after, PAGE)?;
            let Some(last) = events.last() else { break };
            after = last.position;
            for event in &events {
                let row = json!([
                    "events",
                    line[1],
                    line[2],
                    event.position,
                    event.time,
                    event.kind,
                    digest(&event.body)
                ]);
                take(&row.to_string());
            }
        }
    }
    for (table, columns, order) in TABLES {
        let rows = sql.rows(&format!("SELECT {columns} FROM {table}{clause} ORDER BY {order}"), &values)?;
        for row in rows {
            let line = std::iter::once(json!(table)).chain(row.values().into_iter().map(shown));
            take(&Json::Array(line.collect()).to_string());
        }
    }
    Ok(())
}

fn shown(value: Value<'_>) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::Bytes(bytes) => json!(digest(&bytes)),
    }
}

fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = std::fmt::Write::write_fmt(&mut text, format_args!("{byte:02x}"));
        text
    })
}
