//! How runs end: quotas, reflections, loops, and what is never an ending.

use super::told::{PLAN, Says, Story, call, outage};
use crate::run::budget::{Limits, Quotas};
use crate::run::conversation::{Message, NoAnswer};
use crate::run::{Gate, Mode, Phase, Terms};
use crate::verdict::{Ending, Pause};

fn steps(commands: usize) -> Vec<Says> {
    (0..commands).map(|number| call(&format!("echo {number}"))).collect()
}

fn planned(mut says: Vec<Says>) -> Vec<Says> {
    says.insert(0, Says::Words(PLAN));
    says
}

fn with(quotas: Quotas, change: impl FnOnce(&mut Terms)) -> Story {
    let mut terms = Terms::of(Mode::PlanExec);
    terms.quotas = Some(quotas);
    terms.max_steps = quotas.total();
    change(&mut terms);
    let mut story = Story::new(Mode::PlanExec, terms);
    story.says(vec![Says::Words(PLAN)]);
    story
}

fn quotas(think: u32, verify: u32, reflect: u32) -> Quotas {
    Quotas { think, verify, reflect }
}

#[test]
fn think_stops_at_seven_then_the_checks_run_and_at_most_one_reflection() {
    let mut story = Story::of(Mode::PlanExec, planned(steps(20)), &[Gate::Red, Gate::Red]);
    story.after_checks = Gate::Red;
    story.go();
    let used = story.ended().used;
    assert_eq!((used.think, used.verify), (7, 1), "{:?}", story.kinds());
    assert!(used.reflect <= 1);
    assert_eq!(story.ended().ending, Ending::BudgetSpent, "no step is left that a reflection could help");
}

#[test]
fn without_quotas_ten_steps_are_the_budget() {
    let mut story = Story::of(Mode::React, steps(20), &[]);
    story.go();
    assert_eq!(story.ended().ending, Ending::BudgetSpent);
    assert_eq!((story.ended().used.think, story.count("verified")), (10, 0));
    let mut story = Story::of(Mode::React, steps(3), &[]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(
        story.count("verify_started") + story.count("spec_review_request"),
        0,
        "nobody checks or plans"
    );
}

#[test]
fn calls_of_the_last_turn_are_finished_before_the_checks() {
    let mut story = with(quotas(1, 1, 0), |_| ());
    story.says(vec![Says::Calls(vec!["echo 1".into(), "echo 2".into(), "echo 3".into()])]);
    story.go();
    assert_eq!(story.count("tool_returned"), 3);
    let kinds = story.kinds();
    let last_call = kinds.iter().rposition(|kind| *kind == "tool_returned");
    assert!(last_call < kinds.iter().position(|kind| *kind == "verify_started"));
    assert_eq!(story.ended().ending, Ending::Complete, "the checks pass: evidence outranks words");
}

#[test]
fn a_red_check_leads_to_a_reflection_and_a_retry() {
    let says = planned(vec![call("echo 1"), Says::Words("done"), Says::Words("I was wrong"), call("echo 2")]);
    let mut story = Story::of(Mode::PlanExec, says, &[Gate::Red, Gate::Green]);
    story.go();
    let ended = story.ended();
    assert_eq!((ended.ending, ended.reflections, ended.verified), (Ending::Complete, 1, true));
    assert_eq!((ended.used.think, ended.used.verify, ended.used.reflect), (4, 2, 1));
    let told = |part: &str| {
        story
            .run
            .messages()
            .iter()
            .any(|message| matches!(message, Message::User { text } if text.contains(part)))
    };
    assert!(told("test_add") && told("do differently"), "what failed is told");
}

#[test]
fn reflections_are_limited_by_the_smaller_of_two_numbers() {
    for (reflect, max_reflections, expected) in
        [(1, 2, 1), (2, 2, 2), (5, 2, 2), (5, 3, 3), (2, 0, 0), (0, 2, 0)]
    {
        let mut story = with(quotas(30, 10, reflect), |terms| terms.max_reflections = max_reflections);
        story.after_checks = Gate::Red;
        story.go();
        let ended = story.ended();
        assert_eq!(ended.reflections, expected, "{reflect} {max_reflections}");
        let ending = if expected > 0 { Ending::GaveUpAfterReflections } else { Ending::BudgetSpent };
        assert_eq!(ended.ending, ending, "{reflect} {max_reflections}");
        assert_eq!(u32::try_from(story.count("verified")), Ok(expected + 1));
    }
}

#[test]
fn a_failure_is_told_before_it_is_reflected_upon_where_that_is_wanted() {
    let mut story = with(quotas(30, 10, 1), |terms| terms.max_reinjections = 2);
    story.after_checks = Gate::Red;
    story.go();
    // Twice told, reflected, twice told again: the count begins anew with each attempt.
    assert_eq!(story.count("verified"), 6);
    assert_eq!(story.ended().ending, Ending::GaveUpAfterReflections);
}

#[test]
fn a_reflection_that_fails_is_skipped_and_the_work_goes_on() {
    for no_answer in [NoAnswer::Outage { reason: "x".into() }, NoAnswer::Refused { reason: "x".into() }] {
        let says =
            planned(vec![Says::Words("done"), Says::Silence(no_answer), call("echo 2"), Says::Words("done")]);
        let mut story = Story::of(Mode::PlanExec, says, &[Gate::Red, Gate::Green]);
        story.go();
        assert_eq!(story.ended().ending, Ending::Complete, "{:?}", story.kinds());
    }
}

#[test]
fn two_alike_are_no_loop_and_three_are_where_work_is_kept_up() {
    let same = |times: usize| planned((0..times).map(|_| call("make")).collect());
    let mut story = Story::of(Mode::PlanExec, same(2), &[]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    let mut story = Story::of(Mode::PlanExec, same(3), &[]);
    assert_eq!(story.go().ended().ending, Ending::Stuck);
    assert!(story.ended().why.contains("shell was called 3 times"), "{}", story.ended().why);
    let mut story = Story::of(Mode::React, (0..2).map(|_| call("make")).collect(), &[]);
    assert_eq!(story.go().ended().ending, Ending::Stuck);
}

#[test]
fn an_attempt_does_not_inherit_the_calls_of_the_one_before() {
    let two = || vec![call("make"), call("make"), Says::Words("done")];
    let mut says = planned(two());
    says.push(Says::Words("I was wrong"));
    says.extend(two());
    let mut story = Story::of(Mode::PlanExec, says, &[Gate::Red, Gate::Green]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
}

#[test]
fn a_chat_is_one_answer() {
    let mut story = Story::of(Mode::DirectChat, vec![Says::Words("42")], &[]);
    story.go();
    assert_eq!((story.ended().ending, story.count("model_asked")), (Ending::Complete, 1));
    assert!(story.run.conversation(crate::run::Purpose::Work, &[]).tools.is_empty());
    assert_eq!(story.ended().last_words, "42");
}

#[test]
fn tokens_money_and_time_are_budgets_too() {
    for limits in
        [Limits { tokens: Some(30), ..Limits::default() }, Limits { usd: Some(0.02), ..Limits::default() }]
    {
        let mut story = Story::new(Mode::React, Terms { limits, ..Terms::of(Mode::React) });
        story.says(steps(9));
        assert_eq!(story.go().ended().ending, Ending::BudgetSpent);
        assert_eq!(story.ended().used.think, 2, "{limits:?}");
    }
    let limits = Limits { seconds: Some(60), ..Limits::default() };
    let story = Story::new(Mode::React, Terms { limits, ..Terms::of(Mode::React) });
    assert!(matches!(story.run.next(59), crate::run::Step::Ask(_)));
    assert!(
        matches!(story.run.next(60), crate::run::Step::End(ended) if ended.ending == Ending::BudgetSpent)
    );
}

#[test]
fn a_usage_limit_is_its_own_ending_unless_it_is_waited_for() {
    let limit = || Says::Silence(NoAnswer::UsageLimit { reason: "spent".into(), again_in: Some(5) });
    let mut story = Story::of(Mode::React, vec![limit()], &[]);
    assert_eq!(story.go().ended().ending, Ending::UsageLimit);
    let terms = Terms { waits_for_limit: true, ..Terms::of(Mode::React) };
    let mut story = Story::new(Mode::React, terms);
    story.says(vec![limit()]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(story.count("limit_waited_out"), 1);
}

#[test]
fn an_outage_is_tried_once_more_and_then_the_run_rests() {
    let mut story = Story::of(Mode::React, vec![outage()], &[]);
    assert_eq!(story.go().ended().ending, Ending::Complete, "once is nothing");
    let mut story =
        Story::of(Mode::PlanExec, planned(vec![call("echo 1"), outage(), outage(), call("echo 2")]), &[]);
    story.go();
    assert!(story.run.is_parked() && story.run.ended().is_none());
    assert_eq!(story.run.reflections(), 0, "an outage is nothing to reflect upon");
    story.record(crate::run::RunEvent::RunResumed);
    assert_eq!(*story.run.phase(), Phase::Working);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    // Taken up again, the step that was interrupted has one more try.
    let mut story = Story::of(Mode::React, vec![outage(), outage(), outage()], &[]);
    story.go().record(crate::run::RunEvent::RunResumed);
    story.go();
    assert!(story.run.is_parked());
    assert_eq!(story.count("model_unavailable"), 3);
}

#[test]
fn a_missing_program_is_for_a_person_and_no_pass() {
    let mut story = Story::of(Mode::PlanExec, planned(vec![]), &[Gate::Blocked, Gate::Green]);
    story.go();
    assert!(matches!(story.run.phase(), Phase::Resting { pause: Pause::BlockedOnHuman, .. }));
    story.record(crate::run::RunEvent::RunResumed);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(story.ended().used.verify, 1, "what could not run is not counted");
}

#[test]
fn whoever_fails_its_own_check_and_says_done_is_not_done() {
    let says = vec![Says::Calls(vec!["false || pytest -q".into()]), Says::Words("All done, tests pass.")];
    let mut story = Story::of(Mode::React, says, &[]);
    story.go();
    assert_ne!(story.ended().ending, Ending::Stuck);
    // The story's shell fails what begins with `false`; the check behind it is then the one whose code it is.
    assert_eq!(story.ended().ending, Ending::Failed, "{}", story.ended().why);
}

#[test]
fn nothing_said_is_no_end() {
    let mut story = Story::of(Mode::React, vec![Says::Words(""), Says::Words("  ")], &[]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(story.ended().used.think, 3);
}

#[test]
fn nothing_to_run_is_a_pass_only_for_whoever_says_done() {
    let mut story = Story::of(Mode::PlanExec, planned(vec![call("echo 1")]), &[Gate::NothingRan]);
    story.go();
    assert_eq!((story.ended().ending, story.ended().verified), (Ending::Complete, false));
    let mut story = Story::of(Mode::PlanExec, planned(steps(20)), &[Gate::NothingRan]);
    assert_eq!(story.go().ended().ending, Ending::BudgetSpent);
}
