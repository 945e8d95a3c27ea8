//! Servers that fail a conversation: errors, broken and silent connections, and a user who has enough.

use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use hansei_core::run::conversation::NoAnswer;
use hansei_models::{Heard, Limits, Talker};

use crate::misbehaving::{answering, http, is_whole};
use crate::talking::{conversation, say, talker, user};
use crate::{KEY, model, names, serving};

/// A text that takes more events to be told, in every format, than are let through here.
const LONG: &str = "A text that takes some events to be told, and then some more of them, until nobody doubts any \
                    longer that whoever cuts it after a few of them has cut it in the middle and nowhere else.";

/// What kind it is, and the words; no word may come from the server.
fn told(no_answer: &NoAnswer) -> (&'static str, String) {
    let (kind, reason) = match no_answer {
        NoAnswer::Outage { reason } => ("outage", reason.clone()),
        NoAnswer::UsageLimit { reason, .. } => ("limit", reason.clone()),
        NoAnswer::Refused { reason } => ("refused", reason.clone()),
        NoAnswer::Interrupted => ("interrupted", String::new()),
    };
    assert!(!format!("{no_answer:?}").contains(KEY), "{no_answer:?}");
    (kind, reason)
}

#[test]
fn errors_of_a_provider_are_sorted_and_told_in_our_own_words() {
    for name in names() {
        for (error, kind, part) in [
            ("status: 400", "refused", "status 400"),
            ("status: 401", "refused", "is the key right?"),
            ("status: 403", "refused", "is the key right?"),
            ("status: 404", "refused", "is the model's name right?"),
            ("status: 402", "limit", "status 402"),
            ("status: 429", "limit", "its limit is reached"),
            ("status: 500", "outage", "status 500"),
            ("status: 503", "outage", "status 503"),
            ("status: 529", "outage", "status 529"),
            ("status: 400, kind: context_length_exceeded", "refused", "too long"),
            ("status: 429, kind: insufficient_quota", "limit", "status 429"),
        ] {
            let server = serving(&format!("steps: [{{ error: {{ {error}, message: 'bad {KEY}' }} }}]"));
            let no_answer =
                say(&talker(name, &server.url()), &conversation(vec![user("Do it.")])).unwrap_err();
            let (is, reason) = told(&no_answer);
            assert_eq!(is, kind, "{name} {error}: {no_answer:?}");
            assert!(reason.contains(part), "{name} {error}: {reason}");
            // Nothing is tried again here.
            assert_eq!(server.stop().len(), 1, "{name} {error}");
        }
    }
}

#[test]
fn a_limit_says_when_to_come_back() {
    for name in names() {
        let server = serving("steps: [{ error: { status: 429, retry_after: 17 } }, { text: fine }]");
        let talker = talker(name, &server.url());
        let conversation = conversation(vec![user("Do it.")]);
        match say(&talker, &conversation).unwrap_err() {
            NoAnswer::UsageLimit { again_in, .. } => assert_eq!(again_in, Some(17), "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        // The same talker goes on.
        assert_eq!(say(&talker, &conversation).unwrap().text, "fine", "{name}");
    }
}

#[test]
fn an_answer_that_is_cut_anywhere_is_an_outage() {
    for name in names() {
        for events in 1..=6 {
            let server = serving(&format!(
                "steps:
  - text: '{LONG}'
    tool: {{ name: shell, input: {{ command: a command that takes two events }} }}
    cut_after: {events}
"
            ));
            let no_answer =
                say(&talker(name, &server.url()), &conversation(vec![user("Do it.")])).unwrap_err();
            assert_eq!(told(&no_answer).0, "outage", "{name} after {events}: {no_answer:?}");
        }
    }
}

#[test]
fn a_stream_that_ends_early_without_a_broken_connection_is_an_outage_too() {
    let events = [
        (
            "anthropic/claude-haiku-4-5",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n",
        ),
        (
            "openai/gpt-4o-mini",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":null}]}\n\n",
        ),
        (
            "openai/gpt-5.4-mini",
            "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"Hi\"}\n\n",
        ),
        (
            "gemini/gemini-2.5-flash",
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]}}]}\n\n",
        ),
    ];
    for (name, event) in events {
        for rest in ["", "data: {\"choices\":[{\"del", "event: x\n"] {
            let url = answering(http("200 OK", "text/event-stream", &format!("{event}{rest}")));
            let mut words = String::new();
            let mut heard = |heard: Heard<'_>| {
                if let Heard::Text(piece) = heard {
                    words.push_str(piece);
                }
            };
            let asked = conversation(vec![user("Do it.")]);
            let no_answer = talker(name, &url).say(&asked, &mut heard, &|| false).unwrap_err();
            assert_eq!(told(&no_answer).0, "outage", "{name} {rest:?}: {no_answer:?}");
            assert_eq!(words, "Hi", "{name}");
        }
    }
}

#[test]
fn what_is_no_answer_of_a_model_is_refused() {
    for body in [
        "not json",
        "",
        "{}",
        "data: nonsense\n\n",
        "data: 7\n\n",
        "<html>sk-fake-key-that-must-not-leak</html>",
        "{\"choices\":[{\"message\":{\"content\":\"whole, though a stream was asked for\"}}]}",
    ] {
        let url = answering(http("200 OK", "text/html", body));
        for name in names() {
            let no_answer = say(&talker(name, &url), &conversation(vec![user("Do it.")])).unwrap_err();
            // Some of it cannot be told from an answer that was cut.
            assert!(matches!(told(&no_answer).0, "refused" | "outage"), "{name} {body}: {no_answer:?}");
            assert!(body.contains("data") || told(&no_answer).0 == "refused", "{name} {body}: {no_answer:?}");
        }
    }
}

#[test]
fn an_error_in_the_middle_of_an_answer_is_sorted_by_its_name() {
    for (name, event, kind) in [
        (
            "anthropic/claude-haiku-4-5",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"sk-fake-key-that-must-not-leak\"}}\n\n",
            "outage",
        ),
        (
            "anthropic/claude-haiku-4-5",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"x\"}}\n\n",
            "limit",
        ),
        ("compatible/x", "data: {\"error\":{\"message\":\"x\",\"type\":\"server_error\"}}\n\n", "outage"),
        (
            "openai/gpt-5.4-mini",
            "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":{\"id\":\"r\",\"status\":\"failed\",\"model\":\"m\",\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"Please try again in 3s.\"}}}\n\n",
            "limit",
        ),
        (
            "openai/gpt-5.4-mini",
            "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":{\"id\":\"r\",\"status\":\"failed\",\"model\":\"m\",\"error\":{\"code\":\"server_error\",\"message\":\"x\"}}}\n\n",
            "outage",
        ),
        (
            "openai/gpt-5.4-mini",
            "event: error\ndata: {\"type\":\"error\",\"code\":\"context_length_exceeded\",\"message\":\"x\"}\n\n",
            "refused",
        ),
        (
            "gemini/gemini-2.5-flash",
            "data: {\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\",\"message\":\"x\"}}\n\n",
            "outage",
        ),
        ("gemini/gemini-2.5-flash", "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\n\n", "refused"),
        ("gemini/gemini-2.5-flash", "data: {\"candidates\":[{\"finishReason\":\"SAFETY\"}]}\n\n", "refused"),
        (
            "gemini/gemini-2.5-flash",
            "data: {\"candidates\":[{\"finishReason\":\"MALFORMED_FUNCTION_CALL\"}]}\n\n",
            "outage",
        ),
    ] {
        let url = answering(http("200 OK", "text/event-stream", event));
        let no_answer = say(&talker(name, &url), &conversation(vec![user("Do it.")])).unwrap_err();
        assert_eq!(told(&no_answer).0, kind, "{name} {event}: {no_answer:?}");
    }
}

#[test]
fn nobody_there_is_an_outage_and_a_redirect_is_not_followed() {
    let url = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let target = elsewhere.local_addr().unwrap();
    let redirecting = answering(format!(
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://{target}/v1/messages\r\nContent-Length: 0\r\n\r\n"
    ));
    for name in names() {
        let no_answer = say(&talker(name, &url), &conversation(vec![user("Do it.")])).unwrap_err();
        let (kind, reason) = told(&no_answer);
        assert_eq!(kind, "outage", "{name}: {no_answer:?}");
        assert!(reason.contains("cannot be reached"), "{name}: {reason}");
        let no_answer = say(&talker(name, &redirecting), &conversation(vec![user("Do it.")])).unwrap_err();
        assert_eq!(told(&no_answer).0, "refused", "{name}: {no_answer:?}");
    }
    assert!(elsewhere.accept().is_err(), "the redirect was followed");
}

#[test]
fn silence_is_an_outage_and_so_is_an_answer_without_end() {
    for name in names() {
        for (script, limits, part) in [
            (
                "delay_ms: 600000",
                Limits { silence: Duration::from_millis(300), ..Limits::default() },
                "no sign of life",
            ),
            (
                "stall_after: 2",
                Limits { silence: Duration::from_millis(300), ..Limits::default() },
                "no sign of life",
            ),
            ("stall_after: 2", Limits { time: Duration::from_secs(1), ..Limits::default() }, "within 1 s"),
        ] {
            let server = serving(&format!("steps:\n  - text: '{LONG}'\n    {script}\n"));
            let talker = Talker::new(model(name, &server.url()), limits).unwrap();
            let no_answer = say(&talker, &conversation(vec![user("Do it.")])).unwrap_err();
            let (kind, reason) = told(&no_answer);
            assert_eq!(kind, "outage", "{name} {script}: {no_answer:?}");
            assert!(reason.contains(part), "{name} {script}: {reason}");
        }
    }
}

#[test]
fn who_has_enough_is_not_kept() {
    for name in names() {
        // It stalls in the middle, or never begins; and the last was over before it began.
        for (script, looks) in [("stall_after: 3", 3), ("delay_ms: 600000", 3), ("delay_ms: 600000", 0)] {
            let server = serving(&format!("steps:\n  - text: '{LONG}'\n    {script}\n"));
            let talker = talker(name, &server.url());
            let looked = Cell::new(0);
            let is_over = || {
                looked.set(looked.get() + 1);
                looked.get() > looks
            };
            let no_answer =
                talker.say(&conversation(vec![user("Do it.")]), &mut |_| {}, &is_over).unwrap_err();
            assert_eq!(no_answer, NoAnswer::Interrupted, "{name} {script}");
            assert_eq!(server.stop().len(), usize::from(looks > 0), "{name} {script}");
        }
    }
}

const SHORT: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

/// A server that answers on each connection until it is told to close it, and counts connections.
fn answering_until_told() -> (u16, mpsc::Sender<()>, Arc<AtomicUsize>) {
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{SHORT}\r\n0\r\n\r\n",
        SHORT.len()
    );
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (close, told_to_close) = mpsc::channel();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            counted.fetch_add(1, Ordering::SeqCst);
            stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
            let mut request = Vec::new();
            let mut chunk = [0; 4096];
            loop {
                match stream.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(length) => request.extend_from_slice(&chunk[..length]),
                    Err(_) if told_to_close.try_recv().is_ok() => break,
                    Err(_) => {}
                }
                if is_whole(&request) {
                    request.clear();
                    stream.write_all(answer.as_bytes()).unwrap();
                }
            }
        }
    });
    (port, close, count)
}

#[test]
fn one_connection_is_enough_for_all_calls() {
    let (port, _close, connections) = answering_until_told();
    let talker = talker("compatible/x", &format!("http://127.0.0.1:{port}"));
    for _ in 0..20 {
        assert_eq!(say(&talker, &conversation(vec![user("Do it.")])).unwrap().text, "Hi");
    }
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_connection_that_was_closed_between_two_calls_is_not_used() {
    let (port, close, connections) = answering_until_told();
    let talker = talker("compatible/x", &format!("http://127.0.0.1:{port}"));
    for _ in 0..20 {
        assert_eq!(say(&talker, &conversation(vec![user("Do it.")])).unwrap().text, "Hi");
        close.send(()).unwrap();
        // What is closed there may still have to arrive here.
        while is_connected(port) {
            std::thread::yield_now();
        }
    }
    assert_eq!(connections.load(Ordering::SeqCst), 20);
}

/// Whether the kernel knows of a connection to this port of this machine that nobody has closed.
#[cfg(target_os = "linux")]
fn is_connected(port: u16) -> bool {
    let connections = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let to_port = format!("0100007F:{port:04X}");
    connections.lines().any(|line| {
        let mut columns = line.split_whitespace().skip(2);
        columns.next() == Some(to_port.as_str()) && columns.next() == Some("01")
    })
}
