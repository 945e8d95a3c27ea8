//! Finding and reading the sessions that agents leave on disk. Reading streams: no more than one line is held.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hansei_core::session::{SessionEvent, What};
use hansei_core::timestamp::Timestamp;

use crate::Adapter;
use crate::mended::{mended, without_halves};

/// The longest line that is read; a longer one is counted as unknown.
const LONGEST_LINE: usize = 256 * 1024 * 1024;

/// Where agents keep their files, from the user's environment.
#[derive(Debug, Clone, Default)]
pub struct Homes {
    /// The user's home folder.
    pub home: PathBuf,
    /// `CLAUDE_CONFIG_DIR`.
    pub claude: Option<PathBuf>,
    /// `CODEX_HOME`.
    pub codex: Option<PathBuf>,
    /// `XDG_DATA_HOME`.
    pub data: Option<PathBuf>,
}

impl Homes {
    /// The folder where programs keep a user's data.
    pub fn data_folder(&self) -> PathBuf {
        self.data.clone().unwrap_or_else(|| self.home.join(".local/share"))
    }
}

/// A session on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The agent's name.
    pub agent: &'static str,
    /// The agent's id for the session.
    pub id: String,
    /// The file, or the database, that holds it.
    pub file: PathBuf,
    /// When it was last written.
    pub modified: SystemTime,
    /// How large it is, in bytes.
    pub size: u64,
}

/// How a session is read while its agent waits for a hook.
#[derive(Debug)]
pub enum Live {
    /// From the file that the payload names.
    File {
        /// The folders in which the agent keeps such files: none elsewhere is believed.
        folders: fn(&Homes) -> Vec<PathBuf>,
        /// Whether a file of this name, without its ending, may be that of a session.
        names: fn(&str, &str) -> bool,
        /// Whether the agent's last words may come into the file after the hook was called.
        lags: bool,
    },
    /// From the messages that our plugin sends along.
    Sent(fn(&str, &mut Sink<'_>) -> io::Result<Reading>),
}

/// The largest file that is read while an agent waits.
const LARGEST_LIVE: u64 = 512 * 1024 * 1024;

/// The file at `path` as the live session `id` of `adapter`, or why it is not believed to be that: a payload could name
/// any file.
pub fn believed(adapter: &Adapter, homes: &Homes, path: &Path, id: &str) -> Result<Found, String> {
    let Live::File { folders, names, .. } = &adapter.live else {
        return Err(format!("{} keeps no transcript in a file", adapter.name));
    };
    let not = |why: &str| format!("the transcript {} is not read: {why}", path.display());
    let file = path.canonicalize().map_err(|error| not(&error.to_string()))?;
    let inside = |folder: PathBuf| folder.canonicalize().is_ok_and(|folder| file.starts_with(folder));
    if !folders(homes).into_iter().any(inside) {
        return Err(not("it lies outside the agent's own folder"));
    }
    let meta = std::fs::symlink_metadata(&file).map_err(|error| not(&error.to_string()))?;
    let ending = file.extension().is_some_and(|ending| ending == "jsonl" || ending == "json");
    if !meta.is_file() || !ending {
        return Err(not("it is no transcript"));
    }
    if meta.len() > LARGEST_LIVE {
        return Err(not("it is too large"));
    }
    let stem = file.file_stem().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    if !names(stem, id) {
        return Err(not("it belongs to another session"));
    }
    let modified = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    Ok(Found { agent: adapter.name, id: id.to_owned(), file, modified, size: meta.len() })
}

/// What a reader met on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// Lines or records.
    pub lines: u64,
    /// Those of a kind that is not known.
    pub unknown: u64,
    /// Whether the last line was unfinished.
    pub torn: bool,
}

/// Takes the events of a session, one by one.
pub type Sink<'a> = dyn FnMut(SessionEvent) + 'a;

/// Gives each line of `file` to `take`, which says whether it knew it.
pub(crate) fn each_line(file: &Path, take: impl FnMut(&[u8]) -> Known) -> io::Result<Reading> {
    each_line_of(File::open(file)?, take)
}

/// Gives each line of `input` to `take`, which says whether it knew it.
pub(crate) fn each_line_of(
    input: impl io::Read,
    mut take: impl FnMut(&[u8]) -> Known,
) -> io::Result<Reading> {
    let mut input = BufReader::with_capacity(256 * 1024, input);
    let mut line = Vec::new();
    let mut reading = Reading::default();
    loop {
        line.clear();
        if io::Read::take(&mut input, LONGEST_LINE as u64).read_until(b'\n', &mut line)? == 0 {
            return Ok(reading);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        reading.lines += 1;
        // What is read only where it is needed would refuse them later.
        if let Cow::Owned(whole) = without_halves(&line) {
            line = whole;
        }
        let known = match take(&line) {
            Known::No => mended(&line).map_or(Known::No, |line| take(&line)),
            known @ Known::Yes => known,
        };
        match known {
            Known::Yes => {}
            Known::No if line.ends_with(b"\n") => reading.unknown += 1,
            // An agent is writing it, or died while it did.
            Known::No => reading.torn = true,
        }
    }
}

/// Whether a line was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Yes,
    No,
}

/// How deep sub-agents that start sub-agents are followed.
pub(crate) const DEEPEST_SUB_AGENT: u8 = 4;

/// The most sub-agents of a session that are read from files of their own, and the largest transcript of one.
pub(crate) const MOST_SUB_AGENTS: usize = 64;
pub(crate) const LARGEST_SUB_AGENT: u64 = 16 * 1024 * 1024;

/// What a sub-agent that `call` started did, as an event of the session that it works for. What else its own transcript
/// tells belongs to nobody else. The names of its calls are its own too.
pub(crate) fn by_sub_agent(call: &str, event: SessionEvent) -> Option<SessionEvent> {
    let own = |id: String| format!("{call}/{id}");
    let what = match event.what {
        What::Called { call, tool, input, action } => What::Called { call: own(call), tool, input, action },
        What::Answered { call, output, end, exit_code } => {
            What::Answered { call: own(call), output, end, exit_code }
        }
        What::BySubAgent { call, what } => What::BySubAgent { call: call.map(own), what },
        What::Said { text } => What::Said { text },
        _ => return None,
    };
    let what = What::BySubAgent { call: Some(call.to_owned()), what: Box::new(what) };
    Some(SessionEvent { what, ..event })
}

/// The files with `ending` in `folder`, and `depth` folders below it. What cannot be read is passed over.
pub(crate) fn files_below(
    folder: &Path,
    depth: usize,
    ending: &str,
    found: &mut Vec<(PathBuf, SystemTime, u64)>,
) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(meta) = entry.metadata() else { continue };
        let path = entry.path();
        if meta.is_dir() && depth > 0 {
            files_below(&path, depth - 1, ending, found);
        } else if meta.is_file() && path.as_os_str().as_encoded_bytes().ends_with(ending.as_bytes()) {
            found.push((path, meta.modified().unwrap_or(SystemTime::UNIX_EPOCH), meta.len()));
        }
    }
}

/// The moment that `text` names in UTC, if it does.
pub(crate) fn moment(text: Option<&str>) -> Option<Timestamp> {
    Timestamp::try_from(text?.to_owned()).ok()
}

/// The moment that `text` names in any of the forms of ISO 8601; one without an offset is taken as UTC.
pub(crate) fn any_moment(text: &str) -> Option<Timestamp> {
    if let Some(moment) = moment(Some(text)) {
        return Some(moment);
    }
    let utc = text.parse::<jiff::Timestamp>().ok().or_else(|| {
        let local = text.parse::<jiff::civil::DateTime>().ok()?;
        Some(local.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
    })?;
    Timestamp::try_from(utc.to_string()).ok()
}

/// The moment `millis` milliseconds after 1970 began.
pub(crate) fn moment_of_millis(millis: i64) -> Option<Timestamp> {
    let moment = jiff::Timestamp::from_millisecond(millis).ok()?;
    Timestamp::try_from(format!("{moment:.3}")).ok()
}

/// For an agent whose sessions lie in a database, in a program that is built without one.
#[cfg(not(feature = "transcripts"))]
pub(crate) fn none(_: &Homes) -> Vec<Found> {
    Vec::new()
}

/// The same for reading one of them.
#[cfg(not(feature = "transcripts"))]
pub(crate) fn unreadable(_: &Found, _: &mut Sink<'_>) -> io::Result<Reading> {
    Err(io::ErrorKind::Unsupported.into())
}
