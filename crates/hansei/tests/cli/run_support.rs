//! A world with a scripted model in it, for runs.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use hansei_model_server::{ModelServer, Options};
use serde_json::Value;

use crate::support::{Ran, World};

/// A plan whose check passes when `done.txt` is there.
pub const PLAN: &str = "  - text: |\n      goal: done.txt is there\n      steps: [write it]\n      files: [done.txt]\n      verification: [\"test -f done.txt\"]\n      risks: []\n";

/// A step that runs a command.
pub fn shell(command: &str) -> String {
    format!("  - tool: {{ name: shell, input: {{ command: {} }} }}\n", serde_json::json!(command))
}

/// A step that says something.
pub fn says(text: &str) -> String {
    format!("  - text: {}\n", serde_json::json!(text))
}

/// A world and its model.
pub struct Stage {
    pub world: World,
    pub model: ModelServer,
}

/// What came of a run.
pub struct Told {
    pub code: i32,
    pub lines: Vec<Value>,
    pub stderr: String,
}

impl Stage {
    /// A repository of one commit, and a model that says these steps.
    pub fn with(steps: &[&str]) -> Self {
        Self::of(World::new(), &format!("steps:\n{}", steps.concat()))
    }

    pub fn of(world: World, script: &str) -> Self {
        let model = ModelServer::start(script.parse().unwrap(), Options::default()).unwrap();
        Self { world, model }
    }

    /// The user's own settings.
    pub fn configure(&self, text: &str) {
        let folder = self.world.outside().join("home/.config/hansei");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.toml"), text).unwrap();
    }

    /// `hansei run` with these arguments before the task.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.world.hansei();
        command
            .env("ANTHROPIC_API_KEY", "sk-ant-fake-000")
            .args(["run", "--json", "--model", "anthropic/claude-scripted", "--base-url", &self.model.url()])
            .args(arguments)
            .arg("make it so");
        command
    }

    /// Runs to the end.
    pub fn run(&self, arguments: &[&str]) -> Told {
        Told::of(&mut self.command(arguments))
    }

    /// Another command about runs.
    pub fn hansei(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.world.hansei().env("ANTHROPIC_API_KEY", "sk-ant-fake-000").args(arguments), b"")
    }

    pub fn resume(&self, run: &str, arguments: &[&str]) -> Told {
        let mut command = self.world.hansei();
        command.env("ANTHROPIC_API_KEY", "sk-ant-fake-000").args(["resume", run, "--json"]).args(arguments);
        Told::of(&mut command)
    }
}

impl Told {
    pub fn of(command: &mut Command) -> Self {
        let ran = Ran::of(command, b"");
        let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Self { code: ran.code, lines, stderr: ran.stderr }
    }

    pub fn kinds(&self) -> Vec<&str> {
        self.lines.iter().map(|line| line["kind"].as_str().unwrap()).collect()
    }

    pub fn count(&self, kind: &str) -> usize {
        self.kinds().into_iter().filter(|other| *other == kind).count()
    }

    pub fn last(&self) -> &Value {
        self.lines.last().unwrap_or_else(|| panic!("nothing was told: {}", self.stderr))
    }

    pub fn run(&self) -> &str {
        self.lines[0]["run"].as_str().unwrap()
    }

    /// The ending, after checking that the exit code agrees.
    pub fn ending(&self) -> &str {
        let last = self.last();
        assert_eq!(last["kind"], "run_ended", "{:?} {}", self.kinds(), self.stderr);
        let ending = last["ending"].as_str().unwrap();
        assert_eq!(self.code, i32::from(ending != "complete"), "{last}");
        ending
    }

    pub fn all(&self, kind: &str) -> Vec<&Value> {
        self.lines.iter().filter(|line| line["kind"] == kind).collect()
    }
}

/// A run that goes on beside the test.
pub struct Beside {
    pub child: Child,
    output: BufReader<std::process::ChildStdout>,
    pub lines: Vec<Value>,
}

impl Beside {
    pub fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output, lines: Vec::new() }
    }

    /// Waits for an event of this kind.
    pub fn until(&mut self, kind: &str) -> Value {
        loop {
            let line = self.next().unwrap_or_else(|| panic!("no {kind}: {:?}", self.lines));
            if line["kind"] == kind {
                return line;
            }
        }
    }

    fn next(&mut self) -> Option<Value> {
        let mut text = String::new();
        if self.output.read_line(&mut text).unwrap() == 0 {
            return None;
        }
        let line: Value = serde_json::from_str(&text).unwrap();
        self.lines.push(line.clone());
        Some(line)
    }

    /// Waits for its end.
    pub fn end(mut self) -> Told {
        while self.next().is_some() {}
        let mut stderr = String::new();
        if let Some(mut pipe) = self.child.stderr.take() {
            let _ = std::io::Read::read_to_string(&mut pipe, &mut stderr);
        }
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        Told { code, lines: self.lines, stderr }
    }
}
