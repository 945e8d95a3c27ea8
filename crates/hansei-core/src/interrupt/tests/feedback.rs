//! What agents are told.

use super::*;

/// A careful upper bound of tokens: no usual vocabulary takes fewer than about three bytes for a token of prose or
/// code, averaged over a text.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(3)
}

fn told(log: &mut Log, id: usize, evidence: &[Evidence], tried: &[&str]) -> String {
    let tried = tried.iter().map(|tried| (*tried).to_owned()).collect();
    let stop = Stop { tried, ..stop(&id.to_string(), "m") };
    let mut judgement = verdict(false, Severity::High);
    judgement.verdict.next_actions = vec!["Run `cargo test` and make it green.".into()];
    let decision = decide(&stop, &log.ledger(), &judgement, evidence, &unattended());
    log.record(&stop, &decision);
    match decision.action {
        Action::SendBack { feedback, .. } => feedback,
        other => panic!("{other:?}"),
    }
}

#[test]
fn feedback_cites_its_evidence_and_says_what_to_do() {
    let mut log = Log::default();
    let mut evidence = red(&["a"]);
    evidence[0].text = "`cargo test` exited 101 at 14:02, after your last edit to src/parse.rs".into();
    let text = told(&mut log, 1, &evidence, &[]);
    assert!(text.starts_with(MARK), "{text}");
    assert!(
        text.contains("`cargo test` exited 101 at 14:02, after your last edit to src/parse.rs"),
        "{text}"
    );
    assert!(text.contains("Next: Run `cargo test`"), "{text}");
}

#[test]
fn feedback_never_repeats_itself_and_gets_more_specific() {
    let mut log = Log::default();
    let first = told(&mut log, 1, &red(&["a", "b", "c"]), &[]);
    let second = told(&mut log, 2, &red(&["b", "c"]), &["edited src/parse.rs", "ran `cargo test`"]);
    let third = told(&mut log, 3, &red(&["c"]), &["ran `cargo test c`"]);
    assert!(first != second && second != third);
    for part in ["attempt 2", "Fixed since: a", "Still failing: b, c", "edited src/parse.rs"] {
        assert!(second.contains(part) && !first.contains(part), "{part}: {second}");
    }
    for part in ["attempt 3", "Fixed since: b", "ran `cargo test c`", "Read the first failure in full"] {
        assert!(third.contains(part) && !second.contains(part), "{part}: {third}");
    }
}

#[test]
fn feedback_stays_under_300_tokens_whatever_was_found() {
    let mut log = Log::default();
    for (round, count) in [400, 300, 200, 100].into_iter().enumerate() {
        let names: Vec<String> =
            (0..count).map(|n| format!("module::with::a::long::path::test_{n}")).collect();
        let evidence: Vec<Evidence> = names
            .iter()
            .map(|name| Evidence { text: "word ".repeat(300), ..found(Kind::CheckFailed, &[name.as_str()]) })
            .collect();
        let command = "ran `".to_owned() + &"x".repeat(500);
        let text = told(&mut log, round, &evidence, &[&command, &command, &command, &command]);
        assert!(tokens(&text) < 300, "{} in {text}", tokens(&text));
        assert!(text.contains("more"), "what is left out is counted: {text}");
    }
}
