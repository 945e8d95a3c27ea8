//! What a fix touches: lines that it takes away, and places between two lines where it puts others.

use std::collections::{BTreeMap, BTreeSet};

use super::compared_files::is_compared;
use super::own_lines::file_number;
use crate::history::patch::{LinePrint, Patch};
use crate::risk::belongs_to;
use crate::surface::Surface;

/// One place that a fix touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touch {
    /// The line that went, or the two between which something came, each in its file.
    pub(super) lines: Vec<u64>,
    /// The words that went, where another line took its place.
    pub(super) words_gone: Vec<u64>,
    /// Whether those lines do nothing by themselves.
    pub(super) silent: bool,
    /// The number of its file among the compared ones.
    pub(super) file: usize,
}

/// All that a fix touches.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) touches: Vec<Touch>,
    /// The files whose lines are compared.
    pub(super) files: Vec<String>,
    /// Whether it is about imports and comments alone.
    pub(super) only_silent: bool,
    /// How many lines outside the tests came and went.
    pub(super) changed: usize,
    /// Whether more lines came to the tests than went.
    pub(super) brings_tests: bool,
}

impl Touched {
    /// What `patch` touches, in tests too if it is tests that it repairs: who repairs what the program does and only
    /// meets a change in its tests added a test beside another.
    pub(super) fn of(patch: &Patch, in_tests: bool) -> Self {
        let is_test = |path: &str| belongs_to(Surface::Test, path);
        let mut touched = Self { only_silent: true, ..Self::default() };
        let (mut tests_came, mut tests_went) = (0, 0);
        for file in &patch.files {
            if is_test(&file.path) {
                tests_came += file.came;
                tests_went += file.went;
            } else {
                touched.changed += file.came + file.went;
            }
        }
        touched.brings_tests = tests_came > tests_went;
        let prints = |lines: fn(&crate::history::patch::FilePatch) -> &[crate::history::patch::Line]| {
            let lines = patch.files.iter().flat_map(lines).map(|line| line.print);
            lines.collect::<BTreeSet<LinePrint>>()
        };
        let (came, went) = (prints(|file| &file.added), prints(|file| &file.removed));
        // A line that comes back elsewhere was not what was wrong, unless order or spacing is all that changed.
        let only_moves = patch.only_spacing || (came == went && !came.is_empty());
        for file in &patch.files {
            if !is_compared(&file.path) || (!in_tests && is_test(&file.path)) {
                continue;
            }
            touched.only_silent &= file.came + file.went == 0;
            let number = file_number(&file.path);
            let place = touched.files.len();
            let words: BTreeMap<LinePrint, &[u64]> =
                file.rewritten.iter().map(|line| (line.old, line.words_gone.as_slice())).collect();
            for line in file.removed.iter().filter(|line| only_moves || !came.contains(&line.print)) {
                touched.touches.push(Touch {
                    lines: vec![line.print.in_file(number)],
                    words_gone: words.get(&line.print).map(|words| words.to_vec()).unwrap_or_default(),
                    silent: line.silent,
                    file: place,
                });
            }
            for beside in &file.inserted_between {
                touched.touches.push(Touch {
                    lines: beside.iter().map(|line| line.print.in_file(number)).collect(),
                    words_gone: Vec::new(),
                    silent: beside.iter().all(|line| line.silent),
                    file: place,
                });
            }
            touched.files.push(file.path.clone());
        }
        touched
    }
}
