//! What is kept of every commit while a history is walked: a few dozen bytes, and the names by which a later commit may
//! call it.

use std::collections::BTreeMap;

use super::compared_files::{is_build, is_compared};
use super::lineage::{Reached, reached_from};
use crate::history::message::{Message, Named, Purpose, pull_request_of, title_key};
use crate::history::{Commit, CommitId};
use crate::risk::belongs_to;
use crate::surface::Surface;

/// The most files of one commit whose lines may be compared: a change of more is a sweep, not a feature.
const MOST_PATHS: usize = 200;
/// The longest title that is remembered.
const LONGEST_TITLE: usize = 300;

/// The most commits of one title that are looked through for the one that this is a copy of.
const MOST_NAMESAKES: usize = 50;

/// A commit's place in the book.
pub(super) type Place = u32;

/// What is kept of a commit.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) id: CommitId,
    pub(super) parents: Vec<Place>,
    pub(super) is_merge: bool,
    pub(super) author: u32,
    pub(super) author_time: i64,
    pub(super) committed: i64,
    pub(super) purpose: Purpose,
    pub(super) only_names_trouble: bool,
    pub(super) pull_request: Option<u64>,
    /// The first commit with the same title that was written at the same time: this is a copy of it.
    pub(super) copy_of: Option<Place>,
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

impl Shape {
    /// Whether nothing changed but tests and the build.
    pub(super) fn only_checks(self) -> bool {
        self.files > 0 && self.tests + self.build >= self.files
    }

    /// Whether nothing changed but tests.
    pub(super) fn only_tests(self) -> bool {
        self.files > 0 && self.tests >= self.files
    }
}

/// The commits so far, and how to find one.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) records: Vec<Record>,
    /// Every commit of the history, also those that are not walked: sorted.
    ancestors: Vec<CommitId>,
    places: BTreeMap<CommitId, Place>,
    titles: BTreeMap<String, Vec<Place>>,
    requests: BTreeMap<u64, Vec<Place>>,
    revisions: BTreeMap<u64, Place>,
    picked: BTreeMap<String, Place>,
    /// The commits that a fix speaks of, and whether it says that they did it; nothing for one that was not walked.
    cited: BTreeMap<Place, Vec<(Option<Place>, bool)>>,
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
            author: commit.author.id,
            author_time: commit.author_time,
            committed: commit.committer_time,
            purpose: message.purpose,
            only_names_trouble: message.only_names_trouble,
            pull_request: message.pull_request,
            copy_of: None,
            shape,
            paths,
        });
        let copy_of = self.written_before(&message.title, commit.author_time);
        if let Some(record) = self.records.last_mut() {
            record.copy_of = copy_of;
        }
        self.cite(message, place);
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
            self.requests.entry(number).or_default().push(place);
        }
        if let Some(revision) = message.revision {
            self.revisions.insert(revision, place);
        }
        for source in &message.picked_from {
            self.picked.insert(source.clone(), place);
        }
        place
    }

    /// The first commit with this title that was written at this time, among the last that have the title.
    fn written_before(&self, title: &str, author_time: i64) -> Option<Place> {
        let same =
            |earlier: &&Place| self.record(**earlier).is_some_and(|record| record.author_time == author_time);
        let named = self.titles.get(&title_key(title))?.iter().rev().take(MOST_NAMESAKES);
        let copied = named.copied().find(|earlier| same(&earlier))?;
        self.record(copied).and_then(|record| record.copy_of).or(Some(copied))
    }

    /// Keeps which commits a fix speaks of.
    fn cite(&mut self, message: &Message, place: Place) {
        let own_request = message.pull_request;
        let mut cited: Vec<(Option<Place>, bool)> = Vec::new();
        for cite in &message.cited {
            for id in self.resolve(std::slice::from_ref(&cite.named), place) {
                let cited_place = self.place(&id);
                let record = cited_place.and_then(|place| self.record(place));
                let is_itself = record.is_some_and(|record| {
                    record.pull_request.is_some() && record.pull_request == own_request
                });
                if !is_itself {
                    cited.push((cited_place, cite.blamed));
                }
            }
        }
        if !cited.is_empty() {
            self.cited.insert(place, cited);
        }
    }

    /// The commits that the fix at `place` says it repairs; nothing for one that is too old to have been walked.
    pub(super) fn blamed_by(&self, place: Place) -> Vec<Option<Place>> {
        let cited = self.cited.get(&place).into_iter().flatten();
        cited.filter(|(_, blamed)| *blamed).map(|(cited, _)| *cited).collect()
    }

    /// Whether the fix at `place` speaks of the commit at `other`.
    pub(super) fn is_cited_by(&self, place: Place, other: Place) -> bool {
        self.cited.get(&place).into_iter().flatten().any(|(cited, _)| *cited == Some(other))
    }

    /// What `place` was made on, down to `floor`.
    pub(super) fn reached_from(&self, place: Place, floor: Place) -> Reached {
        reached_from(place, floor, |place| {
            self.record(place).map(|record| record.parents.as_slice()).unwrap_or_default()
        })
    }

    /// The last of `places` that `place` was made on, else the last of them: a copy on another branch was not meant.
    fn latest(&self, places: &[Place], place: Place) -> Option<Place> {
        let last = places.last().copied()?;
        if places.len() == 1 {
            return Some(last);
        }
        let reached = self.reached_from(place, places.first().copied().unwrap_or(last));
        Some(places.iter().rev().copied().find(|place| reached.contains(*place)).unwrap_or(last))
    }

    fn compared(&mut self, commit: &Commit) -> Vec<u32> {
        if commit.is_merge() || commit.files.len() > MOST_PATHS {
            return Vec::new();
        }
        let files = commit.files.iter().filter(|file| is_compared(&file.path));
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
        let id_at = |place: Option<Place>| place.and_then(|place| self.record(place)).map(|record| record.id);
        let of_request =
            |number: &u64| id_at(self.requests.get(number).and_then(|places| self.latest(places, place)));
        for name in named {
            match name {
                Named::Hash(digits) => {
                    note(self.with_hash(digits).or_else(|| id_at(self.picked.get(digits).copied())));
                }
                Named::Revision(revision) => note(id_at(self.revisions.get(revision).copied())),
                Named::Title(_) | Named::PullRequest(_) => {}
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
                let by_number = pull_request_of(title, "").and_then(|number| of_request(&number));
                note(by_number.or_else(|| id_at(self.with_title(title, own_request, place))));
            }
        }
        if !found.is_empty() {
            return found;
        }
        let numbers = named.iter().filter_map(|name| match name {
            Named::PullRequest(number) => of_request(number),
            Named::Hash(_) | Named::Title(_) | Named::Revision(_) => None,
        });
        let mut numbers: Vec<CommitId> = numbers.filter(|id| Some(*id) != own).collect();
        numbers.dedup();
        numbers
    }

    /// The last commit with this title, or with one that begins so where the title was cut short. Nothing takes back a
    /// request that was made after it.
    fn with_title(&self, title: &str, own_request: Option<u64>, place: Place) -> Option<Place> {
        let key = title_key(title);
        let possible = |place: &Place| {
            let request = self.record(*place).and_then(|record| record.pull_request);
            own_request.is_none_or(|own| request.is_none_or(|request| request < own))
        };
        let latest = |places: &Vec<Place>| {
            self.latest(&places.iter().copied().filter(possible).collect::<Vec<Place>>(), place)
        };
        match key.strip_suffix('…') {
            Some(head) if head.len() >= 20 => {
                let range =
                    self.titles.range(head.to_owned()..).take_while(|(title, _)| title.starts_with(head));
                range.filter_map(|(_, places)| latest(places)).max()
            }
            _ => self.titles.get(&key).and_then(latest),
        }
    }
}

fn shape(commit: &Commit) -> Shape {
    let count = |is_one: &dyn Fn(&str) -> bool| {
        let files = commit.files.iter().filter(|file| is_one(&file.path)).count();
        u32::try_from(files).unwrap_or(u32::MAX)
    };
    let files = u32::try_from(commit.files.len() as u64 + commit.files_left_out).unwrap_or(u32::MAX);
    // Whoever changes this many files is not asked about each.
    if commit.files.len() > MOST_PATHS {
        return Shape { files, tests: 0, build: 0 };
    }
    let tests = |path: &str| belongs_to(Surface::Test, path);
    Shape { files, tests: count(&tests), build: count(&|path| is_build(path) && !tests(path)) }
}
