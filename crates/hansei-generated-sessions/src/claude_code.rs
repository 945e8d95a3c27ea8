//! Sessions as Claude Code 2.1 writes them: `~/.claude/projects/<folder>/<session>.jsonl`, sub-agents' beside it.

use std::io::Write;
use std::path::Path;
use std::{fs, io};

use serde_json::{Value, json};

use crate::clock::Clock;
use crate::random::Random;
use crate::story::{Step, Story};
use crate::{Scene, each_line, lines_to};

/// Writes a session and gives its id.
pub fn write(home: &Path, story: &Story, random: &mut Random, scene: &Scene) -> io::Result<String> {
    let id = random.uuid();
    let folder = home.join(".claude/projects").join(scene.cwd.replace(['/', '.', '_'], "-"));
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{id}.jsonl"));
    let mut writer = Writer {
        output: lines_to(&file)?,
        id: id.clone(),
        folder: folder.join(&id),
        parent: Value::Null,
        sidechain: false,
        message: String::new(),
        random,
        clock: Clock::new(scene.start),
        scene,
    };
    for step in &story.steps {
        writer.step(step)?;
    }
    writer.output.flush()?;
    Ok(id)
}

struct Writer<'a> {
    output: io::BufWriter<fs::File>,
    id: String,
    folder: std::path::PathBuf,
    parent: Value,
    sidechain: bool,
    message: String,
    random: &'a mut Random,
    clock: Clock,
    scene: &'a Scene,
}

impl Writer<'_> {
    fn line(&mut self, kind: &str, more: &Value) -> io::Result<()> {
        let uuid = self.random.uuid();
        let mut line = json!({
            "parentUuid": self.parent, "isSidechain": self.sidechain, "type": kind, "uuid": uuid,
            "timestamp": self.clock.text(), "userType": "external", "entrypoint": "cli", "cwd": self.scene.cwd,
            "sessionId": self.id, "version": "2.1.325", "gitBranch": self.scene.branch,
        });
        if let (Some(line), Some(more)) = (line.as_object_mut(), more.as_object()) {
            line.extend(more.clone());
        }
        self.parent = json!(uuid);
        writeln!(self.output, "{line}")
    }

    fn assistant(&mut self, block: &Value) -> io::Result<()> {
        self.message = format!("msg_01{}", self.random.hex(22));
        let kind = if block["type"] == "tool_use" { "tool_use" } else { "end_turn" };
        let message = json!({
            "model": "claude-opus-4-5", "id": self.message, "type": "message", "role": "assistant", "content": [block],
            "stop_reason": kind, "stop_sequence": null,
            "usage": {"input_tokens": 4, "cache_creation_input_tokens": 311, "cache_read_input_tokens": 15_012, "output_tokens": 87, "service_tier": "standard"},
        });
        let request = format!("req_01{}", self.random.hex(22));
        self.line("assistant", &json!({ "message": message, "requestId": request }))
    }

    fn tool(
        &mut self,
        name: &str,
        input: &Value,
        (output, error, about): (&str, bool, Value),
    ) -> io::Result<()> {
        let id = format!("toolu_01{}", self.random.hex(22));
        self.assistant(&json!({ "type": "tool_use", "id": id, "name": name, "input": input }))?;
        let result =
            json!({ "tool_use_id": id, "type": "tool_result", "content": output, "is_error": error });
        let message = json!({ "role": "user", "content": [result] });
        self.line("user", &json!({ "message": message, "toolUseResult": about }))
    }

    fn human(&mut self, text: &str) -> io::Result<()> {
        self.line(
            "user",
            &json!({ "message": { "role": "user", "content": text }, "permissionMode": "acceptEdits" }),
        )
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.assistant(&json!({ "type": "text", "text": text }))
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        match step {
            Step::Human(text) => {
                writeln!(
                    self.output,
                    "{}",
                    json!({ "type": "file-history-snapshot", "messageId": self.random.uuid(), "snapshot": {}, "isSnapshotUpdate": false })
                )?;
                self.human(text)
            }
            Step::Say(text) => self.say(text),
            Step::Think(text) => {
                let signature = self.random.hex(344);
                self.assistant(&json!({ "type": "thinking", "thinking": text, "signature": signature }))
            }
            Step::Edit { path, old, new } => {
                let path = self.scene.absolute(path);
                let lines = |mark: &str, text: &str| {
                    text.lines().map(|line| format!("{mark}{line}")).collect::<Vec<_>>()
                };
                let hunk = json!({ "oldStart": 12, "oldLines": 4, "newStart": 12, "newLines": 4, "lines": ([lines("-", old), lines("+", new)].concat()) });
                let input =
                    json!({ "file_path": path, "old_string": old, "new_string": new, "replace_all": false });
                let about = json!({ "filePath": path, "oldString": old, "newString": new, "originalFile": old, "structuredPatch": [hunk], "userModified": false, "replaceAll": false });
                self.tool(
                    "Edit",
                    &input,
                    (&format!("The file {path} has been updated successfully."), false, about),
                )
            }
            Step::Look { path, content } => {
                let path = self.scene.absolute(path);
                let numbered = each_line(content, |at| format!("{at:>6}→"));
                let about = json!({ "type": "text", "file": { "filePath": path, "content": content, "numLines": content.lines().count(), "startLine": 1 } });
                self.tool("Read", &json!({ "file_path": path }), (&numbered, false, about))
            }
            Step::Run { command, output, code } => {
                let input = json!({ "command": command, "description": "Run it" });
                if *code == 0 {
                    let about = json!({ "stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false });
                    self.tool("Bash", &input, (output.trim_end(), false, about))
                } else {
                    let shown = format!("Exit code {code}\n{}", output.trim_end());
                    let about = json!(format!("Error: {shown}"));
                    self.tool("Bash", &input, (&shown, true, about))
                }
            }
            Step::Todos(todos) => {
                let list: Vec<Value> = todos
                    .iter()
                    .map(|(text, status)| json!({ "content": text, "status": status, "activeForm": text }))
                    .collect();
                let about = json!({ "oldTodos": [], "newTodos": list });
                self.tool(
                    "TodoWrite",
                    &json!({ "todos": list }),
                    ("Todos have been modified successfully.", false, about),
                )
            }
            Step::Delegate { request, answer } => self.delegate(request, answer),
            Step::Compact { summary } => {
                self.line("system", &json!({ "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": { "trigger": "auto", "preTokens": 155_000 } }))?;
                let text = format!(
                    "This session is being continued from a previous conversation that ran out of context.\n{summary}"
                );
                self.line("user", &json!({ "message": { "role": "user", "content": text }, "isCompactSummary": true, "isVisibleInTranscriptOnly": true }))
            }
            Step::Fed(text) => {
                let content = format!("Stop hook feedback:\n{text}");
                self.line(
                    "user",
                    &json!({ "message": { "role": "user", "content": content }, "isMeta": true }),
                )
            }
            Step::Fail(text) => {
                let message = json!({
                    "model": "<synthetic>", "id": self.random.uuid(), "type": "message", "role": "assistant",
                    "content": [{ "type": "text", "text": text }], "stop_reason": "stop_sequence", "stop_sequence": "",
                    "usage": {"input_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 0},
                });
                self.line("assistant", &json!({ "message": message, "isApiErrorMessage": true }))
            }
            Step::Abort { command } => {
                let about = json!({ "stdout": "", "stderr": "", "interrupted": true, "isImage": false });
                self.tool(
                    "Bash",
                    &json!({ "command": command }),
                    ("[Request interrupted by user for tool use]", true, about),
                )?;
                let block = json!([{ "type": "text", "text": "[Request interrupted by user for tool use]" }]);
                self.line("user", &json!({ "message": { "role": "user", "content": block } }))
            }
        }
    }

    /// A sub-agent's own transcript lies in a folder beside the session's.
    fn delegate(&mut self, request: &str, answer: &str) -> io::Result<()> {
        let agent = self.random.hex(8);
        let folder = self.folder.join("subagents");
        fs::create_dir_all(&folder)?;
        let file = lines_to(&folder.join(format!("agent-{agent}.jsonl")))?;
        let outer = std::mem::replace(&mut self.output, file);
        let parent = std::mem::replace(&mut self.parent, Value::Null);
        self.sidechain = true;
        self.human(request)?;
        self.say(answer)?;
        self.output.flush()?;
        self.sidechain = false;
        self.output = outer;
        self.parent = parent;
        let input =
            json!({ "description": "Look around", "prompt": request, "subagent_type": "general-purpose" });
        let about = json!({ "status": "completed", "prompt": request, "agentId": agent, "content": [{ "type": "text", "text": answer }], "totalTokens": 1200 });
        self.tool("Task", &input, (answer, false, about))
    }
}
