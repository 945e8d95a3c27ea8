//! What was rejected and comes back: a name that is used again, a file at a path where none may stand.

use std::collections::BTreeSet;

use super::base_uses::{BaseUses, may_use, used_on};
use super::change::{Change, FileChange, LineSide};
use super::check::violation;
use super::decision::{Decision, DecisionKind, Violation, ViolationKind};
use super::file_kind::{FileKind, is_lock, kind_of};
use super::manifest::is_package;
use super::names::Name;
use super::path_uses::stands_at;
use super::technology::brings_file;

pub(super) fn reintroduced(
    binding: &[&Decision],
    change: &Change,
    already: &BaseUses,
    found: &mut BTreeSet<Violation>,
) {
    let gone: BTreeSet<&str> = change
        .files
        .iter()
        .flat_map(|file| file.lines.iter().filter(|line| line.side == LineSide::Removed))
        .map(|line| line.text.trim())
        .filter(|text| text.len() > 3)
        .collect();
    let names: BTreeSet<&Name> = binding
        .iter()
        .flat_map(|decision| &decision.rejected)
        .flat_map(|rejection| &rejection.names)
        .collect();
    let mut relied_on: BTreeSet<&Name> = BTreeSet::new();
    for file in &change.files {
        let Some(path) = file.new_path.as_deref() else { continue };
        returned_files(binding, file, path, found);
        let came = file.lines.iter().filter(|line| line.side == LineSide::Added);
        let lower = came.map(|line| line.text.to_lowercase()).collect::<Vec<_>>().join("\n");
        let wanted: Vec<&Name> = names.iter().copied().filter(|name| may_use(&lower, name)).collect();
        if wanted.is_empty() {
            continue;
        }
        let new: Vec<_> = file.side(LineSide::Added).collect();
        let old: Vec<_> = file.side(LineSide::Removed).collect();
        let old_path = file.old_path.as_deref().unwrap_or(path);
        let went = used_on(old_path, old.iter().map(|line| line.text.as_str()), &wanted);
        let came = used_on(path, new.iter().map(|line| line.text.as_str()), &wanted);
        for ((name, after), (_, before)) in came.into_iter().zip(went) {
            // Lines that stay are on both sides: what the old side had more of was there before.
            if before.len() >= after.len() || before.iter().any(|at| old[*at].side == LineSide::Kept) {
                continue;
            }
            if already.files(name).is_some_and(|files| files.contains(old_path)) {
                continue;
            }
            for at in after {
                let line = new[at];
                if line.side != LineSide::Added || gone.contains(line.text.trim()) {
                    continue;
                }
                for decision in binding
                    .iter()
                    .filter(|decision| rejects(decision, name) && reaches(decision, name, path, already))
                {
                    if kind_of(path) == FileKind::Manifest {
                        relied_on.insert(name);
                    }
                    found.insert(violation(
                        decision,
                        ViolationKind::Reintroduced,
                        path,
                        line.new,
                        &line.text,
                    ));
                }
            }
        }
    }
    locked(binding, change, &relied_on, found);
}

/// A lock file follows its manifest: what a change makes somebody rely on, it pins as well. What is only locked came with
/// something else, and nobody here chose it.
fn locked(
    binding: &[&Decision],
    change: &Change,
    relied_on: &BTreeSet<&Name>,
    found: &mut BTreeSet<Violation>,
) {
    for file in &change.files {
        let Some(path) = file.new_path.as_deref().filter(|path| is_lock(path)) else { continue };
        for name in relied_on {
            let wanted = name.text.to_lowercase().replace('_', "-");
            let pinned = file
                .lines
                .iter()
                .find(|line| line.side == LineSide::Added && is_package(line.text.trim_start(), &wanted));
            let Some(line) = pinned else { continue };
            for decision in binding.iter().filter(|decision| rejects(decision, name)) {
                found.insert(violation(decision, ViolationKind::Reintroduced, path, line.new, &line.text));
            }
        }
    }
}

fn rejects(decision: &Decision, name: &Name) -> bool {
    decision.rejected.iter().any(|rejection| rejection.names.contains(name))
}

/// Whether a rejection reaches a file. A tag in code speaks of its surroundings where others use the name already.
fn reaches(decision: &Decision, name: &Name, path: &str, already: &BaseUses) -> bool {
    let elsewhere = already.files(name).is_some_and(|files| files.iter().any(|file| *file != decision.file));
    decision.kind != DecisionKind::Tag || !elsewhere || path == decision.file
}

/// A file that comes to stand where none may, or that only what was rejected brings along.
fn returned_files(binding: &[&Decision], file: &FileChange, path: &str, found: &mut BTreeSet<Violation>) {
    let of_others = kind_of(path) == FileKind::Generated && !is_lock(path);
    let is_it =
        |path: &str, name: &Name| stands_at(path, name) || (!of_others && brings_file(&name.text, path));
    for decision in binding {
        for name in decision.rejected.iter().flat_map(|rejection| &rejection.names) {
            let was = file.old_path.as_deref().is_some_and(|old| is_it(old, name));
            if is_it(path, name) && !was {
                let first = file.lines.iter().find(|line| line.side == LineSide::Added);
                let text = first.map_or(path, |line| &line.text);
                found.insert(violation(decision, ViolationKind::Reintroduced, path, 1, text));
            }
        }
    }
}
