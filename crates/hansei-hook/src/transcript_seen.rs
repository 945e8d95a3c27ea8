//! How far a session's file was read, measured on the file itself.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use hansei_core::transcript_mark::{Fault, TranscriptMark};
use sha2::{Digest as _, Sha256};

use crate::live_session::Source;
use crate::session::Session;

/// How much of the beginning is known again.
const HEAD: u64 = 64 * 1024;
/// How much before the end is: what is cut out between moves it.
const TAIL: u64 = 4 * 1024;

/// Calls of a session, and how many of them have a result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calls {
    pub(crate) all: u64,
    pub(crate) answered: u64,
}

/// How far the file of `source` was read when it had `size` bytes; none where there is no file.
pub(crate) fn mark(
    source: &Source<'_>,
    session: &Session,
    size: u64,
    calls: Calls,
) -> Option<TranscriptMark> {
    let Source::File(found) = source else { return None };
    // Only lines are appended; a file of one object is written anew each time.
    let size = if found.file.extension().is_some_and(|ending| ending == "jsonl") { size } else { 0 };
    let (head, tail) = ends(&found.file, size).ok()?;
    Some(TranscriptMark { file: name(session)?, size, head, tail, answered: calls.answered })
}

/// What happened to the file of `source`, now of `size` bytes, since `known` was read.
pub(crate) fn fault(
    source: &Source<'_>,
    session: &Session,
    known: Option<&TranscriptMark>,
    size: u64,
    calls: Calls,
) -> Option<Fault> {
    let (Source::File(found), Some(known)) = (source, known) else { return None };
    if !is_same(known, session) {
        return None;
    }
    // What cannot be looked at is no accusation.
    let same = size < known.size
        || ends(&found.file, known.size)
            .map_or(true, |(head, tail)| head == known.head && tail == known.tail);
    Fault::of(known, size, same, calls.all, calls.answered)
}

/// Whether the payload names the file that `known` is about.
pub(crate) fn is_same(known: &TranscriptMark, session: &Session) -> bool {
    name(session).is_some_and(|name| name == known.file)
}

fn name(session: &Session) -> Option<String> {
    Some(digest(session.payload.transcript_path.as_deref()?.as_os_str().as_encoded_bytes()))
}

/// Digests of the beginning of the first `size` bytes of `file`, and of their end.
fn ends(file: &Path, size: u64) -> io::Result<(String, String)> {
    let mut file = File::open(file)?;
    let mut part = |from: u64, length: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        (&file).take(length).read_to_end(&mut bytes)?;
        Ok::<_, io::Error>(digest(&bytes))
    };
    let tail = size.min(TAIL);
    Ok((part(0, size.min(HEAD))?, part(size - tail, tail)?))
}

fn digest(bytes: &[u8]) -> String {
    let whole = Sha256::digest(bytes);
    let half = whole.iter().take(8).fold(0, |half: u64, byte| half << 8 | u64::from(*byte));
    format!("{half:016x}")
}
