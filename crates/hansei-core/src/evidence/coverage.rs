//! Which changes a check would notice: those of its ecosystem, in its folder, within its scope.
//!
//! In doubt a check does not cover a file: a check is called stale only on good grounds.

use super::changes::{Change, How};
use super::file_world::{
    World, ending_of, is_absolute, is_aside, is_test_file, is_within, name_of, placed, world_of,
};
use crate::check::{Check, CheckKind, Ecosystem};

/// Runners that run tasks of the project's own, which may be anything.
const TASKS: &[&str] = &[
    "script", "make", "just", "task", "mise", "moon", "earthly", "bazel", "buck", "pants", "pre-commit",
    "lefthook", "bats", "shellspec", "docker build",
];

/// Runners outside the known ecosystems, with the endings or names of the files that they read.
const OTHERS: &[(&[&str], &[&str])] = &[
    (&["flutter test", "flutter analyze", "flutter build", "dart format", "melos"], &["dart"]),
    (&["zig test", "zig build"], &["zig"]),
    (&["cabal", "stack", "ghc", "hlint"], &["hs"]),
    (&["dune"], &["ml", "mli"]),
    (&["elm-test"], &["elm"]),
    (&["nimble"], &["nim"]),
    (&["crystal spec"], &["cr"]),
    (&["busted", "luacheck"], &["lua"]),
    (&["prove"], &["pl", "pm"]),
    (&["Pkg.test", "R CMD check"], &["jl", "r", "R"]),
    (&["forge", "hardhat"], &["sol"]),
    (&["terraform validate", "terraform plan", "terraform test", "terraform fmt", "tflint"], &["tf"]),
    (&["buf"], &["proto"]),
    (&["gleam"], &["gleam"]),
    (&["lake"], &["lean"]),
    (&["hadolint"], &["Dockerfile"]),
    (&["yamllint", "actionlint", "ansible-lint", "helm lint"], &["yml", "yaml"]),
    (&["markdownlint"], &["md"]),
];

/// Whether the runner runs tasks that the project named itself.
pub(super) fn is_task_runner(check: &Check) -> bool {
    TASKS.contains(&check.runner)
        || matches!(
            check.runner,
            "npm run"
                | "npm test"
                | "yarn"
                | "pnpm"
                | "bun run"
                | "turbo"
                | "lerna"
                | "nx"
                | "rush"
                | "deno task"
                | "composer"
                | "rake"
                | "gradle"
                | "maven"
                | "invoke"
                | "poe"
                | "hatch"
                | "pdm"
                | "pixi"
                | "tox"
                | "nox"
                | "cargo xtask"
                | "cargo make"
                | "mage"
                | "ant"
                | "sbt"
                | "lein"
                | "babashka"
        )
}

/// Whether `check`, run in `folder`, would notice `change`.
pub(super) fn covers(check: &Check, folder: Option<&str>, change: &Change, root: Option<&str>) -> bool {
    if change.how == How::Formatted {
        return matches!(check.kind, CheckKind::Format);
    }
    // It looks at what is not committed yet, whatever that is.
    if check.runner == "git diff --check" {
        return false;
    }
    let Some(path) = &change.path else { return true };
    if is_aside(path) || folder.is_some_and(|folder| !is_within(path, folder)) {
        return false;
    }
    // Without a folder of its own a check runs in the session's, which a path outside does not belong to.
    if is_absolute(path) && root.is_some() && folder.is_none() {
        return false;
    }
    reads(check, path) && within_scope(check, folder, path, root)
}

/// Whether files like this one are read by the check at all.
fn reads(check: &Check, path: &str) -> bool {
    let world = world_of(path);
    if let Some((_, endings)) = OTHERS.iter().find(|(runners, _)| runners.contains(&check.runner)) {
        return endings.contains(&ending_of(path)) || endings.contains(&name_of(path));
    }
    match world {
        World::Docs | World::Unknown => false,
        World::TestData => check.kind == CheckKind::Test,
        World::Of(_) if TASKS.contains(&check.runner) => true,
        World::Of(of) => of.contains(&check.ecosystem),
    }
}

/// A test may depend on any source, but not on other tests; a linter reads only what it was given.
fn within_scope(check: &Check, folder: Option<&str>, path: &str, root: Option<&str>) -> bool {
    let reads_paths = matches!(check.kind, CheckKind::Lint | CheckKind::Format);
    let paths: Vec<String> = check
        .scope
        .iter()
        .filter(|part| reads_paths || looks_like_path(part))
        .map(|part| placed(plain(part), folder, root))
        .collect();
    let named = || check.scope.iter().filter(|part| !looks_like_path(part));
    let within = paths.iter().any(|part| is_within(path, part));
    if check.scope.is_empty() || within {
        return true;
    }
    match check.kind {
        CheckKind::Lint | CheckKind::Format => false,
        _ if is_test_file(path) => paths.is_empty(),
        // A package that is named must be the file's own; what else depends on it is not known.
        _ if check.ecosystem == Ecosystem::Rust && path.contains("crates/") => named().any(|package| {
            let same = |part: &str| part.replace('_', "-") == package.replace('_', "-");
            path.split('/').any(same)
        }),
        _ => true,
    }
}

/// Whether the selection of `check` is about this very file: it names the file, a folder or package that holds it, or the tests
/// that are called after it.
pub(super) fn is_about(check: &Check, folder: Option<&str>, path: &str) -> bool {
    let stem = |path: &str| {
        let name = name_of(path).split('.').next().unwrap_or_default().to_lowercase();
        ["test", "tests", "spec"].iter().fold(name, |name, mark| {
            let name = name.strip_prefix(&format!("{mark}_")).map(str::to_owned).unwrap_or(name);
            name.strip_suffix(mark).map(|name| name.trim_end_matches('_').to_owned()).unwrap_or(name)
        })
    };
    let named = |part: &String| {
        let (whole, plain) = (part, plain(part));
        is_within(path, &placed(plain, folder, None)) && !plain.is_empty()
            || path.split('/').any(|name| name.replace('_', "-") == plain.replace('_', "-"))
            || whole.split("::").chain([plain]).any(|name| !stem(name).is_empty() && stem(name) == stem(path))
    };
    !check.scope.iter().any(|part| is_unknown(part)) && check.scope.iter().any(named)
}

/// A part of a scope without what follows the file: `tests/a.py::test_x`, `./pkg/...`.
pub(super) fn plain(part: &str) -> &str {
    let part = part.split("::").next().unwrap_or(part).trim_start_matches("./");
    part.trim_end_matches("...").trim_end_matches('*').trim_end_matches('/')
}

/// Whether nobody knows what a part of a scope stands for: a variable, or what another command says.
pub(super) fn is_unknown(part: &str) -> bool {
    part.contains('$')
}

/// Whether a part of a scope is a path rather than the name of a test or a package.
pub(super) fn looks_like_path(part: &str) -> bool {
    !is_unknown(part) && part.contains('/')
        || matches!(world_of(plain(part)), World::Of(_)) && !ending_of(plain(part)).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::read_command;
    use crate::evidence::changes::Moment;

    fn covered(command: &str, path: &str) -> bool {
        let (check, _) = read_command(command).checks.remove(0);
        let change = Change { when: Moment(0, 0), path: Some(path.into()), how: How::Edited };
        let folder = check.folder.as_deref().map(|folder| placed(folder, None, Some("/w")));
        covers(&check, folder.as_deref(), &change, Some("/w"))
    }

    #[test]
    fn what_checks_cover() {
        for (command, path) in [
            ("cargo test", "src/a.rs"),
            ("cargo test parse", "src/a.rs"),
            ("cargo test -p hansei-core", "crates/hansei_core/src/a.rs"),
            ("pytest tests/test_a.py", "src/a.py"),
            ("pytest tests/test_a.py", "tests/test_a.py"),
            ("pytest tests/test_a.py::test_x", "tests/test_a.py"),
            ("npx eslint src", "src/a.ts"),
            ("npm test", "src/a.ts"),
            ("npm test", "tests/fixtures/a.bin"),
            ("make test", "lib/a.c"),
            ("./scripts/test", "lib/a.go"),
            ("cd web && npm test", "web/a.ts"),
            ("cd /w/web && npm test", "web/a.ts"),
            ("go test ./...", "pkg/a.go"),
            ("flutter test", "lib/a.dart"),
            ("npx markdownlint .", "README.md"),
        ] {
            assert!(covered(command, path), "{command} and {path}");
        }
    }

    #[test]
    fn what_checks_do_not_cover() {
        for (command, path) in [
            ("cargo test", "README.md"),
            ("cargo test", "web/a.ts"),
            ("cargo test", "/tmp/x.rs"),
            ("cargo test", "/elsewhere/x.rs"),
            ("cargo test -p hansei-core", "crates/hansei-hook/src/a.rs"),
            ("pytest tests/test_a.py", "tests/test_b.py"),
            ("npx eslint src", "lib/a.ts"),
            ("cd web && npm test", "api/a.ts"),
            ("npm run build", "node_modules/x/a.js"),
            ("npm test", ".github/workflows/ci.yml"),
            ("shellcheck run.sh", "src/a.c"),
            ("make test", "docs/a.md"),
            ("npm run lint", "tests/fixtures/a.bin"),
        ] {
            assert!(!covered(command, path), "{command} and {path}");
        }
    }
}
