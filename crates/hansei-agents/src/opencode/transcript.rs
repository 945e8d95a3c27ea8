//! OpenCode's sessions: rows of `session`, `message` and `part` in an SQLite database. Kilo's have the same form.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use hansei_core::session::Circumstances;
use rusqlite::Connection;

use super::database::{open, unreadable};
use super::reader::{Heard, Reader};
use super::records::{Message, Part};
use crate::transcript::{DEEPEST_SUB_AGENT, Found, Known, Reading, Sink, by_sub_agent};

/// All sessions in a database. Those of sub-agents have a parent and belong to it.
pub(crate) fn sessions_in(file: &Path, agent: &'static str) -> Vec<Found> {
    if !file.is_file() {
        return Vec::new();
    }
    open(file).and_then(|database| list(&database, file, agent)).unwrap_or_default()
}

fn list(database: &Connection, file: &Path, agent: &'static str) -> io::Result<Vec<Found>> {
    let mut query = database
        .prepare(
            "SELECT id, time_updated, \
             (SELECT coalesce(sum(octet_length(data)), 0) FROM part WHERE session_id = session.id) \
             FROM session WHERE parent_id IS NULL",
        )
        .map_err(unreadable)?;
    let rows = query
        .query_map([], |row| {
            let updated = Duration::from_millis(u64::try_from(row.get::<_, i64>(1)?).unwrap_or_default());
            Ok(Found {
                agent,
                id: row.get(0)?,
                file: file.to_owned(),
                modified: SystemTime::UNIX_EPOCH + updated,
                size: u64::try_from(row.get::<_, i64>(2)?).unwrap_or_default(),
            })
        })
        .map_err(unreadable)?;
    Ok(rows.flatten().collect())
}

/// Streams the events of one session.
pub(crate) fn read(found: &Found, sink: &mut Sink<'_>) -> io::Result<Reading> {
    let database = open(&found.file)?;
    read_session(&database, &found.id, DEEPEST_SUB_AGENT, sink).map_err(unreadable)
}

/// Streams the events of a session and, so deep, of those that it started.
fn read_session(
    database: &Connection,
    session: &str,
    deep: u8,
    sink: &mut Sink<'_>,
) -> rusqlite::Result<Reading> {
    let mut reader = Reader::new(sink);
    let version =
        database.query_row("SELECT version, directory FROM session WHERE id = ?1", [session], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let (version, cwd) = version;
    let start = Circumstances { version, cwd, ..Circumstances::default() };
    let mut reading = Reading::default();
    let mut messages =
        database.prepare("SELECT id, data FROM message WHERE session_id = ?1 ORDER BY time_created, id")?;
    let mut parts = database.prepare("SELECT id, data FROM part WHERE message_id = ?1 ORDER BY id")?;
    let mut rows = messages.query([session])?;
    let mut count = |known| {
        reading.lines += 1;
        reading.unknown += u64::from(known == Known::No);
    };
    while let Some(row) = rows.next()? {
        let id = row.get_ref(0)?.as_str()?;
        let Ok(message) = serde_json::from_str::<Message<'_>>(row.get_ref(1)?.as_str()?) else {
            count(Known::No);
            continue;
        };
        count(reader.begin(&message, &start));
        let mut parts = parts.query([id])?;
        let mut heard = Heard::default();
        while let Some(row) = parts.next()? {
            let part_id = row.get_ref(0)?.as_str()?;
            let part = serde_json::from_str::<Part<'_>>(row.get_ref(1)?.as_str()?);
            let Ok(part) = part else {
                count(Known::No);
                continue;
            };
            count(reader.part(&message, part_id, &part, &mut heard));
            if let (Some(call), Some(child)) = (part.call.as_deref(), part.sub_session())
                && deep > 0
            {
                let sink = &mut *reader.sink;
                let mut of_child = |event| by_sub_agent(call, event).into_iter().for_each(&mut *sink);
                // One that is gone leaves only what its call says.
                let _ = read_session(database, child, deep - 1, &mut of_child);
            }
        }
        reader.end(id, &message, heard);
    }
    Ok(reading)
}
