//! What a commit is for, by its title.

use super::objects;
use super::opening::{Act, behind_prefixes, behind_ticket, opening};
use super::title::title_key;

/// What a commit is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To take earlier work back.
    Revert,
    /// To go back to how things were running.
    Rollback,
    /// To bring back what was taken back.
    Reland,
    /// To repair something.
    Fix(Repaired),
    /// Anything else.
    Other,
}

/// What a fix repairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repaired {
    /// What the program does.
    Behaviour,
    /// The build, the tests, or what a linter finds.
    Checks,
    /// What is only read: documentation, comments, spelling.
    Words,
}

/// What opens the title of a fix.
const FIXING: [&str; 14] = [
    "fix", "fixes", "fixed", "fixing", "bugfix", "hotfix", "fixup", "correct", "corrects", "corrected",
    "repair", "repairs", "repaired", "unbreak",
];
/// What may stand before that.
#[rustfmt::skip]
const HOW: [&str; 25] = [
    "a", "the", "some", "more", "another", "small", "minor", "quick", "simple", "trivial", "further", "mostly", "partially",
    "partly", "really", "actually", "properly", "also", "hopefully", "try", "trying", "attempt", "to", "tentative", "temporary",
];
const MOST_HOW: usize = 4;
/// What the title of a fix may end with.
const NOUNS: [&str; 4] = ["fix", "fixes", "bugfix", "hotfix"];
/// What makes a fix of a title wherever it stands.
const BROKEN: [&str; 14] = [
    "bug", "bugfix", "hotfix", "regression", "regressions", "crash", "crashes", "crashing", "segfault",
    "deadlock", "panic", "panics", "use-after-free", "overflow",
];
/// Types of conventional commits that repair.
const FIXING_TYPES: [&str; 5] = ["fix", "bugfix", "hotfix", "bug", "fixup"];
/// Types that do not, whatever the rest says.
const OTHER_TYPES: [&str; 13] = [
    "feat", "feature", "docs", "doc", "test", "tests", "chore", "refactor", "style", "perf", "build", "ci",
    "revert",
];
const WORDS: [&str; 25] = [
    "typo", "typos", "spelling", "misspelling", "grammar", "wording", "docs", "doc", "documentation",
    "docstring", "docstrings", "comment", "comments", "readme", "changelog", "guide", "guides", "link",
    "links", "translation", "translations", "copyright", "license", "rdoc", "javadoc",
];
const CHECKS: [&str; 47] = [
    "test", "tests", "spec", "specs", "testcase", "testing", "flaky", "flake", "flakes", "ci", "build",
    "builds", "compile", "compiles", "compilation", "compiler", "lint", "linter", "linting", "warning",
    "warnings", "rubocop", "clippy", "mypy", "pylint", "eslint", "flake8", "isort", "prettier", "formatting",
    "indentation", "whitespace", "tidy", "typing", "travis", "workflow", "workflows", "lints", "ruff",
    "black", "pep8", "rustfmt", "gofmt", "golint", "staticcheck", "shellcheck", "typecheck",
];
/// What a program is rolled back to, or what is: the word also means what a database does.
const ROLLED_BACK: [&str; 14] = [
    "to", "commit", "change", "changes", "release", "deploy", "deployment", "version", "upgrade", "update",
    "bump", "the", "from", "last",
];

/// What is done about trouble that a title names, other than fixing it.
#[rustfmt::skip]
const ENDING: [&str; 20] = [
    "avoid", "avoids", "avoided", "avoiding", "prevent", "prevents", "prevented", "preventing", "stop", "stops", "resolve",
    "resolves", "resolved", "handle", "handles", "address", "addresses", "eliminate", "not", "no",
];
/// What a linter finds, in two words.
const FINDINGS: [[&str; 2]; 10] = [
    ["line", "length"],
    ["line", "lengths"],
    ["long", "line"],
    ["long", "lines"],
    ["unused", "import"],
    ["unused", "imports"],
    ["unused", "variable"],
    ["unused", "variables"],
    ["style", "violations"],
    ["type", "errors"],
];

/// What a commit with this title is for, and whether it is a fix by a word of trouble alone.
pub(super) fn of(title: &str) -> (Purpose, bool) {
    match opening(title) {
        Some((Act::TakesBack, rest)) if takes_back(rest) => return (taken_back(rest), false),
        Some((Act::RollsBack, rest)) if rolls_back(rest) => return (Purpose::Rollback, false),
        Some((Act::BringsBack, _)) => return (Purpose::Reland, false),
        _ => {}
    }
    let (kind, rest) = conventional(title);
    let rest = behind_prefixes(rest);
    let (ticket, rest) = behind_ticket(rest);
    let words: Vec<String> = words(rest).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // Whether the title opens with it, so that the rest is about what is repaired.
    let (fixing, opens) = match kind {
        Some(kind) if FIXING_TYPES.contains(&kind.as_str()) => (true, true),
        Some(kind) if OTHER_TYPES.contains(&kind.as_str()) => (false, false),
        _ if ticket && words.is_empty() => (true, true),
        _ => {
            let first = opens_with_fixing(rest, &words);
            let joined = words.windows(2).any(|pair| pair[0] == "and" && FIXING.contains(&pair[1].as_str()));
            (first || joined || has(&BROKEN), first || joined)
        }
    };
    if !fixing {
        return (Purpose::Other, false);
    }
    let finding = words.windows(2).any(|pair| FINDINGS.iter().any(|finding| pair == finding));
    let repaired = if has(&WORDS) {
        Repaired::Words
    } else if opens && (has(&CHECKS) || finding) {
        Repaired::Checks
    } else {
        Repaired::Behaviour
    };
    (Purpose::Fix(repaired), !opens && !has(&ENDING) && !has(&FIXING))
}

/// Whether the first word is one of fixing, or the first behind those that only say how; or the last, as in "build fix".
/// "(fixes #12)" at the end names a ticket, which may ask for anything.
fn opens_with_fixing(title: &str, words: &[String]) -> bool {
    let says_how = |word: &&String| HOW.contains(&word.as_str());
    let first = words.iter().take(MOST_HOW).find(|word| !says_how(word));
    let last = self::words(&title_key(title)).last();
    last.is_some_and(|word| NOUNS.contains(&word.as_str()))
        || first.is_some_and(|word| FIXING.contains(&word.as_str()))
}

/// Who takes back what took something back brings that back, and so on: the quotes tell.
fn taken_back(rest: &str) -> Purpose {
    const MOST_QUOTED: usize = 32;
    let mut is_out = true;
    let mut rest = rest;
    for _ in 0..MOST_QUOTED {
        let inner = rest.trim_start_matches(['"', '“', '\'', '`']);
        match opening(inner).filter(|_| inner.len() < rest.len()) {
            Some((Act::TakesBack, behind)) if takes_back(behind) => {
                is_out = !is_out;
                rest = behind;
            }
            Some((Act::BringsBack, behind)) => rest = behind,
            _ => break,
        }
    }
    if is_out { Purpose::Revert } else { Purpose::Reland }
}

/// "Undo" and "revert" are also things that programs do for their users: a button, an endpoint, a migration.
fn takes_back(rest: &str) -> bool {
    let first = words(rest).next().unwrap_or_default();
    !matches!(
        first.as_str(),
        "button"
            | "endpoint"
            | "command"
            | "method"
            | "support"
            | "api"
            | "migration"
            | "migrations"
            | "stack"
            | "history"
            | "manager"
    )
}

fn rolls_back(rest: &str) -> bool {
    let first = words(rest).next().unwrap_or_default();
    !objects::in_title(rest, "").is_empty() || ROLLED_BACK.contains(&first.as_str())
}

/// The type of a conventional commit, and what stands behind it.
fn conventional(title: &str) -> (Option<String>, &str) {
    let Some((head, rest)) = title.split_once(':') else { return (None, title) };
    let kind = head.trim_end_matches('!');
    let kind = kind.split_once('(').filter(|(_, scope)| scope.ends_with(')')).map_or(kind, |(kind, _)| kind);
    let is_type = !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_type { (Some(kind.to_ascii_lowercase()), rest.trim_start()) } else { (None, title) }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let pieces = text.split(|character: char| !character.is_alphanumeric() && character != '-');
    pieces.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
