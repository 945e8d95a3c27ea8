//! Why there is no answer, in words of our own: those of servers and of the library hold requests, answers and keys.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use genai::webc::StreamTimeout;
use hansei_core::run::conversation::NoAnswer;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::Unavailable;

/// What came over the wire, as far as it explains a failure.
#[derive(Debug, Clone, Default)]
pub(super) struct Frames(Arc<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// How many events carried anything.
    count: AtomicU32,
    /// The event with which Responses says that it failed: the library keeps only its message.
    failed: Mutex<Option<Value>>,
}

impl Frames {
    /// What the library shows every event to.
    pub(super) fn sink(&self) -> Arc<dyn ChatFrameSink> {
        Arc::clone(&self.0) as Arc<dyn ChatFrameSink>
    }

    fn count(&self) -> u32 {
        self.0.count.load(Ordering::Relaxed)
    }

    fn failed(&self) -> Option<Value> {
        self.0.failed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl ChatFrameSink for Seen {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        if frame.data.is_empty() {
            return;
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        if frame.event == Some("response.failed") {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = frame.json();
        }
    }
}

impl From<Unavailable> for NoAnswer {
    fn from(unavailable: Unavailable) -> Self {
        let reason = unavailable.to_string();
        match unavailable {
            Unavailable::TimedOut { .. } | Unavailable::Unreachable { .. } => Self::Outage { reason },
            Unavailable::Status { status, again_in, .. } => of_status(status, reason, again_in),
            Unavailable::Interrupted => Self::Interrupted,
            Unavailable::NotAnAnswer { .. }
            | Unavailable::Empty
            | Unavailable::Budget(_)
            | Unavailable::Key(_)
            | Unavailable::Settings(_) => Self::Refused { reason },
        }
    }
}

/// The stream ended before the answer did.
pub(super) fn cut(host: &str, frames: &Frames) -> NoAnswer {
    if frames.count() == 0 {
        return Unavailable::NotAnAnswer { host: host.to_owned() }.into();
    }
    NoAnswer::Outage { reason: format!("{host} ended its answer in the middle") }
}

/// What an error of the library is.
pub(super) fn no_answer(error: genai::Error, host: &str, frames: &Frames, silence: Duration) -> NoAnswer {
    let no_answer_at_all = || NoAnswer::from(Unavailable::NotAnAnswer { host: host.to_owned() });
    match error {
        genai::Error::HttpError { status, body, headers, .. } => {
            of_response(status.as_u16(), &body, &headers, host)
        }
        genai::Error::WebStream { error, .. } => match error.downcast::<genai::Error>() {
            Ok(inner) => no_answer(*inner, host, frames, silence),
            Err(other) => of_transport(&*other, host, frames, silence),
        },
        genai::Error::WebModelCall { webc_error: genai::webc::Error::Reqwest(error), .. } => {
            of_transport(&error, host, frames, silence)
        }
        genai::Error::ChatResponse { body, .. } => of_event(&body, host),
        genai::Error::StreamParse { serde_error, .. } => match frames.failed() {
            Some(event) => of_event(&event["response"], host),
            // The last event is cut where the connection was.
            None if serde_error.is_eof() || frames.count() > 1 => cut(host, frames),
            None => no_answer_at_all(),
        },
        _ if frames.count() > 1 => cut(host, frames),
        _ => no_answer_at_all(),
    }
}

fn of_transport(
    error: &(dyn std::error::Error + 'static),
    host: &str,
    frames: &Frames,
    silence: Duration,
) -> NoAnswer {
    if error.is::<StreamTimeout>() {
        let seconds = silence.as_secs();
        return NoAnswer::Outage { reason: format!("{host} showed no sign of life for {seconds} s") };
    }
    match error.downcast_ref::<reqwest::Error>() {
        Some(error) if error.is_builder() => Unavailable::NotAnAnswer { host: host.to_owned() }.into(),
        Some(error) if error.is_connect() => Unavailable::Unreachable { host: host.to_owned() }.into(),
        Some(_) => NoAnswer::Outage { reason: format!("the connection to {host} broke") },
        // What is left is no text at all.
        None => cut(host, frames),
    }
}

/// In how many seconds a provider that answered with an error may be asked again, where it says so.
pub(crate) fn again_in(error: &genai::Error) -> Option<u64> {
    use genai::webc::Error::ResponseFailedStatus;
    let body = match error {
        genai::Error::WebModelCall { webc_error: ResponseFailedStatus { body, .. }, .. }
        | genai::Error::WebAdapterCall { webc_error: ResponseFailedStatus { body, .. }, .. } => body,
        _ => "",
    };
    let told = || told_waiting_time(&serde_json::from_str(body).unwrap_or_default());
    error.headers().and_then(|headers| waiting_time(headers, SystemTime::now())).or_else(told)
}

/// An error that came as an answer.
fn of_response(status: u16, body: &str, headers: &HeaderMap, host: &str) -> NoAnswer {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let again_in = waiting_time(headers, SystemTime::now()).or_else(|| told_waiting_time(&body));
    let reason = Unavailable::Status { host: host.to_owned(), status, again_in }.to_string();
    match Sort::of(&body) {
        Some(Sort::TooLong) if (400..500).contains(&status) => too_long(),
        Some(Sort::Limit) if (400..500).contains(&status) => NoAnswer::UsageLimit { reason, again_in },
        _ => of_status(status, reason, again_in),
    }
}

fn of_status(status: u16, reason: String, again_in: Option<u64>) -> NoAnswer {
    match status {
        402 | 429 => NoAnswer::UsageLimit { reason, again_in },
        408 | 409 | 425 | 500.. => NoAnswer::Outage { reason },
        _ => NoAnswer::Refused { reason },
    }
}

/// An error that came instead of the rest of an answer.
fn of_event(body: &Value, host: &str) -> NoAnswer {
    let reason = format!("{host} broke its answer off with an error");
    match Sort::of(body) {
        Some(Sort::TooLong) => too_long(),
        Some(Sort::Limit) => NoAnswer::UsageLimit { reason, again_in: told_waiting_time(body) },
        Some(Sort::Wrong) => NoAnswer::Refused { reason },
        None => {
            let status = body["error"]["code"].as_u64().or(body["code"].as_u64());
            match status.and_then(|status| u16::try_from(status).ok()) {
                Some(status @ 400..) => of_status(status, reason, told_waiting_time(body)),
                // An answer of Gemini's that says nothing but why it says nothing.
                _ if body.get("finishReason").is_some() => {
                    NoAnswer::Refused { reason: format!("{host} does not answer this") }
                }
                _ => NoAnswer::Outage { reason },
            }
        }
    }
}

fn too_long() -> NoAnswer {
    NoAnswer::Refused { reason: "the conversation is too long for the model".to_owned() }
}

/// What a provider's error is about, where its own words tell more than the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// The conversation does not fit.
    TooLong,
    /// Something is used up.
    Limit,
    /// The request, the key or the model's name.
    Wrong,
}

/// Names of errors, and parts of messages where a provider has no name for it. The first that is found counts.
const SORTS: &[(Sort, &[&str])] = &[
    (
        Sort::TooLong,
        &[
            "context_length_exceeded",
            "tokens_limit_reached",
            "exceed_context_size_error",
            "prompt is too long",
            "request too large",
            "maximum context length",
            "exceeds the maximum number of tokens",
        ],
    ),
    (
        Sort::Limit,
        &[
            "insufficient_quota",
            "rate_limit",
            "resource_exhausted",
            "usage_limit",
            "usage limit",
            "billing_hard_limit",
            "billing_error",
            "credit balance is too low",
        ],
    ),
    (
        Sort::Wrong,
        &["invalid_request", "authentication_error", "permission_error", "not_found_error", "invalid_prompt"],
    ),
];

impl Sort {
    fn of(body: &Value) -> Option<Self> {
        let inner = [&body["error"], body];
        let texts: Vec<String> = inner
            .iter()
            .flat_map(|error| ["type", "code", "status", "message"].map(|key| error[key].as_str()))
            .flatten()
            .map(str::to_lowercase)
            .collect();
        let says = |words: &[&str]| words.iter().any(|word| texts.iter().any(|text| text.contains(word)));
        SORTS.iter().find(|(_, words)| says(words)).map(|(sort, _)| *sort)
    }
}

/// The seconds after which the headers say to come back.
fn waiting_time(headers: &HeaderMap, now: SystemTime) -> Option<u64> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(seconds) = header("retry-after-ms").and_then(|ms| ms.parse::<u64>().ok()) {
        return Some(seconds.div_ceil(1000));
    }
    let given = header("retry-after")?;
    seconds(given).or_else(|| {
        let then = httpdate::parse_http_date(given).ok()?;
        Some(then.duration_since(now).unwrap_or_default().as_secs())
    })
}

/// The seconds after which the body says to come back: in a field of Google's, or in `OpenAI`'s words.
fn told_waiting_time(body: &Value) -> Option<u64> {
    let error = if body["error"].is_object() { &body["error"] } else { body };
    let details = error["details"].as_array().into_iter().flatten();
    let field = details.filter_map(|detail| detail["retryDelay"].as_str()).find_map(duration);
    field.or_else(|| {
        let message = error["message"].as_str()?;
        let (_, rest) = message.split_once("try again in ")?;
        duration(rest.split_whitespace().next()?.trim_end_matches(['.', ',']))
    })
}

/// A number of seconds, rounded up. Nobody waits for longer than a year.
fn seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    // The bounds make the number one that fits.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (0.0..=31_536_000.0).contains(&seconds).then(|| seconds.ceil() as u64)
}

/// A duration such as `27s`, `1.5s`, `450ms` or `6m0s`.
fn duration(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total = 0.0;
    while !rest.is_empty() {
        let unit = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, behind) = rest.split_at(unit);
        let number: f64 = number.parse().ok()?;
        let end = behind.find(|c: char| c.is_ascii_digit()).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(end);
        total += number
            * match unit {
                "ms" => 0.001,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                _ => return None,
            };
        rest = behind;
    }
    if text.is_empty() { None } else { seconds(&total.to_string()) }
}

#[cfg(test)]
mod tests;
