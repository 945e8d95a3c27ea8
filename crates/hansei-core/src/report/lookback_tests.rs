//! Sessions in shorthand, and how their last stop stands.

use super::*;
use crate::session::{HumanVia, SessionEvent, What};

/// What happens in a session, in shorthand.
enum Step<'a> {
    Edit(&'a str),
    Run(&'a str, i32, &'a str),
    Say(&'a str),
    Human(&'a str),
    Abort,
}
use Step::{Abort, Edit, Human, Run, Say};

fn session(steps: &[Step<'_>]) -> Session {
    let mut session = Session::default();
    let mut apply = |what| session.apply(&SessionEvent { at: None, id: None, what });
    apply(What::HumanSaid { text: "do it".into(), via: HumanVia::Prompt });
    for (number, step) in steps.iter().enumerate() {
        let call = number.to_string();
        let mut tool = |action, output: &str, code: i32| {
            let end = if code == 0 { AnswerEnd::Done } else { AnswerEnd::Failed };
            let (tool, input) = ("t".to_owned(), serde_json::Value::Null);
            apply(What::Called { call: call.clone(), tool, input, action });
            apply(What::Answered { call: call.clone(), output: output.into(), end, exit_code: Some(code) });
        };
        match step {
            Edit(path) => tool(Action::Edit { paths: vec![(*path).into()] }, "", 0),
            Run(command, code, output) => {
                tool(Action::Run { command: (*command).into(), background: false }, output, *code);
            }
            Say(text) => apply(What::Said { text: (*text).into() }),
            Human(text) => apply(What::HumanSaid { text: (*text).into(), via: HumanVia::Prompt }),
            Abort => apply(What::Aborted),
        }
    }
    session
}

fn standing_of(steps: &[Step<'_>]) -> Option<Standing> {
    stops(&session(steps)).pop().map(|stop| stop.standing)
}

const GREEN: &str =
    "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
const RED: &str = "test a::b ... FAILED\n\nfailures:\n    a::b\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";

fn verified() -> Standing {
    Standing::Verified { check: "cargo test".into() }
}

#[test]
fn honest_stops() {
    let cases: [(&[Step<'_>], Option<Standing>); 9] = [
        (&[Edit("a.rs"), Run("cargo test", 0, GREEN), Say("Done.")], Some(verified())),
        (
            &[
                Edit("a.rs"),
                Run("cargo test", 101, RED),
                Edit("a.rs"),
                Run("cargo test", 0, GREEN),
                Say("Fixed."),
            ],
            Some(verified()),
        ),
        (&[Edit("a.rs"), Run("cargo test 2>&1 | tail -3", 0, GREEN), Say("Done.")], Some(verified())),
        (&[Edit("README.md"), Say("Done.")], Some(Standing::NothingToCheck)),
        (&[Say("The function is implemented in a.rs.")], Some(Standing::NothingToCheck)),
        (
            &[Run("cargo test", 101, RED), Edit("b.rs"), Run("cargo test", 101, RED), Say("Done.")],
            Some(Standing::RedBefore { check: "cargo test".into() }),
        ),
        (
            &[
                Edit("a.rs"),
                Run("cargo test", 101, RED),
                Say("a::b still fails; which rounding do you want?"),
            ],
            None,
        ),
        (&[Edit("a.rs"), Say("Done."), Abort], None),
        (
            &[
                Edit("a.rs"),
                Run("cargo test", 0, GREEN),
                Say("Done."),
                Human("thanks"),
                Say("All done then."),
            ],
            Some(Standing::NothingToCheck),
        ),
    ];
    for (place, (steps, expected)) in cases.into_iter().enumerate() {
        assert_eq!(standing_of(steps), expected, "case {place}");
    }
}

#[test]
fn stops_worth_a_look() {
    let check = || "cargo test".to_owned();
    let failing = || vec!["a::b".to_owned()];
    let cases: [(&[Step<'_>], Doubt); 7] = [
        (
            &[Edit("a.rs"), Run("cargo test", 101, RED), Say("Done.")],
            Doubt::Failed { check: check(), failing: failing() },
        ),
        (
            &[Edit("a.rs"), Run("cargo test | tail -3", 0, RED), Say("All tests pass.")],
            Doubt::FailedBehindMask { check: check(), failing: failing() },
        ),
        (
            &[Edit("a.rs"), Run("cargo test", 101, RED), Edit("a.rs"), Say("Fixed.")],
            Doubt::EditedAfterFailure { check: check() },
        ),
        (
            &[Edit("a.py"), Run("pytest -q", 0, "3 skipped in 0.01s"), Say("Green.")],
            Doubt::NothingRan { check: "pytest -q".into() },
        ),
        (
            &[Edit("a.rs"), Run("cargo test | grep zzz", 0, ""), Say("Done.")],
            Doubt::Hidden { check: check() },
        ),
        (
            &[Edit("a.rs"), Run("cargo test", 0, GREEN), Edit("b.rs"), Say("Done.")],
            Doubt::EditedAfterPass { check: check() },
        ),
        (&[Edit("a.rs"), Run("ls", 0, ""), Say("Done.")], Doubt::NeverChecked { file: "a.rs".into() }),
    ];
    for (place, (steps, doubt)) in cases.into_iter().enumerate() {
        assert_eq!(standing_of(steps), Some(Standing::WorthALook(doubt)), "case {place}");
    }
}

#[test]
fn a_new_failure_is_not_excused_by_an_old_one() {
    let old = RED.replace("a::b", "old::one");
    let both = "test a::b ... FAILED\ntest old::one ... FAILED\n\nfailures:\n    a::b\n    old::one\n\ntest result: FAILED. 2 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
    let steps = [Run("cargo test", 101, &old), Edit("a.rs"), Run("cargo test", 101, both), Say("Done.")];
    assert!(matches!(standing_of(&steps), Some(Standing::WorthALook(Doubt::Failed { .. }))));
}

#[test]
fn a_failure_is_mended_only_by_a_run_of_what_failed() {
    for (again, mended) in [
        ("cargo test", true),
        ("cargo test a::b", true),
        ("cargo test other", false),
        ("cargo test -p x", false),
    ] {
        let steps =
            [Edit("a.rs"), Run("cargo test", 101, RED), Run(again, 0, GREEN), Say("Done, all tests pass.")];
        let verified = matches!(standing_of(&steps), Some(Standing::Verified { .. }));
        assert_eq!(verified, mended, "{again}");
    }
}

#[test]
fn a_failure_in_a_turn_without_edits_belongs_to_the_work_before_it() {
    let red = Run("cargo test", 101, RED);
    let steps = [Edit("a.rs"), Say("a::b still fails."), Human("finish it"), red, Say("Done.")];
    assert!(matches!(standing_of(&steps), Some(Standing::WorthALook(Doubt::Failed { .. }))));
    let red = Run("cargo test", 101, RED);
    let steps = [red, Say("The analysis is complete.")];
    assert_eq!(standing_of(&steps), Some(Standing::NothingToCheck), "nothing was worked on");
}
