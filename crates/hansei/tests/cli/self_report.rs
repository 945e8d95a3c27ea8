//! What only the agent can say, from its command to the reflection.

use std::fs;
use std::time::{Duration, SystemTime};

use hansei_core::surface::Surface;

use crate::support::{World, payload};

const INPUT: &str = ".hansei/reflection-input.json";

#[test]
fn a_report_is_merged_once_and_put_away() {
    let world = World::new();
    let ran = world.run(&[
        "self-report",
        "--confidence",
        "0.7",
        "--wrong-surface",
        "auth",
        "--wrong",
        "refresh races",
        "--not-in-diff",
        "staging was migrated by hand",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("noted for the next stop in "), "{}", ran.stdout);
    let reflection = world.capture();
    assert!((reflection.confidence.unwrap().get() - 0.7).abs() < f64::EPSILON);
    let wrong = reflection.most_likely_wrong.unwrap();
    assert_eq!((wrong.surface, wrong.description.as_str()), (Surface::Auth, "refresh races"));
    assert_eq!(reflection.known_not_in_diff.as_deref(), Some("staging was migrated by hand"));
    assert!(!reflection.provenance.degraded);
    assert!(!world.path(INPUT).exists());
    let next = world.capture();
    assert_eq!((next.confidence, next.provenance.degraded), (None, true), "only once");
}

#[test]
fn a_partial_report_is_whole() {
    let world = World::new();
    world.write(INPUT, "{}");
    let reflection = world.capture();
    assert_eq!((reflection.confidence, reflection.provenance.degraded), (None, false));
    world.write(INPUT, r#"{"confidence": 1, "most_likely_wrong": null}"#);
    assert!((world.capture().confidence.unwrap().get() - 1.0).abs() < f64::EPSILON);
}

#[test]
fn an_invalid_report_is_not_taken_and_stays() {
    for (text, reason) in [
        ("", "the self-report is not valid: EOF"),
        ("not json", "the self-report is not valid: "),
        (r#"{"confidence": 1.5}"#, "the self-report is not valid: 1.5 is not a number from 0 to 1"),
        (r#"{"confidence": "high"}"#, "the self-report is not valid: "),
        (
            r#"{"most_likely_wrong": {"surface": "moon", "description": "x"}}"#,
            "the self-report is not valid: ",
        ),
        (
            r#"{"most_likely_wrong": {"surface": "auth"}}"#,
            "the self-report is not valid: missing field `description`",
        ),
        (r#"{"session_id": "another"}"#, "the self-report belongs to session \"another\""),
    ] {
        let world = World::new();
        world.write(INPUT, text);
        let reflection = world.capture();
        assert_eq!((reflection.confidence, reflection.provenance.degraded), (None, true), "{text}");
        assert!(world.reasons("s1")[0].starts_with(reason), "{:?}", world.reasons("s1"));
        assert!(world.path(INPUT).exists(), "somebody may still want it");
    }
}

#[test]
fn a_key_that_nobody_knows_is_named_and_the_rest_is_taken() {
    let world = World::new();
    world.write(
        INPUT,
        r#"{"confidence": 0.5, "mood": "good", "most_likely_wrong": {"surface": "auth", "description": "x", "line": 7}}"#,
    );
    let reflection = world.capture();
    assert!((reflection.confidence.unwrap().get() - 0.5).abs() < f64::EPSILON);
    assert_eq!(reflection.most_likely_wrong.unwrap().description, "x");
    assert_eq!(
        world.reasons("s1"),
        ["keys of the self-report that nobody knows: mood, most_likely_wrong.line"]
    );
    assert!(!world.path(INPUT).exists(), "it was taken");
}

#[test]
fn a_report_for_this_session_is_taken() {
    let world = World::new();
    world.run(&["self-report", "--confidence", "0.25", "--session", "s1"]);
    world.hook_in(&world.repo, "stop", "s2");
    assert_eq!(world.last().confidence, None);
    assert!(world.capture().confidence.is_some());
}

#[test]
fn a_report_from_before_the_session_is_refused() {
    let world = World::new();
    world.write(INPUT, r#"{"confidence": 0.5}"#);
    let old = SystemTime::now() - Duration::from_mins(1);
    let file = fs::File::options().append(true).open(world.path(INPUT)).unwrap();
    file.set_modified(old).unwrap();
    world.hook("session-start");
    assert_eq!(world.capture().confidence, None);
    assert!(world.reasons("s1")[0].contains("before this session began"), "{:?}", world.reasons("s1"));
    // Without a recorded start there is nothing to be older than.
    world.hook_in(&world.repo, "stop", "s2");
    assert!(world.last().confidence.is_some());
}

#[test]
fn the_environment_may_name_another_file() {
    let world = World::new();
    let input = world.outside().join("report.json");
    let ran =
        world.hansei().args(["self-report", "--confidence", "0.5"]).env("REFLECTION_INPUT", &input).output();
    assert!(ran.unwrap().status.success());
    world.hook_with("stop", &payload(&world.repo, "s1"), |command| {
        command.env("REFLECTION_INPUT", &input);
    });
    assert!(world.last().confidence.is_some());
    assert!(!input.exists());
    // Inside the repository it is ours, not a change.
    let inside = world.path("report.json");
    for _ in 0..2 {
        fs::write(&inside, "{}").unwrap();
        world.hook_with("stop", &payload(&world.repo, "s1"), |command| {
            command.env("REFLECTION_INPUT", &inside);
        });
    }
    assert!(world.last().files_changed.is_empty(), "{:?}", world.last().files_changed);
}

#[test]
fn in_a_linked_work_tree_both_folders_are_looked_into() {
    let world = World::new();
    let tree = world.outside().join("tree");
    world.git(&["worktree", "add", "--quiet", tree.to_str().unwrap()]);
    fs::create_dir_all(tree.join(".hansei")).unwrap();
    fs::write(tree.join(INPUT), r#"{"confidence": 0.1}"#).unwrap();
    world.hook_in(&tree, "stop", "s1");
    assert!((world.last().confidence.unwrap().get() - 0.1).abs() < f64::EPSILON);
    let ran =
        world.hansei().args(["self-report", "--confidence", "0.2"]).current_dir(&tree).output().unwrap();
    assert!(ran.status.success() && world.path(INPUT).exists());
    world.hook_in(&tree, "stop", "s1");
    assert!((world.last().confidence.unwrap().get() - 0.2).abs() < f64::EPSILON);
}

#[test]
fn wrong_values_are_refused_and_nothing_is_written() {
    let world = World::new();
    for (arguments, message) in [
        (vec!["--confidence", "1.2"], "--confidence takes a number from 0 to 1, not \"1.2\""),
        (vec!["--confidence", "-0.1"], "--confidence takes a number from 0 to 1, not \"-0.1\""),
        (vec!["--confidence", "NaN"], "--confidence takes a number from 0 to 1, not \"NaN\""),
        (vec!["--confidence", "sure"], "--confidence takes a number from 0 to 1, not \"sure\""),
        (vec!["--wrong-surface", "moon", "--wrong", "x"], "--wrong-surface takes auth, data, infra"),
        (vec!["--wrong-surface", "auth"], "--wrong <TEXT>"),
        (vec!["--wrong", "x"], "--wrong-surface <SURFACE>"),
        (vec![], "required"),
        (vec!["--mood", "good"], "--mood"),
    ] {
        let ran = world.run(&[vec!["self-report"], arguments.clone()].concat());
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    assert!(!world.path(INPUT).exists());
}

#[test]
fn secrets_in_a_report_do_not_reach_the_disk() {
    let world = World::new();
    let token = format!("ghp_{}", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
    world.write(INPUT, format!(r#"{{"known_not_in_diff": "used {token} to push"}}"#));
    world.write(&format!("src/{token}.rs"), "x");
    let reflection = world.capture();
    let said = reflection.known_not_in_diff.unwrap();
    assert!(said.starts_with("used [REDACTED:") && said.ends_with("] to push"), "{said}");
    let found =
        world.command("grep").args(["-rlF", &token, ".hansei/reflections", ".hansei/log"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");
    world.run(&["self-report", "--not-in-diff", &token]);
    assert!(!fs::read_to_string(world.path(INPUT)).unwrap().contains(&token));
}
