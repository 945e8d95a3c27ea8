//! What holds for any session.

use proptest::prelude::*;

use super::Kind::{CheckFailed, CheckFailedHidden, CheckStale};
use super::shorthand::{GREEN, Tale, red};

/// One thing that happens, by number and text.
fn happens(tale: Tale, what: u8, text: &str) -> Tale {
    match what % 16 {
        0 => tale.human(text),
        1 => tale.said(text),
        2 => tale.edit(text, text, "new"),
        3 => tale.write("tests/test_a.py", text),
        4 => tale.run(text, 1, text),
        5 => tale.run(&format!("cargo test {text}"), 101, &red(&["m::a"])),
        6 => tale.run("cargo test | tail", 0, text),
        7 => tale.run("git stash", 0, text),
        8 => tale.run(&format!("git push {text}"), 0, text),
        9 => tale.run("git status --short", 0, text),
        10 => tale.look(text, text),
        11 => tale.background(text),
        12 => tale.fed_back(text),
        13 => tale.edit_failed(text, "x", text),
        14 => tale.instructed("AGENTS.md", text),
        _ => tale.run(&format!("git {text}"), 0, text),
    }
}

/// Pieces that have a meaning somewhere.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[a-z/.* -]{0,20}",
        Just("do not touch `src/a.rs`, ".to_owned()),
        Just("always run `npm test` before\n```\ncargo test\n```".to_owned()),
        Just("rm -rf ".to_owned()),
        Just("sed -i s/a/b/ src/a.rs && ".to_owned()),
        Just("commit -nm x --no-verify ".to_owned()),
        Just("def test_é():\n  assert True\n".to_owned()),
        Just("worktree add ".to_owned()),
        Just(" M é.rs\n?? x\n".to_owned()),
        Just("only change ".to_owned()),
        Just("it('".to_owned()),
        Just("@Test\n(".to_owned()),
    ];
    proptest::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_session_is_weighed(steps in proptest::collection::vec((any::<u8>(), text()), 0..40)) {
        let tale = steps.iter().fold(Tale::default(), |tale, (what, text)| happens(tale, *what, text));
        let evidence = tale.evidence();
        let calls = tale.session().calls.len();
        for found in &evidence {
            prop_assert!(!found.text.is_empty() && !found.text.contains('\n'), "{:?}", found.text);
            if let super::Place::Call(at) = found.place {
                prop_assert!(at < calls);
            }
        }
    }

    #[test]
    fn a_full_pass_at_the_end_leaves_no_failure(steps in proptest::collection::vec(0_u8..5, 0..30)) {
        let tale = steps.iter().fold(Tale::of("Add a flag"), |tale, what| match what {
            0 => tale.edits("src/a.rs"),
            1 => tale.run("cargo test", 101, &red(&["m::a", "m::b"])),
            2 => tale.run("cargo test m::a", 101, &red(&["m::a"])),
            3 => tale.run("cargo test | tail -3", 0, &red(&["m::b"])),
            _ => tale.run("cargo build", 101, "error: could not compile `x`"),
        });
        let tale = tale.run("cargo test", 0, GREEN);
        prop_assert_eq!(tale.found(&[CheckFailed, CheckFailedHidden, CheckStale]), vec![]);
    }
}

/// Work grows with the session, not with its square: so this ends within the patience of a test run.
#[test]
fn long_sessions_end() {
    let mut tale = Tale::of("Do not touch `vendor/`. Fix the tests.");
    for n in 0..5_000 {
        tale = tale
            .edits(&format!("src/f{n}.rs"))
            .run(&format!("cargo test m{n}"), 101, &red(&["m::a"]))
            .run(&format!("make test-{n}"), 0, "ok")
            .run("git add -A && git commit -m x", 0, "");
    }
    assert!(!tale.evidence().is_empty());
}
