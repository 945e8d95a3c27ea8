//! How far a session's transcript was read at a stop, and what it means when it is less or other at the next.
//!
//! Agents append to their transcripts, and a judge sees nothing else: one that shrank, was exchanged or is gone is evidence
//! by itself. Another file is another beginning, and nobody's fault: agents rotate, fork and resume into new ones.

use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, Kind, Place};
use crate::interrupt::Failures;
use crate::ledger::Ledger;
use crate::verdict::Severity;

/// How far a transcript was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptMark {
    /// A digest of where it lies.
    pub file: String,
    /// Its length in bytes; 0 for a file that its agent writes anew each time.
    pub size: u64,
    /// A digest of its beginning.
    pub head: String,
    /// A digest of what stood before its end.
    pub tail: String,
    /// How many calls had a result.
    pub answered: u64,
}

/// What happened to a transcript since it was last read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is not there, or no file of the agent's own.
    Gone,
    /// Nothing is left in it.
    Emptied,
    /// It is shorter than it was.
    Shorter,
    /// What stood in it before is not what stands there now.
    Other,
    /// None of its calls has a result any more.
    Unanswered,
}

impl Fault {
    /// What is to be said of a file of `size` bytes, in which `same` says whether what was read before still stands there, and
    /// which has `calls` with `answered` results.
    pub fn of(known: &TranscriptMark, size: u64, same: bool, calls: u64, answered: u64) -> Option<Self> {
        let faults = [
            (Self::Emptied, size == 0),
            (Self::Shorter, size < known.size),
            (Self::Other, !same),
            (Self::Unanswered, calls > 0 && answered == 0 && known.answered > 0),
        ];
        faults.into_iter().find(|(_, is_so)| *is_so).map(|(fault, _)| fault)
    }

    /// The fault in words.
    pub fn told(self) -> &'static str {
        match self {
            Self::Gone => "the session's transcript was there at an earlier stop and cannot be read any more",
            Self::Emptied => "the session's transcript was emptied since an earlier stop",
            Self::Shorter => "the session's transcript is shorter than it was at an earlier stop",
            Self::Other => "what stood in the session's transcript at an earlier stop was changed since",
            Self::Unanswered => "the results of the session's calls were taken out of its transcript",
        }
    }

    /// The fault as evidence: it may send an agent back once a session.
    pub fn evidence(self, ledger: &Ledger) -> Evidence {
        let severity = if ledger.was_told_of_transcript() { Severity::Low } else { Severity::High };
        Evidence {
            id: "transcript".to_owned(),
            kind: Kind::TranscriptChanged,
            severity,
            place: Place::Session,
            text: self.told().to_owned(),
            about: Vec::new(),
            settle: None,
            tries: 0,
        }
    }

    /// What an agent is told where nothing else can be said, because nothing can be read.
    pub fn feedback(self) -> String {
        format!(
            "{} Not done yet.\n- {}\nSo nothing of this session can be held against what ran. Run its checks again, report what they printed, and say plainly what became of the transcript.",
            crate::interrupt::MARK,
            self.told()
        )
    }

    /// The fault as failures are compared.
    pub fn failures(self) -> Failures {
        let all = [format!("{}:", crate::interrupt::kind_name(Kind::TranscriptChanged))].into();
        Failures { all, ..Failures::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_less_or_other_than_it_was_is_a_fault() {
        let known = TranscriptMark { size: 100, answered: 3, ..TranscriptMark::default() };
        for (size, same, calls, answered, fault) in [
            (100, true, 3, 3, None),
            (400, true, 9, 8, None),
            // A conversation may be rolled back by what is appended.
            (150, true, 0, 0, None),
            (150, true, 1, 1, None),
            (0, false, 0, 0, Some(Fault::Emptied)),
            (99, false, 3, 3, Some(Fault::Shorter)),
            (400, false, 9, 8, Some(Fault::Other)),
            (120, true, 3, 0, Some(Fault::Unanswered)),
        ] {
            assert_eq!(Fault::of(&known, size, same, calls, answered), fault, "{size} {calls} {answered}");
        }
        // A file that is written anew each time has no length to hold it to.
        let anew = TranscriptMark { size: 0, ..known };
        assert_eq!(Fault::of(&anew, 50, true, 2, 2), None);
        assert_eq!(Fault::of(&anew, 50, true, 2, 0), Some(Fault::Unanswered));
    }
}
