//! Where sessions stand in the digest, and what is said about each.

use super::*;
use crate::event::{Event, Line};
use crate::evidence::shorthand::{GREEN, Tale, red};
use crate::interrupt::{SkipWhy, Why, task_key};
use crate::verdict::{DecidedBy, Severity, Verdict};

fn account(tale: &Tale) -> Account {
    Account {
        id: "s".into(),
        agent: "claude-code".into(),
        session: Some(tale.session()),
        ..Account::default()
    }
}

fn line(event: Event) -> Line {
    Line { v: 1, seq: 1, time: Timestamp::try_from("2026-03-04T10:00:00Z".to_owned()).unwrap(), event }
}

fn let_go(task: &str, standing: Standing) -> Line {
    let (stop, task) = (String::new(), task.to_owned());
    line(Event::LetGo { stop, task, epoch: 0, why: Why::NotEnough, standing: Some(standing) })
}

fn check(group: Group, words: &str, tale: &Tale) {
    let entry = entry(&account(tale));
    assert!(entry.group == group && entry.line.contains(words), "{group:?} {words:?}: {entry:#?}");
}

#[test]
fn each_session_stands_in_one_group_with_its_line() {
    let fix = || Tale::of("Fix the parser so that `cargo test` passes").edits("src/a.rs");
    let failing = red(&["parse::empty"]);
    check(
        Group::Verified,
        "`cargo test` passed (3 passed)",
        &fix().run("cargo test", 0, GREEN).said("Fixed; all tests pass."),
    );
    check(
        Group::Unverified,
        "`cargo test` exited 101",
        &fix().run("cargo test", 101, &failing).said("Done. All tests pass."),
    );
    check(
        Group::Unverified,
        "parse::empty",
        &fix().run("cargo test 2>&1 | tail -5", 0, &failing).said("Done. All tests pass."),
    );
    check(
        Group::Unverified,
        "nothing to check: no code was changed",
        &Tale::of("What does the parser do with an empty line?")
            .look("src/a.rs", "fn a() {}")
            .said("It skips empty lines."),
    );
    check(
        Group::LimitHit,
        "usage limit",
        &fix().failed("You've hit your usage limit. Try again at 3:05 PM."),
    );
    check(Group::Unverified, "the turn failed: API Error: 500", &fix().failed("API Error: 500 oops\nmore"));
    check(Group::Aborted, "interrupted at `cargo test`", &fix().run("cargo test", 0, "").aborted());
    check(
        Group::NeedsYou,
        "two-factor",
        &Tale::of("Publish the crate")
            .run("cargo publish", 101, "error: two-factor authentication required")
            .said("I cannot go on: please log in to crates.io and enter your two-factor code, then run `cargo login`."),
    );
    let mut looping = fix();
    for _ in 0..5 {
        looping = looping.run("cargo build", 101, "error[E0425]: cannot find value `x`");
    }
    check(Group::Stuck, "times", &looping.said("Let me try the build again."));
}

#[test]
fn our_own_record_of_the_last_stop_outranks_a_second_look() {
    let tale =
        Tale::of("Fix the parser").edits("src/a.rs").run("cargo test", 101, &red(&["a"])).said("Done.");
    let mut account = account(&tale);
    let key = task_key(account.session.as_ref().unwrap().tasks.last().unwrap());
    account.log = vec![let_go(&key, Standing::Ended(Ending::Stuck))];
    assert_eq!(entry(&account).group, Group::Stuck);
    assert!(
        entry(&account).line.starts_with("no progress: `cargo test` exited 101"),
        "{:?}",
        entry(&account)
    );
    let judged = Event::Judged {
        stop: String::new(),
        task: key.clone(),
        epoch: 0,
        complete: false,
        severity: Severity::High,
        decided_by: DecidedBy::Executed,
        p_complete: 0.1,
        evidence: vec![Kind::CheckFailed],
        record: None,
    };
    account.log.insert(0, line(judged));
    account.muted = [Kind::CheckFailed].into();
    assert_eq!(entry(&account).group, Group::Unverified, "the user calls that judgement wrong");
    account.muted.clear();
    account.log = vec![let_go("another task", Standing::Ended(Ending::Stuck))];
    assert_eq!(entry(&account).group, Group::Unverified);
    account.log = vec![line(Event::Skipped { stop: String::new(), task: key, why: SkipWhy::Aborted })];
    assert_eq!(entry(&account).group, Group::Aborted);
}

#[test]
fn without_a_transcript_our_own_records_speak() {
    let verdict = Verdict {
        complete: false,
        severity: Severity::High,
        requires_human_action: false,
        feedback: "Not complete: you said that tests pass, but `ask you` exited 1.".into(),
        missing: vec![],
        next_actions: vec![],
        evidence_ids: vec![],
        decided_by: DecidedBy::Executed,
        confidence: 0.9,
    };
    let verdict = serde_json::from_value(serde_json::json!({
        "agent": "codex", "verdict": verdict, "ending": "failed", "dreamt": true,
        "evidence": [{ "id": "e1", "kind": "of_a_newer_version", "where": "session", "text": "x" }],
    }));
    let mut gone = Account {
        log: vec![let_go("t", Standing::Ended(Ending::Failed))],
        verdict: Some(verdict.unwrap()),
        ..Account::default()
    };
    let told = entry(&gone);
    assert_eq!((told.group, told.tokens), (Group::Unverified, None));
    assert_eq!(told.line, "Not complete: it said that tests pass, but `ask you` exited 1.");
    gone.log = vec![let_go("t", Standing::Paused(Pause::BlockedOnHuman))];
    assert_eq!(entry(&gone).group, Group::NeedsYou);
    gone.log = vec![line(Event::TaskStarted)];
    gone.verdict = None;
    assert_eq!(entry(&gone).line, "its transcript is gone, and nobody judged it");
}

#[test]
fn what_is_older_is_left_out_and_the_most_urgent_comes_first() {
    let at = |time: &str| Timestamp::try_from(format!("2026-03-04T{time}Z")).unwrap();
    let told = |group, time: &str, session: &str| Entry {
        group,
        session: session.into(),
        at: Some(at(time)),
        tokens: Some(10),
        cost_usd: (group == Group::Stuck).then_some(0.5),
        ..entry(&Account::default())
    };
    let digest = Digest::of(
        at("18:00:00"),
        vec![
            told(Group::Verified, "19:00:00", "a"),
            told(Group::NeedsYou, "17:59:59.999", "old"),
            told(Group::Stuck, "18:00:00.5", "b"),
            told(Group::Stuck, "18:00:00", "c"),
            told(Group::NeedsYou, "20:00:00.1", "d"),
        ],
    );
    let order: Vec<&str> = digest.entries.iter().map(|entry| entry.session.as_str()).collect();
    assert_eq!(order, ["d", "b", "c", "a"]);
    assert_eq!((digest.sessions, digest.tokens, digest.cost_usd), (4, 40, Some(1.0)));
}

#[test]
fn evidence_is_told_to_a_person() {
    for (said, told) in [
        ("you said “you are done”, and your tests fail", "it said “you are done”, and its tests fail"),
        ("Your `you` and \"your\"", "Its `you` and \"your\""),
        ("youth, you'll", "youth, you'll"),
    ] {
        assert_eq!(third_person(said), told);
    }
}
