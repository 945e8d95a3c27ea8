//! Message after message, and no tool in between.

use crate::evidence::course::Course;
use crate::evidence::{Findings, Kind, Place};
use crate::verdict::Severity;

/// So many messages in a row.
const MANY: u32 = 4;

pub(in crate::evidence) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let turns = course.situation.task().map(|task| task.turns.as_slice()).unwrap_or_default();
    let mut said = 0_u32;
    for turn in turns.iter().rev() {
        said = said.saturating_add(turn.said_since_call);
        if !turn.calls.is_empty() {
            break;
        }
    }
    if said >= MANY {
        let text = format!(
            "{said} messages in a row without a single call: do the next step instead of describing it"
        );
        findings.add(Kind::LoopMonologue, Severity::Low, Place::LastWords, text);
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::LoopMonologue;
    use crate::evidence::shorthand::{Tale, assert_finds};

    #[test]
    fn monologues() {
        let talk =
            |tale: Tale, count: usize| (0..count).fold(tale, |tale, n| tale.said(&format!("thought {n}")));
        let t = || Tale::of("Add a flag");
        assert_finds(
            LoopMonologue,
            true,
            [
                ("from the start", talk(t(), 4)),
                ("after work", talk(t().edits("a.rs"), 5)),
                ("sent back in between", talk(talk(t(), 2).fed_back("go on"), 2)),
            ],
        );
        assert_finds(
            LoopMonologue,
            false,
            [
                ("short", talk(t(), 3)),
                ("with calls", talk(talk(t(), 3).edits("a.rs"), 3)),
                ("each answered", talk(talk(t(), 2).human("and?"), 2)),
            ],
        );
    }
}
