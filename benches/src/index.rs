//! Building the index, against raw prepared inserts of the same rows in transactions of the same size: SQLite, every commit
//! synced.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use hansei_record::folder::Folder;
use hansei_store::catch_up::{EVENTS_IN_A_COMMIT, Sources, WhenGone, catch_up};
use hansei_store::{SqliteStore, Store as _};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use serde_json::json;

const SESSIONS: usize = 250;
const STOPS: usize = 50;
const ROUNDS: usize = 7;

/// Prints both medians, their ratio and the events per second.
pub fn build() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let events = write_logs(folder.path())?;
    let tables = rows_of(&built(folder.path())?.1)?;
    let rows: usize = tables.iter().map(|table| table.rows.len()).sum();
    let mut times: [Vec<Duration>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        times[0].push(insert(&tables)?);
        times[1].push(built(folder.path())?.0);
    }
    let [raw, index] = times.map(|mut times| {
        times.sort();
        times[times.len() / 2].as_secs_f64()
    });
    println!(
        "indexing {events} events of {SESSIONS} sessions ({rows} rows, {EVENTS_IN_A_COMMIT} events a commit)"
    );
    println!("  {:<52}{:>9.2} ms", "raw prepared inserts of the same rows", raw * 1e3);
    println!("  {:<52}{:>9.2} ms {:>7.2} x", "hansei's index, from the files", index * 1e3, index / raw);
    #[allow(clippy::cast_precision_loss)]
    let rate = events as f64 / index;
    println!("  {:.2} of the raw inserts' speed (at least 0.70 is wanted), {rate:.0} events/s", raw / index);
    Ok(())
}

/// Logs as hooks leave them: a stop is a prompt, tools, a capture, a verdict and what was done about it.
fn write_logs(folder: &Path) -> Result<usize> {
    std::fs::create_dir(folder.join("log"))?;
    let mut events = 0;
    for session in 0..SESSIONS {
        let mut text = String::new();
        let mut seq = 0;
        for stop in 0..STOPS {
            let stop_id = format!("{session:032x}{stop:032x}");
            let sidecar = format!("session-{session}-20261115T10{:02}00000000Z.reflection.json", stop % 60);
            let kinds = [
                json!({ "kind": "task_started" }),
                json!({ "kind": "agent_reported", "event": "tool" }),
                json!({ "kind": "agent_reported", "event": "subagent-stop" }),
                json!({ "kind": "capture_started", "attempt": 1 }),
                json!({ "kind": "captured", "sidecar": sidecar, "attempt": 1, "files_changed": 4, "risk": {
                    "needs_review": true, "score": 1.0, "surface": "auth", "reason": "auth surface: src/login.rs" },
                    "degraded": ["no self-report"] }),
                json!({ "kind": "judging_started", "stop": stop_id, "until": "2026-11-15T10:40:30.000001Z" }),
                json!({ "kind": "judged", "stop": stop_id, "task": "0b6f7a3e-1d2c-4e5f-8a9b-0c1d2e3f4a5b", "epoch": 0,
                    "complete": false, "severity": "HIGH", "decided_by": "executed", "p_complete": 0.05,
                    "evidence": ["check_failed", "open_todos"], "record": format!("session-{session}_{stop}.json") }),
                json!({ "kind": "sent_back", "stop": stop_id, "task": "0b6f7a3e-1d2c-4e5f-8a9b-0c1d2e3f4a5b", "epoch": 0,
                    "attempt": 1, "grounds": ["check_failed"], "failures": { "all": ["check_failed:cargo test"] },
                    "feedback": "[Hansei] `cargo test` failed (exit code 101) and nothing was run since: 2 failed. Fix what \
                                 fails and run it again before you say that you are done." }),
            ];
            for mut event in kinds {
                seq += 1;
                event["v"] = json!(1);
                event["seq"] = json!(seq);
                event["time"] = json!(format!("2026-11-15T10:{:02}:{:02}.000001Z", stop % 60, seq % 60));
                text += &event.to_string();
                text.push('\n');
                events += 1;
            }
        }
        std::fs::write(folder.join(format!("log/session-{session}.jsonl")), text)?;
    }
    Ok(events)
}

/// Builds the index once. Gives the time it took, and the folder that it is in.
fn built(files: &Path) -> Result<(Duration, tempfile::TempDir)> {
    let folder = tempfile::tempdir()?;
    let mut store = SqliteStore::open(&folder.path().join("index.db"))?;
    let log = Folder::existing(&files.join("log"))?;
    let sources = Sources { workspace: "bench", log: Some(&log), reflections: None, verdicts: None };
    let start = Instant::now();
    let read = catch_up(&mut store, &sources, WhenGone::Forget, &mut |_| ())?;
    let took = start.elapsed();
    ensure!(read.events == store.counts(None)?.events, "every event is in the index");
    Ok((took, folder))
}

struct Table {
    insert: String,
    rows: Vec<Vec<Value>>,
}

/// All rows of an index, the events first.
fn rows_of(folder: &tempfile::TempDir) -> Result<Vec<Table>> {
    let connection = Connection::open(folder.path().join("index.db"))?;
    let mut tables = Vec::new();
    for name in ["events", "streams", "sessions", "verdicts"] {
        let mut statement = connection.prepare(&format!("SELECT * FROM {name}"))?;
        let columns = statement.column_count();
        let rows = statement
            .query_map([], |row| {
                (0..columns).map(|column| row.get(column)).collect::<rusqlite::Result<Vec<Value>>>()
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let marks = vec!["?"; columns].join(", ");
        tables.push(Table { insert: format!("INSERT INTO {name} VALUES ({marks})"), rows });
    }
    Ok(tables)
}

/// Inserts the rows into an empty database of the same schema and settings, in as many transactions as the index takes.
fn insert(tables: &[Table]) -> Result<Duration> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("index.db");
    drop(SqliteStore::open(&file)?);
    let connection = Connection::open(&file)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    let commits = tables[0].rows.len().div_ceil(EVENTS_IN_A_COMMIT);
    let start = Instant::now();
    for commit in 0..commits {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        for table in tables {
            let mut statement = connection.prepare_cached(&table.insert)?;
            let part = table.rows.len().div_ceil(commits);
            for row in table.rows.iter().skip(commit * part).take(part) {
                statement.execute(params_from_iter(row))?;
            }
        }
        connection.execute_batch("COMMIT")?;
    }
    Ok(start.elapsed())
}
