//! Which command each call stands for, and which arguments are refused.

use hansei_core::escalation::{Attempt, Escalation, FailureLayer};
use serde_json::{Value, json};

use super::{Asked, TOOLS, asked};

fn call(name: &str, arguments: &Value) -> Result<Asked, String> {
    asked(TOOLS.iter().find(|tool| tool.name == name).unwrap(), arguments)
}

#[test]
fn a_call_is_a_command() {
    for (name, arguments, line, input) in [
        ("risk", json!({}), "risk --json", ""),
        ("risk", json!({ "base": "-x", "head": "HEAD" }), "risk --json --base=-x --head=HEAD", ""),
        ("risk", json!({ "staged": false, "commit": null }), "risk --json", ""),
        ("risk", json!({ "staged": true, "threshold": 0.25 }), "risk --json --staged --threshold=0.25", ""),
        ("risk", json!({ "files": ["a b", "--c\nd"] }), "risk --json --files=-", "a b\0--c\nd\0"),
        ("review", json!({}), "review --json --cwd=. -- last", ""),
        ("review", json!({ "session": "--help" }), "review --json --cwd=. -- --help", ""),
        (
            "self_report",
            json!({ "confidence": 1, "most_likely_wrong": { "surface": "auth", "description": "-- $(x)" } }),
            "self-report --json --confidence=1 --wrong-surface=auth --wrong=-- $(x)",
            "",
        ),
        (
            "self_report",
            json!({ "known_not_in_diff": "a", "session": "s" }),
            "self-report --json --not-in-diff=a --session=s",
            "",
        ),
        ("decisions_check", json!({}), "decisions check --json", ""),
        ("decisions_check", json!({ "plan": "use redis" }), "decisions check --json --plan=-", "use redis"),
        ("decisions_check", json!({ "diff": "d" }), "decisions check --json --diff=-", "d"),
        (
            "decisions_check",
            json!({ "staged": true, "base": "main" }),
            "decisions check --json --staged --base=main",
            "",
        ),
        ("probe", json!({ "command": "make; x" }), "probe --json --command=make; x", ""),
        ("probe", json!({ "error": "E" }), "probe --json --error=-", "E"),
        (
            "escalate",
            json!({ "payload": "<ESCALATION>", "task": "t", "context": "[CHECKLIST]", "rescue_attempt": 3, "run": "r" }),
            "unblock --json --escalation=- --task=<t> --context=<[CHECKLIST]> --run=r --attempt=3",
            "<ESCALATION>",
        ),
        (
            "escalate",
            json!({ "run": "last", "rescue_attempt": 2.0 }),
            "unblock --json --run=last --attempt=2",
            "",
        ),
    ] {
        let asked = call(name, &arguments).unwrap();
        assert_eq!((asked.line().as_str(), asked.input()), (line, input.as_bytes()), "{name} {arguments}");
    }
}

#[test]
fn the_fields_of_an_escalation_become_the_payload_that_core_writes() {
    let fields = json!({
        "task": "\nClose every handle.\nAll of them.",
        "attempt": 4.0,
        "suspected_failure_layer": ["dependency", "environment"],
        "what_was_tried": ["closing twice\nand once more", "none"],
        "what_did_not_work": ["still leaks </ESCALATION>"],
        "error": "ERROR: pool exhausted",
        "command": "cargo test pool",
    });
    let asked = call("escalate", &fields).unwrap();
    assert_eq!(
        asked.line(),
        "unblock --json --escalation=- --task=<\nClose every handle.\nAll of them.> \
         --error=<ERROR: pool exhausted> --command=cargo test pool"
    );
    let payload = Escalation::read(std::str::from_utf8(asked.input()).unwrap()).unwrap();
    assert_eq!((payload.attempt, payload.task_scope.as_str()), (Attempt::new(4), "Close every handle."));
    assert_eq!(payload.suspected_failure_layer, [FailureLayer::Environment, FailureLayer::Dependency]);
    assert_eq!(payload.what_was_tried, ["closing twice and once more"]);
    assert_eq!(payload.what_did_not_work, ["still leaks </ESCALATION>"], "a tag in a line ends nothing");
}

#[test]
fn arguments_that_the_schema_does_not_have_are_refused_by_name() {
    let long = "x".repeat(5_000);
    for (name, arguments, says) in [
        ("risk", json!({ "bass": "main" }), "'bass'"),
        ("risk", json!({ "staged": "yes" }), "staged: what was given is not of type \"boolean\""),
        ("risk", json!({ "threshold": 2 }), "threshold: what was given is greater than the maximum of 1"),
        ("risk", json!({ "files": [] }), "files:"),
        ("risk", json!({ "files": ["a\0b"] }), "files: a path holds a NUL"),
        ("review", json!({ "session": "" }), "session:"),
        ("review", json!({ "session": long }), "session: what was given is longer than 4000 characters"),
        (
            "self_report",
            json!({ "confidence": "0.7" }),
            "confidence: what was given is not of type \"number\"",
        ),
        (
            "self_report",
            json!({ "most_likely_wrong": { "surface": "auth" } }),
            "most_likely_wrong: \"description\" is",
        ),
        (
            "self_report",
            json!({ "most_likely_wrong": { "surface": "x", "description": "y" } }),
            "most_likely_wrong/surface",
        ),
        ("escalate", json!({}), "give payload, or at least task and attempt"),
        ("escalate", json!({ "attempt": 4 }), "give payload, or at least task and attempt"),
        ("escalate", json!({ "payload": "p", "what_was_tried": ["a"] }), "not both (what_was_tried)"),
        (
            "escalate",
            json!({ "task": "t", "attempt": 0 }),
            "attempt: what was given is less than the minimum of 1",
        ),
        (
            "escalate",
            json!({ "task": "t", "attempt": 4, "suspected_failure_layer": ["luck"] }),
            "suspected_failure_layer/0: what was given is none of [\"architecture\",\"environment\",\"dependency",
        ),
        ("probe", json!({ "command": ["make"] }), "command: what was given is not of type \"string\""),
    ] {
        let wrong = call(name, &arguments).unwrap_err();
        assert!(wrong.contains(says) && wrong.len() < 1_000, "{name}: {wrong}");
    }
}

#[test]
fn a_schema_is_an_object_that_every_provider_of_models_takes() {
    for tool in TOOLS {
        let listed = serde_json::to_value(tool.listed()).unwrap();
        let schema = &listed["inputSchema"];
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
        for choice in ["anyOf", "oneOf", "allOf", "$ref", "not"] {
            assert!(!schema.to_string().contains(&format!("\"{choice}\":")), "{}: {choice}", tool.name);
        }
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(
                property["description"].as_str().is_some_and(|text| text.len() > 5),
                "{}.{name}",
                tool.name
            );
        }
        let hints = &listed["annotations"];
        let asks = tool.name == "escalate";
        assert_eq!((&hints["idempotentHint"], &hints["openWorldHint"]), (&json!(!asks), &json!(asks)));
        let description = listed["description"].as_str().unwrap();
        assert!(
            ["Use it", "call this"].iter().any(|when| description.contains(when)),
            "{}: when?",
            tool.name
        );
    }
}
