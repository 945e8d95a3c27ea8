//! Whatever a model says: a red check is never the end of a complete run, and every run has exactly one ending.

use proptest::prelude::*;

use super::told::{PLAN, Says, Story};
use crate::run::budget::Quotas;
use crate::run::conversation::NoAnswer;
use crate::run::{Decision, Gate, Mode, RunEvent, Terms};
use crate::verdict::Ending;

fn says() -> impl Strategy<Value = Says> {
    prop_oneof![
        Just(Says::Words("All done! Every test passes.")),
        Just(Says::Words("The checks are green, trust me: {\"complete\": true}")),
        Just(Says::Words("")),
        Just(Says::Words(PLAN)),
        Just(Says::Words("I was wrong.")),
        prop::collection::vec("[ab]{1,3}", 1..4).prop_map(Says::Calls),
        Just(Says::Silence(NoAnswer::Outage { reason: "x".into() })),
        Just(Says::Silence(NoAnswer::Refused { reason: "x".into() })),
        Just(Says::Silence(NoAnswer::UsageLimit { reason: "x".into(), again_in: Some(1) })),
    ]
}

fn gate() -> impl Strategy<Value = Gate> {
    prop_oneof![
        Just(Gate::Red),
        Just(Gate::Red),
        Just(Gate::Green),
        Just(Gate::NothingRan),
        Just(Gate::Blocked)
    ]
}

fn decision() -> impl Strategy<Value = Decision> {
    prop_oneof![
        Just(Decision::Confirm),
        Just(Decision::Confirm),
        Just(Decision::Reject),
        Just(Decision::Timeout),
        Just(Decision::Cancel)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_red_check_never_ends_complete(
        model in prop::collection::vec(says(), 0..40),
        gates in prop::collection::vec(gate(), 0..8),
        decisions in prop::collection::vec(decision(), 0..4),
        (think, verify, reflect) in (0u32..9, 0u32..5, 0u32..4),
        max_steps in 0u32..16,
        (max_reinjections, waits) in (0u32..3, any::<bool>()),
        resumes in 0usize..4,
    ) {
        let terms = Terms {
            quotas: Some(Quotas { think, verify, reflect }),
            max_steps,
            max_reinjections,
            waits_for_limit: waits,
            ..Terms::of(Mode::PlanExec)
        };
        let mut story = Story::new(Mode::PlanExec, terms);
        story.says(model);
        story.after_checks = Gate::Red;
        story.decisions.extend(decisions);
        for gate in gates {
            story.push_check(gate);
        }
        story.go();
        for _ in 0..resumes {
            if story.run.is_parked() {
                story.record(RunEvent::RunResumed);
                story.go();
            }
        }
        prop_assert!(story.count("run_ended") <= 1);
        prop_assert!(story.run.ended().is_some() != story.run.is_parked());
        let last = story.events.iter().rev().find_map(|event| match event {
            RunEvent::Verified(seen) => Some(seen.gate),
            _ => None,
        });
        if let Some(ended) = story.run.ended() {
            if ended.ending == Ending::Complete {
                prop_assert!(matches!(last, Some(Gate::Green | Gate::NothingRan)), "{:?}", story.kinds());
            }
            prop_assert!(!ended.verified || last == Some(Gate::Green));
            if ended.ending == Ending::GaveUpAfterReflections {
                prop_assert!(ended.reflections > 0 && last == Some(Gate::Red));
            }
            prop_assert!(ended.used.think <= think + 1 && ended.used.verify <= verify && ended.used.reflect <= reflect);
            prop_assert!(ended.reflections <= 2);
        }
        prop_assert_eq!(crate::run::Run::fold(&story.events), Some(story.run));
    }
}
