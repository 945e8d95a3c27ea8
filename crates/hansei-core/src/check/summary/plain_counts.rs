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
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(count) = pair[0].parse::<u64>() else { continue };
            let word = pair[1].to_ascii_lowercase();
            let bad = matches!(word.as_str(), "failed" | "failures" | "failure" | "failing" | "error" | "errors");
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
    line.starts_with("FAILED ") || line.starts_with("FAIL ") || line.starts_with("not ok ") || line.ends_with(" FAILED:") || line.ends_with(" FAILED")
}
