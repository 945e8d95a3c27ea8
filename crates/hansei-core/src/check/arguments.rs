//! What the arguments of a check say: that nothing runs, that it only builds, and which part is checked.

use super::recognise::shortened;
use super::valued_options::valued;

/// Most parts of a scope that are kept, and the longest.
const SCOPE: usize = 16;
const PART: usize = 200;

/// Options with which a program runs nothing, or never ends.
const NO_RUN: &str = include_str!("options_that_run_nothing.txt");

/// The same, for one program only.
const NO_RUN_OF: &str = include_str!("words_that_run_nothing.txt");

/// Options after which a test run only builds.
const ONLY_BUILDS: &[&str] = &[
    "--no-run", "-DskipTests", "-DskipTests=true", "-Dmaven.test.skip=true", "-Dmaven.test.skip",
    "build-for-testing", "--build-only",
];

/// Options whose value narrows what is checked.
const NARROWS: &str = include_str!("options_that_narrow.txt");

/// Whether `list` has a line that is this word.
fn is_in(list: &str, word: &str) -> bool {
    list.lines().any(|line| line == word)
}

/// Whether the program, called like this, checks nothing or never ends.
pub(super) fn runs_nothing(program: &str, rest: &[&str]) -> bool {
    let own = NO_RUN_OF.lines().filter_map(|line| line.split_once(' ')).find(|(of, _)| *of == program);
    let own = |word: &str| own.is_some_and(|(_, words)| words.split(' ').any(|own| own == word));
    // php-cs-fixer and clang-format check by a dry run.
    let dry_is_check = matches!(program, "php-cs-fixer" | "clang-format");
    rest.iter().any(|word| (is_in(NO_RUN, word) && !(dry_is_check && *word == "--dry-run")) || own(word))
}

/// Whether a test run, called like this, stops before the tests.
pub(super) fn only_builds(program: &str, rest: &[&str]) -> bool {
    rest.iter().any(|word| ONLY_BUILDS.contains(word) || (program == "go" && *word == "-c"))
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
    let narrows =
        |option: &str| is_in(NARROWS, option) && !(program == "pytest" && matches!(option, "-p" | "-t"));
    let valued = valued(program);
    let by_option =
        rest.windows(2).filter(|pair| narrows(pair[0]) && valued.contains(&pair[0])).map(|pair| pair[1]);
    let by_equals = rest.iter().filter_map(|word| {
        word.split_once('=').filter(|(option, _)| narrows(option)).map(|(_, value)| value)
    });
    let named = operands.iter().copied().filter(|word| !matches!(*word, "." | "./..." | "run"));
    by_option.chain(by_equals).chain(named).take(SCOPE).map(|part| shortened(part, PART)).collect()
}
