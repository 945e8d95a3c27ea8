//! What is proposed in words, sentence by sentence, held against the decisions. What tells to do something is read like a
//! step of a plan; what only tells how things are goes against a decision where it asks for what that rejects.

use super::change::Change;
use super::check::decision_is_denied;
use super::contradiction::asks;
use super::decision::{Decision, Memory};
use super::revision::{answers_with_evidence, plan_revises};
use super::taking_away::takes_memory_away;

/// What somebody proposes.
#[derive(Debug, Clone, Default)]
pub struct Proposal<'a> {
    /// What is to be done, kept to or looked at.
    pub steps: Vec<&'a str>,
    /// What is thought to be so.
    pub claims: Vec<&'a str>,
    /// What was seen.
    pub facts: Vec<&'a str>,
    /// Whether it may revise a decision, if it names it and says what is known now.
    pub may_revise: bool,
}

/// How a proposal goes against a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// It brings back what this one rejects.
    BringsBack(String),
    /// It takes this one away, which not even a revision does.
    TakesAway(String),
}

impl Proposal<'_> {
    /// The first decision that it goes against, and how.
    pub fn against(&self, memory: &Memory) -> Option<Against> {
        memory.binding().find_map(|decision| {
            let mut said = self.steps.iter().chain(&self.claims).chain(&self.facts);
            if said.any(|text| takes_memory_away(text, decision)) {
                return Some(Against::TakesAway(decision.id.clone()));
            }
            let brings_back = self.brings_back(decision) && !self.revises(decision);
            brings_back.then(|| Against::BringsBack(decision.id.clone()))
        })
    }

    fn brings_back(&self, decision: &Decision) -> bool {
        let told = self.claims.iter().chain(&self.facts).filter(|text| asks(text));
        self.steps.iter().chain(told).any(|text| decision_is_denied(decision, text))
    }

    /// Whether it says which decision it revises, and what is known now that was not known then.
    fn revises(&self, decision: &Decision) -> bool {
        if !self.may_revise {
            return false;
        }
        let all: Vec<&str> = self.steps.iter().chain(&self.claims).chain(&self.facts).copied().collect();
        let names_it = all.iter().any(|text| is_named(decision, text));
        plan_revises(&all.join("\n"), decision) || (names_it && answers_with_evidence(&self.facts, decision))
    }
}

/// Whether a text speaks of the decision itself, and not only of what it rejects.
fn is_named(decision: &Decision, text: &str) -> bool {
    let lower = text.to_lowercase();
    let file = decision.file.rsplit('/').next().unwrap_or_default().to_lowercase();
    let is_of_its_file = !file.is_empty() && lower.contains(&file);
    let speaks_of_one =
        ["decision", "@rejected", "@rationale", "adr", "rejection"].iter().any(|word| lower.contains(word));
    (decision.id.len() >= 4 && lower.contains(&decision.id.to_lowercase()))
        || (is_of_its_file && speaks_of_one)
}

/// A change that a patch of somebody's would make, with the lines around its hunks: the patch is read by its lines and not by
/// the numbers of its headers, which are often wrong. `text_of` gives a file as it is before.
pub fn read_patch(patch: &str, text_of: &dyn Fn(&str) -> Option<String>) -> Option<Change> {
    let placed = super::patch_places::placed(patch, text_of);
    let mut change = Change::read(&placed).ok()?;
    for file in &mut change.files {
        if let Some(text) = file.old_path.as_deref().and_then(text_of) {
            file.complete(&text);
        }
    }
    Some(change)
}
