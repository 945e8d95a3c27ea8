//! The log of a run: the same file and envelope as a session's, with events of its own among them.
//!
//! Whoever drives a run holds the lock of its log, and lets go of it only while a person is asked: then the answer is
//! another process's line. A second lock, held throughout, keeps two drivers apart.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::time::{Duration, Instant};

use hansei_core::event::VERSION;
use hansei_core::run::{RunEvent, RunLine};
use serde_json::Value;

use crate::clock;
use crate::folder::Folder;
use crate::log::{LogError, file_name};
use crate::redacted::Redacted;

/// What the name of every run begins with.
pub const PREFIX: &str = "run-";

/// A run's log that this process may append to.
#[derive(Debug)]
pub struct RunLog {
    file: File,
    lines: u64,
    /// How much of it was read or written.
    length: u64,
    unfinished: bool,
    is_locked: bool,
}

impl RunLog {
    /// Locks the log of `run`, which is created where it is missing, and reads what is in it.
    pub fn lock(folder: &Folder, run: &str, patience: Duration) -> Result<(Self, Vec<Value>), LogError> {
        let file = folder.open_to_append(&file_name(run))?;
        wait_for(&file, patience)?;
        let mut log = Self { file, lines: 0, length: 0, unfinished: false, is_locked: true };
        let lines = log.read_on()?;
        Ok((log, lines))
    }

    /// Appends an event, without its secrets, and gives the line as it was written.
    pub fn append(&mut self, event: RunEvent) -> Result<RunLine, LogError> {
        let line = RunLine { v: VERSION, seq: self.lines + 1, time: clock::now(), event };
        let redacted = Redacted::new(&line).map_err(io::Error::from)?;
        let mut bytes = redacted.line();
        if self.unfinished {
            bytes.insert(0, b'\n');
        }
        // One call, so that a kill leaves all of it or none.
        self.file.write_all(&bytes)?;
        self.unfinished = false;
        self.lines += 1;
        self.length += bytes.len() as u64;
        if redacted.is_changed() {
            return Ok(serde_json::from_value(redacted.value().clone()).map_err(io::Error::from)?);
        }
        Ok(line)
    }

    /// Makes what was appended survive a power cut.
    pub fn sync(&self) -> Result<(), LogError> {
        Ok(self.file.sync_data()?)
    }

    /// Lets others write.
    pub fn release(&mut self) -> Result<(), LogError> {
        self.file.unlock()?;
        self.is_locked = false;
        Ok(())
    }

    /// Locks it again, and reads what others wrote meanwhile.
    pub fn retake(&mut self, patience: Duration) -> Result<Vec<Value>, LogError> {
        if !self.is_locked {
            wait_for(&self.file, patience)?;
            self.is_locked = true;
        }
        Ok(self.read_on()?)
    }

    /// Reads what was not read yet, as JSON; what is torn is left out.
    fn read_on(&mut self) -> io::Result<Vec<Value>> {
        let mut bytes = Vec::new();
        self.file.seek(io::SeekFrom::Start(self.length))?;
        self.file.read_to_end(&mut bytes)?;
        self.length += bytes.len() as u64;
        if let Some(last) = bytes.last() {
            self.unfinished = *last != b'\n';
        }
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let mut values = Vec::new();
        for line in lines {
            self.lines += 1;
            values.extend(serde_json::from_slice::<Value>(line).ok().filter(Value::is_object));
        }
        Ok(values)
    }
}

fn wait_for(file: &File, patience: Duration) -> Result<(), LogError> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() <= patience => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(TryLockError::WouldBlock) => return Err(LogError::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

/// Held by whoever drives a run.
#[derive(Debug)]
pub struct Wheel {
    _file: File,
}

impl Wheel {
    /// Takes the wheel of `run`; none where another process has it.
    pub fn take(folder: &Folder, run: &str) -> io::Result<Option<Self>> {
        let file = folder.open_to_append(&wheel_name(run))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Removes it for good: the run is over, and nobody drives it again.
    pub fn put_away(self, folder: &Folder, run: &str) {
        let _ = folder.remove(&wheel_name(run));
    }
}

fn wheel_name(run: &str) -> String {
    format!("{}.driver", file_name(run))
}

/// The events of a run among the lines of its log.
pub fn events(lines: &[Value]) -> Vec<RunLine> {
    lines.iter().filter_map(|line| serde_json::from_value(line.clone()).ok()).collect()
}

/// All lines of the log of `run`. Needs no lock.
pub fn read(folder: &Folder, run: &str) -> io::Result<Vec<Value>> {
    let bytes = folder.read(&file_name(run), u64::MAX - 1)?;
    let lines = bytes.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok()).filter(Value::is_object).collect())
}

/// The names of all runs, the oldest first. Needs no lock.
pub fn names(folder: &Folder) -> io::Result<Vec<String>> {
    let mut names: Vec<String> = folder
        .names()?
        .into_iter()
        .filter_map(|name| Some(name.strip_suffix(".jsonl")?.to_owned()))
        .filter(|name| name.starts_with(PREFIX))
        .collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[test]
    fn what_another_process_writes_while_it_is_let_go_is_read() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::existing(temporary.path()).unwrap();
        let (mut log, lines) = RunLog::lock(&folder, "run-1", SOON).unwrap();
        assert!(lines.is_empty());
        assert_eq!(log.append(RunEvent::RunResumed).unwrap().seq, 1);
        assert!(matches!(RunLog::lock(&folder, "run-1", SOON), Err(LogError::Busy)));
        log.release().unwrap();
        let (mut other, lines) = RunLog::lock(&folder, "run-1", SOON).unwrap();
        assert_eq!(events(&lines).len(), 1);
        assert_eq!(other.append(RunEvent::AbortAsked).unwrap().seq, 2);
        drop(other);
        let news = log.retake(SOON).unwrap();
        assert_eq!(events(&news)[0].event, RunEvent::AbortAsked);
        assert_eq!(log.append(RunEvent::RunInterrupted).unwrap().seq, 3);
        assert_eq!(names(&folder).unwrap(), ["run-1"]);
        assert_eq!(read(&folder, "run-1").unwrap().len(), 3);
    }

    #[test]
    fn a_torn_line_is_ended_and_counted() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::existing(temporary.path()).unwrap();
        let (mut log, _) = RunLog::lock(&folder, "run-1", SOON).unwrap();
        log.append(RunEvent::RunResumed).unwrap();
        drop(log);
        folder.open_to_append("run-1.jsonl").unwrap().write_all(br#"{"v":1,"seq":2,"ki"#).unwrap();
        let (mut log, lines) = RunLog::lock(&folder, "run-1", SOON).unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!(log.append(RunEvent::RunResumed).unwrap().seq, 3);
        drop(log);
        assert_eq!(events(&read(&folder, "run-1").unwrap()).len(), 2);
    }

    #[test]
    fn one_drives_at_a_time() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::existing(temporary.path()).unwrap();
        let first = Wheel::take(&folder, "run-1").unwrap().unwrap();
        assert!(Wheel::take(&folder, "run-1").unwrap().is_none());
        drop(first);
        assert!(Wheel::take(&folder, "run-1").unwrap().is_some());
    }

    #[test]
    fn secrets_are_taken_out_and_the_line_that_comes_back_has_none() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::existing(temporary.path()).unwrap();
        let (mut log, _) = RunLog::lock(&folder, "run-1", SOON).unwrap();
        let token = format!("ghp_{}", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
        let event =
            RunEvent::ToolReturned { call: "c".into(), ok: true, text: token.clone(), milliseconds: 1 };
        let RunEvent::ToolReturned { text, .. } = log.append(event).unwrap().event else { panic!() };
        assert!(text.contains("[REDACTED:"), "{text}");
        assert!(!format!("{:?}", read(&folder, "run-1").unwrap()).contains(&token));
    }
}
