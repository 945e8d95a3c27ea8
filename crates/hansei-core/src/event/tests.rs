//! Lines of a log, written and read back.

use super::*;
use crate::outcome::{Came, Source};

#[test]
fn unknown_kinds_are_kept_and_torn_lines_are_not_taken_for_them() {
    let known = br#"{"v":1,"seq":3,"time":"2026-11-15T10:40:00Z","kind":"task_started"}"#;
    assert!(matches!(read_line(known), ReadLine::Known(Line { seq: 3, event: Event::TaskStarted, .. })));
    let newer = br#"{"v":7,"seq":3,"time":"2026-11-15T10:40:00Z","kind":"dreamt","of":["sheep"]}"#;
    let ReadLine::Unknown(value) = read_line(newer) else { panic!("kept") };
    assert_eq!(serde_json::to_vec(&value).unwrap(), newer);
    assert_eq!(read_line(&known[..40]), ReadLine::Torn);
    assert_eq!(read_line(b"12"), ReadLine::Torn);
}

fn of_rescues() -> [Event; 2] {
    [
        Event::RescueProposed {
            fingerprint: Fingerprint::of_text("f"),
            attempt: Attempt::FIRST,
            answer: AnswerKind::EnvironmentFix,
            hypothesis: "PORT is not set".into(),
            layer: FailureLayer::Environment,
            run: None,
        },
        Event::RescueWorked {
            fingerprint: Fingerprint::of_text("f"),
            attempt: Attempt::FIRST,
            hypothesis: "PORT is not set".into(),
            run: "run-1".into(),
        },
    ]
}

#[test]
fn every_event_reads_back() {
    let time = Timestamp::try_from("2026-11-15T10:40:00Z".to_owned()).unwrap();
    let events = [
        Event::SessionStarted {
            base: BaseCommit::Commit("ab12".into()),
            dirty: vec![DirtyFile { path: "a".into(), blob: "absent".into() }],
            degraded: vec![],
        },
        Event::TaskStarted,
        Event::AgentReported { event: HookEvent::SubagentStop },
        Event::CaptureStarted { attempt: 2 },
        Event::CaptureFailed { reason: "disk full".into() },
        Event::JudgingStarted { stop: "s".into(), until: time.clone() },
        Event::Judged {
            stop: "s".into(),
            task: "m".into(),
            epoch: 1,
            complete: false,
            severity: Severity::High,
            decided_by: DecidedBy::Executed,
            p_complete: 0.25,
            evidence: vec![Kind::CheckFailed],
            record: None,
        },
        Event::TranscriptRead(TranscriptMark {
            file: "ab12".into(),
            size: 7,
            head: "cd34".into(),
            tail: "ef56".into(),
            answered: 2,
        }),
        Event::JudgeUnavailable { reason: "timeout".into() },
        Event::SentBack {
            stop: "s".into(),
            task: "m".into(),
            epoch: 1,
            attempt: 2,
            grounds: vec![Kind::CheckFailed],
            failures: Failures { all: ["check_failed:a".to_owned()].into(), ..Failures::default() },
            feedback: "no".into(),
            escalation: Some("e.md".into()),
        },
        Event::LetGo {
            stop: "s".into(),
            task: "m".into(),
            epoch: 0,
            why: Why::AttemptsSpent,
            standing: Some(Standing::Ended(crate::verdict::Ending::GaveUpAfterReflections)),
        },
        Event::Skipped { stop: "s".into(), task: "m".into(), why: SkipWhy::Aborted },
        Event::SilenceSeen {
            stop: "s".into(),
            task: "m".into(),
            reason: stuck::Reason::WaitingForUser,
            left_alone: Some(LeftAlone::NotDue),
        },
        Event::CompactionSeen {
            task: "m".into(),
            epoch: 1,
            action: nudge::Action::ContinueTask,
            left_alone: None,
        },
        Event::Nudged {
            stop: String::new(),
            task: "m".into(),
            epoch: 1,
            because: NudgeCause::Compaction,
            text: "go on".into(),
        },
        Event::NoticeDue { about: About::UsageLimit, line: "limit".into() },
        Event::NoticeSent { about: About::Stuck, ways: vec!["desktop".into()], failed: vec![] },
        Event::TurnedOff,
        Event::TurnedOn,
        Event::MarkedWrong { detector: "check_failed".into(), session: None },
        Event::Outcome(Outcome {
            subject: "s".into(),
            outcome: Came::Wrong,
            source: Source::Revert,
            why: String::new(),
            commits: vec!["ab12".into()],
            seen: time.clone(),
        }),
        Event::ExperimentRead {
            experiment: Experiment::GitHistory,
            registration: "ab12".into(),
            status: Status::NotEnoughData,
            n: 3,
        },
        Event::GateOverridden { why: "a pilot".into(), who: "Ada".into() },
        Event::GateOverrideEnded { who: "Ada".into() },
        Event::RefusedInsideAgent { command: "off".into(), by: "CLAUDECODE".into() },
    ];
    for event in events.into_iter().chain(of_rescues()) {
        let line = Line { v: VERSION, seq: 1, time: time.clone(), event };
        let text = serde_json::to_vec(&line).unwrap();
        assert_eq!(read_line(&text), ReadLine::Known(line));
    }
}
