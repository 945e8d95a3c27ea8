//! OpenCode's sessions: rows of `session`, `message` and `part` in an SQLite database. Kilo's have the same form.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use hansei_core::session::{Circumstances, Feeder, HumanVia, SessionEvent, Usage, What};
use hansei_core::timestamp::Timestamp;
use rusqlite::Connection;
use serde_json::Value;

use super::database::{open, unreadable};
use super::records::{Message, Part};
use super::tools;
use crate::transcript::{Found, Known, Reading, Sink, moment_of_millis};

/// All sessions in a database. Those of sub-agents have a parent and belong to it.
pub(crate) fn sessions_in(file: &Path, agent: &'static str) -> Vec<Found> {
    if !file.is_file() {
        return Vec::new();
    }
    open(file).and_then(|database| list(&database, file, agent)).unwrap_or_default()
}

fn list(database: &Connection, file: &Path, agent: &'static str) -> io::Result<Vec<Found>> {
    let mut query = database
        .prepare(
            "SELECT id, time_updated, \
             (SELECT coalesce(sum(octet_length(data)), 0) FROM part WHERE session_id = session.id) \
             FROM session WHERE parent_id IS NULL",
        )
        .map_err(unreadable)?;
    let rows = query
        .query_map([], |row| {
            let updated = Duration::from_millis(u64::try_from(row.get::<_, i64>(1)?).unwrap_or_default());
            Ok(Found {
                agent,
                id: row.get(0)?,
                file: file.to_owned(),
                modified: SystemTime::UNIX_EPOCH + updated,
                size: u64::try_from(row.get::<_, i64>(2)?).unwrap_or_default(),
            })
        })
        .map_err(unreadable)?;
    Ok(rows.flatten().collect())
}

/// Streams the events of one session.
pub(crate) fn read(found: &Found, sink: &mut Sink<'_>) -> io::Result<Reading> {
    let database = open(&found.file)?;
    read_session(&database, &found.id, sink).map_err(unreadable)
}

fn read_session(database: &Connection, session: &str, sink: &mut Sink<'_>) -> rusqlite::Result<Reading> {
    let mut reader = Reader { sink, circumstances: Circumstances::default(), plan: false };
    let version =
        database.query_row("SELECT version, directory FROM session WHERE id = ?1", [session], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let (version, cwd) = version;
    let start = Circumstances { version, cwd, ..Circumstances::default() };
    let mut reading = Reading::default();
    let mut messages =
        database.prepare("SELECT id, data FROM message WHERE session_id = ?1 ORDER BY time_created, id")?;
    let mut parts = database.prepare("SELECT id, data FROM part WHERE message_id = ?1 ORDER BY id")?;
    let mut rows = messages.query([session])?;
    let mut count = |known| {
        reading.lines += 1;
        reading.unknown += u64::from(known == Known::No);
    };
    while let Some(row) = rows.next()? {
        let id = row.get_ref(0)?.as_str()?;
        let Ok(message) = serde_json::from_str::<Message<'_>>(row.get_ref(1)?.as_str()?) else {
            count(Known::No);
            continue;
        };
        count(reader.begin(&message, &start));
        let mut parts = parts.query([id])?;
        let mut heard = Heard::default();
        while let Some(row) = parts.next()? {
            let part_id = row.get_ref(0)?.as_str()?;
            let part = serde_json::from_str::<Part<'_>>(row.get_ref(1)?.as_str()?);
            count(part.map_or(Known::No, |part| reader.part(&message, part_id, &part, &mut heard)));
        }
        reader.end(id, &message, heard);
    }
    Ok(reading)
}

/// The texts of a message that is not the agent's.
#[derive(Default)]
struct Heard {
    human: Vec<String>,
    /// What was put in by OpenCode or a plugin, and whether OpenCode is known to have.
    synthetic: Vec<(String, bool)>,
    summary: Vec<String>,
}

struct Reader<'s, 'f> {
    sink: &'s mut Sink<'f>,
    circumstances: Circumstances,
    plan: bool,
}

impl Reader<'_, '_> {
    fn emit(&mut self, id: &str, at: Option<Timestamp>, what: What) {
        (self.sink)(SessionEvent { at, id: Some(id.to_owned()), what });
    }

    fn begin(&mut self, message: &Message<'_>, start: &Circumstances) -> Known {
        let at = message.time.created.and_then(moment_of_millis);
        let owned = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(ToOwned::to_owned);
        let mut now = Circumstances { version: start.version.clone(), ..self.circumstances.clone() };
        let cwd = message.path.as_ref().and_then(|path| owned(&path.cwd));
        now.cwd = cwd.or(now.cwd).or_else(|| start.cwd.clone());
        now.model = owned(&message.model).or(now.model);
        if now != self.circumstances {
            self.circumstances = now.clone();
            (self.sink)(SessionEvent { at: at.clone(), id: None, what: What::Started(now) });
        }
        if message.role == "user"
            && let Some(agent) = message.agent.as_deref()
            && (agent == "plan") != self.plan
        {
            self.plan = !self.plan;
            let what = What::Permission { plan: self.plan, name: agent.to_owned() };
            (self.sink)(SessionEvent { at, id: None, what });
        }
        if matches!(&*message.role, "user" | "assistant") { Known::Yes } else { Known::No }
    }

    fn part(&mut self, message: &Message<'_>, id: &str, part: &Part<'_>, heard: &mut Heard) -> Known {
        let text = || part.text.as_deref().unwrap_or_default().to_owned();
        let at = part.time.start.or(message.time.created).and_then(moment_of_millis);
        let is_summary = message.summary.is_some_and(|summary| summary.get() == "true");
        match &*part.kind {
            "text" if part.ignored => {}
            "text" if message.role == "user" && part.synthetic => {
                let own = part.metadata.as_ref().is_some_and(|metadata| metadata.compaction_continue);
                heard.synthetic.push((text(), own));
            }
            "text" if message.role == "user" => heard.human.push(text()),
            "text" if is_summary => heard.summary.push(text()),
            "text" => self.emit(id, at, What::Said { text: text() }),
            "reasoning" if is_summary => {}
            "reasoning" => self.emit(id, at, What::Thought { text: text() }),
            "tool" => self.tool(id, part, at),
            // A command of the human's that a sub-agent carries out.
            "subtask" => heard.human.extend(part.prompt.as_deref().map(ToOwned::to_owned)),
            "step-start" | "step-finish" | "patch" | "snapshot" | "file" | "agent" | "retry"
            | "compaction" => {}
            _ => return Known::No,
        }
        Known::Yes
    }

    fn tool(&mut self, id: &str, part: &Part<'_>, at: Option<Timestamp>) {
        let (Some(call), Some(tool), Some(state)) = (part.call.as_deref(), part.tool.as_deref(), &part.state)
        else {
            return;
        };
        let at = state.time.start.and_then(moment_of_millis).or(at);
        let input: Value =
            state.input.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        let action = tools::action(tool, &input);
        let called = What::Called { call: call.to_owned(), tool: tool.to_owned(), input, action };
        self.emit(id, at.clone(), called);
        if let Some((output, end, exit_code)) = tools::answer(tool, state) {
            let at = state.time.end.and_then(moment_of_millis).or(at);
            self.emit(id, at, What::Answered { call: call.to_owned(), output, end, exit_code });
        }
    }

    fn end(&mut self, id: &str, message: &Message<'_>, heard: Heard) {
        let at = message.time.created.and_then(moment_of_millis);
        let ended = message.time.completed.and_then(moment_of_millis).or_else(|| at.clone());
        let from_human = !heard.human.is_empty();
        if from_human {
            let text = heard.human.join("\n");
            self.emit(id, at.clone(), What::HumanSaid { text, via: HumanVia::Prompt });
        }
        for (text, own) in heard.synthetic {
            let by = if own || from_human || is_machinery(&text) { Feeder::Agent } else { Feeder::StopHook };
            self.emit(id, at.clone(), What::Fed { text, by });
        }
        if message.role != "assistant" {
            return;
        }
        if message.summary.is_some_and(|summary| summary.get() == "true") {
            let summary = (!heard.summary.is_empty()).then(|| heard.summary.join("\n"));
            self.emit(id, ended.clone(), What::Compacted { summary });
        }
        let tokens = &message.tokens;
        let usage = Usage {
            input_tokens: tokens.input.saturating_add(tokens.cache.read).saturating_add(tokens.cache.write),
            output_tokens: tokens.output.saturating_add(tokens.reasoning),
            cost_usd: (message.cost > 0.0).then_some(message.cost),
        };
        if usage != Usage::default() {
            self.emit(id, ended.clone(), What::Used(usage));
        }
        match &message.error {
            Some(error) if error.name == "MessageAbortedError" => self.emit(id, ended, What::Aborted),
            Some(error) => {
                let said = error.data.as_ref().and_then(|data| data.message.as_deref());
                let error = said.unwrap_or(&error.name).to_owned();
                self.emit(id, ended, What::Failed { error });
            }
            // A reason that the model gave for going on is a tool call.
            None if message.finish.as_deref() == Some("stop") && message.summary.is_none() => {
                self.emit(id, ended, What::Stopped);
            }
            None => {}
        }
    }
}

/// Whether a text in the human's place was written by OpenCode: a plugin's has no mark of its own.
fn is_machinery(text: &str) -> bool {
    let beginnings = [
        "Continue if you have next steps",
        "Summarize the task tool output above",
        "The following tool was executed by the user",
        "The plan at ",
        "Called the Read tool with",
        "Reading MCP resource",
        "<task ",
        "<system-reminder>",
        "Background task",
    ];
    beginnings.iter().any(|beginning| text.trim_start().starts_with(beginning))
}
