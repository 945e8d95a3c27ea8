//! A run is what its log says: cut anywhere, it goes on from there.

use super::told::{PLAN, Says, Story, call};
use crate::run::conversation::Message;
use crate::run::{Gate, Mode, Run, RunEvent};
use crate::verdict::Ending;

fn script() -> Vec<Says> {
    vec![
        Says::Words(PLAN),
        call("echo 1"),
        Says::Calls(vec!["echo 2".into(), "echo 3".into()]),
        Says::Words("done"),
        Says::Words("I was wrong"),
        call("echo 4"),
        Says::Words("done"),
    ]
}

fn whole() -> Story {
    let mut story = Story::of(Mode::PlanExec, script(), &[Gate::Red, Gate::Green]);
    story.go();
    story
}

#[test]
fn counters_are_rebuilt_from_the_events() {
    let story = whole();
    let folded = Run::fold(&story.events).unwrap();
    assert_eq!(folded, story.run);
    let written = serde_json::to_string(&story.run).unwrap();
    assert_eq!(serde_json::from_str::<Run>(&written).unwrap(), story.run, "and it can be written down");
    let lines: Vec<String> = story.events.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    let read: Vec<RunEvent> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, story.events);
}

#[test]
fn cut_anywhere_it_goes_on_and_makes_no_call_twice() {
    let story = whole();
    for cut in 1..story.events.len() {
        let before = &story.events[..cut];
        let mut run = Run::fold(before).unwrap();
        run.apply(&RunEvent::RunResumed);
        let called = |events: &[RunEvent]| {
            events.iter().filter(|event| matches!(event, RunEvent::ToolCalled { .. })).count()
        };
        let open = matches!(before.last(), Some(RunEvent::ToolCalled { .. }));
        let next = run.next(0);
        assert_eq!(matches!(next, crate::run::Step::LoseTrack(_)), open, "after {:?}", before.last());
        // What is left to do makes exactly the calls that were not made.
        let mut rest = Story::of(Mode::PlanExec, vec![], &[]);
        rest.run = run;
        rest.events = before.to_vec();
        let said = before.iter().filter(|event| matches!(event, RunEvent::ModelAnswered { .. })).count();
        rest.says(script()[said..].to_vec());
        let verified = before.iter().filter(|event| matches!(event, RunEvent::Verified(_))).count();
        rest.after_checks = if verified == 0 { Gate::Red } else { Gate::Green };
        while rest.step() {
            if rest.count("verified") > 0 {
                rest.after_checks = Gate::Green;
            }
        }
        assert_eq!(rest.ended().ending, Ending::Complete, "cut at {cut}: {:?}", rest.kinds());
        assert_eq!(called(&rest.events), 4, "cut at {cut}");
        assert_eq!(rest.run.used(), story.run.used(), "cut at {cut}");
    }
}

#[test]
fn the_model_is_told_what_nobody_knows() {
    let mut story = Story::of(Mode::React, vec![call("echo 1")], &[]);
    story.step();
    story.record(RunEvent::ToolCalled {
        call: "c1".into(),
        tool: "shell".into(),
        input: serde_json::json!({ "command": "echo 1" }),
    });
    story.record(RunEvent::RunResumed);
    story.go();
    assert_eq!(story.count("outcome_unknown"), 1);
    assert_eq!(story.count("tool_called"), 1, "it is not made again");
    let told = story.run.messages().iter().any(
        |message| matches!(message, Message::ToolResult { text, is_error: true, .. } if text.contains("outcome_unknown")),
    );
    assert!(told);
}
