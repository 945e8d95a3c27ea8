//! Events as a trajectory.
//!
//! A step is one utterance: of the human, of the machinery around the agent, or of the agent with its tool calls and
//! their results. Each event leaves a residue in its step's `extra`, the event without the texts that stand elsewhere
//! in the step, with its number in the session.

use std::collections::BTreeMap;

use hansei_core::session::{Circumstances, SessionEvent, Usage, What};
use serde_json::{Map, Value, json};

use super::{OURS, VERSION, Whose};

/// The trajectory of a session.
pub fn export(events: &[SessionEvent], whose: Whose<'_>) -> Value {
    let mut trajectory = Trajectory::default();
    for (number, event) in events.iter().enumerate() {
        trajectory.take(number, event);
    }
    trajectory.into_value(whose)
}

#[derive(Default)]
struct Trajectory {
    steps: Vec<Step>,
    /// The step of each call, by the call's id.
    calls: BTreeMap<String, usize>,
    /// The step that the agent's next event may join.
    open: Option<usize>,
    /// Events that say nothing to anybody: where the session runs, and the like.
    silent: Vec<Value>,
    circumstances: Circumstances,
    usage: Usage,
}

#[derive(Default)]
struct Step {
    source: &'static str,
    at: Option<Value>,
    message: Option<String>,
    reasoning: Option<String>,
    calls: Vec<Value>,
    results: Vec<Value>,
    metrics: Option<Value>,
    residues: Vec<Value>,
}

impl Trajectory {
    fn take(&mut self, number: usize, event: &SessionEvent) {
        let residue = residue(number, event);
        match &event.what {
            What::HumanSaid { text, .. } => self.utter("user", text, event, residue),
            What::Fed { text, .. } => self.utter("system", text, event, residue),
            What::Failed { error } => self.utter("system", error, event, residue),
            What::Compacted { summary } => {
                self.utter("system", summary.as_deref().unwrap_or_default(), event, residue);
            }
            What::Thought { text } => {
                let fits =
                    |step: &Step| step.reasoning.is_none() && step.message.is_none() && step.calls.is_empty();
                let step = self.agent_step(fits);
                step.reasoning = Some(text.clone());
                step.leave(residue, event);
            }
            What::Said { text } => {
                let step = self.agent_step(|step| step.message.is_none() && step.calls.is_empty());
                step.message = Some(text.clone());
                step.leave(residue, event);
            }
            What::Called { call, tool, input, .. } => self.call(call, tool, input, event, residue),
            What::Answered { call, output, exit_code, .. } => {
                self.answer(call, output, *exit_code, event, residue);
            }
            What::Used(usage) => self.spend(usage, event, residue),
            What::Started(circumstances) => {
                let known = &mut self.circumstances;
                known.version = circumstances.version.clone().or(known.version.take());
                known.model = circumstances.model.clone().or(known.model.take());
                self.silent.push(residue);
            }
            What::BySubAgent { .. }
            | What::Permission { .. }
            | What::Aborted
            | What::Stopped
            | What::Ended { .. } => {
                self.silent.push(residue);
            }
        }
    }

    fn utter(&mut self, source: &'static str, text: &str, event: &SessionEvent, residue: Value) {
        let mut step = Step { source, message: Some(text.to_owned()), ..Step::default() };
        step.leave(residue, event);
        self.open = None;
        self.steps.push(step);
    }

    /// The agent's step that is open, if `fits`, or a new one.
    fn agent_step(&mut self, fits: impl Fn(&Step) -> bool) -> &mut Step {
        let open = self.open.filter(|place| fits(&self.steps[*place]));
        let place = open.unwrap_or_else(|| {
            self.steps.push(Step { source: "agent", ..Step::default() });
            self.steps.len() - 1
        });
        self.open = Some(place);
        &mut self.steps[place]
    }

    fn call(&mut self, call: &str, tool: &str, input: &Value, event: &SessionEvent, mut residue: Value) {
        let step = self.agent_step(|step| step.results.is_empty() && step.metrics.is_none());
        let place = step.calls.len();
        // Arguments are an object; the input of some tools is a text.
        let arguments = if input.is_object() { input.clone() } else { json!({ "input": input }) };
        step.calls.push(json!({ "tool_call_id": call, "function_name": tool, "arguments": arguments }));
        residue["input"] = if input.is_object() { Value::Null } else { json!("wrapped") };
        residue["call"] = json!(place);
        remove(&mut residue, "tool");
        step.leave(residue, event);
        if let Some(open) = self.open {
            self.calls.insert(call.to_owned(), open);
        }
    }

    fn answer(
        &mut self,
        call: &str,
        output: &str,
        code: Option<i32>,
        event: &SessionEvent,
        mut residue: Value,
    ) {
        // An answer belongs to the step of its call. One to a call that nobody made has no place.
        let Some(place) = self.calls.get(call) else {
            self.silent.push(residue);
            return;
        };
        let step = &mut self.steps[*place];
        let mut result = json!({ "source_call_id": call, "content": output });
        if let Some(code) = code {
            result["extra"] = json!({ "exit_code": code });
        }
        residue["call"] = json!(step.results.len());
        remove(&mut residue, "output");
        remove(&mut residue, "exit_code");
        step.results.push(result);
        step.leave(residue, event);
    }

    fn spend(&mut self, usage: &Usage, event: &SessionEvent, residue: Value) {
        self.usage.add(usage);
        let step = self.steps.iter_mut().rev().find(|step| step.source == "agent");
        let Some(step) = step.filter(|step| step.metrics.is_none()) else {
            self.silent.push(residue);
            return;
        };
        let mut metrics = json!({
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
        });
        if let Some(cost) = usage.cost_usd {
            metrics["cost_usd"] = json!(cost);
        }
        step.metrics = Some(metrics);
        let mut residue = residue;
        for key in ["input_tokens", "output_tokens", "cost_usd"] {
            remove(&mut residue, key);
        }
        step.leave(residue, event);
    }

    fn into_value(mut self, whose: Whose<'_>) -> Value {
        if self.steps.is_empty() {
            // There must be one.
            self.steps.push(Step { source: "system", ..Step::default() });
        }
        let mut agent = json!({
            "name": whose.agent,
            "version": self.circumstances.version.as_deref().unwrap_or("unknown"),
        });
        if let Some(model) = &self.circumstances.model {
            agent["model_name"] = json!(model);
        }
        let mut metrics = json!({
            "total_prompt_tokens": self.usage.input_tokens,
            "total_completion_tokens": self.usage.output_tokens,
            "total_steps": self.steps.len(),
        });
        if let Some(cost) = self.usage.cost_usd {
            metrics["total_cost_usd"] = json!(cost);
        }
        let steps: Vec<Value> =
            self.steps.into_iter().zip(1..).map(|(step, id)| step.into_value(id)).collect();
        let mut extra = Map::new();
        extra.insert(OURS.into(), json!({ "events": self.silent }));
        json!({
            "schema_version": VERSION,
            "session_id": whose.session,
            "agent": agent,
            "steps": steps,
            "final_metrics": metrics,
            "extra": extra,
        })
    }
}

impl Step {
    /// Takes an event's residue. Its time is left out when it is the step's own.
    fn leave(&mut self, mut residue: Value, event: &SessionEvent) {
        let at = event.at.as_ref().map(|at| json!(at));
        if self.residues.is_empty() {
            self.at.clone_from(&at);
        }
        if at == self.at {
            remove(&mut residue, "at");
        } else {
            residue["at"] = at.unwrap_or_default();
        }
        self.residues.push(residue);
    }

    fn into_value(self, id: u64) -> Value {
        let mut extra = Map::new();
        extra.insert(OURS.into(), json!({ "events": self.residues }));
        let mut step = json!({ "step_id": id, "source": self.source });
        if let Some(at) = self.at {
            step["timestamp"] = at;
        }
        step["message"] = json!(self.message.unwrap_or_default());
        if let Some(reasoning) = self.reasoning {
            step["reasoning_content"] = json!(reasoning);
        }
        if !self.calls.is_empty() {
            step["tool_calls"] = json!(self.calls);
        }
        if !self.results.is_empty() {
            step["observation"] = json!({ "results": self.results });
        }
        if let Some(metrics) = self.metrics {
            step["metrics"] = metrics;
        }
        step["extra"] = json!(extra);
        step
    }
}

/// The event with its number, from which what the step says elsewhere is then taken out.
fn residue(number: usize, event: &SessionEvent) -> Value {
    let mut residue = serde_json::to_value(event).unwrap_or_default();
    residue["seq"] = json!(number);
    for key in ["text", "error", "summary"] {
        // Where it was stays marked: an absent summary is not an empty one.
        if residue.get(key).is_some() {
            residue[key] = Value::Null;
        }
    }
    residue
}

fn remove(residue: &mut Value, key: &str) {
    if let Some(fields) = residue.as_object_mut() {
        fields.shift_remove(key);
    }
}
