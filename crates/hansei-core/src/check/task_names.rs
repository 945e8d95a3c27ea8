//! What the name of a task says it does: `test:unit`, `lint-all`, `testDebugUnitTest`, `scripts/run-tests.sh`.

use super::{CheckKind, words};

/// The kind of check that a task of this name runs.
pub(super) fn kind_of(name: &str) -> Option<CheckKind> {
    let said = words_of(name);
    let says = |class: &str| said.iter().any(|word| words::is(word, class));
    if says("task-no-run") {
        None
    } else if says("task-type-check") || says("task-type") && says("task-check") {
        Some(CheckKind::TypeCheck)
    } else if says("task-format") && says("task-check") {
        Some(CheckKind::Format)
    } else if says("task-lint") {
        Some(CheckKind::Lint)
    } else if says("task-test") {
        Some(CheckKind::Test)
    } else if says("task-format") {
        // A formatter that rewrites is no check.
        None
    } else if says("task-build") {
        Some(CheckKind::Build)
    } else {
        says("task-check").then_some(CheckKind::Test)
    }
}

/// Whether every word of `name` belongs to the language of checks, as in `run_tests` but not in `test_parser`.
pub(super) fn is_only_about_checks(name: &str) -> bool {
    let classes = ["test", "lint", "type-check", "type", "build", "check", "format", "beside"];
    words_of(name).iter().all(|word| classes.iter().any(|class| words::is(word, &format!("task-{class}"))))
}

/// The words of a name, in lower case: parted by anything but letters and digits, and where a capital follows a small
/// letter.
fn words_of(name: &str) -> Vec<String> {
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
