//! The rules of ATIF v1.8 as the reference validator (harbor 0.25.0) enforces them, for where it is not installed.

use serde_json::Value;

const ROOT: &[&str] = &[
    "schema_version",
    "session_id",
    "trajectory_id",
    "agent",
    "steps",
    "notes",
    "final_metrics",
    "continued_trajectory_ref",
    "extra",
    "subagent_trajectories",
];
const AGENT: &[&str] = &["name", "version", "model_name", "tool_definitions", "extra"];
const STEP: &[&str] = &[
    "step_id", "timestamp", "source", "model_name", "reasoning_effort", "message", "reasoning_content",
    "tool_calls", "observation", "metrics", "is_copied_context", "llm_call_count", "extra",
];
const CALL: &[&str] = &["tool_call_id", "function_name", "arguments", "extra"];
const RESULT: &[&str] = &["source_call_id", "content", "subagent_trajectory_ref", "extra"];
const METRICS: &[&str] = &[
    "prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "prompt_token_ids",
    "completion_token_ids", "logprobs", "extra",
];
const FINAL_METRICS: &[&str] = &[
    "total_prompt_tokens",
    "total_completion_tokens",
    "total_cached_tokens",
    "total_cost_usd",
    "total_steps",
    "extra",
];
const OF_AGENTS_ONLY: &[&str] =
    &["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];

/// What is wrong with a trajectory.
pub fn problems(trajectory: &Value) -> Vec<String> {
    let mut found = Problems(Vec::new());
    found.keys(trajectory, ROOT, "trajectory");
    found.must(trajectory["schema_version"] == "ATIF-v1.8", "schema_version");
    found.must(trajectory["session_id"].is_string(), "session_id");
    found.keys(&trajectory["agent"], AGENT, "agent");
    found
        .must(trajectory["agent"]["name"].is_string() && trajectory["agent"]["version"].is_string(), "agent");
    found.keys(&trajectory["final_metrics"], FINAL_METRICS, "final_metrics");
    found.must(trajectory["extra"].is_object(), "extra");
    let steps = trajectory["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
    found.must(!steps.is_empty(), "steps");
    for (step, number) in steps.iter().zip(1..) {
        found.step(step, number);
    }
    found.0
}

struct Problems(Vec<String>);

impl Problems {
    fn must(&mut self, holds: bool, what: &str) {
        if !holds {
            self.0.push(what.to_owned());
        }
    }

    fn keys(&mut self, object: &Value, known: &[&str], what: &str) {
        match object.as_object() {
            None => self.0.push(format!("{what} is no object")),
            Some(fields) => {
                let unknown = fields.keys().filter(|key| !known.contains(&key.as_str()));
                self.0.extend(unknown.map(|key| format!("{what} has {key}")));
                // A field that is null is as good as absent there, but we write none.
                self.must(fields.values().all(|value| !value.is_null()), &format!("{what} has a null"));
            }
        }
    }

    fn step(&mut self, step: &Value, number: u64) {
        let what = format!("step {number}");
        self.keys(step, STEP, &what);
        self.must(step["step_id"] == number, &what);
        self.must(step["message"].is_string(), &format!("{what} message"));
        let source = step["source"].as_str().unwrap_or_default();
        self.must(["system", "user", "agent"].contains(&source), &format!("{what} source"));
        if source != "agent" {
            let agents = OF_AGENTS_ONLY.iter().all(|key| step.get(*key).is_none());
            self.must(agents, &format!("{what} has what only an agent's has"));
        }
        if let Some(at) = step.get("timestamp") {
            self.must(at.as_str().is_some_and(|at| at.ends_with('Z')), &format!("{what} timestamp"));
        }
        let calls = step["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
        for call in calls {
            self.keys(call, CALL, &format!("{what} call"));
            let typed = call["tool_call_id"].is_string()
                && call["function_name"].is_string()
                && call["arguments"].is_object();
            self.must(typed, &format!("{what} call"));
        }
        if let Some(observation) = step.get("observation") {
            self.keys(observation, &["results"], &format!("{what} observation"));
            for result in observation["results"].as_array().into_iter().flatten() {
                self.keys(result, RESULT, &format!("{what} result"));
                let refers = calls.iter().any(|call| call["tool_call_id"] == result["source_call_id"]);
                self.must(refers && result["content"].is_string(), &format!("{what} result"));
            }
        }
        if let Some(metrics) = step.get("metrics") {
            self.keys(metrics, METRICS, &format!("{what} metrics"));
        }
    }
}
