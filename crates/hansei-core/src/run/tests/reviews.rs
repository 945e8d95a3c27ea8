//! The review of a Spec: one request, one reply, one id, whatever happens.

use super::told::{PLAN, Says, Story, call};
use crate::run::{Decision, Mode, RunEvent};
use crate::verdict::Ending;

fn ids(story: &Story) -> Vec<String> {
    story
        .events
        .iter()
        .filter_map(|event| match event {
            RunEvent::SpecReviewRequest { spec_review_id, .. } => Some(format!("? {spec_review_id}")),
            RunEvent::SpecReviewReply { spec_review_id, decision, .. } => {
                Some(format!("{decision:?} {spec_review_id}"))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn a_confirmed_plan_is_carried_out() {
    let mut story = Story::of(Mode::PlanExec, vec![Says::Words(PLAN), call("echo 1")], &[]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(ids(&story), ["? r-plan-1:spec_review", "Confirm r-plan-1:spec_review"]);
    let kinds = story.kinds();
    let at = |kind: &str| kinds.iter().position(|other| *other == kind);
    assert!(at("spec_review_reply") < at("tool_called"), "nothing happens before");
}

#[test]
fn a_rejected_plan_is_written_again_with_what_was_said() {
    let says = vec![Says::Words(PLAN), Says::Words(PLAN), call("echo 1")];
    let mut story = Story::of(Mode::PlanExec, says, &[]);
    story.decisions.extend([Decision::Reject, Decision::Confirm]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(ids(&story)[2..], ["? r-plan-2:spec_review", "Confirm r-plan-2:spec_review"]);
    let told = format!("{:?}", story.run.messages());
    assert!(told.contains("smaller steps"));
}

#[test]
fn a_review_that_nobody_answers_rests_and_is_shown_again_under_the_same_id() {
    for decision in [Decision::Timeout, Decision::Cancel] {
        let mut story = Story::of(Mode::PlanExec, vec![Says::Words(PLAN), call("echo 1")], &[]);
        story.decisions.push_back(decision);
        story.go();
        assert!(story.run.is_parked() && story.run.ended().is_none(), "not failed");
        story.record(RunEvent::RunResumed);
        assert_eq!(story.go().ended().ending, Ending::Complete);
        let ids = ids(&story);
        assert_eq!(ids[0], ids[2], "one id for one Spec");
        assert_eq!(ids.len(), 4);
    }
}

#[test]
fn whoever_acts_before_the_plan_is_told_so() {
    let says = vec![call("rm -rf ."), Says::Words(PLAN), call("echo 1")];
    let mut story = Story::of(Mode::PlanExec, says, &[]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(story.count("tool_called"), 1, "the first was never made");
    assert!(format!("{:?}", story.run.messages()).contains("plan_first"));
}

#[test]
fn a_plan_that_cannot_be_read_is_asked_for_again_and_then_taken_as_prose() {
    let says = vec![Says::Words("I would look first."), Says::Words("- Look\n- Fix"), call("echo 1")];
    let mut story = Story::of(Mode::PlanExec, says, &[]);
    assert_eq!(story.go().ended().ending, Ending::Complete);
    assert_eq!(story.run.spec().unwrap().steps, ["Look", "Fix"]);
}

#[test]
fn who_never_plans_fails() {
    let mut story = Story::of(Mode::PlanExec, vec![], &[]);
    story.after = Says::Calls(vec!["ls".into()]);
    story.go();
    assert!(matches!(story.ended().ending, Ending::Failed | Ending::Stuck));
}

#[test]
fn a_run_can_be_called_off() {
    let mut story = Story::of(Mode::PlanExec, vec![Says::Words(PLAN)], &[]);
    story.decisions.push_back(Decision::Timeout);
    story.go().record(RunEvent::AbortAsked);
    assert_eq!(story.go().ended().ending, Ending::Aborted);
}
