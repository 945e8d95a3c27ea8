//! Servers that answer with anything but an answer.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use hansei_models::{Budget, Model as _, Unavailable};

use crate::{KEY, MODELS, model, patient, prompt};

/// A server that reads a request and answers with these bytes, as often as it is asked.
pub fn answering(bytes: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = Vec::new();
            let mut chunk = [0; 4096];
            // Everything is sent before anything is read back, so the body's end is not looked for: its length is.
            while let Ok(length) = stream.read(&mut chunk) {
                request.extend_from_slice(&chunk[..length]);
                if length == 0 || is_whole(&request) {
                    break;
                }
            }
            let _ = stream.write_all(bytes.as_bytes());
        }
    });
    url
}

pub fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
    length.is_none_or(|length: usize| body.len() >= length)
}

pub fn http(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

#[test]
fn garbage_is_no_answer() {
    let json = "application/json";
    let answers = [
        http("200 OK", json, "not json"),
        http("200 OK", json, ""),
        http("200 OK", json, "{}"),
        http("200 OK", json, "[1, 2]"),
        http("200 OK", json, "null"),
        http("200 OK", json, r#"{"choices": [], "content": [], "output": [], "candidates": []}"#),
        http("200 OK", json, r#"{"choices": 7, "content": 7, "output": 7, "candidates": 7}"#),
        http("200 OK", "text/html", &format!("<html>{KEY}</html>")),
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{\"half\""
            .to_owned(),
        "nonsense\r\n\r\n".to_owned(),
        String::new(),
    ];
    for answer in answers {
        let url = answering(answer.clone());
        for (name, _) in MODELS {
            let error = model(name, &url).ask(&prompt(), &patient()).unwrap_err();
            let expected = matches!(
                error,
                Unavailable::NotAnAnswer { .. } | Unavailable::Empty | Unavailable::Unreachable { .. }
            );
            assert!(expected, "{name} {answer:?}: {error:?}");
            assert!(!format!("{error} {error:?}").contains(KEY), "{name}: {error:?}");
        }
    }
}

#[test]
fn nobody_there_is_said_with_the_host() {
    let url = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    for (name, _) in MODELS {
        let error = model(name, &url).ask(&prompt(), &patient()).unwrap_err();
        assert!(
            matches!(&error, Unavailable::Unreachable { host } if url.ends_with(host)),
            "{name}: {error:?}"
        );
    }
}

#[test]
fn a_server_that_never_answers_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let budget = Budget { time: Duration::from_secs(1), ..Budget::default() };
    let error = model("compatible/x", &url).ask(&prompt(), &budget).unwrap_err();
    assert_eq!(error, Unavailable::TimedOut { seconds: 1 });
    drop(listener);
}

#[test]
fn a_redirect_takes_the_key_nowhere() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let target = format!("http://{}/v1/messages", elsewhere.local_addr().unwrap());
    let answer =
        format!("HTTP/1.1 307 Temporary Redirect\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n");
    let url = answering(answer);
    for (name, _) in MODELS {
        let error = model(name, &url).ask(&prompt(), &patient()).unwrap_err();
        assert!(matches!(error, Unavailable::Status { status: 307, .. }), "{name}: {error:?}");
    }
    assert!(elsewhere.accept().is_err(), "the redirect was followed");
}
