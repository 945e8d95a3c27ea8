//! Codex's transcripts: `$CODEX_HOME/sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`. Old ones may be
//! compressed, and then end in `.jsonl.zst`.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hansei_core::session::{Circumstances, SessionEvent, Usage, What};
use hansei_core::timestamp::Timestamp;
use serde_json::value::RawValue;

use super::items::Completed;
use super::lines::{CompactedLine, Event, Line, Meta, Payload, Tokens, TurnContext};
use crate::transcript::{
    DEEPEST_SUB_AGENT, Found, Homes, Known, LARGEST_SUB_AGENT, MOST_SUB_AGENTS, Reading, Sink, by_sub_agent,
    each_line_of, files_below, moment,
};

/// The folder of the user's own files.
pub(crate) fn root(homes: &Homes) -> PathBuf {
    homes.codex.clone().unwrap_or_else(|| homes.home.join(".codex"))
}

/// All sessions on disk, but for those of sub-agents: they belong to their session.
pub(crate) fn sessions(homes: &Homes) -> Vec<Found> {
    let root = root(homes);
    let mut files = Vec::new();
    files_below(&root.join("sessions"), 3, ".jsonl", &mut files);
    files_below(&root.join("archived_sessions"), 0, ".jsonl", &mut files);
    #[cfg(feature = "transcripts")]
    {
        files_below(&root.join("sessions"), 3, ".jsonl.zst", &mut files);
        files_below(&root.join("archived_sessions"), 0, ".jsonl.zst", &mut files);
    }
    // While one is being compressed it is there in both forms: the first is the one that is written to.
    let mut known = BTreeSet::new();
    files
        .into_iter()
        .filter_map(|(file, modified, size)| {
            let name = file.file_name()?.to_str()?.strip_suffix(".zst").or(file.file_name()?.to_str())?;
            let name = name.strip_suffix(".jsonl")?.strip_prefix("rollout-")?;
            // A time of 19 characters and a dash stand before the id.
            let id = name.get(20..).unwrap_or(name).to_owned();
            let is_new = known.insert(id.clone());
            (is_new && !is_of_subagent(&file)).then_some(Found {
                agent: super::NAME,
                id,
                file,
                modified,
                size,
            })
        })
        .collect()
}

/// Whether the head of the file says that another session started this one.
fn is_of_subagent(file: &Path) -> bool {
    let mut head = Vec::new();
    let read = open(file).and_then(|file| file.take(2048).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    read.is_ok()
        && (head.contains(r#""thread_source":"subagent""#) || head.contains(r#""source":{"subagent""#))
}

/// What stands in a transcript, compressed or not.
fn open(file: &Path) -> io::Result<Box<dyn Read>> {
    #[cfg(feature = "transcripts")]
    if file.extension().is_some_and(|ending| ending == "zst") {
        return Ok(Box::new(crate::compressed::open(file)?));
    }
    Ok(Box::new(File::open(file)?))
}

/// Streams the events of one session.
pub(crate) fn read(found: &Found, sink: &mut Sink<'_>) -> io::Result<Reading> {
    read_file(&found.file, DEEPEST_SUB_AGENT, sink)
}

/// Streams the events of a session and, so deep, of those that it started.
fn read_file(file: &Path, deep: u8, sink: &mut Sink<'_>) -> io::Result<Reading> {
    let mut reader = Reader {
        folder: file.parent().unwrap_or(Path::new("")),
        deep,
        children: Vec::new(),
        sink,
        at: None,
        circumstances: Circumstances::default(),
        headed: false,
        plan: false,
        tokens: Tokens::default(),
        calls: HashSet::new(),
        running: BTreeMap::new(),
        polls: BTreeMap::new(),
        held: Vec::new(),
    };
    let reading = each_line_of(open(file)?, |line| reader.line(line))?;
    reader.release();
    Ok(reading)
}

pub(super) struct Reader<'s, 'f> {
    sink: &'s mut Sink<'f>,
    /// Where the sessions of sub-agents lie.
    folder: &'s Path,
    deep: u8,
    /// What sub-agents did that is not due yet.
    children: Vec<VecDeque<SessionEvent>>,
    at: Option<Timestamp>,
    circumstances: Circumstances,
    /// Whether the file's own head was read: a fork repeats the head of what it was forked from.
    headed: bool,
    plan: bool,
    /// The tokens counted so far.
    tokens: Tokens,
    /// The calls that stand in the rollout themselves.
    pub(super) calls: HashSet<String>,
    /// The calls of commands that still run, by Codex's number for the process.
    pub(super) running: BTreeMap<String, String>,
    /// Calls that look after a running command: the process of each.
    pub(super) polls: BTreeMap<String, String>,
    /// The agent's last words, until it is known that they are not a compaction's summary.
    held: Vec<SessionEvent>,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &[u8]) -> Known {
        let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else { return Known::No };
        self.at = moment(line.timestamp.as_deref());
        self.catch_up();
        match line.payload {
            Payload::Item(mut item) => self.item(&mut item),
            Payload::Event(event) => self.event(&event),
            Payload::TurnContext(context) => self.turn_context(&context),
            Payload::Meta(meta) => self.meta(&meta),
            Payload::Compacted(compacted) => self.compacted(&compacted),
            Payload::Nothing => Known::Yes,
            Payload::Unknown => Known::No,
        }
    }

    /// Reads the session of a sub-agent that `call` started. What it did follows when its time comes.
    pub(super) fn began(&mut self, agent: &str, call: &str) {
        if self.deep == 0 || self.children.len() == MOST_SUB_AGENTS || agent.len() < 8 {
            return;
        }
        let endings = [format!("-{agent}.jsonl"), format!("-{agent}.jsonl.zst")];
        let files = std::fs::read_dir(self.folder).into_iter().flatten().flatten();
        let file = files.map(|entry| entry.path()).find(|file| {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            endings.iter().any(|ending| name.ends_with(ending.as_str()))
        });
        let Some(file) = file.filter(|file| {
            let meta = std::fs::symlink_metadata(file);
            meta.is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST_SUB_AGENT)
        }) else {
            return;
        };
        let mut events = VecDeque::new();
        let mut take = |event| events.extend(by_sub_agent(call, event));
        if read_file(&file, self.deep - 1, &mut take).is_ok() {
            self.children.push(events);
        }
    }

    /// Tells what sub-agents did up to this line.
    fn catch_up(&mut self) {
        let Some(now) = &self.at else { return };
        let now = now.as_str();
        for child in &mut self.children {
            while child.front().is_some_and(|event| event.at.as_ref().is_none_or(|at| at.as_str() <= now)) {
                child.pop_front().into_iter().for_each(&mut *self.sink);
            }
        }
        self.children.retain(|child| !child.is_empty());
    }

    pub(super) fn emit(&mut self, id: Option<&str>, what: What) {
        if !self.held.is_empty() && !matches!(what, What::Used(_)) {
            self.release();
        }
        let hold = !self.held.is_empty() || matches!(what, What::Said { .. });
        let event = SessionEvent { at: self.at.clone(), id: id.map(ToOwned::to_owned), what };
        if hold { self.held.push(event) } else { (self.sink)(event) }
    }

    fn release(&mut self) {
        for event in self.held.drain(..) {
            (self.sink)(event);
        }
    }

    fn started(&mut self, now: Circumstances) {
        if now != self.circumstances {
            self.circumstances = now.clone();
            self.emit(None, What::Started(now));
        }
    }

    fn meta(&mut self, meta: &Meta<'_>) -> Known {
        if std::mem::replace(&mut self.headed, true) {
            return Known::Yes;
        }
        let owned = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(ToOwned::to_owned);
        let attended = meta.source.map(RawValue::get).and_then(|source| match source {
            r#""cli""# | r#""vscode""# => Some(true),
            r#""exec""# => Some(false),
            _ => None,
        });
        self.started(Circumstances {
            version: owned(&meta.cli_version),
            model: None,
            cwd: owned(&meta.cwd),
            branch: meta.git.as_ref().and_then(|git| owned(&git.branch)),
            attended,
            forked_from: owned(&meta.forked_from_id),
        });
        Known::Yes
    }

    fn turn_context(&mut self, context: &TurnContext<'_>) -> Known {
        let owned = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(ToOwned::to_owned);
        let mut now = self.circumstances.clone();
        now.cwd = owned(&context.cwd).or(now.cwd);
        now.model = owned(&context.model).or(now.model);
        self.started(now);
        let mode = context.collaboration_mode.as_ref().and_then(|mode| mode.mode.as_deref());
        let plan = mode == Some("plan");
        if plan != self.plan {
            self.plan = plan;
            self.emit(None, What::Permission { plan, name: mode.unwrap_or("default").to_owned() });
        }
        Known::Yes
    }

    /// The summary was also recorded as the agent's words, which nobody heard.
    fn compacted(&mut self, compacted: &CompactedLine<'_>) -> Known {
        let summary = compacted.message.as_deref().filter(|message| !message.is_empty());
        if let Some(summary) = summary {
            self.held.retain(
                |event| !matches!(&event.what, What::Said { text } if summary.ends_with(text.as_str())),
            );
        }
        self.release();
        self.emit(None, What::Compacted { summary: summary.map(ToOwned::to_owned) });
        Known::Yes
    }

    fn event(&mut self, event: &Event<'_>) -> Known {
        match &*event.kind {
            "token_count" => self.tokens(event),
            "turn_aborted" if event.reason.as_deref() != Some("review_ended") => {
                self.emit(None, What::Aborted);
            }
            "task_complete" | "turn_complete" => match &event.error {
                Some(error) => {
                    let error = error.message.as_deref().unwrap_or_default().to_owned();
                    self.emit(None, What::Failed { error });
                }
                None => self.emit(None, What::Stopped),
            },
            "error" => {
                let error = event.message.as_deref().unwrap_or_default().to_owned();
                self.emit(None, What::Failed { error });
            }
            "item_completed" => {
                return event.item.as_ref().map_or(Known::No, |item| self.completed(item));
            }
            "task_started"
            | "turn_started"
            | "thread_settings_applied"
            | "user_message"
            | "agent_message"
            | "agent_reasoning"
            | "agent_reasoning_raw_content"
            | "context_compacted"
            | "turn_aborted"
            | "stream_error"
            | "warning"
            | "entered_review_mode"
            | "exited_review_mode"
            | "thread_rolled_back"
            | "thread_name_updated"
            | "thread_goal_updated"
            | "shutdown_complete"
            | "item_started"
            | "mcp_tool_call_end"
            | "web_search_end"
            | "image_generation_end"
            | "exec_command_end"
            | "patch_apply_end"
            | "view_image_tool_call"
            | "plan_update"
            | "model_reroute" => {}
            _ => return Known::No,
        }
        Known::Yes
    }

    /// The line comes again when only the limits changed, so the growth of the total counts.
    fn tokens(&mut self, event: &Event<'_>) {
        let Some(info) = &event.info else { return };
        let total = info.total_token_usage;
        let usage = Usage {
            input_tokens: total.input_tokens.saturating_sub(self.tokens.input_tokens),
            output_tokens: total.output_tokens.saturating_sub(self.tokens.output_tokens),
            cost_usd: None,
        };
        self.tokens = total;
        if usage != Usage::default() {
            self.emit(None, What::Used(usage));
        }
    }

    fn completed(&mut self, item: &Completed<'_>) -> Known {
        let Some(id) = item.id.as_deref() else { return Known::No };
        let outlived = item.process_id.as_deref().and_then(|process| self.running.remove(process));
        let call = outlived.as_deref().unwrap_or(id);
        if (outlived.is_some() || !self.calls.contains(id))
            && let Some([called, answered]) = item.call(call)
        {
            if outlived.is_none() {
                self.emit(None, called);
            }
            self.emit(None, answered);
        }
        if item.is_known() { Known::Yes } else { Known::No }
    }
}
