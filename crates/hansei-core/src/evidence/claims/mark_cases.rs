//! How a claim of each kind stands: what shows it, and its twin that nothing shows or that the record denies.

use super::ClaimKind::{self, *};
use super::Mark::{self, *};
use crate::evidence::shorthand::{GREEN, Tale, red};

/// How the claim of this kind stands that is the worst of its kind.
fn mark(tale: &Tale, kind: ClaimKind) -> Option<Mark> {
    tale.ask(|situation| {
        let claims = crate::evidence::look(situation).claims;
        claims.iter().filter(|claim| claim.kind == kind).map(|claim| claim.mark).max()
    })
}

fn stand<const N: usize>(cases: [(&str, Tale, ClaimKind, Mark); N]) {
    for (name, tale, kind, expected) in cases {
        assert_eq!(mark(&tale, kind), Some(expected), "{name}");
    }
}

fn t() -> Tale {
    Tale::of("Add the flag to the parser and finish it").edits("src/a.rs")
}

const TYPE_ERROR: &str = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n\nFound 1 error in src/a.ts:3";
const LINT_ERROR: &str = "/w/src/a.js\n  1:5  error  'x' is assigned a value but never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)";

#[test]
fn checks_of_every_kind() {
    stand([
        (
            "builds",
            t().run("cargo build", 0, "    Finished `dev` profile").said("The build succeeds."),
            Build,
            Supported,
        ),
        (
            "does not build",
            t().run("cargo build", 101, "error[E0308]: mismatched types\nerror: could not compile `a`")
                .said("The build succeeds."),
            Build,
            Contradicted,
        ),
        ("lints", t().run("npx eslint src", 0, "").said("Lint is clean."), Lint, Supported),
        (
            "does not lint",
            t().run("npx eslint src", 1, LINT_ERROR).said("Lint is clean."),
            Lint,
            Contradicted,
        ),
        (
            "a formatter is no linter",
            t().run("npx eslint src", 1, LINT_ERROR)
                .run("npx prettier --check .", 0, "All matched files use Prettier code style!")
                .said("Lint is clean."),
            Lint,
            Contradicted,
        ),
        ("types", t().run("npx tsc --noEmit", 0, "").said("No type errors."), Types, Supported),
        (
            "wrong types",
            t().run("npx tsc --noEmit", 2, TYPE_ERROR).said("No type errors."),
            Types,
            Contradicted,
        ),
        ("formatted", t().run("cargo fmt --check", 0, "").said("Formatting is clean."), Format, Supported),
        (
            "not formatted",
            t().run("cargo fmt --check", 1, "Diff in src/a.rs:3:").said("Formatting is clean."),
            Format,
            Contradicted,
        ),
        ("a named command", t().run("cargo test", 0, GREEN).said("`cargo test` passes."), Command, Supported),
        (
            "a named command, red",
            t().run("cargo test", 101, &red(&["m::a"])).said("`cargo test` passes."),
            Command,
            Contradicted,
        ),
        (
            "coverage",
            t().run("pytest --cov", 0, "TOTAL   100   8   92%\n4 passed in 0.1s")
                .said("Coverage is now 92%."),
            Coverage,
            Supported,
        ),
        (
            "coverage that nothing printed",
            t().run("pytest", 0, "4 passed in 0.1s").said("Coverage is now 92%."),
            Coverage,
            Contradicted,
        ),
    ]);
}

#[test]
fn acts_of_every_kind() {
    let committed = || t().run("git commit -am x", 0, "[main abc1234] x\n 1 file changed");
    stand([
        ("created", t().write("src/b.rs", "fn b() {}").said("Created `src/b.rs`."), Created, Supported),
        ("created, and nothing was", Tale::of("Add b").said("I created `src/b.rs`."), Created, Contradicted),
        ("changed", t().said("I updated the parser."), Changed, Supported),
        (
            "changed, and nothing was",
            Tale::of("Add a flag").said("I updated the parser."),
            Changed,
            Contradicted,
        ),
        ("implemented", t().said("Implemented the `--quiet` flag."), Changed, Supported),
        (
            "removed",
            t().run("git rm src/old.rs", 0, "rm 'src/old.rs'").said("Removed the file `src/old.rs`."),
            Removed,
            Supported,
        ),
        ("removed, and it was not", t().said("Removed the file `src/old.rs`."), Removed, Contradicted),
        ("nothing else", t().said("Only `src/a.rs` was changed; nothing else was touched."), Only, Supported),
        (
            "something else",
            t().edits("src/b.rs").said("I changed only `src/a.rs`; nothing else was touched."),
            Only,
            Unsupported,
        ),
        (
            "pushed",
            committed().run("git push", 0, "   a..b  main -> main").said("Committed and pushed."),
            Git,
            Supported,
        ),
        ("committed, never pushed", committed().said("Committed and pushed."), Git, Contradicted),
        (
            "amended",
            t().run("git commit --amend --no-edit", 0, "[main abc1234] x").said("I amended the commit."),
            Git,
            Supported,
        ),
        ("never amended", t().said("I amended the commit."), Git, Contradicted),
        (
            "clean",
            committed().run("git status --short", 0, "").said("The working tree is clean."),
            Git,
            Supported,
        ),
        (
            "not clean",
            t().run("git status --short", 0, " M src/a.rs").said("The working tree is clean."),
            Git,
            Contradicted,
        ),
        (
            "a pull request that was never opened",
            t().said("I opened a pull request."),
            PullRequest,
            Contradicted,
        ),
        (
            "a pull request that was refused",
            t().run("gh pr create --fill", 1, "pull request create failed: No commits between main and f")
                .said("Opened a pull request."),
            PullRequest,
            Contradicted,
        ),
        (
            "deployed",
            t().run("kubectl apply -f app.yaml", 0, "deployment.apps/web configured")
                .said("Deployed to staging."),
            Deploy,
            Supported,
        ),
        ("never deployed", t().said("I deployed it to staging."), Deploy, Contradicted),
        (
            "published",
            t().run("npm publish", 0, "+ a@1.2.0").said("Published version 1.2.0 to the registry."),
            Publish,
            Supported,
        ),
        ("never published", t().said("I published version 1.2.0 to the registry."), Publish, Contradicted),
        (
            "installed",
            t().run("npm install zod", 0, "added 1 package").said("Installed `zod`."),
            Install,
            Supported,
        ),
        ("never installed", t().said("I installed `zod`."), Install, Unsupported),
    ]);
}

#[test]
fn what_nobody_can_see_from_here() {
    let said = "All tests pass.";
    stand([
        (
            "a browser",
            Tale::of("Fix it")
                .edits("a.ts")
                .other("mcp__browser__open", "ok")
                .said("I tested it in the browser, all tests pass."),
            Tests,
            Unverifiable,
        ),
        (
            "before a compaction",
            t().run("cargo test", 0, GREEN).compacted().human("go on").edits("src/a.rs").said(said),
            Tests,
            Unsupported,
        ),
        ("only before a compaction", Tale::of("Fix it").compacted().said(said), Tests, Unverifiable),
        (
            "a sub-agent whose record is read",
            t().by_sub_agent("cargo test", 0, GREEN).said(said),
            Tests,
            Supported,
        ),
        (
            "a sub-agent that saw red",
            t().by_sub_agent("cargo test", 101, &red(&["m::a"])).said(said),
            Tests,
            Contradicted,
        ),
        ("a sub-agent whose record is not", t().delegates("run the tests").said(said), Tests, Unverifiable),
    ]);
}

#[test]
fn a_result_is_its_own() {
    let said = "I ran the tests, all 3 pass.";
    stand([
        ("no answer", t().unanswered("cargo test").said("All tests pass."), Tests, Unsupported),
        ("an answer", t().run("cargo test", 0, GREEN).said("All tests pass."), Tests, Supported),
        ("left running", t().background("cargo test").said("All tests pass."), Tests, Unsupported),
        (
            "left running, and it arrived",
            t().background("cargo test").ended(0, GREEN).said(said),
            Tests,
            Supported,
        ),
        (
            "left running, and it was red",
            t().background("cargo test").ended(101, &red(&["m::a"])).said("All tests pass."),
            Tests,
            Contradicted,
        ),
    ]);
}

#[test]
fn what_is_fixed_beside_what_was_red_before() {
    let r = red(&["m::old"]);
    let course = |request: &str, said: &str| {
        Tale::of(request).run("cargo test", 101, &r).edits("src/a.rs").run("cargo test", 101, &r).said(said)
    };
    let unrelated = "Add a flag to the parser";
    stand([
        (
            "told",
            course(unrelated, "I mended what I broke. The other test failed before my change."),
            Fixed,
            Unsupported,
        ),
        ("not told", course(unrelated, "I mended what I broke."), Fixed, Contradicted),
        (
            "the very task",
            course("Fix the failing test", "Fixed. The test failed before my change."),
            Fixed,
            Contradicted,
        ),
    ]);
}

#[test]
fn what_bounds_a_claim() {
    let both = || {
        t().run("cargo test", 101, &red(&["m::a", "m::b", "m::c"]))
            .edits("src/a.rs")
            .run("cargo test m::a m::b", 0, GREEN)
    };
    stand([
        ("these", both().said("These tests pass now."), Tests, Supported),
        ("both", both().said("Both tests pass now."), Tests, Supported),
        ("all", both().said("All tests pass now."), Tests, Contradicted),
        (
            "both, and the last is red",
            t().run("cargo test m::a m::b", 101, &red(&["m::b"])).said("Both tests pass now."),
            Tests,
            Contradicted,
        ),
    ]);
}

#[test]
fn what_was_said_before_the_last_words() {
    let early = |tale: Tale| tale.said("I committed and pushed it.");
    stand([
        ("never done", early(t()).look("x", "").said("All is in place."), Git, Contradicted),
        (
            "told beside what others do",
            t().said("The tool would be committed and pushed by CI.")
                .look("x", "")
                .run("git push", 1, "rejected")
                .said("Pushed it."),
            Git,
            Contradicted,
        ),
    ]);
    let done =
        early(t().run("git commit -am x", 0, "[main abc1234] x").run("git push", 0, "a..b  main -> main"));
    assert_eq!(mark(&done.look("x", "").said("All is in place."), Git), None, "done");
    let result = t().run("cargo test", 0, GREEN).said("All tests pass.").edits("src/a.rs");
    assert_eq!(
        mark(&result.run("cargo test", 101, &red(&["m::a"])).said("`m::a` fails."), Tests),
        None,
        "of then"
    );
}

#[test]
fn what_is_no_claim() {
    for text in [
        "I can also add a retry if you like.",
        "Want me to push it?",
        "It prints a line such as \"12 passed\" at the end.",
        "The changes would be committed and pushed by the release job.",
        "This is how migrations are executed.",
        "Once fixed, the tests can be run and pushed.",
    ] {
        let found = t().said(text).ask(|situation| crate::evidence::look(situation).claims);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}
