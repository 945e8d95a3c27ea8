//! Sessions as Gemini CLI 0.61 writes them: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`.

use std::io::Write;
use std::path::Path;
use std::{fs, io};

use serde_json::{Value, json};

use crate::clock::{self, Clock};
use crate::random::Random;
use crate::story::{Step, Story};
use crate::{Scene, lines_to};

/// Writes a session and gives its id.
pub fn write(home: &Path, story: &Story, random: &mut Random, scene: &Scene) -> io::Result<String> {
    let id = random.uuid();
    let project = home.join(".gemini/tmp").join(scene.cwd.rsplit('/').next().unwrap_or_default());
    let folder = project.join("chats");
    fs::create_dir_all(&folder)?;
    fs::write(project.join(".project_root"), &scene.cwd)?;
    let at = clock::text(scene.start);
    let name = format!("session-{}-{}.jsonl", at[..16].replace(':', "-"), &id[..8]);
    let mut writer = Writer {
        output: lines_to(&folder.join(name))?,
        folder,
        id: id.clone(),
        calls: 0,
        random,
        clock: Clock::new(scene.start),
        scene,
    };
    writer.head("main")?;
    for step in &story.steps {
        writer.step(step)?;
    }
    writer.output.flush()?;
    Ok(id)
}

struct Writer<'a> {
    output: io::BufWriter<fs::File>,
    folder: std::path::PathBuf,
    id: String,
    calls: u64,
    random: &'a mut Random,
    clock: Clock,
    scene: &'a Scene,
}

impl Writer<'_> {
    fn line(&mut self, line: &Value) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    fn head(&mut self, kind: &str) -> io::Result<()> {
        let (at, hash) = (self.clock.text(), self.random.hex(64));
        self.line(&json!({ "sessionId": self.id, "projectHash": hash, "startTime": at, "lastUpdated": at, "kind": kind }))?;
        let text = format!(
            "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n- **Workspace Directories:**\n  - {}\n</session_context>",
            self.scene.cwd
        );
        let first = json!({ "id": self.random.hex(32), "timestamp": at, "type": "user", "content": [{ "text": text }] });
        self.line(&json!({ "$set": { "messages": [first], "lastUpdated": at } }))
    }

    fn user(&mut self, content: &Value) -> io::Result<()> {
        let (id, at) = (self.random.uuid(), self.clock.text());
        self.line(&json!({ "id": id, "timestamp": at, "type": "user", "content": content }))?;
        self.line(&json!({ "$set": { "lastUpdated": at } }))
    }

    fn gemini(&mut self, text: &str, thoughts: &Value) -> io::Result<Value> {
        let message = json!({
            "id": self.random.uuid(), "timestamp": self.clock.text(), "type": "gemini", "content": text, "thoughts": thoughts,
            "tokens": { "input": 8100, "output": 120, "cached": 4000, "thoughts": 55, "tool": 0, "total": 8275 },
            "model": "gemini-2.5-pro",
        });
        self.line(&message)?;
        Ok(message)
    }

    /// A call comes twice: with its message, and again when it is over; its answer comes once more in the next message.
    fn tool(&mut self, name: &str, arguments: &Value, (status, output): (&str, &str)) -> io::Result<()> {
        let mut message = self.gemini("", &json!([]))?;
        self.calls += 1;
        let id = format!("{name}__{name}_{}_{}", self.clock.tick(), self.calls);
        let response =
            if status == "success" { json!({ "output": output }) } else { json!({ "error": output }) };
        let result = json!([{ "functionResponse": { "id": id, "name": name, "response": response } }]);
        let at = self.clock.text();
        message["toolCalls"] = json!([{
            "id": id, "name": name, "args": arguments, "result": result, "status": status, "timestamp": at,
            "displayName": name, "resultDisplay": output, "renderOutputAsMarkdown": false,
        }]);
        self.line(&message)?;
        self.user(&result)
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        match step {
            // A hook's words come as the human's would.
            Step::Human(text) | Step::Fed(text) => self.user(&json!([{ "text": text }])),
            Step::Say(text) => self.gemini(text, &json!([])).map(|_| ()),
            Step::Think(text) => {
                let at = self.clock.text();
                self.gemini("", &json!([{ "subject": "Thinking", "description": text, "timestamp": at }]))
                    .map(|_| ())
            }
            Step::Edit { path, old, new } => {
                let path = self.scene.absolute(path);
                let arguments = json!({ "file_path": path, "old_string": old, "new_string": new, "instruction": "Change the total" });
                self.tool(
                    "replace",
                    &arguments,
                    ("success", &format!("Successfully modified file: {path} (1 replacements).")),
                )
            }
            Step::Look { path, content } => self.tool(
                "read_file",
                &json!({ "file_path": self.scene.absolute(path) }),
                ("success", content),
            ),
            Step::Run { command, output, code } => {
                let code = if *code == 0 { String::new() } else { format!("\nExit Code: {code}") };
                let group = 1000 + self.random.below(60_000);
                let shown = format!(
                    "<untrusted_context>\nOutput: {}{code}\nProcess Group PGID: {group}\n</untrusted_context>",
                    output.trim_end()
                );
                self.tool(
                    "run_shell_command",
                    &json!({ "command": command, "description": "Run it" }),
                    ("success", &shown),
                )
            }
            Step::Todos(todos) => {
                let list: Vec<Value> = todos
                    .iter()
                    .map(|(text, status)| json!({ "description": text, "status": status }))
                    .collect();
                self.tool(
                    "write_todos",
                    &json!({ "todos": list }),
                    ("success", "Successfully updated the todo list."),
                )
            }
            Step::Delegate { request, answer } => self.delegate(request, answer),
            Step::Compact { summary } => {
                let (at, id) = (self.clock.text(), self.random.uuid());
                let snapshot = json!({ "id": id, "timestamp": at, "type": "user", "content": [{ "text": format!("<state_snapshot>{summary}</state_snapshot>") }] });
                let got_it = json!({ "id": self.random.uuid(), "timestamp": at, "type": "gemini", "content": [{ "text": "Got it. Thanks for the additional context!" }] });
                self.line(&json!({ "$set": { "messages": [snapshot, got_it], "lastUpdated": at } }))
            }
            Step::Fail(text) => {
                let (id, at) = (self.random.uuid(), self.clock.text());
                self.line(&json!({ "id": id, "timestamp": at, "type": "error", "content": text }))
            }
            Step::Abort { command } => {
                self.tool(
                    "run_shell_command",
                    &json!({ "command": command }),
                    ("cancelled", "[Operation Cancelled] Reason: User cancelled the operation."),
                )?;
                let (id, at) = (self.random.uuid(), self.clock.text());
                self.line(
                    &json!({ "id": id, "timestamp": at, "type": "info", "content": "Request cancelled." }),
                )
            }
        }
    }

    /// A sub-agent's chat lies in a folder named after the session.
    fn delegate(&mut self, request: &str, answer: &str) -> io::Result<()> {
        let agent = self.random.uuid();
        let folder = self.folder.join(&self.id);
        fs::create_dir_all(&folder)?;
        let file = lines_to(&folder.join(format!("{agent}.jsonl")))?;
        let outer = std::mem::replace(&mut self.output, file);
        let id = std::mem::replace(&mut self.id, agent);
        self.head("subagent")?;
        self.user(&json!([{ "text": request }]))?;
        self.gemini(answer, &json!([]))?;
        self.output.flush()?;
        self.output = outer;
        self.id = id;
        let output = format!(
            "Subagent 'codebase_investigator' finished.\nTermination Reason: GOAL\nResult:\n{answer}"
        );
        self.tool(
            "invoke_agent",
            &json!({ "agent_name": "codebase_investigator", "prompt": request }),
            ("success", &output),
        )
    }
}
