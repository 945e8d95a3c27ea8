//! Each protection against loops, and the loop that would happen without it.

use super::*;
use crate::event::HookEvent;
use crate::interrupt::feedback::MARK;

/// An agent that never gets better and stops again and again, for at most `rounds`. Gives how often it was sent back.
/// `remember` says which of our own events the log keeps; a protection is taken away by forgetting what it rests on.
fn loops(rounds: u32, stops: impl Fn(u32) -> Stop, remember: impl Fn(&Event) -> bool) -> u32 {
    let mut log = Log::default();
    let mut sent = 0;
    for round in 0..rounds {
        let stop = stops(round);
        let tests = [format!("t{round}")];
        let evidence = red(&[tests[0].as_str()]);
        let rules = Rules { caps: Caps { without_progress: u32::MAX, ..Caps::default() }, ..unattended() };
        let decision = decide(&stop, &log.ledger(), &verdict(false, Severity::High), &evidence, &rules);
        sent += u32::from(is_send_back(&decision.action));
        let event = event_of(&stop, &decision);
        if remember(&event) {
            log.append(event);
        }
    }
    sent
}

#[test]
fn protection_1_a_judge_session_is_skipped_or_it_would_judge_itself_for_ever() {
    // A judge is a session too: its own stop would start a judge, whose stop would start a judge.
    let depth = |judge_is_known: bool| {
        let mut depth = 0;
        while depth < 50 {
            let holds = if judge_is_known && depth > 0 { vec![Hold::OwnSession] } else { vec![] };
            let stop = Stop { holds, ..stop("s", &format!("judge {depth}")) };
            if !is_send_back(&failing(&stop, &Ledger::default(), &unattended())) {
                break;
            }
            depth += 1;
        }
        depth
    };
    assert_eq!(depth(true), 1);
    assert_eq!(depth(false), 50, "without the protection it never ends");
}

#[test]
fn protection_2_two_calls_for_one_stop_decide_one_after_the_other_or_both_would_send_back() {
    let stop = stop("s", "m");
    let mut log = Log::default();
    // Without one lock around reading and appending, both see the log as it was before.
    let before = log.ledger();
    let unlocked = [failing(&stop, &before, &attended()), failing(&stop, &before, &attended())];
    assert!(unlocked.iter().all(is_send_back), "without the protection the agent is told twice");
    let first = decide(&stop, &log.ledger(), &verdict(false, Severity::High), &red(&["a"]), &attended());
    log.record(&stop, &first);
    assert_eq!(failing(&stop, &log.ledger(), &attended()), Action::Skip(SkipWhy::AlreadyJudged));
    assert_eq!(log.ledger().attempts("m"), 1);
}

#[test]
fn protection_2_somebody_who_judges_says_so_and_until_when() {
    let mut log = Log::default();
    assert_eq!(log.ledger().judging_until(), None);
    let until = Timestamp::try_from("2026-11-15T10:41:00Z".to_owned()).unwrap();
    log.append(Event::JudgingStarted { stop: "s".into(), until: until.clone() });
    assert_eq!(log.ledger().judging_until(), Some(&until), "whoever finds this gives way until then");
    let stop = stop("s", "m");
    let decision = decide(&stop, &log.ledger(), &verdict(true, Severity::None), &[], &attended());
    log.record(&stop, &decision);
    assert_eq!(log.ledger().judging_until(), None);
}

#[test]
fn protection_3_a_task_is_concluded_by_its_message_or_it_would_be_judged_at_every_stop() {
    // A background task wakes the agent again and again, long after the task was let go.
    let stops = |round| stop(&format!("s{round}"), "m");
    let all = |_: &Event| true;
    let forgets_conclusions = |event: &Event| !matches!(event, Event::LetGo { .. });
    assert_eq!(loops(100, stops, all), 16);
    assert_eq!(loops(100, stops, forgets_conclusions), 16, "the cap still holds");
    let forgets_both = |event: &Event| !matches!(event, Event::LetGo { .. } | Event::SentBack { .. });
    assert_eq!(loops(100, stops, forgets_both), 100, "without the protection it never ends");
}

#[test]
fn protection_3_a_compaction_does_not_open_the_attempts_again() {
    // The context is compacted at every turn: counts start again each time, ids do not.
    let by_id = |round| Stop { epoch: round, ..stop(&format!("s{round}"), "m") };
    assert_eq!(loops(100, by_id, |_| true), 16);
    // A count of human messages is 1 after every compaction, for whichever message is left: as a key it is a new task
    // whenever the number changes.
    let by_count =
        |round| Stop { epoch: round, ..stop(&format!("s{round}"), &format!("count {}", round % 7)) };
    assert!(loops(100, by_count, |_| true) > 16, "counting would go on");
}

#[test]
fn protection_4_an_aborted_task_stays_aborted_and_a_new_one_does_not() {
    let mut log = Log::default();
    let aborted = Stop { holds: vec![Hold::Aborted], ..stop("s1", "m") };
    let decision =
        decide(&aborted, &log.ledger(), &verdict(false, Severity::High), &red(&["a"]), &unattended());
    log.record(&aborted, &decision);
    // Something wakes the agent; its transcript no longer ends with the abort.
    let woken = stop("s2", "m");
    assert_eq!(failing(&woken, &log.ledger(), &unattended()), Action::Skip(SkipWhy::Aborted));
    assert!(
        is_send_back(&failing(&woken, &Ledger::default(), &unattended())),
        "what would happen without it"
    );
    assert!(
        is_send_back(&failing(&stop("s3", "next"), &log.ledger(), &unattended())),
        "a new task is judged"
    );
}

#[test]
fn protection_5_an_abort_that_is_reported_beside_the_stop_wins_the_race() {
    // The stop comes first: it is judged and the agent sent back; then the abort is reported, and our own words have
    // already set the agent going again.
    let mut log = Log::default();
    log.append(Event::TaskStarted);
    let first = stop("s1", "m");
    let decision =
        decide(&first, &log.ledger(), &verdict(false, Severity::High), &red(&["a"]), &unattended());
    log.record(&first, &decision);
    let without = log.ledger();
    log.append(Event::AgentReported { event: HookEvent::Abort });
    let again = |ledger: &Ledger| {
        let stop = stop("s2", "m");
        decide(&stop, ledger, &verdict(false, Severity::High), &red(&["b"]), &unattended()).action
    };
    assert_eq!(again(&log.ledger()), Action::Skip(SkipWhy::Aborted));
    assert!(is_send_back(&again(&without)), "what would happen without it");
    // The human's next word is a new start, also for the same session.
    log.append(Event::TaskStarted);
    assert!(is_send_back(&failing(&stop("s3", "next"), &log.ledger(), &unattended())));
}

#[test]
fn our_own_words_are_no_human_message_or_they_would_open_a_new_task_each_time() {
    assert!(is_ours(&format!("{MARK} Not done yet.")));
    assert!(is_ours(&format!("Stop hook feedback:\n{MARK} Not done yet.")));
    assert!(!is_ours("Not done yet."));
    // An agent that takes feedback for a prompt gives each send-back a new message id.
    let as_feedback = |round| stop(&format!("s{round}"), "m");
    let as_prompt = |round| stop(&format!("s{round}"), &format!("m{round}"));
    assert_eq!(loops(100, as_feedback, |_| true), 16);
    assert_eq!(loops(100, as_prompt, |_| true), 100, "without the protection it never ends");
}
