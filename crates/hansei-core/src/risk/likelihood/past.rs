//! What was known of a change's files and author before the change: a fold over the commits before it.
//!
//! Only the files and authors that will be asked about are kept. Which commits were known is asked at the end, for each
//! change: so one fold over a whole history answers for any number of its commits, and a side branch sees nothing of what
//! happened beside it.

use std::collections::BTreeMap;

use super::fix_words::announces_fix;
use crate::history::{Author, Commit};

/// What is older than this before a change says nothing about it. A bound on the walk, too.
pub const WINDOW_DAYS: i64 = 1_095;
/// After so many days a change of a file counts half.
const HALF_LIFE_OF_CHANGES: f64 = 90.0;
/// After so many days a fix in a file counts half.
const HALF_LIFE_OF_FIXES: f64 = 180.0;
const SECONDS_A_DAY: i64 = 86_400;

/// The changes of some files, and by some authors.
#[derive(Debug, Default)]
pub struct Past {
    files: BTreeMap<String, Vec<Touch>>,
    authors: BTreeMap<String, Vec<Work>>,
    numbers: BTreeMap<String, u32>,
}

#[derive(Debug, Clone, Copy)]
struct Touch {
    commit: usize,
    author: u32,
    time: i64,
    fixes: bool,
}

#[derive(Debug, Clone, Copy)]
struct Work {
    commit: usize,
    time: i64,
}

/// What was known of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FilePast {
    /// The file.
    pub path: String,
    /// How often it was changed.
    pub changes: u32,
    /// The same, where a change counts half after 90 days, a quarter after 180, and so on.
    pub recent_changes: f64,
    /// How many changed it.
    pub authors: u32,
    /// How many of the changes were fixes.
    pub fixes: u32,
    /// The same, where a fix counts half after 180 days.
    pub recent_fixes: f64,
}

/// What was known before a change.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    /// The files whose past was looked up, in the order asked.
    pub files: Vec<FilePast>,
    /// How many commits the author had made; nothing when the author is unknown.
    pub author_commits: Option<u32>,
}

/// The same person under one address; under the name where there is no address.
pub fn identity(author: &Author) -> String {
    let email = author.email.trim().to_lowercase();
    if email.is_empty() { format!(" {}", author.name.trim().to_lowercase()) } else { email }
}

impl Past {
    /// Will be asked about `path`.
    pub fn watch_file(&mut self, path: &str) {
        if !self.files.contains_key(path) {
            self.files.insert(path.to_owned(), Vec::new());
        }
    }

    /// Will be asked about whoever has this [`identity`].
    pub fn watch_author(&mut self, identity: &str) {
        if !self.authors.contains_key(identity) {
            self.authors.insert(identity.to_owned(), Vec::new());
        }
    }

    /// Takes in a commit; `number` names it when what was known is asked.
    pub fn learn(&mut self, number: usize, commit: &Commit) {
        let identity = identity(&commit.author);
        let time = commit.committer_time;
        if let Some(work) = self.authors.get_mut(&identity) {
            work.push(Work { commit: number, time });
        }
        let mut author = None;
        let mut fixes = None;
        for file in &commit.files {
            let Some(touches) = self.files.get_mut(&file.path) else { continue };
            let author = *author.get_or_insert_with(|| {
                let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
                *self.numbers.entry(identity.clone()).or_insert(next)
            });
            let fixes = *fixes.get_or_insert_with(|| announces_fix(&commit.subject));
            touches.push(Touch { commit: number, author, time, fixes });
        }
    }

    /// What was known of `paths` and `author` at `now`, by the commits that `was_known` accepts.
    pub fn known(
        &self,
        paths: &[String],
        author: Option<&str>,
        now: i64,
        was_known: impl Fn(usize) -> bool,
    ) -> Known {
        let counts = |commit: usize, time: i64| {
            time >= now.saturating_sub(WINDOW_DAYS * SECONDS_A_DAY) && was_known(commit)
        };
        let files = paths.iter().map(|path| {
            let touches = self.files.get(path).map(Vec::as_slice).unwrap_or_default();
            file_past(path, touches.iter().filter(|touch| counts(touch.commit, touch.time)), now)
        });
        let work = author.map(|author| self.authors.get(author).map(Vec::as_slice).unwrap_or_default());
        let author_commits = work.map(|work| {
            let known = work.iter().filter(|work| counts(work.commit, work.time)).count();
            u32::try_from(known).unwrap_or(u32::MAX)
        });
        Known { files: files.collect(), author_commits }
    }
}

fn file_past<'a>(path: &str, touches: impl Iterator<Item = &'a Touch>, now: i64) -> FilePast {
    let mut past = FilePast {
        path: path.to_owned(),
        changes: 0,
        recent_changes: 0.0,
        authors: 0,
        fixes: 0,
        recent_fixes: 0.0,
    };
    let mut authors = Vec::new();
    for touch in touches {
        // A commit that claims to be younger than what came after it is of today.
        #[expect(clippy::cast_precision_loss, reason = "days of a window")]
        let days = now.saturating_sub(touch.time).max(0) as f64 / SECONDS_A_DAY as f64;
        past.changes = past.changes.saturating_add(1);
        past.recent_changes += (-days / HALF_LIFE_OF_CHANGES).exp2();
        if touch.fixes {
            past.fixes = past.fixes.saturating_add(1);
            past.recent_fixes += (-days / HALF_LIFE_OF_FIXES).exp2();
        }
        authors.push(touch.author);
    }
    authors.sort_unstable();
    authors.dedup();
    past.authors = u32::try_from(authors.len()).unwrap_or(u32::MAX);
    past
}
