//! What a later run of a check says about an earlier one.

use super::check_runs::{CheckRuns, Ran};
use super::coverage::{is_task_runner, plain};
use super::file_world::is_within;
use crate::check::{Check, CheckKind, Ecosystem};

/// How a later run bears on an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bearing {
    /// It says everything that the earlier one said, anew.
    All,
    /// It says a part of it anew.
    Part,
    /// It may.
    Maybe,
    /// It does not.
    None,
}

/// How `later` bears on `earlier`.
pub(super) fn bearing(later: &Ran<'_>, earlier: &Ran<'_>) -> Bearing {
    let (new, old) = (&later.run.check, &earlier.run.check);
    let folder = match (&later.folder, &earlier.folder) {
        // A shell that stays in a folder writes it only once.
        (None, _) => Bearing::All,
        (Some(_), None) => Bearing::Maybe,
        (Some(new), Some(old)) if is_within(old, new) => Bearing::All,
        (Some(_), Some(_)) => return Bearing::None,
    };
    let whole = covers_scope(new, old);
    let related = new.ecosystem == old.ecosystem
        || matches!(new.ecosystem, Ecosystem::Make | Ecosystem::Shell)
        || matches!(old.ecosystem, Ecosystem::Make | Ecosystem::Shell);
    let found = if CheckRuns::same(later, earlier) {
        if whole { Bearing::All } else { Bearing::Part }
    } else if !related || !new.scope.is_empty() {
        Bearing::None
    } else if old.kind == CheckKind::Build && compiles(new) && new.ecosystem == old.ecosystem {
        Bearing::All
    } else if new.kind == old.kind {
        if counts_as_many(later, earlier) || (is_task_runner(new) && !is_task_runner(old)) {
            Bearing::All
        } else {
            Bearing::Maybe
        }
    } else if is_task_runner(new) && new.kind == CheckKind::Test {
        // `make check` may lint and build as well.
        Bearing::Maybe
    } else {
        Bearing::None
    };
    match (found, folder) {
        (Bearing::All, Bearing::Maybe) => Bearing::Maybe,
        _ => found,
    }
}

/// Whether the check cannot pass when the build fails.
fn compiles(check: &Check) -> bool {
    let compiled = matches!(
        check.ecosystem,
        Ecosystem::Rust
            | Ecosystem::Go
            | Ecosystem::Java
            | Ecosystem::DotNet
            | Ecosystem::Swift
            | Ecosystem::C
    );
    compiled && (matches!(check.kind, CheckKind::Test | CheckKind::Build) || check.runner == "cargo clippy")
}

/// Whether the later run has at least as many tests as the earlier one.
fn counts_as_many(later: &Ran<'_>, earlier: &Ran<'_>) -> bool {
    match (&later.run.summary, &earlier.run.summary) {
        (Some(new), Some(old)) => {
            old.passed + old.failed > 0 && new.passed + new.failed >= old.passed + old.failed
        }
        _ => false,
    }
}

/// Whether everything that `old` looked at, `new` looks at too.
fn covers_scope(new: &Check, old: &Check) -> bool {
    new.scope.is_empty()
        || (!old.scope.is_empty()
            && old.scope.iter().all(|part| {
                new.scope
                    .iter()
                    .any(|wider| wider == part || (is_within(part, plain(wider)) && !wider.contains("::")))
            }))
}
