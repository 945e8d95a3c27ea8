//! A formal revision: the only way in which a decision stops to bind. It names the decision and says what is known now that
//! was not known then.

use serde::Serialize;

use super::adr;
use super::change::{Change, LineSide};
use super::decision::{Decision, SourceFile};
use super::file_kind::holds;
use crate::model_text::one_line;

/// Words by which a document says that something is known now.
const EVIDENCE: &[&str] = &[
    "evidence", "measured", "measurement", "benchmark", "incident", "since then", "now supports", "fixed in",
    "no longer", "profil", "outage", "load test", "audit", "released", "changed since", "what changed",
    "as of ", "we found", "showed", "shows that", "data from", "cve-", "latency", "experiment", "results",
    "numbers", "postmortem", "survey", "unmaintained", "end of life", "archived", "grew from",
    "not known then",
];
const REVISING: &[&str] = &["supersede", "supercede", "revise", "replaces", "overturn", "reverses", "lifts"];

/// Whether a change holds a formal revision of a decision: a document that is new, binds, takes its place by name, and
/// gives evidence.
pub(super) fn is_revised(change: &Change, decision: &Decision) -> bool {
    change.files.iter().any(|file| {
        let Some(path) = file.new_path.as_deref() else { return false };
        let added: Vec<&str> = file
            .lines
            .iter()
            .filter(|line| line.side == LineSide::Added)
            .map(|line| line.text.as_str())
            .collect();
        let revises = added.iter().any(|line| revises(line, decision));
        if !revises {
            return false;
        }
        let text = file.text(LineSide::Added);
        let document = adr::read(SourceFile { path, text: &text });
        let is_own = file.old_path.as_deref() == Some(decision.file.as_str())
            && decision.kind == super::DecisionKind::AdrFile;
        let is_document = match &document {
            Some(document) => document.decision.standing == super::Standing::Accepted && !is_own,
            // A block in code may revise too, where it says so in a tag.
            None => {
                added.iter().any(|line| line.contains("[DEF:") && line.to_ascii_uppercase().contains(":ADR]"))
            }
        };
        is_document && gives_evidence(&added)
    })
}

/// Whether a plan is the formal revision of a decision: it says which it supersedes, and by what evidence.
pub(super) fn plan_revises(plan: &str, decision: &Decision) -> bool {
    let lines: Vec<&str> = plan.lines().collect();
    let told = lines.join(" ");
    told.split(". ").any(|sentence| revises(sentence, decision)) && gives_evidence(&lines)
}

/// What somebody likes is no evidence.
const TASTE: &[&str] = &[
    "prefer", " like", "taste", "familiar", "fashion", "popular", "trendy", "knows it", "know it",
    "favourite", "favorite", "fun ",
];

/// Whether a document says what is known now: in words for it, or by telling its context at some length.
fn gives_evidence(lines: &[&str]) -> bool {
    const ENOUGH: usize = 8;
    let told: Vec<String> = lines
        .iter()
        .map(|line| line.to_lowercase())
        .filter(|line| !line.trim_start_matches(['-', '*', ' ']).starts_with("date"))
        .collect();
    let told = told.join("\n");
    if EVIDENCE.iter().any(|word| told.contains(word)) {
        return true;
    }
    let is_taste = TASTE.iter().any(|word| told.contains(word));
    let mut in_context = false;
    let mut words = 0;
    for line in lines {
        let heading = line.trim_start().starts_with('#');
        if heading {
            let lower = line.to_lowercase();
            in_context = ["context", "why", "rationale", "motivation", "problem"]
                .iter()
                .any(|word| lower.contains(word));
        } else if in_context && (!is_taste || counts(line)) {
            words += line.split_whitespace().count();
        }
    }
    words >= ENOUGH
}

/// Whether a line tells what happened, in numbers and not by taste.
fn counts(line: &str) -> bool {
    const NUMBERS: &str = "two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand twice \
        dozen dozens hundreds thousands";
    let lower = line.to_lowercase();
    let numbered = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .any(|word| holds(NUMBERS, word) || !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()));
    numbered && !TASTE.iter().any(|word| lower.contains(word))
}

/// Whether facts say what changed: in words for it, or by one that speaks of what was rejected with a number: a version, a date,
/// a measure.
pub(super) fn answers_with_evidence(facts: &[&str], decision: &Decision) -> bool {
    let names: Vec<String> = decision
        .rejected
        .iter()
        .flat_map(|rejection| &rejection.names)
        .map(|name| name.text.to_lowercase())
        .collect();
    facts.iter().any(|fact| {
        let lower = fact.to_lowercase();
        let speaks_of_it = names.is_empty() || names.iter().any(|name| lower.contains(name));
        let is_measured =
            fact.chars().any(|c| c.is_ascii_digit()) || EVIDENCE.iter().any(|word| lower.contains(word));
        speaks_of_it && is_measured && !TASTE.iter().any(|word| lower.contains(word))
    })
}

/// Whether a line says that it takes the place of a decision.
fn revises(line: &str, decision: &Decision) -> bool {
    let lower = line.to_lowercase();
    let Some(at) = REVISING.iter().filter_map(|word| lower.find(word)).min() else { return false };
    if lower[at..].starts_with("superseded") || lower[at..].starts_with("superceded") {
        return false;
    }
    let behind = line.get(at..).unwrap_or_default();
    let file = decision.file.rsplit('/').next().unwrap_or_default();
    let names = decision.rejected.iter().flat_map(|rejection| &rejection.names);
    adr::references(behind).iter().any(|name| decision.is_called(name))
        || (!file.is_empty() && behind.contains(file))
        || behind.contains(&decision.id)
        || (lower.contains(&decision.id.to_lowercase())
            && decision.id.len() >= 4
            && lower[..at].contains(" to supersede"))
        || names.into_iter().any(|name| behind.contains(&format!("`{}`", name.text)))
}

/// A bounded proposal to revise a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RevisionPacket {
    /// Which decision.
    pub decision: String,
    /// What it says, in a line.
    pub title: String,
    /// Where it is written down.
    pub file: String,
    /// On which line.
    pub line: u32,
    /// What it rejected, in its words.
    pub rejected: Vec<String>,
    /// Why, in its words.
    pub rationale: Vec<String>,
    /// What is known now.
    pub new_evidence: Vec<String>,
    /// What would be allowed that is not.
    pub would_change: Vec<String>,
}

/// A revision needs evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a decision is revised by evidence, and there is none: say what is known now that was not known then"
)]
pub struct NoEvidence;

const MOST_ITEMS: usize = 8;
const LONGEST_ITEM: usize = 400;

/// The packet that proposes to revise a decision by `evidence`.
pub fn revise(decision: &Decision, evidence: &[String]) -> Result<RevisionPacket, NoEvidence> {
    let bounded = |items: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        items
            .map(|item| one_line(item, LONGEST_ITEM))
            .filter(|item| !item.is_empty())
            .take(MOST_ITEMS)
            .collect()
    };
    let new_evidence = bounded(&mut evidence.iter().map(String::as_str));
    if !new_evidence.iter().any(|item| item.split_whitespace().count() >= 3) {
        return Err(NoEvidence);
    }
    let names = decision.rejected.iter().flat_map(|rejection| rejection.names.iter());
    let would_change =
        names.map(|name| format!("`{}` could be used again", name.text)).take(MOST_ITEMS).collect();
    Ok(RevisionPacket {
        decision: decision.id.clone(),
        title: decision.title.clone(),
        file: decision.file.clone(),
        line: decision.line,
        rejected: bounded(&mut decision.rejected.iter().map(|rejection| rejection.text.as_str())),
        rationale: bounded(&mut decision.rationale.iter().map(|reason| reason.text.as_str())),
        new_evidence,
        would_change,
    })
}

impl RevisionPacket {
    /// The packet as the draft of a document. It is proposed; nothing is lifted before somebody accepts it.
    pub fn text(&self) -> String {
        let list = |items: &[String]| match items {
            [] => "- nothing is on record\n".to_owned(),
            items => items.iter().flat_map(|item| ["- ", item, "\n"]).collect(),
        };
        format!(
            "# Revise {}: {}\n\n## Status\n\nproposed\n\nSupersedes {} ({}:{})\n\n## What it rejected\n\n{}\n## Why\n\n{}\n## New evidence\n\n{}\n## What would change\n\n{}",
            self.decision,
            self.title,
            self.decision,
            self.file,
            self.line,
            list(&self.rejected),
            list(&self.rationale),
            list(&self.new_evidence),
            list(&self.would_change),
        )
    }
}
