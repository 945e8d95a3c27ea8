//! What a person reads: digest, receipt and stats over a scripted night of twenty sessions on five agents.
//!
//! Each session lies on disk as its agent would have left it; most were watched by our hooks, called as the agents call them,
//! in a real repository and in a linked work tree that is gone by the morning.

use std::path::{Path, PathBuf};

use hansei_generated_sessions::random::Random;
use hansei_generated_sessions::story::{Step, Story, Truth};
use hansei_generated_sessions::{Scene, messages, write_in};
use serde_json::{Value, json};

use crate::support::{Ran, World};

const GREEN: &str =
    "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
const RED: &str = "test totals::rounds ... FAILED\n\nfailures:\n    totals::rounds\n\ntest result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
/// The evening: 2026-01-09T18:00:00Z, in milliseconds after 1970.
const EVENING: i64 = 1_767_981_600_000;
const SINCE: &str = "2026-01-09T18:00:00Z";

fn human(text: &str) -> Step {
    Step::Human(text.to_owned())
}

fn say(text: &str) -> Step {
    Step::Say(text.to_owned())
}

fn edit(path: &str) -> Step {
    Step::Edit {
        path: path.to_owned(),
        old: "let total = 0;\n".to_owned(),
        new: "let total = sum();\n".to_owned(),
    }
}

fn run(command: &str, output: &str, code: i32) -> Step {
    Step::Run { command: command.to_owned(), output: output.to_owned(), code }
}

fn green() -> Step {
    run("cargo test", GREEN, 0)
}

/// A night, and the sessions in it.
struct Night {
    world: World,
    /// Session ids, in the order in which they began.
    ids: Vec<String>,
    work_tree: PathBuf,
}

/// Where a session works.
#[derive(Clone, Copy)]
enum Place {
    /// In the repository itself.
    Main,
    /// In a linked work tree, which is removed before the morning.
    Linked,
    /// In a folder that belongs to no repository.
    Elsewhere,
}

impl Night {
    fn begin() -> Self {
        let world = World::without_commit();
        for file in ["src/totals.rs", "src/cart.rs", "src/tax.rs", "src/cache.rs"] {
            world.write(file, "fn old() {}\n");
        }
        commit_at(&world, "Start", "2026-01-09T12:00:00Z");
        world.git(&["checkout", "--quiet", "-b", "fix/totals"]);
        let work_tree = world.outside().join("cache-spike");
        world.git(&["worktree", "add", "--quiet", "-b", "spike/cache", work_tree.to_str().unwrap()]);
        Self { world, ids: Vec::new(), work_tree }
    }

    fn home(&self) -> PathBuf {
        self.world.outside().join("home")
    }

    fn scene(&self, place: Place) -> Scene {
        let (cwd, branch) = match place {
            Place::Main => (self.world.repo.clone(), "fix/totals"),
            Place::Linked => (self.work_tree.clone(), "spike/cache"),
            Place::Elsewhere => (self.world.outside().join("elsewhere"), "main"),
        };
        let number = i64::try_from(self.ids.len()).unwrap();
        Scene {
            cwd: cwd.to_str().unwrap().to_owned(),
            branch: branch.to_owned(),
            start: EVENING + (number + 1) * 1_200_000,
        }
    }

    /// Writes the session that comes next, as far as it is told.
    fn write(&self, agent: &str, scene: &Scene, steps: &[Step]) -> String {
        let story = Story { truth: Truth::Verified, case: String::new(), steps: steps.to_vec() };
        let mut random = Random::new(7000 + self.ids.len() as u64);
        write_in(&self.home(), agent, &story, &mut random, scene).unwrap()
    }

    /// A session that no hook of ours saw.
    fn unwatched(&mut self, agent: &str, place: Place, steps: &[Step]) {
        let id = self.write(agent, &self.scene(place), steps);
        self.ids.push(id);
    }

    /// A session that our hooks watched, in which the agent stops at the end of each part. Where it is sent back, the next
    /// part is what it does then.
    fn watched(&mut self, agent: &str, place: Place, parts: &[&[Step]]) {
        let scene = self.scene(place);
        let mut steps: Vec<Step> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            steps.extend_from_slice(part);
            let id = self.write(agent, &scene, &steps);
            if number == 0 {
                self.hook(agent, "session-start", &json!({ "session_id": id, "cwd": scene.cwd }));
            }
            let told = self.stop(agent, &id, &scene);
            let is_last = number + 1 == parts.len();
            assert_eq!(told.is_none(), is_last, "{agent} {number}: {told:?}");
            steps.extend(told.map(Step::Fed));
            if is_last {
                self.ids.push(id);
            }
        }
    }

    /// A session whose turn never ended: a hook saw it begin, and this event.
    fn cut_short(&mut self, agent: &str, place: Place, steps: &[Step], event: &str) {
        let scene = self.scene(place);
        let id = self.write(agent, &scene, steps);
        for event in ["session-start", event] {
            self.hook(agent, event, &json!({ "session_id": id, "cwd": scene.cwd }));
        }
        self.ids.push(id);
    }

    fn hook(&self, agent: &str, event: &str, payload: &Value) -> Ran {
        let mut command = self.world.hansei();
        command.args(["hook", agent, event, "--mode", "solo"]);
        let ran = Ran::of(&mut command, payload.to_string().as_bytes());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{agent} {event}");
        ran
    }

    /// The agent stops. Gives what it is sent back with, if it is.
    fn stop(&self, agent: &str, id: &str, scene: &Scene) -> Option<String> {
        let mut payload = json!({ "session_id": id, "cwd": scene.cwd, "stop_hook_active": false });
        match agent {
            "opencode" | "kilo" => payload["messages"] = messages(&self.home(), agent, id).unwrap(),
            _ => payload["transcript_path"] = json!(transcript(&self.home(), agent, id)),
        }
        let ran = self.hook(agent, "stop", &payload);
        let reply: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        let told = match agent {
            "claude-code" => &reply["hookSpecificOutput"]["additionalContext"],
            "codex" | "gemini" => &reply["reason"],
            _ => &reply["feedback"],
        };
        told.as_str().map(ToOwned::to_owned)
    }

    /// The output of a command, with what differs from run to run named.
    fn read(&self, arguments: &[&str]) -> Ran {
        let mut ran = self.world.run(arguments);
        for (number, id) in self.ids.iter().enumerate() {
            ran.stdout = ran.stdout.replace(id, &format!("<session {}>", number + 1));
        }
        for (revision, name) in [("HEAD", "<head>"), ("main", "<base>")] {
            let hash = self.world.git(&["rev-parse", revision]);
            ran.stdout = ran.stdout.replace(hash.trim(), name);
        }
        ran.stdout = ran.stdout.replace(self.world.outside().to_str().unwrap(), "<world>");
        ran
    }
}

/// Commits everything at a moment of the night's own.
fn commit_at(world: &World, message: &str, time: &str) {
    world.git(&["add", "--all"]);
    let mut command = world.command("git");
    command.env("GIT_AUTHOR_DATE", time).env("GIT_COMMITTER_DATE", time);
    let ran = Ran::of(command.args(["commit", "--quiet", "-m", message]), b"");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// The file that holds a session.
fn transcript(home: &Path, agent: &str, id: &str) -> PathBuf {
    let (folder, part) = match agent {
        "claude-code" => (".claude/projects", id),
        "codex" => (".codex/sessions", id),
        _ => (".gemini/tmp", &id[..8]),
    };
    let mut folders = vec![home.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.push(path);
            } else if name.contains(part) {
                return path;
            }
        }
    }
    panic!("no transcript of {agent} {id}")
}

/// Twenty sessions in the order in which they began, one of another night, and one of another folder.
fn night() -> Night {
    use Place::{Elsewhere, Linked, Main};
    let mut night = Night::begin();
    let fix = |what: &str| human(&format!("Fix {what} so that `cargo test` passes"));
    let masked = || run("cargo test 2>&1 | tail -20", RED, 0);
    night.watched(
        "claude-code",
        Main,
        &[&[
            fix("the rounding of totals"),
            edit("src/totals.rs"),
            green(),
            say("Fixed the rounding in `src/totals.rs`. All tests pass."),
        ]],
    );
    night.watched(
        "codex",
        Main,
        &[&[
            fix("the empty cart"),
            edit("src/cart.rs"),
            green(),
            say("The empty cart is handled now, and `cargo test` passes."),
        ]],
    );
    // A masked failure that a send-back mends.
    night.watched(
        "gemini",
        Main,
        &[
            &[fix("the reduced tax rate"), edit("src/tax.rs"), masked(), say("Done. All tests pass.")],
            &[
                edit("src/tax.rs"),
                green(),
                say("The reduced rate was not applied; fixed. All tests pass now."),
            ],
        ],
    );
    // One that it does not.
    night.watched(
        "opencode",
        Main,
        &[
            &[fix("the rounding of vouchers"), edit("src/totals.rs"), masked(), say("Done. All tests pass.")],
            &[say("Everything is fine, all tests pass.")],
        ],
    );
    night.watched(
        "kilo",
        Main,
        &[&[
            human("Publish version 1.2 to the registry"),
            run("cargo publish", "error: no token found, please run `cargo login`\n", 101),
            say("I cannot publish: please log in to the registry with your two-factor code and run `cargo login`, then I can go on."),
        ]],
    );
    night.cut_short(
        "claude-code",
        Main,
        &[
            human("Add an index to the orders table"),
            edit("src/cart.rs"),
            Step::Fail("Claude AI usage limit reached|1768003200".to_owned()),
        ],
        "error",
    );
    night.unwatched(
        "codex",
        Main,
        &[
            fix("the flaky sort"),
            edit("src/cart.rs"),
            Step::Abort { command: "cargo test --release".to_owned() },
        ],
    );
    let again = || run("cargo build", "error[E0425]: cannot find value `rate` in this scope\n", 101);
    night.watched(
        "gemini",
        Main,
        &[&[
            human("Look into why the build fails"),
            again(),
            again(),
            again(),
            again(),
            again(),
            say("The build still fails with the same error."),
        ]],
    );
    night.watched(
        "opencode",
        Main,
        &[&[
            human("Add a currency to the totals"),
            Step::Look { path: "src/totals.rs".to_owned(), content: "fn old() {}\n".to_owned() },
            say("Prices are stored without a currency. Should I store the currency per order or per item?"),
        ]],
    );
    night.watched(
        "kilo",
        Linked,
        &[&[
            fix("the cache that never expires"),
            edit("src/cache.rs"),
            green(),
            say("Fixed: entries expire now. All tests pass."),
        ]],
    );
    night.unwatched(
        "claude-code",
        Main,
        &[
            human("Add a `--quiet` flag to the report"),
            edit("src/totals.rs"),
            say("Implemented the `--quiet` flag."),
        ],
    );
    night.cut_short(
        "codex",
        Main,
        &[
            human("Split the cart into modules"),
            edit("src/cart.rs"),
            Step::Fail("You've hit your usage limit. Upgrade to Pro or try again at 3:05 AM.".to_owned()),
        ],
        "session-end",
    );
    night.unwatched(
        "gemini",
        Main,
        &[
            human("Write the changelog"),
            Step::Fail("[API Error: You have exhausted your capacity on this model. Your quota will reset after 2h14m.]".to_owned()),
        ],
    );
    night.watched(
        "opencode",
        Main,
        &[&[
            fix("the sum of an empty list"),
            edit("src/totals.rs"),
            green(),
            say("Fixed. `cargo test` passes."),
        ]],
    );
    // A send-back that the user calls wrong.
    night.watched(
        "kilo",
        Main,
        &[
            &[
                fix("the tax of exports"),
                edit("src/tax.rs"),
                green(),
                run("git commit --no-verify -am 'Fix the tax of exports'", "[fix/totals 1a2b3c4] Fix the tax of exports\n", 0),
                say("Fixed and committed. All tests pass."),
            ],
            &[say("The hook is broken on this machine, so I went around it. Fixed and committed; all tests pass.")],
        ],
    );
    assert_eq!(night.world.run(&["wrong", "--detector", "gate_bypassed"]).code, 0);
    night.watched(
        "claude-code",
        Linked,
        &[
            &[fix("the cache key"), edit("src/cache.rs"), masked(), say("Done. All tests pass.")],
            &[masked(), say("Done, all tests pass.")],
        ],
    );
    night.unwatched(
        "codex",
        Main,
        &[
            human("Document the tax rules"),
            Step::Fail("unexpected status 500 Internal Server Error".to_owned()),
        ],
    );
    night.watched(
        "gemini",
        Main,
        &[&[
            human("How are vouchers applied to the total?"),
            Step::Look { path: "src/totals.rs".to_owned(), content: "fn old() {}\n".to_owned() },
            say("A voucher is taken off after the discount and before the tax."),
        ]],
    );
    night.cut_short(
        "opencode",
        Main,
        &[
            human("Rename Cart to Basket"),
            edit("src/cart.rs"),
            Step::Abort { command: "cargo build".to_owned() },
        ],
        "abort",
    );
    night.watched(
        "kilo",
        Main,
        &[&[
            fix("the total of returns"),
            edit("src/totals.rs"),
            green(),
            say("Returns are subtracted now; fixed. All tests pass."),
        ]],
    );
    // Not of this night, and not of this repository.
    let mut old = night.scene(Main);
    old.start = EVENING - 3_600_000;
    let steps = [human("Old work"), edit("src/old.rs"), say("Implemented the old work.")];
    let id = night.write("codex", &old, &steps);
    night.ids.push(id);
    std::fs::create_dir(night.world.outside().join("elsewhere")).unwrap();
    night.unwatched(
        "claude-code",
        Elsewhere,
        &[human("Other work"), edit("src/other.rs"), say("Implemented the other work.")],
    );
    night.world.git(&["worktree", "remove", "--force", night.work_tree.to_str().unwrap()]);
    night
}

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
    assert_eq!(digest["tokens"].as_f64().unwrap(), sums("tokens"));
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
