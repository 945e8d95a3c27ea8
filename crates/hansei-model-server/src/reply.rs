//! From a request to the reply that goes back, without a socket.

use serde_json::{Value, json};

use crate::answer::{self, Answer, ErrorsGiven, Part, Spoken};
use crate::request::Asked;
use crate::route::{Manner, Route};
use crate::script::{Break, Ends, ErrorAnswer, Script};
use crate::wire::{Format, Turn};

/// What goes back.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The kind of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
    /// Whether the connection fails after the body, which then is only a part of it.
    pub breaks: Option<Break>,
    /// The `retry-after` header, in seconds.
    pub retry_after: Option<u64>,
    /// How long to wait before answering.
    pub delay_ms: u64,
    /// How many turns the assistant has had, where a conversation was sent.
    pub turn: Option<usize>,
    /// What was answered, in the words of the script, for the record.
    pub answered_with: Value,
}

const JSON: &str = "application/json";

impl Reply {
    fn json(status: u16, body: &Value, by: &str) -> Self {
        Self {
            status,
            content_type: JSON,
            body: body.to_string(),
            breaks: None,
            retry_after: None,
            delay_ms: 0,
            turn: None,
            answered_with: json!({ "by": by, "status": status }),
        }
    }

    fn error(format: Format, error: &ErrorAnswer, by: &str) -> Self {
        let mut reply = Self::json(error.status, &format.error(error), by);
        reply.retry_after = error.retry_after;
        reply.answered_with["message"] = json!(error.message);
        reply
    }

    /// The request or the script is wrong. Agents do not retry this status, so the mistake shows at once.
    fn refusal(format: Format, message: String, by: &str) -> Self {
        let (kind, body, retry_after, times) = (None, None, None, None);
        let error = ErrorAnswer { status: 400, message, kind, body, retry_after, times };
        Self::error(format, &error, by)
    }
}

/// Replies to the request of this `number`.
pub fn reply_to(script: &Script, given: &mut ErrorsGiven, number: u32, route: Route, body: &str) -> Reply {
    let model = script.model.as_deref().unwrap_or("scripted");
    let (format, manner) = match route {
        Route::Health => return Reply::json(200, &json!({ "status": "ok" }), "health"),
        Route::Unknown => {
            let error = json!({ "error": { "message": "the scripted model has nothing here" } });
            return Reply::json(404, &error, "nothing");
        }
        Route::Models(format) => return Reply::json(200, &models(format, model), "models"),
        Route::CountTokens(format) => (format, None),
        Route::Answer(format, manner) => (format, Some(manner)),
    };
    let asked: Asked = match serde_json::from_str::<Value>(body) {
        Ok(body) => format.read(&body),
        Err(error) => return Reply::refusal(format, format!("the request is not JSON: {error}"), "refusal"),
    };
    let turn = Some(asked.turn);
    let answer = match answer::decide(script, &asked, body, given) {
        Ok(answer) => answer,
        Err(error) => return Reply { turn, ..Reply::refusal(format, error.to_string(), "refusal") },
    };
    match manner {
        Some(manner) => {
            given.count(&answer);
            let reply = speak(script, number, format, manner, &asked, &answer);
            Reply { turn, delay_ms: answer.delay_ms, ..reply }
        }
        None => Reply { turn, ..count(format, &answer) },
    }
}

fn speak(
    script: &Script,
    number: u32,
    format: Format,
    manner: Manner,
    asked: &Asked,
    answer: &Answer,
) -> Reply {
    let by = answer.source.to_string();
    let (parts, usage, Ends { stop, breaks }) = match &answer.spoken {
        Spoken::Error(error) => return Reply::error(format, error, &by),
        Spoken::Turn { parts, usage, ends } => (parts, *usage, *ends),
    };
    let sent = match breaks {
        Some(Break::Cut(events) | Break::Stall(events)) => events,
        None => usize::MAX,
    };
    let (asked_model, manner) = match manner {
        Manner::AsTheBodySays if asked.stream => (asked.model.clone(), Shape::Events),
        Manner::AsTheBodySays => (asked.model.clone(), Shape::Whole),
        Manner::Whole(model) => (model, Shape::Whole),
        Manner::Events(model) => (model, Shape::Events),
        Manner::List(model) => (model, Shape::List),
    };
    let turn = Turn { number, model: script.model.as_deref().unwrap_or(&asked_model), parts, usage, stop };
    let (content_type, body) = match manner {
        Shape::Whole | Shape::List if breaks.is_some() => (JSON, String::new()),
        Shape::Whole => (JSON, format.whole(turn).to_string()),
        Shape::Events => {
            let events = format.events(turn);
            ("text/event-stream", events.iter().take(sent).map(crate::wire::Event::text).collect())
        }
        Shape::List => {
            let events: Vec<String> = format.events(turn).into_iter().map(|event| event.data).collect();
            (JSON, format!("[{}]", events.join(",\n")))
        }
    };
    let mut reply = Reply::json(200, &Value::Null, &by);
    (reply.content_type, reply.body, reply.breaks) = (content_type, body, breaks);
    describe(parts, &mut reply.answered_with);
    reply
}

enum Shape {
    Whole,
    Events,
    List,
}

/// What was said, for the record.
fn describe(parts: &[Part], answered_with: &mut Value) {
    let mut texts = Vec::new();
    let mut tools = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) => texts.push(text.as_str()),
            Part::Call(call) => tools.push(json!({ "name": call.name, "input": call.input.object() })),
            Part::Thinking(_) => {}
        }
    }
    answered_with["text"] = json!(texts.join("\n"));
    answered_with["tools"] = json!(tools);
}

/// As many tokens as the answer to the same request would claim.
fn count(format: Format, answer: &Answer) -> Reply {
    let tokens = match &answer.spoken {
        Spoken::Turn { usage, .. } => usage.input,
        Spoken::Error(_) => 0,
    };
    let body = match format {
        Format::Gemini => json!({ "totalTokens": tokens }),
        _ => json!({ "input_tokens": tokens }),
    };
    Reply::json(200, &body, "count")
}

/// One list that both OpenAI's and Anthropic's clients understand, and Gemini's own.
fn models(format: Format, model: &str) -> Value {
    if format == Format::Gemini {
        let name = format!("models/{model}");
        let verbs = ["generateContent", "streamGenerateContent", "countTokens"];
        return json!({ "models": [{ "name": name, "displayName": model, "supportedGenerationMethods": verbs }] });
    }
    json!({
        "object": "list",
        "data": [{
            "id": model,
            "object": "model",
            "type": "model",
            "display_name": model,
            "created": 0,
            "created_at": "1970-01-01T00:00:00Z",
            "owned_by": "hansei",
        }],
        "has_more": false,
        "first_id": model,
        "last_id": model,
    })
}
