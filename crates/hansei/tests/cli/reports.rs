//! What a person reads: digest, receipt and stats.

use serde_json::json;

use crate::night::{GREEN, Night, Place, SINCE, commit_at, edit, human, night, run, say, transcript};
use crate::support::World;

#[test]
fn a_night_of_twenty_sessions_on_five_agents() {
    let night = night();
    let digest = night.read(&["digest", "--since", SINCE]);
    assert_eq!((digest.code, digest.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(digest.stdout, @"");

    let stats = night.read(&["stats"]);
    assert_eq!((stats.code, stats.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(stats.stdout, @"");

    // In the morning two of the files are committed, and a third is left lying about.
    for file in ["src/totals.rs", "src/tax.rs"] {
        night.world.write(file, "fn new() {}\n");
    }
    commit_at(&night.world, "Fix the totals", "2026-01-10T07:00:00Z");
    night.world.write("notes.txt", "x");
    let receipt = night.read(&["receipt", "--base", "main"]);
    assert_eq!((receipt.code, receipt.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(receipt.stdout, @"");
    assert_eq!(night.read(&["receipt", "--markdown"]).stdout, receipt.stdout, "main is the usual base");
    looking_again(&night);
}

/// The same for programs, from elsewhere, and with less on the disk.
fn looking_again(night: &Night) {
    let digest = night.read(&["digest", "--since", SINCE, "--json"]).json();
    assert_eq!((&digest["sessions"], &digest["since"]), (&json!(20), &json!("2026-01-09T18:00:00.000000Z")));
    let sums = |field: &str| -> f64 {
        digest["entries"].as_array().unwrap().iter().filter_map(|entry| entry[field].as_f64()).sum()
    };
    assert!((digest["tokens"].as_f64().unwrap() - sums("tokens")).abs() < 0.5);
    assert!((digest["cost_usd"].as_f64().unwrap() - sums("cost_usd")).abs() < 1e-9);
    let all = night.read(&["digest", "--since", SINCE, "--all"]).stdout;
    assert!(all.starts_with("21 sessions") && all.contains("elsewhere@main"), "{all}");
    assert!(night.read(&["digest", "--since", "2026-01-09T16:00:00Z"]).stdout.starts_with("21 sessions"));
    let none = night.read(&["digest", "--since", "2026-01-11"]);
    assert_eq!(none.stdout, "no session since 2026-01-11 00:00; `--all` looks at every workspace\n");
    assert_eq!(night.world.run(&["digest", "--since", "tomorrow"]).code, 2);

    let stats = night.read(&["stats", "--json"]).json();
    assert_eq!(stats["total"]["send_backs"], 4);
    assert!(stats["counted"].as_str().unwrap().contains("A send-back is one that Hansei logged."));
    let later = night.read(&["stats", "--since", "2026-01-10T00:30:00Z", "--json"]).json();
    assert_eq!(later["total"]["sessions"], 1, "only the last began after that: {later}");

    let receipt = night.world.run(&["receipt", "--base", "main", "--json"]).json();
    let schema = night.world.run(&["schema", "receipt.v1"]).json();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&receipt)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new());

    // Without its transcript a session is told of as far as our own records go.
    let verified = transcript(&night.home(), "claude-code", &night.ids[0]);
    std::fs::remove_file(verified).unwrap();
    let digest = night.read(&["digest", "--since", SINCE, "--json"]).json();
    let first =
        digest["entries"].as_array().unwrap().iter().find(|entry| entry["session"] == "<session 1>").unwrap();
    assert_eq!(
        (&first["group"], &first["agent"], &first["branch"], &first["tokens"], &first["task"]),
        (&json!("verified"), &json!("claude-code"), &json!("fix/totals"), &json!(null), &json!(null))
    );
    assert!(first["line"].as_str().unwrap().starts_with("`cargo test` passed"), "{first}");
}

#[test]
fn where_nothing_happened_nothing_is_made_up_and_no_trace_is_left() {
    let world = World::new();
    let digest = world.run(&["digest"]);
    assert!(digest.code == 0 && digest.stdout.starts_with("no session since "), "{}", digest.stdout);
    assert!(world.run(&["stats"]).stdout.starts_with("no session was watched here"));
    assert_eq!(world.run(&["stats", "--json"]).json()["rows"], json!([]));
    let receipt = world.run(&["receipt"]);
    assert_eq!(receipt.code, 1);
    assert!(
        receipt.stdout.contains("`no session on this machine worked on this change`"),
        "{}",
        receipt.stdout
    );
    assert_eq!(world.run(&["receipt", "--base", "nonsense"]).code, 2);
    assert_eq!(world.run(&["receipt", "--from", "missing.json"]).code, 3);
    world.write("bad.json", "{}");
    assert_eq!(world.run(&["receipt", "--from", "bad.json"]).code, 2);
    assert!(!world.path(".hansei").exists());
    assert_eq!(World::without_repository().run(&["receipt"]).code, 2);
    world.git(&["branch", "-m", "trunk"]);
    let unknown = world.run(&["receipt"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("--base"), "{}", unknown.stderr);
}

#[test]
fn a_receipt_is_bound_to_what_was_checked_and_holds_no_secret() {
    let mut night = Night::begin();
    let secret = format!("ghp_{}", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
    let hostile = format!("Use token {secret} @everyone <script>alert(1)</script> to fix the totals");
    night.unwatched(
        "codex",
        Place::Main,
        &[
            human(&hostile),
            edit("src/totals.rs"),
            run(&format!("TOKEN={secret} cargo test"), GREEN, 0),
            say(&format!("Fixed with {secret} | `x` <b>@you</b>. All tests pass.")),
        ],
    );
    night.world.write("src/totals.rs", "fn new() {}\n");
    // Committed when the session had begun, and before its check.
    commit_at(&night.world, "Fix the totals", "2026-01-09T18:20:01Z");
    let receipt = night.read(&["receipt"]);
    assert_eq!(receipt.code, 0, "{} {}", receipt.stdout, receipt.stderr);
    assert!(receipt.stdout.contains("1 session, 2 claims: 2 supported."), "{}", receipt.stdout);
    for part in [
        "``Fixed with [REDACTED:github-pat] \\| `x` <b>@you</b>.``",
        "`Use token [REDACTED:github-pat] @everyone <script>",
    ] {
        assert!(receipt.stdout.contains(part), "{part}: {}", receipt.stdout);
    }
    for arguments in [
        &["receipt"][..],
        &["receipt", "--json"],
        &["digest", "--since", SINCE],
        &["digest", "--since", SINCE, "--json"],
    ] {
        let shown = night.world.run(arguments).stdout;
        assert!(!shown.contains(&secret) && shown.contains("[REDACTED"), "{arguments:?}: {shown}");
    }
    // What came from elsewhere is redacted too, and says when it is another commit's.
    let mut made = night.world.run(&["receipt", "--json"]).json();
    made["sessions"][0]["task"] = json!(secret);
    let file = night.world.write("receipt.json", made.to_string());
    let shown = night.world.run(&["receipt", "--from", file.to_str().unwrap(), "--head", "f00"]);
    assert!(shown.code == 1 && !shown.stdout.contains(&secret), "{}", shown.stdout);
    assert!(shown.stdout.contains("**Made for another commit** than `f00`"), "{}", shown.stdout);
}
