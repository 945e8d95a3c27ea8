//! One connection to a SQLite file.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params_from_iter};

use crate::fault::{Fault, FaultKind};
use crate::lines::Lines;
use crate::schema;
use crate::sql::{Dialect, Row, Sql, Value, place};

/// How long other processes that write are waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// Opens `file`. What was acknowledged survives a power cut: the log is synced at each commit.
pub(crate) fn open(file: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(file, flags).map_err(|error| fault(&error))?;
    prepare(&connection).map_err(|error| fault(&error))?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    // The file may have come with a repository: nothing in its schema may do more than hold rows.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    keep_journal(connection)?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// Switches to a write-ahead log. The busy time-out does not hold for that: of several who open a new file at once, all but
/// one may be refused at once, and only have to ask again.
fn keep_journal(connection: &Connection) -> rusqlite::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "wal") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < until =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

pub(crate) fn migrate(connection: &mut Connection, version: i64) -> Result<(), Fault> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| fault(&error))?;
    let migrated = schema::migrate(&mut Db(connection), version);
    let end = if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = connection.execute_batch(end).map_err(|error| fault(&error));
    migrated.and(ended)
}

/// What an error of SQLite means for us.
pub(crate) fn fault(error: &rusqlite::Error) -> Fault {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => FaultKind::Full,
        // A file that may not grow any more is reported as a write that failed.
        Some(ErrorCode::SystemIoFailure) if is_failed_write(error) => FaultKind::Full,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FaultKind::Busy,
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => FaultKind::Damaged,
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            FaultKind::CannotOpen
        }
        _ => FaultKind::Other,
    };
    Fault::new(kind, error)
}

fn is_failed_write(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_IOERR_WRITE)
}

/// A connection as the rest of the crate uses it.
pub(crate) struct Db<'a>(pub &'a Connection);

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn value(value: ValueRef<'_>) -> Value<'static> {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned().into()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec().into()),
    }
}

impl Db<'_> {
    fn try_run(&self, statement: &str, values: &[Value<'_>]) -> rusqlite::Result<u64> {
        let mut prepared = self.0.prepare_cached(statement)?;
        Ok(prepared.execute(params_from_iter(values))? as u64)
    }

    fn try_rows(&self, statement: &str, values: &[Value<'_>]) -> rusqlite::Result<Vec<Row>> {
        let mut prepared = self.0.prepare_cached(statement)?;
        let columns = prepared.column_count();
        let rows = prepared.query_map(params_from_iter(values), |row| {
            (0..columns).map(|column| Ok(value(row.get_ref(column)?))).collect::<rusqlite::Result<Vec<_>>>()
        })?;
        rows.map(|row| Ok(Row::new(row?))).collect()
    }

    fn try_insert(&self, stream: i64, events: &Lines) -> rusqlite::Result<()> {
        let mut insert =
            self.0.prepare_cached("INSERT INTO events (id, time, kind, body) VALUES (?1, ?2, ?3, ?4)")?;
        for line in events.iter() {
            insert.execute((place(stream, line.position), line.time, line.kind, line.body))?;
        }
        Ok(())
    }

    fn try_known(&self, stream: i64, keys: &[&str]) -> rusqlite::Result<BTreeSet<String>> {
        let mut ask =
            self.0.prepare_cached("SELECT 1 FROM event_keys WHERE stream = ?1 AND event_key = ?2")?;
        let mut known = BTreeSet::new();
        for key in keys {
            if ask.exists((stream, key))? {
                known.insert((*key).to_owned());
            }
        }
        Ok(known)
    }
}

impl Sql for Db<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn script(&mut self, statements: &str) -> Result<(), Fault> {
        self.0.execute_batch(statements).map_err(|error| fault(&error))
    }

    fn run(&mut self, statement: &str, values: &[Value<'_>]) -> Result<u64, Fault> {
        self.try_run(statement, values).map_err(|error| fault(&error))
    }

    fn rows(&mut self, statement: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        self.try_rows(statement, values).map_err(|error| fault(&error))
    }

    fn insert_events(&mut self, stream: i64, events: &Lines) -> Result<(), Fault> {
        self.try_insert(stream, events).map_err(|error| fault(&error))
    }

    fn known_keys(&mut self, stream: i64, keys: &[&str]) -> Result<BTreeSet<String>, Fault> {
        self.try_known(stream, keys).map_err(|error| fault(&error))
    }
}
