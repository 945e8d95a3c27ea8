//! Sessions that agents left on disk: listed, shown, looked back on.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::World;

/// Puts the sample sessions where Claude Code would have left them.
fn with_samples() -> World {
    let world = World::without_repository();
    let folder = projects(&world);
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for (age, entry) in fs::read_dir(samples).unwrap().enumerate() {
        let sample = entry.unwrap().path();
        let copy = folder.join(sample.file_name().unwrap());
        fs::copy(&sample, &copy).unwrap();
        let time = std::time::SystemTime::now() - std::time::Duration::from_mins(1 + age as u64);
        fs::File::options().append(true).open(copy).unwrap().set_modified(time).unwrap();
    }
    world
}

fn projects(world: &World) -> PathBuf {
    let folder = world.outside().join("home/.claude/projects/-home-you-shop");
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn sessions_are_listed_and_filtered() {
    let world = with_samples();
    let all = world.run(&["sessions", "--json"]).json();
    let rows = all.as_array().unwrap();
    assert_eq!(rows.len(), 7);
    let honest = rows.iter().find(|row| row["id"] == "sample-honest").unwrap();
    assert_eq!(honest["agent"], "claude-code");
    assert_eq!(honest["task"], "The cart total is off by a cent, fix it");
    assert_eq!(honest["start"], "2026-11-03T10:00:07.000Z");
    assert_eq!(honest["seconds"], 35);
    assert_eq!(honest["last_words"], "Fixed the rounding in the cart; all 12 tests pass.");
    assert!(world.run(&["sessions"]).stdout.contains("sample-honest"));
    assert_eq!(world.run(&["sessions", "-n", "2", "--json"]).json().as_array().unwrap().len(), 2);
    assert_eq!(world.run(&["sessions", "--agent", "codex", "--json"]).stdout, "[]\n");
    let here = world.repo.to_str().unwrap();
    assert_eq!(world.run(&["sessions", "--cwd", here]).stdout, "no session on this disk matches\n");
    let ran = world.run(&["sessions", "--agent", "nobody"]);
    assert!(ran.code == 2 && ran.stderr.contains("there are claude-code, codex"), "{}", ran.stderr);
}

#[test]
fn a_session_is_shown() {
    let world = with_samples();
    insta::assert_snapshot!(world.run(&["show", "--session", "sample-red"]).stdout, @r"
    session  sample-red
    agent    claude-code 2.1.325, model sample-model
    where    /home/you/shop on main
    when     2026-11-05 10:00, 35s
    spent    2700 tokens in, 180 out

    > Rename Basket to Cart everywhere
      wrote /home/you/shop/src/basket.rs
      ran   cargo test → exit 101
      said: The rename is complete.
    ");
    let shown = world.run(&["show", "--session", "sample-r", "--json"]).json();
    assert_eq!(shown["tasks"][0]["turns"][0]["calls"][1]["end"]["exit_code"], 101);
    assert_eq!(world.run(&["show", "--session", "sample-"]).code, 2, "more than one");
    assert_eq!(world.run(&["show", "--session", "nothing"]).code, 2);
}

#[test]
fn looking_back_finds_the_false_claims_and_accuses_no_honest_one() {
    let world = with_samples();
    for report in
        [world.run(&["lookback", "--json"]).json(), world.run(&["lookback", "--samples", "--json"]).json()]
    {
        let doubted: Vec<&Value> = report["stops"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|stop| stop["standing"] == "worth_a_look")
            .collect();
        let mut names: Vec<&str> = doubted.iter().map(|stop| stop["session"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["sample-masked", "sample-red", "sample-skipped", "sample-unchecked"]);
        assert_eq!((report["sessions"].as_u64(), report["verified"].as_u64()), (Some(7), Some(1)));
    }
    let screen = world.run(&["lookback"]).stdout;
    let order: Vec<usize> = [
        "`cargo test` had just failed: cart::total_rounds_half_up",
        "exit code hidden",
        "ran no test",
        "ran no check",
    ]
    .iter()
    .map(|part| screen.find(part).unwrap_or_else(|| panic!("{part} is missing in {screen}")))
    .collect();
    assert!(order.is_sorted(), "the most damning first: {screen}");
    assert!(screen.contains("hansei show --session sample-red"));
}

#[test]
fn looking_back_on_nothing_says_where_it_looked() {
    let world = World::without_repository();
    let ran = world.run(&["lookback"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.contains("~/.claude/projects") && ran.stdout.contains("hansei lookback --samples"),
        "{}",
        ran.stdout
    );
    let folder = projects(&world);
    let old = folder.join("old.jsonl");
    fs::write(&old, "{}\n").unwrap();
    let time = std::time::SystemTime::now() - std::time::Duration::from_hours(24 * 40);
    fs::File::options().append(true).open(old).unwrap().set_modified(time).unwrap();
    assert!(world.run(&["lookback"]).stdout.contains("1 older sessions are there: use --since"));
    let ran = world.run(&["lookback", "--since", "soon"]);
    assert!(ran.code == 2 && ran.stderr.contains("is not a span such as 30d"), "{}", ran.stderr);
}

#[test]
fn torn_and_unknown_lines_do_not_disturb() {
    let world = World::without_repository();
    let folder = projects(&world);
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/sample-red.jsonl");
    let text = fs::read_to_string(sample).unwrap();
    let disturbed =
        format!("{{\"type\":\"tomorrow\"}}\nnot json\n\n{}{{\"type\":\"assist", text.replace('\n', "\r\n"));
    fs::write(folder.join("torn.jsonl"), disturbed).unwrap();
    let report = world.run(&["lookback", "--json"]).json();
    assert_eq!(report["stops"][0]["standing"], "worth_a_look");
    assert_eq!(report["stops"][0]["said"], "The rename is complete.");
}

#[test]
fn secrets_in_a_transcript_are_not_shown() {
    let world = World::without_repository();
    let token = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5";
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/sample-red.jsonl");
    let text = fs::read_to_string(sample)
        .unwrap()
        .replace("Rename Basket", &format!("Use {token} to rename Basket"));
    fs::write(
        projects(&world).join("leaky.jsonl"),
        text.replace("cargo test", &format!("TOKEN={token} cargo test")),
    )
    .unwrap();
    for command in [
        ["sessions"].as_slice(),
        &["sessions", "--json"],
        &["show", "--session", "leaky"],
        &["show", "--session", "leaky", "--json"],
        &["lookback"],
        &["lookback", "--json"],
    ] {
        let printed = world.run(command).stdout;
        assert!(!printed.contains(token), "{command:?}: {printed}");
    }
}
