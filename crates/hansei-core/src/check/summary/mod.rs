//! What runners say about a run at its end: how many tests passed, failed and were skipped, and which failed.
//!
//! The words of runners are data: `summaries.txt` has their lines by families, `runners.txt` says which families are read for
//! which runner. What they find adds up in a [`Tally`]; several summaries in one output, as workspaces print them, do too. A
//! check behind a task's name (`npm test`, `make check`) may be any runner, so all families look at its output.

mod by_hand;
mod family;
mod numbers;
mod pattern;
mod plain_counts;
mod text;

pub(super) use plain_counts::plain_counts;
pub(super) use text::{Text, clean};

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;

use self::family::FAMILIES;
use self::pattern::Line;
use super::{Check, CheckKind};
use crate::tables::rows;

/// Most names of failing tests that are kept, and the longest name.
const MOST_NAMES: usize = 50;
const LONGEST_NAME: usize = 200;

/// What a runner counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Tests that passed. Packages or files where the runner counts those.
    pub passed: u64,
    /// Tests that failed; for linters and compilers, the errors found.
    pub failed: u64,
    /// Tests that were skipped, ignored or expected to fail.
    pub skipped: u64,
    /// The names of failing tests, at most fifty.
    pub failing: Vec<String>,
}

/// What the families found so far.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools, reason = "runners say these things independently of each other")]
pub(super) struct Tally {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) skipped: u64,
    failing: Vec<String>,
    /// A summary with numbers was found.
    pub(super) counted: bool,
    /// The runner says, without a number, that it failed.
    pub(super) broken: bool,
    /// The runner says, without a number, that all is well.
    pub(super) fine: bool,
    /// The runner says that there was nothing to run.
    pub(super) nothing: bool,
    /// Lines that look like errors.
    pub(super) complaints: u64,
}

impl Tally {
    fn add(&mut self, passed: u64, failed: u64, skipped: u64) {
        self.counted = true;
        self.passed = self.passed.saturating_add(passed);
        self.failed = self.failed.saturating_add(failed);
        self.skipped = self.skipped.saturating_add(skipped);
    }

    fn name(&mut self, name: &str) {
        let name = name.trim();
        let name = &name[..name.floor_char_boundary(LONGEST_NAME.min(name.len()))];
        // `1/3 targets failed` and `nx run app:test` sum up what has names of its own.
        let sums_up =
            name.starts_with(|c: char| c.is_ascii_digit()) && name.contains('/') && name.contains(" failed")
                || name.starts_with("nx run ");
        if !name.is_empty()
            && !sums_up
            && self.failing.len() < MOST_NAMES
            && !self.failing.iter().any(|known| known == name)
        {
            self.failing.push(name.to_owned());
        }
    }

    /// Takes over what `other` found in the same output, if it is more.
    fn widen(&mut self, other: &Self) {
        self.passed = self.passed.max(other.passed);
        self.failed = self.failed.max(other.failed);
        self.skipped = self.skipped.max(other.skipped);
        self.complaints = self.complaints.max(other.complaints);
        self.counted |= other.counted;
        self.broken |= other.broken;
        self.fine |= other.fine;
        self.nothing |= other.nothing;
        other.failing.iter().for_each(|name| self.name(name));
    }

    /// Whether failures were counted, and not only hinted at.
    pub(super) fn is_sure_of_failure(&self) -> bool {
        self.counted && self.failed > 0
    }

    pub(super) fn summary(&self) -> Option<Summary> {
        (self.counted || !self.failing.is_empty()).then(|| Summary {
            passed: self.passed,
            failed: self.failed,
            skipped: self.skipped,
            failing: self.failing.clone(),
        })
    }
}

/// What the output of `check` says.
pub(super) fn read(check: &Check, text: &Text<'_>) -> Tally {
    let mut tally = read_as(check.kind, families(check), text);
    if check.kind != CheckKind::Test && text.lines().iter().any(|line| found_no_files(line)) {
        tally.nothing = true;
    }
    tally
}

/// What an output says to whom knows no more than its kind.
pub(super) fn read_any(kind: CheckKind, text: &Text<'_>) -> Tally {
    read_as(kind, of_kind(kind), text)
}

fn read_as(kind: CheckKind, families: &[&str], text: &Text<'_>) -> Tally {
    let said = text.lines().iter().filter(|line| !line.is_empty());
    let lines: Vec<Line<'_>> = said.map(|line| Line::of(line)).collect();
    let mut tally = Tally::default();
    for name in families {
        let mut own = Tally::default();
        // Linters share their wording: `Found 3 errors` is read by several families, and counts once.
        let into = if kind == CheckKind::Test { &mut tally } else { &mut own };
        if let Some((_, read)) = BY_HAND.iter().find(|(known, _)| known == name) {
            read(text.lines(), into);
        } else if let Some(family) = FAMILIES.iter().find(|family| family.name == *name) {
            family.read(&lines, into);
        }
        tally.widen(&own);
    }
    tally
}

/// "No files matching the pattern", "no packages to vet": what there was to look at was nothing.
fn found_no_files(line: &str) -> bool {
    if !["no", "No", "NO"].iter().any(|no| line.contains(no)) {
        return false;
    }
    let words: Vec<String> = line.split_whitespace().take(12).map(str::to_lowercase).collect();
    let thing = |word: &String| {
        ["file", "input", "package", "source", "target"]
            .iter()
            .any(|thing| word.trim_matches(['[', '.']).starts_with(thing))
    };
    words.windows(2).any(|pair| pair[0] == "no" && thing(&pair[1]))
        || words.windows(3).any(|three| three[0] == "no" && thing(&three[2]) && three[1] != "such")
        || words.windows(2).any(|pair| pair[0] == "matched" && pair[1] == "no")
}

/// Adds what these lines say.
type ByHand = fn(&[&str], &mut Tally);

/// The families that are read by hand.
const BY_HAND: &[(&str, ByHand)] = &[
    ("mocha", by_hand::mocha),
    ("playwright", by_hand::playwright),
    ("unittest", by_hand::unittest),
    ("go test", by_hand::go_test),
];

/// The runners, by name, with the families whose words are read in their output.
static RUNNERS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let rows = rows(include_str!("runners.txt"));
    let row = |(runners, families): (&'static str, &'static str)| {
        let families: Vec<&str> = families.split(", ").collect();
        runners.split(", ").map(move |runner| (runner, families.clone())).collect::<Vec<_>>()
    };
    rows.flat_map(row).collect()
});

fn families(check: &Check) -> &'static [&'static str] {
    RUNNERS.get(check.runner).map_or_else(|| of_kind(check.kind), Vec::as_slice)
}

fn of_kind(kind: CheckKind) -> &'static [&'static str] {
    let any = match kind {
        CheckKind::Test => "any test",
        CheckKind::Build => "any build",
        CheckKind::Lint | CheckKind::TypeCheck | CheckKind::Format => "any look",
    };
    RUNNERS.get(any).map(Vec::as_slice).unwrap_or_default()
}
