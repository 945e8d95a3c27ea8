//! Each format as it goes over the wire: what is read from a request, and what is written.

use serde_json::{Map, Value, json};

mod anthropic;
mod chat;
mod gemini;
mod responses;

use super::{Asked, ErrorAnswer, Event, Format, Part, Stop, Turn, Usage};
use crate::tool::{Call, Input};

fn parts() -> Vec<Part> {
    let input = Map::from_iter([("command".to_owned(), json!("cat a.txt | head -n 1"))]);
    vec![
        Part::Thinking("Hm.".to_owned()),
        Part::Text("I will look at the file.".to_owned() + " Then I fix it."),
        Part::Call(Call { name: "Bash".to_owned(), namespace: None, input: Input::Object(input) }),
        Part::Text("Wait.".to_owned()),
        Part::Call(Call {
            name: "apply_patch".to_owned(),
            namespace: Some("files".to_owned()),
            input: Input::Text("*** Begin".to_owned()),
        }),
    ]
}

fn whole(format: Format) -> String {
    let parts = parts();
    let usage = Usage { input: 7, output: 3 };
    let turn = Turn { number: 12, model: "stub-model", parts: &parts, usage, stop: Stop::Done };
    serde_json::to_string_pretty(&format.whole(turn)).unwrap()
}

fn stream(format: Format) -> String {
    let parts = parts();
    let usage = Usage { input: 7, output: 3 };
    let turn = Turn { number: 12, model: "stub-model", parts: &parts, usage, stop: Stop::Done };
    format.events(turn).iter().map(Event::text).collect()
}

fn error(format: Format, status: u16) -> String {
    let error = format!("{{ status: {status}, message: no }}");
    let error: ErrorAnswer = serde_saphyr::from_str(&error).unwrap();
    format.error(&error).to_string()
}

/// Everything that was understood, on a few lines.
fn read(format: Format, body: &Value) -> String {
    let asked = format.read(body);
    let tools: Vec<String> = asked
        .tools
        .iter()
        .map(|tool| match &tool.takes {
            crate::request::Takes::Object(schema) => format!("{}{}", tool.name, schema["properties"]),
            crate::request::Takes::Text => format!("{}(text)", tool.name),
        })
        .collect();
    format!(
        "model {:?} stream {} turn {}\nsystem {:?}\nuser {:?}\nresults {:?}\ntools {}",
        asked.model,
        asked.stream,
        asked.turn,
        asked.system,
        asked.last_user,
        asked.tool_results,
        tools.join(" ")
    )
}

#[test]
fn requests_of_no_sense_are_read_as_empty() {
    for format in [Format::Anthropic, Format::Chat, Format::Responses, Format::Gemini] {
        for body in
            [json!(null), json!([]), json!({ "messages": 3, "input": {}, "contents": [1], "tools": [2] })]
        {
            assert_eq!(format.read(&body), Asked::default(), "{format:?} {body}");
        }
    }
}

#[test]
fn errors_have_the_providers_own_shape() {
    let all = |status| {
        [Format::Anthropic, Format::Chat, Format::Gemini].map(|format| error(format, status)).join("\n")
    };
    insta::assert_snapshot!(all(529), @r#"
    {"type":"error","error":{"type":"overloaded_error","message":"no"}}
    {"error":{"message":"no","type":"server_error","param":null,"code":null}}
    {"error":{"code":529,"message":"no","status":"UNAVAILABLE"}}
    "#);
    insta::assert_snapshot!(all(429), @r#"
    {"type":"error","error":{"type":"rate_limit_error","message":"no"}}
    {"error":{"message":"no","type":"requests","param":null,"code":"rate_limit_exceeded"}}
    {"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}}
    "#);
    insta::assert_snapshot!(all(401), @r#"
    {"type":"error","error":{"type":"authentication_error","message":"no"}}
    {"error":{"message":"no","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}
    {"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}
    "#);
    let error: ErrorAnswer =
        serde_saphyr::from_str("{ status: 400, kind: context_length_exceeded, body: { own: 1 } }").unwrap();
    assert_eq!(Format::Chat.error(&error), json!({ "own": 1 }));
    let error = ErrorAnswer { body: None, ..error };
    assert_eq!(Format::Responses.error(&error)["error"]["code"], "context_length_exceeded");
}
