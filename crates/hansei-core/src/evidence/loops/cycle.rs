//! A cycle of two to five different calls that came round three times, inputs and results alike. Alternation is the
//! shortest.

use super::{polling::is_polling, shown, steps};
use crate::evidence::course::Course;
use crate::evidence::{Findings, Kind, Place};
use crate::verdict::Severity;

const ROUNDS: usize = 3;
const LONGEST: usize = 5;
/// Calls that may follow the last round.
const AFTER: usize = 2;

pub(in crate::evidence) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let steps = steps(course);
    for end in (steps.len().saturating_sub(AFTER)..=steps.len()).rev() {
        for period in 2..=LONGEST {
            let Some(start) = end.checked_sub(period * ROUNDS) else { break };
            let window = &steps[start..end];
            let same = (period..window.len())
                .all(|at| window[at].1.is_some() && window[at].1 == window[at - period].1);
            let round = &window[..period];
            let varied = round.iter().any(|(_, step)| *step != round[0].1);
            if same && varied && !round.iter().any(|(at, _)| is_polling(course, *at)) {
                let calls = &course.situation.session.calls;
                let names: Vec<String> = round.iter().take(3).map(|(at, _)| shown(&calls[*at])).collect();
                let text = format!(
                    "the same {period} calls came round {ROUNDS} times with the same results: {}",
                    names.join(", ")
                );
                findings.add(
                    Kind::LoopCycle,
                    Severity::Medium,
                    Place::Call(window[window.len() - 1].0),
                    text,
                );
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::LoopCycle;
    use crate::evidence::shorthand::{Tale, assert_finds, red};

    fn rounds(count: usize, one: impl Fn(Tale, usize) -> Tale) -> Tale {
        (0..count).fold(Tale::of("Fix the parser"), one)
    }

    #[test]
    fn cycles() {
        assert_finds(
            LoopCycle,
            true,
            [
                ("alternation", rounds(3, |t, _| t.edit("a.rs", "x", "y").edit("a.rs", "y", "x"))),
                (
                    "edit, run, back, run",
                    rounds(3, |t, _| {
                        t.edit("a.rs", "x", "y")
                            .run("./try", 1, "one")
                            .edit("a.rs", "y", "x")
                            .run("./try", 1, "two")
                    }),
                ),
                (
                    "five looks",
                    rounds(3, |t, _| ["a", "b", "c", "d", "e"].iter().fold(t, |t, file| t.look(file, file))),
                ),
                ("one call after it", rounds(3, |t, _| t.look("a", "a").look("b", "b")).look("z", "z")),
            ],
        );
    }

    #[test]
    fn no_cycles() {
        assert_finds(
            LoopCycle,
            false,
            [
                ("two rounds", rounds(2, |t, _| t.look("a", "a").look("b", "b"))),
                (
                    "results change",
                    rounds(5, |t, n| {
                        t.edits("a.rs").run("cargo test", 101, &red(&["a", "b", "c", "d"][n % 3..]))
                    }),
                ),
                ("polling", rounds(4, |t, _| t.run("sleep 10", 0, "").run("gh pr checks", 8, "pending"))),
                (
                    "many files",
                    rounds(5, |t, n| t.look(&format!("f{n}"), "x").edit(&format!("f{n}"), "a", "b")),
                ),
                (
                    "long ago",
                    rounds(3, |t, _| t.look("a", "a").look("b", "b"))
                        .edits("a.rs")
                        .edits("b.rs")
                        .edits("c.rs"),
                ),
            ],
        );
    }
}
