//! `escalate`: a loop is handed up to the unblocker, as a ready payload or as the fields of one.

use std::time::Duration;

use hansei_core::escalation::{Attempt, Escalation, FailureLayer};
use serde_json::{Value, json};

use super::{Effect, Tool, line, lines, object, text};
use crate::mcp::calling::Asked;

pub(super) const TOOL: Tool = Tool {
    name: "escalate",
    command: "unblock",
    title: "Escalate a loop",
    description: "Hand a task up when you loop: three attempts at the same failure without progress. Stop patching and \
        call this instead of a fourth try. Say the task in its original words, what you tried and what came of it, in short \
        facts and without your reasoning: a handoff that replays failed reasoning is refused. The answer is of exactly one \
        `kind`: contract_correction, architecture_correction, environment_fix, test_harness_fix or retry_packet_for_coder \
        (follow `action`, start clean, do not repeat `what_not_to_retry`); need_context (give what `target` names; `reason` says why); \
        coherence_check_failed or escalation (stop and tell the human). Give either `payload` or the fields.",
    schema,
    effect: Effect::Asks,
    limit: Duration::from_mins(10),
    asked,
};

/// The fields that make a payload.
const LISTS: [&str; 5] = [
    "what_was_tried", "what_did_not_work", "forced_context_checked", "current_invariants",
    "handoff_artifacts",
];

fn schema() -> Value {
    let layers = FailureLayer::ALL.map(FailureLayer::name);
    object(json!({
        "payload": text("A ready <ESCALATION> payload; instead of the fields that would make one."),
        "task": text("The original task or contract, in its own words."),
        "task_scope": line("The task in a line [default: the first line of the task]."),
        "attempt": {
            "type": "integer", "minimum": 1, "maximum": 1000,
            "description": "The attempt that you do not make any more: 4 after three without progress. Below 4 it is refused.",
        },
        "suspected_failure_layer": {
            "type": "array", "items": { "type": "string", "enum": layers }, "maxItems": layers.len(),
            "description": format!("Where the failure may lie, above local logic: {}.", layers.join(", ")),
        },
        "what_was_tried": lines("The hypotheses that you tried, a line each."),
        "what_did_not_work": lines("What came of them, a line each."),
        "forced_context_checked": lines("What of the forced context or checklist you verified."),
        "current_invariants": lines("What still seems to be true."),
        "handoff_artifacts": lines("References: files, logs, commits. No transcripts."),
        "command": line("The smallest command that fails."),
        "error": text("What it printed."),
        "context": text("[FORCED_CONTEXT] and [CHECKLIST] blocks, if you were given some."),
        "snapshot": line("A revision with a clean source state."),
        "rescue_attempt": {
            "type": "integer", "minimum": 1, "maximum": 1000,
            "description": "How often this failure was escalated, this time included [default: 1]. From 4 on the answer is the human's.",
        },
        "run": line("The id of the `hansei run` that this belongs to, or `last`; what it wrote down counts unless other fields say otherwise."),
    }))
}

fn asked(arguments: &Value) -> Result<Asked, String> {
    let payload = match arguments["payload"].as_str() {
        Some(payload) => {
            let made_of: Vec<&str> = LISTS
                .into_iter()
                .chain(["attempt", "task_scope", "suspected_failure_layer"])
                .filter(|name| !arguments[name].is_null())
                .collect();
            if !made_of.is_empty() {
                return Err(format!("give either payload or its fields, not both ({})", made_of.join(", ")));
            }
            Some(payload.to_owned())
        }
        // A run has written its own.
        None if arguments["run"].is_string() && arguments["attempt"].is_null() => None,
        None => Some(written(arguments)?),
    };
    let mut asked = Asked::command(&["unblock", "--json"]);
    if let Some(payload) = payload {
        asked.reading("escalation", payload);
    }
    asked.reading_file("task", arguments["task"].as_str());
    asked.reading_file("error", arguments["error"].as_str());
    asked.reading_file("context", arguments["context"].as_str());
    for name in ["command", "snapshot", "run"] {
        asked.option_if(name, arguments[name].as_str());
    }
    asked.option_if("attempt", number(&arguments["rescue_attempt"]));
    Ok(asked)
}

/// A whole number. JSON knows only one kind of numbers, and some clients write 4 as `4.0`.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the schema bounds it, and it is whole"
)]
fn number(value: &Value) -> Option<u32> {
    value.as_f64().map(|number| number as u32)
}

/// The payload that the fields make.
fn written(arguments: &Value) -> Result<String, String> {
    let too_little = "give payload, or at least task and attempt, or the run that this belongs to";
    let attempt = number(&arguments["attempt"]).ok_or(too_little)?;
    let task = arguments["task"].as_str().ok_or(too_little)?;
    let first_line = task.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let scope = arguments["task_scope"].as_str().unwrap_or(first_line);
    let list = |name: &str| -> Vec<String> {
        let items = arguments[name].as_array().into_iter().flatten();
        items.filter_map(|item| item.as_str().map(ToOwned::to_owned)).collect()
    };
    let layers = list("suspected_failure_layer");
    let mut escalation = Escalation::of(Attempt::new(attempt), scope);
    escalation.suspected_failure_layer = FailureLayer::ALL
        .into_iter()
        .filter(|layer| layers.iter().any(|name| name == layer.name()))
        .collect();
    escalation.what_was_tried = list("what_was_tried");
    escalation.what_did_not_work = list("what_did_not_work");
    escalation.forced_context_checked = list("forced_context_checked");
    escalation.current_invariants = list("current_invariants");
    escalation.handoff_artifacts = list("handoff_artifacts");
    escalation.request = vec!["Name the failure layer and one way on that was not tried.".to_owned()];
    Ok(escalation.bounded().text())
}
