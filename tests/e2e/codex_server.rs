//! Codex as its own interfaces talk to it: a server on standard input and output. Only there it can be told to plan.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Stdio};

use hansei_model_server::ModelServer;
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::running::Running;
use crate::world::{CREDENTIAL, Ran, World};

/// A server that is running, and what it said since it was last asked.
struct CodexServer {
    running: Running,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    said: String,
}

impl CodexServer {
    fn of(world: &World) -> Self {
        let mut command = world.agent("codex", "codex");
        let mut running =
            Running::of(command.env("STUB_KEY", CREDENTIAL).arg("app-server").stdin(Stdio::piped()));
        let (stdin, stdout) = (running.stdin(), BufReader::new(running.stdout()));
        let mut server = Self { running, stdin, stdout, said: String::new() };
        let client = json!({ "name": "test", "version": "1" });
        // The way of working together is not yet for everybody.
        let able = json!({ "experimentalApi": true });
        server.ask("initialize", &json!({ "clientInfo": client, "capabilities": able }));
        writeln!(server.stdin, "{}", json!({ "method": "initialized" })).unwrap();
        server
    }

    /// Asks, and gives the answer.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        writeln!(self.stdin, "{}", json!({ "id": method, "method": method, "params": params })).unwrap();
        let answer = self.until(|said| said["id"] == method);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Listens until it says something.
    fn until(&mut self, heard: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.stdout.read_line(&mut line).unwrap(), 0, "it ended: {}", self.said);
            self.said += &line;
            let said: Value = serde_json::from_str(&line).unwrap();
            if heard(&said) {
                return said;
            }
        }
    }

    /// Hangs up, and gives what it said.
    fn end(self) -> Ran {
        drop(self.stdin);
        let ended = self.running.end();
        Ran { stdout: self.said, ..ended }
    }
}

/// Works on a prompt as one who only plans, with our hooks trusted.
pub fn planning(_: &Agent, world: &World, _: &ModelServer, prompt: &str) -> Ran {
    trust_all(world);
    let mut server = CodexServer::of(world);
    let thread = server.ask("thread/start", &json!({ "cwd": world.project }))["thread"]["id"].clone();
    let settings = json!({ "model": "stub-model", "reasoning_effort": null, "developer_instructions": null });
    server.ask(
        "turn/start",
        &json!({
            "threadId": thread,
            "input": [{ "type": "text", "text": prompt }],
            "collaborationMode": { "mode": "plan", "settings": settings },
        }),
    );
    server.until(|said| said["method"] == "turn/completed");
    server.end()
}

/// The hooks as Codex itself lists them: by key, the digest and whether it is trusted.
pub fn hooks(world: &World) -> BTreeMap<String, (String, String)> {
    let mut server = CodexServer::of(world);
    let listed = server.ask("hooks/list", &json!({ "cwds": [world.project] }));
    server.end();
    let text = |hook: &Value, name: &str| hook[name].as_str().unwrap().to_owned();
    let hooks = listed["data"][0]["hooks"].as_array().unwrap_or_else(|| panic!("{listed:#}"));
    hooks
        .iter()
        .map(|hook| (text(hook, "key"), (text(hook, "currentHash"), text(hook, "trustStatus"))))
        .collect()
}

/// Says yes to every hook that is not trusted, as Codex writes it when its user does.
pub fn trust_all(world: &World) {
    let file = world.home.join(".codex/config.toml");
    let mut config = std::fs::read_to_string(&file).unwrap();
    for (key, (hash, trust)) in hooks(world) {
        if trust != "trusted" {
            writeln!(config, "\n[hooks.state.\"{key}\"]\ntrusted_hash = \"{hash}\"").unwrap();
        }
    }
    world.write(&file, &config);
}
