//! What the arguments of a check say: that nothing runs, that it only builds, and which part is checked.

use super::recognise::shortened;
use super::words::{self, valued};

/// Most parts of a scope that are kept, and the longest.
const SCOPE: usize = 16;
const PART: usize = 200;

/// Whether the program, called like this, checks nothing or never ends.
pub(super) fn runs_nothing(program: &str, rest: &[&str]) -> bool {
    let own = format!("runs-nothing {program}");
    // php-cs-fixer and clang-format check by a dry run.
    let dry_is_check = matches!(program, "php-cs-fixer" | "clang-format");
    rest.iter().any(|word| {
        words::is(word, "runs-nothing") && !(dry_is_check && *word == "--dry-run") || words::is(word, &own)
    })
}

/// Whether a test run, called like this, stops before the tests.
pub(super) fn only_builds(program: &str, rest: &[&str]) -> bool {
    rest.iter().any(|word| words::is(word, "only-builds") || (program == "go" && *word == "-c"))
        || rest.windows(2).any(|pair| matches!(pair[0], "-x" | "--exclude-task") && pair[1].ends_with("test"))
}

/// The words that are neither options nor their values.
pub(super) fn operands<'a>(program: &str, rest: &[&'a str]) -> Vec<&'a str> {
    let valued = valued(program);
    let mut operands = Vec::new();
    let mut at = 0;
    while let Some(word) = rest.get(at) {
        if valued.contains(word) {
            at += 1;
        } else if !word.starts_with('-') && (at > 0 || !word.starts_with('+')) {
            operands.push(*word);
        }
        at += 1;
    }
    operands
}

/// The paths, packages and filters that narrow what is checked.
pub(super) fn scope(program: &str, rest: &[&str], operands: &[&str]) -> Vec<String> {
    let narrows = |option: &str| {
        words::is(option, "narrows") && !(program == "pytest" && matches!(option, "-p" | "-t"))
    };
    let valued = valued(program);
    let by_option =
        rest.windows(2).filter(|pair| narrows(pair[0]) && valued.contains(&pair[0])).map(|pair| pair[1]);
    let by_equals = rest.iter().filter_map(|word| {
        word.split_once('=').filter(|(option, _)| narrows(option)).map(|(_, value)| value)
    });
    let named = operands.iter().copied().filter(|word| !matches!(*word, "." | "./..." | "run"));
    by_option.chain(by_equals).chain(named).take(SCOPE).map(|part| shortened(part, PART)).collect()
}
