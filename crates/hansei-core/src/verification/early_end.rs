//! Whether a red run may have ended before everything was run: then nobody knows what comes after, and failures that
//! were there before excuse nothing.

use crate::check::{CheckResult, PlainCommand, commands, outcomes, read_command};

/// Commands that do not fail in ordinary use, or only pass on what they read.
const QUIET: &[&str] = &[
    ":", "[", "[[", "awk", "cat", "cd", "column", "cut", "echo", "exit", "export", "grep", "head", "less",
    "mkdir", "printf", "pushd", "rm", "sed", "set", "sleep", "sort", "tail", "tee", "test", "touch", "tr",
    "true", "wc",
];

/// Programs that run what stands elsewhere, and stop at the first line of it that fails.
const RUN_OTHERS: &[&str] =
    &["make", "gmake", "just", "task", "rake", "invoke", "inv", "poe", "composer", "tox", "nox"];

/// Whether one of `texts`, a command line and the scripts that it calls, may have ended early with this code and output.
pub(super) fn may_have_ended_early(texts: &[&str], code: i32, output: &str) -> bool {
    texts.iter().any(|text| {
        let all = commands(text);
        let loud: Vec<&PlainCommand> =
            all.iter().filter(|command| !QUIET.contains(&command.word(0))).collect();
        loud.iter().any(|command| stops(command))
            || (loud.len() > 1 && !reached_its_last(text, &loud, code, output))
    })
}

/// `pytest -x`, `cargo test`: stops at the first failure, or after the first part that has one.
fn stops(command: &PlainCommand) -> bool {
    let has = |options: &[&str]| command.has(options);
    let begins = |start: &str| command.arguments().iter().any(|word| word.starts_with(start));
    match command.program() {
        "pytest" | "py.test" => has(&["-x", "--exitfirst"]) || begins("--maxfail"),
        "python" | "python3" if has(&["pytest"]) => has(&["-x", "--exitfirst"]) || begins("--maxfail"),
        "cargo" => has(&["test", "nextest", "t"]) && !has(&["--no-fail-fast"]),
        "go" => begins("-failfast"),
        "mvn" | "mvnw" | "mvnd" => !has(&["-fae", "--fail-at-end", "-fn", "--fail-never"]),
        "gradle" | "gradlew" => !has(&["--continue"]),
        "ctest" => has(&["--stop-on-failure"]),
        "jest" | "vitest" | "mocha" | "npx" => begins("--bail") || has(&["-b"]),
        program => {
            RUN_OTHERS.contains(&program)
                || command.word(0).contains('/')
                || command.word(0).strip_suffix(".sh").is_some()
        }
    }
}

/// Whether the last command of several is a check that says that it ran.
fn reached_its_last(text: &str, loud: &[&PlainCommand], code: i32, output: &str) -> bool {
    let reading = read_command(text);
    let (Some((check, _)), Some(last)) = (reading.checks.last(), loud.last()) else { return false };
    let found = outcomes(&reading, Some(code), output);
    let ran = found.last().is_some_and(|outcome| {
        matches!(outcome.result, CheckResult::Failed | CheckResult::Passed) && outcome.summary.is_some()
    });
    ran && check.text == last.words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_come_after() {
        let red = "FAILED a.py::b - x\n1 failed, 2 passed in 0.1s";
        let tap = "not ok 1 - a\n# pass 1\n# fail 1";
        for (texts, output, early) in [
            (&["pytest -q"][..], red, false),
            (&["pytest -x -q"], red, true),
            (&["pytest -q --maxfail=1"], red, true),
            (&["python3 -m pytest -x"], red, true),
            (&["cd a && pytest -q | tail -5"], red, false),
            (&["cargo test"], "", true),
            (&["cargo test --no-fail-fast 2>&1 | tail"], "", false),
            (&["go test ./..."], "", false),
            (&["mvn -B test"], "", true),
            (&["mvn -B --fail-at-end test"], "", false),
            (&["make test"], red, true),
            (&["./scripts/test"], red, true),
            (&["npm test", "node --test"], tap, false),
            (&["npm test", "node --test || true"], tap, false),
            (&["npm test", "tsc && node --test"], tap, false),
            (&["npm test", "node --test && eslint ."], tap, true),
            (&["npm test", "node --test && ./more"], tap, true),
            (&["npm test", "node a.js && node b.js"], tap, true),
            (&["npm test", "node --test && node b.js"], tap, true),
            (&["npm test", "npm run a", "node --test"], tap, false),
        ] {
            assert_eq!(may_have_ended_early(texts, 1, output), early, "{texts:?}");
        }
        let cmake = "cmake -S . -B b && cmake --build b && ctest --test-dir b --output-on-failure";
        let output = "50% tests passed, 1 tests failed out of 2\n\t  1 - a (Failed)";
        assert!(!may_have_ended_early(&[cmake], 8, output));
        assert!(may_have_ended_early(&[cmake], 2, "a.c:1:1: error: x\nmake: *** [a] Error 1"));
    }
}
