//! A check that passed after the last edit of anything it covers.

use super::course::Course;
use super::{Findings, Kind, Place};
use crate::check::CheckResult;
use crate::verdict::Severity;

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    for place in course.checks.newest() {
        let ran = &course.checks.runs[place];
        if ran.result != CheckResult::Passed || course.edited_since(ran).is_some() {
            continue;
        }
        let count = ran.run.summary.as_ref().map(|summary| summary.passed).filter(|passed| *passed > 0);
        let count = count.map(|passed| format!(" ({passed} passed)")).unwrap_or_default();
        let after = course.edited_before(ran).and_then(|change| change.path.as_ref());
        let after = after.map(|path| format!(", after the last edit to {path}")).unwrap_or_default();
        let text = format!("{}{count}{after}", course.cited(ran));
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
                ("edited since", t().run("cargo test", 0, GREEN).edits("src/b.rs")),
                ("hidden", t().run("cargo test | wc -l", 0, "4")),
                ("only listed", t().run("cargo test -- --list", 0, "a: test")),
                ("on the base", t().run("git stash; cargo test; git stash pop", 0, GREEN)),
                ("said only", t().said("`cargo test` passed: test result: ok. 3 passed")),
            ],
        );
        assert_eq!(
            t().run("cargo test", 0, GREEN).texts(CheckPassed),
            ["`cargo test` passed (3 passed), after the last edit to src/a.rs"]
        );
    }
}
