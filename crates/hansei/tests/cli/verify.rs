//! `hansei verify`: what the seed's unit 3 asks of verification, and ways round it that must not work.
//!
//! Of unit 3 these wait for `hansei run`: that runs of a plan and of a team verify by default and chats do not, and that a
//! failure is given back to the model as often as it may be.

use serde_json::{Value, json};

use crate::support::{Ran, World};
use crate::verify_support::{NODE, PYTHON, answer, command, names, statuses, verify, write};

fn python() -> World {
    let world = World::without_commit();
    write(&world, "", PYTHON);
    world.commit("Start");
    world
}

fn node(script: &str) -> World {
    let world = World::without_commit();
    write(&world, "", NODE);
    world.write("package.json", json!({ "name": "demo", "scripts": { "test": script } }).to_string());
    world.commit("Start");
    world
}

fn spec(world: &World, commands: &[&str]) -> String {
    let file = world.outside().join("spec.yaml");
    std::fs::write(&file, json!({ "goal": "x", "verification": commands }).to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

fn user_settings(world: &World, text: &str) {
    let file = world.outside().join("home/.config/hansei/config.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

fn summary(answer: &(i32, Value)) -> (i32, &str) {
    (answer.0, answer.1["status"].as_str().unwrap())
}

// Unit 3, happy path.

#[test]
fn u3_python_with_pyproject_runs_pytest_and_ruff() {
    let answer = verify(&python(), &[]);
    assert_eq!(summary(&answer), (0, "passed"), "{:#}", answer.1);
    assert_eq!(statuses(&answer.1), ["passed pytest -x -q", "passed ruff check"]);
    assert_eq!(answer.1["task"], "coding");
}

#[test]
fn u3_a_task_without_code_uses_the_specs_commands() {
    let world = World::new();
    world.write("report.md", "# Result\n");
    let answer = verify(&world, &["--spec", &spec(&world, &["grep -q '^# Result' report.md"])]);
    assert_eq!(summary(&answer), (0, "passed"), "{:#}", answer.1);
    assert_eq!(statuses(&answer.1), ["passed grep -q '^# Result' report.md"]);
    assert_eq!(answer.1["task"], "not_coding");
    let red = verify(&world, &["--spec", &spec(&world, &["grep -q nowhere report.md"])]);
    assert_eq!(summary(&red), (1, "failed"));
}

// Unit 3, edge cases.

#[test]
fn u3_without_pyproject_pytest_is_skipped_and_the_spec_is_used() {
    let world = World::new();
    world.write("notes.txt", "words\n");
    let answer = verify(&world, &["--spec", &spec(&world, &["test -s notes.txt"])]);
    assert_eq!(statuses(&answer.1), ["passed test -s notes.txt"]);
}

#[test]
fn u3_an_empty_workspace_passes_and_says_why() {
    for world in [World::without_commit(), World::without_repository()] {
        let ran = Ran::of(&mut command(&world, &[]), b"");
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (0, "passed, with nothing run: there is nothing to run\n")
        );
    }
}

#[test]
fn u3_what_ruff_finds_is_a_failure() {
    let world = python();
    world.write("demo.py", "import os\n\n\ndef add(a, b):\n    return a + b\n");
    let answer = verify(&world, &[]);
    assert_eq!(summary(&answer), (1, "failed"), "{:#}", answer.1);
    assert_eq!(statuses(&answer.1), ["passed pytest -x -q", "failed ruff check"]);
    let found = names(&answer.1, "failing_tests");
    assert!(found.len() == 1 && found[0].starts_with("demo.py:1:8: F401"), "{found:?}");
    // What it found before is not this work's, also where it moved.
    world.commit("An unused import");
    world.write("demo.py", "\"\"\"Adds.\"\"\"\n\nimport os\n\n\ndef add(a, b):\n    return a + b\n");
    let answer = verify(&world, &[]);
    assert_eq!(statuses(&answer.1), ["passed pytest -x -q", "inherited ruff check"], "{:#}", answer.1);
}

// Unit 3, errors and failures.

#[test]
fn u3_a_failing_test_is_named_with_what_it_said() {
    let world = python();
    world.write("demo.py", "def add(a, b):\n    return a * b\n");
    let answer = verify(&world, &[]);
    assert_eq!(summary(&answer), (1, "failed"));
    assert_eq!(names(&answer.1, "failing_tests"), ["tests/test_demo.py::test_adds"]);
    assert!(answer.1["checks"][0]["output"].as_str().unwrap().contains("assert 2 == 3"), "{:#}", answer.1);
    let text = Ran::of(&mut command(&world, &[]), b"").stdout;
    assert!(text.contains("new: tests/test_demo.py::test_adds"), "{text}");
}

#[test]
fn u3_a_blocked_network_call_is_said_to_be_one() {
    let world = python();
    let test = "import urllib.request\n\n\ndef test_net():\n    urllib.request.urlopen(\"http://example.invalid\", timeout=5)\n";
    world.write("tests/test_net.py", test);
    let answer = verify(&world, &[]);
    assert_eq!(summary(&answer), (1, "failed"));
    let why = answer.1["checks"][0]["why"].as_str().unwrap();
    assert!(why.contains("it wanted the network, which is not there in the sandbox"), "{why}");
}

#[test]
fn u3_a_command_that_leaves_the_workspace_is_rejected_and_not_run() {
    let world = World::new();
    std::fs::write(world.outside().join("secret"), "fake-secret").unwrap();
    for line in [
        "cat ../secret; touch ran",
        "cat ../../etc/passwd; touch ran",
        "cd .. && touch ran",
        "touch ran; cat /etc/passwd",
    ] {
        // Without the walls too: it is not even tried.
        let answer = verify(&world, &["--no-sandbox", "--spec", &spec(&world, &[line])]);
        assert_eq!(summary(&answer), (1, "failed"), "{line}");
        assert_eq!(answer.1["checks"][0]["status"], "rejected", "{line}");
        assert!(answer.1["checks"][0]["why"].as_str().unwrap().contains("workspace"), "{:#}", answer.1);
        assert!(!world.path("ran").exists() && !world.outside().join("ran").exists(), "{line}");
    }
}

// Unit 3, integration.

#[test]
fn u3_the_sandbox_holds_for_every_command() {
    let world = python();
    let outside = world.outside().join("outside");
    let text = format!("def test_writes():\n    open({:?}, \"w\").write(\"x\")\n", outside.to_str().unwrap());
    world.write("tests/test_writes.py", text);
    let answer = verify(&world, &["--spec", &spec(&world, &["python3 tests/test_writes.py"])]);
    assert_eq!(summary(&answer), (1, "failed"), "{:#}", answer.1);
    assert!(!outside.exists());
    // The same without walls, so that it is they who hold.
    assert_eq!(verify(&world, &["--no-sandbox"]).1["checks"][0]["status"], "passed");
    assert!(outside.exists());
}

#[test]
fn u3_python_is_told_from_other_workspaces() {
    for (files, first) in [
        (&[("pyproject.toml", "")][..], "pytest -x -q"),
        (&[("script.py", "print(1)\n")], "pytest -x -q"),
        (&[("Cargo.toml", "[package]\nname = 'a'\nversion = '1.0.0'\n"), ("tool.py", "")], "cargo test"),
        (&[("package.json", "{\"scripts\":{\"test\":\"x\"}}"), ("tool.py", "")], "npm test"),
    ] {
        let world = World::without_commit();
        write(&world, "", files);
        let mut without_tools = command(&world, &["--json"]);
        let (_, report) = answer(without_tools.env("PATH", crate::verify_support::bare_path(&world)));
        assert_eq!(report["checks"][0]["command"], first, "{files:?}");
    }
}

// Ways round.

#[test]
fn the_base_commits_script_is_run_where_the_work_changed_it() {
    for (name, base, now) in [
        ("replaced", "node --test", json!({ "scripts": { "test": "true" } })),
        ("taken out", "node --test", json!({ "scripts": {} })),
        ("swallowed", "node --test", json!({ "scripts": { "test": "node --test || true" } })),
    ] {
        let world = node(base);
        world.write("add.js", "exports.add = (a, b) => a - b;\n");
        world.write("package.json", now.to_string());
        let answer = verify(&world, &[]);
        assert_eq!(summary(&answer), (1, "failed"), "{name}: {:#}", answer.1);
        assert_eq!(names(&answer.1, "failing_tests"), ["adds"], "{name}");
        assert_eq!(answer.1["weakened"][0]["path"], "package.json", "{name}");
    }
}

#[test]
fn a_script_that_the_test_calls_is_the_base_commits_too() {
    let world = node("npm run unit");
    let scripts = |unit: &str| {
        json!({ "name": "demo", "scripts": { "test": "npm run unit", "unit": unit } }).to_string()
    };
    world.write("package.json", scripts("node --test"));
    world.commit("Two scripts");
    world.write("add.js", "exports.add = (a, b) => a - b;\n");
    world.write("package.json", scripts("true"));
    assert_eq!(summary(&verify(&world, &[])), (1, "failed"));
}

#[test]
fn a_script_that_hides_its_failure_is_judged_by_what_it_prints() {
    let world = node("node --test || true");
    assert_eq!(summary(&verify(&world, &[])), (0, "passed"));
    world.write("add.js", "exports.add = (a, b) => a - b;\n");
    let red = verify(&world, &[]);
    assert_eq!(summary(&red), (1, "failed"), "{:#}", red.1);
    let silent = node("node add.js || true");
    assert_eq!(summary(&verify(&silent, &[])), (1, "unknown"));
}

#[test]
fn tests_that_are_left_out_by_settings_are_run() {
    for (file, text) in [
        ("pytest.ini", "[pytest]\npythonpath = .\naddopts = --deselect tests/test_demo.py::test_adds\n"),
        ("pytest.ini", "[pytest]\npythonpath = .\ntestpaths = nowhere\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = ['.']\naddopts = ['-k', 'not adds']\n"),
    ] {
        let world = python();
        world.write("demo.py", "def add(a, b):\n    return a - b\n");
        world.write(file, text);
        let answer = verify(&world, &[]);
        assert_eq!(
            names(&answer.1, "failing_tests"),
            ["tests/test_demo.py::test_adds"],
            "{text}: {:#}",
            answer.1
        );
        assert!(!answer.1["weakened"].as_array().unwrap().is_empty());
    }
}

#[test]
fn taking_the_tests_away_is_no_pass() {
    let world = python();
    std::fs::remove_file(world.path("tests/test_demo.py")).unwrap();
    let answer = verify(&world, &[]);
    assert_eq!(summary(&answer), (1, "unknown"), "{:#}", answer.1);
    assert_eq!(answer.1["weakened"][0]["path"], "tests/test_demo.py");
    // Deleting what shows that this is Python is no way either.
    let world = python();
    world.write("demo.py", "def add(a, b):\n    return a - b\n");
    std::fs::remove_file(world.path("pyproject.toml")).unwrap();
    let answer = verify(&world, &[]);
    assert_eq!(summary(&answer), (1, "failed"), "{:#}", answer.1);
}

#[test]
fn a_runner_that_is_ended_early_with_zero_has_not_passed() {
    let world = python();
    world.write("demo.py", "def add(a, b):\n    return a - b\n");
    world.write("conftest.py", "import os\n\n\ndef pytest_sessionstart(session):\n    os._exit(0)\n");
    let answer = verify(&world, &[]);
    assert_eq!(summary(&answer), (1, "unknown"), "{:#}", answer.1);
    assert!(answer.1["checks"][0]["why"].as_str().unwrap().contains("never said what it ran"));
}

#[test]
fn commits_of_the_work_itself_are_no_base() {
    let world = python();
    let base = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    world.write("demo.py", "def add(a, b):\n    return a - b\n");
    world.commit("A mistake of this work");
    let answer = verify(&world, &["--base", &base]);
    assert_eq!(summary(&answer), (1, "failed"), "{:#}", answer.1);
    assert_eq!(answer.1["base"], base);
}

#[test]
fn limits_are_no_pass() {
    let world = python();
    world.write("tests/test_slow.py", "import time\n\n\ndef test_slow():\n    time.sleep(600)\n");
    let answer = verify(&world, &["--timeout", "4"]);
    assert_eq!(summary(&answer), (1, "unknown"), "{:#}", answer.1);
    assert_eq!(answer.1["checks"][0]["status"], "limit_reached");
}

#[test]
fn an_old_failure_hides_no_new_one_behind_it() {
    let world = node("node --test && node more.js");
    world.write("add.js", "exports.add = (a, b) => a - b;\n");
    world.write("more.js", "");
    world.commit("A mistake that is there before");
    world.write("more.js", "throw new Error('new');\n");
    let answer = verify(&world, &[]);
    assert_eq!(summary(&answer), (1, "unknown"), "{:#}", answer.1);
    assert_eq!(names(&answer.1, "inherited"), ["adds"]);
}

// Settings.

#[test]
fn a_repositorys_checks_count_only_for_who_trusts_them() {
    let world = python();
    let settings = "[checks]\ncommands = ['echo mine > mine.txt']\n";
    world.write("hansei.toml", settings);
    world.commit("Checks");
    let before = verify(&world, &[]);
    assert_eq!(statuses(&before.1), ["passed pytest -x -q", "passed ruff check"]);
    assert!(before.1["notes"][0].as_str().unwrap().contains("hansei trust"), "{:#}", before.1);
    let inside = Ran::of(world.hansei().args(["trust"]).env("CLAUDECODE", "1"), b"");
    assert_eq!(inside.code, 1, "{}", inside.stderr);
    assert_eq!(world.run(&["trust"]).code, 0);
    let after = verify(&world, &[]);
    assert_eq!(statuses(&after.1), ["passed echo mine > mine.txt"]);
    // What the work changes in it counts neither before nor after somebody commits it.
    world.write("hansei.toml", "[checks]\ncommands = ['true']\n");
    assert_eq!(statuses(&verify(&world, &[]).1), ["passed echo mine > mine.txt"]);
    world.commit("Other checks");
    assert_eq!(statuses(&verify(&world, &[]).1), ["passed pytest -x -q", "passed ruff check"]);
}

#[test]
fn users_add_ecosystems_of_their_own() {
    let world = World::without_commit();
    world.write("build.demo", "");
    let row = |tool: &str| {
        format!(
            "[[verify.ecosystems]]\nname = 'Demo'\nfiles = ['*.demo']\ncommands = ['test -f build.demo']\ntool = '{tool}'\ninstall = 'get {tool}'\n"
        )
    };
    user_settings(&world, &row("sh"));
    let answer = verify(&world, &[]);
    assert_eq!(
        (summary(&answer), statuses(&answer.1)),
        ((0, "passed"), vec!["passed test -f build.demo".to_owned()])
    );
    user_settings(&world, &row("no-such-tool"));
    let answer = verify(&world, &[]);
    assert_eq!(
        (summary(&answer), &answer.1["checks"][0]["install"]),
        ((3, "missing_tool"), &json!("get no-such-tool"))
    );
    // A repository may not.
    user_settings(&world, "");
    world.write("hansei.toml", row("sh"));
    let refused = Ran::of(&mut command(&world, &[]), b"");
    assert!(refused.code == 2 && refused.stderr.contains("[verify] (ecosystems)"), "{}", refused.stderr);
}

#[test]
fn a_spec_is_added_to_the_detected_checks_and_never_excused() {
    let world = python();
    world.write("demo.py", "def add(a, b):\n    return b + a\n");
    let answer = verify(&world, &["--spec", &spec(&world, &["test -f result.txt"])]);
    let expected = ["passed pytest -x -q", "passed ruff check", "failed test -f result.txt"];
    assert_eq!((summary(&answer), statuses(&answer.1)), ((1, "failed"), expected.map(String::from).to_vec()));
}

#[test]
fn wrong_use_is_said() {
    let world = python();
    let file = world.outside().join("bad.yaml");
    std::fs::write(&file, "verification: 3").unwrap();
    for (arguments, part) in [
        (&["--base", "no-such-commit"][..], "no commit"),
        (&["--spec", "no-such-file"], "no-such-file"),
        (&["--spec", file.to_str().unwrap()], "not a Spec"),
        (&["--workspace", "no-such-folder"], "not a folder"),
        (&["--timeout", "0"], "0"),
    ] {
        let ran = Ran::of(&mut command(&world, arguments), b"");
        assert!(ran.code == 2 && ran.stderr.contains(part), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn without_a_sandbox_nothing_is_run() {
    let world = python();
    let path = std::env::split_paths(&crate::verify_support::search_path())
        .filter(|folder| !folder.join("bwrap").exists())
        .chain([crate::verify_support::bare_path(&world)])
        .collect::<Vec<_>>();
    std::fs::remove_file(world.outside().join("bin/bwrap")).unwrap();
    let mut without = command(&world, &[]);
    let ran = Ran::of(without.env("PATH", std::env::join_paths(path).unwrap()), b"");
    assert!(ran.code == 3 && ran.stderr.contains("bubblewrap"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn nothing_is_left_of_the_base_commits_tree() {
    let world = python();
    let temporary = world.outside().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    world.write("demo.py", "def add(a, b):\n    return a - b\n");
    let mut call = command(&world, &["--json"]);
    let (code, _) = answer(call.env("TMPDIR", &temporary));
    assert_eq!(code, 1);
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    assert_eq!(world.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn a_signal_takes_the_base_commits_tree_down() {
    let world = python();
    let temporary = world.outside().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    // Fails at once here, and never ends on the base commit.
    let test = "import os\nimport time\n\n\ndef test_waits():\n    while not os.path.exists(\"now.txt\"):\n        \
                time.sleep(0.05)\n    assert sum([1]) == 2\n";
    world.write("tests/test_demo.py", test);
    world.commit("A test that waits");
    world.write("now.txt", "");
    let mut call = command(&world, &["--timeout", "30"]);
    call.env("TMPDIR", &temporary).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut running = call.spawn().unwrap();
    let has_tree = || {
        let mut trees = std::fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().path());
        trees.any(|tree| tree.join("tree/tests/test_demo.py").exists())
    };
    while !has_tree() {
        assert!(running.try_wait().unwrap().is_none(), "it ended before there was anything to compare");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let killed =
        std::process::Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}
