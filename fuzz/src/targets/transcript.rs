//! A transcript of lines, found and read as the agent's sessions are.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hansei_agents::adapter_named;
use hansei_agents::transcript::{Found, Homes, Reading};
use hansei_core::session::SessionEvent;

use crate::{scratch, session_holds};

/// Reads `bytes` as the session that `agent` left in `place` below the user's home.
pub(super) fn check(agent: &'static str, place: &str, bytes: &[u8]) {
    let home = scratch::folder(agent);
    let file = home.join(place);
    let (events, reading) = written_and_read(agent, &file, bytes);
    let adapter = adapter_named(agent).expect("the agent is known");
    let found = (adapter.sessions)(&Homes { home, ..Homes::default() });
    // A sub-agent's session is not listed.
    assert!(found.iter().all(|found| found.file == file) && found.len() <= 1, "{found:?}");
    session_holds::check(&events);
    if file.extension().is_some_and(|ending| ending == "json") {
        return;
    }
    let is_blank = |line: &&[u8]| line.iter().all(u8::is_ascii_whitespace);
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !is_blank(line)).count();
    assert_eq!(reading.lines, lines as u64);
    assert!(!reading.torn || !bytes.ends_with(b"\n"), "only an unfinished line is torn");

    // Torn at a place that the bytes themselves choose, the same is read of what stands before it.
    let sum = bytes.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    let cut = sum % (bytes.len() + 1);
    let (_, of_cut) = written_and_read(agent, &file, &bytes[..cut]);
    assert!(of_cut.lines <= reading.lines && of_cut.unknown <= reading.unknown, "{of_cut:?} of {reading:?}");
}

fn written_and_read(agent: &'static str, file: &Path, bytes: &[u8]) -> (Vec<SessionEvent>, Reading) {
    scratch::write(file, bytes);
    read(agent, "s", file.to_owned()).expect("a file that is there can be read")
}

/// The events of one session in `file`.
pub(super) fn read(
    agent: &'static str,
    id: &str,
    file: PathBuf,
) -> std::io::Result<(Vec<SessionEvent>, Reading)> {
    let found = Found { agent, id: id.to_owned(), file, modified: SystemTime::UNIX_EPOCH, size: 0 };
    let mut events = Vec::new();
    let reading = hansei_agents::read(&found, &mut |event| events.push(event))?;
    Ok((events, reading))
}
