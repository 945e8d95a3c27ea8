//! Sessions as Codex 0.166 writes them: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`.

use std::io::Write;
use std::path::Path;
use std::{fs, io};

use serde_json::{Value, json};

use crate::clock::{self, Clock};
use crate::random::Random;
use crate::story::{Step, Story};
use crate::{Scene, each_line, lines_to};

/// Writes a session and gives its id.
pub fn write(home: &Path, story: &Story, random: &mut Random, scene: &Scene) -> io::Result<String> {
    let id = random.uuid();
    let mut writer = Writer::begin(home, &id, None, random, scene.start, scene)?;
    for step in &story.steps {
        writer.step(home, step)?;
    }
    writer.end_turn()?;
    writer.output.flush()?;
    Ok(id)
}

struct Writer<'a> {
    output: io::BufWriter<fs::File>,
    id: String,
    turn: String,
    /// The agent's last words, which the end of a turn repeats; none while no turn runs.
    words: Option<String>,
    ordinal: u64,
    calls: u64,
    tokens: u64,
    random: &'a mut Random,
    clock: Clock,
    scene: &'a Scene,
}

impl<'a> Writer<'a> {
    fn begin(
        home: &Path,
        id: &str,
        parent: Option<&str>,
        random: &'a mut Random,
        start: i64,
        scene: &'a Scene,
    ) -> io::Result<Self> {
        let at = clock::text(start);
        let (day, time) = (at[..10].replace('-', "/"), at[..19].replace(':', "-"));
        let folder = home.join(".codex/sessions").join(day);
        fs::create_dir_all(&folder)?;
        let output = lines_to(&folder.join(format!("rollout-{time}-{id}.jsonl")))?;
        let turn = random.uuid();
        let mut writer = Self {
            output,
            id: id.to_owned(),
            turn,
            words: None,
            ordinal: 0,
            calls: 0,
            tokens: 0,
            random,
            clock: Clock::new(start),
            scene,
        };
        let source = match parent {
            Some(parent) => {
                json!({ "subagent": { "thread_spawn": { "parent_thread_id": parent, "depth": 1 } } })
            }
            None => json!("cli"),
        };
        let thread = if parent.is_some() { "subagent" } else { "user" };
        writer.line("session_meta", &json!({
            "session_id": parent.unwrap_or(id), "id": id, "timestamp": at, "cwd": scene.cwd, "originator": "codex_cli_rs",
            "cli_version": "0.166.0", "source": source, "thread_source": thread, "model_provider": "openai",
            "base_instructions": { "text": "You are a coding agent running in the Codex CLI." },
            "git": { "commit_hash": "ef3909c909f4b19832578c45aea13b9ef45d2085", "branch": scene.branch },
        }))?;
        Ok(writer)
    }

    fn line(&mut self, kind: &str, payload: &Value) -> io::Result<()> {
        let (timestamp, ordinal) = (self.clock.text(), self.ordinal);
        self.ordinal += 1;
        writeln!(
            self.output,
            "{}",
            json!({ "timestamp": timestamp, "ordinal": ordinal, "type": kind, "payload": payload })
        )
    }

    fn event(&mut self, payload: &Value) -> io::Result<()> {
        self.line("event_msg", payload)
    }

    fn completed(&mut self, item: &Value) -> io::Result<()> {
        let at = self.clock.tick();
        let event = json!({ "type": "item_completed", "thread_id": self.id, "turn_id": self.turn, "item": item, "started_at_ms": at, "completed_at_ms": at });
        self.event(&event)
    }

    fn message(&mut self, role: &str, text: &str, by: &str) -> io::Result<()> {
        let kind = if role == "assistant" { "output_text" } else { "input_text" };
        let id = format!("msg_{}", self.random.uuid());
        let mut item =
            json!({ "type": "message", "id": id, "role": role, "content": [{ "type": kind, "text": text }] });
        if role != "assistant" {
            item["internal_chat_message_metadata_passthrough"] =
                json!({ "content_item_metadata": [{ "provenance": { "type": by } }] });
        }
        self.line("response_item", &item)
    }

    fn begin_turn(&mut self, text: &str) -> io::Result<()> {
        self.end_turn()?;
        self.turn = self.random.uuid();
        self.words = Some(String::new());
        self.event(&json!({ "type": "task_started", "turn_id": self.turn, "model_context_window": 258_400, "collaboration_mode_kind": "default" }))?;
        if self.ordinal < 4 {
            self.message(
                "developer",
                "<permissions instructions>\nFilesystem sandboxing defines which files can be read.",
                "harness",
            )?;
            let about = format!(
                "<environment_context>\n  <cwd>{}</cwd>\n  <shell>bash</shell>\n</environment_context>",
                self.scene.cwd
            );
            self.message("user", &about, "harness")?;
        }
        self.line("turn_context", &json!({
            "turn_id": self.turn, "cwd": self.scene.cwd, "approval_policy": "on-request", "model": "gpt-5.5",
            "collaboration_mode": { "mode": "default", "settings": { "model": "gpt-5.5" } }, "summary": "auto",
        }))?;
        self.message("user", text, "user")?;
        let id = self.random.uuid();
        self.completed(&json!({ "type": "UserMessage", "id": id, "content": [{ "type": "text", "text": text, "text_elements": [] }] }))
    }

    fn end_turn(&mut self) -> io::Result<()> {
        let Some(words) = self.words.take() else { return Ok(()) };
        self.event(&json!({ "type": "task_complete", "turn_id": self.turn, "last_agent_message": words, "duration_ms": 1517 }))
    }

    fn tokens(&mut self) -> io::Result<()> {
        self.tokens += 100;
        let usage = json!({ "input_tokens": self.tokens, "cached_input_tokens": 40, "output_tokens": self.tokens / 5, "reasoning_output_tokens": 5, "total_tokens": self.tokens });
        self.event(&json!({ "type": "token_count", "info": { "total_token_usage": usage, "last_token_usage": usage, "model_context_window": 258_400 } }))
    }

    fn call(&mut self) -> String {
        self.calls += 1;
        format!("call_{}_{}", self.calls, self.random.hex(16))
    }

    /// A call of a function, its item if it has one, and its answer.
    fn function(
        &mut self,
        name: &str,
        arguments: &Value,
        item: impl FnOnce(&str) -> Option<Value>,
        output: &str,
    ) -> io::Result<()> {
        let (call, id) = (self.call(), self.random.uuid());
        self.line("response_item", &json!({ "type": "function_call", "id": format!("fc_{id}"), "name": name, "arguments": arguments.to_string(), "call_id": call }))?;
        if let Some(item) = item(&call) {
            self.completed(&item)?;
        }
        self.line("response_item", &json!({ "type": "function_call_output", "id": format!("fco_{id}"), "call_id": call, "output": output }))?;
        self.tokens()
    }

    fn run(&mut self, command: &str, output: &str, code: i32) -> io::Result<()> {
        let process = self.random.below(100_000).to_string();
        let status = if code == 0 { "completed" } else { "failed" };
        let item = |call: &str| {
            Some(json!({
                "type": "CommandExecution", "id": call, "process_id": process, "command": ["/bin/bash", "-lc", command],
                "cwd": format!("file://{}", self.scene.cwd), "parsed_cmd": [{ "type": "unknown", "cmd": command }],
                "source": "unified_exec_startup", "status": status, "aggregated_output": output, "exit_code": code,
                "duration": { "secs": 0, "nanos": 6052 },
            }))
        };
        let shown = format!(
            "Chunk ID: 60b89b\nWall time: 1.2000 seconds\nProcess exited with code {code}\nOriginal token count: {}\nOutput:\n{output}",
            output.len() / 4
        );
        self.function("exec_command", &json!({ "cmd": command }), item, &shown)
    }

    fn step(&mut self, home: &Path, step: &Step) -> io::Result<()> {
        match step {
            Step::Human(text) => self.begin_turn(text),
            Step::Say(text) => {
                self.words = Some(text.clone());
                let id = self.random.uuid();
                self.completed(&json!({ "type": "AgentMessage", "id": id, "content": [{ "type": "Text", "text": text }] }))?;
                self.message("assistant", text, "")?;
                self.tokens()
            }
            Step::Think(text) => {
                let (id, sealed) = (self.random.uuid(), self.random.hex(400));
                self.line("response_item", &json!({ "type": "reasoning", "id": format!("rs_{id}"), "summary": [{ "type": "summary_text", "text": text }], "encrypted_content": sealed }))
            }
            Step::Edit { path, old, new } => {
                let lines = |mark: char, text: &str| each_line(text, |_| mark.to_string());
                let patch = format!(
                    "*** Begin Patch\n*** Update File: {path}\n@@\n{}{}*** End Patch",
                    lines('-', old),
                    lines('+', new)
                );
                let (call, id) = (self.call(), self.random.uuid());
                self.line("response_item", &json!({ "type": "custom_tool_call", "id": format!("ctc_{id}"), "call_id": call, "name": "apply_patch", "input": patch }))?;
                let said = format!("Success. Updated the following files:\nM {path}\n");
                let change = json!({ "type": "update", "unified_diff": format!("@@ -1 +1 @@\n{}{}", lines('-', old), lines('+', new)), "move_path": null });
                let mut changes = serde_json::Map::new();
                changes.insert(self.scene.absolute(path), change);
                self.completed(&json!({ "type": "FileChange", "id": call, "changes": changes, "status": "completed", "stdout": said, "stderr": "" }))?;
                self.line("response_item", &json!({ "type": "custom_tool_call_output", "id": format!("ctco_{id}"), "call_id": call, "output": format!("Exit code: 0\nWall time: 0 seconds\nOutput:\n{said}") }))?;
                self.tokens()
            }
            Step::Look { path, content } => self.run(&format!("sed -n '1,200p' {path}"), content, 0),
            Step::Run { command, output, code } => self.run(command, output, *code),
            Step::Todos(todos) => {
                let plan: Vec<Value> =
                    todos.iter().map(|(text, status)| json!({ "step": text, "status": status })).collect();
                self.function("update_plan", &json!({ "plan": plan }), |_| None, "Plan updated")
            }
            Step::Delegate { request, answer } => self.delegate(home, request, answer),
            Step::Compact { summary } => {
                self.message("assistant", summary, "")?;
                let all = format!(
                    "Another language model started to solve this problem and produced a summary of its thinking process.\n{summary}"
                );
                self.line("compacted", &json!({ "message": all, "replacement_history": [] }))?;
                let id = self.random.uuid();
                self.completed(&json!({ "type": "ContextCompaction", "id": id }))
            }
            Step::Fed(text) => {
                let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                let prompt = format!("<hook_prompt hook_run_id=\"stop:0:hooks.json\">{text}</hook_prompt>");
                self.message("user", &prompt, "harness")
            }
            Step::Fail(text) => {
                self.words = None;
                self.event(&json!({ "type": "error", "message": text, "codex_error_info": "other" }))
            }
            Step::Abort { command } => {
                self.function(
                    "exec_command",
                    &json!({ "cmd": command }),
                    |_| None,
                    "Wall time: 3.7 seconds\naborted by user",
                )?;
                self.message(
                    "user",
                    "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
                    "harness",
                )?;
                self.words = None;
                self.event(&json!({ "type": "turn_aborted", "turn_id": self.turn, "reason": "interrupted", "duration_ms": 3771 }))
            }
        }
    }

    /// A sub-agent has a rollout of its own.
    fn delegate(&mut self, home: &Path, request: &str, answer: &str) -> io::Result<()> {
        let child = self.random.uuid();
        let start = self.clock.tick();
        let mut writer = Writer::begin(home, &child, Some(&self.id), self.random, start, self.scene)?;
        writer.begin_turn(request)?;
        writer.step(home, &Step::Say(answer.to_owned()))?;
        writer.end_turn()?;
        writer.output.flush()?;
        let item = |call: &str| {
            Some(
                json!({ "type": "CollabAgentToolCall", "id": call, "tool": "spawn_agent", "status": "completed", "receiver_thread_ids": [child], "prompt": request }),
            )
        };
        self.function(
            "spawn_agent",
            &json!({ "message": request }),
            item,
            &json!({ "agent_id": child, "nickname": "Godel" }).to_string(),
        )?;
        let told = format!(
            "<subagent_notification>\n{{\"agent_path\":\"{child}\",\"status\":{{\"completed\":\"{answer}\"}}}}\n</subagent_notification>"
        );
        self.message("user", &told, "tool")
    }
}
