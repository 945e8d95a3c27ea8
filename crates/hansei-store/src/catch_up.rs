//! Reads on where reading ended before: each line of each log once, each record when it changed.
//!
//! How far a file was read stands in the store, in the same transaction as what was read. Who finds that somebody else has
//! read on meanwhile leaves it to them and looks again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::time::{SystemTime, UNIX_EPOCH};

use hansei_core::report::summary::{self, Summary, reflection_id};
use hansei_record::folder::Folder;
use sha2::{Digest as _, Sha256};

use crate::dump::hex;
use crate::fault::StoreError;
use crate::projection::{self, Projector};
use crate::rows::{Source, StreamHead, StreamName};
use crate::store::{Change, Effect, Extension, Filter, Known, Pending, Store};

/// A commit holds about so many events, and about so many bytes of them.
pub const EVENTS_IN_A_COMMIT: usize = 4096;
const BYTES_IN_A_COMMIT: usize = 8 * 1024 * 1024;
/// So many commits may wait for the disk while more is read.
const AHEAD: usize = 2;
/// What a line that is no event is cut to.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;
/// How much of a file's beginning, and of what was last read, tells it from another.
const MARK: u64 = 1024;
const LARGEST_RECORD: u64 = 64 * 1024 * 1024;
/// So often it is looked again for what somebody else was reading too.
const ROUNDS: u32 = 20;
const ENDING: &str = ".jsonl";

/// A workspace's folders; none that is not there.
#[derive(Debug)]
pub struct Sources<'a> {
    /// The workspace's name in the store.
    pub workspace: &'a str,
    /// The logs.
    pub log: Option<&'a Folder>,
    /// The reflections.
    pub reflections: Option<&'a Folder>,
    /// The verdicts.
    pub verdicts: Option<&'a Folder>,
}

/// What becomes of rows whose file is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenGone {
    /// They go too: the store is an index of the files.
    Forget,
    /// They stay: the store is the team's log, and files are kept for a while only.
    Keep,
}

/// What was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CaughtUp {
    /// Logs that were looked at.
    pub logs: u64,
    /// Logs that had something new.
    pub logs_read: u64,
    /// Logs that were replaced or cut, and read from the start.
    pub logs_replaced: u64,
    /// New events, and lines that are none.
    pub events: u64,
    /// Lines among them that are no events.
    pub malformed: u64,
    /// Records of reflections and verdicts that were read.
    pub records: u64,
    /// Rows that went with their files.
    pub forgotten: u64,
}

/// Why the store could not catch up.
#[derive(Debug, thiserror::Error)]
pub enum CatchUpError {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read.
    #[error("{file}: {error}")]
    File {
        /// Which.
        file: String,
        /// Why.
        error: io::Error,
    },
}

/// Brings the store up to date with a workspace's files. `progress` is told the events so far.
pub fn catch_up(
    store: &mut dyn Store,
    sources: &Sources<'_>,
    when_gone: WhenGone,
    progress: &mut dyn FnMut(u64),
) -> Result<CaughtUp, CatchUpError> {
    let mut done = CaughtUp::default();
    for _ in 0..ROUNDS {
        done.logs = 0;
        let mut commits = Commits::new(store, done, progress);
        logs(&mut commits, sources, when_gone)?;
        records(&mut commits, sources, when_gone)?;
        let overtaken;
        (done, overtaken) = commits.finish()?;
        if !overtaken {
            break;
        }
    }
    Ok(done)
}

/// Changes on their way into the store, some commits ahead of the disk.
struct Commits<'a> {
    store: &'a mut dyn Store,
    progress: &'a mut dyn FnMut(u64),
    changes: Vec<Change>,
    tallies: Vec<CaughtUp>,
    events: usize,
    bytes: usize,
    waiting: VecDeque<(Pending, Vec<CaughtUp>)>,
    done: CaughtUp,
    overtaken: bool,
}

impl<'a> Commits<'a> {
    fn new(store: &'a mut dyn Store, done: CaughtUp, progress: &'a mut dyn FnMut(u64)) -> Self {
        Self {
            store,
            progress,
            changes: Vec::new(),
            tallies: Vec::new(),
            events: 0,
            bytes: 0,
            waiting: VecDeque::new(),
            done,
            overtaken: false,
        }
    }

    fn room(&self) -> bool {
        self.events < EVENTS_IN_A_COMMIT && self.bytes < BYTES_IN_A_COMMIT
    }

    /// Adds a change, and what it amounts to once it is acknowledged.
    fn add(&mut self, change: Change, bytes: usize, tally: CaughtUp) -> Result<(), CatchUpError> {
        self.events += usize::try_from(change.weight().events).unwrap_or(usize::MAX).max(1);
        self.bytes += bytes;
        self.changes.push(change);
        self.tallies.push(tally);
        if self.room() { Ok(()) } else { self.commit() }
    }

    fn commit(&mut self) -> Result<(), CatchUpError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let pending = self.store.send(std::mem::take(&mut self.changes));
        self.waiting.push_back((pending, std::mem::take(&mut self.tallies)));
        (self.events, self.bytes) = (0, 0);
        while self.waiting.len() > AHEAD {
            self.acknowledge()?;
        }
        Ok(())
    }

    fn acknowledge(&mut self) -> Result<(), CatchUpError> {
        let Some((pending, tallies)) = self.waiting.pop_front() else { return Ok(()) };
        for (effect, tally) in pending.wait()?.into_iter().zip(tallies) {
            if effect == Effect::Overtaken {
                self.overtaken = true;
            } else {
                self.done.logs_read += tally.logs_read;
                self.done.logs_replaced += tally.logs_replaced;
                self.done.events += tally.events;
                self.done.malformed += tally.malformed;
                self.done.records += tally.records;
                self.done.forgotten += tally.forgotten;
            }
        }
        (self.progress)(self.done.events);
        Ok(())
    }

    fn finish(mut self) -> Result<(CaughtUp, bool), CatchUpError> {
        self.commit()?;
        while !self.waiting.is_empty() {
            self.acknowledge()?;
        }
        Ok((self.done, self.overtaken))
    }
}

fn logs(commits: &mut Commits<'_>, sources: &Sources<'_>, when_gone: WhenGone) -> Result<(), CatchUpError> {
    let mut heads = commits.store.streams(sources.workspace)?;
    for (name, head) in &mut heads {
        if head.fold != summary::VERSION {
            fold_again(commits, &StreamName::new(sources.workspace, name), head)?;
        }
    }
    let mut names: Vec<String> = match sources.log {
        Some(folder) => folder.names().map_err(|error| file_error(folder, "", error))?,
        None => Vec::new(),
    };
    names.retain(|name| name.ends_with(ENDING) && !name.starts_with('.'));
    names.sort();
    for file in names.iter().filter(|_| sources.log.is_some()) {
        let Some(folder) = sources.log else { break };
        let name = file.strip_suffix(ENDING).unwrap_or(file);
        commits.done.logs += 1;
        let head = heads.remove(name).filter(|head| head.source == Source::File);
        match read_log(commits, folder, file, &StreamName::new(sources.workspace, name), head) {
            // It went while we looked; the next time it is gone.
            Err(CatchUpError::File { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
            other => other?,
        }
    }
    if when_gone == WhenGone::Forget {
        for (name, _) in heads.into_iter().filter(|(_, head)| head.source == Source::File) {
            let change = Change::Forget(StreamName::new(sources.workspace, name));
            commits.add(change, 0, CaughtUp { forgotten: 1, ..CaughtUp::default() })?;
        }
    }
    Ok(())
}

/// Folds a stream again from the events that the store keeps, after the fold changed.
fn fold_again(
    commits: &mut Commits<'_>,
    stream: &StreamName,
    head: &mut StreamHead,
) -> Result<(), CatchUpError> {
    let mut projector = Projector::new(stream, Summary::default());
    let mut bytes = 0;
    loop {
        let page = commits.store.events(stream, projector.summary.lines, 2000)?;
        if page.is_empty() {
            break;
        }
        for event in page {
            bytes += event.body.len();
            projector.take(&event.body);
        }
    }
    let expected = Some((head.bytes, head.mark.clone()));
    head.fold = summary::VERSION;
    head.summary = projector.summary.clone();
    let change = extension(projector, expected, true, head.clone());
    commits.add(change, bytes, CaughtUp::default())
}

fn extension(
    projector: Projector<'_>,
    expected: Option<(u64, String)>,
    from_start: bool,
    head: StreamHead,
) -> Change {
    let Projector { stream, events, verdicts, outcomes, .. } = projector;
    let stream = stream.clone();
    Change::Extend(Box::new(Extension { stream, expected, from_start, events, verdicts, outcomes, head }))
}

fn read_log(
    commits: &mut Commits<'_>,
    folder: &Folder,
    file_name: &str,
    stream: &StreamName,
    head: Option<StreamHead>,
) -> Result<(), CatchUpError> {
    let wrong = |error| file_error(folder, file_name, error);
    let (size, modified) = folder.size_and_time(file_name).map_err(wrong)?;
    let modified = nanoseconds(modified);
    if head.as_ref().is_some_and(|head| head.size == size && head.modified == modified) {
        return Ok(());
    }
    let mut expected = head.as_ref().map(|head| (head.bytes, head.mark.clone()));
    let before = head.unwrap_or_else(|| StreamHead::new(Source::File));
    let mut file = folder.open_to_read(file_name).map_err(wrong)?;
    let mut mark = Mark::at(&mut file, before.bytes).map_err(wrong)?;
    let is_same = before.bytes == 0 || mark.as_ref().is_some_and(|mark| mark.text() == before.mark);
    let (mut bytes, summary) = if is_same { (before.bytes, before.summary) } else { (0, Summary::default()) };
    let mut from_start = !is_same;
    if !is_same {
        mark = Some(Mark::default());
    }
    let mut mark = mark.unwrap_or_default();
    file.seek(SeekFrom::Start(bytes)).map_err(wrong)?;
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    let mut projector = Projector::new(stream, summary);
    let mut line = Vec::new();
    let (mut taken, mut malformed) = (0, projector.summary.malformed);
    let mut first = CaughtUp { logs_read: 1, logs_replaced: u64::from(from_start), ..CaughtUp::default() };
    loop {
        let more = next_line(&mut reader, &mut line).map_err(wrong)?;
        if let Some(length) = more {
            bytes += length;
            taken += line.len();
            mark.extend(&line);
            projector.take(line.strip_suffix(b"\n").unwrap_or(&line));
        }
        let is_full = commits.events + projector.events.len() >= EVENTS_IN_A_COMMIT
            || commits.bytes + taken >= BYTES_IN_A_COMMIT;
        if more.is_some() && !is_full {
            continue;
        }
        let summary = projector.summary.clone();
        let tally = CaughtUp {
            events: projector.events.len() as u64,
            malformed: summary.malformed - malformed,
            ..std::mem::take(&mut first)
        };
        malformed = summary.malformed;
        let (size, modified) = if more.is_some() { (bytes, -1) } else { (size, modified) };
        let text = mark.text();
        let head = StreamHead {
            source: Source::File,
            bytes,
            size,
            modified,
            mark: text.clone(),
            fold: summary::VERSION,
            summary: summary.clone(),
        };
        let full = std::mem::replace(&mut projector, Projector::new(stream, summary));
        let change = extension(full, expected.replace((bytes, text)), std::mem::take(&mut from_start), head);
        commits.add(change, std::mem::take(&mut taken), tally)?;
        if more.is_none() {
            return Ok(());
        }
    }
}

/// Reads the next whole line into `line`, with its line feed, and gives its length. One that is too long is cut.
fn next_line(reader: &mut BufReader<File>, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
    line.clear();
    let mut length = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', line)? as u64;
    if line.last() == Some(&b'\n') {
        return Ok(Some(length));
    }
    if length < LONGEST_LINE {
        return Ok(None);
    }
    let mut rest = Vec::new();
    while rest.last() != Some(&b'\n') {
        rest.clear();
        let more = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest)? as u64;
        if more == 0 {
            return Ok(None);
        }
        length += more;
    }
    line.truncate(usize::try_from(MARK).unwrap_or_default());
    line.extend_from_slice(&rest[rest.len().saturating_sub(1)..]);
    Ok(Some(length))
}

/// What tells a file from another: how it begins, and what was last read of it.
#[derive(Debug, Default)]
struct Mark {
    begins: Vec<u8>,
    ends: Vec<u8>,
}

impl Mark {
    /// The mark of `file`, had it been read up to `bytes`; none if it is shorter.
    fn at(file: &mut File, bytes: u64) -> io::Result<Option<Self>> {
        let length = bytes.min(MARK);
        let mut mark = Self::default();
        for (from, part) in [(0, &mut mark.begins), (bytes - length, &mut mark.ends)] {
            file.seek(SeekFrom::Start(from))?;
            if file.by_ref().take(length).read_to_end(part)? as u64 != length {
                return Ok(None);
            }
        }
        Ok(Some(mark))
    }

    fn extend(&mut self, read: &[u8]) {
        let most = usize::try_from(MARK).unwrap_or_default();
        let missing = most.saturating_sub(self.begins.len()).min(read.len());
        self.begins.extend_from_slice(&read[..missing]);
        self.ends.extend_from_slice(&read[read.len().saturating_sub(most)..]);
        if self.ends.len() > most * 64 {
            self.ends.drain(..self.ends.len() - most);
        }
    }

    fn text(&self) -> String {
        let most = usize::try_from(MARK).unwrap_or_default();
        let mut digest = Sha256::new();
        digest.update((self.begins.len() as u64).to_le_bytes());
        digest.update(&self.begins);
        digest.update(&self.ends[self.ends.len().saturating_sub(most)..]);
        hex(&digest.finalize())
    }
}

fn records(
    commits: &mut Commits<'_>,
    sources: &Sources<'_>,
    when_gone: WhenGone,
) -> Result<(), CatchUpError> {
    let workspace = sources.workspace;
    let known = commits.store.known_reflections(workspace)?;
    let gone = read_records(commits, sources.reflections, &known, &REFLECTION, |name, content, error| {
        let mut row = projection::reflection(workspace, reflection_id(name), content);
        row.error = error.or(row.error);
        Change::PutReflection(Box::new(row))
    })?;
    if when_gone == WhenGone::Forget {
        for name in &gone {
            let change = Change::ForgetReflection(workspace.to_owned(), name.clone());
            commits.add(change, 0, CaughtUp { forgotten: 1, ..CaughtUp::default() })?;
        }
    } else if gone.iter().any(|name| known.get(name).is_some_and(is_stale)) {
        let filter = Filter { workspaces: vec![workspace.to_owned()], ..Filter::default() };
        for row in commits.store.reflections(&filter)?.into_iter().map(|found| found.reflection) {
            if row.file.fold != summary::VERSION && gone.contains(&row.name) {
                let content = (row.file.size, row.file.modified, row.file.body.as_slice());
                let row = projection::reflection(workspace, &row.name, content);
                commits.add(Change::PutReflection(Box::new(row)), 0, CaughtUp::default())?;
            }
        }
    }
    let known = commits.store.known_verdict_records(workspace)?;
    let gone = read_records(commits, sources.verdicts, &known, &VERDICT, |name, content, _| {
        Change::PutVerdictRecord(Box::new(projection::verdict_record(workspace, name, content)))
    })?;
    if when_gone == WhenGone::Forget {
        for name in &gone {
            let change = Change::ForgetVerdictRecord(workspace.to_owned(), name.clone());
            commits.add(change, 0, CaughtUp { forgotten: 1, ..CaughtUp::default() })?;
        }
    } else if gone.iter().any(|name| known.get(name).is_some_and(is_stale)) {
        let filter = Filter { workspaces: vec![workspace.to_owned()], ..Filter::default() };
        for row in commits.store.verdict_records(&filter)? {
            if row.file.fold != summary::VERSION && gone.contains(&row.name) {
                let content = (row.file.size, row.file.modified, row.file.body.as_slice());
                let row = projection::verdict_record(workspace, &row.name, content);
                commits.add(Change::PutVerdictRecord(Box::new(row)), 0, CaughtUp::default())?;
            }
        }
    }
    Ok(())
}

fn is_stale(known: &Known) -> bool {
    known.2 != summary::VERSION
}

/// Which files of a folder are records: how their names end, and what stands before that is cut off.
struct Kind {
    ending: &'static str,
    kept: &'static str,
    /// Files that begin so hold what another file holds too.
    skipped: Option<&'static str>,
}

const REFLECTION: Kind = Kind { ending: ".reflection.json", kept: "", skipped: None };
const VERDICT: Kind = Kind { ending: ".json", kept: ".json", skipped: Some("verdict_") };

/// Reads the records that are new or changed. Gives the names that are known and no longer there.
fn read_records(
    commits: &mut Commits<'_>,
    folder: Option<&Folder>,
    known: &BTreeMap<String, Known>,
    kind: &Kind,
    put: impl Fn(&str, projection::Content<'_>, Option<String>) -> Change,
) -> Result<BTreeSet<String>, CatchUpError> {
    let mut gone: BTreeSet<String> = known.keys().cloned().collect();
    let Some(folder) = folder else { return Ok(gone) };
    let mut files = folder.names().map_err(|error| file_error(folder, "", error))?;
    files.sort();
    for file in files {
        let is_other = kind.skipped.is_some_and(|skipped| file.starts_with(skipped));
        let Some(stem) = file.strip_suffix(kind.ending).filter(|_| !file.starts_with('.') && !is_other)
        else {
            continue;
        };
        let name = format!("{stem}{}", kind.kept);
        let Ok((size, modified)) = folder.size_and_time(&file) else { continue };
        let modified = nanoseconds(modified);
        gone.remove(&name);
        if known.get(&name) == Some(&(size, modified, summary::VERSION)) {
            continue;
        }
        let (body, error) = match folder.read(&file, LARGEST_RECORD) {
            Ok(body) => (body, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let change = put(&name, (size, modified, &body), error);
        commits.add(change, body.len(), CaughtUp { records: 1, ..CaughtUp::default() })?;
    }
    Ok(gone)
}

fn nanoseconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_nanos()).ok())
        .unwrap_or_default()
}

fn file_error(folder: &Folder, name: &str, error: io::Error) -> CatchUpError {
    CatchUpError::File { file: folder.path().join(name).display().to_string(), error }
}
