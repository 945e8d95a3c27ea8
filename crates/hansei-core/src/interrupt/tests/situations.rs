//! Stops read from sessions.

use super::*;
use crate::evidence::Situation;
use crate::interrupt::feedback::MARK;
use crate::session::{AnswerEnd, Feeder, HumanVia, Session, SessionEvent, What};

fn event(id: &str, what: What) -> SessionEvent {
    SessionEvent { at: None, id: Some(id.into()), what }
}

fn human(id: &str, text: &str) -> SessionEvent {
    event(id, What::HumanSaid { text: text.into(), via: HumanVia::Prompt })
}

fn fed(text: &str) -> SessionEvent {
    event("f", What::Fed { text: text.into(), by: Feeder::StopHook })
}

fn said(text: &str) -> SessionEvent {
    event("a", What::Said { text: text.into() })
}

fn called(action: crate::session::Action) -> SessionEvent {
    event("c", What::Called { call: "c".into(), tool: "t".into(), input: serde_json::Value::Null, action })
}

fn ran() -> Vec<SessionEvent> {
    let action = crate::session::Action::Run { command: "cargo test".into(), background: false };
    let answered =
        What::Answered { call: "c".into(), output: String::new(), end: AnswerEnd::Done, exit_code: Some(0) };
    vec![called(action), event("r", answered)]
}

fn stop_of(events: &[SessionEvent], evidence: &[Evidence], rules: &Rules) -> Stop {
    let session = Session::fold(events);
    Stop::of(&Situation::of(&session), evidence, rules.policy)
}

#[test]
fn a_stop_is_known_by_ids() {
    let mut events = vec![human("m1", "fix it")];
    events.extend(ran());
    events.push(said("Done."));
    let first = stop_of(&events, &[], &attended());
    assert_eq!((first.task.as_str(), first.epoch, first.blocks), ("m1", 0, 0));
    assert_eq!(first, stop_of(&events, &[], &attended()), "read again it is the same stop");
    assert!(first.holds.is_empty(), "{first:?}");
    assert_eq!(first.tried, ["ran `cargo test`"]);
    // Sent back, it says the same again: another stop of the same task.
    events.push(fed(&format!("{MARK} Not done yet.")));
    events.push(said("Done."));
    let second = stop_of(&events, &[], &attended());
    assert_eq!((second.task.as_str(), second.blocks), ("m1", 1));
    assert_ne!(second.id, first.id);
    // A compaction is another epoch; the task stays.
    events.push(event("x", What::Compacted { summary: None }));
    let third = stop_of(&events, &[], &attended());
    assert_eq!((third.task.as_str(), third.epoch), ("m1", 1));
    assert_ne!(third.id, second.id);
    events.push(human("m2", "next"));
    assert_eq!(stop_of(&events, &[], &attended()).task, "m2");
}

#[test]
fn what_holds_us_back_is_seen_in_the_session() {
    let question = crate::session::Action::Ask { question: "which?".into() };
    let answered =
        |end| event("r", What::Answered { call: "c".into(), output: String::new(), end, exit_code: None });
    let command = What::HumanSaid { text: "/goal all green".into(), via: HumanVia::Command };
    let work = |events: Vec<SessionEvent>| {
        let mut all = events;
        all.extend(ran());
        all
    };
    for (events, expected) in [
        (work(vec![human("m", "fix it")]), vec![]),
        (vec![human("m", "what is this?"), said("A parser.")], vec![Hold::ChatTurn]),
        (work(vec![human("m", "stop, I'll review tomorrow")]), vec![Hold::HumanSaid(LatestWord::Stop)]),
        (
            work(vec![
                event("p", What::Permission { plan: true, name: "plan".into() }),
                human("m", "fix it"),
            ]),
            vec![Hold::PlanMode],
        ),
        (
            [work(vec![human("m", "fix it")]), vec![called(question.clone())]].concat(),
            vec![Hold::PendingQuestion],
        ),
        // Nobody was there to be asked.
        (
            [work(vec![human("m", "fix it")]), vec![called(question.clone()), answered(AnswerEnd::Failed)]]
                .concat(),
            vec![Hold::PendingQuestion],
        ),
        (
            [work(vec![human("m", "fix it")]), vec![called(question), answered(AnswerEnd::Done)]].concat(),
            vec![],
        ),
        ([work(vec![human("m", "fix it")]), vec![event("x", What::Aborted)]].concat(), vec![Hold::Aborted]),
        (work(vec![event("m", command)]), vec![Hold::OtherDriver("/goal".into())]),
        (
            work(vec![human("m", "fix it"), said("x"), fed("lint fails, fix it")]),
            vec![Hold::OtherDriver("another stop hook".into())],
        ),
        (work(vec![human("m", "fix it"), said("x"), fed(&format!("{MARK} no"))]), vec![]),
        (vec![], vec![Hold::SideSession]),
    ] {
        assert_eq!(stop_of(&events, &[], &attended()).holds, expected, "{events:?}");
    }
    let asked = [found(Kind::PermissionSought, &[])];
    let events = work(vec![human("m", "fix it")]);
    assert_eq!(stop_of(&events, &asked, &attended()).holds, [Hold::PendingQuestion]);
    assert_eq!(stop_of(&events, &asked, &unattended()).holds, []);
    let running = Session::fold(&events);
    let situation = Situation { background: 1, ..Situation::of(&running) };
    assert_eq!(Stop::of(&situation, &[], attended().policy).holds, [Hold::Background]);
}

#[test]
fn where_nobody_is_there_an_agent_that_was_to_act_and_did_not_is_no_chat() {
    let events = [human("m", "fix it"), said("I will now fix it.")];
    let announced = [found(Kind::WorkAnnounced, &[])];
    assert_eq!(stop_of(&events, &announced, &attended()).holds, [Hold::ChatTurn]);
    assert_eq!(stop_of(&events, &announced, &unattended()).holds, []);
}

#[test]
fn who_claims_work_is_no_chat() {
    let says = |words: &str, kind: Kind, rules: &Rules| {
        stop_of(&[human("m", "fix it"), said(words)], &[found(kind, &[])], rules).holds
    };
    for rules in [attended(), unattended()] {
        assert_eq!(says("I fixed it.", Kind::ClaimContradicted, &rules), []);
        assert_eq!(says("All tests pass.", Kind::ClaimUnsupported, &rules), []);
        assert_eq!(says("Done.", Kind::NothingDone, &rules), []);
    }
    let idea = "I would begin with the lexer.";
    assert_eq!(says(idea, Kind::NothingDone, &attended()), [Hold::ChatTurn]);
    assert_eq!(says(idea, Kind::NothingDone, &unattended()), []);
    assert_eq!(says("It is a parser.", Kind::NoCodeDue, &unattended()), [Hold::ChatTurn]);
}

#[test]
fn other_hooks_blocks_count_in_a_row() {
    let mut events = vec![human("m", "fix it")];
    for round in 0..9 {
        events.extend(ran());
        events.push(said("Done."));
        events.push(fed(if round % 2 == 0 { "lint fails" } else { MARK }));
    }
    assert_eq!(stop_of(&events, &[], &attended()).blocks, 9);
}
