//! What a commit's message says it does to earlier work: takes it back, brings it back, or repairs it.
//!
//! A message is believed only where it speaks of itself: `Revert "…"` and `This reverts commit …` do, "the bug was
//! reverted in 1234567" does not. What is named may be a hash (full or short), a title, or a pull request; which commit
//! that is, only whoever has the history can say.

mod cited;
mod objects;
mod opening;
mod purpose;
mod title;

#[cfg(test)]
mod tests;

pub use cited::Cited;
pub use purpose::{Purpose, Repaired};
pub use title::{pull_request_of, title_key};

use opening::{Act, opening, within};

/// Which commit a message means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// Its hash, or how that begins.
    Hash(String),
    /// Its title, as it was quoted.
    Title(String),
    /// The pull or merge request that it came with.
    PullRequest(u64),
    /// Its number in the Subversion repository that the history was taken from.
    Revision(u64),
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// What the commit is for.
    pub purpose: Purpose,
    /// What it says it takes back.
    pub takes_back: Vec<Named>,
    /// What it says it brings back.
    pub brings_back: Vec<Named>,
    /// The hashes that it says it was picked from.
    pub picked_from: Vec<String>,
    /// The pull request that it came with.
    pub pull_request: Option<u64>,
    /// Its number in the Subversion repository that it was taken from.
    pub revision: Option<u64>,
    /// The commits that a fix speaks of.
    pub cited: Vec<Cited>,
    /// Whether it is taken for a fix by a word of trouble alone: nothing says that it does away with that.
    pub only_names_trouble: bool,
    /// Its title: the subject, or that of the request that a merge brought in.
    pub title: String,
}

/// Reads a message.
pub fn read(subject: &str, body: &str) -> Message {
    let title = title::of(subject, body);
    let (purpose, only_names_trouble) = purpose::of(&title);
    let mut message = Message {
        purpose,
        takes_back: Vec::new(),
        brings_back: Vec::new(),
        picked_from: picked_from(body),
        pull_request: pull_request_of(subject, body),
        revision: revision_of(body),
        cited: Vec::new(),
        only_names_trouble,
        title: title.clone(),
    };
    if matches!(purpose, Purpose::Fix(_)) {
        message.cited = cited::cited(subject, body);
    }
    if let Some((act, rest)) = opening(&title) {
        message.note(act, objects::in_title(rest, body));
    }
    // In the body only hashes and numbers count: a squashed branch lists the titles of what it took back on its way, and
    // nobody but that branch ever saw those.
    let mut lines = body.lines();
    while let Some(line) = lines.next() {
        let Some((act, rest)) = opening(line).or_else(|| within(line)) else { continue };
        let mut passage = rest.to_owned();
        for next in lines.clone().take_while(|next| !next.trim().is_empty()).take(MOST_LINES_A_LIST) {
            passage.push('\n');
            passage.push_str(next);
        }
        message.note_untitled(act, &passage);
    }
    // A first paragraph of several lines is a subject in one.
    if let Some((act, rest)) = within(subject) {
        message.note_untitled(act, rest);
    }
    message
}

/// How many lines a list of commits may go on for.
const MOST_LINES_A_LIST: usize = 64;

impl Message {
    fn note(&mut self, act: Act, named: Vec<Named>) {
        let list = match act {
            Act::TakesBack | Act::RollsBack => &mut self.takes_back,
            Act::BringsBack => &mut self.brings_back,
        };
        for one in named {
            if !list.contains(&one) {
                list.push(one);
            }
        }
    }

    fn note_untitled(&mut self, act: Act, passage: &str) {
        let named = objects::in_words(passage).into_iter();
        self.note(act, named.filter(|named| !matches!(named, Named::Title(_))).collect());
    }

    /// Whether it repairs what a person would notice, and says so.
    pub fn is_fix(&self) -> bool {
        self.purpose == Purpose::Fix(Repaired::Behaviour)
    }

    /// Whether it takes something back.
    pub fn is_revert(&self) -> bool {
        !self.takes_back.is_empty() || matches!(self.purpose, Purpose::Revert | Purpose::Rollback)
    }
}

/// The number in the line that `git svn` writes: `git-svn-id: address@number repository`.
fn revision_of(body: &str) -> Option<u64> {
    let line = body.lines().rev().find_map(|line| line.trim().strip_prefix("git-svn-id: "))?;
    line.split_whitespace().next()?.rsplit_once('@')?.1.parse().ok()
}

/// The hashes behind `(cherry picked from commit …)`.
fn picked_from(body: &str) -> Vec<String> {
    let lines = body.lines().filter_map(|line| {
        let line = line.trim().trim_start_matches('(').to_ascii_lowercase();
        let rest = line
            .strip_prefix("cherry picked from commit")
            .or_else(|| line.strip_prefix("cherry-picked from commit"))?;
        let word = rest.split_whitespace().next()?.trim_end_matches([')', '.', ',']);
        objects::is_hash(word).then(|| word.to_owned())
    });
    lines.collect()
}
