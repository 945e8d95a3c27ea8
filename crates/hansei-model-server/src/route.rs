//! What a method and a path ask for. Only the end of a path counts: agents put different beginnings before it.

use crate::wire::Format;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// An answer of the model.
    Answer(Format, Manner),
    /// How many tokens a request has.
    CountTokens(Format),
    /// Which models there are.
    Models(Format),
    /// Whether the server is up.
    Health,
    /// Something that is not here.
    Unknown,
}

/// How an answer is to be given, where the path says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Manner {
    /// The body says it.
    AsTheBodySays,
    /// The model of this name, as one value.
    Whole(String),
    /// The model of this name, as server-sent events.
    Events(String),
    /// The model of this name, as one list of what the events would carry.
    List(String),
}

/// Finds what is asked for.
pub fn route(method: &str, path: &str, query: &str) -> Route {
    let path = path.trim_end_matches('/');
    match method {
        "POST" if path.ends_with("/messages") => Route::Answer(Format::Anthropic, Manner::AsTheBodySays),
        "POST" if path.ends_with("/messages/count_tokens") => Route::CountTokens(Format::Anthropic),
        "POST" if path.ends_with("/chat/completions") => Route::Answer(Format::Chat, Manner::AsTheBodySays),
        "POST" if path.ends_with("/responses") => Route::Answer(Format::Responses, Manner::AsTheBodySays),
        "POST" => gemini(path, query),
        "GET" if path.ends_with("/v1beta/models") => Route::Models(Format::Gemini),
        "GET" if path.ends_with("/models") => Route::Models(Format::Chat),
        "GET" | "HEAD" if path.is_empty() || path == "/health" => Route::Health,
        _ => Route::Unknown,
    }
}

fn gemini(path: &str, query: &str) -> Route {
    let Some((model, verb)) = path.rsplit_once("/models/").and_then(|(_, last)| last.rsplit_once(':')) else {
        return Route::Unknown;
    };
    let model = model.to_owned();
    let as_events = query.split('&').any(|pair| pair == "alt=sse");
    match verb {
        "generateContent" => Route::Answer(Format::Gemini, Manner::Whole(model)),
        "streamGenerateContent" if as_events => Route::Answer(Format::Gemini, Manner::Events(model)),
        "streamGenerateContent" => Route::Answer(Format::Gemini, Manner::List(model)),
        "countTokens" => Route::CountTokens(Format::Gemini),
        _ => Route::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_where_they_should() {
        let body = Manner::AsTheBodySays;
        let model = || "m-2.5".to_owned();
        let table = [
            ("POST", "/v1/messages", "beta=true", Route::Answer(Format::Anthropic, body.clone())),
            ("POST", "/v1/messages/count_tokens", "", Route::CountTokens(Format::Anthropic)),
            ("POST", "/v1/chat/completions", "", Route::Answer(Format::Chat, body.clone())),
            ("POST", "/responses", "", Route::Answer(Format::Responses, body)),
            (
                "POST",
                "/v1beta/models/m-2.5:generateContent",
                "",
                Route::Answer(Format::Gemini, Manner::Whole(model())),
            ),
            (
                "POST",
                "/v1beta/models/m-2.5:streamGenerateContent",
                "key=k&alt=sse",
                Route::Answer(Format::Gemini, Manner::Events(model())),
            ),
            (
                "POST",
                "/v1beta/models/m-2.5:streamGenerateContent",
                "",
                Route::Answer(Format::Gemini, Manner::List(model())),
            ),
            ("POST", "/v1beta/models/m-2.5:countTokens", "", Route::CountTokens(Format::Gemini)),
            ("POST", "/v1beta/models/m-2.5:embedContent", "", Route::Unknown),
            ("GET", "/v1/models", "", Route::Models(Format::Chat)),
            ("GET", "/v1beta/models", "", Route::Models(Format::Gemini)),
            ("GET", "/health", "", Route::Health),
            ("HEAD", "/", "", Route::Health),
            ("GET", "/v1/messages", "", Route::Unknown),
            ("POST", "/api/event_logging", "", Route::Unknown),
        ];
        for (method, path, query, expected) in table {
            assert_eq!(route(method, path, query), expected, "{method} {path}?{query}");
        }
    }
}
