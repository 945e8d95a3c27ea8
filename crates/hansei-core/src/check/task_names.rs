//! What the name of a task says it does: `test:unit`, `lint-all`, `testDebugUnitTest`, `scripts/run-tests.sh`.

use super::CheckKind;

/// Words that say that a task is no single run of a check, whatever else its name says.
#[rustfmt::skip]
const NO_RUN: &[&str] = &[
    "watch", "dev", "serve", "server", "start", "stop", "debug", "ui", "open", "clean", "install", "setup",
    "deploy", "publish", "release", "seed", "generate", "gen", "up", "down", "db", "data", "fixture", "fixtures",
    "init", "create", "update", "image", "images", "push", "pull", "report", "deps", "help", "list", "env", "new",
    "bench", "benchmark", "prepare",
];

/// What one word of a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    NoRun,
    Test,
    Lint,
    TypeCheck,
    Type,
    Build,
    Check,
    Format,
}

/// The kind of check that a task of this name runs.
pub(super) fn kind_of(name: &str) -> Option<CheckKind> {
    let said: Vec<Says> = words(name).iter().filter_map(|word| says(word)).collect();
    let says = |what: Says| said.contains(&what);
    if says(Says::NoRun) {
        None
    } else if says(Says::TypeCheck) || (says(Says::Type) && says(Says::Check)) {
        Some(CheckKind::TypeCheck)
    } else if says(Says::Format) && says(Says::Check) {
        Some(CheckKind::Format)
    } else if says(Says::Lint) {
        Some(CheckKind::Lint)
    } else if says(Says::Format) && !says(Says::Test) {
        // A formatter that rewrites is no check.
        None
    } else if says(Says::Build) && !says(Says::Test) {
        Some(CheckKind::Build)
    } else {
        (says(Says::Test) || says(Says::Check)).then_some(CheckKind::Test)
    }
}

/// Whether every word of `name` belongs to the language of checks, as in `run_tests` but not in `test_parser`.
pub(super) fn is_only_about_checks(name: &str) -> bool {
    words(name).iter().all(|word| {
        says(word).is_some_and(|what| what != Says::NoRun)
            || matches!(
                word.as_str(),
                "run" | "all" | "quick" | "full" | "fast" | "local" | "code" | "pre" | "commit"
            )
    })
}

fn says(word: &str) -> Option<Says> {
    let said = match word {
        "test" | "tests" | "testing" | "spec" | "specs" | "unit" | "integration" | "e2e" | "jest"
        | "vitest" | "pytest" | "rspec" | "phpunit" | "coverage" | "cov" | "nextest" | "runtests"
        | "smoke" | "acceptance" | "playwright" | "cypress" | "doctest" | "unittest" | "unittests"
        | "testall" | "regression" => Says::Test,
        "lint" | "lints" | "linter" | "eslint" | "clippy" | "ruff" | "flake8" | "pylint" | "rubocop"
        | "stylelint" | "vet" | "shellcheck" | "checkstyle" | "detekt" | "ktlint" | "phpstan" | "psalm"
        | "golangci" | "analyze" | "analyse" => Says::Lint,
        "typecheck" | "typechecks" | "tsc" | "mypy" | "pyright" | "typing" | "checktypes" => Says::TypeCheck,
        "type" | "types" => Says::Type,
        "build" | "builds" | "compile" | "assemble" | "bundle" | "package" => Says::Build,
        "check" | "checks" | "verify" | "validate" | "ci" | "qa" | "precommit" | "presubmit"
        | "preflight" => Says::Check,
        "format" | "fmt" | "prettier" | "spotless" | "black" | "formatting" => Says::Format,
        _ if NO_RUN.contains(&word) => Says::NoRun,
        _ => return None,
    };
    Some(said)
}

/// The words of a name, in lower case: parted by anything but letters and digits, and where a capital follows a small
/// letter.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    let mut small = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            fresh = true;
            small = false;
            continue;
        }
        if fresh || (c.is_ascii_uppercase() && small) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
        fresh = false;
        small = !c.is_ascii_uppercase();
    }
    words
}
