//! The lines that are a commit's own: not those that it only moved, and not those in which it only put one name for
//! another, as it did everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::compared_files::is_compared;
use super::touched::Touch;
use crate::history::patch::{LinePrint, Patch};

/// In so many lines the same words for the same words are a sweep.
const SWEEP: u32 = 3;

/// What a commit wrote.
#[derive(Debug, Default)]
pub(super) struct OwnLines {
    /// Its lines, each in its file; sorted.
    lines: Vec<u64>,
    /// The lines in which it only took part in a sweep, with the words that it put there; sorted.
    swept: Vec<(u64, u64)>,
}

impl OwnLines {
    /// What `patch` wrote. What changed nothing but spacing wrote nothing.
    pub(super) fn of(patch: &Patch) -> Self {
        let mut own = Self::default();
        if patch.only_spacing {
            return own;
        }
        let gone: BTreeSet<LinePrint> =
            patch.files.iter().flat_map(|file| file.removed.iter().map(|line| line.print)).collect();
        let mut swaps: BTreeMap<u64, u32> = BTreeMap::new();
        for swap in patch.files.iter().flat_map(|file| &file.rewritten).flat_map(|line| &line.swaps) {
            *swaps.entry(*swap).or_default() += 1;
        }
        let is_sweep = |swap: &u64| swaps.get(swap).is_some_and(|times| *times >= SWEEP);
        for file in patch.files.iter().filter(|file| is_compared(&file.path)) {
            let number = file_number(&file.path);
            let swept: BTreeMap<LinePrint, &[u64]> = file
                .rewritten
                .iter()
                .filter(|line| line.swaps.iter().all(is_sweep))
                .map(|line| (line.new, line.words_come.as_slice()))
                .collect();
            for line in file.added.iter().filter(|line| !gone.contains(&line.print)) {
                let here = line.print.in_file(number);
                match swept.get(&line.print) {
                    Some(words) => own.swept.extend(words.iter().map(|word| (here, *word))),
                    None => own.lines.push(here),
                }
            }
        }
        own.lines.sort_unstable();
        own.lines.dedup();
        own.swept.sort_unstable();
        own.swept.dedup();
        own
    }

    /// How many of the lines that `touch` is about it wrote: of a line that it swept, only if the very words are changed
    /// that it put there.
    pub(super) fn wrote(&self, touch: &Touch) -> usize {
        let wrote = |line: &u64| {
            self.lines.binary_search(line).is_ok()
                || touch.words_gone.iter().any(|word| self.swept.binary_search(&(*line, *word)).is_ok())
        };
        touch.lines.iter().filter(|line| wrote(line)).count()
    }
}

/// A number for a path.
pub(super) fn file_number(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}
