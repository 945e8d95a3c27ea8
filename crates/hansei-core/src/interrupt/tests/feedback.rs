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

/// What an agent is told first, and again, of long facts about a claim that `command` would settle.
fn told_of(command: &str) -> [String; 2] {
    let mut log = Log::default();
    let mut tell = |round: usize| {
        let fact = |number: usize| Evidence {
            text: format!("you said “{}”, but {round} {number}", "word ".repeat(60)),
            settle: Some(format!("{command} {round} {number}")),
            ..found(Kind::ClaimContradicted, &[])
        };
        let evidence: Vec<Evidence> = (0..5).map(fact).collect();
        let mut judgement = verdict(false, Severity::High);
        judgement.verdict.next_actions = vec![
            "make the failing check pass, and run it again without hiding its exit code".into(),
            format!("run `{command}` by itself, so that its own result shows, or correct that sentence"),
        ];
        let tried = vec![format!("ran `{}`", "x".repeat(80)); 4];
        let stop = Stop { tried, ..stop(&round.to_string(), "m") };
        let decision = decide(&stop, &log.ledger(), &judgement, &evidence, &unattended());
        log.record(&stop, &decision);
        match decision.action {
            Action::SendBack { feedback, .. } => feedback,
            other => panic!("{other:?}"),
        }
    };
    [tell(1), tell(2)]
}

#[test]
fn both_ways_out_stay_however_long_the_rest_is() {
    for text in told_of("cargo test --workspace") {
        let way = "\nNext: run `cargo test --workspace` by itself, so that its own result shows, or correct that sentence\n";
        assert!(text.contains(way) && text.contains("\n- you said “word"), "{text}");
        assert!(tokens(&text) < 300, "{} in {text}", tokens(&text));
    }
    // A command that is too long is cut, and the other way stays.
    for text in told_of(&"cargo test --package ".repeat(30)) {
        assert!(text.contains("\nNext: run `cargo test --package "), "{text}");
        assert!(text.contains("…, or correct that sentence\n"), "{text}");
        assert!(tokens(&text) < 300, "{} in {text}", tokens(&text));
    }
}

/// One send-back for each distinct set of failures: a claim in other words is the same, another claim is not.
#[test]
fn claims_are_told_apart_by_what_would_settle_them() {
    let claim = |quote: &str, because: &str, settle: Option<&str>| Evidence {
        text: format!("you said “{quote}”, but {because}"),
        settle: settle.map(str::to_owned),
        ..found(Kind::ClaimContradicted, &[])
    };
    let tested = claim("I ran `cargo test`", "`cargo test` did not run in this session", Some("cargo test"));
    let committed = claim("I committed it.", "no `git commit` ran in this session", None);
    for (first, then, again) in [
        (&tested, claim("As I said, `cargo test` ran.", "it did not run", Some("cargo test")), false),
        (&committed, claim("It is committed.", "no `git commit` ran in this session", None), false),
        (&tested, committed.clone(), true),
        (&committed, claim("I ran `cargo clippy`", "it did not run", Some("cargo clippy")), true),
    ] {
        let mut log = Log::default();
        let judgement = verdict(false, Severity::High);
        let decision =
            decide(&stop("1", "m"), &log.ledger(), &judgement, std::slice::from_ref(first), &attended());
        assert!(is_send_back(&decision.action));
        log.record(&stop("1", "m"), &decision);
        let action = decide(&stop("2", "m"), &log.ledger(), &judgement, &[then], &attended()).action;
        assert_eq!(is_send_back(&action), again, "{}: {action:?}", first.text);
        assert!(again || action == Action::LetStop(Why::SaidBefore), "{action:?}");
    }
}
