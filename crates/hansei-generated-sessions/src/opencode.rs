//! Sessions as OpenCode 1.18 and Kilo 7.7 write them: rows of a database, each with a JSON object.

use std::path::{Path, PathBuf};
use std::{fs, io};

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::clock::Clock;
use crate::random::Random;
use crate::story::{Step, Story};
use crate::{Scene, each_line};

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `workspace_id` text, `parent_id` text, `slug` text NOT NULL, `directory` text NOT NULL, `path` text, `title` text NOT NULL, `version` text NOT NULL, `share_url` text, `summary_additions` integer, `summary_deletions` integer, `summary_files` integer, `summary_diffs` text, `metadata` text, `cost` real DEFAULT 0 NOT NULL, `tokens_input` integer DEFAULT 0 NOT NULL, `tokens_output` integer DEFAULT 0 NOT NULL, `tokens_reasoning` integer DEFAULT 0 NOT NULL, `tokens_cache_read` integer DEFAULT 0 NOT NULL, `tokens_cache_write` integer DEFAULT 0 NOT NULL, `revert` text, `permission` text, `agent` text, `model` text, `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `time_compacting` integer, `time_archived` integer);
CREATE TABLE IF NOT EXISTS `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL);
CREATE TABLE IF NOT EXISTS `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL, `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL);
CREATE INDEX IF NOT EXISTS `message_session_time_created_id_idx` ON `message` (`session_id`,`time_created`,`id`);
CREATE INDEX IF NOT EXISTS `part_message_id_id_idx` ON `part` (`message_id`,`id`);
CREATE INDEX IF NOT EXISTS `part_session_idx` ON `part` (`session_id`);
";

/// One of the two agents with this form.
#[derive(Debug, Clone, Copy)]
pub struct Flavour {
    /// The database, from the home folder.
    pub file: &'static str,
    version: &'static str,
    mode: &'static str,
}

/// OpenCode.
pub const OPENCODE: Flavour =
    Flavour { file: ".local/share/opencode/opencode.db", version: "1.18.33", mode: "build" };
/// Kilo.
pub const KILO: Flavour = Flavour { file: ".local/share/kilo/kilo.db", version: "7.7.7", mode: "code" };

/// Writes a session and gives its id.
pub fn write(
    home: &Path,
    flavour: Flavour,
    story: &Story,
    random: &mut Random,
    scene: &Scene,
) -> io::Result<String> {
    let file: PathBuf = home.join(flavour.file);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    insert(&file, flavour, story, random, scene).map_err(io::Error::other)
}

fn insert(
    file: &Path,
    flavour: Flavour,
    story: &Story,
    random: &mut Random,
    scene: &Scene,
) -> rusqlite::Result<String> {
    let mut database = Connection::open(file)?;
    database.execute_batch("PRAGMA synchronous = OFF")?;
    let database = database.transaction()?;
    database.execute_batch(TABLES)?;
    let id = format!("ses_{}", random.hex(26));
    let mut writer = Writer {
        database: &database,
        flavour,
        session: id.clone(),
        asked: String::new(),
        count: 0,
        random,
        clock: Clock::new(scene.start),
        scene,
    };
    for step in &story.steps {
        writer.step(step)?;
    }
    writer.session_row(scene.start, None, "a session")?;
    database.commit()?;
    Ok(id)
}

struct Writer<'a> {
    database: &'a Connection,
    flavour: Flavour,
    session: String,
    /// The human's message that is being answered.
    asked: String,
    /// Ids of messages and parts ascend.
    count: u64,
    random: &'a mut Random,
    clock: Clock,
    scene: &'a Scene,
}

impl Writer<'_> {
    fn session_row(&mut self, start: i64, parent: Option<&str>, title: &str) -> rusqlite::Result<()> {
        let Flavour { version, mode, .. } = self.flavour;
        self.database.execute(
            "INSERT OR REPLACE INTO session (id,project_id,parent_id,slug,directory,title,version,agent,time_created,time_updated) VALUES (?1,'global',?2,'hidden-pixel',?3,?4,?5,?6,?7,?8)",
            params![self.session, parent, self.scene.cwd, title, version, mode, start, self.clock.tick()],
        )?;
        Ok(())
    }

    fn ascending(&mut self, kind: &str) -> String {
        self.count += 1;
        let start = &self.session[4..12];
        format!("{kind}_{start}{:010x}{}", self.count, self.random.hex(8))
    }

    fn message(&mut self, id: &str, data: &Value) -> rusqlite::Result<()> {
        let at = data["time"]["created"].as_i64().unwrap_or_default();
        let mut insert = self.database.prepare_cached(
            "INSERT OR REPLACE INTO message (id,session_id,time_created,time_updated,data) VALUES (?1,?2,?3,?3,?4)",
        )?;
        insert.execute(params![id, self.session, at, data.to_string()]).map(|_| ())
    }

    fn part(&mut self, message: &str, data: &Value) -> rusqlite::Result<()> {
        let (id, at) = (self.ascending("prt"), self.clock.tick());
        let mut insert = self.database.prepare_cached(
            "INSERT OR REPLACE INTO part (id,message_id,session_id,time_created,time_updated,data) VALUES (?1,?2,?3,?4,?4,?5)",
        )?;
        insert.execute(params![id, message, self.session, at, data.to_string()]).map(|_| ())
    }

    fn user(&mut self, part: &Value) -> rusqlite::Result<()> {
        let (id, at) = (self.ascending("msg"), self.clock.tick());
        let data = json!({ "role": "user", "time": { "created": at }, "agent": self.flavour.mode, "model": { "providerID": "anthropic", "modelID": "claude-opus-4-5" }, "summary": { "diffs": [] } });
        self.message(&id, &data)?;
        self.asked.clone_from(&id);
        self.part(&id, part)
    }

    fn assistant(
        &mut self,
        finish: &str,
        parts: &[Value],
        more: Option<(&str, Value)>,
    ) -> rusqlite::Result<()> {
        let (id, at) = (self.ascending("msg"), self.clock.tick());
        let tokens = json!({ "total": 8120, "input": 60, "output": 120, "reasoning": 0, "cache": { "write": 0, "read": 7940 } });
        let mut data = json!({
            "parentID": self.asked, "role": "assistant", "mode": self.flavour.mode, "agent": self.flavour.mode,
            "path": { "cwd": self.scene.cwd, "root": self.scene.cwd }, "cost": 0.0123, "tokens": tokens, "modelID": "claude-opus-4-5",
            "providerID": "anthropic", "time": { "created": at, "completed": at + 1200 }, "finish": finish,
        });
        if let Some((key, value)) = more {
            data[key] = value;
        }
        self.message(&id, &data)?;
        let snapshot = self.random.hex(40);
        self.part(&id, &json!({ "type": "step-start", "snapshot": snapshot }))?;
        for part in parts {
            self.part(&id, part)?;
        }
        let snapshot = self.random.hex(40);
        self.part(&id, &json!({ "type": "step-finish", "reason": finish, "snapshot": snapshot, "tokens": tokens, "cost": 0.0123 }))
    }

    fn tool(&mut self, tool: &str, input: &Value, output: &str, metadata: &Value) -> rusqlite::Result<()> {
        let (call, start) = (format!("toolu_01{}", self.random.hex(22)), self.clock.tick());
        let state = json!({ "status": "completed", "input": input, "output": output, "metadata": metadata, "title": tool, "time": { "start": start, "end": start + 900 } });
        self.assistant(
            "tool-calls",
            &[json!({ "type": "tool", "tool": tool, "callID": call, "state": state })],
            None,
        )
    }

    fn step(&mut self, step: &Step) -> rusqlite::Result<()> {
        match step {
            Step::Human(text) => self.user(&json!({ "type": "text", "text": text })),
            Step::Say(text) => {
                let at = self.clock.tick();
                self.assistant(
                    "stop",
                    &[json!({ "type": "text", "text": text, "time": { "start": at, "end": at + 10 } })],
                    None,
                )
            }
            Step::Think(text) => {
                let at = self.clock.tick();
                self.assistant(
                    "tool-calls",
                    &[json!({ "type": "reasoning", "text": text, "time": { "start": at, "end": at + 10 } })],
                    None,
                )
            }
            Step::Edit { path, old, new } => {
                let path = self.scene.absolute(path);
                let diff = format!("Index: {path}\n--- {path}\n+++ {path}\n@@ -1 +1 @@\n-{old}+{new}");
                let metadata = json!({ "diagnostics": {}, "diff": diff, "filediff": { "file": path, "before": old, "after": new, "additions": 1, "deletions": 1 }, "truncated": false });
                self.tool(
                    "edit",
                    &json!({ "filePath": path, "oldString": old, "newString": new }),
                    "Edit applied successfully.",
                    &metadata,
                )
            }
            Step::Look { path, content } => {
                let shown = each_line(content, |at| format!("{at:05}| "));
                let preview: String = content.chars().take(400).collect();
                self.tool(
                    "read",
                    &json!({ "filePath": self.scene.absolute(path) }),
                    &format!("<file>\n{shown}\n</file>"),
                    &json!({ "preview": preview, "truncated": false }),
                )
            }
            Step::Run { command, output, code } => {
                let metadata =
                    json!({ "output": output, "exit": code, "description": "Run it", "truncated": false });
                self.tool("bash", &json!({ "command": command, "description": "Run it" }), output, &metadata)
            }
            Step::Todos(todos) => {
                let list: Vec<Value> = todos
                    .iter()
                    .map(|(text, status)| json!({ "content": text, "status": status, "priority": "high" }))
                    .collect();
                self.tool(
                    "todowrite",
                    &json!({ "todos": list }),
                    &json!(list).to_string(),
                    &json!({ "todos": list, "truncated": false }),
                )
            }
            Step::Delegate { request, answer } => self.delegate(request, answer),
            Step::Compact { summary } => {
                self.user(&json!({ "type": "compaction", "auto": true, "overflow": false }))?;
                self.assistant(
                    "stop",
                    &[json!({ "type": "text", "text": summary })],
                    Some(("summary", json!(true))),
                )?;
                let go_on = "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.";
                self.user(&json!({ "type": "text", "metadata": { "compaction_continue": true }, "synthetic": true, "text": go_on }))
            }
            Step::Fed(text) => self.user(&json!({ "type": "text", "synthetic": true, "text": text })),
            Step::Fail(text) => {
                let error = json!({ "name": "APIError", "data": { "message": text, "isRetryable": false } });
                self.assistant("", &[], Some(("error", error)))
            }
            Step::Abort { command } => {
                let note = "(no output)\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>";
                let (call, start) = (format!("toolu_01{}", self.random.hex(22)), self.clock.tick());
                let state = json!({ "status": "completed", "input": { "command": command }, "output": note, "metadata": { "output": note, "exit": null }, "title": command, "time": { "start": start, "end": start + 900 } });
                let aborted = json!({ "name": "MessageAbortedError", "data": { "message": "Aborted" } });
                self.assistant(
                    "",
                    &[json!({ "type": "tool", "tool": "bash", "callID": call, "state": state })],
                    Some(("error", aborted)),
                )
            }
        }
    }

    /// A sub-agent has a session of its own, with a parent.
    fn delegate(&mut self, request: &str, answer: &str) -> rusqlite::Result<()> {
        let child = format!("ses_{}", self.random.hex(26));
        let (parent, asked) = (std::mem::replace(&mut self.session, child.clone()), self.asked.clone());
        let start = self.clock.tick();
        self.step(&Step::Human(request.to_owned()))?;
        self.step(&Step::Say(answer.to_owned()))?;
        self.session_row(start, Some(&parent), "look around (@general subagent)")?;
        self.session = parent;
        self.asked = asked;
        let output = format!(
            "<task id=\"{child}\" state=\"completed\">\n<task_result>\n{answer}\n</task_result>\n</task>"
        );
        let metadata = json!({ "sessionId": child, "truncated": false });
        self.tool(
            "task",
            &json!({ "description": "look around", "prompt": request, "subagent_type": "general" }),
            &output,
            &metadata,
        )
    }
}
