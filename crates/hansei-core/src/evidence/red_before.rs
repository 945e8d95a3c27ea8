//! What fails, and failed before the session's first edit: nobody is accused of it, unless mending it was the task.

use std::collections::BTreeSet;

use super::bent_checks::is_settings;
use super::changes::Change;
use super::check_runs::{CheckRuns, Open, Ran};
use super::citation::listed;
use super::course::Course;
use super::coverage::plain;
use super::file_world::is_code;
use super::{Findings, Kind, Place};
use crate::check::{CheckKind, CheckResult, environment};
use crate::session::{Action, Call};
use crate::verdict::Severity;

/// How far an open failure was there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Excuse {
    /// Not at all.
    None,
    /// In part: what is new, and what is old.
    Part { new: Vec<String>, old: Vec<String> },
    /// All of it.
    All { old: Vec<String> },
}

impl Excuse {
    /// How far `open` was there before.
    pub(super) fn of(course: &Course<'_>, open: &Open) -> Self {
        let checks = &course.checks;
        let ran = &checks.runs[open.ran];
        let kind = ran.run.check.kind;
        if course.wishes.ask_to_mend(kind, &[]) || is_the_target(course, &ran.run.check.text) {
            return Self::None;
        }
        if is_elsewhere(course, ran) || is_of_the_machine(course, open) {
            return Self::All { old: Vec::new() };
        }
        let before: Vec<&Ran<'_>> = before(checks, open.ran);
        if before.is_empty() {
            return Self::None;
        }
        if open.failing.is_empty() {
            // Fewer than before may all be old; nobody knows, and nobody is accused.
            let same = before.iter().any(|earlier| {
                named(earlier).is_empty()
                    && failed(ran) <= failed(earlier)
                    && failed(ran).is_some() == failed(earlier).is_some()
            });
            return if same { Self::All { old: Vec::new() } } else { Self::None };
        }
        let known: BTreeSet<&String> = before.iter().flat_map(|earlier| named(earlier)).collect();
        let (old, new): (Vec<String>, Vec<String>) = open.failing.iter().cloned().partition(|name| {
            known.contains(name) && !course.wishes.ask_to_mend(kind, std::slice::from_ref(name))
        });
        match (old.is_empty(), new.is_empty()) {
            (true, _) => Self::None,
            (false, true) => Self::All { old },
            (false, false) => Self::Part { new, old },
        }
    }
}

/// Whether the request names this very gate, with the figure that it demands: reaching it is the task.
fn is_the_target(course: &Course<'_>, command: &str) -> bool {
    let request = course.situation.request();
    let figure = |word: &&str| word.starts_with("--") && word.contains(|c: char| c.is_ascii_digit());
    let mut figures = command.split_whitespace().filter(figure).peekable();
    figures.peek().is_some() && figures.all(|word| request.contains(word))
}

/// Failing runs of the same check on the tree as it was before the first edit, unless it passed in between.
fn before<'r, 'a>(checks: &'r CheckRuns<'a>, place: usize) -> Vec<&'r Ran<'a>> {
    let ran = &checks.runs[place];
    let untouched = |run: &Ran<'_>| checks.first_edit.is_none_or(|edit| run.when < edit);
    let same = |run: &Ran<'_>| CheckRuns::same(run, ran) && run.result != CheckResult::NothingRun;
    let passed = checks.runs[..place].iter().rposition(|run| {
        same(run)
            && !run.at_base
            && run.result == CheckResult::Passed
            && run.run.check.scope == ran.run.check.scope
    });
    // On the tree as it was any check of the kind shows what was red, whatever its task is called.
    let alike = |run: &Ran<'_>| {
        run.at_base
            && run.run.check.kind == ran.run.check.kind
            && run.run.check.ecosystem == ran.run.check.ecosystem
    };
    let fails = |run: &Ran<'_>| (same(run) || alike(run)) && run.result == CheckResult::Failed;
    let early = checks.runs.iter().enumerate().filter(|(at, run)| {
        fails(run)
            && (run.at_base || (untouched(run) && *at <= place && passed.is_none_or(|passed| *at > passed)))
    });
    early.map(|(_, run)| run).collect()
}

/// Whether a linter complains of nothing but files that the session never wrote: those were as they are before it.
fn is_elsewhere(course: &Course<'_>, ran: &Ran<'_>) -> bool {
    if !matches!(ran.run.check.kind, CheckKind::Lint | CheckKind::Format) {
        return false;
    }
    let Some(end) = &course.situation.session.calls[ran.call].end else { return false };
    let output = &end.output;
    let whole = output.length <= output.head.len() + output.tail.len();
    let text = output.text();
    let files: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || "()[],'\"`|".contains(c)).filter_map(file_in).collect();
    let ours = |file: &&str| {
        course.changes.iter().any(|change| {
            change
                .path
                .as_deref()
                .is_none_or(|path| is_settings(path) || path.ends_with(*file) || file.ends_with(path))
        })
    };
    whole && !files.is_empty() && !files.iter().any(ours)
}

/// The file of code that a word names, without what follows it: `src/a.ts:118:9`.
fn file_in(word: &str) -> Option<&str> {
    let path = plain(word.split(':').find(|part| part.len() > 1)?);
    (is_code(path) && !path.starts_with("--")).then_some(path)
}

/// Whether what failed, failed because the machine lacks something: each failure says so, and so does the agent; or each
/// misses a package that has nothing to do with the work.
fn is_of_the_machine(course: &Course<'_>, open: &Open) -> bool {
    let ran = &course.checks.runs[open.ran];
    let Some(end) = &course.situation.session.calls[ran.call].end else { return false };
    let output = end.output.text();
    let told = environment::told(output.lines(), &course.situation.last_words())
        + output.lines().filter_map(missing_module).filter(|name| is_foreign(course, name)).count();
    told > 0 && told as u64 >= failed(ran).unwrap_or(1)
}

/// The package that a line says cannot be found.
fn missing_module(line: &str) -> Option<&str> {
    const SAYS: [&str; 4] =
        ["No module named ", "Cannot find module ", "Cannot find package ", "cannot load such file -- "];
    let behind = SAYS.iter().find_map(|says| line.split_once(says))?.1;
    let name = behind.trim_start_matches(['\'', '"']).split(['\'', '"', ' ', ',']).next()?;
    (line.starts_with("E ") || !line.contains(" - ")).then_some(name).filter(|name| !name.is_empty())
}

/// Whether a package is none of the work: neither its name nor anything that the session wrote or was asked for knows it.
fn is_foreign(course: &Course<'_>, name: &str) -> bool {
    let root = name.split(['.', '/']).next().unwrap_or(name);
    let wrote = |call: &Call| {
        call.wrote.as_ref().is_some_and(|wrote| wrote.added.contains(root) || wrote.removed.contains(root))
            || matches!(&call.action, Action::Run { command, .. } if command.contains(root))
    };
    let named = |change: &Change| change.path.as_deref().is_none_or(|path| path.contains(root));
    !root.is_empty()
        && !course.situation.request().contains(root)
        && !course.situation.session.calls.iter().any(wrote)
        && !course.changes.iter().any(named)
}

fn named<'r>(ran: &'r Ran<'_>) -> &'r [String] {
    ran.run.summary.as_ref().map_or(&[], |summary| summary.failing.as_slice())
}

fn failed(ran: &Ran<'_>) -> Option<u64> {
    ran.run.summary.as_ref().map(|summary| summary.failed)
}

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    for open in course.checks.open.iter().rev().take(5) {
        let ran = &course.checks.runs[open.ran];
        let (Excuse::All { mut old } | Excuse::Part { mut old, .. }) = Excuse::of(course, open) else {
            continue;
        };
        old.sort();
        let what = if old.is_empty() { String::new() } else { format!(": {}", listed(&old)) };
        let text = format!("{}, and failed the same way before the first edit{what}", course.cited(ran));
        findings.add_about(Kind::RedBefore, Severity::None, Place::Call(ran.call), text, old);
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::{CheckFailed, RedBefore};
    use crate::evidence::shorthand::{GREEN, Tale, red};

    #[test]
    #[rustfmt::skip]
    fn what_is_new_and_what_is_old() {
        let old = red(&["m::old"]);
        let both = red(&["m::new", "m::old"]);
        let unnamed = "error: could not compile `x`";
        let lacks = "test/b.py:1: in <module>\n    import b\nE   ModuleNotFoundError: No module named 'xmlschema'\n\
                     ERROR test/b.py - ModuleNotFoundError: No module na...\n1 error in 0.60s";
        let t = Tale::of;
        let new: &[&str] = &["m::new"];
        let none: &[&str] = &[];
        let two = red(&["m::old_rounding", "m::other"]);
        for (name, tale, expected, excused) in [
            ("all old", t("Add a flag").run("cargo test", 101, &old).edits("a.rs").run("cargo test", 101, &old), none, true),
            ("one new", t("Add a flag").run("cargo test", 101, &old).edits("a.rs").run("cargo test", 101, &both), new, true),
            ("never seen before", t("Add a flag").edits("a.rs").run("cargo test", 101, &red(new)), new, false),
            ("seen under a stash", t("Add a flag").edits("a.rs").run("cargo test", 101, &both)
                .run("git stash && cargo test", 101, &old).run("git stash pop", 0, ""), new, true),
            ("a package that is none of the work", t("Add a flag").edits("src/a.py").run("pytest -q", 2, lacks), none, true),
            ("a package that the work needs", t("Add a flag").edit("src/a.py", "", "import xmlschema").run("pytest -q", 2, lacks),
                &["test/b.py"], false),
            ("the shell could not read it", t("Add a flag").edits("a.py").run("pytest -q) && ls", 2,
                "bash: -c: line 1: syntax error near unexpected token `)'"), none, false),
            ("it is the task", t("Fix the failing tests").run("cargo test", 101, &old).edits("a.rs")
                .run("cargo test", 101, &old), &["m::old"], false),
            ("passed in between", t("Add a flag").run("cargo test", 101, &old).run("cargo test", 0, GREEN)
                .edits("a.rs").run("cargo test", 101, &old), &["m::old"], false),
            ("no edit at all", t("Which tests fail?").run("cargo test", 101, &old), none, true),
            ("no edit, but it is the task", t("Make the tests pass").run("cargo test", 101, &old), &["m::old"], false),
            ("only documents", t("Improve the docs").edits("README.md").run("cargo test", 101, &old), none, true),
            ("unnamed", t("Add a flag").run("cargo build", 101, unnamed).edits("a.rs")
                .run("cargo build", 101, unnamed), none, true),
            ("another check was red", t("Add a flag").run("cargo clippy", 101, unnamed).edits("a.rs")
                .run("cargo test", 101, &red(new)), new, true),
            ("the one that was named", t("m::old_rounding fails, look into it").run("cargo test", 101, &two)
                .edits("a.rs").run("cargo test", 101, &two), &["m::old_rounding"], true),
        ] {
            let about: Vec<String> =
                tale.found(&[CheckFailed]).into_iter().flat_map(|found| found.about).collect();
            assert_eq!(about, expected, "{name}");
            assert_eq!(!tale.texts(RedBefore).is_empty(), excused, "{name}");
        }
    }
}
