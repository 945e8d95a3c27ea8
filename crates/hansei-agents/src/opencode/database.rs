//! Opening an agent's database without leaving a trace in it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

/// How long to wait for an agent that holds the database.
const PATIENCE: Duration = Duration::from_millis(500);

/// Opens the database in `file` to read it.
///
/// A database with no log beside it is opened as one that nobody changes: SQLite would otherwise put two files beside
/// it, in the agent's folder.
pub(super) fn open(file: &Path) -> io::Result<Connection> {
    let log = std::fs::metadata(with_ending(file, "-wal"));
    let mode = if log.is_ok_and(|log| log.len() > 0) { "mode=ro" } else { "mode=ro&immutable=1" };
    let path = file.to_str().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(format!("file:{path}?{mode}"), flags).map_err(unreadable)?;
    connection.busy_timeout(PATIENCE).map_err(unreadable)?;
    Ok(connection)
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(ending);
    name.into()
}

/// What SQLite says, as an error of reading.
pub(super) fn unreadable(error: rusqlite::Error) -> io::Error {
    io::Error::other(error)
}
