//! What a person sees: `log`, `show`, `demo`, help.

use crate::support::{Ran, World};

/// Replaces what differs between runs.
fn steady(text: &str) -> String {
    let mut steady = String::new();
    for line in text.lines() {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| {
                let digits = word.chars().filter(char::is_ascii_digit).count();
                match word.split_once("-20") {
                    Some((session, _)) if digits > 15 => format!("{session}-<TIME>"),
                    _ if digits == 8 && word.matches('-').count() == 2 => "<DATE>".to_owned(),
                    _ if digits == 4 && word.contains(':') && word.len() == 5 => "<TIME>".to_owned(),
                    _ => word.to_owned(),
                }
            })
            .collect();
        steady.push_str(words.join(" ").trim_end());
        steady.push('\n');
    }
    steady
}

#[test]
fn an_empty_workspace_says_so() {
    let world = World::new();
    let ran = world.run(&["log"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "no reflections yet: they appear when an agent with Hansei's hook stops here\n")
    );
    assert_eq!(world.run(&["log", "--json"]).stdout, "[]\n");
    let ran = world.run(&["show"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, "error: there are no reflections here yet\n"));
    assert!(!world.path(".hansei").exists(), "looking leaves no trace");
}

#[test]
fn the_log_is_a_table_of_the_newest_first() {
    let world = World::new();
    world.write("src/login.rs", "x");
    world.run(&["self-report", "--confidence", "0.5", "--wrong-surface", "ui", "--wrong", "a\nb"]);
    world.hook("stop");
    std::fs::remove_file(world.path("src/login.rs")).unwrap();
    world.hook_in(&world.repo, "stop", "s2");
    insta::assert_snapshot!(steady(&world.run(&["log"]).stdout), @r"
     WHEN              AGENT        TASK          CONFIDENCE  SURFACE  SCORE  REVIEW  ID
     <DATE> <TIME>  claude-code  project@main  -           none     0.00   -       s2-<TIME>
     <DATE> <TIME>  claude-code  project@main  0.50        auth     1.00   needed  s1-<TIME>
    ");
    let limited = world.run(&["log", "-n", "1"]).stdout;
    assert!(limited.contains("s2-") && limited.ends_with("and 1 older\n"), "{limited}");
    insta::assert_snapshot!(steady(&world.run(&["show", "s1"]).stdout), @r"
    reflection        s1-<TIME>
    when              <DATE> <TIME>
    agent             claude-code
    task              project@main
    session           s1
    stop              1 of this task
    risk              review needed, score 1.00: auth surface: src/login.rs
    confidence        0.5
    most likely wrong ui: a
                      b
    not in the diff   (not said)
    files changed     1
                      src/login.rs
    ");
}

#[test]
fn a_reflection_is_found_by_id_prefix_or_session() {
    let world = World::new();
    world.hook_in(&world.repo, "stop", "alpha");
    world.hook_in(&world.repo, "stop", "alpha");
    world.hook_in(&world.repo, "stop", "beta");
    let all = world.run(&["log", "--json"]).json();
    let ids: Vec<&str> = all.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    let shown = |id: &str| world.run(&["show", id, "--json"]).json()["id"].clone();
    assert_eq!(shown("last"), ids[0]);
    assert_eq!(shown(ids[2]), ids[2]);
    assert_eq!(shown("alpha"), ids[1], "the newest of a session");
    assert_eq!(shown("bet"), ids[0]);
    let ran = world.run(&["show", "alph"]);
    assert!(ran.code == 2 && ran.stderr.contains("2 reflections begin with \"alph\""), "{}", ran.stderr);
    assert_eq!(world.run(&["show", "gamma"]).code, 2);
}

#[test]
fn a_file_that_is_no_reflection_is_shown_as_such() {
    let world = World::new();
    world.capture();
    world.write(".hansei/reflections/broken-1.reflection.json", "{}");
    world.write(".hansei/reflections/.half.tmp", "{");
    let all = world.run(&["log", "--json"]).json();
    assert_eq!(all.as_array().unwrap().len(), 2);
    assert!(all[1]["error"].as_str().unwrap().contains("missing field"), "{all}");
    assert_eq!(world.run(&["show", "broken-1"]).code, 3);
}

#[test]
fn the_demo_tells_its_story_and_leaves_nothing() {
    let world = World::without_repository();
    let temporary = world.outside().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    // Whatever mode the user is in, the story is the same.
    let ran =
        Ran::of(world.hansei().arg("demo").env("TMPDIR", &temporary).env("REFLECTION_MODE", "off"), b"");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for part in [
        "files changed     2\n                  docs.md\n                  src/login.rs\n",
        "left out          1 changed before the session and not since\n                  src/notes.txt\n",
        "tested by hand with [REDACTED:",
        "review needed: score 1.00, 1 file changed\nauth surface: src/login.rs\n",
        "review       confirm",
        "RED: 1 check failed",
        "reflect 1/1  The check says that 2 + 3 is 6",
        "verify 2/2   green: all checks passed",
        "captured     run-",
        "complete: all checks passed",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} is missing in {}", ran.stdout);
    }
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    let json = Ran::of(world.hansei().args(["demo", "--json"]).env("TMPDIR", &temporary), b"").json();
    assert_eq!(json["risk"]["surface"], "auth");
}

#[test]
fn help_shows_what_a_person_needs_first_and_every_command_an_example() {
    let world = World::without_repository();
    let commands = |text: &str| -> Vec<String> {
        let listed =
            text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        names.filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
    };
    let first = world.run(&["--help"]);
    assert_eq!(
        (first.code, commands(&first.stdout)),
        (
            0,
            ["lookback", "install", "review", "log", "digest", "risk", "run", "doctor"]
                .map(ToOwned::to_owned)
                .to_vec()
        )
    );
    let all = commands(&world.run(&["help", "--all"]).stdout);
    assert!(all.len() > 8 && all.contains(&"self-report".to_owned()), "{all:?}");
    for command in &all {
        let long = world.run(&[command, "--help"]);
        assert_eq!(long.code, 0, "{command}");
        assert!(long.stdout.contains("Example"), "{command} --help has no example");
        assert_eq!(world.run(&["help", command]).stdout, long.stdout, "{command}");
        let prints_json = !matches!(command.as_str(), "hook" | "completions" | "help" | "mcp");
        assert_eq!(long.stdout.contains("--json"), prints_json, "{command}");
    }
    assert_eq!(world.run(&["help", "nonsense"]).code, 2);
    assert_eq!(world.run(&["nonsense"]).code, 2);
    assert_eq!(world.run(&[]).code, 2);
    assert!(world.run(&["completions", "bash"]).stdout.contains("self-report"));
}

#[test]
fn the_log_can_begin_with_what_needs_eyes_most() {
    let world = World::new();
    world.write("src/login.rs", "fn a() {}\n");
    world.hook_in(&world.repo, "stop", "auth");
    std::fs::remove_file(world.path("src/login.rs")).unwrap();
    world.write("docs/a.md", "words\n");
    world.hook_in(&world.repo, "stop", "docs");
    let listed = world.run(&["log", "--rank", "--json"]).json();
    let listed = listed.as_array().unwrap();
    let sessions: Vec<&str> = listed.iter().map(|entry| entry["session_id"].as_str().unwrap()).collect();
    assert_eq!(sessions, ["auth", "docs"], "the newest is not the riskiest");
    for entry in listed {
        let product =
            entry["risk"]["score"].as_f64().unwrap() * entry["likelihood"]["score"].as_f64().unwrap();
        assert!((entry["rank"].as_f64().unwrap() - product).abs() < 1e-9, "{entry}");
    }
    let page = world.run(&["log", "--rank", "-n", "1"]).stdout;
    assert!(page.contains("RANK") && page.contains("auth-") && page.ends_with("and 1 below\n"), "{page}");
    let filtered = world.run(&["log", "--rank", "--surface", "docs", "--json"]).json();
    assert_eq!(filtered.as_array().unwrap().len(), 1);
}
