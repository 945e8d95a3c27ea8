//! Which commits came before which, exactly, for any number of commits in one pass.
//!
//! Commits are numbered in an order in which parents come first. The ancestors of a commit are the union of its
//! parents' and of the parents themselves; in a long history nearly all of that is shared between neighbours, so a set is
//! a list of shared chunks, and a copy costs a pointer for some thousands of commits.

use std::rc::Rc;

const WORDS: usize = 64;
const BITS: usize = 64;
const CHUNK: usize = WORDS * BITS;

/// A set of commits, by number.
#[derive(Debug, Clone, Default)]
pub struct Ancestors {
    chunks: Vec<Rc<[u64; WORDS]>>,
}

impl Ancestors {
    /// Whether `commit` is in it.
    pub fn contains(&self, commit: usize) -> bool {
        self.chunks
            .get(commit / CHUNK)
            .is_some_and(|chunk| chunk[commit % CHUNK / BITS] >> (commit % BITS) & 1 == 1)
    }

    fn insert(&mut self, commit: usize) {
        let at = commit / CHUNK;
        while self.chunks.len() <= at {
            self.chunks.push(Rc::new([0; WORDS]));
        }
        Rc::make_mut(&mut self.chunks[at])[commit % CHUNK / BITS] |= 1 << (commit % BITS);
    }

    fn join(&mut self, other: &Self) {
        for (at, theirs) in other.chunks.iter().enumerate() {
            match self.chunks.get_mut(at) {
                None => self.chunks.push(Rc::clone(theirs)),
                Some(ours) if Rc::ptr_eq(ours, theirs) => {}
                Some(ours) => {
                    let covers = |big: &[u64; WORDS], small: &[u64; WORDS]| {
                        big.iter().zip(small).all(|(big, small)| big | small == *big)
                    };
                    if covers(theirs, ours) {
                        *ours = Rc::clone(theirs);
                    } else if !covers(ours, theirs) {
                        for (ours, theirs) in Rc::make_mut(ours).iter_mut().zip(theirs.iter()) {
                            *ours |= theirs;
                        }
                    }
                }
            }
        }
    }
}

/// For each of `wanted` (numbers of commits), that commit and everything it can reach. `parents` lists the numbers of each
/// commit's parents; a parent has a smaller number than its child.
pub fn reached_from(parents: &[Vec<usize>], wanted: &[usize]) -> Vec<Ancestors> {
    let mut uses = vec![0_u32; parents.len()];
    for parent in parents.iter().flatten().chain(wanted) {
        uses[*parent] += 1;
    }
    let mut asked: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for (place, commit) in wanted.iter().enumerate() {
        asked[*commit].push(place);
    }
    let mut open: Vec<Option<Ancestors>> = vec![None; parents.len()];
    let mut found = vec![Ancestors::default(); wanted.len()];
    for commit in 0..parents.len() {
        let mut reached = Ancestors::default();
        for (place, parent) in parents[commit].iter().enumerate() {
            uses[*parent] -= 1;
            // The last that needs a parent's set takes it, and nothing is copied.
            let theirs = if uses[*parent] == 0 { open[*parent].take() } else { open[*parent].clone() };
            match theirs {
                Some(theirs) if place == 0 => reached = theirs,
                Some(theirs) => reached.join(&theirs),
                None => {}
            }
        }
        reached.insert(commit);
        for place in &asked[commit] {
            uses[commit] -= 1;
            found[*place] = reached.clone();
        }
        if uses[commit] > 0 {
            open[commit] = Some(reached);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_branches_see_only_what_they_grew_from() {
        // 0 ── 1 ── 2 ─── 5 ── 6
        //       └── 3 ── 4 ┘
        let parents = vec![vec![], vec![0], vec![1], vec![1], vec![3], vec![2, 4], vec![5]];
        let wanted = [0, 2, 4, 5, 6, 4];
        let found = reached_from(&parents, &wanted);
        let sets: Vec<Vec<usize>> =
            found.iter().map(|set| (0..10).filter(|commit| set.contains(*commit)).collect()).collect();
        let expected: [&[usize]; 6] =
            [&[0], &[0, 1, 2], &[0, 1, 3, 4], &[0, 1, 2, 3, 4, 5], &[0, 1, 2, 3, 4, 5, 6], &[0, 1, 3, 4]];
        assert_eq!(sets, expected);
    }

    #[test]
    fn sets_agree_with_a_plain_search_on_tangled_histories() {
        // A fixed sequence of pseudo-random parents, long enough for several chunks.
        let mut state = 7_u64;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        let mut parents: Vec<Vec<usize>> = vec![vec![]];
        for commit in 1..3 * CHUNK {
            let near = |back: usize| commit - 1 - back.min(commit - 1);
            let mut own = vec![near(next(6))];
            if next(4) == 0 {
                own.push(near(next(900)));
            }
            own.dedup();
            parents.push(own);
        }
        let wanted: Vec<usize> = (0..40).map(|_| next(parents.len())).collect();
        for (commit, found) in wanted.iter().zip(reached_from(&parents, &wanted)) {
            let mut plain = vec![false; parents.len()];
            let mut stack = vec![*commit];
            while let Some(at) = stack.pop() {
                if !std::mem::replace(&mut plain[at], true) {
                    stack.extend(&parents[at]);
                }
            }
            let same = (0..parents.len()).all(|at| found.contains(at) == plain[at]);
            assert!(same, "{commit}");
        }
    }
}
