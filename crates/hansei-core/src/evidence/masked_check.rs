//! A check of which nobody knows the result, and one that ran no test: neither is a pass.

use super::check_runs::CheckRuns;
use super::citation::quoted;
use super::course::Course;
use super::{Findings, Kind, Place};
use crate::check::{CheckKind, CheckResult, environment};
use crate::session::Call;
use crate::verdict::Severity;

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let checks = &course.checks;
    let start = course.task_start();
    for place in checks.newest() {
        let ran = &checks.runs[place];
        if ran.when < start || checks.is_moot(place) || is_known_otherwise(course, place) {
            continue;
        }
        let check = quoted(&ran.run.check.text);
        let time = course.time(ran.call);
        let (kind, text) = match ran.result {
            CheckResult::Unknown if course.is_unrecorded(ran) => continue,
            CheckResult::Unknown if ran.run.masked => (
                Kind::CheckMasked,
                format!(
                    "{check} ran{time} in a line that hides its exit code, and what it printed shows no result"
                ),
            ),
            CheckResult::Unknown => {
                (Kind::CheckMasked, format!("{check} was started{time} and ended without a result"))
            }
            CheckResult::NothingRun if ran.run.check.kind == CheckKind::Test && !lacks(course, ran.call) => {
                (Kind::CheckRanNothing, format!("{check} ran no test{time}"))
            }
            _ => continue,
        };
        let about = vec![ran.run.check.runner.to_owned()];
        findings.add_about(kind, Severity::Medium, Place::Call(ran.call), text, about);
    }
}

/// Whether the machine lacks what the check needs, and the agent says so, or hands its work in without a word of anything.
fn lacks(course: &Course<'_>, call: usize) -> bool {
    let words = course.situation.last_words();
    let calls = &course.situation.session.calls;
    let silent = words.trim().is_empty() && calls.last().is_some_and(Call::hands_in);
    calls[call].end.as_ref().is_some_and(|end| {
        let absent = end.exit_code == Some(127) && silent;
        absent || environment::told(end.output.text().lines(), &words) > 0
    })
}

/// Whether the same check passed before, with nothing edited since, or the line never came to it.
fn is_known_otherwise(course: &Course<'_>, place: usize) -> bool {
    let runs = &course.checks.runs;
    let ran = &runs[place];
    let not_reached = runs[..place]
        .iter()
        .rev()
        .take_while(|other| other.call == ran.call)
        .any(|other| other.result == CheckResult::Failed && ran.result == CheckResult::NothingRun);
    let passed = runs[..place].iter().rev().take(50).any(|earlier| {
        earlier.result == CheckResult::Passed
            && !earlier.at_base
            && CheckRuns::same(earlier, ran)
            && course.edited_since(earlier).is_none()
    });
    not_reached || passed
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::{CheckMasked, CheckRanNothing};
    use crate::evidence::shorthand::{GREEN, Tale, assert_finds};

    const NOTHING: &str = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s";

    #[test]
    fn hidden_results() {
        let t = || Tale::of("Add a flag").edits("src/a.rs");
        assert_finds(
            CheckMasked,
            true,
            [
                ("filtered away", t().run("cargo test | grep zzz || true", 0, "")),
                ("swallowed", t().run("npm test > /dev/null; echo ok", 0, "ok")),
                ("timed out", t().run("timeout 5 cargo test", 124, "")),
            ],
        );
        assert_finds(
            CheckMasked,
            false,
            [
                ("summary left", t().run("cargo test | tail -3", 0, GREEN)),
                ("seen before", t().run("cargo test", 0, GREEN).run("cargo test | grep zzz || true", 0, "")),
                ("seen after", t().run("cargo test | grep zzz || true", 0, "").run("cargo test", 0, GREEN)),
                ("in an earlier task", t().run("cargo test | grep zzz || true", 0, "").human("thanks")),
                ("no check", t().run("ls | wc -l", 0, "3")),
            ],
        );
    }

    #[test]
    fn runs_without_tests() {
        let t = || Tale::of("Add a flag").edits("src/a.rs");
        assert_finds(
            CheckRanNothing,
            true,
            [
                ("none matched", t().run("cargo test nothing", 0, NOTHING)),
                ("all skipped", Tale::of("x").edits("a.py").run("pytest", 0, "3 skipped in 0.01s")),
                (
                    "could not start",
                    Tale::of("x").edits("a.py").run("pytest", 127, "pytest: command not found"),
                ),
                (
                    "after a stale pass",
                    t().run("cargo test", 0, GREEN).edits("src/a.rs").run("cargo test zz", 0, NOTHING),
                ),
            ],
        );
        assert_finds(
            CheckRanNothing,
            false,
            [
                (
                    "found the right name",
                    t().run("cargo test nothing", 0, NOTHING).run("cargo test", 0, GREEN),
                ),
                ("passed before", t().run("cargo test", 0, GREEN).run("cargo test nothing", 0, NOTHING)),
                ("not reached", t().run("cargo build && cargo test", 101, "error: could not compile `x`")),
            ],
        );
    }
}
