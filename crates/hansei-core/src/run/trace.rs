//! A run as a trace in OTLP's JSON form, with the names that OpenTelemetry gives to calls of models and tools.
//!
//! What was said is not in it: names, times, tokens and results only.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use serde_json::{Value, json};

use super::event::{RunEvent, RunLine};
use crate::timestamp::Timestamp;

/// The spans of a run that are over; none where there is no start.
pub fn otlp(lines: &[RunLine]) -> Option<Value> {
    let first = lines.first()?;
    let RunEvent::RunStarted(started) = &first.event else { return None };
    let trace = Trace { run: &started.run };
    let (provider, model) = started.model.split_once('/').unwrap_or((&started.model, ""));
    let root = trace.span_id(0);
    let last = lines.last()?;
    let mut attributes = vec![
        text("gen_ai.operation.name", "invoke_agent"),
        text("gen_ai.agent.name", "hansei"),
        text("gen_ai.agent.id", &started.run),
        text("gen_ai.conversation.id", &started.run),
        text("gen_ai.provider.name", provider),
        text("gen_ai.request.model", model),
        text("hansei.mode", started.mode.name()),
    ];
    let mut is_wrong = false;
    if let RunEvent::RunEnded(ended) = &last.event {
        let ending = serde_json::to_value(ended.ending).unwrap_or_default();
        attributes.push(text("hansei.ending", ending.as_str().unwrap_or_default()));
        attributes.push(number("gen_ai.usage.input_tokens", ended.input_tokens));
        attributes.push(number("gen_ai.usage.output_tokens", ended.output_tokens));
        is_wrong = ending != "complete";
    }
    let whole = Span { name: "invoke_agent hansei".into(), from: first, to: last, attributes, is_wrong };
    let mut spans = vec![trace.span(&root, None, &whole)];
    for (at, line) in lines.iter().enumerate() {
        let Some(span) = inner(lines, at, provider, model) else { continue };
        spans.push(trace.span(&trace.span_id(line.seq), Some(&root), &span));
    }
    Some(json!({ "resourceSpans": [{
        "resource": { "attributes": [text("service.name", "hansei")] },
        "scopeSpans": [{ "scope": { "name": "hansei", "version": env!("CARGO_PKG_VERSION") }, "spans": spans }],
    }] }))
}

/// The span that begins with line `at`, where one does and has ended.
fn inner<'a>(lines: &'a [RunLine], at: usize, provider: &str, model: &str) -> Option<Span<'a>> {
    let from = &lines[at];
    let rest = &lines[at + 1..];
    let until = |is_end: &dyn Fn(&RunEvent) -> bool| rest.iter().find(|line| is_end(&line.event));
    match &from.event {
        RunEvent::ModelAsked { purpose } => {
            let to = until(&|event| {
                matches!(event, RunEvent::ModelAnswered { .. } | RunEvent::ModelUnavailable { .. })
            })?;
            let purpose = serde_json::to_value(purpose).unwrap_or_default();
            let mut attributes = vec![
                text("gen_ai.operation.name", "chat"),
                text("gen_ai.provider.name", provider),
                text("gen_ai.request.model", model),
                text("hansei.purpose", purpose.as_str().unwrap_or_default()),
            ];
            let is_wrong = if let RunEvent::ModelAnswered { turn, .. } = &to.event {
                attributes.push(number("gen_ai.usage.input_tokens", turn.spent.input_tokens));
                attributes.push(number("gen_ai.usage.output_tokens", turn.spent.output_tokens));
                let reason = if turn.calls.is_empty() { "stop" } else { "tool_calls" };
                attributes.push(json!({ "key": "gen_ai.response.finish_reasons",
                    "value": { "arrayValue": { "values": [{ "stringValue": reason }] } } }));
                false
            } else {
                attributes.push(text("error.type", "no_answer"));
                true
            };
            Some(Span { name: format!("chat {model}"), from, to, attributes, is_wrong })
        }
        RunEvent::ToolCalled { call, tool, .. } => {
            let to = until(&|event| match event {
                RunEvent::ToolReturned { call: other, .. } | RunEvent::OutcomeUnknown { call: other, .. } => {
                    other == call
                }
                _ => false,
            })?;
            let ok = matches!(&to.event, RunEvent::ToolReturned { ok: true, .. });
            let attributes = vec![
                text("gen_ai.operation.name", "execute_tool"),
                text("gen_ai.tool.name", tool),
                text("gen_ai.tool.call.id", call),
                text("gen_ai.tool.type", "function"),
            ];
            Some(Span { name: format!("execute_tool {tool}"), from, to, attributes, is_wrong: !ok })
        }
        RunEvent::ExpertStarted { expert, .. } => {
            let to = until(&|event| {
                matches!(event, RunEvent::ExpertDone { .. } | RunEvent::ExpertFailed { .. })
                    && event.expert() == Some(expert)
            })?;
            let attributes =
                vec![text("gen_ai.operation.name", "invoke_agent"), text("gen_ai.agent.name", expert)];
            let is_wrong = matches!(to.event, RunEvent::ExpertFailed { .. });
            Some(Span { name: format!("invoke_agent {expert}"), from, to, attributes, is_wrong })
        }
        RunEvent::VerifyStarted { .. } => {
            let to = until(&|event| matches!(event, RunEvent::Verified(_)))?;
            let RunEvent::Verified(seen) = &to.event else { return None };
            let gate = serde_json::to_value(seen.gate).unwrap_or_default();
            let attributes = vec![text("hansei.gate", gate.as_str().unwrap_or_default())];
            Some(Span { name: "verify".into(), from, to, attributes, is_wrong: gate == "red" })
        }
        RunEvent::UnblockStarted { .. } => {
            let to =
                until(&|event| matches!(event, RunEvent::Unblocked(_) | RunEvent::UnblockerSilent { .. }))?;
            let (kind, spent) = match &to.event {
                RunEvent::Unblocked(rescued) => (rescued.answer.kind().name(), &rescued.spent),
                RunEvent::UnblockerSilent { spent, .. } => ("no_answer", spent),
                _ => return None,
            };
            let attributes = vec![
                text("hansei.kind", kind),
                number("gen_ai.usage.input_tokens", spent.input_tokens),
                number("gen_ai.usage.output_tokens", spent.output_tokens),
            ];
            let is_wrong = !matches!(&to.event, RunEvent::Unblocked(rescued) if rescued.answer.is_way_on());
            Some(Span { name: "unblock".into(), from, to, attributes, is_wrong })
        }
        RunEvent::SpecReviewRequest { spec_review_id, .. } => {
            let to = until(&|event| matches!(event, RunEvent::SpecReviewReply { .. }))?;
            let RunEvent::SpecReviewReply { decision, .. } = &to.event else { return None };
            let decision = serde_json::to_value(decision).unwrap_or_default();
            let attributes = vec![
                text("hansei.spec_review_id", spec_review_id),
                text("hansei.decision", decision.as_str().unwrap_or_default()),
            ];
            Some(Span { name: "spec_review".into(), from, to, attributes, is_wrong: false })
        }
        _ => None,
    }
}

/// What a span is about.
struct Span<'a> {
    name: String,
    from: &'a RunLine,
    to: &'a RunLine,
    attributes: Vec<Value>,
    is_wrong: bool,
}

struct Trace<'a> {
    run: &'a str,
}

impl Trace<'_> {
    /// The same for the same line whenever it is asked: a trace that is sent twice is one trace.
    fn digest(&self, salt: &str, number: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.run, salt, number).hash(&mut hasher);
        hasher.finish()
    }

    fn span_id(&self, number: u64) -> String {
        format!("{:016x}", self.digest("span", number))
    }

    fn span(&self, id: &str, parent: Option<&str>, span: &Span<'_>) -> Value {
        let nanos = |time: &Timestamp| time.unix_nanos().unwrap_or_default().to_string();
        let mut value = json!({
            "traceId": format!("{:016x}{:016x}", self.digest("trace", 0), self.digest("trace", 1)),
            "spanId": id,
            "name": span.name,
            "kind": 1,
            "startTimeUnixNano": nanos(&span.from.time),
            "endTimeUnixNano": nanos(&span.to.time),
            "attributes": span.attributes,
            "status": { "code": if span.is_wrong { 2 } else { 1 } },
        });
        if let (Value::Object(map), Some(parent)) = (&mut value, parent) {
            map.insert("parentSpanId".to_owned(), parent.into());
        }
        value
    }
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

fn number(key: &str, value: u64) -> Value {
    // OTLP's JSON writes 64-bit numbers as text.
    json!({ "key": key, "value": { "intValue": value.to_string() } })
}
