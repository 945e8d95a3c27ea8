//! DESIGN's table of when an agent may be interrupted.

use super::*;

fn with(evidence: &[Evidence], rules: &Rules) -> Action {
    decide(&stop("s", "m"), &Ledger::default(), &verdict(false, Severity::High), evidence, rules).action
}

#[test]
fn attended_only_what_was_executed_counts() {
    use Kind::{
        CheckDemanded, CheckFailed, CheckFailedHidden, CheckMasked, CheckRanNothing, CheckStale,
        ClaimContradicted, ClaimUnsupported, DecisionBroken, FailureAdmitted, ForbiddenAct, GateBypassed,
        LoopRepeated, OpenTodos, PermissionSought, TestsWeakened, TranscriptChanged, WorkAnnounced,
    };
    for (kinds, attended_sends, unattended_sends) in [
        (&[CheckFailed][..], true, true),
        (&[CheckFailedHidden], true, true),
        (&[ForbiddenAct], true, true),
        (&[TestsWeakened], true, true),
        (&[GateBypassed], true, true),
        (&[DecisionBroken], false, true),
        (&[TranscriptChanged], false, true),
        (&[CheckStale], false, false),
        (&[CheckStale, ClaimContradicted], true, true),
        (&[ClaimContradicted], true, true),
        (&[CheckMasked], false, false),
        (&[CheckRanNothing], false, true),
        (&[CheckDemanded], false, true),
        (&[OpenTodos], false, true),
        (&[WorkAnnounced], false, true),
        (&[ClaimUnsupported], false, true),
        (&[FailureAdmitted], false, true),
        (&[PermissionSought], false, true),
        (&[LoopRepeated], false, false),
        (&[Kind::HumanOnly], false, false),
    ] {
        let evidence: Vec<Evidence> = kinds.iter().map(|kind| found(*kind, &["x"])).collect();
        assert_eq!(is_send_back(&with(&evidence, &attended())), attended_sends, "attended {kinds:?}");
        assert_eq!(is_send_back(&with(&evidence, &unattended())), unattended_sends, "unattended {kinds:?}");
    }
    let asks = Rules { policy: Policy { attended: false, autonomy: Autonomy::Ask }, ..attended() };
    assert_eq!(with(&[found(PermissionSought, &[])], &asks), Action::LetStop(Why::NotEnough));
}

#[test]
fn what_was_red_before_is_never_held_against_anybody() {
    let before = found(Kind::RedBefore, &["a", "b"]);
    let same = [found(Kind::CheckFailed, &["a", "b"]), before.clone()];
    let newly = [found(Kind::CheckFailed, &["a", "b", "c"]), before];
    for rules in [attended(), unattended()] {
        assert_eq!(with(&same, &rules), Action::LetStop(Why::NotEnough));
        assert!(is_send_back(&with(&newly, &rules)));
    }
}

#[test]
fn a_model_alone_sends_back_only_where_nobody_is_there() {
    let mut judgement = verdict(false, Severity::Medium);
    judgement.verdict.decided_by = DecidedBy::Model;
    let act = |rules: &Rules| decide(&stop("s", "m"), &Ledger::default(), &judgement, &[], rules).action;
    assert_eq!(act(&attended()), Action::LetStop(Why::NotEnough));
    assert!(is_send_back(&act(&unattended())));
}

#[test]
fn some_situations_are_never_interrupted() {
    let waiting = Standing::Paused(Pause::WaitingForUser);
    for (hold, why, standing) in [
        (Hold::PlanMode, Why::PlanMode, waiting),
        (Hold::PendingQuestion, Why::PendingQuestion, waiting),
        (Hold::ChatTurn, Why::ChatTurn, waiting),
        (Hold::HumanSaid(LatestWord::Stop), Why::HumanSaid, waiting),
        (Hold::HumanSaid(LatestWord::Wait), Why::HumanSaid, waiting),
        (Hold::HumanSaid(LatestWord::OnlyAnalyse), Why::HumanSaid, waiting),
        (Hold::OtherDriver("/goal".into()), Why::OtherDriver, Standing::Ended(Ending::Failed)),
        (Hold::Background, Why::Background, Standing::Paused(Pause::WaitingBackground)),
    ] {
        for rules in [attended(), unattended()] {
            let decision = decide(
                &held(hold.clone()),
                &Ledger::default(),
                &verdict(false, Severity::Blocker),
                &red(&["a"]),
                &rules,
            );
            assert_eq!(decision.action, Action::LetStop(why), "{hold:?}");
            assert_eq!(decision.standing, Some(standing), "{hold:?}");
        }
    }
    for (hold, why) in [
        (Hold::Aborted, SkipWhy::Aborted),
        (Hold::SubAgent, SkipWhy::SubAgent),
        (Hold::OwnSession, SkipWhy::OwnSession),
    ] {
        assert_eq!(failing(&held(hold), &Ledger::default(), &unattended()), Action::Skip(why));
    }
}

#[test]
fn what_holds_us_back_now_does_not_conclude_the_task() {
    // A plan is approved without a new message, and the work begins.
    for complete in [false, true] {
        let mut log = Log::default();
        let planning = Stop { holds: vec![Hold::PlanMode], ..stop("s1", "m") };
        let decision =
            decide(&planning, &log.ledger(), &verdict(complete, Severity::High), &red(&["a"]), &attended());
        assert_eq!(decision.action, Action::LetStop(Why::PlanMode));
        assert_eq!(decision.standing, Some(Standing::Paused(Pause::WaitingForUser)));
        log.record(&planning, &decision);
        assert!(is_send_back(&failing(&stop("s2", "m"), &log.ledger(), &attended())));
    }
}

#[test]
fn in_orchestrated_mode_nobody_is_steered() {
    let rules = Rules { mode: Mode::Orchestrated, ..unattended() };
    assert_eq!(failing(&stop("s", "m"), &Ledger::default(), &rules), Action::LetStop(Why::ObserveOnly));
}

#[test]
fn whoever_turned_it_off_is_left_alone() {
    let rules = Rules { off: true, ..unattended() };
    assert_eq!(failing(&stop("s", "m"), &Ledger::default(), &rules), Action::Skip(SkipWhy::TurnedOff));
}

#[test]
fn a_muted_detector_accuses_nobody() {
    let rules = Rules { muted: [Kind::CheckFailed].into(), ..unattended() };
    assert_eq!(with(&red(&["a"]), &rules), Action::LetStop(Why::NotEnough));
    assert!(is_send_back(&with(&[found(Kind::CheckFailed, &["a"]), found(Kind::GateBypassed, &[])], &rules)));
    assert_eq!(admissible(red(&["a"]), &rules.muted), []);
}

#[test]
fn only_a_human_can_go_on_is_blocked_on_human() {
    let mut judgement = verdict(false, Severity::High);
    judgement.verdict.requires_human_action = true;
    let decision = decide(&stop("s", "m"), &Ledger::default(), &judgement, &red(&["a"]), &unattended());
    assert_eq!(decision.action, Action::LetStop(Why::BlockedOnHuman));
    assert_eq!(decision.standing, Some(Standing::Paused(Pause::BlockedOnHuman)));
}

/// Stops with these failing tests, one after the other, and what was done about each.
fn story(stops: &[&[&str]], rules: &Rules) -> Vec<Action> {
    let mut log = Log::default();
    let mut actions = Vec::new();
    for (round, tests) in stops.iter().enumerate() {
        let stop = stop(&round.to_string(), "m");
        let mut decision = decide(&stop, &log.ledger(), &verdict(false, Severity::High), &red(tests), rules);
        actions.push(decision.action.clone());
        decision.hand_over(Some(("e.md".to_owned(), "hand over".to_owned())));
        log.record(&stop, &decision);
    }
    actions
}

fn ends_with(actions: &[Action], sent: usize, why: Why) {
    assert!(actions[..sent].iter().all(is_send_back), "{actions:?}");
    let after = if why == Why::NoProgress { sent + 1 } else { sent };
    assert_eq!(actions[after], Action::LetStop(why), "{actions:?}");
}

#[test]
fn one_send_back_for_each_distinct_set_of_failures() {
    ends_with(&story(&[&["a", "b"], &["b", "a"]], &unattended()), 1, Why::SaidBefore);
    ends_with(&story(&[&["a", "b"], &["a"], &["a", "b"]], &unattended()), 2, Why::SaidBefore);
    ends_with(&story(&[&["a", "b"], &["a"], &["c"]], &attended()), 2, Why::AttemptsSpent);
}

#[test]
fn the_same_failures_in_other_words_are_the_same_failures() {
    let mut log = Log::default();
    let claimed = [red(&["a"]), vec![found(Kind::ClaimContradicted, &["a"])]].concat();
    let admitted =
        [red(&["a"]), vec![found(Kind::FailureAdmitted, &[]), found(Kind::OpenTodos, &["x"])]].concat();
    let first = stop("1", "m");
    let decision = decide(&first, &log.ledger(), &verdict(false, Severity::High), &claimed, &unattended());
    assert!(is_send_back(&decision.action));
    log.record(&first, &decision);
    let again =
        decide(&stop("2", "m"), &log.ledger(), &verdict(false, Severity::High), &admitted, &unattended());
    assert_eq!(again.action, Action::LetStop(Why::SaidBefore));
}

#[test]
fn three_attempts_without_progress_are_enough() {
    // Then it is told once to hand over, and let go afterwards.
    let actions = story(&[&["a"], &["b"], &["c"], &["d"], &["e"], &["d"]], &unattended());
    assert!(matches!(&actions[3], Action::HandOver { attempt: 4, idle: 3, .. }), "{actions:?}");
    ends_with(&actions, 3, Why::NoProgress);
    // A smaller set on the way counts as progress, and the count begins again.
    ends_with(
        &story(&[&["a"], &["b", "c"], &["c"], &["d"], &["e"], &["f"], &["g"]], &unattended()),
        5,
        Why::NoProgress,
    );
    // Where the escalation cannot be written down, the agent is let go at once.
    let mut log = Log::default();
    for (round, test) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let stop = stop(&round.to_string(), "m");
        let judged = verdict(false, Severity::High);
        let mut decision = decide(&stop, &log.ledger(), &judged, &red(&[test]), &unattended());
        decision.hand_over(None);
        log.record(&stop, &decision);
        assert_eq!(decision.action == Action::LetStop(Why::NoProgress), round == 3, "{decision:?}");
    }
}

#[test]
fn a_check_that_newly_passes_is_progress_and_prose_is_not() {
    let before = Failures { failing: ["a".to_owned(), "lint".to_owned()].into(), ..Failures::default() };
    let other = Failures { failing: ["b".to_owned(), "c".to_owned()].into(), ..Failures::default() };
    assert!(!other.is_progress_since(&before));
    let passes = Failures { passing: ["lint".to_owned()].into(), ..other.clone() };
    assert!(passes.is_progress_since(&before));
    let words = Failures { all: ["open_todos:x".to_owned()].into(), ..Failures::default() };
    let fewer_words = Failures::default();
    assert!(!fewer_words.is_progress_since(&words));
}

#[test]
fn blocks_in_a_row_count_whoever_made_them() {
    let rules = Rules { caps: Caps { in_a_row: Some(7), ..Caps::default() }, ..unattended() };
    let after = |blocks| failing(&Stop { blocks, ..stop("s", "m") }, &Ledger::default(), &rules);
    assert!(is_send_back(&after(6)));
    assert_eq!(after(7), Action::LetStop(Why::BlocksSpent));
}

#[test]
fn a_new_human_message_starts_the_count_again() {
    let mut log = Log::default();
    for task in ["m1", "m2", "m3"] {
        for round in 0..2 {
            let tests = [format!("{round}")];
            let stop = stop(&format!("{task}{round}"), task);
            let evidence = red(&[tests[0].as_str()]);
            let decision =
                decide(&stop, &log.ledger(), &verdict(false, Severity::High), &evidence, &attended());
            assert!(is_send_back(&decision.action), "{task} {round}");
            log.record(&stop, &decision);
        }
        let third = stop(&format!("{task}-3"), task);
        assert_eq!(failing(&third, &log.ledger(), &attended()), Action::LetStop(Why::AttemptsSpent));
    }
}
