//! What the arguments of a check say: that nothing runs, that it only builds, and which part is checked.

use super::recognise::shortened;
use super::valued_options::VALUED;

/// Most parts of a scope that are kept, and the longest.
const SCOPE: usize = 16;
const PART: usize = 200;

/// Options with which a program runs nothing, or never ends.
#[rustfmt::skip]
const NO_RUN: &[&str] = &[
    "--version", "--help", "-h", "-help", "-version", "--list", "-list", "--list-tests", "--listTests",
    "--collect-only", "--co", "--collectonly", "--dry-run", "--setup-plan", "--setup-only", "--fixtures",
    "--markers", "--showConfig", "--init", "--print-config", "--show-settings", "--show-config", "--watch",
    "--watchAll", "--ui", "--env-info", "--print-targets", "--listFilesOnly", "--list-suites", "--list-groups",
    "--clearCache", "--generate-configuration", "--just-print", "--recon", "--show-only", "--notest", "--listenvs",
    "--count", "--list-sessions", "--listFiles", "--tasks", "--trace-config", "--explain",
];

/// The same, for one program only.
#[rustfmt::skip]
const NO_RUN_OF: &[(&str, &[&str])] = &[
    ("make", &["-n", "-p", "-q"]), ("ninja", &["-n", "-t"]), ("ctest", &["-N"]), ("tsc", &["-w", "-v"]),
    ("webpack", &["-w", "serve", "-v"]), ("tox", &["-l", "-a"]), ("nox", &["-l"]), ("just", &["-l", "-n"]),
    ("task", &["-l", "-n"]), ("dotnet", &["-t"]), ("gradle", &["-m"]), ("gradlew", &["-m"]), ("gcc", &["-E", "-v"]),
    ("clang", &["-E", "-v"]), ("cc", &["-E", "-v"]), ("g++", &["-E", "-v"]), ("phpunit", &["-v"]),
    ("rollup", &["-w"]), ("jest", &["--showConfig"]), ("vitest", &["watch", "dev", "list", "bench", "init"]),
    ("pyright", &["-w"]), ("rspec", &["-v"]), ("ava", &["-w"]), ("mocha", &["-w", "init"]),
    ("mvn", &["-v", "dependency:tree"]), ("pytest", &["-V"]), ("rustc", &["-V", "-vV"]), ("rake", &["-T", "-P"]),
    ("javac", &["-version"]), ("terraform", &["-detailed-exitcode"]), ("rubocop", &["-V", "-v"]),
    ("golangci-lint", &["linters"]), ("swift", &["list"]),
];

/// Options after which a test run only builds.
const ONLY_BUILDS: &[&str] = &[
    "--no-run", "-DskipTests", "-DskipTests=true", "-Dmaven.test.skip=true", "-Dmaven.test.skip",
    "build-for-testing", "--build-only",
];

/// Options whose value narrows what is checked.
#[rustfmt::skip]
const NARROWS: &[&str] = &[
    "-p", "--package", "-k", "--filter", "-t", "--testNamePattern", "-run", "--tests", "-R", "-L", "--spec",
    "--project", "-pl", "--projects", "--only", "-w", "--workspace", "-C", "--prefix", "--manifest-path", "--test",
    "--bin", "--example", "-E", "-g", "--grep", "-e", "--example", "--testPathPattern", "-F", "-only-testing", "-m",
    "--name", "--plain-name", "--testsuite", "--group", "-s", "--tag", "--dir", "--cwd", "--build", "--test-dir",
    "--directory", "--features",
];

/// Whether the program, called like this, checks nothing or never ends.
pub(super) fn runs_nothing(program: &str, rest: &[&str]) -> bool {
    let own = NO_RUN_OF.iter().find(|(of, _)| *of == program).map_or(&[][..], |(_, options)| options);
    // php-cs-fixer and clang-format check by a dry run.
    let dry_is_check = matches!(program, "php-cs-fixer" | "clang-format");
    rest.iter()
        .any(|word| (NO_RUN.contains(word) && !(dry_is_check && *word == "--dry-run")) || own.contains(word))
}

/// Whether a test run, called like this, stops before the tests.
pub(super) fn only_builds(program: &str, rest: &[&str]) -> bool {
    rest.iter().any(|word| ONLY_BUILDS.contains(word) || (program == "go" && *word == "-c"))
        || rest.windows(2).any(|pair| matches!(pair[0], "-x" | "--exclude-task") && pair[1].ends_with("test"))
}

/// The words that are neither options nor their values.
pub(super) fn operands<'a>(program: &str, rest: &[&'a str]) -> Vec<&'a str> {
    let valued = VALUED.iter().find(|(of, _)| *of == program).map_or(&[][..], |(_, options)| options);
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
        |option: &str| NARROWS.contains(&option) && !(program == "pytest" && matches!(option, "-p" | "-t"));
    let valued = VALUED.iter().find(|(of, _)| *of == program).map_or(&[][..], |(_, options)| options);
    let by_option =
        rest.windows(2).filter(|pair| narrows(pair[0]) && valued.contains(&pair[0])).map(|pair| pair[1]);
    let by_equals = rest.iter().filter_map(|word| {
        word.split_once('=').filter(|(option, _)| narrows(option)).map(|(_, value)| value)
    });
    let named = operands.iter().copied().filter(|word| !matches!(*word, "." | "./..." | "run"));
    by_option.chain(by_equals).chain(named).take(SCOPE).map(|part| shortened(part, PART)).collect()
}
