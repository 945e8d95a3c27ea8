//! Which evidence decides: the code, the summary, or neither.

use super::super::{CheckResult, Why, outcomes, read_command};
use super::rendered;

const GREEN: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
const RED: &str =
    "test a ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
const EMPTY: &str = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out\n";
const CUT: &str = "[... 1200 lines truncated ...]\n";

#[test]
fn precedence() {
    use CheckResult::{Failed, NothingRun, Passed, Unknown};
    let cases: &[(&str, Option<i32>, &str, CheckResult, Why)] = &[
        ("cargo test", Some(0), GREEN, Passed, Why::ExitCode),
        ("cargo test", Some(0), "", Passed, Why::ExitCode),
        ("cargo test", Some(101), RED, Failed, Why::ExitCode),
        ("cargo test", Some(101), "", Failed, Why::ExitCode),
        ("cargo test", Some(101), GREEN, Failed, Why::ExitCodeAgainstSummary),
        ("cargo test", Some(0), RED, Failed, Why::SummaryAgainstExitCode),
        ("cargo test", Some(0), EMPTY, NothingRun, Why::NothingRan),
        ("cargo test", None, GREEN, Passed, Why::Summary),
        ("cargo test", None, "", Unknown, Why::NoEvidence),
        ("cargo test | tail", Some(0), RED, Failed, Why::Summary),
        ("cargo test | tail", Some(0), GREEN, Passed, Why::Summary),
        ("cargo test | tail", Some(0), EMPTY, NothingRun, Why::NothingRan),
        ("cargo test | tail", Some(0), "", Unknown, Why::NoEvidence),
        ("cargo test | tail", Some(1), GREEN, Passed, Why::Summary),
        ("cargo test | grep ok", Some(0), GREEN, Unknown, Why::Filtered),
        ("cargo test | grep 'test result'", Some(0), GREEN, Passed, Why::Summary),
        ("cargo test | grep ok", Some(0), RED, Failed, Why::Summary),
        ("cargo test || true", Some(0), RED, Failed, Why::Summary),
        ("cargo test; echo done", Some(0), GREEN, Passed, Why::Summary),
        ("cargo test | tail", Some(0), &[CUT, GREEN].concat(), Unknown, Why::Truncated),
        ("cargo test | tail", Some(0), &[CUT, RED].concat(), Failed, Why::Summary),
        ("cargo test", Some(0), &[CUT, GREEN].concat(), Passed, Why::ExitCode),
        ("cargo test > log 2>&1; echo \"exit: $?\"", Some(0), "exit: 101\n", Failed, Why::PrintedExitCode),
        ("cargo test > log 2>&1; echo \"exit: $?\"", Some(0), "exit: 0\n", Passed, Why::PrintedExitCode),
        ("cargo test; echo \"exit: $?\"", Some(0), RED, Failed, Why::Summary),
        ("pytest", Some(5), "no tests ran in 0.01s\n", NothingRun, Why::NothingRan),
        ("pytest", Some(5), "", NothingRun, Why::NothingRan),
        ("pytest", Some(1), "1 failed in 0.01s\n", Failed, Why::ExitCode),
        ("jest", Some(1), "No tests found, exiting with code 1\n", NothingRun, Why::NothingRan),
        ("npm ci && npm test", Some(1), "npm error code EUSAGE\n", Failed, Why::Summary),
        ("git pull && cargo test", Some(1), "fatal: not a git repository\n", Unknown, Why::NoEvidence),
        ("git pull && cargo test", Some(0), "", Passed, Why::ExitCode),
        ("pytest", Some(127), "bash: pytest: command not found\n", NothingRun, Why::CouldNotStart),
        (
            "cd nowhere && cargo test",
            Some(1),
            "bash: cd: nowhere: No such file or directory\n",
            NothingRun,
            Why::CouldNotStart,
        ),
        ("timeout 60 cargo test", Some(124), "running 3 tests\n", Unknown, Why::Interrupted),
        ("timeout 60 cargo test", Some(124), RED, Failed, Why::ExitCode),
        ("cargo test", Some(137), "", Unknown, Why::Interrupted),
        ("cargo clippy", Some(0), "error: looks bad but is only printed\n", Passed, Why::ExitCode),
        ("eslint .", Some(1), "", Failed, Why::ExitCode),
        ("tsc --noEmit", Some(0), "", Passed, Why::ExitCode),
        ("! cargo test", Some(0), RED, Failed, Why::Summary),
        ("cargo test &", Some(0), "", Unknown, Why::NoEvidence),
        ("tsc --noEmit | head", Some(0), "", Passed, Why::Silence),
        ("npx tsc --noEmit 2>&1 | grep error", Some(1), "", Passed, Why::Silence),
        ("npx eslint src | tail -20", Some(0), "\n", Passed, Why::Silence),
        ("go vet ./... || true", Some(0), "", Passed, Why::Silence),
        ("go build ./...; git status --short", Some(0), "", Passed, Why::Silence),
        ("cargo fmt --check | head", Some(0), "", Passed, Why::Silence),
        ("gofmt -l . | cat", Some(0), "", Passed, Why::Silence),
        ("shellcheck a.sh | tail", Some(0), "", Passed, Why::Silence),
        ("mypy -q src | tail", Some(0), "", Passed, Why::Silence),
        ("black --check -q . | tail", Some(0), "", Passed, Why::Silence),
        ("git diff --check | head", Some(0), "", Passed, Why::Silence),
        ("terraform fmt -check | tail", Some(0), "", Passed, Why::Silence),
        ("mypy src | tail", Some(0), "", Unknown, Why::NoEvidence),
        ("ruff check . | tail", Some(0), "", Unknown, Why::NoEvidence),
        ("tsc --noEmit 2>/dev/null | head", Some(0), "", Unknown, Why::NoEvidence),
        ("tsc --noEmit > log; echo done", Some(0), "", Unknown, Why::NoEvidence),
        ("tsc --noEmit | grep src/a.ts", Some(1), "", Unknown, Why::NoEvidence),
        ("tsc --noEmit &", Some(0), "", Unknown, Why::NoEvidence),
        ("tsc --noEmit | head", Some(0), "a.ts(1,1): error TS2322: no\n", Failed, Why::Summary),
        ("gofmt -l .", Some(0), "", Passed, Why::ExitCode),
        ("gofmt -l .", Some(0), "cmd/a.go\n", Failed, Why::SummaryAgainstExitCode),
        ("go vet ./x", Some(1), "go: no packages to vet\n", NothingRun, Why::NothingRan),
        (
            "eslint lib",
            Some(2),
            "No files matching the pattern 'lib' were found.\n",
            NothingRun,
            Why::NothingRan,
        ),
        (
            "ruff check x",
            Some(0),
            "warning: No Python files found\nAll checks passed!\n",
            NothingRun,
            Why::NothingRan,
        ),
        (
            "cargo test | tail",
            None,
            &[GREEN, "Command timed out after 2m\n"].concat(),
            Unknown,
            Why::Interrupted,
        ),
        ("cargo test | tail", None, &[GREEN, "^C\n"].concat(), Unknown, Why::Interrupted),
    ];
    for (line, code, output, result, why) in cases {
        let found = outcomes(&read_command(line), *code, output);
        assert_eq!((found[0].result, found[0].why), (*result, *why), "{line} {code:?}\n{output}");
    }
}

#[test]
fn checks_that_share_a_code_are_weighed_together() {
    let cases = [
        ("cargo fmt --check && cargo test", Some(0), GREEN, "passed; passed 3/0/0"),
        ("cargo fmt --check && cargo test", Some(101), RED, "passed; failed 2/1/0: a"),
        ("cargo fmt --check && cargo test", Some(1), "Diff in src/a.rs:1:\n-a\n+b\n", "failed; nothingrun"),
        (
            "cargo clippy && cargo test",
            Some(101),
            "error: could not compile `core` (lib) due to 1 previous error\n",
            "failed; nothingrun",
        ),
        (
            "tsc --noEmit && jest",
            Some(1),
            "Tests:       1 failed, 4 passed, 5 total\n",
            "passed; failed 4/1/0",
        ),
        ("tsc --noEmit && jest", Some(2), "a.ts(1,1): error TS2322: no\n", "failed 0/1/0; nothingrun"),
        ("tsc --noEmit && jest", Some(1), "", "unknown; unknown"),
        ("cargo test && git push", Some(1), GREEN, "passed 3/0/0"),
    ];
    for (line, code, output, expected) in cases {
        assert_eq!(rendered(line, code, output), expected, "{line}\n{output}");
    }
}

#[test]
fn what_is_kept_is_bounded() {
    use std::fmt::Write as _;
    let mut output = String::new();
    for number in 0..9000 {
        let _ = writeln!(output, "test very::long::name_{number}::{} ... FAILED", "x".repeat(400));
    }
    output.push_str("test result: FAILED. 0 passed; 9000 failed; 0 ignored; 0 measured; 0 filtered out\n");
    let found = outcomes(&read_command("cargo test"), Some(101), &output);
    let summary = found[0].summary.clone().unwrap();
    assert_eq!(summary.failed, 9000);
    assert_eq!(summary.failing.len(), 50);
    assert!(summary.failing.iter().all(|name| name.len() <= 200));
}

#[test]
fn a_failure_in_a_shared_output_is_nobodys_for_sure() {
    let npm_failed = "Tests:       1 failed, 4 passed, 5 total\nnpm error code ELIFECYCLE\n";
    let cases = [
        ("npm run lint; npm test", Some(1), npm_failed, "unknown; failed 4/1/0"),
        ("npm run lint && npm test", Some(1), npm_failed, "passed; failed 4/1/0"),
        ("npm run lint && npm test", Some(1), "npm error code ELIFECYCLE\n", "failed; nothingrun"),
        ("cargo test -p a; cargo test -p b | tail", Some(0), RED, "unknown 2/1/0: a; unknown 2/1/0: a"),
        ("cargo test -p a && cargo test -p b", Some(0), GREEN, "passed 3/0/0; passed 3/0/0"),
    ];
    for (line, code, output, expected) in cases {
        assert_eq!(rendered(line, code, output), expected, "{line}\n{output}");
    }
}
