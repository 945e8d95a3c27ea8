//! When a commit landed: with which commit of the branch's own line it came in, and at what time.
//!
//! A commit of a merged branch landed with the merge, a squashed or rebased one by itself. What landed together was one
//! piece of work to everybody but who made it. But a merge may also join a line on which work lands of itself, as a
//! release is merged back: what came in with that had landed before, there.

use std::collections::BTreeSet;

use super::book::{Book, Place, Record};

/// Rebased commits that landed together were committed within so many seconds.
const TOGETHER: i64 = 60;
/// A side that took in so many requests, or joined so many branches, is no request.
const MANY: usize = 3;
/// Nor is one that so many people wrote.
const MANY_AUTHORS: usize = 5;
/// How deep lines are looked for in lines.
const DEEPEST: u32 = 4;

/// For every commit of a book, with which commit it landed, and the how-manieth of the branch's own line that is.
#[derive(Debug, Default)]
pub(super) struct Landings {
    by: Vec<Place>,
    order: Vec<u32>,
    /// How many have landed.
    count: u32,
}

impl Landings {
    /// The landings of a book whose last commit is the head of the branch.
    pub(super) fn of(book: &Book) -> Self {
        let count = book.records.len();
        let mut landings = Self { by: vec![Place::MAX; count], order: vec![u32::MAX; count], count: 0 };
        if let Some(last) = count.checked_sub(1).and_then(|last| Place::try_from(last).ok()) {
            landings.land_line(book, last, 0);
        }
        landings
    }

    /// Lands the line that ends at `head`, and with each of its commits what that brought.
    fn land_line(&mut self, book: &Book, head: Place, depth: u32) {
        let mut line = Vec::new();
        let mut next = Some(head);
        while let Some(place) = next.filter(|place| !self.landed(*place)) {
            line.push(place);
            next = book.record(place).and_then(|record| record.parents.first().copied());
        }
        for place in line.into_iter().rev() {
            let sides = book.record(place).map(|record| record.parents.clone()).unwrap_or_default();
            if depth < DEEPEST && sides.len() > 1 && self.brings_a_line(book, place, &sides) {
                for side in sides {
                    self.land_line(book, side, depth + 1);
                }
            }
            self.land(place, place);
            let mut open: Vec<Place> = parents(book, place).to_vec();
            while let Some(brought) = open.pop() {
                if !self.landed(brought) {
                    self.land(brought, place);
                    open.extend(parents(book, brought));
                }
            }
            self.count = self.count.saturating_add(1);
        }
    }

    /// Whether what the merge at `place` brings is a line on which work landed of itself.
    fn brings_a_line(&self, book: &Book, place: Place, sides: &[Place]) -> bool {
        let mut brought: BTreeSet<Place> = BTreeSet::new();
        let mut open: Vec<Place> = sides.to_vec();
        while let Some(next) = open.pop() {
            if !self.landed(next) && brought.insert(next) {
                open.extend(parents(book, next));
            }
        }
        let own = book.record(place).and_then(|record| record.pull_request);
        let mut requests: BTreeSet<u64> = BTreeSet::new();
        let mut authors: BTreeSet<u32> = BTreeSet::new();
        let mut joined = 0;
        for record in brought.iter().filter_map(|place| book.record(*place)) {
            requests.extend(record.pull_request.filter(|request| Some(*request) != own));
            authors.insert(record.author);
            // Who merges the main line into a branch joins nothing that is new.
            joined += usize::from(record.parents.iter().skip(1).any(|side| brought.contains(side)));
        }
        requests.len().max(joined) >= MANY || authors.len() >= MANY_AUTHORS
    }

    fn land(&mut self, place: Place, by: Place) {
        let index = usize::try_from(place).unwrap_or(usize::MAX);
        if let (Some(slot), Some(position)) = (self.by.get_mut(index), self.order.get_mut(index)) {
            *slot = by;
            *position = self.count;
        }
    }

    fn landed(&self, place: Place) -> bool {
        self.by(place) != Place::MAX
    }

    fn by(&self, place: Place) -> Place {
        usize::try_from(place).ok().and_then(|index| self.by.get(index).copied()).unwrap_or(Place::MAX)
    }

    /// The commit that it landed with.
    pub(super) fn landed_with(&self, place: Place) -> Place {
        self.by(place)
    }

    /// The how-manieth landing it was.
    pub(super) fn order(&self, place: Place) -> u32 {
        usize::try_from(place).ok().and_then(|index| self.order.get(index).copied()).unwrap_or(u32::MAX)
    }

    /// When it landed, in seconds after 1970.
    pub(super) fn time(&self, book: &Book, place: Place) -> i64 {
        book.record(self.by(place)).or_else(|| book.record(place)).map_or(0, |record| record.committed)
    }

    /// Whether two commits landed as one piece of work: with the same merge, or rebased in one go.
    pub(super) fn together(&self, book: &Book, one: Place, other: Place) -> bool {
        if self.by(one) == self.by(other) {
            return true;
        }
        let (Some(one), Some(other)) = (book.record(one), book.record(other)) else { return false };
        let rebased = |record: &Record| record.author_time != record.committed;
        let another_request = one.pull_request.is_some() && one.pull_request != other.pull_request;
        one.committed.abs_diff(other.committed) <= TOGETHER.unsigned_abs()
            && (rebased(one) || rebased(other))
            && !another_request
    }
}

fn parents(book: &Book, place: Place) -> &[Place] {
    book.record(place).map(|record| record.parents.as_slice()).unwrap_or_default()
}
