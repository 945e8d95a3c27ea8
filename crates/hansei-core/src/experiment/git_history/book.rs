//! What is kept of every commit while a history is walked: a few dozen bytes, and the names by which a later commit may
//! call it.

use std::collections::BTreeMap;

use crate::history::message::{Message, Named, Purpose, pull_request_of, title_key};
use crate::history::{Commit, CommitId};
use crate::risk::belongs_to;
use crate::surface::Surface;

/// The most files of one commit whose lines may be compared: a change of more is a sweep, not a feature.
const MOST_PATHS: usize = 200;
/// The longest title that is remembered.
const LONGEST_TITLE: usize = 300;

/// A commit's place in the book.
pub(super) type Place = u32;

/// What is kept of a commit.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) id: CommitId,
    pub(super) parents: Vec<Place>,
    pub(super) is_merge: bool,
    pub(super) author_time: i64,
    pub(super) committed: i64,
    pub(super) purpose: Purpose,
    pub(super) pull_request: Option<u64>,
    pub(super) shape: Shape,
    /// The files whose lines may be compared.
    pub(super) paths: Vec<u32>,
}

/// What a commit changed, at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Shape {
    pub(super) files: u32,
    pub(super) tests: u32,
    pub(super) build: u32,
}

/// The commits so far, and how to find one.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) records: Vec<Record>,
    /// Every commit of the history, also those that are not walked: sorted.
    ancestors: Vec<CommitId>,
    places: BTreeMap<CommitId, Place>,
    titles: BTreeMap<String, Vec<Place>>,
    requests: BTreeMap<u64, Place>,
    picked: BTreeMap<String, Place>,
    paths: BTreeMap<String, u32>,
}

impl Book {
    /// A book of a history with these commits.
    pub(super) fn of(mut ancestors: Vec<CommitId>) -> Self {
        ancestors.sort_unstable();
        Self { ancestors, ..Self::default() }
    }

    /// Puts a commit into the book.
    pub(super) fn enter(&mut self, commit: &Commit, message: &Message) -> Place {
        let place = Place::try_from(self.records.len()).unwrap_or(Place::MAX);
        let shape = shape(commit);
        let paths = self.compared(commit);
        let parents = commit.parents.iter().filter_map(|parent| self.places.get(parent).copied()).collect();
        self.records.push(Record {
            id: commit.id,
            parents,
            is_merge: commit.is_merge(),
            author_time: commit.author_time,
            committed: commit.committer_time,
            purpose: message.purpose,
            pull_request: message.pull_request,
            shape,
            paths,
        });
        self.places.insert(commit.id, place);
        for title in [&commit.subject, &message.title] {
            let key = title_key(title);
            if !key.is_empty() && key.len() <= LONGEST_TITLE {
                let places = self.titles.entry(key).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
        }
        if let Some(number) = message.pull_request {
            self.requests.insert(number, place);
        }
        for source in &message.picked_from {
            self.picked.insert(source.clone(), place);
        }
        place
    }

    fn compared(&mut self, commit: &Commit) -> Vec<u32> {
        if commit.is_merge() || commit.files.len() > MOST_PATHS {
            return Vec::new();
        }
        let files = commit.files.iter().filter(|file| !is_told_elsewhere(&file.path));
        files
            .map(|file| {
                let next = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
                match self.paths.get(&file.path) {
                    Some(known) => *known,
                    None => *self.paths.entry(file.path.clone()).or_insert(next),
                }
            })
            .collect()
    }

    /// The record at `place`.
    pub(super) fn record(&self, place: Place) -> Option<&Record> {
        self.records.get(usize::try_from(place).ok()?)
    }

    /// Where the commit `id` stands, if it was walked.
    pub(super) fn place(&self, id: &CommitId) -> Option<Place> {
        self.places.get(id).copied()
    }

    /// The one commit of the history whose hash begins with `digits`.
    fn with_hash(&self, digits: &str) -> Option<CommitId> {
        let floor = CommitId::floor_of(digits)?;
        let start = self.ancestors.partition_point(|id| *id < floor);
        let mut found = self.ancestors.get(start..)?.iter().take_while(|id| id.starts_with(digits));
        let first = found.next().copied()?;
        found.next().is_none().then_some(first)
    }

    /// The commits that `named` means, among those before `place`: by their hashes if one of these is in the history,
    /// else by where they were picked to, else by title or number.
    pub(super) fn resolve(&self, named: &[Named], place: Place) -> Vec<CommitId> {
        let own = self.record(place).map(|record| record.id);
        let own_request = self.record(place).and_then(|record| record.pull_request);
        let mut found: Vec<CommitId> = Vec::new();
        let mut note = |id: Option<CommitId>| {
            if let Some(id) = id
                && Some(id) != own
                && !found.contains(&id)
            {
                found.push(id);
            }
        };
        let id_at =
            |place: Option<&Place>| place.and_then(|place| self.record(*place)).map(|record| record.id);
        for name in named {
            if let Named::Hash(digits) = name {
                note(self.with_hash(digits).or_else(|| id_at(self.picked.get(digits))));
            }
        }
        if !found.is_empty() {
            return found;
        }
        let mut note = |id: Option<CommitId>| {
            if let Some(id) = id
                && Some(id) != own
                && !found.contains(&id)
            {
                found.push(id);
            }
        };
        for name in named {
            if let Named::Title(title) = name {
                let by_number =
                    pull_request_of(title, "").and_then(|number| id_at(self.requests.get(&number)));
                note(by_number.or_else(|| self.with_title(title, own_request)));
            }
        }
        if !found.is_empty() {
            return found;
        }
        let numbers = named.iter().filter_map(|name| match name {
            Named::PullRequest(number) => id_at(self.requests.get(number)),
            Named::Hash(_) | Named::Title(_) => None,
        });
        let mut numbers: Vec<CommitId> = numbers.filter(|id| Some(*id) != own).collect();
        numbers.dedup();
        numbers
    }

    /// The last commit with this title, or with one that begins so where the title was cut short. Nothing takes back a
    /// request that was made after it.
    fn with_title(&self, title: &str, own_request: Option<u64>) -> Option<CommitId> {
        let key = title_key(title);
        let possible = |place: &Place| {
            let request = self.record(*place).and_then(|record| record.pull_request);
            own_request.is_none_or(|own| request.is_none_or(|request| request < own))
        };
        let latest = |places: &Vec<Place>| places.iter().rev().copied().find(possible);
        let place = match key.strip_suffix('…') {
            Some(head) if head.len() >= 20 => {
                let range =
                    self.titles.range(head.to_owned()..).take_while(|(title, _)| title.starts_with(head));
                range.filter_map(|(_, places)| latest(places)).max()
            }
            _ => self.titles.get(&key).and_then(latest),
        };
        place.and_then(|place| self.record(place)).map(|record| record.id)
    }
}

fn shape(commit: &Commit) -> Shape {
    let count = |surface| {
        let files = commit.files.iter().filter(|file| belongs_to(surface, &file.path)).count();
        u32::try_from(files).unwrap_or(u32::MAX)
    };
    let files = u32::try_from(commit.files.len() as u64 + commit.files_left_out).unwrap_or(u32::MAX);
    // Whoever changes this many files is not asked about each.
    if commit.files.len() > MOST_PATHS {
        return Shape { files, tests: 0, build: 0 };
    }
    Shape { files, tests: count(Surface::Test), build: count(Surface::Build) }
}

/// Files whose lines many changes share without having to do with each other: notes of releases, lists of versions,
/// documentation.
fn is_told_elsewhere(path: &str) -> bool {
    belongs_to(Surface::Docs, path) || (belongs_to(Surface::Build, path) && !belongs_to(Surface::Test, path))
}
