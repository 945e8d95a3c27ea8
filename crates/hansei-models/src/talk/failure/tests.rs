//! What errors of providers are taken for.

use reqwest::header::HeaderValue;
use serde_json::json;

use super::*;

fn shown(no_answer: &NoAnswer) -> String {
    match no_answer {
        NoAnswer::Outage { .. } => "outage".to_owned(),
        NoAnswer::UsageLimit { again_in: None, .. } => "limit".to_owned(),
        NoAnswer::UsageLimit { again_in: Some(seconds), .. } => format!("limit {seconds}"),
        NoAnswer::Refused { reason } if reason.contains("too long") => "too long".to_owned(),
        NoAnswer::Refused { .. } => "refused".to_owned(),
        NoAnswer::Interrupted => "interrupted".to_owned(),
    }
}

#[test]
fn errors_that_come_as_answers() {
    let error = |error: Value| json!({ "error": error }).to_string();
    for (status, body, expected) in [
        (400, error(json!({ "type": "invalid_request_error", "message": "no" })), "refused"),
        (
            400,
            error(json!({ "type": "invalid_request_error", "message": "prompt is too long: 9 > 8" })),
            "too long",
        ),
        (400, error(json!({ "code": "context_length_exceeded", "message": "no" })), "too long"),
        (
            400,
            error(json!({ "type": "invalid_request_error", "message": "Your credit balance is too low to" })),
            "limit",
        ),
        (401, error(json!({ "type": "authentication_error" })), "refused"),
        (402, String::new(), "limit"),
        (403, "<html>".to_owned(), "refused"),
        (404, "{}".to_owned(), "refused"),
        (408, String::new(), "outage"),
        (413, error(json!({ "code": "tokens_limit_reached" })), "too long"),
        (422, String::new(), "refused"),
        (429, "[]".to_owned(), "limit"),
        (429, error(json!({ "code": "insufficient_quota", "message": "no" })), "limit"),
        (
            429,
            error(json!({ "code": "rate_limit_exceeded", "message": "Please try again in 1m1.5s. See" })),
            "limit 62",
        ),
        (
            429,
            error(json!({ "code": "rate_limit_exceeded", "message": "Request too large for m" })),
            "too long",
        ),
        (
            429,
            error(
                json!({ "status": "RESOURCE_EXHAUSTED", "details": [{ "x": 1 }, { "retryDelay": "27s" }] }),
            ),
            "limit 27",
        ),
        (500, error(json!({ "message": "rate_limit" })), "outage"),
        (503, String::new(), "outage"),
        (529, error(json!({ "type": "overloaded_error" })), "outage"),
        (307, String::new(), "refused"),
    ] {
        let given = of_response(status, &body, &HeaderMap::new(), "host");
        assert_eq!(shown(&given), expected, "{status} {body}");
    }
}

#[test]
fn errors_in_the_middle_of_an_answer() {
    for (body, expected) in [
        (json!({ "type": "error", "error": { "type": "overloaded_error" } }), "outage"),
        (json!({ "type": "error", "error": { "type": "rate_limit_error" } }), "limit"),
        (json!({ "type": "error", "error": { "type": "invalid_request_error" } }), "refused"),
        (json!({ "type": "server_error", "message": "x" }), "outage"),
        (json!({ "error": { "code": "server_error" } }), "outage"),
        (json!({ "error": { "code": "rate_limit_exceeded", "message": "try again in 450ms" } }), "limit 1"),
        (json!({ "error": { "code": 503, "status": "UNAVAILABLE" } }), "outage"),
        (json!({ "error": { "code": 429 } }), "limit"),
        (json!({ "code": 400 }), "refused"),
        (json!({ "finishReason": null, "usageMetadata": null }), "refused"),
        (json!("words"), "outage"),
    ] {
        assert_eq!(shown(&of_event(&body, "host")), expected, "{body}");
    }
}

#[test]
fn headers_say_when_to_come_back() {
    let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
    for (name, value, expected) in [
        ("retry-after", "7", Some(7)),
        ("retry-after", "0", Some(0)),
        ("retry-after", "1.2", Some(2)),
        ("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
        ("retry-after", "Sun, 06 Nov 1994 08:40:37 GMT", Some(0)),
        ("retry-after", "soon", None),
        ("retry-after", "-3", None),
        ("retry-after", "1e300", None),
        ("retry-after-ms", "1500", Some(2)),
        ("x-other", "9", None),
    ] {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), HeaderValue::from_static(value))]);
        assert_eq!(waiting_time(&headers, now), expected, "{name}: {value}");
    }
    for (text, expected) in [
        ("27s", Some(27)),
        ("6m0s", Some(360)),
        ("1h", Some(3600)),
        ("", None),
        ("s", None),
        ("5", None),
        ("2d", None),
    ] {
        assert_eq!(duration(text), expected, "{text}");
    }
}
