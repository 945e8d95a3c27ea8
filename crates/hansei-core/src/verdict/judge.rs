//! From evidence to a verdict: one pure function.

use super::weight::{next, p_complete, weight};
use super::{Autonomy, DecidedBy, Ending, Judgement, Pause, Policy, Severity, Standing, Verdict};
use crate::evidence::{Class, Evidence, Kind, Situation};
use crate::session::is_usage_limit;

/// Evidence below this weight is noted and decides nothing by itself.
const DECISIVE: f64 = 0.3;
/// How an action ends that names both ways out.
pub(crate) const OR_CORRECT: &str = ", or correct that sentence";
/// The most things that are said to be missing.
const MOST: usize = 5;

/// Judges a stop by its evidence.
pub fn judge(situation: &Situation<'_>, evidence: &[Evidence], policy: Policy) -> Judgement {
    let p = p_complete(evidence);
    let blocker = evidence.iter().any(|found| found.severity == Severity::Blocker);
    let complete = p >= 0.5 && !blocker;
    let mut weighed: Vec<(&Evidence, f64)> = evidence
        .iter()
        .map(|found| (found, weight(found, evidence)))
        .filter(|found| found.1 >= DECISIVE)
        .collect();
    weighed.sort_by(|(a, of_a), (b, of_b)| {
        let by_class = a.kind.class().cmp(&b.kind.class());
        by_class.then(b.severity.cmp(&a.severity)).then(of_b.total_cmp(of_a))
    });
    let mut against: Vec<&Evidence> = weighed.into_iter().map(|(found, _)| found).collect();
    // What a claim contradicts is said once, with the claim.
    let claims: Vec<&Evidence> =
        against.iter().filter(|found| found.kind == Kind::ClaimContradicted).copied().collect();
    against.retain(|found| {
        let said = |claim: &&Evidence| claim.place == found.place && claim.text.contains(&found.text);
        found.kind == Kind::ClaimContradicted || !claims.iter().any(said)
    });
    let has = |kind: Kind| against.iter().any(|found| found.kind == kind);
    // Whoever is to go on by itself can decide what it asks; to log in or to pay it cannot.
    let human = has(Kind::HumanOnly) || has(Kind::QuestionAsked) && policy.autonomy == Autonomy::Ask;
    let severity = against.iter().map(|found| found.severity).max().unwrap_or_default();
    let missing = against.iter().filter(|found| !complete && found.kind != Kind::QuestionAsked);
    let missing = missing.take(MOST).map(|found| found.text.clone()).collect();
    let next_actions = if complete { Vec::new() } else { next_actions(&against) };
    let verdict = Verdict {
        complete,
        severity: if complete && severity == Severity::Blocker { Severity::High } else { severity },
        requires_human_action: !complete && human,
        feedback: feedback(complete, &against),
        missing,
        next_actions,
        evidence_ids: against.iter().map(|found| found.id.clone()).collect(),
        decided_by: decided_by(&against),
        confidence: (p.max(1.0 - p) * 100.0).round() / 100.0,
    };
    Judgement {
        standing: standing(situation, &verdict, &against, policy),
        verdict,
        p_complete: (p * 1000.0).round() / 1000.0,
    }
}

fn decided_by(against: &[&Evidence]) -> DecidedBy {
    match against.first() {
        Some(found) if found.kind.class() == Class::Executed => DecidedBy::Executed,
        Some(_) => DecidedBy::Said,
        None => DecidedBy::NothingAgainst,
    }
}

fn standing(situation: &Situation<'_>, verdict: &Verdict, against: &[&Evidence], policy: Policy) -> Standing {
    let has = |kind: Kind| against.iter().any(|found| found.kind == kind);
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
    let executed = against.iter().any(|found| found.kind.class() == Class::Executed);
    if has(Kind::HumanOnly) {
        Standing::Paused(Pause::BlockedOnHuman)
    } else if has(Kind::QuestionAsked)
        || has(Kind::PermissionSought) && !executed && policy.autonomy == Autonomy::Ask
    {
        Standing::Paused(Pause::WaitingForUser)
    } else if has(Kind::BackgroundRunning) && !executed {
        Standing::Paused(Pause::WaitingBackground)
    } else if against.iter().any(|found| found.kind.class() == Class::Loop) {
        Standing::Ended(Ending::Stuck)
    } else {
        Standing::Ended(Ending::Failed)
    }
}

fn feedback(complete: bool, against: &[&Evidence]) -> String {
    let texts: Vec<&str> = against.iter().take(3).map(|found| found.text.as_str()).collect();
    match (complete, texts.is_empty()) {
        (true, true) => "Task complete.".to_owned(),
        (true, false) => format!("Task complete. Worth knowing: {}.", texts.join("; ")),
        (false, true) => "The task does not look complete.".to_owned(),
        (false, false) => format!("Not complete: {}.", texts.join("; ")),
    }
}

fn next_actions(against: &[&Evidence]) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    for found in against {
        let claim = matches!(found.kind, Kind::ClaimContradicted | Kind::ClaimUnsupported);
        let by_itself =
            |command| format!("run `{command}` by itself, so that its own result shows{OR_CORRECT}");
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
