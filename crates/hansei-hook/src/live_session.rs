//! The session as it stands at a stop, read through the agent's adapter.
//!
//! A payload is hostile until shown otherwise: a file is read only where the agent itself keeps such files.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use hansei_agents::Adapter;
use hansei_agents::transcript::{Found, Live, Reading, Sink, believed};
use hansei_core::session::{Session as CoreSession, SessionEvent, What};

use crate::environment::Environment;
use crate::in_time::within;
use crate::session::Session;
use crate::time_limit::TimeLimit;
use crate::unreadable::Unread;

/// How long an agent's last words are waited for.
const LAG: Duration = Duration::from_millis(150);
/// How long the file of a session is waited for: the first answer of a session may be given before anything is written.
const BIRTH: Duration = Duration::from_millis(800);
const POLL: Duration = Duration::from_millis(5);
/// How much of the end of a transcript is looked through for them.
const TAIL: u64 = 256 * 1024;

/// Where a session is read from.
pub(crate) enum Source<'s> {
    /// From a file.
    File(Found),
    /// From what came with the payload.
    Sent(&'s str),
}

impl<'s> Source<'s> {
    /// Where the session of this call is read from; none where the agent names nothing to read.
    pub(crate) fn of(
        adapter: &Adapter,
        environment: &Environment,
        session: &'s Session,
    ) -> Option<Result<Self, String>> {
        match (&adapter.live, &session.payload.transcript_path, &session.messages) {
            (Live::File { lags, .. }, Some(path), _) => {
                if *lags {
                    wait_until(BIRTH, || path.exists());
                }
                Some(believed(adapter, &environment.homes, path, &session.id).map(Self::File))
            }
            (Live::Sent(_), _, Some(messages)) => Some(Ok(Self::Sent(messages.get()))),
            _ => None,
        }
    }

    /// Reads and folds the session, with what the payload knows better.
    pub(crate) fn read(
        &self,
        adapter: &'static Adapter,
        session: &Session,
        limit: &TimeLimit,
    ) -> Result<CoreSession, Unread> {
        if let (Self::File(found), Live::File { lags: true, .. }) = (self, &adapter.live) {
            await_last_words(&found.file, session.payload.last_message.as_deref());
        }
        let reading = match (self, &adapter.live) {
            (Self::File(found), _) => {
                let found = found.clone();
                within(limit.weighing(), move || folded(|sink| hansei_agents::read(&found, sink)))
            }
            (Self::Sent(messages), Live::Sent(reader)) => {
                let messages = (*messages).to_owned();
                within(limit.weighing(), move || folded(|sink| reader(&messages, sink)))
            }
            (Self::Sent(_), Live::File { .. }) => {
                return Err(Unread::NoFile("the session cannot be read".to_owned()));
            }
        };
        let mut read = reading
            .ok_or(Unread::TimeRanOut)?
            .map_err(|error| Unread::NoFile(format!("the session cannot be read: {error}")))?;
        let payload = &session.payload;
        // A file may lag behind; what was sent along is the newest there is.
        if let (Self::File(_), Some(words)) = (self, payload.last_message.as_deref())
            && !payload.last_message_accumulates
            && !says_last(&read, words)
        {
            read.apply(&SessionEvent { at: None, id: None, what: What::Said { text: words.to_owned() } });
        }
        read.planning = payload.planning.unwrap_or(read.planning);
        let folder = payload.cwd.as_deref().filter(|folder| folder.is_absolute());
        let cwd = &mut read.circumstances.cwd;
        *cwd = cwd.take().or_else(|| folder?.to_str().map(str::to_owned));
        Ok(read)
    }

    /// How long the file is by now; what was sent does not grow.
    pub(crate) fn length(&self) -> u64 {
        match self {
            Self::File(found) => std::fs::metadata(&found.file).map(|meta| meta.len()).unwrap_or_default(),
            Self::Sent(messages) => messages.len() as u64,
        }
    }
}

/// The session that `read` streams.
fn folded(read: impl FnOnce(&mut Sink<'_>) -> std::io::Result<Reading>) -> std::io::Result<CoreSession> {
    let mut session = CoreSession::default();
    read(&mut |event: SessionEvent| session.apply(&event))?;
    Ok(session)
}

/// Whether the agent's last words in the transcript are these. Agents join and trim what they pass on.
fn says_last(session: &CoreSession, words: &str) -> bool {
    let turn = session.tasks.last().and_then(|task| task.turns.last());
    let last = turn.and_then(|turn| turn.last_words.as_ref());
    words.trim().is_empty()
        || last.is_some_and(|last| {
            let (head, tail) = (last.head.trim(), last.tail.trim());
            !head.is_empty()
                && words.contains(head)
                && words.trim_end().ends_with(if tail.is_empty() { head } else { tail })
        })
}

/// Waits until the end of `file` holds the end of `words`, but not for long.
fn await_last_words(file: &Path, words: Option<&str>) {
    let Some(words) = words.map(str::trim).filter(|words| !words.is_empty()) else { return };
    let start = words.char_indices().rev().nth(60).map_or(0, |(place, _)| place);
    let escaped = serde_json::Value::from(&words[start..]).to_string();
    let wanted = escaped.trim_matches('"').as_bytes();
    wait_until(LAG, || {
        tail(file).is_some_and(|tail| tail.windows(wanted.len()).any(|window| window == wanted))
    });
}

/// Waits until `is_so`, but no longer than `patience`.
fn wait_until(patience: Duration, is_so: impl Fn() -> bool) {
    let until = Instant::now() + patience;
    while !is_so() && Instant::now() < until {
        std::thread::sleep(POLL);
    }
}

fn tail(file: &Path) -> Option<Vec<u8>> {
    let mut file = std::fs::File::open(file).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut tail = Vec::new();
    file.take(2 * TAIL).read_to_end(&mut tail).ok()?;
    Some(tail)
}
