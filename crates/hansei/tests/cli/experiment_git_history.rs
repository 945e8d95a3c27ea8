//! P2: what went wrong in histories of every workflow, made by real git, and which gate is said to have been the one.

mod same_lines;

use std::fmt::Write as _;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Ran, World};
use same_lines::{FIXED, OWNED};

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

/// A repository whose clock is in our hands.
struct Story {
    world: World,
    clock: u64,
    /// How much earlier than committed a change was written.
    written_before: u64,
}

impl Story {
    fn new() -> Self {
        let mut story = Self { world: World::without_commit(), clock: 1_750_000_000, written_before: 0 };
        story.change("base.txt", &["the very first line of it"], "Start");
        story
    }

    fn git(&mut self, args: &[&str]) -> String {
        self.clock += 10;
        let committed = format!("{} +0000", self.clock);
        let written = format!("{} +0000", self.clock - self.written_before);
        let mut command: Command = self.world.command("git");
        command.args(args).env("GIT_COMMITTER_DATE", committed).env("GIT_AUTHOR_DATE", written);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn pass(&mut self, seconds: u64) {
        self.clock += seconds;
    }

    /// Commits `file` with these lines; gives the hash.
    fn change(&mut self, file: &str, lines: &[&str], message: &str) -> String {
        self.world.write(file, lines.join("\n") + "\n");
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Commits without a change; gives the hash.
    fn say(&mut self, message: &str) -> String {
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn merge(&mut self, branch: &str, message: &str) -> String {
        self.git(&["merge", "--quiet", "--no-ff", branch, "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn found(&self) -> Value {
        let ran = self.asked(&["--since", "all"]);
        assert!(ran.code < 2, "{}", ran.stderr);
        ran.json()
    }

    fn asked(&self, more: &[&str]) -> Ran {
        let mut args = vec!["experiment", "git-history", "--repo", ".", "--format", "json"];
        args.extend(more);
        self.world.run(&args)
    }

    /// The signals as (commit, kind, reverts, failed).
    fn signals(&self) -> Vec<[Value; 4]> {
        let found = self.found();
        let signals = found["signals"].as_array().unwrap();
        let counted: Vec<&Value> = signals.iter().filter(|signal| signal["repeats"].is_null()).collect();
        assert_eq!(found["n"], counted.len());
        let signals = counted;
        signals
            .iter()
            .map(|signal| ["commit", "kind", "reverts", "failed"].map(|key| signal[key].clone()))
            .collect()
    }
}

#[test]
fn merged_branches() {
    let mut story = Story::new();
    let lines = ["def total(prices):", "    return sum(price for price in prices)"];
    story.git(&["checkout", "--quiet", "-b", "feature"]);
    story.change("shop.py", &lines[..1], "Add totals");
    story.change("shop.py", &lines, "Fix totals before anybody has seen them");
    story.git(&["checkout", "--quiet", "main"]);
    let merge = story.merge("feature", "Merge pull request #1 from a/feature\n\nAdd totals");
    let feature = story.git(&["rev-parse", "HEAD^2^"]);

    // A fix two days later, in a branch of its own, in a line of the feature.
    story.pass(2 * DAY);
    story.git(&["checkout", "--quiet", "-b", "repair"]);
    let fix = story.change("shop.py", &["def total(prices, tax):", lines[1]], "Fix totals without tax");
    story.git(&["checkout", "--quiet", "main"]);
    story.merge("repair", "Merge pull request #2 from a/repair\n\nFix totals");

    let repair = story.git(&["rev-parse", "HEAD"]);

    // A merge is taken back by git, in a branch, and the merge of that repeats it.
    story.pass(2 * DAY);
    story.git(&["checkout", "--quiet", "-b", "revert-2"]);
    story.git(&["revert", "--no-edit", "-m", "1", &repair]);
    let revert = story.git(&["rev-parse", "HEAD"]);
    story.git(&["checkout", "--quiet", "main"]);
    story.merge("revert-2", "Merge pull request #3 from a/revert-2\n\nRevert \"Fix totals\"");

    // Another says so in the merge alone.
    story.pass(DAY);
    story.git(&["checkout", "--quiet", "-b", "revert-1"]);
    story.say("Take it out again");
    story.git(&["checkout", "--quiet", "main"]);
    let alone = story.merge("revert-1", "Merge pull request #4 from a/revert-1\n\nRevert \"Add totals\"");
    assert_eq!(
        story.signals(),
        [
            [json!(fix), json!("fix_after_merge"), Value::Null, json!(feature)],
            [json!(revert), json!("revert"), json!(repair), json!(repair)],
            [json!(alone), json!("revert"), json!(merge), json!(merge)],
        ]
    );

    let found = story.found();
    let echoes: Vec<&Value> =
        found["signals"].as_array().unwrap().iter().filter(|signal| !signal["repeats"].is_null()).collect();
    assert_eq!(echoes.len(), 1, "{found}");
    assert_eq!((&echoes[0]["repeats"], &echoes[0]["reverts"]), (&json!(revert), &json!(repair)));

    let bare = story.world.outside().join("bare.git");
    story.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let here = story.found();
    let there = story.world.run(&[
        "experiment",
        "git-history",
        "--repo",
        bare.to_str().unwrap(),
        "--json",
        "--since",
        "all",
    ]);
    assert_eq!(there.json()["signals"], here["signals"]);
}

#[test]
fn squashed_requests() {
    let mut story = Story::new();
    let lines = ["export function greet(name) {", "  return `Hello ${name.trim()}`;", "}"];
    let feature = story.change("greet.js", &lines, "Add greetings (#11)");
    let other =
        story.change("other.js", &["export const other = 'something else';"], "Add something else (#12)");
    story.pass(3 * DAY);
    let fix = story.change(
        "greet.js",
        &[lines[0], "  return `Hello ${(name ?? '').trim()}`;", lines[2]],
        "fix: greetings without a name (#13)",
    );
    story.pass(3 * DAY);
    let unrelated = story.change(
        "third.js",
        &["export const third = 'nobody touched this';"],
        "fix: another thing (#14)",
    );
    story.pass(HOUR);
    let revert = story.say("Revert \"Add something else (#12)\" (#15)\n\nReverts owner/project#12");
    story.pass(HOUR);
    let again = story.say("Revert \"Revert \"Add something else (#12)\" (#15)\" (#16)");
    story.pass(HOUR);
    let branch_only = story.say("Add the last one (#17)\n\n* first try\n\n* Revert \"first try\"\n\nThis reverts commit 1234567890123456789012345678901234567890.");
    story.pass(15 * DAY);
    let late =
        story.change("greet.js", &[lines[0], "  return 'Hello';", lines[2]], "hotfix: greetings (#18)");
    let signals = story.signals();
    assert_eq!(
        signals,
        [
            [json!(fix), json!("fix_after_merge"), Value::Null, json!(feature)],
            [json!(revert), json!("revert"), json!(other), json!(other)],
            [json!(again), json!("reland"), json!(revert), json!(other)],
        ]
    );
    for quiet in [&unrelated, &branch_only, &late] {
        assert!(signals.iter().all(|signal| signal[0] != json!(quiet)));
    }
}

#[test]
fn rebased_branches() {
    let mut story = Story::new();
    // Written days before, rebased onto the branch in one go.
    story.written_before = 3 * DAY;
    let feature =
        story.change("lib.rs", &["pub fn double(number: u32) -> u32 { number * 2 }"], "Add doubling");
    story.change(
        "lib.rs",
        &["pub fn double(number: u64) -> u64 { number * 2 }"],
        "Fix doubling of large numbers",
    );
    let stale = "0123456789012345678901234567890123456789";
    story.written_before = 0;
    story.pass(DAY);
    let fix = story.change(
        "lib.rs",
        &["pub fn double(number: u64) -> Option<u64> { number.checked_mul(2) }"],
        "Fix overflow in doubling",
    );
    story.pass(DAY);
    // The hash of before the rebase says nothing; the title does.
    let revert = story.say(&format!("Revert \"Add doubling\"\n\nThis reverts commit {stale}."));
    let signals = story.signals();
    assert_eq!(signals.len(), 1, "{signals:?}");
    assert_eq!(signals[0], [json!(revert), json!("revert"), json!(feature), json!(feature)]);
    assert!(
        signals.iter().all(|signal| signal[0] != json!(fix)),
        "it changed a line of a fix, not of a feature"
    );
}

#[test]
fn commits_are_named_in_many_ways() {
    let mut story = Story::new();
    let [one, two, three]: [String; 3] = ["one", "two", "three"]
        .map(|name| story.change(&format!("{name}.txt"), &[name], &format!("Add {name}")));
    story.pass(DAY);
    let short = story.say(&format!("Revert one\n\nThis reverts commit {}.", &one[..8]));
    let both = story.say(&format!("Back to the start\n\nThis reverts commits {two} and\n{three}."));
    let reapplied = story.say(&format!("Reapply \"Add one\"\n\nThis reverts commit {short}."));
    let relanded = story.say("Reland \"Add two\"");
    let picked = story.say(&format!("Add four\n\n(cherry picked from commit {})", "ab".repeat(20)));
    let unpicked = story.say(&format!(
        "Revert \"Add 4\"\n\nThis reverts commit {}.\n\n(cherry picked from commit {})",
        "ab".repeat(20),
        "cd".repeat(20)
    ));
    let mixed = story.say(&format!("Add five (#5)\n\nThis reverts commit {picked}."));
    let unmixed = story.say("Revert \"Add five (#5)\"");
    let rolled = story.say("Rollback to version 3");
    let vague = story.say("Revert the colours of yesterday");
    story.say(&format!(
        "Describe what happened\n\nIt was reverted in {one}, and nobody wants to revert {two} again."
    ));
    let signal = |commit: &str, kind: &str, reverts: Option<&str>, failed: Option<&str>| {
        [json!(commit), json!(kind), json!(reverts), json!(failed)]
    };
    assert_eq!(
        story.signals(),
        [
            signal(&short, "revert", Some(&one), Some(&one)),
            signal(&both, "revert", Some(&two), Some(&two)),
            signal(&both, "revert", Some(&three), Some(&three)),
            signal(&reapplied, "reland", Some(&short), Some(&one)),
            signal(&relanded, "reland", None, Some(&two)),
            signal(&unpicked, "revert", Some(&picked), Some(&picked)),
            // What a feature took back on its way does not make a revert of it: taking it back is no reland.
            signal(&unmixed, "revert", Some(&mixed), Some(&mixed)),
            signal(&rolled, "rollback", None, None),
            signal(&vague, "revert", None, None),
        ]
    );
}

#[test]
fn taken_back_and_brought_back_by_turns() {
    let mut story = Story::new();
    let mut last = story.change("a.py", &[OWNED], "Add totals");
    let first = last.clone();
    for kind in ["revert", "reland", "revert", "reland"] {
        story.pass(DAY);
        // The title does not say it: the hashes do.
        let next = story.say(&format!("Revert of yesterday\n\nThis reverts commit {last}."));
        let signals = story.signals();
        assert_eq!(signals.last().unwrap(), &[json!(next), json!(kind), json!(last), json!(first)]);
        last = next;
    }
}

#[test]
fn revisions_of_subversion_are_known_by_their_trailer() {
    let mut story = Story::new();
    let trailer = "git-svn-id: http://example.invalid/svn/trunk@3919 bcc190cf-cafb-0310-a4f2-bffc1f526a37";
    let taken = story.change("a.py", &[OWNED], &format!("Added totals.\n\n{trailer}"));
    story.pass(DAY);
    let revert = story.say("Reverted [3919], it is not time yet.");
    let again = story.say("Reverted r4000");
    assert_eq!(
        story.signals(),
        [
            [json!(revert), json!("revert"), json!(taken), json!(taken)],
            [json!(again), json!("revert"), Value::Null, Value::Null],
        ]
    );
}

#[test]
fn a_line_that_is_merged_back_is_no_request() {
    // Work lands on a release line of itself; what it takes back had landed there.
    for (requests, evidence) in [(1, "what it landed with"), (3, "nothing says")] {
        let mut story = Story::new();
        story.git(&["checkout", "--quiet", "-b", "release"]);
        for number in 1..requests {
            story.pass(HOUR);
            story.change(
                &format!("{number}.py"),
                &["something_that_is_new()"],
                &format!("Add {number} (#{number})"),
            );
        }
        story.pass(HOUR);
        story.change("a.py", &[OWNED], &format!("Add totals (#{requests})"));
        story.pass(3 * DAY);
        let revert = story.say(&format!("Revert \"Add totals (#{requests})\" (#{})", requests + 1));
        story.git(&["checkout", "--quiet", "main"]);
        story.merge("release", "Merge branch 'release'");
        let found = story.found();
        let signal = &found["signals"][0];
        assert_eq!(signal["commit"], revert);
        assert!(signal["evidence"].as_str().unwrap().contains(evidence), "{requests}: {signal}");
    }

    // A fix that is picked to the release is told once.
    let mut story = Story::new();
    story.change("a.py", &[OWNED], "Add totals (#1)");
    story.git(&["branch", "release"]);
    story.pass(DAY);
    let fix = story.change("a.py", &[FIXED], "Fix totals (#2)");
    story.git(&["checkout", "--quiet", "release"]);
    for number in 3..6 {
        story.change(
            &format!("{number}.py"),
            &["something_that_is_new()"],
            &format!("Add {number} (#{number})"),
        );
    }
    let author = story.git(&["show", "-s", "--format=%aI", &fix]);
    story.git(&["cherry-pick", "--no-commit", &fix]);
    story.git(&["commit", "--quiet", "--date", &author, "-m", "Fix totals (#2)"]);
    let picked = story.git(&["rev-parse", "HEAD"]);
    story.git(&["checkout", "--quiet", "main"]);
    story.merge("release", "Merge branch 'release'");
    let found = story.found();
    let told: Vec<(&Value, &Value)> = found["signals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|signal| (&signal["commit"], &signal["repeats"]))
        .collect();
    assert_eq!(told, [(&json!(fix), &Value::Null), (&json!(picked), &json!(fix))]);
}

#[test]
fn the_gate_is_named_with_its_evidence() {
    for (files, after, body, gate, evidence) in [
        (&["src/a.rs"][..], DAY, "It broke the build on Windows.", "ci", "broke the build on Windows"),
        (&["tests/a.rs"], DAY, "", "ci", "nothing but tests"),
        (&["configure.in", "Makefile.in"], DAY, "", "ci", "nothing but tests or the build"),
        (&["src/a.rs"], DAY, "A suspect for busting unit tests on one machine.", "ci", "busting unit tests"),
        (&["src/a.rs"], 60, "", "ci", "after it landed"),
        (&["src/a.rs"], DAY, "This needs more discussion first.", "human_review", "more discussion"),
        (&["src/a.rs"], DAY, "", "human_review", "nothing says"),
        (
            &["src/a.rs"],
            DAY,
            "Users report crashes with large files.",
            "only_self_reflection",
            "Users report",
        ),
        (&["src/a.rs"], DAY, "Reviewed-by: Design Team", "human_review", "nothing says"),
    ] {
        let mut story = Story::new();
        for file in files {
            story.world.write(file, "fn something() { unimplemented_thing() }\n");
        }
        story.git(&["add", "--all"]);
        let change = story.say("Add what crashes the tests in production");
        story.pass(after);
        story.say(&format!(
            "Revert \"Add what crashes the tests in production\"\n\nThis reverts commit {change}.\n\n{body}"
        ));
        let found = story.found();
        let signal = &found["signals"][0];
        assert_eq!(signal["gate"], gate, "{body}: {signal}");
        assert!(signal["evidence"].as_str().unwrap().contains(evidence), "{signal}");
    }

    // No check covered it: the repair brings the test.
    let mut story = Story::new();
    story.change(
        "src/parse.rs",
        &["fn parse(text: &str) -> u32 { text.parse().unwrap() }"],
        "Add the parser",
    );
    story.pass(2 * DAY);
    story.world.write("tests/parse.rs", "fn an_empty_text_is_zero() { assert_eq!(parse(\"\"), 0) }\n");
    story.change(
        "src/parse.rs",
        &["fn parse(text: &str) -> u32 { text.parse().unwrap_or(0) }"],
        "Fix empty texts",
    );
    let found = story.found();
    assert_eq!(found["signals"][0]["gate"], "only_self_reflection", "{found}");
}

/// A history of `signals` reverts, of which `in_use` speak of what showed in use.
fn reverts(world: &World, signals: u32, in_use: u32) {
    let mut script = String::new();
    for number in 0..signals {
        let why = if number < in_use { "Users report crashes." } else { "It broke the build." };
        for (order, message) in [
            format!("Add {number} (#{})", number + 1),
            format!("Revert \"Add {number} (#{})\"\n\n{why}", number + 1),
        ]
        .iter()
        .enumerate()
        {
            let time = 1_750_000_000 + u64::from(number) * DAY + order as u64 * 12 * HOUR;
            writeln!(
                script,
                "commit refs/heads/main\ncommitter Test <test@example.invalid> {time} +0000\ndata {}\n{message}",
                message.len()
            )
            .unwrap();
            writeln!(script, "M 100644 inline src/{number}-{order}.rs\ndata 2\nx\n").unwrap();
        }
    }
    let mut command = world.command("git");
    let ran = Ran::of(command.args(["fast-import", "--quiet", "--force"]), script.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn the_third_bucket_decides() {
    for (signals, in_use, status, code) in
        [(80, 0, "killed", 1), (80, 8, "pass", 0), (9, 9, "not_enough_data", 0), (0, 0, "not_enough_data", 0)]
    {
        let world = World::without_commit();
        reverts(&world, signals, in_use);
        let ran =
            world.run(&["experiment", "git-history", "--repo", ".", "--format", "json", "--since", "all"]);
        let found = ran.json();
        assert_eq!((ran.code, &found["status"]), (code, &json!(status)), "{in_use} of {signals}: {found}");
        assert_eq!(ran.stderr.trim_end(), found["kill_condition"].as_str().unwrap());
        assert_eq!(found["experiment"], "git-history");
        assert_eq!(found["n"], signals);
        let third = &found["tally"][2];
        assert_eq!(third["gate"], "only_self_reflection");
        assert_eq!((&third["share"], &third["interval"]), (&found["figure"], &found["interval"]));
        if signals > 0 {
            assert_eq!(third["signals"], in_use);
            assert!(
                (found["figure"].as_f64().unwrap() - f64::from(in_use) / f64::from(signals)).abs() < 1e-12
            );
        }
    }
}

#[test]
fn the_window_ends_with_the_last_commit_and_people_read_text() {
    let world = World::without_commit();
    reverts(&world, 1_000, 100);
    let n = |since: &[&str]| {
        let mut args = vec!["experiment", "git-history", "--json"];
        args.extend(since);
        world.run(&args).json()["n"].as_u64().unwrap()
    };
    assert_eq!(n(&["--since", "all"]), 1_000);
    // Both ends of 730 days count.
    assert_eq!(n(&[]), 731);
    // The history begins on 2025-06-15 in the afternoon; the 930th revert is of the night of 2028-01-01.
    assert_eq!(n(&["--since", "2028-01-01"]), 1_000 - 929);
    for format in ["text", "markdown"] {
        let chart = world.outside().join(format!("{format}.svg"));
        let ran =
            world.run(&["experiment", "git-history", "--format", format, "--chart", chart.to_str().unwrap()]);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
        let condition = ran.stdout.find("P2 is killed if").unwrap();
        assert!(condition < ran.stdout.find("only_self_reflection").unwrap());
        let drawn = std::fs::read_to_string(chart).unwrap();
        assert!(drawn.contains("<svg ") && drawn.contains("human_review"));
    }
    let wrong = world.run(&["experiment", "git-history", "--since", "someday"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("--since all"), "{}", wrong.stderr);
    let nowhere = World::without_repository().run(&["experiment", "git-history"]);
    assert_eq!(nowhere.code, 2, "{}", nowhere.stderr);
    assert!(nowhere.stderr.contains("--repo"), "{}", nowhere.stderr);
}
