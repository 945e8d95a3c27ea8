//! Every edge of the seed's first diagram, and every row of its severities.

use super::*;

fn nothing_yet() -> Ledger {
    Ledger::default()
}

#[test]
fn recently_aborted_yes_skips_because_the_user_cancelled() {
    let action = failing(&held(Hold::Aborted), &nothing_yet(), &unattended());
    assert_eq!(action, Action::Skip(SkipWhy::Aborted));
    let mut log = Log::default();
    log.append(Event::AgentReported { event: crate::event::HookEvent::Abort });
    let decision =
        decide(&stop("s", "m"), &log.ledger(), &verdict(false, Severity::High), &red(&["a"]), &unattended());
    assert_eq!(decision.action, Action::Skip(SkipWhy::Aborted));
    assert_eq!(decision.standing, Some(Standing::Ended(Ending::Aborted)));
}

#[test]
fn recently_aborted_no_goes_on_to_the_judge_session_question() {
    let action = failing(&held(Hold::OwnSession), &nothing_yet(), &unattended());
    assert_eq!(action, Action::Skip(SkipWhy::OwnSession));
    // And the abort is asked first.
    let both = Stop { holds: vec![Hold::OwnSession, Hold::Aborted], ..stop("s", "m") };
    assert_eq!(failing(&both, &nothing_yet(), &unattended()), Action::Skip(SkipWhy::Aborted));
}

#[test]
fn judge_session_yes_skips_to_avoid_an_infinite_loop() {
    for (hold, why) in [(Hold::OwnSession, SkipWhy::OwnSession), (Hold::SideSession, SkipWhy::SideSession)] {
        assert_eq!(failing(&held(hold), &nothing_yet(), &unattended()), Action::Skip(why));
    }
}

#[test]
fn already_reflected_on_this_message_yes_skips_to_avoid_a_duplicate() {
    let mut log = Log::default();
    let first = stop("s1", "m");
    let done = decide(&first, &log.ledger(), &verdict(true, Severity::None), &[], &attended());
    log.record(&first, &done);
    // Another stop for the same human message, and the same stop again.
    for id in ["s1", "s2"] {
        assert_eq!(failing(&stop(id, "m"), &log.ledger(), &attended()), Action::Skip(SkipWhy::AlreadyJudged));
    }
}

#[test]
fn already_reflected_on_this_message_no_judges_a_new_human_message_and_a_new_epoch() {
    let mut log = Log::default();
    let first = stop("s1", "m");
    let done = decide(&first, &log.ledger(), &verdict(true, Severity::None), &[], &attended());
    log.record(&first, &done);
    assert!(is_send_back(&failing(&stop("s2", "next"), &log.ledger(), &attended())));
    let compacted = Stop { epoch: 1, ..stop("s3", "m") };
    assert!(is_send_back(&failing(&compacted, &log.ledger(), &attended())));
}

#[test]
fn max_attempts_yes_stops_and_gives_up_on_the_task() {
    for (rules, most) in [(attended(), 2), (unattended(), 16)] {
        let mut log = Log::default();
        for attempt in 0..most {
            // A strictly smaller set each time, so that only the cap can end it.
            let tests: Vec<String> = (attempt..40).map(|test| format!("t{test}")).collect();
            let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
            let stop = stop(&attempt.to_string(), "m");
            let decision =
                decide(&stop, &log.ledger(), &verdict(false, Severity::High), &red(&tests), &rules);
            assert!(is_send_back(&decision.action), "{attempt}: {decision:?}");
            log.record(&stop, &decision);
        }
        let last = stop("last", "m");
        let decision = decide(&last, &log.ledger(), &verdict(false, Severity::High), &red(&["t39"]), &rules);
        assert_eq!(decision.action, Action::LetStop(Why::AttemptsSpent));
        assert_eq!(decision.standing, Some(Standing::Ended(Ending::GaveUpAfterReflections)));
        // Whoever made it in the end is not said to have given up.
        let decision = decide(&last, &log.ledger(), &verdict(true, Severity::None), &[], &rules);
        assert_eq!(decision.action, Action::LetStop(Why::AttemptsSpent));
        assert_eq!(decision.standing, Some(Standing::Ended(Ending::Complete)));
    }
}

#[test]
fn max_attempts_no_goes_on_to_the_verdict() {
    assert!(is_send_back(&failing(&stop("s", "m"), &nothing_yet(), &attended())));
}

#[test]
fn complete_and_not_blocker_tells_the_user_and_is_marked_as_reflected() {
    let mut log = Log::default();
    let stop = stop("s", "m");
    let decision = decide(&stop, &log.ledger(), &verdict(true, Severity::None), &[], &unattended());
    assert_eq!(decision.action, Action::LetStop(Why::Complete));
    assert_eq!(decision.notice, Some(Notice { text: "Task complete".into(), matters: false }));
    assert!(!log.ledger().was_concluded("m", 0));
    log.record(&stop, &decision);
    assert!(log.ledger().was_concluded("m", 0));
}

#[test]
fn incomplete_with_severity_none_and_nothing_missing_awaits_user_input() {
    let mut judgement = verdict(false, Severity::None);
    judgement.verdict.missing.clear();
    let decision = decide(&stop("s", "m"), &nothing_yet(), &judgement, &[], &unattended());
    assert_eq!(decision.action, Action::LetStop(Why::AwaitingUser));
    assert_eq!(decision.notice.unwrap().text, "Awaiting user input");
    assert_eq!(decision.standing, Some(Standing::Paused(Pause::WaitingForUser)));
}

#[test]
fn incomplete_otherwise_sends_feedback() {
    let decision =
        decide(&stop("s", "m"), &nothing_yet(), &verdict(false, Severity::None), &red(&["a"]), &unattended());
    assert!(is_send_back(&decision.action), "severity NONE, but something is missing: {decision:?}");
    let mut nothing_named = verdict(false, Severity::Low);
    nothing_named.verdict.missing.clear();
    let decision = decide(&stop("s", "m"), &nothing_yet(), &nothing_named, &red(&["a"]), &unattended());
    assert!(is_send_back(&decision.action), "nothing named as missing, but a severity: {decision:?}");
}

/// The diagram wins over the table of severities: a complete task stops, and what was found goes to the notice.
fn complete_with(severity: Severity) -> Decision {
    decide(&stop("s", "m"), &nothing_yet(), &verdict(true, severity), &red(&["a"]), &unattended())
}

#[test]
fn severity_none_is_complete_without_a_word() {
    let decision = complete_with(Severity::None);
    assert_eq!(decision.action, Action::LetStop(Why::Complete));
    assert!(!decision.notice.unwrap().matters);
}

#[test]
fn severity_low_medium_and_high_stop_with_their_feedback_in_the_notice_when_complete() {
    for severity in [Severity::Low, Severity::Medium, Severity::High] {
        let decision = complete_with(severity);
        assert_eq!(decision.action, Action::LetStop(Why::Complete), "{severity:?}");
        let notice = decision.notice.unwrap();
        assert!(
            notice.matters && notice.text.contains("`cargo test` exited 101"),
            "{severity:?}: {notice:?}"
        );
    }
}

#[test]
fn severity_low_medium_and_high_push_feedback_when_incomplete() {
    for severity in [Severity::Low, Severity::Medium, Severity::High] {
        let decision =
            decide(&stop("s", "m"), &nothing_yet(), &verdict(false, severity), &red(&["a"]), &unattended());
        assert!(is_send_back(&decision.action), "{severity:?}");
    }
}

#[test]
fn severity_blocker_forces_incomplete_and_pushes_feedback() {
    assert!(is_send_back(&complete_with(Severity::Blocker).action));
}
