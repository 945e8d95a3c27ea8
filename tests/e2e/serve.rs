//! OpenCode and Kilo as servers, which is how their interfaces talk to them: one process works on several sessions.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::ChildStdout;

use hansei_model_server::ModelServer;
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::compaction::{holding, the_nudge_reached_the_next_request};
use crate::off_the_road::{a_compaction_was_told, a_sub_agent_was_asked, wait_for};
use crate::records::{Told, every_session_can_be_exported};
use crate::running::{LONGEST_RUN, Running};
use crate::world::{Ran, World, answered_by, story};

const SCRIPT: &str = "
aside: THE-SUMMARY of what was before.
rules:
  - when: { last_user: look for the needle, turn: 0, no_tools: false }
    text: The needle is in the hay.
  - when: { body: fail for me, no_tools: false }
    error: { status: 400, message: the model is out of order }
  - when: { body: wait for me, turn: 0, no_tools: false }
    text: I will wait.
    tool: { name: shell, input: { command: echo begun > begun.txt; sleep 120 } }
  - when: { body: THE-SUMMARY, no_tools: false }
    text: All is done.
steps:
  - tool: { name: task, input: { prompt: look for the needle, agent: general } }
  - text: I will write it.
    tool: { name: shell, input: { command: echo open > login.txt } }
    usage: { input: 195000, output: 56 }
  - text: It was never full.
";

/// A sub-agent and a compaction in one session, an API error in another, an abort in a third.
pub fn nothing_but_a_stop_is_a_stop(agent: Agent) {
    let (world, model) = agent.world(SCRIPT);
    let (running, server) = Server::of(&agent, &world, &model);

    server.prompt(&server.session(), "find it, please");
    server.prompt(&server.session(), "fail for me");
    let aborted = server.session();
    std::thread::scope(|scope| {
        scope.spawn(|| server.prompt(&aborted, "wait for me"));
        wait_for(|| world.read("begun.txt").is_some());
        server.post(&format!("/session/{aborted}/abort"), &json!({}));
    });
    // What is told comes after what is answered.
    wait_for(|| {
        let log = |task| Told::about(&world, task).log;
        log("find it").contains(&"let_go".to_owned())
            && log("fail for me").contains(&"error".to_owned())
            && log("wait for me").contains(&"abort".to_owned())
    });
    running.signal("TERM");
    running.end();
    let requests = model.stop();
    let story = story(&requests);

    let found = Told::about(&world, "find it");
    let log = ["session_started", "task_started", "subagent-stop", "compact", "compaction_seen", "nudged"];
    let judged = ["capture_started", "captured", "judging_started", "judged", "let_go"];
    assert_eq!(found.log, [&log[..], &judged].concat(), "{found}\n{story}");
    let id = found.shown["id"].as_str().unwrap();
    let nudge = the_nudge_reached_the_next_request(&world, id, &answered_by(&requests, "rule 4"));
    assert_eq!(holding(&requests, &nudge).len(), 1, "the session keeps nothing of it: {story}");
    a_sub_agent_was_asked(&found, 1);
    a_compaction_was_told(&found);
    let failed = Told::about(&world, "fail for me");
    assert_eq!(failed.log, ["session_started", "task_started", "error"], "{failed}\n{story}");
    assert!(failed.last_turn()["failed"].as_str().unwrap().contains("the model is out of order"), "{failed}");
    let aborted = Told::about(&world, "wait for me");
    assert_eq!(aborted.log, ["session_started", "task_started", "abort"], "{aborted}\n{story}");
    assert_eq!(aborted.last_turn()["aborted"], true, "{aborted}");
    assert!(failed.reflections.is_empty() && aborted.reflections.is_empty());
    every_session_can_be_exported(&world);
}

/// A server works on one prompt, as it does for the agent's own interface, until we let the session go.
pub fn until_it_is_let_go(agent: &Agent, world: &World, model: &ModelServer, prompt: &str) -> Ran {
    let (running, server) = Server::of(agent, world, model);
    let session = server.session();
    server.prompt(&session, prompt);
    let log = format!(".hansei/log/{session}.jsonl");
    wait_for(|| world.read(&log).is_some_and(|log| log.contains("\"let_go\"")));
    let said = server.get(&format!("/session/{session}/message"));
    running.signal("TERM");
    Ran { code: Some(0), stdout: said.to_string(), stderr: running.end().stderr }
}

pub struct Server {
    port: u16,
    /// What it prints is read by nobody else.
    _printed: BufReader<ChildStdout>,
}

impl Server {
    pub fn of(agent: &Agent, world: &World, model: &ModelServer) -> (Running, Self) {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = (agent.command)(world, model, "");
        command.args(["--port", &port.to_string(), "--hostname", "127.0.0.1"]);
        let mut running = Running::of(&mut command);
        // A request that comes before this line hangs.
        let mut printed = BufReader::new(running.stdout());
        assert!(printed.by_ref().lines().any(|line| line.unwrap().contains("listening on")), "it serves");
        (running, Self { port, _printed: printed })
    }

    pub fn session(&self) -> String {
        self.post("/session", &json!({}))["id"].as_str().unwrap().to_owned()
    }

    /// Returns when the agent has answered.
    pub fn prompt(&self, session: &str, text: &str) {
        let body = json!({ "parts": [{ "type": "text", "text": text }] });
        self.post(&format!("/session/{session}/message"), &body);
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        self.request("POST", path, &body.to_string())
    }

    pub fn get(&self, path: &str) -> Value {
        self.request("GET", path, "")
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LONGEST_RUN)).unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = BufReader::new(stream);
        let head: Vec<String> =
            answer.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
        let field = |name: &str| {
            let fields = head.iter().filter_map(|line| line.split_once(':'));
            fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
        };
        assert!(head[0].contains(" 200"), "{path}: {head:?}");
        let length = field("content-length").map(|length| length.parse().unwrap());
        let mut bytes = Vec::new();
        // The end of the connection is not waited for: a server may keep it open.
        while let Some(length) = length.or_else(|| chunk(&mut answer)).filter(|length| *length > 0) {
            answer.by_ref().take(length).read_to_end(&mut bytes).unwrap();
            if field("content-length").is_some() {
                break;
            }
            answer.read_line(&mut String::new()).unwrap();
        }
        serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{path}: {error} {head:?}"))
    }
}

/// The length of the next chunk of an answer.
fn chunk(answer: &mut impl std::io::BufRead) -> Option<u64> {
    let mut line = String::new();
    answer.read_line(&mut line).unwrap();
    u64::from_str_radix(line.trim(), 16).ok()
}
