//! What is told of a call's result: `exit 1`, `14 passed`, `completed`, `running`, or a line of output.

/// A result, as far as it is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Result {
    /// The text itself.
    pub(super) text: String,
    /// The exit code that is told, or that the words amount to.
    pub(super) exit_code: Option<i32>,
    /// Whether the call still runs.
    pub(super) running: bool,
}

impl Result {
    /// Whether nothing is told that says how it ended.
    pub(super) fn is_untold(&self) -> bool {
        self.exit_code.is_none() && !self.running
    }
}

/// Reads what is told of a result.
pub(super) fn read(text: &str) -> Result {
    let text = text.trim();
    let words: Vec<String> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '%'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let running = words.iter().take(6).any(|word| {
        matches!(word.as_str(), "running" | "executing" | "started" | "ongoing" | "streaming" | "queued")
    }) || words
        .windows(2)
        .any(|pair| pair[0] == "in" && pair[1] == "progress" || pair[0] == "still" && pair[1] == "going")
        || matches!(words.first().map(String::as_str), Some("pending"));
    let exit_code = stated(&words).or_else(|| if running { None } else { meant(text, &words) });
    Result { text: text.to_owned(), exit_code, running: running && exit_code.is_none() }
}

/// `exit 1`, `exit code: 0`, `exited with 2`, `status 1`.
fn stated(words: &[String]) -> Option<i32> {
    words.iter().enumerate().find_map(|(place, word)| {
        let exits = matches!(word.as_str(), "exit" | "exited" | "rc" | "returncode" | "exitcode");
        let skip =
            |word: &&String| matches!(word.as_str(), "code" | "status" | "with" | "exit" | "was" | "is");
        let code = words[place + 1..].iter().find(|word| !skip(word))?;
        exits.then(|| code.parse().ok()).flatten()
    })
}

/// The exit code that the words amount to: counts of failures decide, then words.
fn meant(text: &str, words: &[String]) -> Option<i32> {
    if let Some(count) = valued(text) {
        return Some(i32::from(count > 0));
    }
    let mut counted = None;
    // `0 tests failed` counts like `0 failed`.
    let units = ["test", "tests", "specs", "examples", "suites", "checks", "files", "lint", "type", "cases"];
    let words: Vec<String> = words.iter().filter(|word| !units.contains(&word.as_str())).cloned().collect();
    for pair in words.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        let fails = |word: &str| {
            ["fail", "error", "problem", "offense", "violation", "broken"]
                .iter()
                .any(|stem| word.starts_with(stem))
        };
        // `3 failed`, and `Failed: 3`.
        let count = if fails(after) { number(before) } else { None };
        let count = count.or_else(|| if fails(before) { number(after) } else { None });
        if let Some(count) = count {
            counted = Some(counted.unwrap_or(0).max(count));
        }
    }
    if let Some(count) = counted {
        return Some(i32::from(count > 0));
    }
    let lower = text.to_lowercase();
    let says = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    if words.iter().any(|word| BAD.contains(&word.as_str())) && !says(NOT_BAD) || says(BAD_PHRASES) {
        return Some(1);
    }
    (words.iter().any(|word| GOOD.contains(&word.as_str())) || says(NOT_BAD) || text.contains(['✓', '✅']))
        .then_some(0)
}

/// The count in `failed=0`, `failures: 2`: the largest of those that are given.
fn valued(text: &str) -> Option<u64> {
    let lower = text.to_lowercase();
    let mut largest = None;
    for word in ["failed", "failures", "errors", "fail"] {
        for (place, _) in lower.match_indices(word) {
            let rest = lower[place + word.len()..].trim_start();
            let Some(rest) = rest.strip_prefix(['=', ':']) else { continue };
            let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
            if let Ok(count) = digits.parse::<u64>() {
                largest = Some(largest.unwrap_or(0).max(count));
            }
        }
    }
    largest
}

fn number(word: &str) -> Option<u64> {
    match word {
        "no" | "zero" => Some(0),
        word => word.parse().ok(),
    }
}

const BAD: &[&str] = &[
    "fail", "failed", "failing", "failure", "failures", "error", "errors", "err", "fatal", "conflict",
    "denied", "refused", "traceback", "panicked", "exception", "unauthorized", "forbidden", "timeout",
    "eotp", "aborted", "rejected", "401", "402", "403", "404", "500", "502", "503",
];
const BAD_PHRASES: &[&str] = &[
    "not found", "timed out", "no such file", "cannot find", "could not", "no route to host", "is required",
    "expired",
];
const NOT_BAD: &[&str] = &["no error", "0 error", "no problem", "no failure", "without error", "no warning"];
const GOOD: &[&str] = &[
    "ok", "okay", "pass", "passed", "passes", "passing", "success", "successful", "successfully",
    "succeeded", "completed", "complete", "done", "clean", "green", "valid", "finished", "applied",
    "updated", "created", "200", "201", "204",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_as_they_are_told() {
        for (text, exit_code, running) in [
            ("exit 1", Some(1), false),
            ("exit 0, 23 passed", Some(0), false),
            ("exited with code 101", Some(101), false),
            ("exit 1 (11 passed, 1 failed)", Some(1), false),
            ("14 passed", Some(0), false),
            ("1 failed, 203 passed", Some(1), false),
            ("Passed!  - Failed: 0, Passed: 147", Some(0), false),
            ("18 examples, 0 failures", Some(0), false),
            ("Found 5 errors in 2 files", Some(1), false),
            ("0 problems", Some(0), false),
            ("test-run result=Passed total=22 passed=22 failed=0", Some(0), false),
            ("completed with 2 of 9 failed", Some(1), false),
            ("100% tests passed, 0 tests failed out of 36", Some(0), false),
            ("no offenses detected", Some(0), false),
            ("BUILD SUCCESSFUL", Some(0), false),
            ("BUILD FAILURE: cannot find symbol", Some(1), false),
            ("command not found", Some(1), false),
            ("running", None, true),
            ("in progress, 90s", None, true),
            ("completed", Some(0), false),
            ("error", Some(1), false),
            ("TRUNCATE TABLE", None, false),
            ("", None, false),
        ] {
            let result = read(text);
            assert_eq!((result.exit_code, result.running), (exit_code, running), "{text}");
        }
    }
}
