//! A change and its past as numbers.

use std::collections::BTreeSet;

use super::kind::FileKind;
use super::past::{FilePast, Known};
use crate::history::{Extent, FileChange};

/// How many files of a change have their past looked up; the first by path, so that the choice does not hang on lines.
const MOST_FILES: usize = 100;

/// The numbers that a score is made of, and those that its reasons name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Measures {
    /// Lines added, each weighed by what its file is.
    pub(super) added: f64,
    /// Lines deleted, likewise.
    pub(super) deleted: f64,
    /// Bits to say for every changed line which file it belongs to: the entropy of the spread times the lines. Unlike
    /// the entropy, it never falls when lines are added.
    pub(super) spread: f64,
    /// Whether some of the lines are not known.
    pub(super) lines_unknown: bool,
    pub(super) raw_added: u64,
    pub(super) source_added: u64,
    pub(super) raw_deleted: u64,
    /// Files, directories and top-level folders, without documentation and what is generated.
    pub(super) files: u64,
    pub(super) directories: u64,
    pub(super) subsystems: u64,
    /// The file that was changed most, lately.
    pub(super) busiest: Option<FilePast>,
    /// The file that most authors changed.
    pub(super) most_shared: Option<FilePast>,
    /// Fixes in these files, lately.
    pub(super) recent_fixes: f64,
    pub(super) fixes: u64,
    pub(super) changes: u64,
}

/// The weight of a line in a file of a kind. Lines of tests, configuration and documentation go wrong too, but less
/// often; what a program wrote nearly never does by itself.
fn line_weight(kind: FileKind) -> f64 {
    match kind {
        FileKind::Source => 1.0,
        FileKind::Test | FileKind::Other => 0.5,
        FileKind::Docs => 0.3,
        FileKind::Generated | FileKind::Translation => 0.01,
    }
}

/// The paths whose past says something about a change of `files`.
pub fn files_with_a_past(files: &[FileChange]) -> Vec<String> {
    let paths: BTreeSet<&String> = files
        .iter()
        .filter(|file| !FileKind::of(&file.path).is_neutral())
        .map(|file| file.renamed_from.as_ref().unwrap_or(&file.path))
        .collect();
    paths.into_iter().take(MOST_FILES).cloned().collect()
}

pub(super) fn of(files: &[FileChange], known: Option<&Known>) -> Measures {
    let mut measures = Measures::default();
    let mut directories = BTreeSet::new();
    let mut subsystems = BTreeSet::new();
    let mut sizes = Vec::new();
    for file in files {
        let kind = FileKind::of(&file.path);
        measures.lines_unknown |= file.extent == Extent::Unknown;
        let (added, deleted) = (file.extent.added(), file.extent.deleted());
        measures.raw_added = measures.raw_added.saturating_add(added);
        measures.raw_deleted = measures.raw_deleted.saturating_add(deleted);
        measures.added += line_weight(kind) * number(added);
        measures.deleted += line_weight(kind) * number(deleted);
        if kind == FileKind::Source {
            measures.source_added = measures.source_added.saturating_add(added);
        }
        if kind.is_neutral() {
            continue;
        }
        measures.files += 1;
        directories.insert(file.path.rsplit_once('/').map_or("", |(directory, _)| directory));
        subsystems.insert(file.path.split_once('/').map_or("", |(first, _)| first));
        sizes.push(number(added.saturating_add(deleted)));
    }
    measures.directories = directories.len() as u64;
    measures.subsystems = subsystems.len() as u64;
    let total: f64 = sizes.iter().sum();
    measures.spread = sizes
        .iter()
        .filter(|size| **size > 0.0)
        .map(|size| size * (total / size).log2())
        .sum::<f64>()
        .max(0.0);
    for past in known.into_iter().flat_map(|known| &known.files) {
        measures.recent_fixes += past.recent_fixes;
        measures.fixes += u64::from(past.fixes);
        measures.changes += u64::from(past.changes);
        if measures.busiest.as_ref().is_none_or(|most| past.recent_changes > most.recent_changes) {
            measures.busiest = Some(past.clone());
        }
        if measures.most_shared.as_ref().is_none_or(|most| past.authors > most.authors) {
            measures.most_shared = Some(past.clone());
        }
    }
    measures
}

/// A count as a number. Past 2⁵³ lines the last digits are lost, and nothing else.
#[expect(clippy::cast_precision_loss, reason = "counts of lines and commits")]
pub(super) fn number(count: u64) -> f64 {
    count as f64
}
