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
        let answer = begin(Attempt::FIRST, &received(&text), &[]).map_err(|none| none.answer);
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
            begin(Attempt::FIRST, &received, &[]).err().map(|none| none.answer),
            Some(need(ContextTarget::CleanHandoff)),
            "{name}"
        );
    }
    assert_eq!(need(ContextTarget::CleanHandoff).text(), "[NEED_CONTEXT: clean_handoff]\n");
}

#[test]
fn nothing_is_hidden_behind_a_long_payload_or_in_a_block() {
    let items = |count: usize| format!("- {}\n", "y".repeat(280)).repeat(count);
    let full = payload(4).replace("- closing twice\n", &items(22));
    let talk = "User: fix it\nAssistant: I tried the bound\nUser: still red\n".repeat(5);
    let facts =
        format!("{}[FORCED_CONTEXT]\n{}", payload(4), "- a plain fact of some length\n".repeat(3_000));
    let unknown_key = payload(4).replace("request:", &format!("transcript:\n{talk}request:"));
    let long_item = payload(4).replace("- closing twice", &format!("- {}", "closing twice ".repeat(100)));
    let enormous = format!("{}{}", payload(4), "x".repeat(super::handoff::MOST_READ));
    for (name, text) in [
        ("talk behind a full payload", format!("{full}{talk}")),
        ("a block without end", facts),
        ("talk under a key of its own", unknown_key),
        ("an item that is a story", long_item),
        ("more than is read", enormous),
    ] {
        let refusal = admit(&received(&text)).unwrap_err();
        assert_eq!(refusal.answer(), need(ContextTarget::CleanHandoff), "{name}: {refusal}");
        assert!(refusal.to_string().starts_with("the handoff is not clean: "), "{name}: {refusal}");
    }
    assert!(admit(&received(&full)).is_ok(), "a full payload is one");
    let endless = "x".repeat(super::handoff::MOST_READ + 1);
    let clean = payload(4);
    let refusal = admit(&Received { task: &endless, ..received(&clean) }).unwrap_err();
    assert_eq!(refusal.answer(), need(ContextTarget::CleanHandoff));
}

#[test]
fn what_hansei_itself_writes_is_clean() {
    let mut full =
        Escalation::of(Attempt::new(4), "the import of files on the build machine, which has three rows");
    full.what_was_tried = vec![
        "First try: the parser drops the last row because the loop ends one too early; changed the bound"
            .to_owned(),
        "Attempt 2: the reader skips the header although the file has none; changed skip_header".to_owned(),
        "model: the file is read as text, so that a carriage return is taken for a row's end".to_owned(),
    ];
    full.what_did_not_work =
        vec!["AssertionError: assert 3 == 4 in tests/test_import.py, still red".to_owned(); 3];
    full.handoff_artifacts = vec!["escalation payload received: [ATTEMPT: 9]".to_owned(); 4];
    full.current_invariants =
        vec!["passes: a check of some length that has a name and a folder".to_owned(); 8];
    let mut text = full.text();
    assert!(text.len() > 1_000);
    for attempt in [4, 5, 9] {
        let back = begin(Attempt::new(attempt), &received(&text), &[]).unwrap_err();
        assert_eq!(back.reason, None, "{text}");
        text = back.answer.text();
    }
    assert!(admit(&received(&text)).is_ok(), "{text}");
}

#[test]
fn blocks_inside_the_payload_are_read_as_blocks() {
    let inside = payload(4).replace(
        "what_did_not_work:\n",
        "[FORCED_CONTEXT]\n- src/pool.rs\n[CHECKLIST]\n- [x] port answers\nwhat_did_not_work:\n- leaks\n",
    );
    let behind = payload(4).replace("</ESC", "[CHECKLIST]\n- [ ] the driver is loaded\n</ESC");
    let read = admit(&received(&inside)).unwrap();
    assert_eq!(read.escalation.what_was_tried, ["closing twice"], "the list before it stays whole");
    assert_eq!(read.escalation.what_did_not_work, ["leaks"], "and so does the one behind it");
    assert_eq!(read.forced.text(), "[FORCED_CONTEXT]\n- src/pool.rs\n[CHECKLIST]\n- [x] port answers\n");
    let read = admit(&received(&behind)).unwrap();
    assert_eq!(read.forced.text(), "[CHECKLIST]\n- [ ] the driver is loaded\n");
    assert_eq!(read.escalation.request, Vec::<String>::new());
}

#[test]
fn every_refusal_says_why() {
    let (third, clean) = (payload(3), payload(4));
    let talk = "User: a\nAssistant: b\nUser: c";
    for (received, why) in [
        (received("please help"), "misrouted: there is no <ESCALATION> payload"),
        (received(&third), "misrouted: [ATTEMPT: 3] is below [ATTEMPT: 4]"),
        (
            Received { context: talk, ..received(&clean) },
            "the handoff is not clean: the context: it replays 3 turns of a conversation",
        ),
        (Received { task: "", ..received(&clean) }, "the handoff has no original_task"),
    ] {
        let none = begin(Attempt::FIRST, &received, &[]).unwrap_err();
        assert_eq!(none.reason.unwrap().to_string(), why);
    }
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
            let answer = begin(Attempt::new(attempt), &received(text), &tried).unwrap_err().answer;
            assert_eq!(answer.kind(), AnswerKind::Escalation, "{name}");
            let read = Escalation::read(&answer.text()).unwrap();
            assert_eq!(read.attempt, Attempt::new(attempt));
            assert_eq!(read.suspected_failure_layer, [FailureLayer::Dependency]);
            let own = (name == "a clean handoff").then_some("the coder's own: closing twice");
            let expected: Vec<&str> = ["the driver is another version"].into_iter().chain(own).collect();
            assert_eq!(read.what_was_tried, expected, "{name}");
            assert_eq!(read.what_did_not_work, ["the lock agrees"]);
            assert_eq!(read.request, [ABOVE_REFLECTION]);
            assert!(read.task_scope.starts_with("reflection rescue summary"));
            let named = read.handoff_artifacts.join("\n");
            for part in
                ["Close every handle of the pool.", "0f86bb8", "payload received: ", "signal: unknown"]
            {
                assert!(
                    named.contains(part),
                    "{name}: {part} is named whether it was admitted or not: {named}"
                );
            }
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
