//! When a commit landed: with which commit of the branch's own line it came in, and at what time.
//!
//! A commit of a merged branch landed with the merge, a squashed or rebased one by itself. What landed together was one
//! piece of work to everybody but who made it.

use super::book::{Book, Place, Record};

/// Rebased commits that landed together were committed within so many seconds.
const TOGETHER: i64 = 60;

/// For every commit of a book, with which commit it landed, and the how-manieth of the branch's own line that is.
#[derive(Debug, Default)]
pub(super) struct Landings {
    by: Vec<Place>,
    order: Vec<u32>,
}

impl Landings {
    /// The landings of a book whose last commit is the head of the branch.
    pub(super) fn of(book: &Book) -> Self {
        let count = book.records.len();
        let mut line = Vec::new();
        let mut next = count.checked_sub(1).and_then(|last| Place::try_from(last).ok());
        while let Some(place) = next {
            line.push(place);
            next = book.record(place).and_then(|record| record.parents.first().copied());
        }
        let mut landings = Self { by: vec![Place::MAX; count], order: vec![u32::MAX; count] };
        for (order, place) in line.iter().rev().enumerate() {
            landings.land(*place, *place, u32::try_from(order).unwrap_or(u32::MAX));
            let brought = book.record(*place).map(|record| record.parents.clone()).unwrap_or_default();
            let mut open: Vec<Place> = brought;
            while let Some(brought) = open.pop() {
                if !landings.landed(brought) {
                    landings.land(brought, *place, u32::try_from(order).unwrap_or(u32::MAX));
                    open.extend(
                        book.record(brought).map(|record| record.parents.as_slice()).unwrap_or_default(),
                    );
                }
            }
        }
        landings
    }

    fn land(&mut self, place: Place, by: Place, order: u32) {
        let index = usize::try_from(place).unwrap_or(usize::MAX);
        if let (Some(slot), Some(position)) = (self.by.get_mut(index), self.order.get_mut(index)) {
            *slot = by;
            *position = order;
        }
    }

    fn landed(&self, place: Place) -> bool {
        self.by(place) != Place::MAX
    }

    fn by(&self, place: Place) -> Place {
        usize::try_from(place).ok().and_then(|index| self.by.get(index).copied()).unwrap_or(Place::MAX)
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
