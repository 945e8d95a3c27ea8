//! How often a failure was tried in vain: runs of its check that failed alike, each after a change.

use super::check_runs::{CheckRuns, Ran};
use super::course::Course;
use crate::check::CheckResult;
use crate::escalation::{Failure, Fingerprint};
use crate::session::Excerpt;

/// How many changes of the session were followed by this failure again, up to `ran`, without progress between them.
pub(super) fn tries(course: &Course<'_>, ran: &Ran<'_>) -> u32 {
    let told = |result| matches!(result, CheckResult::Passed | CheckResult::Failed);
    let mut earlier = course.checks.runs.iter().rev().filter(|one| {
        one.when < ran.when
            && !one.at_base
            && told(one.result)
            && CheckRuns::same(one, ran)
            && one.folder == ran.folder
    });
    let mut tries = 0;
    let mut later = ran;
    loop {
        let before = earlier.next();
        tries += u32::from(was_changed(course, before, later));
        match before {
            Some(before) if is_in_vain(course, before, later) => later = before,
            _ => return tries,
        }
    }
}

/// Whether something that the check looks at was changed by hand before `ran`, and after the run `before` it.
fn was_changed(course: &Course<'_>, before: Option<&Ran<'_>>, ran: &Ran<'_>) -> bool {
    let from = before.map_or(0, |before| course.changes.partition_point(|one| one.when <= before.when));
    let to = course.changes.partition_point(|one| one.when <= ran.when);
    course.changes[from..to.max(from)].iter().any(|change| change.is_by_hand() && course.covers(ran, change))
}

/// Whether `later` fails as `before` did: at a test in common and at no fewer of them, or with the same error where tests
/// have no names.
fn is_in_vain(course: &Course<'_>, before: &Ran<'_>, later: &Ran<'_>) -> bool {
    if before.result != CheckResult::Failed {
        return false;
    }
    let (old, new) = (failing(before), failing(later));
    if old.is_empty() || new.is_empty() {
        return old.is_empty() && new.is_empty() && error(course, before) == error(course, later);
    }
    let narrower = before.run.check.scope != later.run.check.scope;
    let fewer = new.len() < old.len() && new.iter().all(|name| old.contains(name));
    new.iter().any(|name| old.contains(name)) && (narrower || !fewer)
}

fn failing<'a>(ran: &Ran<'a>) -> &'a [String] {
    ran.run.summary.as_ref().map(|summary| summary.failing.as_slice()).unwrap_or_default()
}

fn error(course: &Course<'_>, ran: &Ran<'_>) -> Fingerprint {
    let end = course.situation.session.calls[ran.call].end.as_ref();
    let output = end.map(|end| Excerpt::text(&end.output)).unwrap_or_default();
    Fingerprint::of(&Failure { command: &ran.run.check.text, exit_code: None, output: &output })
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::CheckFailed;
    use crate::evidence::shorthand::{GREEN, Tale, red};

    #[test]
    fn what_counts_as_a_try() {
        let t = || Tale::of("Make the tests pass");
        let (a, b, ab) = (red(&["m::a"]), red(&["m::b"]), red(&["m::a", "m::b"]));
        let unclosed = "error: this file contains an unclosed delimiter\n --> src/a.rs:9:2";
        let moved = "error: this file contains an unclosed delimiter\n --> src/a.rs:14:2";
        let other = "error[E0308]: mismatched types\n --> src/a.rs:3:5";
        let again = |tale: Tale, output: &str| tale.edits("src/a.rs").run("cargo test", 101, output);
        for (name, tale, expected) in [
            ("only seen", t().run("cargo test", 101, &a), 0),
            ("once", again(t(), &a), 1),
            ("seen, then twice", again(again(t().run("cargo test", 101, &a), &a), &a), 2),
            ("three times", again(again(again(t(), &a), &a), &a), 3),
            ("run again without a change", again(t(), &a).run("cargo test", 101, &a), 1),
            ("only documents", again(t(), &a).edits("README.md").run("cargo test", 101, &a), 1),
            ("fewer than before", again(again(t(), &ab), &a), 1),
            ("more than before", again(again(t(), &a), &ab), 2),
            ("others than before", again(again(t(), &a), &b), 1),
            ("narrower is not fewer", again(t(), &ab).edits("src/a.rs").run("cargo test m::a", 101, &a), 2),
            ("green in between", again(again(t(), &a).run("cargo test", 0, GREEN), &a), 1),
            ("another check in between", again(again(t(), &a).run("cargo clippy", 0, ""), &a), 2),
            ("the same error, elsewhere in the file", again(again(t(), unclosed), moved), 2),
            ("another error", again(again(t(), unclosed), other), 1),
            ("the human asked again", again(again(t(), &a).said("Done").human("still red, go on"), &a), 2),
        ] {
            let found = tale.found(&[CheckFailed]);
            assert_eq!(found.iter().map(|evidence| evidence.tries).max(), Some(expected), "{name}");
        }
    }
}
