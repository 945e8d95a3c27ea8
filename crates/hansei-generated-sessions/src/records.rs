//! The JSON records of written sessions: lines of files and rows of databases. What a measurement compares reading with.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::{fs, io};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::opencode;

/// Gives each record of the sessions below `home` to `take`, and how many bytes they are in all.
pub fn each_record(home: &Path, take: &mut dyn FnMut(&[u8])) -> io::Result<u64> {
    let mut bytes = files_below(home, take)?;
    for database in [opencode::OPENCODE.file, opencode::KILO.file] {
        let file = home.join(database);
        if file.is_file() {
            bytes += rows_of(&file, take).map_err(io::Error::other)?;
        }
    }
    Ok(bytes)
}

fn files_below(folder: &Path, take: &mut dyn FnMut(&[u8])) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            bytes += files_below(&path, take)?;
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            let mut input = BufReader::with_capacity(256 * 1024, File::open(path)?);
            let mut line = Vec::new();
            while input.read_until(b'\n', &mut line)? > 0 {
                bytes += line.len() as u64;
                take(&line);
                line.clear();
            }
        }
    }
    Ok(bytes)
}

fn rows_of(file: &Path, take: &mut dyn FnMut(&[u8])) -> rusqlite::Result<u64> {
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut bytes = 0;
    for query in ["SELECT data FROM message", "SELECT data FROM part"] {
        let mut query = database.prepare(query)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let record = row.get_ref(0)?.as_str()?.as_bytes();
            bytes += record.len() as u64;
            take(record);
        }
    }
    Ok(bytes)
}

/// The messages of a session of OpenCode or Kilo as a plugin is given them.
pub fn messages(home: &Path, agent: &str, session: &str) -> io::Result<Value> {
    let flavour = if agent == "kilo" { opencode::KILO } else { opencode::OPENCODE };
    messages_of(&home.join(flavour.file), session).map_err(io::Error::other)
}

fn messages_of(file: &Path, session: &str) -> rusqlite::Result<Value> {
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let rows = |query: &str, key: &str| -> rusqlite::Result<Vec<Value>> {
        let mut query = database.prepare(query)?;
        let rows = query.query_map([key], |row| {
            let data: String = row.get(1)?;
            let mut record: Value = serde_json::from_str(&data).unwrap_or_default();
            record["id"] = json!(row.get::<_, String>(0)?);
            Ok(record)
        })?;
        rows.collect()
    };
    let mut messages = Vec::new();
    for info in rows("SELECT id, data FROM message WHERE session_id = ?1 ORDER BY time_created, id", session)?
    {
        let id = info["id"].as_str().unwrap_or_default().to_owned();
        let parts = rows("SELECT id, data FROM part WHERE message_id = ?1 ORDER BY id", &id)?;
        messages.push(json!({ "info": info, "parts": parts }));
    }
    Ok(json!(messages))
}
