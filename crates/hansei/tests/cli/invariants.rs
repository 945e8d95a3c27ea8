//! What is deliberately absent from the architecture, checked mechanically.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::support::World;

fn cargo(arguments: &[&str]) -> String {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--locked", "--manifest-path", manifest])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The names of everything that `package` is built with.
fn built_with(package: &str) -> BTreeSet<String> {
    let tree =
        cargo(&["tree", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--package", package]);
    tree.lines().filter_map(|line| line.split(' ').next().map(ToOwned::to_owned)).collect()
}

#[test]
fn dependencies_point_downwards_only() {
    // Each crate, from the bottom up; a crate may use only what stands before it.
    let order = [
        "hansei-core",
        "hansei-stats",
        "hansei-record",
        "hansei-workspace",
        "hansei-store",
        "hansei-model-server",
        "hansei-models",
        "hansei-agents",
        "hansei-hook",
        "hansei-eval",
        "hansei-engine",
        "hansei-server",
        "hansei-fuzz",
        "hansei-generated-sessions",
        "hansei",
        "hansei-bench",
        "hansei-e2e",
    ];
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version=1", "--no-deps"])).unwrap();
    let place: BTreeMap<&str, usize> =
        order.into_iter().enumerate().map(|(place, name)| (name, place)).collect();
    let packages = metadata["packages"].as_array().unwrap();
    assert_eq!(packages.len(), order.len(), "a new crate needs its place in this order");
    for package in packages {
        let name = package["name"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let uses = dependency["name"].as_str().unwrap();
            if uses.starts_with("hansei") {
                assert!(place[uses] < place[name], "{name} uses {uses}");
            }
        }
    }
    for alone in ["hansei-core", "hansei-stats"] {
        assert!(built_with(alone).iter().filter(|name| name.starts_with("hansei")).count() == 1, "{alone}");
    }
}

#[test]
fn the_hook_pulls_in_no_runtime_no_tls_and_no_database() {
    let heavy = [
        "tokio", "async-std", "smol", "rustls", "native-tls", "openssl", "rusqlite", "ruzstd", "sqlx",
        "tokio-postgres", "reqwest", "hyper", "genai", "ring", "hansei-models", "hansei-eval",
        "hansei-engine", "hansei-server", "rmcp", "hansei-store", "rquickjs", "minijinja",
    ];
    let used = built_with("hansei-hook");
    assert!(used.contains("hansei-core") && used.contains("serde_json"), "{used:?}");
    for name in heavy {
        assert!(!used.contains(name), "the hook is built with {name}");
    }
}

#[test]
fn intent_is_recorded_before_an_effect_and_its_result_after() {
    let world = World::new();
    world.hook("session-start");
    world.hook("prompt");
    world.hook("stop");
    let log = world.log("s1");
    let kinds: Vec<&str> = log.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["session_started", "task_started", "capture_started", "captured"]);
    assert!(log.iter().zip(1..).all(|(line, number)| line["seq"] == number && line["v"] == 1));
    assert_eq!(log[3]["sidecar"], world.sidecars()[0].as_str());
    // Also when the effect fails.
    let blocked = World::new();
    blocked.write(".hansei/reflections", "a file in the way");
    let ran = blocked.hook("stop");
    assert!(ran.stderr.contains("the reflection cannot be written"), "{}", ran.stderr);
    let kinds: Vec<Value> = blocked.log("s1").iter().map(|line| line["kind"].clone()).collect();
    assert_eq!(kinds, ["capture_started", "capture_failed"]);
}

#[test]
fn events_of_a_newer_version_are_kept() {
    let world = World::new();
    world.hook("session-start");
    let log = world.path(".hansei/log/s1.jsonl");
    let newer = r#"{"v":9,"seq":2,"time":"2030-01-01T00:00:00Z","kind":"dreamt","of":"sheep"}"#;
    let text = std::fs::read_to_string(&log).unwrap() + newer + "\n";
    std::fs::write(&log, &text).unwrap();
    world.capture();
    let after = std::fs::read_to_string(&log).unwrap();
    assert!(after.starts_with(&text), "nothing that was there is changed");
    assert_eq!(world.log("s1").last().unwrap()["seq"], 4);
}

#[test]
fn records_of_every_released_version_can_be_read() {
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut versions = 0;
    for version in std::fs::read_dir(golden).unwrap() {
        let version = version.unwrap().path();
        let world = World::new();
        let copied =
            Command::new("cp").arg("-r").arg(version.join("hansei")).arg(world.path(".hansei")).status();
        assert!(copied.unwrap().success());
        let shown = world.run(&["show", "golden", "--json"]).json();
        assert_eq!(shown["session_id"], "golden", "{}", version.display());
        assert_eq!(shown["capture"]["left_out"], serde_json::json!(["notes.txt"]));
        // And the session goes on in this version.
        world.hook_in(&world.repo, "stop", "golden");
        assert_eq!(world.last().provenance.reflection_attempt, 3);
        versions += 1;
    }
    assert!(versions > 0);
}
