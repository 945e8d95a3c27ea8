//! Holds a change or a plan against the decisions of its base.

use std::collections::{BTreeMap, BTreeSet};

use super::adr;
use super::base_uses::BaseUses;
use super::change::{Change, LineSide};
use super::contradiction::{decides_for, does_what_was_rejected};
use super::decision::{Decision, DecisionKind, Memory, SourceFile, Violation, ViolationKind};
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
        (&one.file, one.line, one.kind, &one.decision).cmp(&(
            &other.file,
            other.line,
            other.kind,
            &other.decision,
        ))
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
    let mut says = |file: &str, line: u32, text: &str| {
        for decision in binding {
            if decision_is_denied(decision, text) {
                found.insert(violation(decision, ViolationKind::Contradicted, file, line, text));
            }
        }
    };
    for file in &change.files {
        let Some(path) = file.new_path.as_deref() else { continue };
        let added: BTreeMap<u32, &str> = file
            .lines
            .iter()
            .filter(|line| line.side == LineSide::Added)
            .map(|line| (line.new, line.text.as_str()))
            .collect();
        let text = file.text(LineSide::Added);
        if let Some(document) = adr::read(SourceFile { path, text: &text }) {
            if document.decision.standing == super::Standing::Accepted {
                for (line, _) in document.decides.iter().filter(|(line, _)| added.contains_key(line)) {
                    says(path, *line, added[line].trim_start_matches(['#', ' ']));
                }
            }
            continue;
        }
        for decision in
            head.decisions.iter().filter(|decision| decision.file == path && decision.standing.binds())
        {
            for reason in decision.rationale.iter().filter(|reason| added.contains_key(&reason.line)) {
                says(path, reason.line, &reason.text);
            }
            if decision.kind == DecisionKind::Def && added.contains_key(&decision.line) {
                says(path, decision.line, &decision.title);
            }
        }
    }
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
