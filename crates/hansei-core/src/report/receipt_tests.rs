//! Which sessions a change holds, how their claims stand, and what binds a receipt to its commit.

use super::*;
use crate::evidence::shorthand::{GREEN, Tale, red};

fn time(text: &str) -> Timestamp {
    Timestamp::try_from(format!("2026-03-04T{text}:00Z")).unwrap()
}

fn change(head_time: &str) -> Change {
    Change {
        base: "b".into(),
        base_time: Some(time("08:00")),
        head: "h".into(),
        head_time: Some(time(head_time)),
        branch: Some("fix".into()),
        paths: ["src/a.rs".to_owned(), "sub/b.py".to_owned()].into(),
        dirty: vec![],
    }
}

fn account(tale: &Tale) -> Account {
    Account { id: "s".into(), agent: "codex".into(), session: Some(tale.session()), ..Account::default() }
}

fn standings(tale: &Tale) -> Vec<(String, ClaimStanding, usize)> {
    let part = part(&account(tale), &change("09:00")).unwrap();
    part.receipt.claims.into_iter().map(|claim| (claim.text, claim.standing, claim.commands.len())).collect()
}

#[test]
fn each_claim_stands_beside_what_ran() {
    use ClaimStanding::{Contradicted, Stale, Supported, Unsupported};
    let fix = || Tale::of("Fix it").at("10:00").edits("/w/src/a.rs");
    let failing = red(&["parse::empty"]);
    for (name, tale, expected) in [
        ("passed", fix().run("cargo test", 0, GREEN).said("All tests pass."), (Supported, 1)),
        ("failed", fix().run("cargo test", 101, &failing).said("All tests pass."), (Contradicted, 1)),
        (
            "failed behind a pipe",
            fix().run("cargo test | tail -3", 0, &failing).said("All tests pass."),
            (Contradicted, 1),
        ),
        (
            "mended",
            fix()
                .run("cargo test", 101, &failing)
                .edits("src/a.rs")
                .run("cargo test", 0, GREEN)
                .said("It is fixed."),
            (Supported, 1),
        ),
        (
            "edited since",
            fix().run("cargo test", 0, GREEN).edits("src/a.rs").said("All tests pass."),
            (Stale, 1),
        ),
        (
            "documents since",
            fix().run("cargo test", 0, GREEN).edits("README.md").said("All tests pass."),
            (Supported, 1),
        ),
        ("nothing ran", fix().said("All tests pass."), (Unsupported, 0)),
        ("hidden", fix().run("cargo test | wc -l", 0, "4").said("All tests pass."), (Unsupported, 1)),
        ("another kind", fix().run("cargo fmt --check", 0, "").said("All tests pass."), (Unsupported, 0)),
        (
            "tests build",
            fix().run("cargo test", 0, GREEN).said("The crate builds and is ready."),
            (Supported, 1),
        ),
        (
            "a named runner",
            fix().run("cargo test", 0, GREEN).said("`cargo clippy` is clean now, fixed."),
            (Unsupported, 0),
        ),
        ("no kind named", fix().run("cargo clippy", 0, "").said("Fixed the parser."), (Supported, 1)),
        (
            "failed in a later task",
            fix()
                .run("cargo test", 0, GREEN)
                .said("All tests pass.")
                .human("go on")
                .run("cargo test", 101, &failing),
            (Contradicted, 1),
        ),
    ] {
        let found = standings(&tale);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert_eq!((found[0].1, found[0].2), expected, "{name}: {found:?}");
    }
    assert_eq!(standings(&fix().said("I could not finish.")), vec![]);
    assert_eq!(
        standings(&fix().said("Done.").aborted()),
        vec![],
        "nobody claims in a turn that was cut short"
    );
}

#[test]
fn a_session_is_in_a_change_that_holds_its_edits() {
    let is_in = |tale: &Tale| part(&account(tale), &change("09:00")).is_some();
    let at = |tale: Tale| tale.at("10:00").said("Done.");
    assert!(is_in(&at(Tale::of("x").edits("src/a.rs"))));
    assert!(is_in(&at(Tale::of("x").edits("/home/dev/repo/src/a.rs"))), "an absolute path");
    assert!(is_in(&at(Tale::of("x").edits("b.py"))), "from a folder below the root");
    assert!(!is_in(&at(Tale::of("x").edits("c.rs"))));
    assert!(!is_in(&at(Tale::of("x").edits("xsrc/a.rs.txt"))));
    assert!(!is_in(&at(Tale::of("x").edit_failed("src/a.rs", "old", "no match"))));
    assert!(!is_in(&Tale::of("x").at("07:00").edits("src/a.rs").said("Done.")), "before the base");
    assert!(is_in(&at(Tale::of("x").on_branch("fix").edits("src/a.rs"))));
    assert!(!is_in(&at(Tale::of("x").on_branch("other").edits("src/a.rs"))));
    let by_shell = Account { files_changed: vec!["sub/b.py".into()], ..account(&at(Tale::of("x"))) };
    assert!(part(&by_shell, &change("09:00")).is_some(), "edited with a command, by our own record");
}

#[test]
fn a_receipt_is_bound_to_the_commit_that_was_checked() {
    let worked = |tale: Tale| vec![part(&account(&tale), &change("09:00")).unwrap()];
    let fix = || Tale::of("Fix it").at("10:00").edits("src/a.rs");
    let checked = || fix().at("10:10").run("cargo test", 0, GREEN);
    let because =
        |change: &Change, parts: Vec<Part>| Receipt::of("r", change, parts).unbound_because.join("; ");
    assert_eq!(because(&change("10:05"), worked(checked())), "", "committed, then checked");
    assert!(
        because(&change("10:20"), worked(checked())).contains("after the last check at 2026-03-04T10:10:00Z")
    );
    let commits = |tale: Tale| tale.at("10:20").run("git add -A && git commit -qm x", 0, "");
    assert_eq!(because(&change("10:20"), worked(commits(checked()))), "", "it committed what it had checked");
    assert!(
        because(&change("10:20"), worked(commits(checked().edits("src/a.rs"))))
            .contains("HEAD was committed")
    );
    assert!(because(&change("10:30"), worked(commits(checked()))).contains("HEAD was committed"));
    assert_eq!(because(&change("10:05"), worked(fix())), "no check ran in these sessions");
    assert_eq!(because(&change("10:05"), vec![]), "no session on this machine worked on this change");
    let dirty = Change { dirty: ["a", "b", "c", "d"].map(String::from).to_vec(), ..change("10:05") };
    assert_eq!(
        because(&dirty, worked(checked())),
        "the work tree has changes that are not committed: a, b, c and 1 more"
    );
}

#[test]
fn what_another_session_edits_later_makes_a_claim_stale_until_the_check_runs_again() {
    let checked = |time: &str, after: &str| {
        Tale::of("Fix it")
            .at(time)
            .edits("src/a.rs")
            .at(after)
            .run("cargo test", 0, GREEN)
            .said("All tests pass.")
    };
    let edited = |time: &str| Tale::of("More").at(time).edits("src/a.rs");
    let first = |tales: Vec<Tale>| {
        let parts = tales.iter().map(|tale| part(&account(tale), &change("09:00")).unwrap()).collect();
        Receipt::of("r", &change("09:00"), parts).sessions[0].claims[0].standing
    };
    assert_eq!(first(vec![checked("10:00", "10:05")]), ClaimStanding::Supported);
    assert_eq!(first(vec![checked("10:00", "10:05"), edited("11:00")]), ClaimStanding::Stale);
    assert_eq!(first(vec![checked("10:00", "10:05"), edited("10:03")]), ClaimStanding::Supported);
    assert_eq!(
        first(vec![checked("10:00", "10:05"), edited("11:00"), checked("11:10", "11:15")]),
        ClaimStanding::Supported
    );
}

#[test]
fn a_receipt_reads_back_and_holds_only_when_all_of_it_does() {
    let tale =
        Tale::of("Fix it").at("10:00").edits("src/a.rs").run("cargo test", 0, GREEN).said("All tests pass.");
    let receipt = Receipt::of("r", &change("09:00"), vec![part(&account(&tale), &change("09:00")).unwrap()]);
    assert!(receipt.holds());
    let text = serde_json::to_vec(&receipt).unwrap();
    assert_eq!(Receipt::from_json(&text).unwrap(), receipt);
    assert!(!Receipt { bound: false, ..receipt.clone() }.holds());
    assert!(!Receipt { sessions: vec![], ..receipt.clone() }.holds());
    let mut doubted = receipt;
    doubted.sessions[0].claims[0].standing = ClaimStanding::Stale;
    assert!(!doubted.holds());
}
