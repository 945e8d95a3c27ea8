//! Holds a change or a plan against the decisions of its base.

use std::collections::{BTreeMap, BTreeSet};

use super::adr;
use super::base_uses::BaseUses;
use super::change::{Change, LineSide};
use super::contradiction::{decides_for, does_what_was_rejected};
use super::decision::{Decision, DecisionKind, Memory, Reason, SourceFile, Violation, ViolationKind};
use super::paragraphs::{Paragraph, paragraphs};
use super::plan::steps;
use super::reintroduced::reintroduced;
use super::removed::removed;
use super::revision::{is_revised, plan_revises};
use super::taking_away::takes_memory_away;
use crate::model_text::one_line;

const LONGEST_TEXT: usize = 200;
const MOST_VIOLATIONS: usize = 1_000;

/// What a change does against the decisions of its base, in the order of files and lines.
pub fn check_change(base: &Memory, change: &Change, already: &BaseUses) -> Vec<Violation> {
    let binding: Vec<&Decision> = base.binding().filter(|decision| !is_revised(change, decision)).collect();
    let texts: Vec<(String, String)> = change
        .files
        .iter()
        .filter_map(|file| Some((file.new_path.clone()?, file.text(LineSide::Added))))
        .collect();
    let head = Memory::of(texts.iter().map(|(path, text)| SourceFile { path, text }));
    let mut found = BTreeSet::new();
    reintroduced(&binding, change, already, &mut found);
    for decision in &binding {
        removed(decision, change, base, &head, &mut found);
    }
    contradicted(&binding, change, &head, &mut found);
    let mut found: Vec<Violation> = found.into_iter().collect();
    found.sort_by(|one, other| {
        (&one.file, one.line, one.kind, &one.decision)
            .cmp(&(&other.file, other.line, other.kind, &other.decision))
    });
    found.truncate(MOST_VIOLATIONS);
    found
}

pub(super) fn violation(
    decision: &Decision,
    kind: ViolationKind,
    file: &str,
    line: u32,
    text: &str,
) -> Violation {
    Violation {
        decision: decision.id.clone(),
        kind,
        file: file.to_owned(),
        line,
        text: one_line(text, LONGEST_TEXT),
    }
}

fn contradicted(binding: &[&Decision], change: &Change, head: &Memory, found: &mut BTreeSet<Violation>) {
    for file in &change.files {
        let Some(path) = file.new_path.as_deref() else { continue };
        let added: BTreeMap<u32, &str> = file
            .lines
            .iter()
            .filter(|line| line.side == LineSide::Added)
            .map(|line| (line.new, line.text.as_str()))
            .collect();
        for said in said_in(path, &file.text(LineSide::Added), head) {
            for decision in binding.iter().filter(|decision| decision_is_denied(decision, &said.text)) {
                let Some((line, text)) = line_of(&said, decision, &added) else { continue };
                let text = text.trim_start_matches(['#', ' ']);
                found.insert(violation(decision, ViolationKind::Contradicted, path, line, text));
            }
        }
    }
}

/// What the decisions of a file say that was decided, and why.
fn said_in(path: &str, text: &str, head: &Memory) -> Vec<Paragraph> {
    if let Some(document) = adr::read(SourceFile { path, text }) {
        let decides = document.decides.iter().map(|(line, text)| (*line, text.as_str()));
        let is_accepted = document.decision.standing == super::Standing::Accepted;
        return if is_accepted { paragraphs(decides) } else { Vec::new() };
    }
    let mut said = Vec::new();
    let here = head.decisions.iter().filter(|decision| decision.file == path && decision.standing.binds());
    for decision in here {
        let alone = |reason: &Reason| Paragraph { lines: vec![reason.line], text: reason.text.clone() };
        said.extend(decision.rationale.iter().map(alone));
        said.extend(paragraphs(decision.decided.iter().map(|said| (said.line, said.text.as_str()))));
        if decision.kind == DecisionKind::Def {
            said.push(Paragraph { lines: vec![decision.line], text: decision.title.clone() });
        }
    }
    said
}

/// The new line of a paragraph that speaks of what a decision rejects; any new one where the rejection has no names.
fn line_of<'a>(
    said: &Paragraph,
    decision: &Decision,
    added: &BTreeMap<u32, &'a str>,
) -> Option<(u32, &'a str)> {
    let names = || decision.rejected.iter().flat_map(|rejection| &rejection.names);
    let mut lines = said.lines.iter().filter_map(|line| added.get(line).map(|text| (*line, *text)));
    let speaks = |text: &str| {
        let lower = text.to_lowercase();
        names().any(|name| {
            let first = name.text.to_lowercase();
            lower.contains(first.split('-').next().unwrap_or_default())
        })
    };
    if said.lines.len() == 1 || decision.rejected.iter().any(|rejection| rejection.names.is_empty()) {
        return lines.next();
    }
    lines.find(|(_, text)| speaks(text))
}

/// Whether a sentence decides for what a decision rejects.
pub(super) fn decision_is_denied(decision: &Decision, text: &str) -> bool {
    decision.rejected.iter().any(|rejection| {
        rejection.names.iter().any(|name| decides_for(text, name))
            || (rejection.names.is_empty() && does_what_was_rejected(text, &rejection.text))
    })
}

/// The decision that a proposal in words would go against, by its id.
pub fn rejected_by(memory: &Memory, proposal: &str) -> Option<String> {
    let denied = |decision: &&Decision| {
        decision_is_denied(decision, proposal) || takes_memory_away(proposal, decision)
    };
    memory.binding().find(denied).map(|decision| decision.id.clone())
}

/// What a plan would do against the decisions. The plan is text: Markdown, YAML, a list.
pub fn check_plan(memory: &Memory, file: &str, plan: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    let binding: Vec<&Decision> = memory.binding().filter(|decision| !plan_revises(plan, decision)).collect();
    for step in steps(plan) {
        for decision in &binding {
            if let Some((number, line)) = step.goes_against(decision) {
                found.push(violation(decision, ViolationKind::Contradicted, file, number, line));
            }
        }
        if found.len() >= MOST_VIOLATIONS {
            break;
        }
    }
    found
}
