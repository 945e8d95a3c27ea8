//! `hansei risk`: how likely a mistake is, for a change and for many commits at once.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Ran, World};

/// A commit of `lines` lines more in `path`, at a day that its clock claims.
fn grow(world: &World, path: &str, lines: usize, day: u32, message: &str) -> String {
    let file = world.path(path);
    let mut text = std::fs::read_to_string(&file).unwrap_or_default();
    for line in 0..lines {
        writeln!(text, "let value_{day}_{line} = {line};").unwrap();
    }
    world.write(path, text);
    world.git(&["add", "--all"]);
    let date = format!("{} +0000", 1_600_000_000 + i64::from(day) * 86_400);
    let mut commit = world.command("git");
    commit.args(["commit", "--quiet", "--message", message]);
    commit.env("GIT_AUTHOR_DATE", &date).env("GIT_COMMITTER_DATE", &date);
    let ran = Ran::of(&mut commit, b"");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    world.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

fn many(world: &World, list: &str) -> Vec<Value> {
    let ran = Ran::of(world.hansei().args(["risk", "--commits", "-"]), list.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn one(world: &World, revision: &str) -> Value {
    many(world, revision).remove(0)
}

fn score(report: &Value) -> f64 {
    report["likelihood"]["score"].as_f64().unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn every_form_tells_the_likelihood_and_the_rank() {
    let world = World::new();
    grow(&world, "src/login.rs", 40, 1, "Log in");
    grow(&world, "src/login.rs", 3, 9, "Fix a crash at the login");
    world.write("src/login.rs", "let everything = \"new\";\n".repeat(90));
    world.write("src/untracked.rs", "one\ntwo\nthree");
    for form in [
        vec![],
        vec!["--staged"],
        vec!["--base", "HEAD"],
        vec!["--commit", "HEAD"],
        vec!["--base", "HEAD~1", "--head", "HEAD"],
    ] {
        if form == ["--staged"] {
            world.git(&["add", "src/login.rs"]);
        }
        let report = world.run(&[&["risk", "--json"], form.as_slice()].concat()).json();
        let likelihood = score(&report);
        assert!(likelihood > 0.0 && likelihood < 1.0, "{form:?}: {report}");
        let product = report["consequence"]["score"].as_f64().unwrap() * likelihood;
        assert!((report["rank"].as_f64().unwrap() - product).abs() < 1e-12, "{form:?}: {report}");
        assert_eq!(report["likelihood"]["reasons"].as_array().unwrap().len(), 3, "{form:?}: {report}");
    }
    let report = world.run(&["risk", "--json"]).json();
    assert_eq!(
        report["likelihood"]["reasons"][0], "raises: 93 lines of source added",
        "also what git does not know yet: {report}"
    );
    let text = world.run(&["risk"]).stdout;
    let told = format!(
        "\nlikelihood of a mistake {:.2}, rank {:.2}\n  raises: 93 lines",
        score(&report),
        score(&report)
    );
    assert!(text.contains(&told), "{text}");
    let github = world.run(&["risk", "--format", "github"]).stdout;
    assert!(github.contains("::notice title=Likelihood of a mistake::"), "{github}");
    let sarif = world.run(&["risk", "--format", "sarif"]).json();
    let run = &sarif["runs"][0];
    assert_eq!(
        (&run["properties"]["likelihood"], &run["properties"]["rank"]),
        (&report["likelihood"], &report["rank"])
    );
    let result = &run["results"][0];
    let of_file = result["properties"]["likelihood"]["score"].as_f64().unwrap();
    assert!((result["rank"].as_f64().unwrap() - 100.0 * of_file).abs() < 1e-9, "{result}");
}

#[test]
fn files_to_look_at_first_come_first() {
    let world = World::new();
    world.write("a_token.rs", "one\n");
    world.write("b_token.rs", "many\n".repeat(300));
    world.write("c_token.rs", "some\n".repeat(30));
    let told = world.run(&["risk", "--format", "github"]).stdout;
    let order: Vec<&str> =
        told.lines().filter_map(|line| line.strip_prefix("::warning file=")).map(|line| &line[..1]).collect();
    assert_eq!(order, ["b", "c", "a"], "{told}");
}

#[test]
fn many_commits_are_answered_in_order_and_under_the_names_they_were_asked_by() {
    let world = World::new();
    let first = grow(&world, "src/a.rs", 5, 1, "One");
    world.git(&["tag", "--annotate", "--message", "x", "v1"]);
    let second = grow(&world, "src/auth.rs", 80, 2, "Two");
    let short = &second[..9];
    let list =
        format!("{second}\nno-such\n{short}\r\nv1\n main \n{first}\n\n{first}^{{tree}}\n--help\nHEAD~1\n");
    let answers = many(&world, &list);
    let names: Vec<&str> = answers.iter().map(|line| line["commit"].as_str().unwrap()).collect();
    let asked = [
        second.as_str(),
        "no-such",
        short,
        "v1",
        " main ",
        first.as_str(),
        "",
        &format!("{first}^{{tree}}"),
        "--help",
        "HEAD~1",
    ];
    assert_eq!(names, asked);
    for unknown in [1, 6, 7, 8] {
        let keys: Vec<&String> = answers[unknown].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["commit", "error"], "{}", answers[unknown]);
    }
    for (same, as_this) in [(2, 0), (4, 0), (3, 5), (9, 5)] {
        assert_eq!(answers[same]["likelihood"], answers[as_this]["likelihood"]);
        assert_eq!(answers[same]["files"], answers[as_this]["files"]);
    }
    assert_eq!(
        (&answers[0]["files"], &answers[0]["consequence"]["surface"]),
        (&json!(["src/auth.rs"]), &json!("auth"))
    );
    assert_eq!(answers[0]["rank"], answers[0]["likelihood"]["score"], "the floor of auth is 1");
    assert!(score(&answers[0]) > score(&answers[5]));
    assert!(many(&world, "").is_empty());
    let ran = world.run(&["risk", "--commits", "/no/such"]);
    assert_eq!(ran.code, 2);
    let ran = world.run(&["risk", "--commits", "-", "--format", "sarif"]);
    assert!(ran.code == 2 && ran.stderr.contains("lines of JSON"), "{}", ran.stderr);
}

#[test]
fn one_commit_is_told_the_same_as_among_many() {
    let world = World::new();
    for day in 0..12 {
        let message = if day % 3 == 0 { "Fix what broke" } else { "Grow" };
        grow(
            &world,
            ["src/a.rs", "src/b.rs", "tests/c.rs"][day as usize % 3],
            3 + day as usize,
            day * 40,
            message,
        );
    }
    world.git(&["mv", "src/a.rs", "src/moved.rs"]);
    grow(&world, "src/moved.rs", 2, 500, "Move");
    let list = world.git(&["rev-list", "HEAD"]);
    for answer in many(&world, &list) {
        let alone = world.run(&["risk", "--json", "--commit", answer["commit"].as_str().unwrap()]).json();
        assert_eq!(answer, alone);
    }
    let moved = one(&world, "HEAD");
    assert_eq!(moved["files"], json!(["src/a.rs", "src/moved.rs"]));
    let told = moved["likelihood"]["reasons"].to_string();
    assert!(told.contains("2 lines of source added"), "a move adds nothing: {told}");
}

#[test]
fn a_commit_knows_its_ancestors_and_nothing_else() {
    let world = World::new();
    grow(&world, "src/a.rs", 20, 10, "Begin");
    world.git(&["branch", "side"]);
    // Much happens to the file on main, some of it dated before everything.
    for day in 11..25 {
        grow(&world, "src/a.rs", 2, if day % 2 == 0 { 1 } else { day }, "Fix the crash again");
    }
    let main = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let of_main = one(&world, &main);
    world.git(&["checkout", "--quiet", "side"]);
    let side = grow(&world, "src/a.rs", 2, 30, "Beside");
    let of_side = one(&world, &side);
    let reasons = of_side["likelihood"]["reasons"].to_string();
    assert!(!reasons.contains("14 fixes"), "{reasons}");
    assert!(score(&of_main) > score(&of_side), "{of_main} {of_side}");
    // The same change in a repository in which main never happened.
    let alone = World::new();
    grow(&alone, "src/a.rs", 20, 10, "Begin");
    let there = grow(&alone, "src/a.rs", 2, 30, "Beside");
    assert_eq!(one(&alone, &there)["likelihood"], of_side["likelihood"]);
    // Asked together, before and after both are joined and the history goes on, each stays as it was.
    world.git(&["merge", "--quiet", "--no-edit", "--strategy-option=theirs", "main"]);
    let merge = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let of_merge = one(&world, &merge);
    grow(&world, "src/a.rs", 2, 31, "Fix it all");
    let together = many(&world, &format!("{merge}\n{side}\n{main}\n"));
    assert_eq!(together, [of_merge.clone(), of_side, of_main]);
    assert!(score(&of_merge) > 0.0);
    assert_eq!(of_merge["files"], json!(["src/a.rs"]), "against its first parent");
}

#[test]
fn commits_of_every_shape_are_answered() {
    let world = World::new();
    let root = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    world.git(&["commit", "--quiet", "--allow-empty", "--message", "Nothing"]);
    let empty = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    world.write("logo.png", b"\x89PNG\0\0\0");
    world.commit("A picture");
    let picture = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    world.write("Cargo.lock", "line\n".repeat(400));
    world.commit("Locks");
    let locks = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let source = grow(&world, "src/main.rs", 120, 40, "Work");
    world.git(&["revert", "--no-edit", &source]);
    let revert = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let answers =
        many(&world, &[&root, &empty, &picture, &locks, &source, &revert].map(String::as_str).join("\n"));
    let scores: Vec<f64> = answers.iter().map(score).collect();
    assert_eq!(answers[1]["files"], json!([]));
    let likeliest = scores.iter().copied().fold(0.0, f64::max);
    assert!((likeliest - scores[4]).abs() < f64::EPSILON, "the work: {scores:?}");
    assert!(scores[5] < scores[4] / 2.0, "what only takes away: {scores:?}");
    assert!(scores[3] < scores[4] / 2.0, "what a program wrote: {scores:?}");
    // In a shallow clone the oldest commit's change is not known, and is nobody's past.
    let shallow = world.outside().join("shallow");
    let url = format!("file://{}", world.repo.display());
    world.git(&["clone", "--quiet", "--depth", "2", &url, shallow.to_str().unwrap()]);
    let mut asked = world.hansei();
    asked.args(["risk", "--commits", "-", "--repo", shallow.to_str().unwrap()]);
    let ran = Ran::of(&mut asked, b"HEAD\nHEAD~1\n");
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(score(&lines[0]) > 0.0);
    assert!(lines[1]["error"].as_str().unwrap().contains("the clone is shallow"), "{}", lines[1]);
}

#[test]
fn settings_are_those_before_each_commit() {
    let world = World::new();
    world.write("hansei.toml", "[risk.surfaces.data]\nextend = ['ledger']\n");
    grow(&world, "src/ledger.rs", 2, 1, "Settings and a ledger");
    grow(&world, "src/ledger.rs", 2, 2, "More ledger");
    world.write("hansei.toml", "[risk]\nthreshhold = 1\n");
    grow(&world, "src/ledger.rs", 2, 3, "A typing error");
    grow(&world, "src/ledger.rs", 2, 4, "After it");
    let answers = many(&world, "HEAD~3\nHEAD~2\nHEAD~1\nHEAD\n");
    let surfaces: Vec<&Value> = answers.iter().map(|line| &line["consequence"]["surface"]).collect();
    assert_ne!(surfaces[0], &json!("data"), "not what it brings itself");
    assert_eq!(surfaces[1..], [&json!("data"), &json!("data"), &Value::Null]);
    assert!(answers[3]["error"].as_str().unwrap().contains("threshhold"), "{}", answers[3]);
}
