//! Fixes soon after a change landed, in lines that the change had added.
//!
//! First by file, from what the walk told; only the commits that share a file within the registered days are then asked
//! for their lines, in the order in which they landed, so that no more than those days of lines are held.
//!
//! A line is who wrote it last before the fix: if that was another fix, or what landed together with this one, then no
//! older change is to blame for it.

use std::collections::{BTreeMap, VecDeque};

use super::book::{Book, Place};
use super::landing::Landings;
use super::own_lines::OwnLines;
use super::touched::{Touch, Touched};
use crate::history::CommitId;
use crate::history::message::{Purpose, Repaired};
use crate::history::patch::Patch;

/// The most changes of one file that a fix is held against: the latest.
const MOST_WRITERS: usize = 20;
/// What part of the lines that a fix touches must be of the change: one in so many, and more where the fix is spread over
/// more than a few files, as a sweep is.
const FAIR_PART: usize = 3;
const LARGE_PART: usize = 2;
const FEW_FILES: usize = 4;
/// So few lines can be a fix although nothing but a word of trouble says so.
const SMALL: usize = 40;

/// A fix and the change that it repairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repair {
    pub(super) fix: Place,
    pub(super) change: Place,
    /// How many lines they share; none where only the message says so.
    pub(super) lines: usize,
    /// One of the files.
    pub(super) path: String,
}

/// The fixes that are being held against changes.
#[derive(Debug, Default)]
pub(super) struct SameLines {
    /// Who wrote to the files of each fix before it, latest last.
    writers: BTreeMap<Place, Vec<Place>>,
    /// The commits whose lines are wanted, in the order in which they landed.
    wanted: Vec<Place>,
    /// What writers wrote, and the landing until which each is wanted.
    own: BTreeMap<Place, OwnLines>,
    wanted_until: BTreeMap<Place, u32>,
    held_until: BTreeMap<u32, Vec<Place>>,
    pub(super) repairs: Vec<Repair>,
}

/// What a fix touches of one writer's.
#[derive(Debug, Clone, Copy)]
struct Claim {
    writer: Place,
    lines: usize,
    file: usize,
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
                let mut writers: Vec<Place> = Vec::new();
                for writer in record.paths.iter().filter_map(|path| recent.get(path)).flatten() {
                    if landed.saturating_sub(landings.time(book, *writer)) <= window {
                        writers.push(*writer);
                    }
                }
                writers.sort_unstable_by_key(|writer| (landings.order(*writer), *writer));
                writers.dedup();
                if writers.iter().any(|writer| can_fail(book, landings, *writer, *place)) {
                    found.writers.insert(*place, writers);
                }
            }
            if !record.is_merge {
                for path in &record.paths {
                    let touched = recent.entry(*path).or_default();
                    touched.push_back(*place);
                    if touched.len() > MOST_WRITERS {
                        touched.pop_front();
                    }
                }
            }
        }
        for (fix, writers) in &found.writers {
            for writer in writers {
                let until = found.wanted_until.entry(*writer).or_default();
                *until = (*until).max(landings.order(*fix));
            }
        }
        let is_wanted =
            |place: &Place| found.writers.contains_key(place) || found.wanted_until.contains_key(place);
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
        while let Some(over) = self.held_until.first_entry().filter(|entry| *entry.key() < now) {
            for held in over.remove() {
                self.own.remove(&held);
            }
        }
        if let Some(writers) = self.writers.remove(&place) {
            let repair = self.repair(book, landings, place, &writers, patch);
            self.repairs.extend(repair);
        }
        if let Some(until) = self.wanted_until.get(&place) {
            self.own.insert(place, OwnLines::of(patch));
            self.held_until.entry(*until).or_default().push(place);
        }
    }

    /// What the fix at `place` repairs of what `writers` wrote.
    fn repair(
        &self,
        book: &Book,
        landings: &Landings,
        place: Place,
        writers: &[Place],
        patch: &Patch,
    ) -> Option<Repair> {
        let fix = book.record(place)?;
        let in_tests = fix.purpose == Purpose::Fix(Repaired::Checks) || fix.shape.only_tests();
        let touched = Touched::of(patch, in_tests);
        if fix.only_names_trouble && touched.changed > SMALL && !touched.brings_tests {
            return None;
        }
        let reached = book.reached_from(place, writers.iter().copied().min().unwrap_or(place));
        let before: Vec<Place> = writers.iter().copied().filter(|writer| reached.contains(*writer)).collect();
        let claims = self.claims(&touched, &before);
        let can_fail = |writer: Place| can_fail(book, landings, writer, place);
        let repair = |claim: Claim| {
            let file = touched.files.get(claim.file).filter(|_| claim.lines > 0).cloned();
            Repair { fix: place, change: claim.writer, lines: claim.lines, path: file.unwrap_or_default() }
        };
        let claim_of = |writer: Place| claims.iter().copied().find(|claim| claim.writer == writer);
        let blamed = book.blamed_by(place);
        if !blamed.is_empty() {
            // Who says what was wrong is believed: also that it was something older.
            let named = before.iter().rev().copied().filter(|writer| can_fail(*writer));
            let mut named = named.filter(|writer| {
                blamed.contains(&Some(*writer)) || blamed.contains(&Some(landings.landed_with(*writer)))
            });
            let with_lines = named.clone().find_map(claim_of);
            let told = || named.next().map(|writer| Claim { writer, lines: 0, file: 0 });
            return with_lines.or_else(told).map(repair);
        }
        let cited = claims.iter().copied().filter(|claim| book.is_cited_by(place, claim.writer));
        if let Some(cited) = cited.filter(|claim| can_fail(claim.writer)).max_by_key(|claim| claim.lines) {
            return Some(repair(cited));
        }
        // Claims stand from the latest writer to the first, and of equals the last is taken.
        let most = claims.iter().rev().copied().max_by_key(|claim| claim.lines)?;
        let counted = touched.touches.iter().filter(|touch| touched.only_silent || !touch.silent).count();
        let part = if touched.files.len() > FEW_FILES { LARGE_PART } else { FAIR_PART };
        (can_fail(most.writer) && most.lines * part >= counted).then(|| repair(most))
    }

    /// What each of `writers` wrote last of what is touched. Lines that do nothing by themselves count only where nothing
    /// else is touched.
    fn claims(&self, touched: &Touched, writers: &[Place]) -> Vec<Claim> {
        let counts = |touch: &&Touch| touched.only_silent || !touch.silent;
        let mut open: Vec<&Touch> = touched.touches.iter().filter(counts).collect();
        let mut claims = Vec::new();
        for writer in writers.iter().rev() {
            let Some(own) = self.own.get(writer) else { continue };
            let mut claim: Option<Claim> = None;
            open.retain(|touch| {
                let wrote = own.wrote(touch);
                if wrote == touch.lines.len() {
                    let claim = claim.get_or_insert(Claim { writer: *writer, lines: 0, file: touch.file });
                    claim.lines += 1;
                }
                wrote == 0
            });
            claims.extend(claim);
        }
        claims
    }
}

/// Whether what stands at `writer` can be a change that the fix repairs: finished work of before, and no fix itself.
fn can_fail(book: &Book, landings: &Landings, writer: Place, fix: Place) -> bool {
    let (Some(change), Some(repair)) = (book.record(writer), book.record(fix)) else { return false };
    change.purpose == Purpose::Other
        && change.author_time <= repair.author_time
        && !landings.together(book, writer, fix)
}
