//! The transcripts of Claude Code's sub-agents: `<session>/subagents/agent-<id>.jsonl`, and `agent-<id>.jsonl` beside the
//! session in older versions. They are read along with the session, each line at its moment.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The most sub-agents of a session whose transcripts are read, and the most bytes of all of them.
const MOST_AGENTS: usize = 256;
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Those of one session.
pub(super) struct SubAgents {
    folders: [PathBuf; 2],
    known: BTreeSet<String>,
    bytes: u64,
    /// Those that have more to tell.
    pub(super) open: Vec<SubAgent>,
}

/// One of them, being read.
pub(super) struct SubAgent {
    /// The call that started it.
    pub(super) call: String,
    input: BufReader<io::Take<File>>,
    /// A line that is not due yet, and when it is.
    waiting: Option<(String, Vec<u8>)>,
}

impl SubAgents {
    pub(super) fn of(session: &Path) -> Self {
        let beside = session.parent().map(Path::to_owned).unwrap_or_default();
        let folders = [session.with_extension("").join("subagents"), beside];
        Self { folders, known: BTreeSet::new(), bytes: MOST_BYTES, open: Vec::new() }
    }

    /// Begins to read the one with this id, if its transcript is there.
    pub(super) fn begin(&mut self, id: &str, call: &str) {
        let is_id =
            (1..=64).contains(&id.len()) && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        if !is_id || self.known.len() == MOST_AGENTS || !self.known.insert(id.to_owned()) {
            return;
        }
        let files = self.folders.iter().map(|folder| folder.join(format!("agent-{id}.jsonl")));
        let file =
            files.into_iter().find(|file| std::fs::symlink_metadata(file).is_ok_and(|meta| meta.is_file()));
        let Some(file) = file.and_then(|file| File::open(file).ok()) else { return };
        let size = file.metadata().map_or(0, |meta| meta.len()).min(self.bytes);
        self.bytes -= size;
        let input = BufReader::with_capacity(64 * 1024, io::Read::take(file, size));
        self.open.push(SubAgent { call: call.to_owned(), input, waiting: None });
    }
}

impl SubAgent {
    /// The next line that is due at `moment`; none at the end, and where it cannot be read.
    pub(super) fn next(&mut self, moment: Option<&str>) -> Option<Vec<u8>> {
        let due = |(at, _): &mut (String, Vec<u8>)| moment.is_none_or(|moment| at.as_str() <= moment);
        if self.waiting.is_some() {
            return self.waiting.take_if(due).map(|(_, line)| line);
        }
        let mut line = Vec::new();
        let read = self.input.read_until(b'\n', &mut line).unwrap_or_default();
        (read > 0).then_some(line)
    }

    /// Puts a line back until it is due.
    pub(super) fn hold(&mut self, at: String, line: Vec<u8>) {
        self.waiting = Some((at, line));
    }

    /// Whether there is more to tell, later.
    pub(super) fn waits(&self) -> bool {
        self.waiting.is_some()
    }
}
