//! A session's log: one JSON object a line, appended under a lock and never changed.
//!
//! The lock is the operating system's lock on the log itself, so there is no lock file to leave behind: it goes with
//! the process that held it. A writer reads, folds, decides and appends while it holds it, and first ends a line that a
//! dead writer left unfinished.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::time::{Duration, Instant};

use hansei_core::event::{Event, Line, ReadLine, VERSION, read_line};
use hansei_core::ledger::Ledger;
use hansei_core::session_name;

use crate::clock;
use crate::folder::Folder;
use crate::redacted::Redacted;

/// The workspace's own log. No session's name begins like this.
const WORKSPACE: &str = "~workspace.jsonl";
const LARGEST_WORKSPACE: u64 = 64 * 1024 * 1024;

/// A log that this process may append to.
#[derive(Debug)]
pub struct SessionLog {
    file: File,
    ledger: Ledger,
    lines: u64,
    unfinished: bool,
}

/// Why a log cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// Another process is capturing this session.
    #[error("another process is capturing this session")]
    CaptureRunning,
    /// Another process held the log for too long.
    #[error("the log was locked for too long")]
    Busy,
    /// The file system refused.
    #[error("the log cannot be used: {0}")]
    Io(#[from] io::Error),
}

/// What to do when the lock is held by a capture of the same session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenCapturing {
    /// Give way at once: this is a second call for the same stop.
    GiveWay,
    /// Wait for it: this is something else.
    Wait,
}

impl SessionLog {
    /// Locks the log of `session` in `folder`, waiting for short writers up to `patience`.
    pub fn lock(
        folder: &Folder,
        session: &str,
        when_capturing: WhenCapturing,
        patience: Duration,
    ) -> Result<Self, LogError> {
        Self::lock_file(folder, &file_name(session), when_capturing, patience)
    }

    /// Locks the log of the workspace itself: what its user said about all sessions in it.
    pub fn lock_workspace(folder: &Folder, patience: Duration) -> Result<Self, LogError> {
        Self::lock_file(folder, WORKSPACE, WhenCapturing::Wait, patience)
    }

    fn lock_file(
        folder: &Folder,
        name: &str,
        when_capturing: WhenCapturing,
        patience: Duration,
    ) -> Result<Self, LogError> {
        let mut file = folder.open_to_append(name)?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
            // Whoever captures says so before anything else, so a held lock with an open capture is a capture.
            if when_capturing == WhenCapturing::GiveWay && is_reflecting(&Content::read(&mut file)?.ledger())
            {
                return Err(LogError::CaptureRunning);
            }
            if start.elapsed() > patience {
                return Err(LogError::Busy);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let content = Content::read(&mut file)?;
        // A judge that asks a model lets go of the lock meanwhile, and says until when it is at work.
        if when_capturing == WhenCapturing::GiveWay && is_judging(&content.ledger()) {
            return Err(LogError::CaptureRunning);
        }
        Ok(Self { ledger: content.ledger(), lines: content.count, unfinished: content.unfinished, file })
    }

    /// What the log says so far.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Appends an event.
    pub fn append(&mut self, event: Event) -> Result<(), LogError> {
        let line = Line { v: VERSION, seq: self.lines + 1, time: clock::now(), event };
        let redacted = Redacted::new(&line).map_err(io::Error::from)?;
        let mut bytes = redacted.line();
        if self.unfinished {
            bytes.insert(0, b'\n');
        }
        // One call, so that a kill leaves all of it or none.
        self.file.write_all(&bytes)?;
        self.unfinished = false;
        self.lines += 1;
        self.ledger.apply(&line);
        Ok(())
    }

    /// Makes what was appended survive a power cut.
    pub fn sync(&self) -> Result<(), LogError> {
        Ok(self.file.sync_data()?)
    }
}

/// The name of a session's log.
pub fn file_name(session: &str) -> String {
    format!("{}.jsonl", session_name::safe(session))
}

/// All whole lines of the workspace's own log; none where there is no such log. Needs no lock.
pub fn read_workspace(folder: &Folder) -> io::Result<Vec<Line>> {
    match folder.read(WORKSPACE, LARGEST_WORKSPACE) {
        Ok(bytes) => Ok(Content::of(&bytes).known),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Whether somebody is at work on a stop: whoever holds the lock, or who let it go to ask a model.
fn is_reflecting(ledger: &Ledger) -> bool {
    ledger.capture_is_open() || is_judging(ledger)
}

fn is_judging(ledger: &Ledger) -> bool {
    ledger.judging_until().is_some_and(|until| *until > clock::now())
}

/// All whole lines of the log of `session` that this version understands. Needs no lock.
pub fn read(folder: &Folder, session: &str) -> io::Result<Vec<Line>> {
    Ok(Content::of(&folder.read(&file_name(session), u64::MAX - 1)?).known)
}

/// Every session's log in `folder`, each under the name of its session as a part of a file name. Needs no lock.
pub fn all(folder: &Folder) -> io::Result<Vec<(String, Vec<Line>)>> {
    let names = folder.names()?.into_iter();
    // The workspace's own log begins with what no session's does.
    let sessions = names.filter_map(|name| {
        let session =
            name.strip_suffix(".jsonl").filter(|session| !session.starts_with(['~', '.']))?.to_owned();
        let bytes = folder.read(&name, u64::MAX - 1).ok()?;
        Some((session, Content::of(&bytes).known))
    });
    Ok(sessions.collect())
}

struct Content {
    known: Vec<Line>,
    count: u64,
    unfinished: bool,
}

impl Content {
    fn read(file: &mut File) -> io::Result<Self> {
        io::Seek::rewind(file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Self::of(&bytes))
    }

    fn of(bytes: &[u8]) -> Self {
        let unfinished = bytes.last().is_some_and(|last| *last != b'\n');
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let mut content = Self { known: Vec::new(), count: 0, unfinished };
        for line in &mut lines {
            content.count += 1;
            if let ReadLine::Known(line) = read_line(line) {
                content.known.push(line);
            }
        }
        content
    }

    fn ledger(&self) -> Ledger {
        Ledger::fold(&self.known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(5);

    fn log(folder: &Folder) -> SessionLog {
        SessionLog::lock(folder, "s", WhenCapturing::GiveWay, SOON).unwrap()
    }

    #[test]
    fn an_unfinished_line_is_ended_and_not_glued_to() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::existing(temporary.path()).unwrap();
        log(&folder).append(Event::TaskStarted).unwrap();
        folder.open_to_append("s.jsonl").unwrap().write_all(br#"{"v":1,"seq":2,"ti"#).unwrap();
        log(&folder).append(Event::CaptureStarted { attempt: 1 }).unwrap();
        let text = String::from_utf8(folder.read("s.jsonl", 1 << 20).unwrap()).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().nth(2).unwrap().contains(r#""seq":3"#));
        assert_eq!(read(&folder, "s").unwrap().len(), 2);
    }

    #[test]
    fn a_second_capture_gives_way_and_a_short_writer_is_waited_for() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::existing(temporary.path()).unwrap();
        let mut first = log(&folder);
        let second = SessionLog::lock(&folder, "s", WhenCapturing::GiveWay, Duration::from_millis(20));
        assert!(matches!(second, Err(LogError::Busy)), "not a capture yet");
        first.append(Event::CaptureStarted { attempt: 1 }).unwrap();
        let second = SessionLog::lock(&folder, "s", WhenCapturing::GiveWay, SOON);
        assert!(matches!(second, Err(LogError::CaptureRunning)));
        let waiting = SessionLog::lock(&folder, "s", WhenCapturing::Wait, Duration::from_millis(20));
        assert!(matches!(waiting, Err(LogError::Busy)));
        drop(first);
        assert!(log(&folder).ledger().capture_is_open(), "a dead capture does not block");
    }

    #[test]
    fn secrets_do_not_reach_the_log() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::existing(temporary.path()).unwrap();
        let token = format!("ghp_{}", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
        let event = Event::CaptureFailed { reason: format!("bad {token}") };
        log(&folder).append(event).unwrap();
        let text = String::from_utf8(folder.read("s.jsonl", 1 << 20).unwrap()).unwrap();
        assert!(!text.contains(&token) && text.contains("[REDACTED:"), "{text}");
    }
}
