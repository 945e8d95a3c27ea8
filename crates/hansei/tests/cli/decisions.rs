//! `hansei decisions`: listing, showing, checking each form of a change and a plan, revising.

use serde_json::{Value, json};

use crate::support::{Ran, World};

const CACHE: &str = "# [DEF:cache:ADR] Where the cache lives\n# @RATIONALE: one process less\n# @REJECTED: `redis`, another process\n# [/DEF:cache]\ndef cache(): ...\n";
const DATES: &str = "# 3. Dates\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will not use `moment`.\n";

/// A repository with two decisions.
fn decided() -> World {
    let world = World::new();
    world.write("src/cache.py", CACHE);
    world.write("docs/adr/0003-dates.md", DATES);
    world.commit("Decide");
    world
}

fn found(ran: &Ran) -> Vec<(String, String, String, u64)> {
    let report = ran.json();
    let violations = report["violations"].as_array().unwrap();
    assert_eq!(ran.code, i32::from(!violations.is_empty()), "{report}");
    let text = |one: &Value, field: &str| one[field].as_str().unwrap().to_owned();
    violations
        .iter()
        .map(|one| {
            assert!(!text(one, "text").is_empty(), "{one}");
            (text(one, "decision"), text(one, "kind"), text(one, "file"), one["line"].as_u64().unwrap())
        })
        .collect()
}

fn told(decision: &str, kind: &str, file: &str, line: u64) -> Vec<(String, String, String, u64)> {
    vec![(decision.to_owned(), kind.to_owned(), file.to_owned(), line)]
}

#[test]
fn decisions_are_listed_and_shown() {
    let world = decided();
    world.write("new.sql", "-- @REJECTED: `SELECT *`\n");
    let listed = world.run(&["decisions"]);
    assert_eq!(listed.code, 0);
    for part in [
        "cache  Where the cache lives (accepted)",
        "rejects `redis`",
        "ADR-0003",
        "rejects `moment`",
        "new.sql:1",
    ] {
        assert!(listed.stdout.contains(part), "{part}: {}", listed.stdout);
    }
    let all = world.run(&["decisions", "list", "--json"]).json();
    assert_eq!(all["decisions"].as_array().unwrap().len(), 3);
    for name in ["ADR-0003", "3", "docs/adr/0003-dates.md"] {
        let shown = world.run(&["decisions", "show", name, "--json"]).json();
        assert_eq!(
            (&shown["id"], &shown["rejected"][0]["names"][0]["text"]),
            (&json!("ADR-0003"), &json!("moment"))
        );
    }
    let missing = world.run(&["decisions", "show", "ADR-9"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("`hansei decisions` lists them"), "{}", missing.stderr);
}

#[test]
fn every_form_looks_at_its_own_change() {
    let world = decided();
    assert_eq!(found(&world.run(&["decisions", "check", "--json"])), []);
    world.write("web/a.js", "// dates\nimport moment from 'moment';\n");
    let returned = told("ADR-0003", "reintroduced", "web/a.js", 2);
    assert_eq!(found(&world.run(&["decisions", "check", "--json"])), returned, "untracked");
    assert_eq!(found(&world.run(&["decisions", "check", "--staged", "--json"])), []);
    world.git(&["add", "."]);
    assert_eq!(found(&world.run(&["decisions", "check", "--staged", "--json"])), returned);
    let diff = world.git(&["diff", "--cached"]);
    world.commit("Add dates");
    assert_eq!(found(&world.run(&["decisions", "check", "--json"])), [], "what is committed is the base");
    assert_eq!(found(&world.run(&["decisions", "check", "--base", "HEAD~1", "--json"])), returned);
    world.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    let given =
        Ran::of(world.hansei().args(["decisions", "check", "--diff", "-", "--json"]), diff.as_bytes());
    assert_eq!(found(&given), returned);
    world.write("change.diff", &diff);
    assert_eq!(found(&world.run(&["decisions", "check", "--diff", "change.diff", "--json"])), returned);
    let spoken = world.run(&["decisions", "check", "--diff", "change.diff"]);
    assert!(
        spoken.code == 1 && spoken.stdout.contains("web/a.js:2: brings back what was rejected (ADR-0003)"),
        "{}",
        spoken.stdout
    );
}

#[test]
fn deleting_a_decision_allows_nothing() {
    let world = decided();
    world.write("src/cache.py", "import redis\ndef cache(): ...\n");
    let kinds = |ran: &Ran| found(ran).into_iter().map(|(_, kind, _, line)| (kind, line)).collect::<Vec<_>>();
    let expected = [("reintroduced".to_owned(), 1), ("tag_removed".to_owned(), 1)];
    assert_eq!(kinds(&world.run(&["decisions", "check", "--json"])), expected);
    let diff = world.git(&["diff", "-U0"]);
    world.git(&["checkout", "--quiet", "."]);
    let given =
        Ran::of(world.hansei().args(["decisions", "check", "--diff", "-", "--json"]), diff.as_bytes());
    assert_eq!(kinds(&given), expected, "a diff without context says the same");
    world.git(&["rm", "--quiet", "docs/adr/0003-dates.md"]);
    assert_eq!(
        found(&world.run(&["decisions", "check", "--staged", "--json"])),
        told("ADR-0003", "tag_removed", "docs/adr/0003-dates.md", 1)
    );
}

#[test]
fn moving_and_renaming_is_nobodys_fault() {
    let world = decided();
    world.write("old.py", "import redis\n\n\ndef f():\n    return redis.Redis()\n");
    world.commit("It was there");
    world.git(&["mv", "old.py", "new.py"]);
    world.git(&["mv", "src/cache.py", "src/store.py"]);
    assert_eq!(found(&world.run(&["decisions", "check", "--json"])), []);
    world.git(&["reset", "--quiet"]);
    assert_eq!(found(&world.run(&["decisions", "check", "--json"])), [], "also before git knows of it");
}

#[test]
fn a_formal_revision_lifts_a_decision() {
    let world = decided();
    world.write("web/a.js", "import moment from 'moment';\n");
    let without = "# 4. Dates again\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use `moment`.\n";
    world.write("docs/adr/0004-dates.md", without);
    let kinds: Vec<String> =
        found(&world.run(&["decisions", "check", "--json"])).into_iter().map(|(_, kind, ..)| kind).collect();
    assert_eq!(kinds, ["contradicted", "reintroduced"]);
    let revision = without.replace(
        "Accepted",
        "Accepted\n\nSupersedes [3. Dates](0003-dates.md)\n\n## New evidence\n\nA benchmark.",
    );
    world.write("docs/adr/0004-dates.md", revision);
    world.write(
        "docs/adr/0003-dates.md",
        DATES.replace("Accepted", "Superseded by [4. Dates again](0004-dates.md)"),
    );
    assert_eq!(found(&world.run(&["decisions", "check", "--json"])), []);
}

#[test]
fn a_plan_is_checked_and_its_decisions_come_from_head() {
    let world = decided();
    world.write("plan.md", "# Plan\n\n1. Keep sqlite\n2. Use redis for the sessions\n");
    let against = told("cache", "contradicted", "plan.md", 4);
    assert_eq!(found(&world.run(&["decisions", "check", "--plan", "plan.md", "--json"])), against);
    std::fs::remove_file(world.path("src/cache.py")).unwrap();
    assert_eq!(found(&world.run(&["decisions", "check", "--plan", "plan.md", "--json"])), against);
    let fine = Ran::of(
        world.hansei().args(["decisions", "check", "--plan", "-", "--json"]),
        b"Drop moment, avoid redis",
    );
    assert_eq!(found(&fine), []);
}

#[test]
fn a_revision_names_the_decision_and_the_evidence() {
    let world = decided();
    let packet = world
        .run(&["decisions", "revise", "cache", "--evidence", "two processes share it now", "--json"])
        .json();
    assert_eq!(packet["decision"], "cache");
    assert_eq!(packet["rejected"], json!(["`redis`, another process"]));
    assert_eq!(packet["new_evidence"], json!(["two processes share it now"]));
    assert_eq!(packet["would_change"], json!(["`redis` could be used again"]));
    let text =
        world.run(&["decisions", "revise", "cache", "--evidence", "two processes share it now"]).stdout;
    assert!(text.contains("proposed") && text.contains("Supersedes cache (src/cache.py:1)"), "{text}");
    assert_eq!(world.run(&["decisions", "revise", "cache", "--evidence", " "]).code, 2);
    assert_eq!(world.run(&["decisions", "revise", "cache"]).code, 2);
}

#[test]
fn wrong_use_and_odd_places_are_answered() {
    let world = decided();
    assert_eq!(world.run(&["decisions", "check", "--base", "nowhere"]).code, 2);
    assert_eq!(world.run(&["decisions", "check", "--base", "--upload-pack=x"]).code, 2);
    assert_eq!(world.run(&["decisions", "check", "--staged", "--plan", "x"]).code, 2);
    assert_eq!(world.run(&["decisions", "check", "--plan", "nowhere.md"]).code, 2);
    let garbage = Ran::of(world.hansei().args(["decisions", "check", "--diff", "-"]), b"\xff\xfenot a diff");
    assert_eq!(garbage.code, 2);
    assert!(garbage.stderr.contains("there is no unified diff in it"), "{}", garbage.stderr);
    // What cannot be read is not said to be harmless.
    for diff in [
        "diff --cc a.py\n--- a/a.py\n+++ b/a.py\n@@@ -1,1 -1,1 +1,2 @@@\n++import redis\n",
        "--- a/a.py\n+++ b/a.py\n@@ garbage @@\n+import redis\n",
        "--- a/a.py\n+++ b/a.py\n@@ -1,0 +1,0 @@\n+import redis\n",
    ] {
        let ran = Ran::of(world.hansei().args(["decisions", "check", "--diff", "-"]), diff.as_bytes());
        assert_eq!(ran.code, 2, "{diff}: {}", ran.stdout);
        assert!(ran.stderr.contains("cannot be read"), "{diff}: {}", ran.stderr);
    }
    let plan = Ran::of(world.hansei().args(["decisions", "check", "--plan", "-"]), b"\xff\xfeU\0s\0e\0");
    assert_eq!(plan.code, 2, "{}", plan.stderr);
    let young = World::without_commit();
    young.write("a.py", "# @REJECTED: `redis`\nimport redis\n");
    assert_eq!(found(&young.run(&["decisions", "check", "--json"])), [], "nothing was decided before");
    let bare = World::without_repository();
    bare.write("a.py", "# @REJECTED: `redis`\n");
    assert!(bare.run(&["decisions"]).stdout.contains("rejects `redis`"));
    let diff = b"--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+import redis\n";
    let given = Ran::of(bare.hansei().args(["decisions", "check", "--diff", "-", "--json"]), diff);
    assert_eq!(found(&given), told("a.py:1", "reintroduced", "b.py", 1));
    assert_eq!(bare.run(&["decisions", "check"]).code, 2);
}

#[cfg(unix)]
#[test]
fn hostile_trees_and_texts_do_no_harm() {
    let world = decided();
    let secret = world.outside().join("secret.md");
    std::fs::write(&secret, "@REJECTED: `outside_secret`\n").unwrap();
    std::os::unix::fs::symlink(&secret, world.path("link.md")).unwrap();
    world.write("big.py", "# @REJECTED: `too_big`\n".to_owned() + &"x = 1\n".repeat(400_000));
    world.write("binary.py", b"# @REJECTED: `binary`\n\0\xff\n");
    world.write("esc.py", "# @REJECTED: `a\u{1b}[31mb` \u{202e}x\n");
    world.write("deep.py", "(".repeat(100_000) + "\n");
    let listed = world.run(&["decisions"]);
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    for word in ["outside_secret", "too_big", "\u{1b}", "\u{202e}"] {
        assert!(!listed.stdout.contains(word), "{word:?}: {}", listed.stdout);
    }
    assert_eq!(found(&world.run(&["decisions", "check", "--json"])), []);
    let climbing =
        b"--- a/../../secret.md\n+++ b/../../secret.md\n@@ -1 +1 @@\n-@REJECTED: `outside_secret`\n+x\n";
    let given = Ran::of(world.hansei().args(["decisions", "check", "--diff", "-", "--json"]), climbing);
    assert_eq!(found(&given), []);
}
