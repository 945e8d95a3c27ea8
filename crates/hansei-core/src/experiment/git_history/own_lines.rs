//! The lines that are a commit's own: not those that it only moved, and of those that it only rewrote in part no more
//! than the words that it put there.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::compared_files::is_compared;
use super::touched::Touch;
use crate::history::patch::{LinePrint, Patch};

/// What a commit wrote.
#[derive(Debug, Default)]
pub(super) struct OwnLines {
    /// Its lines, each in its file; sorted.
    lines: Vec<u64>,
    /// The lines that it rewrote in part, with the words that it put there; sorted.
    rewritten: Vec<(u64, u64)>,
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
        for file in patch.files.iter().filter(|file| is_compared(&file.path)) {
            let number = file_number(&file.path);
            let rewritten: BTreeMap<LinePrint, &[u64]> =
                file.rewritten.iter().map(|line| (line.new, line.words_come.as_slice())).collect();
            for line in file.added.iter().filter(|line| !gone.contains(&line.print)) {
                let here = line.print.in_file(number);
                match rewritten.get(&line.print) {
                    Some(words) => own.rewritten.extend(words.iter().map(|word| (here, *word))),
                    None => own.lines.push(here),
                }
            }
        }
        own.lines.sort_unstable();
        own.lines.dedup();
        own.rewritten.sort_unstable();
        own.rewritten.dedup();
        own
    }

    /// How many of the lines that `touch` is about it wrote: of a line that it rewrote in part, only if the very words are
    /// changed that it put there.
    pub(super) fn wrote(&self, touch: &Touch) -> usize {
        let wrote = |line: &u64| {
            self.lines.binary_search(line).is_ok()
                || touch.words_gone.iter().any(|word| self.rewritten.binary_search(&(*line, *word)).is_ok())
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
