//! How much a piece of evidence speaks against a task being complete. Evidence of one kind counts once; independent kinds multiply.

use crate::evidence::{Evidence, Kind};

use super::Severity;

/// The share of tasks that are not complete although nothing speaks against it.
const UNSEEN: f64 = 0.06;

/// The probability that a task is complete, given what was found.
pub(super) fn p_complete(evidence: &[Evidence]) -> f64 {
    let mut kinds: Vec<(Kind, f64)> = Vec::new();
    for found in evidence {
        let weight = weight(found, evidence);
        match kinds.iter_mut().find(|(kind, _)| *kind == found.kind) {
            Some((_, known)) => *known = known.max(weight),
            None => kinds.push((found.kind, weight)),
        }
    }
    kinds.iter().fold(1.0 - UNSEEN, |p, (_, weight)| p * (1.0 - weight))
}

/// How much `found` speaks against the task being complete, beside everything else that was found.
#[allow(clippy::match_same_arms, reason = "a table: each row is a figure of its own")]
pub(super) fn weight(found: &Evidence, evidence: &[Evidence]) -> f64 {
    let has = |kind: Kind| evidence.iter().any(|other| other.kind == kind);
    let no_code_due = has(Kind::NoCodeDue);
    let green = has(Kind::CheckPassed);
    let own = match found.kind {
        Kind::CheckFailed => 0.95,
        Kind::CheckFailedHidden => 0.93,
        Kind::ClaimContradicted => 0.88,
        Kind::ForbiddenAct | Kind::TestsWeakened | Kind::GateBypassed => 0.88,
        Kind::DecisionBroken => 0.8,
        Kind::TranscriptChanged => 0.7,
        Kind::CheckStale => {
            if green || has(Kind::RedBefore) {
                0.1
            } else {
                0.45
            }
        }
        Kind::CheckMasked if has(Kind::RedBefore) => 0.1,
        Kind::CheckMasked => {
            if green {
                0.05
            } else {
                0.4
            }
        }
        Kind::CheckRanNothing => {
            if green {
                0.05
            } else {
                0.6
            }
        }
        Kind::CheckDemanded => 0.65,
        Kind::ToolErrorUnanswered => 0.6,
        Kind::BackgroundRunning => by_severity(found.severity, 0.55, 0.6, 0.6),
        Kind::ClaimUnsupported => by_severity(found.severity, 0.35, 0.7, 0.85),
        Kind::FailureAdmitted => by_severity(found.severity, 0.5, 0.6, 0.9),
        Kind::FailureDismissed => by_severity(found.severity, 0.3, 0.65, 0.8),
        Kind::WorkRemaining => {
            if green {
                0.55
            } else {
                0.7
            }
        }
        Kind::WorkAnnounced => {
            if green {
                0.6
            } else {
                0.85
            }
        }
        Kind::OpenTodos => by_severity(found.severity, 0.35, 0.7, 0.8),
        Kind::Placeholder | Kind::PartMissing => 0.7,
        Kind::MessageCutOff | Kind::PlanOnly | Kind::PivotIgnored => 0.85,
        Kind::MessageEmpty => by_severity(found.severity, 0.45, 0.85, 0.9),
        Kind::NothingDone => by_severity(found.severity, 0.6, 0.6, 0.8),
        Kind::Delegated => by_severity(found.severity, 0.35, 0.7, 0.8),
        Kind::HumanOnly => 0.85,
        Kind::QuestionAsked => 0.75,
        Kind::PermissionSought => 0.8,
        Kind::WarningsLeft => 0.75,
        Kind::LoopRepeated
        | Kind::LoopCycle
        | Kind::LoopErrors
        | Kind::LoopNoAction
        | Kind::LoopMonologue => 0.6,
        Kind::CheckPassed | Kind::RedBefore | Kind::NoCodeDue => 0.0,
    };
    // Where no code is due, what is said about code is the subject and not the state of the work.
    let about_code = matches!(
        found.kind,
        Kind::CheckFailed
            | Kind::CheckFailedHidden
            | Kind::CheckStale
            | Kind::CheckMasked
            | Kind::CheckRanNothing
            | Kind::CheckDemanded
            | Kind::ClaimUnsupported
            | Kind::ClaimContradicted
            | Kind::FailureAdmitted
            | Kind::FailureDismissed
            | Kind::WorkRemaining
            | Kind::Placeholder
            | Kind::PartMissing
            | Kind::PermissionSought
            | Kind::Delegated
            | Kind::ToolErrorUnanswered
            | Kind::NothingDone
            | Kind::PlanOnly
    );
    // What was never tried is as undone where an answer is due as anywhere else.
    let untried = found.kind == Kind::NothingDone && found.severity >= Severity::High;
    if no_code_due && about_code && !untried { own * 0.2 } else { own }
}

fn by_severity(severity: Severity, low: f64, medium: f64, high: f64) -> f64 {
    match severity {
        Severity::None | Severity::Low => low,
        Severity::Medium => medium,
        Severity::High | Severity::Blocker => high,
    }
}
