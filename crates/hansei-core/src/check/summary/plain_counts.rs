//! Counts in plain words, for runners whose summary nobody knows: "2 failed, 30 passed", "3 errors", a line `FAILED …`.
//!
//! Asked only where no family of runners recognised anything, and where the exit code tells nothing either.

use super::Text;
use crate::check::{CheckKind, CheckResult};

/// How many of the last lines are looked at.
const LINES: usize = 60;

/// What the last lines say in plain words.
pub(in crate::check) fn plain_counts(kind: CheckKind, text: &Text<'_>) -> Option<CheckResult> {
    let lines = text.lines();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    let mut passed = false;
    for line in last.iter().filter(|line| line.len() < 400) {
        if kind == CheckKind::Test && says_failed(line) {
            return Some(CheckResult::Failed);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, pair) in words.windows(2).enumerate() {
            // A count stands first, or after what ends another one: "2 failed, 3 passed", "found 3 errors".
            let counts = at == 0
                || words[at - 1].ends_with([',', '|', ':', ';'])
                || matches!(
                    words[at - 1].to_ascii_lowercase().as_str(),
                    "found" | "with" | "and" | "|" | "=>" | "•"
                );
            if !counts {
                continue;
            }
            let counted = |number: &str| number.trim_start_matches(['(', '[']).parse::<u64>().ok();
            let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
            // "2 failed", or "failed: 2".
            let (count, word) = match (counted(pair[0]), pair[0].ends_with([':', '='])) {
                (Some(count), _) => (count, bare(pair[1])),
                (None, true) => match counted(pair[1].trim_end_matches([',', ')', ']'])) {
                    Some(count) => (count, bare(pair[0])),
                    None => continue,
                },
                (None, false) => continue,
            };
            let bad = matches!(
                word.as_str(),
                "failed" | "failures" | "failure" | "failing" | "error" | "errors" | "error(s"
            );
            if bad && count > 0 {
                return Some(CheckResult::Failed);
            }
            passed |= matches!(word.as_str(), "passed" | "passing" | "succeeded" | "ok") && count > 0;
        }
    }
    passed.then_some(CheckResult::Passed)
}

/// Whether a line is a runner's word for a test that failed: in capitals, at its beginning or its end.
fn says_failed(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("FAILED ")
        || line.starts_with("FAIL ")
        || line.starts_with("not ok ")
        || line.ends_with(" FAILED:")
        || line.ends_with(" FAILED")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::summary::clean;

    #[test]
    fn plain_words_of_unknown_runners() {
        use CheckResult::{Failed, Passed};
        for (kind, output, result) in [
            (CheckKind::Test, "1 failed, 44 passed", Some(Failed)),
            (CheckKind::Test, "Tests: 1 failed", Some(Failed)),
            (CheckKind::Test, "all 12 tests\n12 passed", Some(Passed)),
            (CheckKind::Test, "Tests: succeeded 9, failed 0, canceled 0", None),
            (CheckKind::Test, "failed: 2, passed: 7", Some(Failed)),
            (CheckKind::Test, "FAILED tests/a.py::b - assert", Some(Failed)),
            (CheckKind::Test, "0 failed, 3 passed", Some(Passed)),
            (CheckKind::Build, "    0 Warning(s)\n    3 Error(s)", Some(Failed)),
            (CheckKind::Build, "done", None),
        ] {
            assert_eq!(plain_counts(kind, &clean(output).text()), result, "{output}");
        }
    }
}
