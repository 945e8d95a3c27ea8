//! What runners say about a run at its end: how many tests passed, failed and were skipped, and which failed.
//!
//! Each module knows the wording of one family of runners and adds what it finds to a [`Tally`]; several summaries in one
//! output, as workspaces print them, add up. A check behind a task's name (`npm test`, `make check`) may be any runner, so
//! all families look at its output.

mod c_family;
mod compilers;
mod go;
mod javascript;
mod jvm_dotnet;
mod linters;
mod mobile;
mod numbers;
mod plain_counts;
mod python;
mod ruby_php;
mod rust;
mod tap;
mod task_runners;
mod text;

pub(super) use plain_counts::plain_counts;
pub(super) use text::{Text, clean};

use serde::Serialize;

use super::{Check, CheckKind};

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

/// A family's reader.
type Family = fn(&[&str], &mut Tally);

/// What the output of `check` says.
pub(super) fn read(check: &Check, text: &Text<'_>) -> Tally {
    let mut tally = Tally::default();
    for family in families(check) {
        if check.kind == CheckKind::Test {
            family(text.lines(), &mut tally);
        } else {
            // Linters share their wording: `Found 3 errors` is read by several families, and counts once.
            let mut own = Tally::default();
            family(text.lines(), &mut own);
            tally.widen(&own);
        }
    }
    if check.kind != CheckKind::Test && text.lines().iter().any(|line| found_no_files(line)) {
        tally.nothing = true;
    }
    tally
}

/// What an output says to whoever knows a runner of this kind.
pub(super) fn read_any(kind: CheckKind, text: &Text<'_>) -> Tally {
    let mut tally = Tally::default();
    of_kind(kind).iter().for_each(|family| family(text.lines(), &mut tally));
    tally
}

/// "No files matching the pattern", "no packages to vet": what there was to look at was nothing.
fn found_no_files(line: &str) -> bool {
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

const ANY_TEST: &[Family] = &[
    rust::libtest,
    rust::nextest,
    rust::could_not_compile,
    python::pytest,
    python::unittest,
    python::tox,
    javascript::jest,
    javascript::vitest,
    javascript::mocha,
    javascript::playwright,
    javascript::cypress,
    javascript::bun,
    javascript::karma,
    javascript::deno,
    tap::tap,
    tap::ava,
    go::test,
    jvm_dotnet::surefire,
    jvm_dotnet::gradle,
    jvm_dotnet::sbt,
    jvm_dotnet::dotnet_test,
    ruby_php::rspec,
    ruby_php::minitest,
    ruby_php::phpunit,
    c_family::ctest,
    c_family::automake,
    c_family::make,
    mobile::xctest,
    mobile::flutter,
    mobile::counted_sentence,
    task_runners::bazel,
    task_runners::failed_task,
];

const ANY_BUILD: &[Family] = &[
    rust::could_not_compile,
    compilers::tsc,
    compilers::bundlers,
    jvm_dotnet::build,
    c_family::compiler,
    c_family::make,
    go::build,
    task_runners::failed_task,
    mobile::build,
];

const ANY_LINT: &[Family] = &[
    rust::could_not_compile,
    rust::finished,
    linters::eslint,
    linters::ruff,
    linters::prettier,
    linters::golangci,
    linters::rubocop,
    linters::phpstan,
    linters::pre_commit,
    compilers::tsc,
    compilers::mypy,
    compilers::pyright,
    c_family::make,
    task_runners::failed_task,
];

fn families(check: &Check) -> &'static [Family] {
    match check.runner {
        "cargo test" | "cargo miri" => &[rust::libtest, rust::nextest, rust::could_not_compile],
        "cargo nextest" => &[rust::nextest, rust::libtest, rust::could_not_compile],
        "cargo build" | "cargo check" | "cargo clippy" | "rustc" => {
            &[rust::could_not_compile, rust::finished]
        }
        "cargo fmt" | "rustfmt" => &[rust::formatting],
        "gofmt" => &[linters::listed],
        "pytest" => &[python::pytest],
        "unittest" => &[python::unittest, python::pytest],
        "tox" | "nox" => &[python::pytest, python::unittest, python::tox],
        "jest" => &[javascript::jest],
        "vitest" => &[javascript::vitest],
        "mocha" => &[javascript::mocha],
        "ava" => &[tap::ava, tap::tap],
        "tap" | "node --test" | "bats" | "prove" => &[tap::tap, mobile::counted_sentence],
        "playwright" => &[javascript::playwright],
        "cypress" => &[javascript::cypress, javascript::mocha],
        "karma" | "jasmine" | "wtr" => &[javascript::karma, mobile::counted_sentence],
        "bun test" => &[javascript::bun],
        "deno test" => &[javascript::deno],
        "go test" => &[go::test],
        "go build" | "go vet" | "staticcheck" => &[go::build],
        "golangci-lint" => &[linters::golangci],
        "maven" => &[jvm_dotnet::surefire, jvm_dotnet::build],
        "gradle" => &[jvm_dotnet::gradle, jvm_dotnet::build],
        "sbt" => &[jvm_dotnet::sbt],
        "dotnet test" => &[jvm_dotnet::dotnet_test],
        "dotnet build" | "javac" | "ant" => &[jvm_dotnet::build],
        "rspec" => &[ruby_php::rspec],
        "minitest" => &[ruby_php::minitest],
        "phpunit" | "pest" => &[ruby_php::phpunit],
        "phpstan" | "psalm" => &[linters::phpstan],
        "rubocop" => &[linters::rubocop],
        "ctest" | "meson" => &[c_family::ctest],
        "gcc" => &[c_family::compiler],
        "cmake" | "ninja" => &[c_family::compiler, c_family::make],
        "swift test" | "xcodebuild" | "swift build" => &[mobile::xctest, mobile::build],
        "mix test" | "shellspec" | "gleam" => &[mobile::counted_sentence],
        "flutter test" => &[mobile::flutter],
        "flutter analyze" => &[linters::dart],
        "tsc" | "svelte-check" => &[compilers::tsc],
        "mypy" => &[compilers::mypy],
        "pyright" => &[compilers::pyright],
        "eslint" => &[linters::eslint],
        "ruff" | "flake8" | "pylint" | "biome" | "deno lint" | "deno check" => &[linters::ruff],
        "prettier" | "black" | "ruff format" | "isort" | "deno fmt" => &[linters::prettier],
        "pre-commit" => &[linters::pre_commit],
        "shellcheck" | "yamllint" | "hadolint" => &[linters::shellcheck],
        "terraform validate" | "terraform plan" => &[linters::terraform],
        "next" | "vite" | "webpack" | "rollup" | "esbuild" | "ng" => &[compilers::bundlers, compilers::tsc],
        "bazel" => &[task_runners::bazel],
        _ => of_kind(check.kind),
    }
}

fn of_kind(kind: CheckKind) -> &'static [Family] {
    match kind {
        CheckKind::Test => ANY_TEST,
        CheckKind::Build => ANY_BUILD,
        CheckKind::Lint | CheckKind::TypeCheck | CheckKind::Format => ANY_LINT,
    }
}
