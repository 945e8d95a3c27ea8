//! `hansei model-server`: starts, answers, records, ends; and refuses scripts it does not understand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Ran, World};

const SCRIPT: &str = "
model: stub-model
steps:
  - text: I will look.
    tool: { name: shell, input: { command: ls } }
  - error: { status: 529, message: overloaded, retry_after: 3 }
  - delay_ms: 5
    text: Done.
  - delay_ms: 600000
    text: At last.
";

/// The running program and the line that it printed first.
struct Running {
    child: Child,
    line: String,
}

impl Running {
    fn start(world: &World, arguments: &[&str]) -> Self {
        world.write("script.yaml", SCRIPT);
        let mut command = world.hansei();
        command.args(["model-server", "--script", "script.yaml"]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        Self { child, line }
    }

    fn port(&self) -> u16 {
        self.line.trim().rsplit_once(':').unwrap().1.parse().unwrap()
    }

    /// Sends a signal, and gives how the program ended.
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let sent = Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let code = self.child.wait().unwrap().code();
        let mut stderr = String::new();
        self.child.stderr.as_mut().unwrap().read_to_string(&mut stderr).unwrap();
        (code, stderr)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A plain HTTP request: the head and the body of the answer.
fn ask(port: u16, method: &str, path: &str, body: &str) -> (String, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer private\r\nuser-agent: test\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_lowercase(), body.to_owned())
}

/// A conversation in which the assistant has had `turns` turns.
fn conversation(turns: usize, stream: bool) -> String {
    let turn = [json!({ "role": "user", "content": "do" }), json!({ "role": "assistant", "content": "did" })];
    let messages: Vec<Value> = turn.iter().cycle().take(2 * turns + 1).cloned().collect();
    let tool =
        json!({ "name": "Bash", "input_schema": { "properties": { "command": { "type": "string" } } } });
    json!({ "model": "asked", "stream": stream, "messages": messages, "tools": [tool] }).to_string()
}

#[test]
fn it_answers_and_records_until_it_is_ended() {
    let world = World::new();
    let server = Running::start(&world, &["--record", "requests"]);
    let port = server.port();
    assert_eq!(server.line, format!("listening on http://127.0.0.1:{port}\n"));

    assert!(ask(port, "GET", "/health", "").0.starts_with("http/1.1 200"));
    let (_, models) = ask(port, "GET", "/v1/models", "");
    assert_eq!(serde_json::from_str::<Value>(&models).unwrap()["data"][0]["id"], "stub-model");
    let (head, body) = ask(port, "POST", "/v1/messages?beta=true&key=private", &conversation(0, false));
    assert!(head.starts_with("http/1.1 200") && head.contains("application/json"), "{head}");
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&body["model"], &body["stop_reason"]), (&json!("stub-model"), &json!("tool_use")));
    assert_eq!(body["content"][1]["input"], json!({ "command": "ls" }));
    let (head, body) = ask(port, "POST", "/v1/messages", &conversation(1, true));
    assert!(head.starts_with("http/1.1 529") && head.contains("retry-after: 3"), "{head}");
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["error"]["type"], "overloaded_error");
    let (head, body) = ask(port, "POST", "/v1/messages", &conversation(1, true));
    assert!(
        head.contains("text/event-stream") && body.ends_with("data: {\"type\":\"message_stop\"}\n\n"),
        "{head} {body}"
    );
    let (_, body) = ask(port, "POST", "/v1/messages/count_tokens", &conversation(1, false));
    assert_eq!(body, r#"{"input_tokens":100}"#);
    assert!(ask(port, "POST", "/v1/messages", "{").0.starts_with("http/1.1 400"));
    assert!(ask(port, "GET", "/elsewhere", "").0.starts_with("http/1.1 404"));

    assert_eq!(server.end("TERM"), (Some(0), String::new()));
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "nothing listens any more");

    let record = |number: u32| -> Value {
        let text = std::fs::read_to_string(world.path(&format!("requests/{number:04}.json"))).unwrap();
        assert!(!text.contains("private"), "{text}");
        serde_json::from_str(&text).unwrap()
    };
    let answered: Vec<Value> = (1..=8).map(|number| record(number)["answered_with"]["by"].clone()).collect();
    assert_eq!(answered, ["health", "models", "step 1", "step 2", "step 3", "count", "refusal", "nothing"]);
    let asked = record(3);
    assert_eq!((&asked["method"], &asked["path"]), (&json!("POST"), &json!("/v1/messages?beta=true")));
    assert_eq!((&asked["step"], &asked["headers"]["user-agent"]), (&json!(0), &json!("test")));
    assert_eq!(asked["body"]["messages"][0]["content"], "do");
    assert_eq!(asked["answered_with"]["tools"], json!([{ "name": "Bash", "input": { "command": "ls" } }]));
}

#[test]
fn json_gives_the_place_on_the_first_line_and_an_interrupt_ends_it() {
    let world = World::new();
    let server = Running::start(&world, &["--json", "--port", "0", "--record", "requests"]);
    let place: Value = serde_json::from_str(&server.line).unwrap();
    let port = u16::try_from(place["port"].as_u64().unwrap()).unwrap();
    assert_eq!(place["url"], format!("http://127.0.0.1:{port}"));
    // A port that is taken is said to be.
    let second = world.run(&["model-server", "--script", "script.yaml", "--port", &port.to_string()]);
    assert_eq!(second.code, 3);
    assert!(second.stderr.contains(&format!("port {port} of 127.0.0.1 cannot be used")), "{}", second.stderr);
    // An answer that is still being thought about does not hold up the end.
    let waiting = std::thread::spawn(move || {
        let body = conversation(2, false);
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(
            stream,
            "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    });
    let asked = world.path("requests/0001.json");
    while !asked.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(server.end("INT"), (Some(0), String::new()));
    assert!(waiting.join().unwrap().is_empty());
}

#[test]
fn a_script_that_is_not_understood_is_refused_with_its_line() {
    let world = World::new();
    let refused = |script: &str| -> Ran {
        world.write("script.yaml", script);
        world.run(&["model-server", "--script", "script.yaml"])
    };
    let ran = refused("steps:\n  - text: a\n    tolo: { name: shell }\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error: script.yaml: line 3: unknown field `tolo`, expected one of when, delay_ms, thinking, text, tool, tools, content, usage, stop, cut_after, stall_after, error
    hint: docs/model-server.md describes the script
    ");
    let ran = refused("steps: []\n");
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @"
    error: script.yaml: line 1: there are no `steps` and no `rules`
    hint: docs/model-server.md describes the script
    ");
    let ran = world.run(&["model-server", "--script", "absent.yaml"]);
    assert!(ran.code == 2 && ran.stderr.contains("absent.yaml cannot be read"), "{}", ran.stderr);
    world.write("script.yaml", SCRIPT);
    let ran = world.run(&["model-server", "--script", "script.yaml", "--record", "script.yaml/in"]);
    assert!(ran.code == 3 && ran.stderr.contains("cannot be used for records"), "{}", ran.stderr);
}
