//! How an opinion counts: it may lower a judgement and fill it in, and it raises nothing.

use super::Opinion;
use crate::evidence::{Class, Evidence};
use crate::verdict::{DecidedBy, Ending, Judgement, Pause, Severity, Standing};

/// Below this, evidence says no by itself; above the other, it says yes.
const SURELY_NOT: f64 = 0.25;
const SURELY: f64 = 0.85;
/// The most items that a verdict lists.
const MOST_ITEMS: usize = 10;

/// Whether evidence leaves a stop open, so that an opinion is worth its price.
pub fn is_open(judgement: &Judgement, evidence: &[Evidence]) -> bool {
    let p = judgement.p_complete;
    p > SURELY_NOT && p < SURELY && !executed_speaks(evidence)
}

/// Weighs an opinion into a judgement.
///
/// A model can lower complete to incomplete and name what is missing. It never raises incomplete to complete: what was
/// executed outranks it, and so does the reading of the agent's own words, which a hostile session could talk a model
/// out of. Where something that was executed decides, it only adds to the lists.
#[must_use]
pub fn combine(judgement: Judgement, opinion: &Opinion, evidence: &[Evidence]) -> Judgement {
    let by_executed = judgement.verdict.decided_by == DecidedBy::Executed || executed_speaks(evidence);
    match (judgement.verdict.complete, opinion.complete) {
        (true, false) if !by_executed => lowered(judgement, opinion),
        (true, true) if !by_executed => agreed(judgement, opinion),
        (false, false) => filled_in(judgement, opinion, by_executed),
        _ => judgement,
    }
}

fn executed_speaks(evidence: &[Evidence]) -> bool {
    evidence.iter().any(|fact| fact.kind.class() == Class::Executed)
}

fn lowered(mut judgement: Judgement, opinion: &Opinion) -> Judgement {
    judgement.p_complete = judgement.p_complete.min(1.0 - opinion.confidence);
    let verdict = &mut judgement.verdict;
    verdict.complete = false;
    verdict.severity = verdict.severity.max(opinion.severity);
    verdict.requires_human_action |= opinion.requires_human_action;
    verdict.feedback.clone_from(&opinion.feedback);
    add(&mut verdict.missing, &opinion.missing);
    add(&mut verdict.next_actions, &opinion.next_actions);
    verdict.decided_by = DecidedBy::Model;
    verdict.confidence = opinion.confidence;
    let awaits_user = verdict.severity == Severity::None && verdict.missing.is_empty();
    judgement.standing = if verdict.requires_human_action {
        Standing::Paused(Pause::BlockedOnHuman)
    } else if awaits_user {
        Standing::Paused(Pause::WaitingForUser)
    } else if judgement.standing == Standing::Ended(Ending::Complete) {
        Standing::Ended(Ending::Failed)
    } else {
        judgement.standing
    };
    judgement
}

/// Both say complete. What the model still remarks goes to the notice; a severity below BLOCKER does not undo it.
fn agreed(mut judgement: Judgement, opinion: &Opinion) -> Judgement {
    let p = judgement.p_complete;
    judgement.p_complete = p.max(p.midpoint(opinion.confidence));
    let verdict = &mut judgement.verdict;
    verdict.severity = verdict.severity.max(opinion.severity);
    if verdict.feedback.is_empty() {
        verdict.feedback.clone_from(&opinion.feedback);
    }
    judgement
}

/// Both say incomplete. Words of the evidence stay as they are.
fn filled_in(mut judgement: Judgement, opinion: &Opinion, by_executed: bool) -> Judgement {
    let verdict = &mut judgement.verdict;
    add(&mut verdict.missing, &opinion.missing);
    add(&mut verdict.next_actions, &opinion.next_actions);
    if verdict.feedback.is_empty() {
        verdict.feedback.clone_from(&opinion.feedback);
    }
    if !by_executed {
        let p = judgement.p_complete;
        judgement.p_complete = p.min(p.midpoint(1.0 - opinion.confidence));
    }
    judgement
}

fn add(list: &mut Vec<String>, more: &[String]) {
    for item in more {
        if list.len() < MOST_ITEMS && !list.contains(item) {
            list.push(item.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Kind, Place};
    use crate::verdict::Verdict;

    fn judgement(complete: bool, decided_by: DecidedBy, p_complete: f64) -> Judgement {
        let verdict = Verdict {
            complete,
            severity: if complete { Severity::None } else { Severity::High },
            requires_human_action: false,
            feedback: if complete { String::new() } else { "`cargo test` exited 101".to_owned() },
            missing: Vec::new(),
            next_actions: Vec::new(),
            evidence_ids: vec!["e1".to_owned()],
            decided_by,
            confidence: 0.6,
        };
        let ending = if complete { Ending::Complete } else { Ending::Failed };
        Judgement { verdict, standing: Standing::Ended(ending), p_complete }
    }

    fn opinion(complete: bool) -> Opinion {
        Opinion {
            complete,
            severity: if complete { Severity::None } else { Severity::Medium },
            requires_human_action: false,
            feedback: if complete { String::new() } else { "Wire the new module up.".to_owned() },
            missing: if complete { Vec::new() } else { vec!["the module is never called".to_owned()] },
            next_actions: Vec::new(),
            confidence: 0.9,
        }
    }

    fn evidence(kind: Kind) -> Vec<Evidence> {
        let text = String::new();
        vec![Evidence {
            id: "e1".to_owned(),
            kind,
            severity: Severity::High,
            place: Place::Session,
            text,
            about: Vec::new(),
            tries: 0,
        }]
    }

    const EXECUTED: [Kind; 10] = [
        Kind::CheckFailed,
        Kind::CheckFailedHidden,
        Kind::CheckStale,
        Kind::CheckMasked,
        Kind::CheckRanNothing,
        Kind::ForbiddenAct,
        Kind::TestsWeakened,
        Kind::GateBypassed,
        Kind::DecisionBroken,
        Kind::ClaimContradicted,
    ];

    #[test]
    fn a_model_never_talks_executed_evidence_away() {
        for kind in EXECUTED {
            let evidence = evidence(kind);
            let before = judgement(false, DecidedBy::Executed, 0.05);
            assert_eq!(combine(before.clone(), &opinion(true), &evidence), before, "{kind:?}");
            let after = combine(before.clone(), &opinion(false), &evidence);
            assert_eq!(after.verdict.feedback, before.verdict.feedback, "{kind:?}");
            assert_eq!((after.verdict.severity, after.p_complete), (Severity::High, 0.05), "{kind:?}");
            assert_eq!(after.verdict.missing, opinion(false).missing, "{kind:?}");
            assert_eq!(after.verdict.decided_by, DecidedBy::Executed, "{kind:?}");
            assert!(!is_open(&judgement(false, DecidedBy::Executed, 0.5), &evidence), "{kind:?}");
        }
    }

    #[test]
    fn a_model_raises_nothing() {
        for (decided_by, evidence) in [
            (DecidedBy::Said, evidence(Kind::OpenTodos)),
            (DecidedBy::Said, evidence(Kind::ClaimUnsupported)),
            (DecidedBy::Executed, Vec::new()),
        ] {
            let before = judgement(false, decided_by, 0.4);
            assert_eq!(combine(before.clone(), &opinion(true), &evidence), before);
        }
    }

    #[test]
    fn a_model_lowers_complete_and_names_what_is_missing() {
        let after = combine(judgement(true, DecidedBy::NothingAgainst, 0.7), &opinion(false), &[]);
        assert!(!after.verdict.complete && after.p_complete < 0.11);
        assert_eq!(after.verdict.decided_by, DecidedBy::Model);
        assert_eq!(after.verdict.severity, Severity::Medium);
        assert_eq!(after.verdict.feedback, "Wire the new module up.");
        assert_eq!(after.verdict.missing, ["the module is never called"]);
        assert_eq!(after.verdict.evidence_ids, ["e1"]);
        assert_eq!(after.standing, Standing::Ended(Ending::Failed));
    }

    #[test]
    fn who_is_to_act_decides_how_a_lowered_stop_stands() {
        let mut human = opinion(false);
        human.requires_human_action = true;
        let after = combine(judgement(true, DecidedBy::NothingAgainst, 0.7), &human, &[]);
        assert_eq!(after.standing, Standing::Paused(Pause::BlockedOnHuman));
        let mut waiting = opinion(false);
        waiting.severity = Severity::None;
        waiting.missing.clear();
        let after = combine(judgement(true, DecidedBy::NothingAgainst, 0.7), &waiting, &[]);
        assert_eq!(after.standing, Standing::Paused(Pause::WaitingForUser));
    }

    #[test]
    fn agreement_only_moves_the_probability() {
        let before = judgement(true, DecidedBy::NothingAgainst, 0.7);
        let after = combine(before.clone(), &opinion(true), &[]);
        assert_eq!(after.verdict, before.verdict);
        assert!((after.p_complete - 0.8).abs() < 1e-9);
        let mut unsure = opinion(true);
        unsure.confidence = 0.1;
        assert!((combine(before, &unsure, &[]).p_complete - 0.7).abs() < 1e-9);
        let after = combine(judgement(false, DecidedBy::Said, 0.4), &opinion(false), &[]);
        assert!((after.p_complete - 0.25).abs() < 1e-9);
        assert_eq!(after.verdict.decided_by, DecidedBy::Said);
    }

    #[test]
    fn only_an_open_stop_is_asked_about() {
        for (p, evidence, open) in [
            (0.5, Vec::new(), true),
            (0.5, evidence(Kind::ClaimUnsupported), true),
            (0.5, evidence(Kind::CheckPassed), true),
            (0.25, Vec::new(), false),
            (0.85, Vec::new(), false),
            (0.5, evidence(Kind::CheckStale), false),
        ] {
            assert_eq!(is_open(&judgement(true, DecidedBy::NothingAgainst, p), &evidence), open, "{p}");
        }
    }
}
