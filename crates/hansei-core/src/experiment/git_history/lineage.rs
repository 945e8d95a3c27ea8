//! Which commits one was made on, as far back as is asked.

use super::book::Place;

/// So far back nobody looks: what lies before that is taken for the common past of all branches.
const FARTHEST: u32 = 50_000;

/// The commits that one was made on, down to a floor.
#[derive(Debug)]
pub(super) struct Reached {
    floor: Place,
    seen: Vec<bool>,
}

impl Reached {
    /// Whether `place` is among them.
    pub(super) fn contains(&self, place: Place) -> bool {
        match place.checked_sub(self.floor).and_then(|index| usize::try_from(index).ok()) {
            Some(index) => self.seen.get(index).copied().unwrap_or(false),
            None => true,
        }
    }
}

/// The commits that the one at `from` was made on, down to the one at `floor`: parents stand before their children.
pub(super) fn reached_from<'a>(from: Place, floor: Place, parents: impl Fn(Place) -> &'a [Place]) -> Reached {
    let floor = floor.max(from.saturating_sub(FARTHEST));
    let index = |place: Place| place.checked_sub(floor).and_then(|index| usize::try_from(index).ok());
    let mut reached = Reached { floor, seen: vec![false; index(from).unwrap_or(0)] };
    let mut open = vec![from];
    while let Some(place) = open.pop() {
        for parent in parents(place) {
            if let Some(seen) = index(*parent).and_then(|index| reached.seen.get_mut(index))
                && !*seen
            {
                *seen = true;
                open.push(*parent);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_beside_it_is_not_reached() {
        // 0 ← 1 ← 3 ← 4, and 2 beside them on 0, which 5 joins to 4.
        let parents: [&[Place]; 6] = [&[], &[0], &[0], &[1], &[3], &[4, 2]];
        for (from, floor, expected) in [
            (4, 0, vec![0, 1, 3]),
            (4, 1, vec![0, 1, 3]),
            (5, 0, vec![0, 1, 2, 3, 4]),
            (2, 0, vec![0]),
            (0, 0, vec![]),
        ] {
            let reached = reached_from(from, floor, |place| parents[usize::try_from(place).unwrap()]);
            let found: Vec<Place> = (0..6).filter(|place| reached.contains(*place)).collect();
            assert_eq!(found, expected, "from {from} down to {floor}");
        }
    }
}
