//! A failure's identity, from fields that take few values: the command, its exit code, the kind of error, the file, the
//! names of failing tests. What differs from one run to the next (addresses, times, temporary paths, places in a file, the
//! order of tests) is no part of it. Where nothing was printed, the payload says what fails (`told.rs`).
//!
//! An exit code stands behind the digest, and only where it tells more than that something failed. Who does not know it
//! means the same failure as who does.

mod error_lines;
mod exit_code;
#[cfg(test)]
mod identity_tests;
mod normal;
mod number;
mod temporary;
#[cfg(test)]
mod tests;
mod told;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::check::{CheckResult, clean_lines, outcomes, read_command};
use error_lines::error_lines;
use normal::{normal, normal_name, normal_path};

const MOST_TESTS: usize = 50;
const MOST_ERRORS: usize = 20;

/// A command that failed.
#[derive(Debug, Clone, Copy)]
pub struct Failure<'a> {
    /// The command line.
    pub command: &'a str,
    /// Its exit code, where it is known.
    pub exit_code: Option<i32>,
    /// What it printed.
    pub output: &'a str,
}

/// What a failure is known by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorSignature {
    /// The command: the runner and what it was pointed at, or the words of an unknown one.
    pub command: String,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// The errors, each with its type and what it says, without what changes from run to run; sorted.
    pub errors: Vec<String>,
    /// The files they stand in; sorted.
    pub files: Vec<String>,
    /// The failing tests; sorted.
    pub tests: Vec<String>,
}

/// The digest of an [`ErrorSignature`], and behind it the exit code where that tells something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Fingerprint {
    /// The fingerprint of a failure.
    pub fn of(failure: &Failure<'_>) -> Self {
        ErrorSignature::of(failure).fingerprint()
    }

    /// Whether both may be the same failure: the digests are one, and so are the exit codes where both are known.
    pub fn is_of(&self, other: &Self) -> bool {
        let parts = |print: &Self| {
            let (digest, code) =
                print.0.split_once('-').map_or((print.0.as_str(), None), |(one, two)| (one, Some(two)));
            (digest.to_owned(), code.map(str::to_owned))
        };
        let ((mine, code), (theirs, their_code)) = (parts(self), parts(other));
        mine == theirs && (code.is_none() || their_code.is_none() || code == their_code)
    }

    /// The digest of any text: for failures that only a text is known of. FNV-1a, because it is kept on disk and must be
    /// the same in every version.
    pub fn of_text(text: &str) -> Self {
        let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        for byte in text.bytes() {
            hash = (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
        let folded = hash ^ (hash >> 64);
        Self(format!("{:016x}", folded & u128::from(u64::MAX)))
    }
}

impl ErrorSignature {
    /// What a failure is known by.
    pub fn of(failure: &Failure<'_>) -> Self {
        let lines = clean_lines(failure.output);
        let found = error_lines(&lines);
        let errors: BTreeSet<String> = found.iter().map(|error| error.text.clone()).collect();
        let files: BTreeSet<String> = found.iter().filter_map(|error| error.file.clone()).collect();
        Self {
            command: command_identity(failure.command),
            exit_code: failure.exit_code.or_else(|| exit_code::said(failure.output)),
            errors: errors.into_iter().take(MOST_ERRORS).collect(),
            files: files.into_iter().take(MOST_ERRORS).collect(),
            tests: failing_tests(failure),
        }
    }

    /// Its digest.
    pub fn fingerprint(&self) -> Fingerprint {
        let text =
            [self.command.clone(), self.errors.join("\n"), self.files.join("\n"), self.tests.join("\n")]
                .join("\u{1f}");
        let digest = Fingerprint::of_text(&text);
        let says_nothing = self.errors.is_empty() && self.tests.is_empty();
        let telling = self.exit_code.filter(|code| says_nothing || exit_code::is_telling(*code));
        telling.map_or(digest.clone(), |code| Fingerprint(format!("{digest}-{code}")))
    }

    /// The signature in a line, for a handoff.
    pub fn line(&self) -> String {
        let code = self.exit_code.map(|code| format!("exit {code}"));
        let first = |list: &[String]| list.first().cloned();
        let more = self.tests.len().saturating_sub(1);
        let tests =
            first(&self.tests).map(|name| if more > 0 { format!("{name} and {more} more") } else { name });
        let parts = [code, first(&self.errors), first(&self.files), tests];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        crate::model_text::one_line(&text, 400)
    }
}

fn failing_tests(failure: &Failure<'_>) -> Vec<String> {
    let reading = read_command(failure.command);
    // It failed, whether or not it is known with which code.
    let found = outcomes(&reading, Some(1), failure.output);
    let failed = found.iter().filter(|outcome| outcome.result == CheckResult::Failed);
    let names = failed.filter_map(|outcome| outcome.summary.as_ref()).flat_map(|summary| &summary.failing);
    let names: BTreeSet<String> = names.map(|name| normal_name(name)).collect();
    names.into_iter().take(MOST_TESTS).collect()
}

/// What a command runs, without how: the same for `CI=1 timeout 60 pytest -q tests` and `python -m pytest tests`.
fn command_identity(command: &str) -> String {
    let reading = read_command(command);
    if !reading.checks.is_empty() {
        let checks = reading.checks.iter().map(|(check, _)| {
            let mut scope: Vec<String> = check.scope.iter().map(|part| normal_path(part)).collect();
            scope.sort();
            format!("{} {}", check.runner, scope.join(" ")).trim_end().to_owned()
        });
        let checks: BTreeSet<String> = checks.collect();
        return checks.into_iter().collect::<Vec<_>>().join(" && ");
    }
    let plain = crate::check::commands(command);
    let told = plain
        .iter()
        .filter(|one| !matches!(one.program(), "cd" | "export" | "set" | "source" | "tail" | "head" | "tee"));
    let told = told.map(|one| {
        let words = one
            .words
            .iter()
            .enumerate()
            .map(|(at, word)| if at == 0 { one.program().to_owned() } else { normal(word) });
        words.filter(|word| !is_cosmetic(word)).collect::<Vec<_>>().join(" ")
    });
    let told: Vec<String> = told.filter(|words| !words.is_empty()).collect();
    if told.is_empty() { normal(command) } else { told.join(" && ") }
}

/// An option that changes how something is shown, not what is run.
fn is_cosmetic(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    matches!(
        name,
        "-v" | "-vv" | "-q" | "--verbose" | "--quiet" | "--color" | "--colour" | "--no-color" | "--silent"
    )
}
