//! What a person reads: digest, receipt and stats.

use serde_json::json;

use crate::night::{GREEN, Night, Place, SINCE, commit_at, edit, human, night, run, say, transcript};
use crate::support::World;

#[test]
fn a_night_of_twenty_sessions_on_five_agents() {
    let night = night();
    let digest = night.read(&["digest", "--since", SINCE]);
    assert_eq!((digest.code, digest.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(digest.stdout, @r#"
    20 sessions since 2026-01-09 18:00, 481.0k tok $0.30

    needs you (2)
      opencode     fix/totals        16.2k tok $0.02  Add a currency to the totals
        it asks: Should I store the currency per order or per item?
      kilo         fix/totals        16.2k tok $0.02  Publish version 1.2 to the registry
        only a human can do this: “I cannot publish: please log in to the registry with your two-factor code and run `cargo login`, then I can go on.”

    limit hit (3)
      gemini       -                 0 tok            Write the changelog
        [API Error: You have exhausted your capacity on this model. Your quota will reset after 2h14m.]
      codex        fix/totals        120 tok          Split the cart into modules
        You've hit your usage limit. Upgrade to Pro or try again at 3:05 AM.
      claude-code  fix/totals        15.4k tok        Add an index to the orders table
        Claude AI usage limit reached|1768003200

    stuck (1)
      gemini       fix/totals        49.7k tok        Look into why the build fails
        `cargo build` was called 5 times with the same result

    unverified (5)
      gemini       fix/totals        16.6k tok        How are vouchers applied to the total?
        nothing to check: no code was changed
      codex        fix/totals        0 tok            Document the tax rules
        the turn failed: unexpected status 500 Internal Server Error
      claude-code  spike/cache       77.1k tok        Fix the cache key so that `cargo test` passes (its folder is gone)
        overridden: sent back once; `cargo test` reported failures at 23:20 after its last edit to src/cache.rs, behind a line that hides its exit code: totals::rounds failed
      claude-code  fix/totals        30.8k tok        Add a `--quiet` flag to the report
        no check ran after the last edit
      opencode     fix/totals        32.5k tok $0.05  Fix the rounding of vouchers so that `cargo test` passes
        overridden: sent back once; `cargo test` reported failures at 19:20 after its last edit to src/totals.rs, behind a line that hides its exit code: totals::rounds failed

    aborted (2)
      opencode     -                 16.2k tok $0.02  Rename Cart to Basket: interrupted at `cargo build`
      codex        fix/totals        240 tok          Fix the flaky sort so that `car…: interrupted at `cargo test --release`

    verified (7)
      kilo         fix/totals        24.4k tok $0.04  Fix the total of returns so tha…: `cargo test` passed at 00:40 (12 passed)
      kilo         fix/totals        40.6k tok $0.06  Fix the tax of exports so that …: `cargo test` passed at 23:00 (12 passed)
      opencode     fix/totals        24.4k tok $0.04  Fix the sum of an empty list so…: `cargo test` passed at 22:40 (12 passed)
      kilo         spike/cache       24.4k tok $0.04  Fix the cache that never expire…: `cargo test` passed at 21:20 (12 passed) (its folder is gone)
      gemini       fix/totals        49.7k tok        Fix the reduced tax rate so tha…: `cargo test` passed at 19:01 (12 passed)
      codex        fix/totals        360 tok          Fix the empty cart so that `car…: `cargo test` passed at 18:40 (12 passed)
      claude-code  fix/totals        46.2k tok        Fix the rounding of totals so t…: `cargo test` passed at 18:20 (12 passed)
    "#);
    stats_of_the_night(&night);
    receipt_of_the_night(&night);
    looking_again(&night);
}

fn stats_of_the_night(night: &Night) {
    let stats = night.read(&["stats"]);
    assert_eq!((stats.code, stats.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(stats.stdout, @r#"
     AGENT        MODEL            SESSIONS  SENT BACK  TOKENS  OF ALL  LED TO A PASS  FALSE
     claude-code  claude-opus-4-5         3          1   30.8k     22%              0      0
     codex        gpt-5.5                 2          0       0      0%              0      0
     gemini       gemini-2.5-pro          3          1   24.8k     21%              1      0
     kilo         claude-opus-4-5         4          1    8.1k      8%              0      1
     opencode     claude-opus-4-5         4          1    8.1k      9%              0      0
     total                               16          4   71.9k     16%              1      1

    A send-back is one that Hansei logged. Its tokens are those of the turn that it began. It led to a pass when that turn ended
    with a check passing that had failed before it, or had never run. It was false when you said so with `hansei wrong`.
    "#);
}

fn receipt_of_the_night(night: &Night) {
    // In the morning two of the files are committed, and a third is left lying about.
    for file in ["src/totals.rs", "src/tax.rs"] {
        night.world.write(file, "fn new() {}\n");
    }
    commit_at(&night.world, "Fix the totals", "2026-01-10T07:00:00Z");
    night.world.write("notes.txt", "x");
    let receipt = night.read(&["receipt", "--base", "main"]);
    assert_eq!((receipt.code, receipt.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(receipt.stdout, @r#"
    <!-- hansei-receipt -->
    ### Hansei receipt

    Commit `<head>` on `fix/totals`, from `<base>`. 7 sessions, 11 claims: 1 contradicted, 10 supported.

    > **Not bound to this commit:**
    > - `the work tree has changes that are not committed: notes.txt`
    > - `HEAD was committed at 2026-01-10T07:00:00Z, after the last check at 2026-01-10T00:40:26Z: nothing shows that it holds what was checked`

    **`claude-code`**, `claude-opus-4-5`, session `<session 1>`: ``Fix the rounding of totals so that `cargo test` passes``

    | claim | stands | what ran |
    |---|---|---|
    | ``Fixed the rounding in `src/totals.rs`.`` | supported | `cargo test` exit 0, passed, 2026-01-09 18:20 |
    | `All tests pass.` | supported | `cargo test` exit 0, passed, 2026-01-09 18:20 |

    **`gemini`**, `gemini-2.5-pro`, session `<session 3>`: ``Fix the reduced tax rate so that `cargo test` passes``

    | claim | stands | what ran |
    |---|---|---|
    | `The reduced rate was not applied; fixed.` | supported | `cargo test` exit 0, passed, 2026-01-09 19:01 |
    | `All tests pass now.` | supported | `cargo test` exit 0, passed, 2026-01-09 19:01 |

    **`opencode`**, `claude-opus-4-5`, session `<session 4>`: ``Fix the rounding of vouchers so that `cargo test` passes``

    | claim | stands | what ran |
    |---|---|---|
    | `Everything is fine, all tests pass.` | **contradicted** | `cargo test 2>&1 \| tail -20` exit 0, **failed**, 2026-01-09 19:20 |

    **`claude-code`**, `claude-opus-4-5`, session `<session 11>`: ``Add a `--quiet` flag to the report``

    | claim | stands | what ran |
    |---|---|---|
    | ``Implemented the `--quiet` flag.`` | supported | no check: what was done shows it |

    **`opencode`**, `claude-opus-4-5`, session `<session 14>`: ``Fix the sum of an empty list so that `cargo test` passes``

    | claim | stands | what ran |
    |---|---|---|
    | `Fixed.` | supported | `cargo test` exit 0, passed, 2026-01-09 22:40 |
    | `` `cargo test` passes. `` | supported | `cargo test` exit 0, passed, 2026-01-09 22:40 |

    **`kilo`**, `claude-opus-4-5`, session `<session 15>`: ``Fix the tax of exports so that `cargo test` passes``

    | claim | stands | what ran |
    |---|---|---|
    | `Fixed and committed; all tests pass.` | supported | `cargo test` exit 0, passed, 2026-01-09 23:00 |

    **`kilo`**, `claude-opus-4-5`, session `<session 20>`: ``Fix the total of returns so that `cargo test` passes``

    | claim | stands | what ran |
    |---|---|---|
    | `Returns are subtracted now; fixed.` | supported | `cargo test` exit 0, passed, 2026-01-10 00:40 |
    | `All tests pass.` | supported | `cargo test` exit 0, passed, 2026-01-10 00:40 |

    Read from the agents' transcripts. An exit code is that of the whole line; the result is the check's own.
    "#);
    assert_eq!(night.read(&["receipt", "--markdown"]).stdout, receipt.stdout, "main is the usual base");
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
        "``Fixed with [REDACTED:github-pat] \\| `x` @you.``",
        "`Use token [REDACTED:github-pat] @everyone <script>",
    ] {
        assert!(receipt.stdout.contains(part), "{part}: {}", receipt.stdout);
    }
    // A claim is told without its tags.
    assert!(!receipt.stdout.contains("<b>") && !receipt.stdout.contains("</b>"), "{}", receipt.stdout);
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
