//! The git history of task files: when each task was marked done, and when that was taken back.
//!
//! A task is a file with one `status` (YAML, TOML, JSON or front matter), an entry with an id and a status in a file of
//! many, or an item of a Markdown check list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use hansei_core::experiment::board_history::{Task, What};
use hansei_workspace::git::Git;

use super::fields::happened;
use super::lines::Gathered;
use crate::failure::Failure;

/// How long git may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// Before each commit in git's output. No task file begins a line with it.
const COMMIT: &str = "\u{1}commit ";

const STATUS: [&str; 4] = ["status", "state", "done", "completed"];
const ID: [&str; 5] = ["id", "key", "ref", "task", "number"];
const VERDICT: [&str; 4] = ["outcome", "verified", "correct", "accepted"];
const DONE: [&str; 11] = [
    "done", "complete", "completed", "closed", "resolved", "finished", "shipped", "merged", "released",
    "true", "yes",
];
const RIGHT: [&str; 5] = ["correct", "right", "true", "yes", "accepted"];
const WRONG: [&str; 5] = ["wrong", "incorrect", "false", "no", "rejected"];

pub fn read(file: &Path) -> Result<Vec<Task>, Failure> {
    let folder = if file.is_dir() {
        file
    } else {
        file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
    };
    if !folder.is_dir() {
        return Err(Failure::usage(format!("{} is not a folder", folder.display())));
    }
    let git = Git::new(folder, Instant::now() + PATIENCE)?;
    let what = if file.is_dir() { ".".into() } else { file.file_name().unwrap_or_default().to_owned() };
    let args = [
        "log",
        "--reverse",
        "--format=%x01commit %ct",
        "--patch",
        "--unified=12",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--diff-merges=first-parent",
        "--",
    ];
    let args: Vec<_> = args.iter().map(Into::into).chain([what]).collect();
    let told = git.ask::<std::ffi::OsString>(&args)?;
    Ok(Board::default().read(&String::from_utf8_lossy(&told)))
}

/// The state of every task while history is read.
#[derive(Debug, Default)]
struct Board {
    tasks: Gathered,
    done: BTreeMap<String, bool>,
    /// Files with more than one task.
    many: BTreeSet<String>,
}

impl Board {
    fn read(mut self, told: &str) -> Vec<Task> {
        let mut time = 0;
        let mut path = String::new();
        let mut hunk: Vec<&str> = Vec::new();
        for line in told.lines() {
            if let Some(seconds) = line.strip_prefix(COMMIT) {
                self.take(&path, &std::mem::take(&mut hunk), time);
                time = seconds.trim().parse().unwrap_or(time);
                path.clear();
            } else if let Some(rest) = line.strip_prefix("diff --git ") {
                self.take(&path, &std::mem::take(&mut hunk), time);
                rest.rsplit_once(" b/").map_or(rest, |(_, path)| path).clone_into(&mut path);
            } else if line.starts_with("@@ ") {
                // An entry is told from the next by its id, so hunks are read by themselves.
                hunk.push(line);
            } else if !hunk.is_empty() {
                hunk.push(line);
            }
        }
        self.take(&path, &hunk, time);
        self.tasks.tasks()
    }

    /// Takes what one commit did to one file.
    fn take(&mut self, path: &str, lines: &[&str], time: i64) {
        let added = || lines.iter().filter_map(|line| line.strip_prefix('+'));
        if added().filter(|line| field(line).is_some_and(|(key, _)| STATUS.contains(&key.as_str()))).count()
            > 1
        {
            self.many.insert(path.to_owned());
        }
        let mut entry: Option<String> = None;
        for line in lines {
            let (sign, rest) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
            if sign == "@" {
                entry = None;
                continue;
            }
            if sign == "-" {
                continue;
            }
            if let Some((is_done, words)) = item(rest) {
                if sign == "+" {
                    self.mark(format!("{path}#{words}"), is_done, time);
                }
                continue;
            }
            let Some((key, value)) = field(rest) else { continue };
            if ID.contains(&key.as_str()) {
                entry = Some(value);
            } else if sign == "+" && STATUS.contains(&key.as_str()) {
                let id = self.id(path, entry.as_deref());
                self.mark(id, DONE.contains(&value.as_str()), time);
            } else if sign == "+" && VERDICT.contains(&key.as_str()) {
                let what = match value.as_str() {
                    value if RIGHT.contains(&value) => What::Accepted,
                    value if WRONG.contains(&value) => What::Refused,
                    _ => continue,
                };
                let id = self.id(path, entry.as_deref());
                self.tasks.add(id, vec![happened(time, what)]);
            }
        }
    }

    fn id(&self, path: &str, entry: Option<&str>) -> String {
        match entry.filter(|_| self.many.contains(path)) {
            Some(entry) => format!("{path}#{entry}"),
            None => path.to_owned(),
        }
    }

    fn mark(&mut self, id: String, is_done: bool, time: i64) {
        let was_done = self.done.insert(id.clone(), is_done).unwrap_or(false);
        let what = match (was_done, is_done) {
            (false, true) => vec![happened(time, What::Completed)],
            (true, false) => vec![happened(time, What::Reopened)],
            _ => Vec::new(),
        };
        self.tasks.add(id, what);
    }
}

/// A line such as `status: done`, `"status": "done",`, `status = "done"` or `- id: 7`: its key and value in lower case.
fn field(line: &str) -> Option<(String, String)> {
    let line = line.trim().trim_start_matches("- ").trim_start_matches(['{', ' ']);
    let (key, value) = line.split_once([':', '='])?;
    let bare = |text: &str| {
        text.trim()
            .trim_end_matches([',', '}', ' '])
            .trim_matches(['"', '\'', '*', '`'])
            .trim()
            .to_lowercase()
    };
    let key = bare(key);
    let is_key = !key.is_empty()
        && key.len() < 30
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_key.then(|| (key, bare(value)))
}

/// An item of a check list: whether it is checked, and its words.
fn item(line: &str) -> Option<(bool, String)> {
    let rest = line.trim_start().strip_prefix(['-', '*', '+'])?.trim_start().strip_prefix('[')?;
    let (mark, words) = rest.split_once(']')?;
    let is_done = match mark {
        "x" | "X" => true,
        " " | "" => false,
        _ => return None,
    };
    Some((is_done, words.trim().to_owned()))
}
