//! The schema, as the list of its versions: each brings a database of the version before it forward.
//!
//! A released version is never changed, only followed. A version that adds something folded from what is already there
//! sets `fold` to 0, and the next catching up folds those rows again from the events and files that the store keeps.

use crate::fault::{Fault, FaultKind};
use crate::sql::{Dialect, Sql};

struct Version {
    both: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

const VERSIONS: &[Version] = &[
    // 1: events, and what is folded from them.
    Version {
        both: "
            CREATE TABLE streams (id {id}, workspace {text} NOT NULL, name {text} NOT NULL, source {text} NOT NULL,
                bytes BIGINT NOT NULL, size BIGINT NOT NULL, modified BIGINT NOT NULL, mark {text} NOT NULL,
                fold BIGINT NOT NULL, summary {text} NOT NULL, UNIQUE (workspace, name));
            CREATE TABLE events (id {id}, time {text}, kind {text}, body {bytes} NOT NULL);
            CREATE TABLE event_keys (stream BIGINT NOT NULL, event_key {text} NOT NULL, position BIGINT NOT NULL,
                PRIMARY KEY (stream, event_key));
            CREATE TABLE sessions (stream {id}, workspace {text} NOT NULL, session {text} NOT NULL, first_time {text},
                last_time {text}, complete BIGINT, severity {text}, standing {text}, summary {text} NOT NULL);
            CREATE TABLE verdicts (id {id}, workspace {text} NOT NULL, session {text} NOT NULL, time {text},
                stop {text} NOT NULL, task {text} NOT NULL, complete BIGINT NOT NULL, severity {text} NOT NULL,
                decided_by {text} NOT NULL, p_complete {real}, evidence {text} NOT NULL, record {text},
                reflection {text});
            CREATE INDEX verdicts_of_reflections ON verdicts (workspace, reflection);
            CREATE TABLE outcomes (id {id}, workspace {text} NOT NULL, stream {text} NOT NULL, time {text},
                subject {text} NOT NULL, session_id {text} NOT NULL, verdict {text} NOT NULL, source {text} NOT NULL,
                why {text}, commits {text} NOT NULL);
            CREATE TABLE reflections (id {id}, workspace {text} NOT NULL, name {text} NOT NULL, size BIGINT NOT NULL,
                modified BIGINT NOT NULL, fold BIGINT NOT NULL, body {bytes} NOT NULL, session {text} NOT NULL,
                session_id {text} NOT NULL, agent {text} NOT NULL, task_ref {text} NOT NULL, time {text}, confidence {real},
                surface {text} NOT NULL, score {real}, needs_review BIGINT, error {text}, UNIQUE (workspace, name));
            CREATE INDEX reflections_by_time ON reflections (time);
            CREATE INDEX reflections_of_sessions ON reflections (workspace, session);
            CREATE TABLE verdict_records (id {id}, workspace {text} NOT NULL, name {text} NOT NULL,
                size BIGINT NOT NULL, modified BIGINT NOT NULL, fold BIGINT NOT NULL, body {bytes} NOT NULL,
                session {text} NOT NULL, session_id {text} NOT NULL, agent {text} NOT NULL, time {text},
                complete BIGINT, severity {text}, action {text}, UNIQUE (workspace, name));
            CREATE INDEX verdict_records_of_sessions ON verdict_records (workspace, session);",
        sqlite: "",
        postgres: "",
    },
    // 2: texts can be searched.
    Version {
        both: "
            ALTER TABLE reflections ADD COLUMN words {text} NOT NULL DEFAULT '';
            ALTER TABLE verdict_records ADD COLUMN words {text} NOT NULL DEFAULT '';
            UPDATE reflections SET fold = 0;
            UPDATE verdict_records SET fold = 0;",
        sqlite: "
            CREATE VIRTUAL TABLE reflections_search USING fts5(words, content='reflections', content_rowid='id',
                tokenize='ascii');
            CREATE TRIGGER reflections_inserted AFTER INSERT ON reflections BEGIN
                INSERT INTO reflections_search (rowid, words) VALUES (new.id, new.words); END;
            CREATE TRIGGER reflections_deleted AFTER DELETE ON reflections BEGIN
                INSERT INTO reflections_search (reflections_search, rowid, words) VALUES ('delete', old.id, old.words); END;
            CREATE TRIGGER reflections_updated AFTER UPDATE ON reflections BEGIN
                INSERT INTO reflections_search (reflections_search, rowid, words) VALUES ('delete', old.id, old.words);
                INSERT INTO reflections_search (rowid, words) VALUES (new.id, new.words); END;
            CREATE VIRTUAL TABLE verdict_records_search USING fts5(words, content='verdict_records',
                content_rowid='id', tokenize='ascii');
            CREATE TRIGGER verdict_records_inserted AFTER INSERT ON verdict_records BEGIN
                INSERT INTO verdict_records_search (rowid, words) VALUES (new.id, new.words); END;
            CREATE TRIGGER verdict_records_deleted AFTER DELETE ON verdict_records BEGIN
                INSERT INTO verdict_records_search (verdict_records_search, rowid, words)
                    VALUES ('delete', old.id, old.words); END;
            CREATE TRIGGER verdict_records_updated AFTER UPDATE ON verdict_records BEGIN
                INSERT INTO verdict_records_search (verdict_records_search, rowid, words)
                    VALUES ('delete', old.id, old.words);
                INSERT INTO verdict_records_search (rowid, words) VALUES (new.id, new.words); END;
            INSERT INTO reflections_search (reflections_search) VALUES ('rebuild');
            INSERT INTO verdict_records_search (verdict_records_search) VALUES ('rebuild');",
        postgres: "
            ALTER TABLE reflections ADD COLUMN search tsvector
                GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED;
            ALTER TABLE verdict_records ADD COLUMN search tsvector
                GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED;
            CREATE INDEX reflections_search ON reflections USING gin (search);
            CREATE INDEX verdict_records_search ON verdict_records USING gin (search);",
    },
    // 3: runs.
    Version {
        both: "
            CREATE TABLE runs (stream {id}, workspace {text} NOT NULL, run {text} NOT NULL, first_time {text},
                last_time {text}, last_kind {text} NOT NULL, ending {text}, summary {text} NOT NULL);
            UPDATE streams SET fold = 0;",
        sqlite: "",
        postgres: "",
    },
];

/// The newest version.
#[allow(clippy::cast_possible_wrap, reason = "there are a few")]
pub const NEWEST: i64 = VERSIONS.len() as i64;

/// Brings the database to version `to`, within a transaction of its own making. A newer one is refused as it is.
pub(crate) fn migrate(sql: &mut dyn Sql, to: i64) -> Result<(), Fault> {
    sql.script(&sql.dialect().words("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)"))?;
    let found = sql.row("SELECT MAX(version) FROM schema_version", &[])?.map_or(0, |mut row| row.int());
    if found > NEWEST {
        return Err(Fault::new(FaultKind::NewerSchema { found, known: NEWEST }, "newer"));
    }
    let dialect = sql.dialect();
    let missing = VERSIONS.iter().zip(1..).filter(|(_, version)| (found + 1..=to).contains(version));
    for (version, number) in missing {
        let own = match dialect {
            Dialect::Sqlite => version.sqlite,
            Dialect::Postgres => version.postgres,
        };
        sql.script(&dialect.words(version.both))?;
        if !own.is_empty() {
            sql.script(&dialect.words(own))?;
        }
        sql.run("DELETE FROM schema_version", &[])?;
        sql.run("INSERT INTO schema_version (version) VALUES (?1)", &[number.into()])?;
    }
    Ok(())
}
