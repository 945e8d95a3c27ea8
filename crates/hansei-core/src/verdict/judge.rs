//! From evidence to a verdict: one pure function.

use super::weight::{next, p_complete, weight};
use super::{DecidedBy, Ending, Judgement, Pause, Policy, Severity, Standing, Verdict};
use crate::evidence::{Class, Evidence, Kind, Situation};
use crate::session::is_usage_limit;

/// Evidence below this weight is noted and decides nothing by itself.
const DECISIVE: f64 = 0.3;
/// The most things that are said to be missing.
const MOST: usize = 5;

/// Judges a stop by its evidence.
pub fn judge(situation: &Situation<'_>, evidence: &[Evidence], policy: Policy) -> Judgement {
    let p = p_complete(evidence);
    let blocker = evidence.iter().any(|found| found.severity == Severity::Blocker);
    let complete = p >= 0.5 && !blocker;
    let mut against: Vec<(&Evidence, f64)> = evidence
        .iter()
        .map(|found| (found, weight(found, evidence)))
        .filter(|(_, weight)| *weight >= DECISIVE)
        .collect();
    against.sort_by(|a, b| {
        class_rank(a.0).cmp(&class_rank(b.0)).then(b.0.severity.cmp(&a.0.severity)).then(b.1.total_cmp(&a.1))
    });
    // What a claim contradicts is said once, with the claim.
    let contradicted: Vec<&Evidence> = against
        .iter()
        .map(|(found, _)| *found)
        .filter(|found| found.kind == Kind::ClaimContradicted)
        .collect();
    against.retain(|(found, _)| {
        found.kind == Kind::ClaimContradicted
            || !contradicted
                .iter()
                .any(|claim| claim.place == found.place && claim.text.contains(&found.text))
    });
    let has = |kind: Kind| against.iter().any(|(found, _)| found.kind == kind);
    // Whoever is to go on by itself can decide what it asks; to log in or to pay it cannot.
    let human = has(Kind::HumanOnly) || has(Kind::QuestionAsked) && policy.autonomy == super::Autonomy::Ask;
    let severity = against.iter().map(|(found, _)| found.severity).max().unwrap_or_default();
    let waits_only = against.iter().all(|(found, _)| matches!(found.kind, Kind::QuestionAsked));
    let missing: Vec<String> = if complete || waits_only {
        Vec::new()
    } else {
        against
            .iter()
            .filter(|(found, _)| found.kind != Kind::QuestionAsked)
            .take(MOST)
            .map(|(found, _)| found.text.clone())
            .collect()
    };
    let next_actions = if complete { Vec::new() } else { next_actions(&against) };
    let verdict = Verdict {
        complete,
        severity: if complete && severity == Severity::Blocker { Severity::High } else { severity },
        requires_human_action: !complete && human,
        feedback: feedback(complete, &against),
        missing,
        next_actions,
        evidence_ids: against.iter().map(|(found, _)| found.id.clone()).collect(),
        decided_by: decided_by(&against),
        confidence: (p.max(1.0 - p) * 100.0).round() / 100.0,
    };
    Judgement {
        standing: standing(situation, &verdict, &against, policy),
        verdict,
        p_complete: (p * 1000.0).round() / 1000.0,
    }
}

fn class_rank(found: &Evidence) -> u8 {
    match found.kind.class() {
        Class::Executed => 0,
        Class::Said => 1,
        Class::Loop => 2,
        Class::Circumstance => 3,
    }
}

fn decided_by(against: &[(&Evidence, f64)]) -> DecidedBy {
    match against.first() {
        Some((found, _)) if found.kind.class() == Class::Executed => DecidedBy::Executed,
        Some(_) => DecidedBy::Said,
        None => DecidedBy::NothingAgainst,
    }
}

fn standing(
    situation: &Situation<'_>,
    verdict: &Verdict,
    against: &[(&Evidence, f64)],
    policy: Policy,
) -> Standing {
    let has = |kind: Kind| against.iter().any(|(found, _)| found.kind == kind);
    let turn = situation.turn();
    if turn.is_some_and(|turn| turn.aborted) {
        return Standing::Ended(Ending::Aborted);
    }
    if let Some(error) = turn.and_then(|turn| turn.failed.as_deref()) {
        return Standing::Ended(if is_usage_limit(error) { Ending::UsageLimit } else { Ending::Failed });
    }
    if verdict.complete {
        return Standing::Ended(Ending::Complete);
    }
    let executed = against.iter().any(|(found, _)| found.kind.class() == Class::Executed);
    if has(Kind::HumanOnly) {
        Standing::Paused(Pause::BlockedOnHuman)
    } else if has(Kind::QuestionAsked)
        || has(Kind::PermissionSought) && !executed && policy.autonomy == super::Autonomy::Ask
    {
        Standing::Paused(Pause::WaitingForUser)
    } else if has(Kind::BackgroundRunning) && !executed {
        Standing::Paused(Pause::WaitingBackground)
    } else if against.iter().any(|(found, _)| found.kind.class() == Class::Loop) {
        Standing::Ended(Ending::Stuck)
    } else {
        Standing::Ended(Ending::Failed)
    }
}

fn feedback(complete: bool, against: &[(&Evidence, f64)]) -> String {
    let texts: Vec<&str> = against.iter().take(3).map(|(found, _)| found.text.as_str()).collect();
    match (complete, texts.is_empty()) {
        (true, true) => "Task complete.".to_owned(),
        (true, false) => format!("Task complete. Worth knowing: {}.", texts.join("; ")),
        (false, true) => "The task does not look complete.".to_owned(),
        (false, false) => format!("Not complete: {}.", texts.join("; ")),
    }
}

fn next_actions(against: &[(&Evidence, f64)]) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    for (found, _) in against {
        let claim = matches!(found.kind, Kind::ClaimContradicted | Kind::ClaimUnsupported);
        let by_itself = |command| {
            format!("run `{command}` by itself, so that its own result shows, or correct that sentence")
        };
        let settled = found.settle.as_ref().filter(|_| claim).map(by_itself);
        let action = settled.or_else(|| next(found.kind).map(str::to_owned));
        actions.extend(action.filter(|action| !actions.contains(action)));
    }
    actions.truncate(MOST);
    actions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::gather;
    use crate::evidence::shorthand::Tale;
    use crate::verdict::Autonomy::{Ask, Auto};

    #[test]
    fn only_what_nobody_else_can_do_requires_a_human() {
        let ways = "There are two ways to fix this: remove the callback, or remove the call. Which one do you prefer?";
        let login =
            "I cannot go on: the deployment needs you to log in to the console with your own account.";
        for (words, autonomy, human) in
            [(ways, Ask, true), (ways, Auto, false), (login, Ask, true), (login, Auto, true)]
        {
            let tale =
                Tale::of("Fix the e-mails that go out twice, and deploy.").edits("app/user.rb").said(words);
            let verdict = tale.ask(|situation| {
                judge(situation, &gather(situation), Policy { attended: false, autonomy }).verdict
            });
            assert_eq!(
                (verdict.complete, verdict.requires_human_action),
                (false, human),
                "{words} {autonomy:?}"
            );
        }
    }
}
