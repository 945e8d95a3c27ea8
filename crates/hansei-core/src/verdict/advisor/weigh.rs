//! How an opinion counts: it may lower a judgement and fill it in, and it raises nothing.

use super::Opinion;
use crate::evidence::{Class, Evidence, Situation, Speech};
use crate::verdict::{DecidedBy, Ending, Judgement, Pause, Severity, Standing};

/// Below this, evidence says no by itself; above the other, it says yes.
const SURELY_NOT: f64 = 0.25;
const SURELY: f64 = 0.85;
/// The most items that a verdict lists.
const MOST_ITEMS: usize = 10;
/// What a blocker without a word says.
const UNNAMED_RISK: &str =
    "the judge's model sees a risk to security, data or production, and does not name it";

/// Whether evidence leaves a stop open, so that an opinion is worth its price. Of work that is told in words which we do
/// not read, evidence says too little to be sure that it is done.
pub fn is_open(situation: &Situation<'_>, judgement: &Judgement, evidence: &[Evidence]) -> bool {
    let p = judgement.p_complete;
    let is_unread = || {
        let words = [situation.request(), situation.last_words()];
        !situation.task_calls().is_empty() && words.iter().any(|words| !Speech::read(words).understood)
    };
    p > SURELY_NOT && !executed_speaks(evidence) && (p < SURELY || is_unread())
}

/// Weighs an opinion into a judgement.
///
/// A model can lower complete to incomplete, name what is missing, and say that the human is next. It never raises
/// incomplete to complete: what was executed outranks it, and so does the reading of the agent's own words, which a
/// hostile session could talk a model out of. Where something that was executed decides, it only adds to the lists; but a
/// risk to security, data or production that it sees makes any stop incomplete.
#[must_use]
pub fn combine(judgement: Judgement, opinion: &Opinion, evidence: &[Evidence]) -> Judgement {
    let by_executed = judgement.verdict.decided_by == DecidedBy::Executed || executed_speaks(evidence);
    match (judgement.verdict.complete, opinion.complete) {
        _ if opinion.severity == Severity::Blocker => blocked(judgement, opinion, by_executed),
        _ if opinion.awaits_user() && !by_executed => lowered(judgement, opinion),
        (true, false) if !by_executed => lowered(judgement, opinion),
        (true, true) if !by_executed => agreed(judgement, opinion),
        (false, false) => filled_in(judgement, opinion, by_executed),
        _ => judgement,
    }
}

fn executed_speaks(evidence: &[Evidence]) -> bool {
    evidence.iter().any(|fact| fact.kind.class() == Class::Executed)
}

/// The worst level: it stands in front of all that was found, in the model's own words.
fn blocked(judgement: Judgement, opinion: &Opinion, by_executed: bool) -> Judgement {
    let ours = judgement.verdict.clone();
    let said = if opinion.feedback.is_empty() { opinion.missing.first().cloned() } else { None };
    let said = said.unwrap_or_else(|| opinion.feedback.clone());
    let said = if said.is_empty() { UNNAMED_RISK.to_owned() } else { said };
    let mut judgement = lowered(judgement, opinion);
    let verdict = &mut judgement.verdict;
    verdict.missing = vec![said.clone()];
    add(&mut verdict.missing, &opinion.missing);
    add(&mut verdict.missing, &ours.missing);
    verdict.feedback = said;
    if by_executed && !ours.complete {
        verdict.decided_by = ours.decided_by;
    }
    judgement
}

fn lowered(mut judgement: Judgement, opinion: &Opinion) -> Judgement {
    judgement.p_complete = judgement.p_complete.min(1.0 - opinion.confidence);
    let verdict = &mut judgement.verdict;
    verdict.complete = false;
    if opinion.awaits_user() {
        // Notes of our own are no reason to drive on an agent that waits. They stay among the evidence.
        verdict.severity = Severity::None;
        verdict.missing.clear();
        verdict.next_actions.clear();
    }
    verdict.severity = verdict.severity.max(opinion.severity);
    verdict.requires_human_action |= opinion.requires_human_action;
    verdict.feedback.clone_from(&opinion.feedback);
    add(&mut verdict.missing, &opinion.missing);
    add(&mut verdict.next_actions, &opinion.next_actions);
    verdict.decided_by = DecidedBy::Model;
    verdict.confidence = opinion.confidence;
    judgement.standing = if verdict.requires_human_action {
        Standing::Paused(Pause::BlockedOnHuman)
    } else if opinion.awaits_user() {
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
    use serde_json::Value;

    use crate::evidence::{Kind, Place};
    use crate::session::{Action, HumanVia, Session, SessionEvent, What};
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
            settle: None,
            tries: 0,
        }]
    }

    const EXECUTED: [Kind; 11] = [
        Kind::CheckFailed,
        Kind::CheckFailedHidden,
        Kind::CheckStale,
        Kind::CheckMasked,
        Kind::CheckRanNothing,
        Kind::ForbiddenAct,
        Kind::TestsWeakened,
        Kind::GateBypassed,
        Kind::DecisionBroken,
        Kind::TranscriptChanged,
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
            let session = session("Fix it.", "Done.");
            let open =
                is_open(&Situation::of(&session), &judgement(false, DecidedBy::Executed, 0.5), &evidence);
            assert!(!open, "{kind:?}");
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
    fn who_waits_for_the_user_is_not_driven_on_by_notes_but_by_what_was_executed() {
        let mut waiting = opinion(false);
        (waiting.severity, waiting.missing, waiting.next_actions) = (Severity::None, Vec::new(), Vec::new());
        for (complete, decided_by, severity, kind, waits) in [
            (true, DecidedBy::NothingAgainst, Severity::None, Kind::CheckPassed, true),
            (true, DecidedBy::Said, Severity::Low, Kind::ClaimUnsupported, true),
            (true, DecidedBy::Said, Severity::Medium, Kind::WorkRemaining, true),
            (false, DecidedBy::Said, Severity::Medium, Kind::OpenTodos, true),
            (false, DecidedBy::Executed, Severity::High, Kind::CheckFailed, false),
            (true, DecidedBy::Executed, Severity::Low, Kind::CheckStale, false),
        ] {
            let mut before = judgement(complete, decided_by, 0.4);
            before.verdict.severity = severity;
            if !complete {
                before.verdict.missing = vec!["ours".to_owned()];
            }
            let after = combine(before, &waiting, &evidence(kind));
            let is_waiting = (after.verdict.severity, after.verdict.missing.is_empty(), after.standing)
                == (Severity::None, true, Standing::Paused(Pause::WaitingForUser));
            assert_eq!(is_waiting, waits, "{kind:?}: {after:?}");
            assert!(!after.verdict.complete || !waits, "{kind:?}");
        }
    }

    #[test]
    fn a_blocker_stands_in_front_of_everything() {
        let said = "The key is in the file.";
        let mut risk = opinion(false);
        (risk.severity, risk.feedback) = (Severity::Blocker, said.to_owned());
        for (complete, decided_by, kind, after_by) in [
            (true, DecidedBy::NothingAgainst, Kind::CheckPassed, DecidedBy::Model),
            (true, DecidedBy::Said, Kind::ClaimUnsupported, DecidedBy::Model),
            (true, DecidedBy::Executed, Kind::CheckStale, DecidedBy::Model),
            (false, DecidedBy::Said, Kind::OpenTodos, DecidedBy::Model),
            (false, DecidedBy::Executed, Kind::CheckFailed, DecidedBy::Executed),
        ] {
            let mut before = judgement(complete, decided_by, 0.4);
            if !complete {
                before.verdict.missing = vec!["ours".to_owned()];
            }
            let ours = before.verdict.missing.clone();
            let verdict = combine(before, &risk, &evidence(kind)).verdict;
            assert_eq!((verdict.complete, verdict.severity), (false, Severity::Blocker), "{kind:?}");
            assert_eq!((verdict.feedback.as_str(), verdict.decided_by), (said, after_by), "{kind:?}");
            assert_eq!(verdict.missing[..2], [said, "the module is never called"], "{kind:?}");
            assert_eq!(verdict.missing[2..], ours, "{kind:?}");
        }
        // Whatever it says beside the level, and if it says nothing.
        (risk.complete, risk.feedback) = (true, String::new());
        risk.missing.clear();
        let verdict = combine(judgement(true, DecidedBy::NothingAgainst, 0.7), &risk, &[]).verdict;
        assert_eq!(
            (verdict.complete, verdict.missing.as_slice()),
            (false, [UNNAMED_RISK.to_owned()].as_slice())
        );
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

    /// A session in which something was done.
    fn session(request: &str, words: &str) -> Session {
        let action = Action::Run { command: "ls".to_owned(), background: false };
        let called = What::Called { call: "c".into(), tool: "shell".into(), input: Value::Null, action };
        let asked = What::HumanSaid { text: request.to_owned(), via: HumanVia::Prompt };
        let event = |what| SessionEvent { at: None, id: None, what };
        Session::fold(&[asked, called, What::Said { text: words.to_owned() }, What::Stopped].map(event))
    }

    #[test]
    fn only_an_open_stop_is_asked_about() {
        let english = ("Fix the parser.", "I fixed the parser.");
        let german =
            "Ich habe den Fehler im Parser behoben, und alle Tests laufen jetzt wieder ohne Probleme durch.";
        let spanish =
            "Corrige el error del analizador, y después ejecuta todas las pruebas del proyecto una vez más.";
        for ((request, words), p, evidence, open) in [
            (english, 0.5, Vec::new(), true),
            (english, 0.5, evidence(Kind::ClaimUnsupported), true),
            (english, 0.5, evidence(Kind::CheckPassed), true),
            (english, 0.25, Vec::new(), false),
            (english, 0.85, Vec::new(), false),
            (english, 0.5, evidence(Kind::CheckStale), false),
            (("Fix the parser.", german), 0.94, Vec::new(), true),
            ((spanish, "Listo."), 0.94, evidence(Kind::CheckPassed), true),
            (("Fix the parser.", german), 0.25, Vec::new(), false),
            (("Fix the parser.", german), 0.94, evidence(Kind::CheckFailed), false),
        ] {
            let session = session(request, words);
            let judgement = judgement(true, DecidedBy::NothingAgainst, p);
            let is_asked = is_open(&Situation::of(&session), &judgement, &evidence);
            assert_eq!(is_asked, open, "{request} {words} {p}");
        }
        // A chat is not worth it.
        let chat = What::HumanSaid { text: german.to_owned(), via: HumanVia::Prompt };
        let chat = Session::fold(&[SessionEvent { at: None, id: None, what: chat }]);
        assert!(!is_open(&Situation::of(&chat), &judgement(true, DecidedBy::NothingAgainst, 0.94), &[]));
    }
}
