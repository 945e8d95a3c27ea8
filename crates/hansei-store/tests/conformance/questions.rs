//! What can be asked, as a table: both databases give the same rows in the same order.

use hansei_core::timestamp::Timestamp;
use hansei_record::redacted::Redacted;
use hansei_store::{Filter, Judged, NewEvent, StreamName};
use serde_json::json;

use crate::backend::Backend;
use crate::files::{Files, WORKSPACE};

fn time(text: &str) -> Timestamp {
    Timestamp::try_from(text.to_owned()).unwrap()
}

#[test]
fn reflections_are_filtered_and_the_newest_comes_first() {
    let none = Filter::default;
    let search = |text: &str| Filter { search: Some(text.into()), ..none() };
    let cases: Vec<(&str, Filter, &[&str])> = vec![
        ("all", none(), &["s2-1", "s1-1"]),
        ("agent", Filter { agent: Some("codex".into()), ..none() }, &["s2-1"]),
        ("unknown agent", Filter { agent: Some("cod".into()), ..none() }, &[]),
        ("surface", Filter { surface: Some("auth".into()), ..none() }, &["s1-1"]),
        ("complete", Filter { verdict: Some(Judged::Complete), ..none() }, &["s2-1"]),
        ("incomplete", Filter { verdict: Some(Judged::Incomplete), ..none() }, &["s1-1"]),
        ("never judged", Filter { verdict: Some(Judged::Never), ..none() }, &[]),
        ("since", Filter { since: Some(time("2026-11-15T10:30:00.5Z")), ..none() }, &["s2-1"]),
        (
            "since the very moment",
            Filter { since: Some(time("2026-11-15T10:01:00Z")), ..none() },
            &["s2-1", "s1-1"],
        ),
        ("session", Filter { session: Some("s1".into()), ..none() }, &["s1-1"]),
        ("limit", Filter { limit: Some(1), ..none() }, &["s2-1"]),
        ("workspace", Filter { workspaces: vec!["x".into(), WORKSPACE.into()], ..none() }, &["s2-1", "s1-1"]),
        ("another workspace", Filter { workspaces: vec!["x".into()], ..none() }, &[]),
        ("a word", search("races"), &["s2-1", "s1-1"]),
        ("the beginning of a word", search("RAC"), &["s2-1", "s1-1"]),
        ("the middle of a word", search("aces"), &[]),
        ("another script", search("größe"), &["s2-1", "s1-1"]),
        ("a part of a path", search("login.rs docs"), &["s2-1"]),
        ("words of the verdict", search("pytest s1"), &["s1-1"]),
        ("words that are syntax", search("races AND \"' OR * :( NOT -x"), &[]),
        ("no word", search(" -- "), &[]),
        ("two at once", Filter { agent: Some("codex".into()), surface: Some("auth".into()), ..none() }, &[]),
    ];
    for backend in Backend::both() {
        let mut store = backend.open();
        Files::filled().read(store.as_mut());
        for (case, filter, expected) in &cases {
            let found = store.reflections(filter).unwrap();
            let names: Vec<&str> = found.iter().map(|found| found.reflection.name.as_str()).collect();
            assert_eq!(names, *expected, "{}: {case}", backend.name());
        }
        let found = &store.reflections(&none()).unwrap()[1];
        assert_eq!((found.complete, found.severity.as_deref()), (Some(false), Some("HIGH")));
        assert_eq!(found.reflection.confidence, Some(0.75));
    }
}

#[test]
fn sessions_and_verdicts_are_filtered_too() {
    let none = Filter::default;
    let cases: Vec<(&str, Filter, &[&str])> = vec![
        ("all", none(), &["s1", "s2"]),
        ("agent", Filter { agent: Some("codex".into()), ..none() }, &["s2"]),
        ("since", Filter { since: Some(time("2026-11-16T00:00:00Z")), ..none() }, &["s1"]),
        ("complete", Filter { verdict: Some(Judged::Complete), ..none() }, &["s2"]),
    ];
    for backend in Backend::both() {
        let mut store = backend.open();
        Files::filled().read(store.as_mut());
        for (case, filter, expected) in &cases {
            let sessions = store.sessions(filter).unwrap();
            let names: Vec<&str> = sessions.iter().map(|session| session.session.as_str()).collect();
            assert_eq!(names, *expected, "{}: {case}", backend.name());
        }
        let sessions = store.sessions(&none()).unwrap();
        assert_eq!(sessions[0].agent.as_deref(), Some("claude-code"));
        assert_eq!(sessions[0].summary.malformed, 2);
        let verdicts = store.verdicts(&none()).unwrap();
        assert_eq!(verdicts.len(), 2);
        assert_eq!((verdicts[1].session.as_str(), verdicts[1].position), ("s1", 3));
        assert_eq!(verdicts[1].evidence, ["check_failed"]);
        assert_eq!(verdicts[1].p_complete, Some(0.25));
        let incomplete = store.verdicts(&Filter { verdict: Some(Judged::Incomplete), ..none() }).unwrap();
        assert_eq!(incomplete, verdicts[1..]);
        let told = store.verdicts(&Filter { search: Some("pytest s2".into()), ..none() }).unwrap();
        assert_eq!(told, verdicts[..1]);
    }
}

#[test]
fn outcomes_come_from_logs_and_from_whoever_appends_them() {
    for backend in Backend::both() {
        let mut store = backend.open();
        Files::filled().read(store.as_mut());
        let line = json!({
            "v": 1, "seq": 1, "time": "2026-11-17T10:00:00Z", "kind": "outcome", "subject": "s2-1",
            "session_id": "s2", "outcome": "correct", "source": "human",
        });
        let event = NewEvent { key: "o1".into(), line: Redacted::new(&line).unwrap() };
        for expected in [1, 0] {
            let sent = store.append(StreamName::new(WORKSPACE, "~outcomes"), vec![event.clone()]).unwrap();
            assert_eq!(sent.0, expected);
        }
        let outcomes = store.outcomes(&Filter::default()).unwrap();
        let told: Vec<_> = outcomes
            .iter()
            .map(|row| {
                (row.subject.as_str(), row.session_id.as_str(), row.verdict.as_str(), row.source.as_str())
            })
            .collect();
        assert_eq!(told, [("s2-1", "s2", "correct", "human"), ("s1", "s1", "wrong", "revert")]);
        assert_eq!(outcomes[1].why.as_deref(), Some("it broke"));
        assert_eq!(outcomes[1].commits, ["ab12"]);
        assert_eq!(
            store.outcomes(&Filter { session: Some("s2".into()), ..Filter::default() }).unwrap().len(),
            1
        );
    }
}
