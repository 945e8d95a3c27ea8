//! Codex's transcripts: `$CODEX_HOME/sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use hansei_core::session::{Action, Circumstances, Feeder, SessionEvent, Usage, What};
use hansei_core::timestamp::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::items::Completed;
use super::lines::{CompactedLine, Event, Item, Line, Meta, Tokens, TurnContext, text_of};
use super::{prompts, tools};
use crate::transcript::{Found, Homes, Known, Reading, Sink, each_line, files_below, moment};

/// All sessions on disk, but for those of sub-agents: they belong to their session.
pub(crate) fn sessions(homes: &Homes) -> Vec<Found> {
    let root = homes.codex.clone().unwrap_or_else(|| homes.home.join(".codex"));
    let mut files = Vec::new();
    files_below(&root.join("sessions"), 3, ".jsonl", &mut files);
    files_below(&root.join("archived_sessions"), 0, ".jsonl", &mut files);
    files
        .into_iter()
        .filter_map(|(file, modified, size)| {
            let name = file.file_stem()?.to_str()?.strip_prefix("rollout-")?;
            // A time of 19 characters and a dash stand before the id.
            let id = name.get(20..).unwrap_or(name).to_owned();
            (!is_of_subagent(&file)).then_some(Found { agent: super::NAME, id, file, modified, size })
        })
        .collect()
}

/// Whether the head of the file says that another session started this one.
fn is_of_subagent(file: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(file).and_then(|file| file.take(2048).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    read.is_ok()
        && (head.contains(r#""thread_source":"subagent""#) || head.contains(r#""source":{"subagent""#))
}

/// Streams the events of one session.
pub(crate) fn read(found: &Found, sink: &mut Sink<'_>) -> io::Result<Reading> {
    let mut reader = Reader {
        sink,
        at: None,
        circumstances: Circumstances::default(),
        headed: false,
        plan: false,
        tokens: Tokens::default(),
        calls: BTreeSet::new(),
        running: BTreeMap::new(),
        polls: BTreeMap::new(),
        held: Vec::new(),
    };
    let reading = each_line(&found.file, |line| reader.line(line))?;
    reader.release();
    Ok(reading)
}

/// A command that outlived its call.
struct Running {
    call: String,
    action: Action,
    input: Value,
}

struct Reader<'s, 'f> {
    sink: &'s mut Sink<'f>,
    at: Option<Timestamp>,
    circumstances: Circumstances,
    /// Whether the file's own head was read: a fork repeats the head of what it was forked from.
    headed: bool,
    plan: bool,
    /// The tokens counted so far.
    tokens: Tokens,
    /// The calls that stand in the rollout themselves.
    calls: BTreeSet<String>,
    /// Commands that still run, by Codex's number for the process.
    running: BTreeMap<String, Running>,
    /// Calls that look after a running command: the process of each.
    polls: BTreeMap<String, String>,
    /// The agent's last words, until it is known that they are not a compaction's summary.
    held: Vec<SessionEvent>,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &[u8]) -> Known {
        let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else { return Known::No };
        self.at = moment(line.timestamp.as_deref());
        let payload = line.payload;
        match &*line.kind {
            "response_item" => read_as(payload, |item: Item<'_>| self.item(&item)),
            "event_msg" => read_as(payload, |event: Event<'_>| self.event(&event)),
            "turn_context" => read_as(payload, |context| self.turn_context(&context)),
            "session_meta" => read_as(payload, |meta| self.meta(&meta)),
            "compacted" => read_as(payload, |compacted| self.compacted(&compacted)),
            "world_state" | "token_usage_record" => Known::Yes,
            _ => Known::No,
        }
    }

    fn emit(&mut self, id: Option<&str>, what: What) {
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

    fn item(&mut self, item: &Item<'_>) -> Known {
        let id = item.id.as_deref();
        match &*item.kind {
            "message" => self.message(item),
            "reasoning" => {
                let thought = |raw: Option<&RawValue>| raw.map(text_of).filter(|text| !text.is_empty());
                if let Some(text) = thought(item.summary).or_else(|| thought(item.content)) {
                    self.emit(id, What::Thought { text });
                }
            }
            "function_call" | "custom_tool_call" => {
                let input = match (&item.arguments, &item.input) {
                    (Some(arguments), _) => serde_json::from_str(arguments)
                        .unwrap_or_else(|_| Value::String(arguments.clone().into_owned())),
                    (None, Some(input)) => Value::String(input.clone().into_owned()),
                    (None, None) => Value::Null,
                };
                self.called(item, item.name.as_deref().unwrap_or_default(), input);
            }
            "local_shell_call" => {
                let input = item.action.and_then(|raw| serde_json::from_str(raw.get()).ok());
                self.called(item, "local_shell", input.unwrap_or_default());
            }
            "function_call_output" | "custom_tool_call_output" => self.answered(item),
            "web_search_call"
            | "image_generation_call"
            | "tool_search_call"
            | "tool_search_output"
            | "ghost_snapshot"
            | "compaction"
            | "compaction_summary"
            | "context_compaction"
            | "additional_tools"
            | "other" => {}
            _ => return Known::No,
        }
        Known::Yes
    }

    fn message(&mut self, item: &Item<'_>) {
        let text = item.content.map(text_of).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        let what = match item.role.as_deref() {
            Some("assistant") => What::Said { text },
            Some("user") => {
                prompts::user(text, item.about.as_ref().and_then(super::lines::About::is_machinery))
            }
            _ => What::Fed { text, by: Feeder::Agent },
        };
        self.emit(item.id.as_deref(), what);
    }

    fn called(&mut self, item: &Item<'_>, tool: &str, input: Value) {
        let Some(call) = item.call_id.as_deref() else { return };
        if tool == "write_stdin" {
            self.polls.insert(call.to_owned(), input["session_id"].to_string());
        }
        let action = tools::action(tool, &input);
        self.calls.insert(call.to_owned());
        if let Action::Run { .. } = action {
            let running = Running { call: call.to_owned(), action: action.clone(), input: input.clone() };
            self.running.insert(call.to_owned(), running);
        }
        let called = What::Called { call: call.to_owned(), tool: tool.to_owned(), input, action };
        self.emit(item.id.as_deref(), called);
    }

    fn answered(&mut self, item: &Item<'_>) {
        let Some(call) = item.call_id.as_deref() else { return };
        let text = item.output.map(text_of).unwrap_or_default();
        let ending = tools::ending(&text);
        let output = tools::output_of(text);
        // From its call's id on to its process's: it goes on under that.
        let running = self.running.remove(call);
        if let (Some(process), Some(running)) = (&ending.process, running) {
            self.running.insert(process.clone(), running);
        }
        let polled = self.polls.remove(call).filter(|_| ending.exit_code.is_some());
        if let Some(running) = polled.and_then(|process| self.running.remove(&process)) {
            let call = format!("{}:end", running.call);
            let Running { action, input, .. } = running;
            self.emit(None, What::Called { call: call.clone(), tool: "exec_command".into(), input, action });
            let (output, end, exit_code) = (output.clone(), ending.end, ending.exit_code);
            self.emit(None, What::Answered { call, output, end, exit_code });
        }
        let (end, exit_code) = (ending.end, ending.exit_code);
        self.emit(item.id.as_deref(), What::Answered { call: call.to_owned(), output, end, exit_code });
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
                let Some(item) = event.item else { return Known::No };
                return read_as(item, |item: Completed<'_>| self.completed(&item));
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
        let call = if outlived.is_some() { format!("{id}:end") } else { id.to_owned() };
        if (outlived.is_some() || !self.calls.contains(id))
            && let Some([called, answered]) = item.call(&call)
        {
            self.emit(None, called);
            self.emit(None, answered);
        }
        if item.is_known() { Known::Yes } else { Known::No }
    }
}

/// Gives `raw` to `take`, if it has the form of a `T`.
fn read_as<'a, T: Deserialize<'a>>(raw: &'a RawValue, take: impl FnOnce(T) -> Known) -> Known {
    serde_json::from_str(raw.get()).map_or(Known::No, take)
}
