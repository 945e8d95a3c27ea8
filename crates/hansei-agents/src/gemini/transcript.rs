//! Gemini CLI's transcripts: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, a record a line, some of which
//! replace earlier ones. Older versions wrote one JSON object, `session-….json`. A sub-agent has a chat of its own,
//! `chats/<the session's id>/<its id>.jsonl`, and the call that started it names it.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use hansei_core::interrupt::is_ours;
use hansei_core::session::{Action, Circumstances, Feeder, HumanVia, SessionEvent, Usage, What};
use hansei_core::timestamp::Timestamp;
use serde_json::Value;

use super::lines::{Part, Record, ToolCall, answer, text};
use super::tools;
use crate::any_tool;
use crate::transcript::{
    Found, Homes, Known, LARGEST_SUB_AGENT, MOST_SUB_AGENTS, Reading, Sink, by_sub_agent, each_line,
    files_below, moment,
};

/// All sessions on disk. Those of sub-agents lie deeper and belong to their session.
pub(crate) fn sessions(homes: &Homes) -> Vec<Found> {
    let root = homes.home.join(".gemini/tmp");
    let mut files = Vec::new();
    files_below(&root, 2, ".jsonl", &mut files);
    files_below(&root, 2, ".json", &mut files);
    // Whoever resumes a session leaves a second file of it, in which it only begins: the larger one goes on.
    let mut largest: BTreeMap<String, Found> = BTreeMap::new();
    let found = files.into_iter().filter_map(|(file, modified, size)| {
        let name = file.file_stem()?.to_str()?;
        let in_chats = file.parent()?.file_name()? == "chats";
        let id = (in_chats && name.starts_with("session-")).then(|| id_of(&file, name))?;
        Some(Found { agent: super::NAME, id, file, modified, size })
    });
    for session in found {
        match largest.get(&session.id) {
            Some(other) if (other.size, other.modified) >= (session.size, session.modified) => {}
            _ => drop(largest.insert(session.id.clone(), session)),
        }
    }
    largest.into_values().collect()
}

/// The session's id stands at the head of the file; its name has only the beginning of it.
fn id_of(file: &Path, name: &str) -> String {
    let mut head = Vec::new();
    let read = File::open(file).and_then(|file| file.take(512).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    let id = head.split_once(r#""sessionId":"#).and_then(|(_, rest)| rest.split('"').nth(1));
    id.filter(|_| read.is_ok()).unwrap_or(name).to_owned()
}

/// Streams the events of one session.
pub(crate) fn read(found: &Found, sink: &mut Sink<'_>) -> io::Result<Reading> {
    read_file(&found.file, true, sink)
}

/// Streams the events of a chat, and of those of its sub-agents where it `follows` them.
fn read_file(file: &Path, follows: bool, sink: &mut Sink<'_>) -> io::Result<Reading> {
    let mut reader = Reader {
        sink,
        folder: file.parent().filter(|_| follows),
        session: None,
        sub_agents: 0,
        circumstances: Circumstances::default(),
        cwd: project_root(file),
        seen: HashSet::new(),
        called: HashSet::new(),
        open: BTreeMap::new(),
        plan: false,
        asked: false,
        answered_at: None,
    };
    if file.extension().is_some_and(|ending| ending == "json") {
        let text = std::fs::read(file)?;
        let known = reader.line(&text);
        let torn = known == Known::No;
        return Ok(Reading { lines: 1, unknown: 0, torn });
    }
    each_line(file, |line| reader.line(line))
}

/// The folder that the project of a chat lies in, as the agent notes it beside its chats.
fn project_root(file: &Path) -> Option<String> {
    let noted = std::fs::read_to_string(file.parent()?.parent()?.join(".project_root")).ok()?;
    let root = noted.trim();
    (!root.is_empty()).then(|| root.to_owned())
}

struct Reader<'s, 'f> {
    sink: &'s mut Sink<'f>,
    /// Where the chats lie, if those of sub-agents are to be read.
    folder: Option<&'s Path>,
    /// The session's id, as its head tells.
    session: Option<String>,
    /// How many sub-agents were read.
    sub_agents: usize,
    circumstances: Circumstances,
    cwd: Option<String>,
    /// Messages whose words were taken: each comes again with its tool calls, and all come again when one is removed.
    seen: HashSet<String>,
    called: HashSet<String>,
    /// Calls that have no answer yet, and whether each runs a command.
    open: BTreeMap<String, bool>,
    plan: bool,
    /// Whether a human spoke yet.
    asked: bool,
    /// When the agent last said something without calling a tool after it.
    answered_at: Option<Timestamp>,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &[u8]) -> Known {
        let Ok(record) = serde_json::from_slice::<Record<'_>>(line) else { return Known::No };
        if record.kind.is_some() {
            return self.message(&record);
        }
        if let Some(id) = &record.session_id {
            self.session.get_or_insert_with(|| id.clone().into_owned());
        }
        if let Some(set) = &record.set {
            let messages: Vec<Record<'_>> =
                set.messages.iter().filter_map(|raw| serde_json::from_str(raw.get()).ok()).collect();
            for (place, message) in messages.iter().enumerate() {
                self.replaced(message, messages.get(place + 1));
            }
        }
        for raw in &record.messages {
            if let Ok(message) = serde_json::from_str::<Record<'_>>(raw.get()) {
                self.message(&message);
            }
        }
        if record.set.is_some() || record.session_id.is_some() || record.rewind_to.is_some() {
            Known::Yes
        } else {
            Known::No
        }
    }

    /// A message of a list that replaces all that was written before. What the agent says for the first time there
    /// was put into its mouth to shorten the history.
    fn replaced(&mut self, message: &Record<'_>, next: Option<&Record<'_>>) {
        if message.is("gemini") && message.tool_calls.is_empty() {
            return;
        }
        // A model that was asked for a summary may leave out the tags that it was to put it in.
        let acknowledged = next.is_some_and(|next| {
            next.is("gemini") && text(&next.content) == "Got it. Thanks for the additional context!"
        });
        if acknowledged && message.is("user") && !self.seen.contains(&*message.id) {
            self.seen.insert(message.id.clone().into_owned());
            let summary = Some(text(&message.content));
            self.emit(message, moment(message.timestamp.as_deref()), What::Compacted { summary });
            return;
        }
        self.message(message);
    }

    fn emit(&mut self, message: &Record<'_>, at: Option<Timestamp>, what: What) {
        (self.sink)(SessionEvent { at, id: Some(message.id.clone().into_owned()), what });
    }

    fn message(&mut self, message: &Record<'_>) -> Known {
        let is_new = !self.seen.contains(&*message.id);
        if is_new {
            self.seen.insert(message.id.clone().into_owned());
        }
        let at = moment(message.timestamp.as_deref());
        match message.kind.as_deref().unwrap_or_default() {
            "user" if is_new => self.user(message, at),
            "gemini" => self.gemini(message, at.as_ref(), is_new),
            "error" if is_new => {
                let error = text(&message.content);
                self.emit(message, at, What::Failed { error });
            }
            "info" if is_new && text(&message.content).contains("cancelled") => {
                self.emit(message, at, What::Aborted);
            }
            "user" | "error" | "info" | "warning" => {}
            _ => return Known::No,
        }
        Known::Yes
    }

    fn circumstances(&mut self, message: &Record<'_>, at: Option<&Timestamp>) {
        let model = message.model.as_deref().map(ToOwned::to_owned);
        let now = Circumstances {
            cwd: self.cwd.clone(),
            model: model.or_else(|| self.circumstances.model.clone()),
            ..Circumstances::default()
        };
        if now != self.circumstances {
            self.circumstances = now.clone();
            self.emit(message, at.cloned(), What::Started(now));
        }
    }

    fn user(&mut self, message: &Record<'_>, at: Option<Timestamp>) {
        self.circumstances(message, at.as_ref());
        for part in &message.content.0 {
            self.responded(message, part, at.as_ref());
        }
        let text = text(&message.content);
        if text.is_empty() {
            return;
        }
        let what = self.said_to_agent(text, at.as_ref());
        self.emit(message, at, what);
    }

    /// Who spoke. A hook's reason looks like any prompt: it is known by coming at once after the agent's last words.
    fn said_to_agent(&mut self, text: String, at: Option<&Timestamp>) -> What {
        if text.contains("<state_snapshot>") {
            return What::Compacted { summary: Some(text) };
        }
        if is_ours(&text) {
            return What::Fed { text, by: Feeder::StopHook };
        }
        let machinery = ["<session_context>", "<hook_context>", "This is the Gemini CLI.", "System: "];
        if machinery.iter().any(|beginning| text.starts_with(beginning)) {
            return What::Fed { text, by: Feeder::Agent };
        }
        let at_once = self.answered_at.take().zip(at).is_some_and(|(before, at)| is_at_once(&before, at));
        if std::mem::replace(&mut self.asked, true) && at_once {
            return What::Fed { text, by: Feeder::StopHook };
        }
        What::HumanSaid { text, via: HumanVia::Prompt }
    }

    fn gemini(&mut self, message: &Record<'_>, at: Option<&Timestamp>, is_new: bool) {
        if is_new {
            self.circumstances(message, at);
            for thought in &message.thoughts {
                let words = [&*thought.subject, &*thought.description];
                let words: Vec<&str> = words.into_iter().filter(|words| !words.is_empty()).collect();
                self.emit(message, at.cloned(), What::Thought { text: words.join(": ") });
            }
            let text = text(&message.content);
            if !text.is_empty() {
                self.emit(message, at.cloned(), What::Said { text });
            }
            if let Some(tokens) = &message.tokens {
                let output_tokens = tokens.output.saturating_add(tokens.thoughts);
                let usage = Usage { input_tokens: tokens.input, output_tokens, cost_usd: None };
                self.emit(message, at.cloned(), What::Used(usage));
            }
            self.answered_at = at.cloned();
        }
        for call in &message.tool_calls {
            self.answered_at = None;
            self.call(message, call, at);
        }
    }

    fn call(&mut self, message: &Record<'_>, call: &ToolCall<'_>, at: Option<&Timestamp>) {
        let id = call.id.clone().into_owned();
        if self.called.insert(id.clone()) {
            let input: Value =
                call.args.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
            let action = any_tool::action(&call.name, &input);
            let tool = call.name.clone().into_owned();
            self.open.insert(id.clone(), matches!(action, Action::Run { .. }));
            self.emit(message, at.cloned(), What::Called { call: id, tool, input, action });
        }
        if let Some(status @ ("success" | "error" | "cancelled")) = call.status.as_deref() {
            let ended = moment(call.timestamp.as_deref()).or_else(|| at.cloned());
            if let Some(agent) = call.agent.as_deref().filter(|_| self.open.contains_key(&*call.id)) {
                self.sub_agent(&call.id, agent);
            }
            let (answer, is_error) = answer(&call.result.0);
            self.answer(message, call, (&answer, is_error, status), ended);
        }
    }

    /// Tells what the sub-agent did that `call` started.
    fn sub_agent(&mut self, call: &str, agent: &str) {
        let is_plain = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let (Some(folder), Some(session)) = (self.folder, &self.session) else { return };
        if self.sub_agents == MOST_SUB_AGENTS || !is_plain(session) || !is_plain(agent) {
            return;
        }
        let file = folder.join(session).join(agent).with_extension("jsonl");
        let meta = std::fs::symlink_metadata(&file);
        if !meta.is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST_SUB_AGENT) {
            return;
        }
        self.sub_agents += 1;
        let sink = &mut *self.sink;
        let mut of_it = |event| by_sub_agent(call, event).into_iter().for_each(&mut *sink);
        // One that cannot be read leaves only what its call says.
        let _ = read_file(&file, false, &mut of_it);
    }

    fn answer(
        &mut self,
        message: &Record<'_>,
        call: &ToolCall<'_>,
        (answer, is_error, status): (&str, bool, &str),
        at: Option<Timestamp>,
    ) {
        let Some(runs) = self.open.remove(&*call.id) else { return };
        let tools::Ending { end, exit_code, output } =
            tools::ending(&call.name, runs, status, is_error, answer);
        let call_id = call.id.clone().into_owned();
        self.emit(message, at.clone(), What::Answered { call: call_id, output, end, exit_code });
        let plan = match &*call.name {
            "enter_plan_mode" => true,
            "exit_plan_mode" => false,
            _ => self.plan,
        };
        if status == "success" && plan != self.plan {
            self.plan = plan;
            let name = if plan { "plan" } else { "default" };
            self.emit(message, at, What::Permission { plan, name: name.into() });
        }
    }

    /// An answer that only stands in what went back to the model.
    fn responded(&mut self, message: &Record<'_>, part: &Part<'_>, at: Option<&Timestamp>) {
        let Some(id) = part.function_response.as_ref().and_then(|response| response.id.as_deref()) else {
            return;
        };
        let Some(runs) = self.open.remove(id) else { return };
        let (output, is_error) = answer(std::slice::from_ref(part));
        let tools::Ending { end, exit_code, output } = tools::ending("", runs, "", is_error, &output);
        self.emit(message, at.cloned(), What::Answered { call: id.to_owned(), output, end, exit_code });
    }
}

/// Whether `later` is within a second of `before`.
fn is_at_once(before: &Timestamp, later: &Timestamp) -> bool {
    let parsed = |at: &Timestamp| at.as_str().parse::<jiff::Timestamp>().ok();
    let (Some(before), Some(later)) = (parsed(before), parsed(later)) else { return false };
    (0..1000).contains(&(later.as_millisecond() - before.as_millisecond()))
}
