//! The same call with the same result, three times in a row or nearly so.

use std::collections::BTreeMap;

use super::{polling::is_polling, shown, steps};
use crate::evidence::course::Course;
use crate::evidence::{Findings, Kind, Place};
use crate::verdict::Severity;

/// So often is a loop.
const OFTEN: usize = 3;
/// Calls of another kind that may stand between two rounds.
const BETWEEN: usize = 1;
/// Calls that may follow the last round.
const AFTER: usize = 2;

pub(in crate::evidence) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let steps = steps(course);
    let changed: std::collections::BTreeSet<usize> =
        course.changes.iter().map(|change| change.when.0).collect();
    let mut rounds: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    let mut worst: Option<(usize, usize)> = None;
    let mut last_change = None;
    for (place, (at, step)) in steps.iter().enumerate() {
        let Some(step) = step else { continue };
        let (count, last) = rounds.get(step).copied().unwrap_or((0, 0));
        // An edit in between makes it a new question, unless the edit is what is repeated.
        let edited = last_change.is_some_and(|change| change > last);
        let goes_on = count > 0 && place - last <= BETWEEN + 1 && !edited;
        let count = if goes_on { count + 1 } else { 1 };
        rounds.insert(*step, (count, place));
        if changed.contains(at) {
            last_change = Some(place);
        }
        let at_the_end = steps.len() - 1 - place <= AFTER;
        if count >= OFTEN && at_the_end && !is_polling(course, *at) {
            worst = Some(worst.map_or((count, *at), |known| known.max((count, *at))));
        }
    }
    if let Some((count, at)) = worst {
        let what = shown(&course.situation.session.calls[at]);
        let text = format!("{what} was called {count} times with the same result; try something else");
        findings.add(Kind::LoopRepeated, Severity::Medium, Place::Call(at), text);
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::LoopRepeated;
    use crate::evidence::shorthand::{GREEN, Tale, assert_finds, red};

    fn times(count: usize, one: impl Fn(Tale) -> Tale) -> Tale {
        (0..count).fold(Tale::of("Fix the parser"), |tale, _| one(tale))
    }

    #[test]
    fn repeated() {
        assert_finds(
            LoopRepeated,
            true,
            [
                ("a read", times(3, |t| t.look("a.rs", "same"))),
                ("a command", times(4, |t| t.run("python fix.py", 1, "boom"))),
                ("nearly in a row", times(3, |t| t.run("ls", 0, "a").look("b", &"x".repeat(3)))),
                ("the same edit", times(3, |t| t.edit_failed("a.rs", "x", "not found"))),
                ("a check", times(3, |t| t.run("cargo test", 101, &red(&["a"])))),
            ],
        );
    }

    #[test]
    fn legitimate() {
        let numbered = |make: &dyn Fn(Tale, usize) -> Tale| (0..6).fold(Tale::of("Fix"), make);
        assert_finds(
            LoopRepeated,
            false,
            [
                ("twice", times(2, |t| t.look("a.rs", "same"))),
                ("polling", times(6, |t| t.run("gh run view 12", 0, "in progress"))),
                ("waiting", times(6, |t| t.run("sleep 5 && cat state", 0, "pending"))),
                ("health", times(6, |t| t.run("curl -s localhost:3000/health", 7, ""))),
                ("a log", times(6, |t| t.run("tail server.log", 0, "starting"))),
                ("progress", numbered(&|t, n| t.run("cat progress", 0, &format!("{n} %")))),
                ("many files", numbered(&|t, n| t.edit(&format!("f{n}.rs"), "a", "b"))),
                ("test, edit, test", times(4, |t| t.edits("a.rs").run("cargo test", 0, GREEN))),
                (
                    "left behind",
                    times(3, |t| t.look("a.rs", "same"))
                        .edits("a.rs")
                        .run("cargo test", 0, GREEN)
                        .run("git diff", 0, "x")
                        .run("git status", 0, "y"),
                ),
            ],
        );
    }
}
