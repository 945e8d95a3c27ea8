//! Whether work was right, as it came out later: who or what says so, and whom to believe when they disagree.

pub mod carried;

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// It came out whether a piece of work was right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The piece of work: a session, or the file name of a reflection.
    pub subject: String,
    /// How it came out.
    pub outcome: Came,
    /// Who or what says so.
    pub source: Source,
    /// Why, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The commits that show it, as full hashes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<String>,
    /// When it happened, which may be long before it was noticed.
    pub seen: Timestamp,
}

/// How a piece of work came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Came {
    /// It was right.
    Correct,
    /// It was wrong.
    Wrong,
}

/// Who or what says how a piece of work came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A check that ran after the change.
    Check,
    /// The project's continuous integration.
    Ci,
    /// A person.
    Human,
    /// A later commit that took the change back.
    Revert,
    /// A later commit that mends the same lines.
    Fix,
    /// The task was opened again.
    Reopened,
}

impl Came {
    /// Its name in records and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Wrong => "wrong",
        }
    }
}

impl Source {
    /// Its name in records and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Ci => "ci",
            Self::Human => "human",
            Self::Revert => "revert",
            Self::Fix => "fix",
            Self::Reopened => "reopened",
        }
    }

    fn is_executed(self) -> bool {
        matches!(self, Self::Check | Self::Ci)
    }
}

/// The outcome to believe among those of one piece of work.
///
/// What was executed last and failed outranks everybody: a failed check is never talked away. Then comes what people
/// decided, by word or by taking the change back, the newest first; then what only looks like a sign (a fix of the same
/// lines, a task opened again); and last a check that passed, which speaks for no more than it ran.
pub fn settled<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Option<&'a Outcome> {
    let outcomes: Vec<&Outcome> = outcomes.into_iter().collect();
    let newest = |wanted: &dyn Fn(Source) -> bool| {
        let of_kind = outcomes.iter().copied().filter(|outcome| wanted(outcome.source));
        of_kind.max_by(|a, b| a.seen.moment().cmp(b.seen.moment()))
    };
    let executed = newest(&Source::is_executed);
    executed
        .filter(|outcome| outcome.outcome == Came::Wrong)
        .or_else(|| newest(&|source| matches!(source, Source::Human | Source::Revert)))
        .or_else(|| newest(&|source| matches!(source, Source::Fix | Source::Reopened)))
        .or(executed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(source: Source, outcome: Came, day: u8) -> Outcome {
        Outcome {
            subject: "s".into(),
            outcome,
            source,
            why: String::new(),
            commits: vec![],
            seen: Timestamp::try_from(format!("2026-11-{day:02}T10:00:00Z")).unwrap(),
        }
    }

    #[test]
    fn whom_to_believe() {
        use Came::{Correct, Wrong};
        use Source::{Check, Ci, Fix, Human, Reopened, Revert};
        for (outcomes, believed) in [
            (&[][..], None),
            (&[(Check, Correct, 1)], Some((Check, Correct))),
            // A failed check is never talked away, but a later run of it counts.
            (&[(Check, Wrong, 1), (Human, Correct, 2)], Some((Check, Wrong))),
            (&[(Ci, Wrong, 1), (Ci, Correct, 2), (Human, Correct, 3)], Some((Human, Correct))),
            (&[(Check, Correct, 1), (Ci, Wrong, 2)], Some((Ci, Wrong))),
            // A pass speaks for what it ran, so a person may know better.
            (&[(Check, Correct, 3), (Human, Wrong, 2)], Some((Human, Wrong))),
            (&[(Check, Correct, 3), (Fix, Wrong, 9)], Some((Fix, Wrong))),
            // People's decisions: the newest.
            (&[(Human, Correct, 1), (Revert, Wrong, 5)], Some((Revert, Wrong))),
            (&[(Revert, Wrong, 1), (Human, Correct, 5)], Some((Human, Correct))),
            (&[(Human, Correct, 1), (Fix, Wrong, 5), (Reopened, Wrong, 6)], Some((Human, Correct))),
        ] {
            let outcomes: Vec<Outcome> =
                outcomes.iter().map(|(source, outcome, day)| said(*source, *outcome, *day)).collect();
            let found = settled(&outcomes).map(|outcome| (outcome.source, outcome.outcome));
            assert_eq!(found, believed, "{outcomes:?}");
        }
    }
}
