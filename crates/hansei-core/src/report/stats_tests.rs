//! What send-backs came to, counted from tales and logs.

use super::*;
use crate::evidence::Kind;
use crate::evidence::shorthand::{GREEN, Tale, red};
use crate::interrupt::{Failures, MARK};
use crate::timestamp::Timestamp;

fn line(minute: u8, event: Event) -> Line {
    let time = Timestamp::try_from(format!("2026-03-04T10:{minute:02}:00Z")).unwrap();
    Line { v: 1, seq: minute.into(), time, event }
}

fn sent_back(minute: u8, ground: Kind) -> Line {
    line(
        minute,
        Event::SentBack {
            stop: String::new(),
            task: String::new(),
            epoch: 0,
            attempt: 1,
            grounds: vec![ground],
            failures: Failures::default(),
            feedback: String::new(),
            escalation: None,
        },
    )
}

fn account(tale: &Tale, log: Vec<Line>) -> Account {
    let (id, agent) = ("s".to_owned(), "codex".to_owned());
    Account { id, agent, session: Some(tale.session()), log, ..Account::default() }
}

fn failed_then() -> Tale {
    Tale::of("Fix it")
        .edits("src/a.rs")
        .run("cargo test", 101, &red(&["a"]))
        .said("Done.")
        .used(100, 10)
        .fed_back(&format!("{MARK} `cargo test` exited 101"))
}

#[test]
fn what_a_send_back_led_to() {
    let failing = red(&["a"]);
    for (name, tale, led) in [
        ("the failed check passes", failed_then().edits("src/a.rs").run("cargo test", 0, GREEN), true),
        ("nothing ran", failed_then().said("It is fine."), false),
        ("it still fails", failed_then().run("cargo test", 101, &failing), false),
        (
            "it passes and fails again",
            failed_then().run("cargo test", 0, GREEN).run("cargo test", 1, &failing),
            false,
        ),
        ("a test that had not failed passes", failed_then().run("cargo test other", 0, GREEN), false),
        ("another check passes for the first time", failed_then().run("cargo clippy", 0, ""), true),
        (
            "a check that passed before passes again",
            Tale::of("Fix it")
                .run("cargo test", 0, GREEN)
                .said("Done.")
                .fed_back(&format!("{MARK} stale"))
                .run("cargo test", 0, GREEN),
            false,
        ),
    ] {
        let share = share(&account(&tale.used(40, 2), vec![sent_back(1, Kind::CheckFailed)]), &[]).unwrap();
        assert_eq!(share.send_backs[0].led_to_pass, led, "{name}");
        assert_eq!(share.send_backs[0].tokens, Some(42), "{name}");
    }
}

#[test]
fn a_send_back_without_its_turn_took_nobody_knows_what() {
    let log = vec![sent_back(1, Kind::CheckFailed), sent_back(2, Kind::CheckFailed)];
    let share = share(&account(&failed_then().used(5, 0), log), &[]).unwrap();
    assert_eq!(share.send_backs[0].tokens, Some(5));
    assert_eq!(share.send_backs[1], SendBack::default());
}

#[test]
fn a_mark_means_the_newest_send_back_that_rests_on_the_detector() {
    let mark = |minute, detector: &str, session: Option<&str>| {
        let (detector, session) = (detector.to_owned(), session.map(ToOwned::to_owned));
        line(minute, Event::MarkedWrong { detector, session })
    };
    let log = vec![
        sent_back(1, Kind::CheckFailed),
        sent_back(2, Kind::Placeholder),
        sent_back(3, Kind::CheckFailed),
    ];
    let account = account(&Tale::of("x"), log);
    for (marks, expected) in [
        (vec![mark(5, "check_failed", Some("s"))], vec![2]),
        (vec![mark(2, "check_failed", Some("s"))], vec![0]),
        (vec![mark(5, "placeholder", Some("s"))], vec![1]),
        (vec![mark(5, "placeholder", Some("other")), mark(5, "placeholder", None)], vec![]),
        (vec![mark(5, "open_todos", Some("s"))], vec![]),
    ] {
        let share = share(&account, &marks).unwrap();
        let wrong: Vec<usize> = (0..3).filter(|at| share.send_backs[*at].wrong).collect();
        assert_eq!(wrong, expected, "{marks:?}");
    }
}

#[test]
fn rows_are_agents_and_models_and_the_total_is_their_sum() {
    assert_eq!(share(&Account::default(), &[]), None, "nobody watched it");
    let of = |agent: &str, model: &str, send_backs: Vec<SendBack>| Share {
        agent: agent.into(),
        model: model.into(),
        tokens: 100,
        send_backs,
    };
    let good = SendBack { tokens: Some(7), led_to_pass: true, wrong: false };
    let bad = SendBack { tokens: None, led_to_pass: false, wrong: true };
    let stats = Stats::of([
        of("codex", "b", vec![good.clone(), bad]),
        of("codex", "a", vec![]),
        of("codex", "b", vec![good]),
    ]);
    assert_eq!(stats.rows.len(), 2);
    let row = &stats.rows[1];
    assert_eq!((row.model.as_str(), row.sessions, row.sessions_sent_back, row.send_backs), ("b", 2, 2, 3));
    assert_eq!((row.tokens, row.tokens_unknown, row.led_to_pass, row.wrong), (14, 1, 2, 1));
    assert_eq!((stats.total.sessions, stats.total.send_backs, stats.total.tokens_of_sessions), (3, 3, 300));
}
