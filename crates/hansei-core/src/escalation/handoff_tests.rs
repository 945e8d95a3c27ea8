//! What is admitted, what is refused and how, and what the terminal answer says: the lines of the failure protocol.

use super::answer::{Answer, AnswerKind, ContextTarget};
use super::attempt::{Attempt, RescueMode};
use super::fingerprint::{ErrorSignature, Failure};
use super::handoff::{Received, Refusal, Snapshot, admit, begin};
use super::layer::FailureLayer;
use super::payload::{ABOVE_REFLECTION, Escalation};
use super::tried::Try;

fn payload(attempt: u32) -> String {
    let mut escalation = Escalation::of(Attempt::new(attempt), "the pool leaks handles");
    escalation.what_was_tried = vec!["closing twice".to_owned()];
    escalation.current_invariants = vec!["the driver is right".to_owned()];
    escalation.text()
}

fn received(escalation: &str) -> Received<'_> {
    Received {
        escalation,
        task: "Close every handle of the pool.",
        snapshot: "0f86bb8",
        ..Received::default()
    }
}

fn need(target: ContextTarget) -> Answer {
    Answer::NeedContext(target)
}

#[test]
fn the_trigger_decides_who_is_routed_rightly() {
    for (name, text, admitted) in [
        ("the fourth", payload(4), true),
        ("the ninth", payload(9), true),
        ("the third is the coder's own", payload(3), false),
        ("no payload", "please help".to_owned(), false),
        ("not blocked", payload(4).replace("blocked", "done"), false),
        ("no attempt", payload(4).replace("attempt: [ATTEMPT: 4]\n", ""), false),
    ] {
        let answer = begin(Attempt::FIRST, &received(&text), &[]).map_err(|answer| *answer);
        let expected = need(ContextTarget::EscalationPayload);
        assert_eq!(answer.as_ref().err(), (!admitted).then_some(&expected), "{name}");
    }
    assert_eq!(need(ContextTarget::EscalationPayload).text(), "[NEED_CONTEXT: escalation_payload]\n");
}

#[test]
fn a_polluted_handoff_is_refused_wherever_the_pollution_is() {
    let clean = payload(4);
    let talk = "User: fix it\nAssistant: I tried\nUser: no\nAssistant: again\n";
    let long = "It failed once more. ".repeat(100);
    let (around, beside) = (format!("{talk}\n{clean}"), format!("{clean}\n{long}"));
    let inside = clean.replace("- closing twice", &format!("- {}", "closing twice ".repeat(900)));
    for (name, received) in [
        ("talk around the payload", received(&around)),
        ("long words beside it", received(&beside)),
        ("a payload over its bound", received(&inside)),
        ("talk in the task", Received { task: talk, ..received(&clean) }),
        ("talk in the context", Received { context: talk, ..received(&clean) }),
    ] {
        assert_eq!(
            begin(Attempt::FIRST, &received, &[]).err().map(|answer| *answer),
            Some(need(ContextTarget::CleanHandoff)),
            "{name}"
        );
    }
    assert_eq!(need(ContextTarget::CleanHandoff).text(), "[NEED_CONTEXT: clean_handoff]\n");
}

#[test]
fn the_handoff_holds_the_five_parts_and_nothing_else() {
    let text = format!("I give up, sorry.\n{}\n[CHECKLIST]\n- [x] port answers\n", payload(4));
    let signature = ErrorSignature::of(&Failure {
        command: "cargo test",
        exit_code: Some(101),
        output: "error[E0308]: mismatched types\n --> src/pool.rs:3:5",
    });
    let all = Received {
        command: Some("cargo test pool"),
        signature: Some(&signature),
        context: "[FORCED_CONTEXT]\n- src/pool.rs",
        ..received(&text)
    };
    let told = admit(&all).unwrap().text();
    assert_eq!(
        told,
        format!(
            "# Original task\n\nClose every handle of the pool.\n\n# Source\n\n0f86bb8\n\n# Escalation\n\n{}\n\
             [FORCED_CONTEXT]\n- src/pool.rs\n[CHECKLIST]\n- [x] port answers\n\n# Failing command\n\ncargo test pool\n\n\
             # Error signature\n\nexit 101 · error[E0308]: mismatched types · src/pool.rs\n",
            payload(4)
        )
    );
    assert!(!told.contains("give up"));
    let missing = |received: Received<'_>| admit(&received).unwrap_err();
    assert_eq!(missing(Received { task: " ", ..all }), Refusal::Missing("original_task"));
    assert_eq!(missing(Received { snapshot: "--all", ..all }), Refusal::Missing("source_snapshot"));
    assert_eq!(
        missing(Received { snapshot: "", ..all }).answer().text(),
        "[NEED_CONTEXT: source_snapshot]\n"
    );
}

#[test]
fn a_snapshot_is_a_name_that_can_be_checked_out() {
    for (name, fits) in [
        ("0f86bb8", true),
        ("HEAD~2", true),
        ("feature/pool-2", true),
        ("stash@{0}", true),
        ("", false),
        ("-q", false),
        ("a..b", false),
        ("a b", false),
        ("a;b", false),
        ("$(x)", false),
    ] {
        assert_eq!(Snapshot::named(name).is_some(), fits, "{name}");
    }
}

#[test]
fn the_terminal_mode_says_only_the_terminal_payload_whatever_it_was_given() {
    let tried = [Try {
        hypothesis: "the driver is another version".into(),
        layer: FailureLayer::Dependency,
        outcome: "the lock agrees".into(),
    }];
    let clean = payload(4);
    for (name, text) in
        [("a clean handoff", clean.as_str()), ("none", ""), ("a polluted one", "User: a\nAI: b\nUser: c")]
    {
        for attempt in [4, 5, 90] {
            let answer = begin(Attempt::new(attempt), &received(text), &tried).unwrap_err();
            assert_eq!(answer.kind(), AnswerKind::Escalation, "{name}");
            let read = Escalation::read(&answer.text()).unwrap();
            assert_eq!(read.attempt, Attempt::new(attempt));
            assert_eq!(read.suspected_failure_layer, [FailureLayer::Dependency]);
            assert_eq!(read.what_was_tried, ["the driver is another version"]);
            assert_eq!(read.what_did_not_work, ["the lock agrees"]);
            assert_eq!(read.request, [ABOVE_REFLECTION]);
            assert!(read.task_scope.starts_with("reflection rescue summary"));
            assert_eq!(read.handoff_artifacts.len(), if name == "a clean handoff" { 4 } else { 0 }, "{name}");
        }
    }
    assert_eq!(begin(Attempt::new(3), &received(&clean), &tried).unwrap().0, RescueMode::ContextOverride);
}

#[test]
fn only_the_terminal_mode_may_escalate_and_it_may_nothing_else() {
    for kind in AnswerKind::ALL {
        let is_payload = kind == AnswerKind::Escalation;
        assert_eq!(kind.is_allowed_in(RescueMode::Terminal), is_payload);
        assert_eq!(kind.is_allowed_in(RescueMode::Unblocker), !is_payload);
        assert_eq!(kind.is_allowed_in(RescueMode::ContextOverride), !is_payload);
        assert_eq!(AnswerKind::read(&kind.name().to_uppercase().replace('_', "-")), Some(kind));
    }
}
