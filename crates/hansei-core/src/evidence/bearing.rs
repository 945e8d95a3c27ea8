//! What a later run of a check says about an earlier one.

use super::check_runs::{CheckRuns, Ran};
use super::coverage::{is_task_runner, is_unknown, looks_like_path, plain};
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
        (_, Some(old)) if old.starts_with("ssh:") && later.folder != earlier.folder => return Bearing::None,
        // A shell that stays in a folder writes it only once.
        (None, _) => Bearing::All,
        (Some(new), None) if is_of_another_package(old, new) => return Bearing::None,
        (Some(_), None) => Bearing::Maybe,
        (Some(new), Some(old)) if is_within(old, new) => Bearing::All,
        (Some(_), Some(_)) => return Bearing::None,
    };
    let whole = covers_scope(new, earlier);
    let related = new.ecosystem == old.ecosystem
        || matches!(new.ecosystem, Ecosystem::Make | Ecosystem::Shell)
        || matches!(old.ecosystem, Ecosystem::Make | Ecosystem::Shell);
    let stands_for_it = || later.runs_check(earlier) && new.scope.is_empty();
    let found = if CheckRuns::same(later, earlier) {
        if whole { Bearing::All } else { Bearing::Part }
    } else if stands_for_it() {
        Bearing::All
    } else if !related || !new.scope.is_empty() {
        Bearing::None
    } else if old.kind == CheckKind::Build && compiles(new) && new.ecosystem == old.ecosystem {
        Bearing::All
    } else if new.kind == old.kind {
        // What two commands counted is never compared: they may count different things.
        if is_task_runner(new) && !is_task_runner(old) { Bearing::All } else { Bearing::Maybe }
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

/// Whether `folder` is not the one of the packages that `check` names: `pnpm --filter @org/core test`, then `packages/legacy`.
fn is_of_another_package(check: &Check, folder: &str) -> bool {
    let name = |part: &str| {
        part.trim_end_matches(['.', '/']).rsplit(['/', ':']).next().unwrap_or_default().to_lowercase()
    };
    let named = || check.scope.iter().filter(|part| !is_unknown(part) && !part.contains("::"));
    is_task_runner(check) && named().next().is_some() && !named().any(|part| name(part) == name(folder))
}

/// A part of a selection, cut before the first name with a star.
fn folder_and_pattern(part: &str) -> (&str, &str) {
    let cut = |star: usize| part[..star].rfind('/').map_or(0, |slash| slash + 1);
    part.find('*').map_or((part, ""), |star| part.split_at(cut(star)))
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

/// Whether everything that `earlier` looked at, `new` looks at too.
fn covers_scope(new: &Check, earlier: &Ran<'_>) -> bool {
    let old = &earlier.run.check.scope;
    let within = |part: &String| {
        new.scope.iter().any(|wider| {
            wider == part
                || !is_unknown(wider) && is_within(part, plain(wider)) && !wider.contains("::")
                || wider.contains("::") && part.starts_with(wider.as_str())
        })
    };
    let failing = earlier.run.summary.as_ref().map_or(&[][..], |summary| &summary.failing);
    // What names the folder of all tests names all there is, unless something failed elsewhere.
    let inside =
        |name: &String| new.scope.iter().any(|part| is_within(name, plain(folder_and_pattern(part).0)));
    let whole = is_whole(new) && failing.iter().filter(|name| looks_like_path(name)).all(inside);
    new.scope.is_empty() || if old.is_empty() { whole } else { old.iter().all(within) }
}

/// Whether the selection of a check names all that there is.
pub(super) fn is_whole(check: &Check) -> bool {
    const FOLDERS: &[&str] = &["", ".", "test", "tests", "spec", "specs", "__tests__"];
    // `tests/test_*.py`, `test/**/*.js`: what is left beside the stars says only that it is a test.
    let all = |part: &String| {
        let (folder, pattern) = folder_and_pattern(part);
        let mut words = pattern.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
        let ending = pattern.rsplit('.').next().filter(|_| pattern.contains('.'));
        !is_unknown(part)
            && FOLDERS.contains(&folder.trim_start_matches("./").trim_end_matches('/'))
            && words.all(|word| matches!(word, "test" | "spec" | "tests") || Some(word) == ending)
    };
    check.scope.is_empty() || check.scope.iter().all(all)
}
