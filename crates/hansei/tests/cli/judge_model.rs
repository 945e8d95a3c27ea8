//! The judge's model, from the user's settings to a verdict or to "unavailable", through the program.

use std::path::Path;

use hansei_model_server::{ModelServer, Options};
use serde_json::{Value, json};

use crate::local_model::LocalModel;
use crate::support::{Ran, World};

const KEY: &str = "sk-fake-judge-key-000";
const NO: &str = r#"{"complete":false,"severity":"MEDIUM","requires_human_action":false,"feedback":"Add the test.","missing":["the test"],"next_actions":["write it"],"confidence":0.9}"#;

fn saying(text: &str) -> ModelServer {
    let script = format!("steps:\n  - text: {}\n", json!(text));
    ModelServer::start(script.parse().unwrap(), Options::default()).unwrap()
}

fn configure(world: &World, judge: &str) {
    let folder = world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), format!("[judge]\n{judge}\n")).unwrap();
}

fn ask(world: &World) -> (i32, Value) {
    let mut command = world.hansei();
    command.args(["doctor", "--judge", "--json"]).env("MY_KEY", KEY);
    let ran = Ran::of(&mut command, b"");
    assert!(!ran.stdout.contains(KEY) && !ran.stderr.contains(KEY), "{} {}", ran.stdout, ran.stderr);
    (ran.code, ran.json())
}

/// Every file below `folder`, as one text.
fn everything_in(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(&everything_in(&path));
        } else {
            text.push_str(&String::from_utf8_lossy(&std::fs::read(path).unwrap()));
        }
    }
    text
}

#[test]
fn a_configured_model_is_asked_and_its_opinion_becomes_a_verdict() {
    let world = World::new();
    let model = saying(NO);
    let base_url = model.url();
    configure(
        &world,
        &format!("model = 'anthropic/claude-haiku-4-5'\nbase_url = '{base_url}'\nkey_env = 'MY_KEY'"),
    );
    let (code, told) = ask(&world);
    assert_eq!((code, &told["available"]), (0, &json!(true)), "{told}");
    assert_eq!(told["verdict"]["complete"], false, "{told}");
    assert_eq!(told["verdict"]["decided_by"], "model");
    assert_eq!(told["verdict"]["missing"], json!(["the test"]));
    // The same stop is not paid for twice within a minute.
    assert_eq!(ask(&world), (code, told));
    let requests = model.stop();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].path, "/v1/messages");
    let home = world.outside().join("home");
    let kept = everything_in(&home);
    assert!(kept.contains("Add the test.") && !kept.contains(KEY), "{kept}");
}

#[test]
fn a_model_that_gives_no_opinion_is_unavailable_and_the_evidence_decides() {
    let settings = |url: &str| format!("model = 'compatible/x'\nbase_url = '{url}'\ntimeout_seconds = 1");
    for (script, part) in [
        ("steps:\n  - text: ':'\n", "answered nothing"),
        ("steps:\n  - text: I'm sorry, I can't do that.\n", "refused"),
        ("steps:\n  - text: '{\"complete\": \"yes\"}'\n", "no usable \"complete\""),
        ("steps:\n  - error: { status: 500, message: broken }\n", "status 500"),
        ("steps:\n  - delay_ms: 600000\n    text: late\n", "no answer within 1 s"),
    ] {
        let world = World::new();
        let model = ModelServer::start(script.parse().unwrap(), Options::default()).unwrap();
        configure(&world, &settings(&model.url()));
        let (code, told) = ask(&world);
        assert_eq!((code, &told["available"]), (1, &json!(false)), "{told}");
        assert!(told["reason"].as_str().unwrap().contains(part), "{told}");
        assert_ne!(told["verdict"]["decided_by"], "model");
    }
    for (judge, part) in [
        ("model = 'claude-haiku-4-5'", "provider/name"),
        ("model = 'compatible/x'", "judge.base_url is needed"),
        ("model = 'openai/gpt-4o-mini'\nkey_env = 'NOT_SET'", "NOT_SET is not set"),
        ("model = 'openai/gpt-4o-mini'\nkey_command = ['false']", "key_command failed"),
        ("model = 'openai/x'\nmax_usd = 1.0\nkey_env = 'MY_KEY'", "price of x is not known"),
        ("model = 'openai/x'\nbase_url = 'http://example.invalid'\nkey_env = 'MY_KEY'", "unencrypted"),
    ] {
        let world = World::new();
        configure(&world, judge);
        let (code, told) = ask(&world);
        assert_eq!(code, 1, "{told}");
        assert!(told["reason"].as_str().unwrap().contains(part), "{told}");
    }
    let world = World::new();
    let ran = world.run(&["doctor", "--judge"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("no model is configured"), "{}", ran.stderr);
}

#[test]
fn settings_of_the_judge_are_shown_with_their_origin_and_refused_from_a_repository() {
    let world = World::new();
    configure(&world, "model = 'anthropic'\nkey_command = ['vault', 'fake-argument']\nmax_usd = 0.01");
    let ran = world.run(&["config", "--json"]);
    let rows = ran.json();
    let row = |key: &str| rows.as_array().unwrap().iter().find(|row| row["key"] == key).unwrap().clone();
    assert_eq!(row("judge.model")["value"], "anthropic");
    assert!(row("judge.model")["origin"].as_str().unwrap().ends_with(".config/hansei/config.toml"));
    assert_eq!(row("judge.base_url"), json!({ "key": "judge.base_url", "value": null, "origin": "default" }));
    assert_eq!(row("judge.key_command")["value"], json!(["vault", "…"]));
    assert!(!ran.stdout.contains("fake-argument"));

    world.write("hansei.toml", "[judge]\nkey_command = ['touch', 'ran']\nbase_url = 'http://evil.example'\n");
    let refused = world.run(&["config"]);
    assert_eq!(refused.code, 2);
    for part in ["hansei.toml: [judge] (base_url, key_command)", "your own config.toml"] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    // Asking goes by the user's file alone.
    configure(&world, "model = 'compatible/x'\nbase_url = 'http://127.0.0.1:9'");
    let (code, told) = ask(&world);
    assert_eq!(code, 1);
    assert!(told["reason"].as_str().unwrap().contains("127.0.0.1:9 cannot be reached"), "{told}");
    assert!(!world.path("ran").exists());
}

#[test]
fn whatever_a_real_small_model_says_ends_in_a_verdict_or_in_unavailable() {
    let world = World::new();
    let log = world.outside().join("log");
    let model = LocalModel::start(&log);
    assert!(model.url.starts_with("http://127.0.0.1:"), "{:?}", model.url);
    configure(
        &world,
        &format!(
            "model = 'compatible/smollm2'\nbase_url = '{}'\ntimeout_seconds = 30\nmax_tokens = 120",
            model.url
        ),
    );
    let (code, told) = ask(&world);
    model.stop();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("launch_slot_"), "the model was not asked: {told}\n{log}");
    if told["available"].as_bool().unwrap() {
        assert_eq!(code, 0, "{told}");
    } else {
        assert!(code == 1 && !told["reason"].as_str().unwrap().is_empty(), "{told}");
    }
    assert!(told["verdict"]["complete"].is_boolean(), "{told}");
    // The server is gone now: the same question goes unanswered, or is answered from the cache.
    let (_, again) = ask(&world);
    if told["available"] == false {
        assert_eq!(again["available"], false, "{again}");
    }
    assert!(again["verdict"]["complete"].is_boolean(), "{again}");
}
