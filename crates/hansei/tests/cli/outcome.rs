//! How work came out: what a person says, and what can be found by looking.

use serde_json::{Value, json};

use crate::support::World;

fn outcomes(world: &World) -> Vec<Value> {
    let ran = world.run(&["outcome", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.json()["outcomes"].as_array().unwrap().clone()
}

#[test]
fn a_person_says_how_work_came_out_and_it_is_kept_with_the_session() {
    let world = World::new();
    assert_eq!(world.run(&["outcome"]).stdout, "nothing is known yet of how work here came out\n");
    world.write("src/login.rs", "x");
    world.hook("stop");
    let ran = world.run(&["outcome", "last", "wrong", "--why", "off by one cent"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let logged = world.log("s1");
    let last = logged.last().unwrap();
    assert_eq!(
        [&last["kind"], &last["outcome"], &last["source"], &last["why"]],
        [&json!("outcome"), &json!("wrong"), &json!("human"), &json!("off by one cent")]
    );
    let known = outcomes(&world);
    assert_eq!(known.len(), 1);
    assert_eq!(known[0]["session_id"], "s1");
    assert_eq!(known[0]["outcome"], "wrong");
    // The newest of a person's words counts, and both stay.
    world.run(&["outcome", "last", "correct"]);
    assert_eq!(outcomes(&world)[0]["outcome"], "correct");
    assert_eq!(outcomes(&world)[0]["heard"], 2);
    // A failed run of CI is not talked away.
    world.run(&["outcome", "last", "wrong", "--source", "ci"]);
    world.run(&["outcome", "last", "correct"]);
    assert_eq!([&outcomes(&world)[0]["outcome"], &outcomes(&world)[0]["source"]], ["wrong", "ci"]);
    let table = world.run(&["outcome"]).stdout;
    assert!(table.contains("OUTCOME") && table.contains("wrong"), "{table}");
}

#[test]
fn what_is_not_there_has_no_outcome() {
    let world = World::new();
    for arguments in [&["outcome", "nobody", "wrong"][..], &["outcome", "last", "correct"]] {
        let ran = world.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stdout);
    }
    for arguments in [&["outcome", "last"][..], &["outcome", "last", "maybe"], &["outcome", "--why", "x"]] {
        assert_eq!(world.run(arguments).code, 2, "{arguments:?}");
    }
    assert!(!world.path(".hansei").exists(), "looking leaves no trace");
}

#[test]
fn an_agent_does_not_say_how_its_own_work_came_out() {
    let world = World::new();
    world.hook("stop");
    let mut command = world.hansei();
    command.env("CLAUDECODE", "1").args(["outcome", "last", "correct"]);
    let ran = crate::support::Ran::of(&mut command, b"");
    assert_eq!(ran.code, 1);
    assert!(outcomes(&world).is_empty());
    assert_eq!(world.log("~workspace").last().unwrap()["kind"], "refused_inside_agent");
}

/// A commit at a moment, in seconds from now.
fn commit_at(world: &World, offset: i64, message: &str) -> String {
    world.git(&["add", "--all"]);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let date = format!("{} +0000", i64::try_from(now).unwrap() + offset);
    let mut git = world.command("git");
    git.env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date);
    assert!(git.args(["commit", "--quiet", "-m", message]).status().unwrap().success());
    world.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

#[test]
fn a_change_that_was_taken_back_was_wrong_and_the_commit_is_named() {
    let world = World::new();
    world.hook("session-start");
    world.write("src/cache.rs", "fn cached() {}\n");
    world.hook("stop");
    let change = commit_at(&world, 60, "Add a cache");
    assert!(outcomes(&world).is_empty());
    world.write("other.rs", "fn other() {}\n");
    commit_at(&world, 120, "Something else");
    std::fs::remove_file(world.path("src/cache.rs")).unwrap();
    let revert =
        commit_at(&world, 3600, &format!("Revert \"Add a cache\"\n\nThis reverts commit {change}.\n"));
    let known = outcomes(&world);
    assert_eq!(known.len(), 1, "{known:?}");
    assert_eq!([&known[0]["outcome"], &known[0]["source"]], ["wrong", "revert"]);
    assert_eq!(known[0]["commits"], json!([revert]));
    // Looking again finds nothing new.
    assert_eq!(world.run(&["outcome", "--json"]).json()["found"], 0);
    assert_eq!(outcomes(&world).len(), 1);
}

#[test]
fn a_fix_of_the_same_lines_within_thirty_days_says_wrong() {
    let lines = |middle: &str| {
        format!("fn a() {{}}\n\n\n\n\nfn total(x: u32) -> u32 {{\n    {middle}\n}}\n\n\n\n\nfn z() {{}}\n")
    };
    for (days, fixed, wrong) in [
        (2, lines("prices.total(x).rounded_down(2)"), true),
        (40, lines("prices.total(x).rounded_down(2)"), false),
        // Other lines of the same file.
        (2, lines("prices.total(x).rounded_up(2)").replace("fn z() {}", "fn z() { 1; }"), false),
    ] {
        let world = World::new();
        world.write("src/total.rs", lines("prices.total(x)"));
        commit_at(&world, -3600, "Begin");
        world.hook("session-start");
        world.write("src/total.rs", lines("prices.total(x).rounded_up(2)"));
        world.hook("stop");
        let feature = commit_at(&world, 60, "feat: count one more");
        world.write("src/total.rs", fixed);
        let fix = commit_at(&world, 60 + days * 86_400, "fix: count two more");
        let known: Vec<Value> = outcomes(&world);
        assert_eq!(!known.is_empty(), wrong, "{days} days after {feature}: {known:?}");
        if wrong {
            assert_eq!([&known[0]["outcome"], &known[0]["source"]], ["wrong", "fix"]);
            assert_eq!(known[0]["commits"], json!([fix]));
        }
    }
}
