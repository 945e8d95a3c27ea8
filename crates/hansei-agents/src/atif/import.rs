//! A trajectory as events: our own export exactly, anybody else's as far as its steps tell.

use hansei_core::session::{Action, Circumstances, Feeder, HumanVia, SessionEvent, Usage, What};
use hansei_core::timestamp::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{NotATrajectory, OURS};
use crate::any_tool::{self, Calls};
use crate::lenient;
use crate::mended::mended;
use crate::transcript::{DEEPEST_SUB_AGENT, any_moment, by_sub_agent};

/// The events of a trajectory of any version from 1.0 to 1.8.
pub fn import(bytes: &[u8]) -> Result<Vec<SessionEvent>, NotATrajectory> {
    let read: Result<Trajectory, _> = serde_json::from_slice(bytes);
    let trajectory =
        read.or_else(|error| mended(bytes).map_or(Err(error), |bytes| serde_json::from_slice(&bytes)))?;
    let minor = trajectory.schema_version.strip_prefix("ATIF-v1.").and_then(|minor| minor.parse::<u8>().ok());
    if minor.is_none_or(|minor| minor > 8) {
        return Err(NotATrajectory::Version(trajectory.schema_version));
    }
    Ok(trajectory.own_events().unwrap_or_else(|| trajectory.told_events(DEEPEST_SUB_AGENT)))
}

#[derive(Deserialize)]
struct Trajectory {
    schema_version: String,
    #[serde(default, deserialize_with = "lenient::any")]
    agent: Agent,
    #[serde(deserialize_with = "lenient::due_list")]
    steps: Vec<Step>,
    #[serde(default, deserialize_with = "lenient::any")]
    extra: Option<Map<String, Value>>,
    #[serde(default, rename = "trajectory_id", deserialize_with = "lenient::name")]
    own_id: Option<String>,
    #[serde(default, deserialize_with = "lenient::name")]
    session_id: Option<String>,
    #[serde(default)]
    subagent_trajectories: Option<Vec<Trajectory>>,
}

#[derive(Deserialize, Default)]
struct Agent {
    #[serde(default, deserialize_with = "lenient::any")]
    version: Option<String>,
    #[serde(default, deserialize_with = "lenient::any")]
    model_name: Option<String>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(default, deserialize_with = "lenient::any")]
    timestamp: Option<String>,
    source: String,
    #[serde(default, deserialize_with = "lenient::any")]
    model_name: Option<String>,
    #[serde(default)]
    message: Value,
    #[serde(default, deserialize_with = "lenient::any")]
    reasoning_content: Option<String>,
    #[serde(default, deserialize_with = "lenient::any")]
    tool_calls: Option<Vec<ToolCall>>,
    #[serde(default, deserialize_with = "lenient::any")]
    observation: Option<Observation>,
    #[serde(default, deserialize_with = "lenient::any")]
    metrics: Option<Metrics>,
    #[serde(default, deserialize_with = "lenient::any")]
    is_copied_context: Option<bool>,
    #[serde(default, deserialize_with = "lenient::any")]
    extra: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct ToolCall {
    #[serde(rename = "tool_call_id")]
    id: String,
    #[serde(rename = "function_name")]
    function: String,
    #[serde(default)]
    arguments: Value,
}

#[derive(Deserialize)]
struct Observation {
    #[serde(default, deserialize_with = "lenient::list")]
    results: Vec<ToolResult>,
}

#[derive(Deserialize)]
struct ToolResult {
    #[serde(default, deserialize_with = "lenient::name")]
    source_call_id: Option<String>,
    #[serde(default, deserialize_with = "lenient::any")]
    content: Value,
    #[serde(default, deserialize_with = "lenient::any")]
    subagent_trajectory_ref: Option<Value>,
    #[serde(default, deserialize_with = "lenient::any")]
    extra: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct Metrics {
    #[serde(default, deserialize_with = "lenient::any")]
    prompt_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient::any")]
    completion_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient::any")]
    cost_usd: Option<f64>,
}

/// What we left in `extra`.
fn residues(extra: Option<&Map<String, Value>>) -> Option<&Vec<Value>> {
    extra?.get(OURS)?.get("events")?.as_array()
}

impl Trajectory {
    /// The events of our own export. None if a part of it is missing or does not fit: then the steps must tell.
    fn own_events(&self) -> Option<Vec<SessionEvent>> {
        let mut events = Vec::new();
        for residue in residues(self.extra.as_ref())? {
            events.push(numbered(residue.as_object()?.clone())?);
        }
        for step in &self.steps {
            for residue in residues(step.extra.as_ref())? {
                events.push(numbered(step.restored(residue.as_object()?)?)?);
            }
        }
        events.sort_by_key(|(number, _)| *number);
        Some(events.into_iter().map(|(_, event)| event).collect())
    }

    /// The events that the steps tell of.
    /// With those of its sub-agents, so deep.
    fn told_events(&self, deep: u8) -> Vec<SessionEvent> {
        let sub_agents = self.subagent_trajectories.iter().flatten().filter(|_| deep > 0);
        let mut teller = Teller {
            sub_agents: sub_agents.map(|sub| (sub, sub.told_events(deep - 1))).collect(),
            events: Vec::new(),
            circumstances: Circumstances::default(),
            calls: Calls::default(),
        };
        let place = |key: &str| self.extra.as_ref()?.get(key)?.as_str().map(ToOwned::to_owned);
        let start = Circumstances {
            version: self.agent.version.clone(),
            model: self.agent.model_name.clone(),
            cwd: place("cwd").or_else(|| place("working_directory")),
            ..Circumstances::default()
        };
        let first = self.steps.first().and_then(Step::at);
        teller.started(first.as_ref(), start);
        for step in self.steps.iter().filter(|step| step.is_copied_context != Some(true)) {
            teller.step(step);
        }
        teller.events
    }
}

fn numbered(mut fields: Map<String, Value>) -> Option<(u64, SessionEvent)> {
    let number = fields.shift_remove("seq")?.as_u64()?;
    Some((number, serde_json::from_value(Value::Object(fields)).ok()?))
}

impl Step {
    fn at(&self) -> Option<Timestamp> {
        any_moment(self.timestamp.as_deref()?)
    }

    /// A residue with what this step says of its event.
    fn restored(&self, residue: &Map<String, Value>) -> Option<Map<String, Value>> {
        let mut event = residue.clone();
        match event.get("at") {
            None => {
                if let Some(at) = &self.timestamp {
                    event.insert("at".into(), at.clone().into());
                }
            }
            Some(Value::Null) => {
                event.shift_remove("at");
            }
            Some(_) => {}
        }
        for key in ["text", "error", "summary"] {
            if let Some(text) = event.get_mut(key) {
                let thought = residue.get("kind")? == "thought";
                *text = if thought { self.reasoning_content.clone()?.into() } else { self.message.clone() };
            }
        }
        match residue.get("kind")?.as_str()? {
            "called" => {
                let call = self.tool_calls.as_ref()?.get(place(residue)?)?;
                let wrapped = residue.get("input")? == "wrapped";
                let input = if wrapped { call.arguments.get("input")? } else { &call.arguments };
                event.insert("call".into(), call.id.clone().into());
                event.insert("tool".into(), call.function.clone().into());
                event.insert("input".into(), input.clone());
            }
            "answered" => {
                let result = self.observation.as_ref()?.results.get(place(residue)?)?;
                event.insert("call".into(), result.source_call_id.clone()?.into());
                event.insert("output".into(), result.content.clone());
                if let Some(code) = result.extra.as_ref().and_then(|extra| extra.get("exit_code")) {
                    event.insert("exit_code".into(), code.clone());
                }
            }
            "used" => {
                let metrics = self.metrics.as_ref()?;
                event.insert("input_tokens".into(), metrics.prompt_tokens?.into());
                event.insert("output_tokens".into(), metrics.completion_tokens?.into());
                if let Some(cost) = metrics.cost_usd {
                    event.insert("cost_usd".into(), cost.into());
                }
            }
            _ => {}
        }
        Some(event)
    }
}

fn place(residue: &Map<String, Value>) -> Option<usize> {
    usize::try_from(residue.get("call")?.as_u64()?).ok()
}

struct Teller<'t> {
    /// The trajectories of sub-agents that were not told yet.
    sub_agents: Vec<(&'t Trajectory, Vec<SessionEvent>)>,
    events: Vec<SessionEvent>,
    circumstances: Circumstances,
    calls: Calls,
}

impl Teller<'_> {
    fn emit(&mut self, at: Option<&Timestamp>, what: What) {
        self.events.push(SessionEvent { at: at.cloned(), id: None, what });
    }

    fn started(&mut self, at: Option<&Timestamp>, now: Circumstances) {
        if now != self.circumstances {
            self.circumstances = now.clone();
            self.emit(at, What::Started(now));
        }
    }

    fn step(&mut self, step: &Step) {
        let at = step.at();
        let at = at.as_ref();
        let text = text_of(&step.message);
        match &*step.source {
            "user" => self.emit(at, What::HumanSaid { text, via: HumanVia::Prompt }),
            "agent" | "assistant" => self.agent(at, step, text),
            _ => self.emit(at, What::Fed { text, by: Feeder::Agent }),
        }
        for result in step.observation.iter().flat_map(|observation| &observation.results) {
            self.result(at, step, result);
        }
        if let Some(metrics) = &step.metrics {
            let usage = Usage {
                input_tokens: metrics.prompt_tokens.unwrap_or_default(),
                output_tokens: metrics.completion_tokens.unwrap_or_default(),
                cost_usd: metrics.cost_usd,
            };
            self.emit(at, What::Used(usage));
        }
    }

    fn agent(&mut self, at: Option<&Timestamp>, step: &Step, text: String) {
        let mut now = self.circumstances.clone();
        now.model = step.model_name.clone().or(now.model);
        self.started(at, now);
        if let Some(text) = step.reasoning_content.clone().filter(|text| !text.is_empty()) {
            self.emit(at, What::Thought { text });
        }
        if !text.is_empty() {
            self.emit(at, What::Said { text });
        }
        for call in step.tool_calls.iter().flatten() {
            let ToolCall { id, function, arguments } = call;
            let results = step.observation.iter().flat_map(|observation| &observation.results);
            let mut results = results.filter(|result| result.source_call_id.as_ref() == Some(id));
            let refers = results.any(|result| result.subagent_trajectory_ref.is_some());
            let handed_over = (refers && any_tool::action(function, arguments) == Action::Other).then(|| {
                let told = ["prompt", "task", "message"].iter().find_map(|key| arguments[key].as_str());
                told.unwrap_or_default().to_owned()
            });
            let told = match handed_over {
                Some(request) => {
                    let action = Action::Delegate { request };
                    self.calls.noted(id, function.clone(), arguments.clone(), action)
                }
                None => self.calls.called(id, function.clone(), lenient::arguments(arguments)),
            };
            for what in told {
                self.emit(at, what);
            }
        }
    }

    /// What the sub-agent did that a call started: the one that its result names, or the next one.
    fn sub_agent(&mut self, call: &str, result: &ToolResult) {
        let named = result.subagent_trajectory_ref.as_ref();
        let is_named = |sub: &Trajectory| {
            let ids = [("trajectory_id", &sub.own_id), ("session_id", &sub.session_id)];
            let is_it = |named: &Value| {
                ids.iter().any(|(key, id)| id.is_some() && named[*key].as_str() == id.as_deref())
            };
            named.is_some_and(|named| {
                named.as_array().map_or_else(|| is_it(named), |list| list.iter().any(is_it))
            })
        };
        let place = self.sub_agents.iter().position(|(sub, _)| is_named(sub));
        let next = (named.is_some() || self.calls.delegates(call)) && !self.sub_agents.is_empty();
        if let Some(place) = place.or_else(|| next.then_some(0)) {
            let (_, told) = self.sub_agents.remove(place);
            self.events.extend(told.into_iter().filter_map(|event| by_sub_agent(call, event)));
        }
    }

    fn result(&mut self, at: Option<&Timestamp>, step: &Step, result: &ToolResult) {
        let output = text_of(&result.content);
        let calls = step.tool_calls.as_deref().unwrap_or_default();
        // Older trajectories leave the id out where only one call can be meant.
        let only = if let [call] = calls { Some(&call.id) } else { None };
        let Some(call) = result.source_call_id.as_ref().or(only) else {
            if !output.is_empty() {
                self.emit(at, What::Fed { text: output, by: Feeder::Agent });
            }
            return;
        };
        self.sub_agent(call, result);
        let extra = |key: &str| result.extra.as_ref().and_then(|extra| extra.get(key));
        let said = ["exit_code", "returncode"].iter().find_map(|key| lenient::whole(extra(key)?));
        let is_error = extra("is_error").and_then(Value::as_bool).unwrap_or_default();
        let told = self.calls.answered(call, output, said, is_error);
        for what in told {
            self.emit(at, what);
        }
    }
}

/// The text of a message, which may be a list of parts. A picture or a sound is named.
fn text_of(content: &Value) -> String {
    let part = |part: &Value| {
        let named = || Some(format!("[{}: {}]", part["type"].as_str()?, part["source"]["path"].as_str()?));
        part["text"].as_str().map(ToOwned::to_owned).or_else(named)
    };
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(part).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}
