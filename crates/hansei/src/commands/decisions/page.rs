//! Decisions and violations as a person reads them.

use std::fmt::Write as _;

use hansei_core::decision_memory::{Decision, Memory, Standing, Violation, ViolationKind};

use crate::terminal::{one_line, short};

fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Accepted => "accepted",
        Standing::Rejected => "rejected",
        Standing::Proposed => "proposed, does not bind",
        Standing::Superseded => "superseded, does not bind",
        Standing::Deprecated => "deprecated, does not bind",
    }
}

/// One line a decision.
pub(super) fn list(memory: &Memory) -> String {
    if memory.decisions.is_empty() {
        return "no decisions are written down here\n".to_owned();
    }
    let mut text = String::new();
    for decision in &memory.decisions {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{}  {} ({})",
            one_line(&decision.id),
            short(&decision.title, 80),
            standing(decision.standing)
        );
        let names: Vec<String> = names(decision).map(|name| format!("`{}`", one_line(name))).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "    rejects {}", names.join(", "));
        }
    }
    text
}

fn names(decision: &Decision) -> impl Iterator<Item = &str> {
    decision.rejected.iter().flat_map(|rejection| rejection.names.iter().map(|name| name.text.as_str()))
}

/// All of one decision.
pub(super) fn decision(decision: &Decision) -> String {
    let mut text = format!(
        "{}: {}\n{}:{}, {}\n",
        one_line(&decision.id),
        short(&decision.title, 200),
        one_line(&decision.file),
        decision.line,
        standing(decision.standing)
    );
    for reason in &decision.rationale {
        let _ = writeln!(text, "  because: {}", short(&reason.text, 400));
    }
    for rejection in &decision.rejected {
        let _ = writeln!(text, "  rejected: {}", short(&rejection.text, 400));
    }
    text
}

/// One line a violation.
pub fn violations(found: &[Violation]) -> String {
    if found.is_empty() {
        return "no decision is violated\n".to_owned();
    }
    let mut text = String::new();
    for one in found {
        let what = match one.kind {
            ViolationKind::Reintroduced => "brings back what was rejected",
            ViolationKind::TagRemoved => "takes a decision away",
            ViolationKind::Contradicted => "decides for what was rejected",
        };
        let _ = writeln!(text, "{}:{}: {what} ({})", one_line(&one.file), one.line, one_line(&one.decision));
        let _ = writeln!(text, "    {}", short(&one.text, 160));
    }
    let _ = writeln!(
        text,
        "a decision is lifted only by a document that supersedes it and gives new evidence: `hansei decisions revise`"
    );
    text
}
