//! Fixes soon after a change landed, in lines that the change had added.
//!
//! First by file, from what the walk told; only the commits that share a file within the registered days are then asked
//! for their lines, in the order in which they landed, so that no more than those days of lines are held.

use std::collections::{BTreeMap, VecDeque};

use super::book::{Book, Place};
use super::landing::Landings;
use crate::history::CommitId;
use crate::history::message::{Purpose, Repaired};
use crate::history::patch::{LinePrint, Patch};
use crate::risk::belongs_to;
use crate::surface::Surface;

/// The most changes of one file that a fix is held against: the latest.
const MOST_SUSPECTS: usize = 20;

/// A fix and the change that it repairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repair {
    pub(super) fix: Place,
    pub(super) change: Place,
    /// How many lines they share.
    pub(super) lines: usize,
    /// One of the files.
    pub(super) path: String,
}

/// The fixes that are being held against changes.
#[derive(Debug, Default)]
pub(super) struct SameLines {
    /// The changes that each fix is held against.
    suspects: BTreeMap<Place, Vec<Place>>,
    /// The commits whose lines are wanted, in the order in which they landed.
    wanted: Vec<Place>,
    /// What suspects added, with the landing until which it is wanted.
    added: BTreeMap<Place, Vec<LinePrint>>,
    wanted_until: BTreeMap<Place, u32>,
    pub(super) repairs: Vec<Repair>,
}

impl SameLines {
    /// The fixes of `book` from `since` on, and the changes of the `days` before each that touched the same files.
    pub(super) fn of(book: &Book, landings: &Landings, since: i64, days: u32) -> Self {
        let window = i64::from(days) * 86_400;
        let mut places: Vec<Place> =
            (0..book.records.len()).filter_map(|place| Place::try_from(place).ok()).collect();
        places.sort_by_key(|place| (landings.order(*place), *place));
        let mut recent: BTreeMap<u32, VecDeque<Place>> = BTreeMap::new();
        let mut found = Self::default();
        for place in &places {
            let Some(record) = book.record(*place) else { continue };
            let landed = landings.time(book, *place);
            let repairs = matches!(record.purpose, Purpose::Fix(Repaired::Behaviour | Repaired::Checks));
            if repairs && record.committed >= since {
                let mut suspects: Vec<Place> = Vec::new();
                for path in &record.paths {
                    for suspect in recent.get(path).into_iter().flatten().rev() {
                        let before = landed.saturating_sub(landings.time(book, *suspect));
                        if before <= window && !landings.together(book, *suspect, *place) {
                            suspects.push(*suspect);
                        }
                    }
                }
                suspects.sort_unstable();
                suspects.dedup();
                if !suspects.is_empty() {
                    found.suspects.insert(*place, suspects);
                }
            }
            if record.purpose == Purpose::Other && !record.is_merge {
                for path in &record.paths {
                    let touched = recent.entry(*path).or_default();
                    touched.push_back(*place);
                    if touched.len() > MOST_SUSPECTS {
                        touched.pop_front();
                    }
                }
            }
        }
        for (fix, suspects) in &found.suspects {
            for suspect in suspects {
                let until = found.wanted_until.entry(*suspect).or_default();
                *until = (*until).max(landings.order(*fix));
            }
        }
        let is_wanted =
            |place: &Place| found.suspects.contains_key(place) || found.wanted_until.contains_key(place);
        found.wanted = places.into_iter().filter(is_wanted).collect();
        found
    }

    /// The commits whose lines are to be told, in this order.
    pub(super) fn wanted(&self, book: &Book) -> Vec<CommitId> {
        self.wanted.iter().filter_map(|place| book.record(*place)).map(|record| record.id).collect()
    }

    /// Takes the lines of one commit.
    pub(super) fn take(&mut self, book: &Book, landings: &Landings, patch: &Patch) {
        let Some(place) = book.place(&patch.id) else { return };
        let now = landings.order(place);
        let over: Vec<Place> = self
            .added
            .keys()
            .filter(|held| self.wanted_until.get(held).is_none_or(|until| *until < now))
            .copied()
            .collect();
        for held in over {
            self.added.remove(&held);
        }
        if let Some(suspects) = self.suspects.remove(&place) {
            // Who repairs what the program does and only meets the change in its tests added a test beside another.
            let in_tests =
                book.record(place).is_some_and(|record| record.purpose == Purpose::Fix(Repaired::Checks));
            let best = suspects
                .iter()
                .filter_map(|suspect| {
                    let (lines, first) = shared(patch, self.added.get(suspect)?, in_tests)?;
                    Some(Repair { fix: place, change: *suspect, lines, path: first })
                })
                .max_by_key(|repair| (repair.lines, landings.order(repair.change), repair.change));
            self.repairs.extend(best);
        }
        if self.wanted_until.contains_key(&place) {
            let mut added: Vec<LinePrint> =
                patch.files.iter().flat_map(|file| file.added.iter().copied()).collect();
            added.sort_unstable();
            added.dedup();
            self.added.insert(place, added);
        }
    }
}

/// How many of the lines that `added` holds the patch changed, and in which file first.
fn shared(patch: &Patch, added: &[LinePrint], in_tests: bool) -> Option<(usize, String)> {
    let has = |print: &LinePrint| added.binary_search(print).is_ok();
    let mut lines = 0;
    let mut first = None;
    for file in patch.files.iter().filter(|file| in_tests || !belongs_to(Surface::Test, &file.path)) {
        let here = file.removed.iter().filter(|print| has(print)).count()
            + file.inserted_between.iter().filter(|beside| beside.iter().all(&has)).count();
        if here > 0 && first.is_none() {
            first = Some(file.path.clone());
        }
        lines += here;
    }
    first.map(|first| (lines, first))
}
