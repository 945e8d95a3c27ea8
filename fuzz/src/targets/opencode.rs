//! OpenCode's and Kilo's sessions: the JSON in the rows of a database, and the database itself.

use std::cell::RefCell;
use std::path::PathBuf;

use hansei_agents::adapter_named;
use hansei_agents::transcript::Homes;
use rusqlite::Connection;

use super::transcript;
use crate::{Target, corpus, scratch, session_holds};

/// Rows, one a line: one that names a role is a message, any other a part of the message before it.
pub(crate) const RECORDS: Target = Target { name: "opencode_records", run: records, samples: sample_records };

/// The bytes of a database file.
pub(crate) const DATABASE: Target =
    Target { name: "opencode_database", run: database, samples: || vec![small_database()] };

const TABLES: &str = "
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, version text, time_updated integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
    INSERT INTO session VALUES ('s', NULL, '/w', '1.18.33', 1794745940740);";

struct Writer {
    database: Connection,
    file: PathBuf,
}

thread_local! {
    static WRITER: RefCell<Option<Writer>> = const { RefCell::new(None) };
}

fn writer() -> Writer {
    let file = scratch::folder("kilo").join("kilo.db");
    let database = Connection::open(&file).expect("a database can be made");
    // Nobody else has it open, and it need not survive.
    database
        .execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        .expect("a database can be set");
    database.execute_batch(TABLES).expect("tables can be made");
    Writer { database, file }
}

fn records(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let file = WRITER.with_borrow_mut(|writer_of_thread| {
        let writer = writer_of_thread.get_or_insert_with(writer);
        fill(&writer.database, text).expect("rows can be written");
        writer.file.clone()
    });
    let (events, reading) = transcript::read("kilo", "s", file).expect("the database can be read");
    // The parts of a message that cannot be read are not looked at.
    assert!(reading.lines <= text.lines().count() as u64, "{reading:?}");
    session_holds::check(&events);
}

fn fill(database: &Connection, text: &str) -> rusqlite::Result<()> {
    database.execute_batch("BEGIN; DELETE FROM message; DELETE FROM part;")?;
    let mut message = None;
    let mut insert_message = database.prepare_cached("INSERT INTO message VALUES (?1, 's', 0, ?2)")?;
    let mut insert_part = database.prepare_cached("INSERT INTO part VALUES (?1, ?2, 's', ?3)")?;
    for (number, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let id = format!("{number:08}");
        match &message {
            Some(message) if !line.contains("\"role\"") => {
                insert_part.execute((id, message, line))?;
            }
            _ => {
                insert_message.execute((&id, line))?;
                message = Some(id);
            }
        }
    }
    database.execute_batch("COMMIT")
}

/// The rows of the fixtures, in the form that the target takes.
fn sample_records() -> Vec<Vec<u8>> {
    let folders =
        ["crates/hansei-agents/tests/fixtures/opencode", "crates/hansei-agents/tests/fixtures/kilo"];
    let lines = |sql: Vec<u8>| -> rusqlite::Result<Vec<u8>> {
        let database = Connection::open_in_memory()?;
        database.execute_batch(&String::from_utf8_lossy(&sql))?;
        let mut query = database.prepare(
            "SELECT data FROM (SELECT id AS m, '' AS p, data FROM message \
             UNION ALL SELECT message_id, id, data FROM part) ORDER BY m, p",
        )?;
        let rows = query.query_map([], |row| row.get::<_, String>(0))?;
        Ok(rows.flatten().collect::<Vec<_>>().join("\n").into_bytes())
    };
    corpus::files(&folders).into_iter().map(|sql| lines(sql).expect("a fixture is SQL")).collect()
}

fn database(bytes: &[u8]) {
    let home = scratch::folder("opencode");
    let file = home.join(".local/share/opencode/opencode.db");
    scratch::write(&file, bytes);
    let adapter = adapter_named("opencode").expect("the agent is known");
    for found in (adapter.sessions)(&Homes { home, ..Homes::default() }) {
        let mut events = Vec::new();
        if (adapter.read)(&found, &mut |event| events.push(event)).is_ok() {
            session_holds::check(&events);
        }
    }
}

fn small_database() -> Vec<u8> {
    let file = scratch::folder("small").join("small.db");
    let _ = std::fs::remove_file(&file);
    let database = Connection::open(&file).expect("a database can be made");
    database.execute_batch("PRAGMA page_size = 512;").expect("a database can be set");
    database.execute_batch(TABLES).expect("tables can be made");
    let text = "{\"role\":\"user\"}\n{\"type\":\"text\",\"text\":\"go\"}\n{\"role\":\"assistant\",\"finish\":\"stop\"}";
    fill(&database, text).expect("rows can be written");
    drop(database);
    std::fs::read(&file).expect("a file can be read")
}
