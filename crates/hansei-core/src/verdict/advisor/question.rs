//! What the advisor is asked: the task, the project's own rules, the evidence and a digest of the session, all of it
//! redacted.

use super::digest::{digest, shorten};
use crate::evidence::{Evidence, Instructions, Kind, Situation};
use crate::verdict::{Autonomy, Severity};

const LONGEST_TASK: usize = 4_000;
const LONGEST_RULES: usize = 4_000;
const LONGEST_FACT: usize = 400;
const MOST_FACTS: usize = 20;

/// A question to an advisor. It is made only by [`Question::new`] and [`Question::under`], so nothing in it has escaped the redactor.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub(super) task: String,
    /// What the project asks of every agent, each line quoted; empty where it asks for nothing.
    pub(super) rules: String,
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
            rules: String::new(),
            facts: facts.collect(),
            digest: digest(situation, redact),
            autonomy,
        }
    }

    /// The same question under the project's own instructions, as far as the agent read them.
    #[must_use]
    pub fn under(mut self, read: &[&Instructions], redact: &dyn Fn(&str) -> String) -> Self {
        let texts = read.iter().map(|one| format!("{}:\n{}", one.file, redact(&one.text).trim()));
        // A mark before each line: a file can be written to look like a prompt.
        let lines: Vec<String> =
            texts.flat_map(|text| text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>()).collect();
        self.rules = shorten(&lines.join("\n"), LONGEST_RULES);
        self
    }
}
