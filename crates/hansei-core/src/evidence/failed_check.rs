//! A check that failed last: its own result says so, and no later run mended it.

use super::check_runs::{Open, Ran};
use super::citation::listed;
use super::course::Course;
use super::red_before::Excuse;
use super::tries::tries;
use super::{Findings, Kind, Place};
use crate::check::CheckKind;
use crate::verdict::Severity;

/// More failing checks than anybody reads about.
const MOST: usize = 5;

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let start = course.task_start();
    let mut found = 0;
    for open in course.checks.open.iter().rev() {
        let ran = &course.checks.runs[open.ran];
        let wanted_red = ran.run.check.kind == CheckKind::Test && course.wishes.ask_for_a_failing_test();
        if open.doubt.is_some() || ran.when < start || wanted_red || found == MOST {
            continue;
        }
        let failing = match Excuse::of(course, open) {
            Excuse::None => open.failing.clone(),
            Excuse::Part { new, .. } => new,
            Excuse::All { .. } => continue,
        };
        found += 1;
        report(course, findings, ran, open, failing);
    }
}

fn report(
    course: &Course<'_>,
    findings: &mut Findings,
    ran: &Ran<'_>,
    open: &Open,
    mut failing: Vec<String>,
) {
    let kind = if ran.run.masked { Kind::CheckFailedHidden } else { Kind::CheckFailed };
    let hidden = if ran.run.masked { ", behind a line that hides its exit code" } else { "" };
    let edited = |change: Option<&super::changes::Change>| change.and_then(|change| change.path.clone());
    let context = match (edited(course.edited_since(ran)), edited(course.edited_before(ran))) {
        (Some(path), _) => format!(" and was not run again after your edit to {path}"),
        (None, Some(path)) => format!(" after your last edit to {path}"),
        (None, None) => String::new(),
    };
    failing.sort();
    let what = if !failing.is_empty() {
        format!(": {} failed", listed(&failing))
    } else if let Some(failed) = ran.run.summary.as_ref().map(|summary| summary.failed).filter(|n| *n > 0) {
        format!(": {failed} failed")
    } else {
        String::new()
    };
    let partly =
        if open.failing.len() < named(ran) && !open.failing.is_empty() { " (others pass since)" } else { "" };
    let text = format!("{}{context}{hidden}{what}{partly}", course.cited(ran));
    let about = if failing.is_empty() { vec![ran.run.check.text.clone()] } else { failing };
    // Whether it is neat is worth less than whether it works, unless that was asked for.
    let severity = match ran.run.check.kind {
        CheckKind::Lint | CheckKind::Format if course.wishes.name_check(&ran.run.check) => Severity::High,
        CheckKind::Lint | CheckKind::Format if ran.run.masked => Severity::Low,
        CheckKind::Lint | CheckKind::Format => Severity::Medium,
        CheckKind::Test | CheckKind::Build | CheckKind::TypeCheck => Severity::High,
    };
    findings.add_tried(kind, severity, Place::Call(ran.call), text, about, tries(course, ran));
}

fn named(ran: &Ran<'_>) -> usize {
    ran.run.summary.as_ref().map_or(0, |summary| summary.failing.len())
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::{self, CheckFailed, CheckFailedHidden};
    use crate::evidence::shorthand::{GREEN, Tale, assert_finds, pytest_red, red};

    #[test]
    fn the_text_cites_what_happened() {
        let tale = Tale::of("Add empty input").at("14:00").edits("src/parse.rs").at("14:02").run(
            "cargo test",
            101,
            &red(&["parse::tests::empty"]),
        );
        assert_eq!(
            tale.texts(CheckFailed),
            [
                "`cargo test` exited 101 at 14:02 after your last edit to src/parse.rs: parse::tests::empty failed"
            ]
        );
        let evidence = tale.found(&[CheckFailed]).remove(0);
        assert_eq!(evidence.about, ["parse::tests::empty"]);
        let later = tale.edits("src/lex.rs");
        assert_eq!(
            later.texts(CheckFailed),
            [
                "`cargo test` exited 101 at 14:02 and was not run again after your edit to src/lex.rs: parse::tests::empty failed"
            ]
        );
    }

    #[test]
    fn at_most_five_tests_are_named() {
        let names = ["t::a", "t::b", "t::c", "t::d", "t::e", "t::f", "t::g"];
        let text =
            Tale::of("x").edits("a.rs").run("cargo test", 101, &red(&names)).texts(CheckFailed).remove(0);
        assert!(text.ends_with("t::a, t::b, t::c, t::d, t::e and 2 more failed"), "{text}");
    }

    #[test]
    fn failures() {
        let t = || Tale::of("Add a flag").edits("src/a.rs");
        assert_finds(
            CheckFailed,
            true,
            [
                ("own code", t().run("cargo test", 101, &red(&["a"]))),
                ("unnamed", t().run("cargo build", 101, "error: could not compile `x`")),
                ("no output", t().run("make test", 2, "")),
                ("edited, not run again", t().run("cargo test", 101, &red(&["a"])).edits("src/a.rs")),
                (
                    "narrower pass of another",
                    t().run("cargo test", 101, &red(&["a::x"])).run("cargo test b", 0, GREEN),
                ),
                ("python", Tale::of("Add").edits("a.py").run("pytest", 1, &pytest_red(&["t.py::x"]))),
                ("said otherwise", t().run("cargo test", 101, &red(&["a"])).said("All tests pass.")),
                (
                    "fed back",
                    t().run("cargo test", 101, &red(&["a"])).said("Done").fed_back("failing").said("Done"),
                ),
            ],
        );
        assert_finds(
            CheckFailedHidden,
            true,
            [
                ("behind a pipe", t().run("cargo test | tail -5", 0, &red(&["a"]))),
                ("fallback", t().run("cargo test || true", 0, &red(&["a"]))),
            ],
        );
    }

    #[test]
    fn no_failures() {
        let t = || Tale::of("Add a flag").edits("src/a.rs");
        let both: [Kind; 2] = [CheckFailed, CheckFailedHidden];
        for kind in both {
            assert_finds(
                kind,
                false,
                [
                    ("passed", t().run("cargo test", 0, GREEN)),
                    (
                        "mended",
                        t().run("cargo test", 101, &red(&["a"]))
                            .edits("src/a.rs")
                            .run("cargo test", 0, GREEN),
                    ),
                    ("flaky", t().run("cargo test", 101, &red(&["a"])).run("cargo test", 0, GREEN)),
                    ("next task", t().run("cargo test", 101, &red(&["a"])).human("thanks, what is a monad?")),
                    (
                        "a red test was wanted",
                        Tale::of("Write a failing test for #3").edits("tests/a.rs").run(
                            "cargo test",
                            101,
                            &red(&["a"]),
                        ),
                    ),
                    ("denied", t().run_denied("cargo test")),
                    ("no check", t().run("ls nowhere", 2, "")),
                    ("only asked to run", Tale::of("run the tests").run("cargo test", 101, &red(&["a"]))),
                    (
                        "on the base",
                        t().run("cargo test", 0, GREEN).run(
                            "git stash; cargo test; git stash pop",
                            0,
                            &red(&["a"]),
                        ),
                    ),
                ],
            );
        }
    }
}
