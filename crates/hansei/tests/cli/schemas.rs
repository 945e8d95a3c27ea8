//! The Rust types, the published JSON Schemas and the published zod schemas say the same.

use std::path::{Path, PathBuf};

use hansei_core::schema::Format;
use serde_json::{Value, json};

use crate::support::World;

fn published(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn what_is_checked_in_is_what_the_types_generate() {
    let world = World::without_repository();
    assert_eq!(world.run(&["schema"]).stdout, "reflection.v1\nself-report.v1\nreceipt.v1\n");
    for format in Format::ALL {
        let name = format.name();
        let printed = world.run(&["schema", name]).stdout;
        assert!(printed == published(&format!("schemas/{name}.schema.json")), "{name}: run scripts/generate");
    }
    let module = world.run(&["schema", "--typescript"]).stdout;
    assert!(module == published("integrations/typescript/src/index.ts"), "run scripts/generate");
    let ran = world.run(&["schema", "nonsense"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("there are reflection.v1, self-report.v1, receipt.v1"),
        "{}",
        ran.stderr
    );
}

#[test]
fn acceptance_4_a_sidecar_is_valid_by_an_independent_validator() {
    let schema: Value = serde_json::from_str(&published("schemas/reflection.v1.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let world = World::new();
    world.write("src/\u{1b}login \"q\".rs", "x");
    world.hook("stop");
    world.run(&[
        "self-report", "--confidence", "1", "--wrong-surface", "none", "--wrong", "", "--not-in-diff", "日本",
    ]);
    world.hook("stop");
    world.hook_with("stop", b"garbage", |_| ());
    assert_eq!(world.sidecars().len(), 3);
    for name in world.sidecars() {
        let sidecar: Value =
            serde_json::from_slice(&std::fs::read(world.path(".hansei/reflections").join(name)).unwrap())
                .unwrap();
        let errors: Vec<String> = validator.iter_errors(&sidecar).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{sidecar:#}");
        let keys: Vec<&String> = sidecar.as_object().unwrap().keys().collect();
        let expected = [
            "schema", "task_ref", "agent", "session_id", "timestamp", "repo", "confidence",
            "most_likely_wrong", "known_not_in_diff", "risk", "files_changed", "provenance",
        ];
        assert_eq!(keys, expected);
    }
}

/// A record that is valid in every detail.
fn valid(format: Format) -> Value {
    match format {
        Format::ReflectionV1 => json!({
            "schema": "reflection.v1", "task_ref": "t", "agent": "a", "session_id": "s",
            "timestamp": "2026-11-15T10:40:00.123456Z", "repo": "r", "confidence": 0.5,
            "most_likely_wrong": { "surface": "auth", "description": "d" }, "known_not_in_diff": "k",
            "risk": { "needs_review": true, "score": 1.0, "surface": "auth", "reason": "r" }, "files_changed": ["a", "b"],
            "provenance": {
                "source": "stop-hook", "reflection_attempt": 1, "degraded": false, "reflection_mode": "solo",
            },
        }),
        Format::SelfReportV1 => json!({
            "session_id": "s", "confidence": 0, "most_likely_wrong": { "surface": "none", "description": "" },
            "known_not_in_diff": "k",
        }),
        Format::ReceiptV1 => json!({
            "schema": "receipt.v1", "repo": "r", "base": "b", "head": "h", "branch": "x", "bound": false,
            "unbound_because": ["dirty"],
            "sessions": [{
                "session": "s", "agent": "a", "model": "m", "task": "t",
                "claims": [{
                    "text": "c", "standing": "supported",
                    "commands": [{
                        "command": "cargo test", "exit_code": 0, "result": "passed", "stale": false,
                        "at": "2026-11-15T10:40:00Z",
                    }],
                }],
            }],
        }),
    }
}

/// Every place in a record, as a JSON pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), found));
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, value)| places(value, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

/// The valid record and everything that one change makes of it.
fn corpus(format: Format) -> Vec<Value> {
    let start = valid(format);
    let mut pointers = Vec::new();
    places(&start, "", &mut pointers);
    let replacements = [
        json!(null),
        json!("x"),
        json!(""),
        json!("off"),
        json!("orchestrated"),
        json!("docs"),
        json!("reflection.v2"),
        json!(0),
        json!(1),
        json!(1.0),
        json!(2.5),
        json!(-1),
        json!(1e300),
        json!(4_294_967_295_u32),
        json!(4_294_967_296_u64),
        json!(0.999),
        json!(true),
        json!([]),
        json!(["x", 1]),
        json!({}),
        json!("2026-11-15T10:40:00Z"),
        json!("2026-11-15T10:40:00+00:00"),
        json!("2026-13-15T10:40:00Z"),
        json!("2026-02-31T23:59:59.1Z"),
        json!({ "surface": "ui", "description": "x" }),
    ];
    let mut corpus = vec![start.clone()];
    for pointer in &pointers {
        for replacement in &replacements {
            let mut changed = start.clone();
            *changed.pointer_mut(pointer).unwrap() = replacement.clone();
            corpus.push(changed);
        }
        let mut extended = start.clone();
        if let Some(Value::Object(map)) = extended.pointer_mut(pointer) {
            map.insert("unknown".to_owned(), json!(1));
            corpus.push(extended);
        }
        if let Some((parent, key)) = pointer.rsplit_once('/') {
            let mut shortened = start.clone();
            if let Some(Value::Object(map)) = shortened.pointer_mut(parent) {
                map.shift_remove(key);
                corpus.push(shortened);
            }
        }
    }
    corpus
}

/// The folder in which `scripts/test` installed the pinned npm packages.
fn node_packages() -> PathBuf {
    let folder = std::env::var_os("HANSEI_TEST_NODE")
        .expect("run ./scripts/test, which installs zod and sets HANSEI_TEST_NODE");
    PathBuf::from(folder)
}

#[test]
fn types_json_schemas_and_zod_schemas_accept_and_refuse_the_same() {
    let cases: Vec<(Format, Value)> = Format::ALL
        .into_iter()
        .flat_map(|format| corpus(format).into_iter().map(move |case| (format, case)))
        .collect();
    let world = World::without_repository();
    let input: Vec<Value> = cases.iter().map(|(format, case)| json!([format.name(), case])).collect();
    let list = world.write("cases.json", json!(input).to_string());
    let typescript = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/typescript");
    let mut node = world.command("node");
    node.arg(typescript.join("test/verdicts.mjs")).arg(node_packages()).arg(list);
    let output = node.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let by_zod: Vec<bool> = serde_json::from_slice(&output.stdout).unwrap();

    let (mut accepted, mut refused) = (0, 0);
    for ((format, case), by_zod) in cases.iter().zip(by_zod) {
        let schema: Value =
            serde_json::from_str(&published(&format!("schemas/{}.schema.json", format.name()))).unwrap();
        let by_schema = jsonschema::is_valid(&schema, case);
        let by_type = format.accepts(&case.to_string()).is_ok();
        assert_eq!((by_type, by_schema, by_zod), (by_type, by_type, by_type), "{} {case:#}", format.name());
        *(if by_type { &mut accepted } else { &mut refused }) += 1;
    }
    assert!(accepted > 50 && refused > 300, "{accepted} accepted, {refused} refused");
}
