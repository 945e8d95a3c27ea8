//! What the name of a task says it does: `test:unit`, `lint-all`, `testDebugUnitTest`, `scripts/run-tests.sh`.

use super::CheckKind;

/// Words that say that a task is no single run of a check, whatever else its name says.
#[rustfmt::skip]
const NO_RUN: &[&str] = &[
    "watch", "dev", "serve", "server", "start", "stop", "debug", "ui", "open", "clean", "install", "setup", "deploy",
    "publish", "release", "seed", "generate", "gen", "up", "down", "db", "data", "fixture", "fixtures", "init", "create",
    "update", "image", "images", "push", "pull", "report", "deps", "help", "list", "env", "new", "bench", "benchmark",
];

/// The kind of check that a task of this name runs.
pub(super) fn kind_of(name: &str) -> Option<CheckKind> {
    let mut said = Said::default();
    for word in words(name) {
        said.hear(&word);
    }
    said.kind()
}

/// Whether every word of `name` belongs to the language of checks, as in `run_tests` but not in `test_parser`.
pub(super) fn is_only_about_checks(name: &str) -> bool {
    words(name).iter().all(|word| {
        let mut said = Said::default();
        said.hear(word);
        said.kind().is_some()
            || matches!(
                word.as_str(),
                "run"
                    | "all"
                    | "quick"
                    | "full"
                    | "fast"
                    | "local"
                    | "code"
                    | "type"
                    | "pre"
                    | "commit"
                    | "format"
            )
    })
}

#[derive(Default)]
struct Said {
    no_run: bool,
    test: bool,
    lint: bool,
    types: bool,
    build: bool,
    check: bool,
    format: bool,
    type_word: bool,
}

impl Said {
    fn hear(&mut self, word: &str) {
        match word {
            "test" | "tests" | "testing" | "spec" | "specs" | "unit" | "integration" | "e2e" | "jest"
            | "vitest" | "pytest" | "rspec" | "phpunit" | "coverage" | "cov" | "nextest" | "runtests"
            | "smoke" | "acceptance" | "playwright" | "cypress" | "doctest" | "unittest" | "unittests"
            | "testall" | "regression" => self.test = true,
            "lint" | "lints" | "linter" | "eslint" | "clippy" | "ruff" | "flake8" | "pylint" | "rubocop"
            | "stylelint" | "vet" | "shellcheck" | "checkstyle" | "detekt" | "ktlint" | "phpstan"
            | "psalm" | "golangci" | "analyze" | "analyse" => self.lint = true,
            "typecheck" | "typechecks" | "tsc" | "mypy" | "pyright" | "typing" | "checktypes" => {
                self.types = true
            }
            "type" | "types" => self.type_word = true,
            "build" | "builds" | "compile" | "assemble" | "bundle" | "package" => self.build = true,
            "check" | "checks" | "verify" | "validate" | "ci" | "qa" | "precommit" | "presubmit"
            | "preflight" => {
                self.check = true;
            }
            "format" | "fmt" | "prettier" | "spotless" | "black" | "formatting" => self.format = true,
            _ if NO_RUN.contains(&word) => self.no_run = true,
            _ => {}
        }
    }

    fn kind(&self) -> Option<CheckKind> {
        if self.no_run {
            return None;
        }
        match self {
            Self { types: true, .. } | Self { type_word: true, check: true, .. } => {
                Some(CheckKind::TypeCheck)
            }
            Self { format: true, check: true, .. } => Some(CheckKind::Format),
            // A formatter that rewrites is no check.
            Self { format: true, test: false, lint: false, .. } => None,
            Self { lint: true, .. } => Some(CheckKind::Lint),
            Self { build: true, test: false, .. } => Some(CheckKind::Build),
            Self { test: true, .. } | Self { check: true, .. } => Some(CheckKind::Test),
            _ => None,
        }
    }
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
