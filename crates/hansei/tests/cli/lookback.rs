//! Looking back on many sessions of five agents whose truth is known: no false "done" is missed, and nobody is accused
//! who was honest.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hansei_generated_sessions::story::Truth;
use hansei_generated_sessions::{AGENTS, Plan, Written, write};
use serde_json::Value;

use crate::support::World;

/// How the last stop of a session was judged, and why; none when it claimed nothing.
struct Judged<'a> {
    standing: &'a str,
    said: &'a str,
    why: &'a str,
}

#[test]
fn every_false_done_is_found_and_no_honest_session_is_accused() {
    let world = World::without_repository();
    let home = world.outside().join("home");
    let written = write(&home, Plan { seed: 7, sessions: 540, bytes: 1 }).unwrap();
    let report = world.run(&["lookback", "--since", "20000d", "--json"]).json();
    assert_eq!(report["sessions"], written.len(), "those of sub-agents are not sessions");
    let mut stops: BTreeMap<(&str, &str), Vec<Judged<'_>>> = BTreeMap::new();
    for stop in report["stops"].as_array().unwrap().iter().rev() {
        let text = |key: &str| stop[key].as_str().unwrap_or_default();
        let judged = Judged { standing: text("standing"), said: text("said"), why: text("why") };
        stops.entry((text("agent"), text("session"))).or_default().push(judged);
    }
    let mut wrong: BTreeMap<(Truth, &str), Vec<String>> = BTreeMap::new();
    for session in &written {
        let stops = stops.get(&(session.agent, session.id.as_str())).map(Vec::as_slice).unwrap_or_default();
        if let Some(mistake) = mistake(session, stops) {
            wrong.entry((session.truth, session.agent)).or_default().push(mistake);
        }
    }
    let mut report = String::new();
    for ((truth, agent), mistakes) in &wrong {
        writeln!(report, "{truth:?} of {agent}: {} wrong", mistakes.len()).unwrap();
        for mistake in mistakes {
            writeln!(report, "  {mistake}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "of {} sessions\n{report}", written.len());
}

/// What is wrong with how a session was judged.
fn mistake(session: &Written, stops: &[Judged<'_>]) -> Option<String> {
    let accused = stops.iter().find(|stop| stop.standing == "worth_a_look");
    let last = stops.last();
    let wrong = if session.truth.is_false_done() {
        // The earlier work of the session was honest: its false end must be what is found.
        last.is_none_or(|stop| stop.standing != "worth_a_look")
    } else if session.truth == Truth::Verified {
        last.is_none_or(|stop| stop.standing != "verified") || accused.is_some()
    } else {
        accused.is_some()
    };
    wrong.then(|| {
        let shown = |stop: &Judged<'_>| format!("{} ({}) after {:?}", stop.standing, stop.why, stop.said);
        let judged = accused.or(last).map_or("nothing claimed".to_owned(), shown);
        format!("{} [{}]: {judged}", session.id, session.case)
    })
}

#[test]
fn the_same_seed_writes_the_same_sessions() {
    let worlds = [World::without_repository(), World::without_repository()];
    let [first, second] = worlds.each_ref().map(|world| {
        write(&world.outside().join("home"), Plan { seed: 3, sessions: AGENTS.len() * 2, bytes: 500 })
            .unwrap();
        let report = world.run(&["lookback", "--since", "20000d", "--json"]).json();
        report["stops"].as_array().cloned().unwrap_or_default()
    });
    let is_of_all = AGENTS.iter().all(|agent| first.iter().any(|stop: &Value| stop["agent"] == *agent));
    assert!(is_of_all && first == second, "{first:?}");
}
