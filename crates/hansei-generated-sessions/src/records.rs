//! The JSON records of written sessions: lines of files and rows of databases. What a measurement compares reading with.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::{fs, io};

use rusqlite::{Connection, OpenFlags};

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
