//! Whether a commit says that it mends something, by its subject alone.

const FIXES: [&str; 34] = [
    "fix", "fixes", "fixed", "fixing", "bug", "bugs", "bugfix", "bugfixes", "hotfix", "defect", "defects",
    "fault", "faults", "regression", "regressions", "regressed", "crash", "crashes", "crashed", "broken",
    "deadlock", "leak", "leaks", "leaked", "segfault", "panic", "panics", "panicked", "npe", "race", "hang",
    "hangs", "overflow", "corruption",
];
/// What is mended is not what runs.
const HARMLESS: [&str; 19] = [
    "typo", "typos", "spelling", "doc", "docs", "documentation", "comment", "comments", "changelog", "lint",
    "clippy", "warning", "warnings", "format", "formatting", "whitespace", "flake8", "checkstyle", "javadoc",
];

/// Whether `subject` announces a fix.
pub fn announces_fix(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words().next().unwrap_or_default();
    !matches!(first, "merge" | "revert")
        && !words().any(|word| HARMLESS.contains(&word))
        && words().any(|word| FIXES.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_says_whether_it_mends() {
        for (subject, expected) in [
            ("Fix #1234: crash on an empty list", true),
            ("fix(parser): keep the last token", true),
            ("[3.2.x] Fixed #30310 -- Added support for paths", true),
            ("KAFKA-1: NPE when closing", true),
            ("Bugfix: overflow in the ring", true),
            ("Add a prefix to the suffix", false),
            ("Fix typo in README", false),
            ("fix clippy warnings", false),
            ("Merge pull request #1 from me/fix-it", false),
            ("Revert \"Fix the cache\"", false),
            ("Debugging aid", false),
            ("", false),
        ] {
            assert_eq!(announces_fix(subject), expected, "{subject}");
        }
    }
}
