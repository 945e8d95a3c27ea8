//! The ladder: told, reflected upon, looked at with a clean context, handed up.

use super::told::{PLAN, Says, Story, call};
use crate::escalation::{Answer, Attempt, Diagnosis, Escalation, FailureLayer, RetryPacket};
use crate::run::conversation::{Message, NoAnswer, Spent};
use crate::run::gate::Checked;
use crate::run::{Gate, Mode, Purpose, Run, RunEvent, Step, Terms};
use crate::verdict::Ending;

const WRONG_IDEA: &str = "the rounding in total() is off, so I round again";

fn packet(hypothesis: &str) -> Answer {
    let found = Diagnosis {
        failure_layer: FailureLayer::Environment,
        observations: vec!["RATES_URL is read and not set".into()],
        new_hypothesis: hypothesis.into(),
        action: "retry with the packet".into(),
        proof_patch: None,
    };
    let packet = RetryPacket {
        new_hypothesis: hypothesis.into(),
        failure_layer: FailureLayer::Environment,
        files_to_recheck: vec!["rates.py".into()],
        forced_checklist: vec!["is RATES_URL set in the test?".into()],
        constraints: vec![],
        what_not_to_retry: vec!["rounding".into()],
        decision_memory_notes: vec![],
    };
    Answer::RetryPacketForCoder(found, packet)
}

/// A coder that is wrong twice in the same way.
fn looping(terms: impl FnOnce(&mut Terms), rescues: Vec<Answer>, checks: &[Gate]) -> Story {
    let mut given = Terms::of(Mode::PlanExec);
    terms(&mut given);
    let mut story = Story::new(Mode::PlanExec, given);
    story.says(vec![
        Says::Words(PLAN),
        call("sed 1"),
        Says::Words("done"),
        Says::Words(WRONG_IDEA),
        call("sed 2"),
        Says::Words("done again"),
    ]);
    for gate in [Gate::Red, Gate::Red].iter().chain(checks) {
        story.push_check(*gate);
    }
    story.after_checks = Gate::Red;
    story.rescues.extend(rescues);
    story
}

#[test]
fn without_the_unblocker_a_looping_coder_gives_up_and_hands_up_its_escalation() {
    let mut story = looping(|terms| terms.max_unblocks = 0, vec![packet("RATES_URL is not set")], &[]);
    let ended = story.go().ended();
    assert_eq!(ended.ending, Ending::GaveUpAfterReflections);
    let escalation = ended.escalation.as_deref().expect("what was tried is handed up");
    assert!(escalation.attempt.is_escalated());
    assert_eq!(escalation.what_was_tried, [WRONG_IDEA]);
    assert_eq!(escalation.what_did_not_work, ["1 check failed (1 new failure)"]);
    assert_eq!(Escalation::read(&escalation.text()).as_ref(), Ok(escalation), "it can be read again");
    assert_eq!(story.count("unblock_started"), 0);
}

#[test]
fn with_it_the_work_begins_anew_in_a_clean_conversation_and_goes_green() {
    let mut story = looping(|_| (), vec![packet("RATES_URL is not set")], &[Gate::Green]);
    while story.count("unblocked") == 0 && story.step() {}
    let told: Vec<String> =
        story.run.messages().iter().map(|message| serde_json::to_string(message).unwrap()).collect();
    assert_eq!(told.len(), 1);
    for part in
        ["do it", "RATES_URL is not set", "is RATES_URL set in the test?", "test_add", "It is done when: g"]
    {
        assert!(told[0].contains(part), "{part}: {}", told[0]);
    }
    for failed in [WRONG_IDEA, "round again", "done again", "sed 1", "steps:"] {
        assert!(!told[0].contains(failed), "{failed} is of the conversation that failed: {}", told[0]);
    }
    assert_eq!(story.run.conversation(Purpose::Work, &[]).messages.len(), 1);
    let ended = story.go().ended().clone();
    assert_eq!((ended.ending, ended.verified), (Ending::Complete, true));
    assert_eq!(ended.escalation, None);
    assert_eq!(
        ended.input_tokens,
        100 + 10 * story.count("model_answered") as u64,
        "its tokens are paid for"
    );
    let kinds = story.kinds();
    let at = |kind: &str| kinds.iter().position(|other| *other == kind);
    assert!(at("verified") < at("unblock_started") && at("unblock_started") < at("unblocked"));
    // The log tells the same run.
    assert_eq!(Run::fold(&story.events).as_ref(), Some(&story.run));
    let text = story.events.iter().map(|event| serde_json::to_string(event).unwrap());
    let read: Vec<RunEvent> = text.map(|line| serde_json::from_str(&line).unwrap()).collect();
    assert_eq!(read, story.events);
}

#[test]
fn an_unblock_that_fails_still_ends_as_given_up_with_the_terminal_escalation() {
    let mut story = looping(|_| (), vec![], &[]);
    let ended = story.go().ended();
    assert_eq!(ended.ending, Ending::GaveUpAfterReflections);
    assert!(ended.why.contains("NEED_CONTEXT: a model"), "{}", ended.why);
    let escalation = ended.escalation.as_deref().unwrap();
    assert!(escalation.task_scope.starts_with("reflection rescue summary"), "{escalation:?}");
    assert_eq!(escalation.request, [crate::escalation::ABOVE_REFLECTION]);
    assert!(escalation.handoff_artifacts.iter().any(|line| line.starts_with("latest blocking signal")));
    assert_eq!(story.count("unblock_started"), 1, "nobody asks twice with the same packet");
}

#[test]
fn the_exit_code_of_a_check_is_part_of_what_is_handed_over() {
    let mut story = looping(|_| (), vec![], &[]);
    story.go();
    let print_with = |exit_code| {
        let mut run = story.run.clone();
        let seen = run.verification.as_mut().unwrap();
        seen.checks = vec![Checked { command: "make".into(), status: "failed".into(), exit_code }];
        let distress = run.distress().unwrap();
        assert_eq!(distress.exit_code, exit_code);
        distress.fingerprint
    };
    let (killed, unknown, failed) = (print_with(Some(137)), print_with(None), print_with(Some(1)));
    assert!(killed.to_string().ends_with("-137") && killed.is_of(&unknown), "{killed} {unknown}");
    assert_eq!(unknown, failed);
}

#[test]
fn each_rung_has_its_own_budget_and_there_is_a_last_one() {
    let rescues = || (0..9).map(|number| packet(&format!("cause {number}"))).collect::<Vec<_>>();
    for (most, expected) in [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)] {
        let mut story = looping(|terms| terms.max_unblocks = most, rescues(), &[]);
        story.says((0..40).map(|number| call(&format!("echo {number}"))).collect());
        let ended = story.go().ended().clone();
        assert_eq!(story.count("unblocked"), expected, "the fourth is the terminal one");
        assert_eq!(ended.ending, Ending::GaveUpAfterReflections, "{:?}", story.kinds());
        assert!(ended.escalation.unwrap().attempt >= Attempt::ESCALATED);
        assert_eq!(ended.used.think as usize, 4 + 7 * expected, "as many turns as the first beginning had");
        assert_eq!(ended.used.verify as usize, 2 + expected, "and a verification each");
    }
    // Whoever says how many steps there are in all has said so.
    let mut story = looping(|terms| (terms.steps_after_unblock, terms.max_steps) = (0, 7), rescues(), &[]);
    let ended = story.go().ended().clone();
    assert!(ended.used.total() <= 7, "{:?}", ended.used);
    assert_eq!(ended.ending, Ending::GaveUpAfterReflections);
}

#[test]
fn what_a_rescue_tried_is_remembered_with_what_came_of_it() {
    let mut story = looping(|_| (), vec![packet("RATES_URL is not set"), packet("the cache is stale")], &[]);
    while story.count("unblock_started") < 2 && story.step() {}
    let Some(RunEvent::UnblockStarted { attempt, escalation }) =
        story.events.iter().rev().find(|event| event.kind() == "unblock_started")
    else {
        panic!("{:?}", story.kinds())
    };
    assert_eq!(attempt.number(), 2);
    assert_eq!(escalation.attempt.number(), 4, "three tries of the coder were red");
    assert_eq!(escalation.what_was_tried, [WRONG_IDEA, "RATES_URL is not set"]);
    assert_eq!(escalation.what_did_not_work.len(), 2);
}

#[test]
fn whoever_goes_round_in_circles_is_looked_at_too() {
    let circles = || vec![Says::Words(PLAN), call("cat a"), call("cat a"), call("cat a")];
    let mut story = Story::of(Mode::PlanExec, circles(), &[Gate::Green]);
    story.rescues.push_back(packet("a is a link to another file"));
    story.says(vec![call("readlink a")]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(story.count("unblocked"), 1);
    let mut story = Story::of(Mode::PlanExec, circles(), &[]);
    let ended = story.go().ended();
    assert_eq!(ended.ending, Ending::Stuck, "where nobody knows, it ends as what it is");
    let signal = ended.escalation.as_deref().unwrap().handoff_artifacts.join("\n");
    assert!(signal.contains("latest blocking signal"), "{signal}");
    let mut chat = Story::of(Mode::React, vec![call("cat a"), call("cat a")], &[]);
    assert_eq!(chat.go().ended().ending, Ending::Stuck);
    assert_eq!((chat.count("unblock_started"), chat.ended().escalation.is_none()), (0, true));
}

#[test]
fn money_and_tokens_that_are_spent_are_spent_for_everybody() {
    let mut story = looping(|terms| terms.limits.tokens = Some(15 * 6), vec![packet("x")], &[]);
    let ended = story.go().ended().clone();
    assert_eq!(story.count("unblock_started"), 0, "{:?}", story.kinds());
    assert_eq!(ended.ending, Ending::GaveUpAfterReflections);
}

#[test]
fn another_agent_begins_anew_with_nothing_but_the_packet() {
    let mut terms = Terms::of(Mode::PlanExec);
    terms.plans = false;
    let mut story = Story::new(Mode::PlanExec, terms);
    let RunEvent::RunStarted(started) = &mut story.events[0] else { panic!() };
    started.agent = Some("codex".into());
    story.run = Run::new(started.clone());
    story.says(vec![Says::Words("done"), Says::Words(WRONG_IDEA), Says::Words("done")]);
    story.after_checks = Gate::Red;
    story.rescues.push_back(packet("RATES_URL is not set"));
    while story.count("unblocked") == 0 && story.step() {}
    let conversation = story.run.conversation(Purpose::Work, &[]);
    let [Message::User { text }] = conversation.messages.as_slice() else { panic!("{conversation:?}") };
    assert!(text.contains("RATES_URL is not set") && !text.contains(WRONG_IDEA), "{text}");
}

#[test]
fn an_unblocker_that_is_silent_is_asked_again_waited_for_and_rested_for() {
    let outage = NoAnswer::Outage { reason: "status 500".into() };
    let limit = |again_in| NoAnswer::UsageLimit { reason: "status 429".into(), again_in };
    for (waits, silences, next) in [
        (false, vec![outage.clone()], "unblock"),
        (false, vec![outage.clone(), outage.clone()], "rest"),
        (true, vec![outage.clone(), outage.clone()], "rest"),
        (true, vec![limit(Some(2))], "wait"),
        (true, vec![outage.clone(), limit(Some(2))], "wait"),
        (true, vec![limit(None)], "rest"),
        (false, vec![limit(Some(2))], "rest"),
        (false, vec![NoAnswer::Interrupted], "unblock"),
        (false, vec![NoAnswer::Interrupted, NoAnswer::Interrupted, outage.clone()], "unblock"),
    ] {
        let mut story = looping(
            |terms| terms.waits_for_limit = waits,
            vec![packet("the cache is stale")],
            &[Gate::Green],
        );
        while story.run.next(0) != Step::Unblock {
            assert!(story.step(), "{:?}", story.kinds());
        }
        let before = story.run.spent().input_tokens;
        for no_answer in &silences {
            let spent = Spent { input_tokens: 7, output_tokens: 1, usd: None };
            let attempt = story.run.distress().unwrap().attempt;
            assert_eq!(attempt, Attempt::FIRST, "who did not answer has not looked");
            story.record(RunEvent::UnblockerSilent { attempt, no_answer: no_answer.clone(), spent });
        }
        assert_eq!(story.run.spent().input_tokens, before + 7 * silences.len() as u64);
        let came = match story.run.next(0) {
            Step::Unblock => "unblock",
            Step::WaitForLimit { .. } => "wait",
            Step::Park { reason, .. } => {
                assert!(reason.contains("status"), "the cause is told: {reason}");
                "rest"
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(came, next, "{silences:?}");
        if came == "rest" {
            story.go();
            story.record(RunEvent::RunResumed);
        }
        assert_eq!(story.go().ended().ending, Ending::Complete, "{silences:?}");
        assert_eq!(Run::fold(&story.events).as_ref(), Some(&story.run));
    }
}
