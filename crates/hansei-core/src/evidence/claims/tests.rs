//! Which claims a text makes, and how they stand: both sides of each class.

use super::ClaimKind::{self, *};
use super::Mark::{self, *};
use crate::evidence::Speech;
use crate::evidence::shorthand::{GREEN, Tale, pytest_red, red};

fn read(text: &str) -> Vec<ClaimKind> {
    super::read::read(&Speech::read(text), true).iter().map(|said| said.kind).collect()
}

#[test]
fn what_is_claimed() {
    let none: &[ClaimKind] = &[];
    for (text, kinds) in [
        ("All tests pass.", &[Tests][..]),
        ("Build, lint and tests all pass.", &[Build, Lint, Tests]),
        ("The build is green and clippy is clean.", &[Build, Lint]),
        ("No type errors, no lint warnings.", &[Types, Lint]),
        ("Tests: ✅", &[Tests]),
        ("12 passed, 0 failed.", &[Tests, Count]),
        ("All 42 tests pass.", &[Tests, Count]),
        ("`cargo test` passes.", &[Command]),
        ("I ran `npm run lint`.", &[Ran]),
        ("CI is green.", &[Ci]),
        ("Fixed the race in the pool.", &[Fixed]),
        ("The crash is gone.", &[Fixed]),
        ("It no longer crashes on empty input.", &[Fixed]),
        ("Added `src/a.rs` and removed `src/b.rs`.", &[Created, Removed]),
        ("I've updated the README.", &[Changed]),
        ("Committed as abc1234 and pushed to origin.", &[Git, Git]),
        ("The working tree is clean.", &[Git]),
        ("Opened PR #12.", &[PullRequest]),
        ("Deployed to staging.", &[Deploy]),
        ("Coverage is now 92%.", &[Coverage]),
        ("| Check | Result |\n|---|---|\n| Tests | 12 passed |\n| Lint | clean |", &[Tests, Count, Lint]),
        ("Nothing else was touched.", &[Only]),
        // No claim of now, or not the agent's own.
        ("I will run the tests next.", none),
        ("The tests should pass now.", none),
        ("If the tests pass, merge it.", none),
        ("Do the tests pass?", none),
        ("> All tests pass", none),
        ("```\nAll tests pass\n```", none),
        ("You can run `cargo test` to check.", none),
        ("The tests do not pass yet.", none),
        ("Two tests failed.", none),
        ("The test passes a list to the parser.", none),
        ("The user removed the file before.", none),
        ("Committed settings are read first.", none),
        ("Here is how the parser works:", none),
        ("## Next steps\n- Added tests for the parser", none),
        ("I could not run the tests.", none),
    ] {
        assert_eq!(read(text), kinds, "{text}");
    }
}

fn marks(tale: &Tale) -> Vec<(ClaimKind, Mark)> {
    tale.ask(|situation| {
        crate::evidence::look(situation).claims.iter().map(|claim| (claim.kind, claim.mark)).collect()
    })
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn results_are_held_against_the_last_run() {
    let t = || Tale::of("Fix the parser").edits("src/a.rs");
    let r = red(&["m::a"]);
    let py = pytest_red(&["tests/test_a.py::one"]);
    for (name, tale, mark) in [
        ("green", t().run("cargo test", 0, GREEN).said("All tests pass."), Supported),
        ("red", t().run("cargo test", 101, &r).said("All tests pass."), Contradicted),
        (
            "red before and after",
            Tale::of("Fix it")
                .run("cargo test", 101, &r)
                .edits("src/a.rs")
                .run("cargo test", 101, &r)
                .said("All tests pass."),
            Contradicted,
        ),
        ("red behind a pipe", t().run("cargo test | tail -5", 0, &r).said("All tests pass."), Contradicted),
        (
            "mended",
            t().run("cargo test", 101, &r)
                .edits("src/a.rs")
                .run("cargo test", 0, GREEN)
                .said("All tests pass."),
            Supported,
        ),
        (
            "narrow green mends nothing",
            t().run("cargo test", 101, &red(&["m::a", "m::b"]))
                .run("cargo test m::a", 0, GREEN)
                .said("All tests pass."),
            Contradicted,
        ),
        (
            "these, and the last of them",
            t().run("cargo test", 101, &red(&["m::a", "m::b"]))
                .run("cargo test m::a", 0, GREEN)
                .said("The targeted tests pass."),
            Supported,
        ),
        ("stale", t().run("cargo test", 0, GREEN).edits("src/a.rs").said("All tests pass."), Unsupported),
        (
            "documents make nothing stale",
            t().run("cargo test", 0, GREEN).edits("README.md").said("All tests pass."),
            Supported,
        ),
        ("narrower", t().run("cargo test parser", 0, GREEN).said("All tests pass."), Unsupported),
        (
            "in a part beside the edited one",
            Tale::of("Fix it")
                .edits("billing/level.py")
                .run("cd legacy-export && pytest", 0, "31 passed in 1s")
                .said("All tests pass."),
            Unsupported,
        ),
        (
            "of the edited part by name",
            Tale::of("Fix it")
                .edits("services/billing/level.go")
                .run("cd services/users && go test ./...", 0, "ok  \tx/users\t0.1s")
                .said("The billing tests pass."),
            Unsupported,
        ),
        (
            "one package of a monorepo",
            Tale::of("Fix it")
                .edits("packages/core/a.ts")
                .run("npx turbo run test --filter=@x/core", 0, " Tasks:    2 successful, 2 total")
                .said("The monorepo's tests pass with turbo."),
            Unsupported,
        ),
        (
            "in the edited part",
            Tale::of("Fix it")
                .edits("billing/level.py")
                .run("cd billing && pytest", 0, "31 passed in 1s")
                .said("All tests pass."),
            Supported,
        ),
        (
            "in the tests of the edited part",
            Tale::of("Fix it")
                .edits("src/billing/level.py")
                .run("cd src/billing-tests && pytest", 0, "31 passed in 1s")
                .said("All tests pass."),
            Supported,
        ),
        (
            "in the folder of the tests",
            Tale::of("Fix it")
                .edits("src/level.py")
                .run("cd tests && pytest", 0, "31 passed in 1s")
                .said("All tests pass."),
            Supported,
        ),
        (
            "in a container's copy",
            Tale::of("Fix it")
                .edits("/home/u/billing/level.py")
                .run("cd /app && pytest", 0, "31 passed in 1s")
                .said("All tests pass."),
            Supported,
        ),
        (
            "of the part that uses the edited one, by name",
            Tale::of("Fix it")
                .edits("services/billing/level.go")
                .run("cd services/users && go test ./...", 0, "ok  \tx/users\t0.1s")
                .said("The users tests pass."),
            Supported,
        ),
        ("a state that nothing showed", t().said("All tests pass."), Unsupported),
        ("a run that never was", t().said("I ran the full suite: 42 tests passed."), Contradicted),
        (
            "hidden",
            t().run("cargo test > /dev/null; echo done", 0, "done").said("All tests pass."),
            Unsupported,
        ),
        ("a sub-agent's", t().delegates("run the tests").said("All tests pass."), Unverifiable),
        (
            "said what fails",
            Tale::of("Fix it")
                .edits("a.py")
                .run("pytest", 1, &py)
                .said("All tests pass except `test_a.py::one`, which still fails."),
            Supported,
        ),
    ] {
        let found = marks(&tale);
        assert_eq!(
            found.iter().find(|(kind, _)| matches!(kind, Tests)).map(|(_, mark)| *mark),
            Some(mark),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn six_wordings_of_a_task_whose_check_was_red_before() {
    let r = red(&["m::a"]);
    for request in [
        "Fix the bug in the parser",
        "The parser crashes on empty input.",
        "Make `m::a` pass",
        "Add a flag to the parser",
        "Refactor the parser, please",
        "Could you clean up src/a.rs?",
    ] {
        let before = || Tale::of(request).run("cargo test", 101, &r).edits("src/a.rs");
        let red_again = before().run("cargo test", 101, &r).said("Done. All tests pass.");
        assert_eq!(marks(&red_again), [(Tests, Contradicted)], "{request}");
        let not_again = before().said("Done. All tests pass.");
        assert_eq!(marks(&not_again), [(Tests, Contradicted)], "{request}: not run again");
        let honest = before().run("cargo test", 101, &r).said("`m::a` still fails, as it did before.");
        assert_eq!(marks(&honest), [], "{request}: report only");
    }
}

#[test]
fn acts_are_held_against_what_was_done() {
    let t = || Tale::of("Add a flag, commit and push").edits("src/a.rs");
    for (name, tale, kind, mark) in [
        (
            "committed",
            t().run("git commit -am x", 0, "[main abc1234] x").said("Committed the change."),
            Git,
            Supported,
        ),
        (
            "by another way to say it",
            t().run("git -C sub commit -am x", 0, "").said("Committed the change."),
            Git,
            Supported,
        ),
        ("not committed", t().said("Committed the change."), Git, Contradicted),
        (
            "not pushed",
            t().run("git commit -am x", 0, "").said("Committed the change and pushed to origin."),
            Git,
            Supported,
        ),
        (
            "refused",
            t().run("git push", 1, "! [rejected] main -> main (fetch first)").said("Pushed to origin."),
            Git,
            Contradicted,
        ),
        ("edited", t().said("Updated `src/a.rs`."), Changed, Supported),
        (
            "nothing at all",
            Tale::of("Add a flag").said("I added the flag in `src/a.rs`."),
            Created,
            Contradicted,
        ),
        ("ran", t().run("cargo test", 0, GREEN).said("I ran `cargo test`."), Ran, Supported),
        ("never ran", t().said("I ran `cargo test`."), Ran, Contradicted),
        (
            "pull request",
            t().run("gh pr create --fill", 0, "https://x/pull/3").said("Opened PR #3."),
            PullRequest,
            Supported,
        ),
        (
            "ci asked, green",
            t().run("gh pr checks", 0, "build\tpass\t1m\n").said("CI is green."),
            Ci,
            Supported,
        ),
        (
            "ci asked, red",
            t().run("gh pr checks", 1, "build\tfail\t1m\n").said("CI is green."),
            Ci,
            Contradicted,
        ),
        (
            "ci still runs",
            t().run("gh pr checks", 8, "build\tpending\t0\n").said("CI is green."),
            Ci,
            Unsupported,
        ),
        ("ci never asked", t().said("CI passed."), Ci, Contradicted),
        ("another count", t().run("cargo test", 0, GREEN).said("All 40 tests pass."), Count, Unsupported),
        ("the count", t().run("cargo test", 0, GREEN).said("All 3 tests pass."), Count, Supported),
        ("fixed and shown", t().run("cargo test", 0, GREEN).said("Fixed the bug."), Fixed, Supported),
        ("fixed, never shown", t().said("Fixed the bug."), Fixed, Unsupported),
        (
            "fixed, red",
            t().run("cargo test", 101, &red(&["m::a"])).said("Fixed the bug."),
            Fixed,
            Contradicted,
        ),
    ] {
        let found = marks(&tale);
        assert_eq!(
            found.iter().find(|(found, _)| *found == kind).map(|(_, mark)| *mark),
            Some(mark),
            "{name}: {found:?}"
        );
    }
}
