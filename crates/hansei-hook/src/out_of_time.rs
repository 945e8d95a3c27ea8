//! Stops whose time runs out: what was found by then counts, and nobody is told that all is well. Each beside its twin in time.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hansei_agents::payload::Payload;
use hansei_core::event::HookEvent;
use hansei_core::evidence::{Evidence, Found, Kind, Situation, look_telling};
use hansei_core::interrupt::{Action as Decided, Caps, Decision, Rules, Why, decide};
use hansei_core::ledger::Ledger;
use hansei_core::reflection::Mode;
use hansei_core::session::{Action, AnswerEnd, HumanVia, Session as CoreSession, SessionEvent, What};
use hansei_core::verdict::{Autonomy, Pause, Policy, Standing};
use hansei_record::log::{SessionLog, WhenCapturing};
use hansei_record::places::Places;
use hansei_record::stop_settings::StopSettings;
use hansei_workspace::layout::Layout;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::capture::{Captured, Changed};
use crate::environment::Environment;
use crate::judging::{Bench, Findings, judge};
use crate::scene::{Looker, Scene};
use crate::session::Session;
use crate::time_limit::{LOG_PATIENCE, TimeLimit};
use crate::{Call, Outcome};

const RED: &str =
    "test parse::empty ... FAILED\n\nfailures:\n    parse::empty\n\ntest result: FAILED. 3 passed; 1 failed";
const GREEN: &str = "test result: ok. 4 passed; 0 failed";

/// A session in which the tests ran, and the agent says that they pass.
fn scene(exit_code: i32) -> Arc<Scene> {
    let (end, output) = if exit_code == 0 { (AnswerEnd::Done, GREEN) } else { (AnswerEnd::Failed, RED) };
    let called = |call: &str, tool: &str, action: Action| What::Called {
        call: call.into(),
        tool: tool.into(),
        input: Value::Null,
        action,
    };
    let answered = |call: &str, output: &str, end: AnswerEnd, exit_code: Option<i32>| What::Answered {
        call: call.into(),
        output: output.into(),
        end,
        exit_code,
    };
    let told = [
        What::HumanSaid { text: "fix the parser".into(), via: HumanVia::Prompt },
        called("e", "edit", Action::Edit { paths: vec!["src/parse.rs".into()] }),
        answered("e", "ok", AnswerEnd::Done, None),
        called("t", "bash", Action::Run { command: "cargo test".into(), background: false }),
        answered("t", output, end, Some(exit_code)),
        What::Said { text: "Fixed. All tests pass.".into() },
    ];
    let events: Vec<SessionEvent> =
        told.map(|what| SessionEvent { at: None, id: Some("m".into()), what }).into_iter().collect();
    Arc::new(Scene {
        session: CoreSession::fold(&events),
        instructions: Vec::new(),
        background: 0,
        broken: Vec::new(),
        decisions_unchecked: None,
        changed: None,
        touched: Vec::new(),
    })
}

/// Looks on until something is found, tells of it and never answers. Its end is seen as that of patience is, only at once.
fn until_something(situation: &Situation<'_>, tell: &mut dyn FnMut(&[Evidence])) -> Found {
    look_telling(situation, &mut |found| {
        tell(found);
        if !found.is_empty() {
            resume_unwind(Box::new("there is no more time"));
        }
    })
}

/// Finds nothing before the time is over.
fn until_nothing(_: &Situation<'_>, _: &mut dyn FnMut(&[Evidence])) -> Found {
    resume_unwind(Box::new("there is no more time"))
}

/// What is found by `search` and decided about a stop.
fn stop(scene: &Arc<Scene>, search: Looker, attended: bool) -> (Findings, Decision) {
    let autonomy = if attended { Autonomy::Ask } else { Autonomy::Auto };
    let policy = Policy { attended, autonomy };
    let rules = Rules { mode: Mode::Solo, policy, caps: Caps::default(), muted: BTreeSet::new(), off: false };
    // Nobody waits for so long: each search ends by itself.
    let looked = scene.look_by(search, Duration::from_hours(1));
    let findings = Findings::of(scene, looked, &rules);
    let decision =
        decide(&findings.stop, &Ledger::default(), &findings.judgement, &findings.evidence, &rules);
    (findings, decision)
}

/// What the agent is told, if it is sent back.
fn feedback(decision: &Decision) -> Option<&str> {
    match &decision.action {
        Decided::SendBack { feedback, .. } => Some(feedback),
        _ => None,
    }
}

#[test]
fn what_was_found_before_the_time_ran_out_sends_back() {
    let scene = scene(101);
    let (cut, decision) = stop(&scene, until_something, false);
    let told = feedback(&decision).unwrap_or_else(|| panic!("{:?}", decision.steps));
    assert!(told.contains("`cargo test` exited 101") && told.contains("parse::empty"), "{told}");
    assert!(cut.unavailable.as_deref().is_some_and(|why| why.contains("the time ran out")));
    assert!(!cut.judgement.verdict.complete);
    // In time there is more to be said, and nothing is left open.
    let (whole, decision) = stop(&scene, look_telling, false);
    assert!(feedback(&decision).is_some_and(|told| told.contains("you said “All tests pass.”")));
    assert_eq!(whole.unavailable, None);
    let has_claim = |found: &Findings| found.evidence.iter().any(|it| it.kind == Kind::ClaimContradicted);
    assert_eq!((has_claim(&cut), has_claim(&whole)), (false, true));
}

/// The agent may have told it all, and nobody has read that yet: a person is not interrupted for it.
#[test]
fn with_a_person_there_half_a_look_interrupts_nobody_and_is_no_pass() {
    let scene = scene(101);
    let (cut, decision) = stop(&scene, until_something, true);
    assert_eq!(decision.action, Decided::LetStop(Why::NotEnough), "{:?}", decision.steps);
    assert!(!cut.judgement.verdict.complete);
    assert!(feedback(&stop(&scene, look_telling, true).1).is_some());
}

#[test]
fn a_stop_whose_time_ran_out_is_never_complete() {
    let scene = scene(0);
    for search in [until_something as Looker, until_nothing] {
        for attended in [true, false] {
            let (cut, decision) = stop(&scene, search, attended);
            let verdict = &cut.judgement.verdict;
            assert!(!verdict.complete, "{verdict:?}");
            assert_eq!(verdict.missing, ["Not everything was looked at: the time ran out."]);
            assert_eq!(decision.action, Decided::LetStop(Why::NotEnough), "{:?}", decision.steps);
            assert_eq!(decision.standing, Some(Standing::Paused(Pause::Parked)));
            assert!(decision.notice.is_some_and(|notice| notice.matters));
        }
    }
    let (whole, decision) = stop(&scene, look_telling, true);
    assert!(whole.judgement.verdict.complete);
    assert_eq!(decision.action, Decided::LetStop(Why::Complete), "{:?}", decision.steps);
}

/// What is answered to a stop of `OpenCode` that is judged with so much time, and the lines of the log.
fn judged(folder: &Path, exit_code: i32, limit: &TimeLimit) -> (Outcome, Vec<Value>) {
    let part = |part: Value| json!([part]);
    let output = if exit_code == 0 { GREEN } else { RED };
    let state = json!({ "status": "completed", "input": { "command": "cargo test" }, "output": output, "metadata": { "exit": exit_code } });
    let message = |number: u64, role: &str, parts: Value| {
        let info = json!({ "id": format!("msg_{number}"), "role": role, "time": { "created": 1_794_744_000_000 + 1000 * number } });
        json!({ "info": info, "parts": parts })
    };
    let messages = json!([
        message(1, "user", part(json!({ "id": "p1", "type": "text", "text": "fix the parser" }))),
        message(
            2,
            "assistant",
            part(json!({ "id": "p2", "type": "tool", "tool": "bash", "callID": "c", "state": state }))
        ),
        message(
            3,
            "assistant",
            part(json!({ "id": "p3", "type": "text", "text": "Fixed. All tests pass." }))
        ),
    ]);
    let session = Session {
        id: "s1".into(),
        layout: Layout::of(folder),
        places: Places::new(folder, None, None),
        gaps: Vec::new(),
        payload: Payload { cwd: Some(folder.into()), attended: Some(false), ..Payload::default() },
        messages: Some(to_raw_value(&messages).unwrap()),
    };
    let call = Call { agent: Some("opencode".into()), event: HookEvent::Stop, mode: Mode::Solo };
    let environment = Environment { folder: folder.into(), ..Environment::default() };
    let log = SessionLog::lock(&session.log_folder().unwrap(), "s1", WhenCapturing::Wait, LOG_PATIENCE);
    let captured =
        Captured { log: log.unwrap(), settings: StopSettings::default(), changed: Changed::default() };
    let bench = Bench { call: &call, environment: &environment, session: &session, limit, second: None };
    let outcome = judge(&bench, captured).unwrap();
    let text = std::fs::read_to_string(folder.join(".hansei/log/s1.jsonl")).unwrap();
    (outcome, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn a_session_that_is_not_read_in_time_is_let_go_unread_and_never_as_complete() {
    for exit_code in [0, 101] {
        let folder = tempfile::tempdir().unwrap();
        let (outcome, log) = judged(folder.path(), exit_code, &TimeLimit::spent());
        let said = outcome.reply.map(|reply| reply.to_string()).unwrap_or_default();
        assert!(!said.contains("[Hansei]"), "{said}");
        let [.., unavailable, last] = log.as_slice() else { panic!("{log:?}") };
        assert_eq!(unavailable["kind"], "judge_unavailable");
        assert_eq!(unavailable["reason"], "the time ran out while the session was read");
        assert_eq!((&last["kind"], &last["why"]), (&json!("let_go"), &json!("unreadable")));
        assert!(!folder.path().join(".hansei/verdicts").exists(), "nothing was judged");
    }
    for (exit_code, kind) in [(0, "let_go"), (101, "sent_back")] {
        let folder = tempfile::tempdir().unwrap();
        let (outcome, log) = judged(folder.path(), exit_code, &TimeLimit::of_a_step());
        let last = log.last().unwrap();
        assert_eq!(last["kind"], kind, "{last}");
        let said = outcome.reply.map(|reply| reply.to_string()).unwrap_or_default();
        assert_eq!(said.contains("[Hansei]"), exit_code == 101, "{said}");
        assert!(log.iter().all(|line| line["kind"] != "judge_unavailable"));
    }
}
