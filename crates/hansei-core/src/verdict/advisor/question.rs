//! What the advisor is asked: the task, the evidence and a digest of the session, all of it redacted.

use super::digest::{digest, shorten};
use crate::evidence::{Evidence, Kind, Situation};
use crate::verdict::{Autonomy, Severity};

const LONGEST_TASK: usize = 4_000;
const LONGEST_FACT: usize = 400;
const MOST_FACTS: usize = 20;

/// A question to an advisor. It is made only by [`Question::new`], so nothing in it has escaped the redactor.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub(super) task: String,
    pub(super) facts: Vec<Fact>,
    pub(super) digest: String,
    pub(super) autonomy: Autonomy,
}

/// A piece of evidence as the advisor sees it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fact {
    pub(super) kind: Kind,
    pub(super) severity: Severity,
    pub(super) text: String,
}

impl Question {
    /// The question that a stop leaves open. `redact` takes secrets out of a text, and sees every text that goes in.
    pub fn new(
        situation: &Situation<'_>,
        evidence: &[Evidence],
        autonomy: Autonomy,
        redact: &dyn Fn(&str) -> String,
    ) -> Self {
        let facts = evidence.iter().take(MOST_FACTS).map(|fact| Fact {
            kind: fact.kind,
            severity: fact.severity,
            text: shorten(&redact(&fact.text), LONGEST_FACT),
        });
        Self {
            task: shorten(&redact(&situation.request()), LONGEST_TASK),
            facts: facts.collect(),
            digest: digest(situation, redact),
            autonomy,
        }
    }
}
