//! A check that passed after the last edit of anything it covers.

use super::course::Course;
use super::{Findings, Kind, Place};
use crate::check::CheckResult;
use crate::verdict::Severity;

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let newest = course.checks.newest();
    let narrow = newest.iter().map(|place| &course.checks.runs[*place]);
    // What all of it was, it still is where narrower runs were about everything since.
    let whole = newest.iter().filter_map(|place| course.still_whole(*place));
    for ran in narrow.chain(whole.clone()) {
        let whole = whole.clone().any(|whole| std::ptr::eq(whole, ran));
        if ran.result != CheckResult::Passed
            || (course.edited_since(ran).is_some() && !whole)
            || course.touched_since(ran).is_some()
        {
            continue;
        }
        let count = ran.run.summary.as_ref().map(|summary| summary.passed).filter(|passed| *passed > 0);
        let count = count.map(|passed| format!(" ({passed} passed)")).unwrap_or_default();
        let after = course.edited_before(ran).and_then(|change| change.path.as_ref());
        let after = after.map(|path| format!(", after the last edit to {path}")).unwrap_or_default();
        let since = if whole { ", and narrower runs about everything that was edited since" } else { "" };
        let text = format!("{}{count}{after}{since}", course.cited(ran));
        let mut about = vec![ran.run.check.runner.to_owned()];
        about.extend(course.edited_before(ran).map(|change| change.path.clone().unwrap_or_default()));
        findings.add_about(Kind::CheckPassed, Severity::None, Place::Call(ran.call), text, about);
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::CheckPassed;
    use crate::evidence::shorthand::{GREEN, Tale, assert_finds};

    #[test]
    fn passes() {
        let t = || Tale::of("x").edits("src/a.rs");
        assert_finds(
            CheckPassed,
            true,
            [
                ("passed", t().run("cargo test", 0, GREEN)),
                ("documents after it", t().run("cargo test", 0, GREEN).edits("README.md")),
                ("summary behind a pipe", t().run("cargo test | tail -3", 0, GREEN)),
            ],
        );
        assert_finds(
            CheckPassed,
            false,
            [
                (
                    "touched since",
                    Tale::of("x")
                        .at("09:00")
                        .edits("src/a.rs")
                        .run("cargo test", 0, GREEN)
                        .touched("src/b.rs", "09:30"),
                ),
                ("edited since", t().run("cargo test", 0, GREEN).edits("src/b.rs")),
                ("hidden", t().run("cargo test | wc -l", 0, "4")),
                ("only listed", t().run("cargo test -- --list", 0, "a: test")),
                ("on the base", t().run("git stash; cargo test; git stash pop", 0, GREEN)),
                ("said only", t().said("`cargo test` passed: test result: ok. 3 passed")),
            ],
        );
        let five = "5 passed in 0.1s";
        let py = || Tale::of("x").edits("src/a.py").run("pytest", 0, five);
        for (name, tale, expected) in [
            ("narrow about the edit", py().edits("src/a.py").run("pytest tests/test_a.py", 0, five), 2),
            ("a test of its own", py().edits("tests/test_b.py").run("pytest tests/test_b.py", 0, five), 2),
            ("about something else", py().edits("src/a.py").run("pytest tests/test_b.py", 0, five), 1),
            (
                "one of two",
                py().edits("src/a.py").edits("src/b.py").run("pytest tests/test_a.py", 0, five),
                1,
            ),
            (
                "edited once more",
                py().edits("src/a.py").run("pytest tests/test_a.py", 0, five).edits("src/a.py"),
                0,
            ),
            (
                "red since",
                py().run("pytest tests/test_b.py", 1, "1 failed").run("pytest tests/test_b.py", 0, five),
                1,
            ),
        ] {
            assert_eq!(tale.texts(CheckPassed).len(), expected, "{name}");
        }
        assert_eq!(
            t().run("cargo test", 0, GREEN).texts(CheckPassed),
            ["`cargo test` passed (3 passed), after the last edit to src/a.rs"]
        );
    }
}
