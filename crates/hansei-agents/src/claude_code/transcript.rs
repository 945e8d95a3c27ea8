//! Claude Code's transcripts: `~/.claude/projects/<folder>/<session>.jsonl`, one JSON object a line.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use hansei_core::session::{Action, AnswerEnd, Circumstances, Feeder, HumanVia, SessionEvent, Usage, What};
use hansei_core::timestamp::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::sub_agents::SubAgents;
use super::tools;
use crate::any_tool;
use crate::tool_result;
use crate::transcript::{Found, Homes, Known, Reading, Sink, each_line, files_below};

/// The folder of the user's own files.
pub(crate) fn root(homes: &Homes) -> PathBuf {
    homes.claude.clone().unwrap_or_else(|| homes.home.join(".claude"))
}

/// All sessions on disk. Those of sub-agents lie deeper, or are named for it, and belong to their session.
pub(crate) fn sessions(homes: &Homes) -> Vec<Found> {
    let root = root(homes);
    let mut files = Vec::new();
    files_below(&root.join("projects"), 1, ".jsonl", &mut files);
    files
        .into_iter()
        .filter_map(|(file, modified, size)| {
            let id = file.file_stem()?.to_str()?.to_owned();
            (!id.starts_with("agent-")).then_some(Found { agent: super::NAME, id, file, modified, size })
        })
        .collect()
}

/// Streams the events of one session.
pub(crate) fn read(found: &Found, sink: &mut Sink<'_>) -> io::Result<Reading> {
    read_file(&found.file, sink)
}

fn read_file(file: &Path, sink: &mut Sink<'_>) -> io::Result<Reading> {
    let mut reader = Reader {
        sink,
        circumstances: Circumstances::default(),
        plan: false,
        message: String::new(),
        boundary: false,
        running: BTreeMap::new(),
        left: BTreeMap::new(),
        polls: BTreeMap::new(),
        delegates: BTreeSet::new(),
        sub_agents: SubAgents::of(file),
        speaker: Speaker::Agent,
        sub_calls: BTreeMap::new(),
        cost: None,
    };
    let reading = each_line(file, |line| reader.line(line))?;
    if let Some(cost) = reader.cost {
        let usage = Usage { cost_usd: Some(cost), ..Usage::default() };
        (reader.sink)(SessionEvent { at: None, id: None, what: What::Used(usage) });
    }
    Ok(reading)
}

/// Whose line is read.
#[derive(Debug, PartialEq, Eq)]
enum Speaker {
    Agent,
    /// A sub-agent, and the call that started it, where that is known.
    SubAgent(Option<String>),
}

struct Reader<'s, 'f> {
    sink: &'s mut Sink<'f>,
    circumstances: Circumstances,
    plan: bool,
    /// The model's message whose usage was counted last: each of its blocks repeats it.
    message: String,
    /// Whether a compaction was just announced; its summary follows.
    boundary: bool,
    /// Commands that have no answer yet, and whether the agent's own tool runs them: then a success is an exit code of 0.
    running: BTreeMap<String, bool>,
    /// The calls of commands that were left running, by the agent's name for the task.
    left: BTreeMap<String, Left>,
    /// Calls that look after such a task: the task of each.
    polls: BTreeMap<String, String>,
    /// Calls to sub-agents that have no answer yet.
    delegates: BTreeSet<String>,
    sub_agents: SubAgents,
    /// Whose line is read.
    speaker: Speaker,
    /// The calls of sub-agents, and whether each is answered: several places may tell of them.
    sub_calls: BTreeMap<String, bool>,
    /// The session's cost so far, as the agent keeps it.
    cost: Option<f64>,
}

/// A command that was left running.
struct Left {
    call: String,
    /// Whether a notification told of its end.
    told: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
// The agent's own flags, as they stand in the file.
#[allow(clippy::struct_excessive_bools)]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    subtype: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    uuid: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    git_branch: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    version: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    entrypoint: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    permission_mode: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    prompt_source: Option<Cow<'a, str>>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_compact_summary: bool,
    #[serde(default)]
    is_api_error_message: bool,
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
    #[serde(borrow, default)]
    tool_use_result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    attachment: Option<&'a RawValue>,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
    #[serde(rename = "parentToolUseID", borrow, default)]
    parent_call: Option<Cow<'a, str>>,
    /// The text of a notification that waits for its turn.
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(rename = "totalCostUSD", default)]
    total_cost: Option<f64>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(default)]
    usage: Option<TokenUsage>,
}

#[derive(Deserialize)]
// The names are the provider's.
#[allow(clippy::struct_field_names)]
struct TokenUsage {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    cache_creation_input_tokens: u64,
    #[serde(default)]
    cache_read_input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    thinking: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_use_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(default)]
    is_error: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolUseResult {
    #[serde(default)]
    interrupted: bool,
    #[serde(default)]
    background_task_id: Option<String>,
    #[serde(default)]
    agent_id: Option<String>,
}

/// What a running sub-agent just did.
#[derive(Deserialize)]
struct Progress<'a> {
    #[serde(borrow)]
    message: Line<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attachment<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    hook_event: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &[u8]) -> Known {
        // Bookkeeping that repeats whole requests: large, and nothing we need.
        if line.starts_with(br#"{"type":"api-request"#) {
            return Known::Yes;
        }
        let Ok(line) = serde_json::from_slice::<Line<'_>>(line) else { return Known::No };
        if line.is_sidechain {
            let only = self.delegates.first().filter(|_| self.delegates.len() == 1).cloned();
            self.sub_agent_line(only, &line);
            return Known::Yes;
        }
        self.catch_up(line.timestamp.as_deref());
        match &*line.kind {
            "progress" => self.progress(&line),
            "queue-operation" => {
                let text = line.content.and_then(|raw| serde_json::from_str::<Cow<'_, str>>(raw.get()).ok());
                self.notified(&line, text.as_deref().unwrap_or_default());
            }
            "user" => self.user(&line),
            "assistant" => self.assistant(&line),
            "system" if line.subtype.as_deref() == Some("compact_boundary") => {
                self.boundary = true;
                self.emit(&line, What::Compacted { summary: None });
            }
            "attachment" => self.attachment(&line),
            "cost-state" => self.cost = line.total_cost.or(self.cost),
            "system"
            | "last-prompt"
            | "atis-latch"
            | "tools-used"
            | "summary"
            | "file-history-snapshot"
            | "custom-title"
            | "agent-name"
            | "permission-mode"
            | "mode"
            | "pr-link" => {}
            _ => return Known::No,
        }
        Known::Yes
    }

    fn emit(&mut self, line: &Line<'_>, what: What) {
        let what = match &self.speaker {
            Speaker::SubAgent(call) => What::BySubAgent { call: call.clone(), what: Box::new(what) },
            Speaker::Agent => what,
        };
        let at = line.timestamp.as_deref().and_then(|at| Timestamp::try_from(at.to_owned()).ok());
        (self.sink)(SessionEvent { at, id: line.uuid.as_deref().map(ToOwned::to_owned), what });
    }

    /// Reads what sub-agents did up to a moment; all of it, where none is said.
    fn catch_up(&mut self, moment: Option<&str>) {
        let mut open = std::mem::take(&mut self.sub_agents.open);
        let mut later = Vec::new();
        while let Some(mut sub_agent) = open.pop() {
            while let Some(line) = sub_agent.next(moment) {
                let Ok(parsed) = serde_json::from_slice::<Line<'_>>(&line) else { continue };
                if let (Some(moment), Some(at)) = (moment, parsed.timestamp.as_deref())
                    && at > moment
                {
                    let at = at.to_owned();
                    sub_agent.hold(at, line);
                    break;
                }
                self.sub_agent_line(Some(sub_agent.call.clone()), &parsed);
            }
            if sub_agent.waits() {
                later.push(sub_agent);
            }
            // What a sub-agent did may have begun another.
            open.append(&mut self.sub_agents.open);
        }
        self.sub_agents.open = later;
    }

    /// What a sub-agent did, and what it said to the agent.
    fn sub_agent_line(&mut self, by: Option<String>, line: &Line<'_>) {
        let content = line.message.as_ref().and_then(|message| message.content);
        let blocks: Vec<Block<'_>> =
            content.and_then(|content| serde_json::from_str(content.get()).ok()).unwrap_or_default();
        self.speaker = Speaker::SubAgent(by);
        for block in &blocks {
            match &*block.kind {
                "tool_use" => self.called(line, block),
                "tool_result" => self.answered(line, block),
                "text" if line.kind == "assistant" => {
                    let text = block.text.as_deref().unwrap_or_default().to_owned();
                    self.emit(line, What::Said { text });
                }
                _ => {}
            }
        }
        self.speaker = Speaker::Agent;
    }

    /// A version that reports on its sub-agents' work in the session itself.
    fn progress(&mut self, line: &Line<'_>) {
        let Some(data) = line.data.filter(|data| data.get().contains("\"agent_progress\"")) else { return };
        if let Ok(progress) = serde_json::from_str::<Progress<'_>>(data.get()) {
            self.sub_agent_line(line.parent_call.as_deref().map(ToOwned::to_owned), &progress.message);
        }
    }

    /// The end of a command that was left running.
    fn notified(&mut self, line: &Line<'_>, text: &str) {
        if !text.starts_with("<task-notification") {
            return;
        }
        if let Some((task, end, exit_code)) = tools::notified(text)
            && let Some(left) = self.left.get_mut(task).filter(|left| !left.told)
        {
            left.told = true;
            let call = left.call.clone();
            self.emit(line, What::Answered { call, output: String::new(), end, exit_code });
        }
    }

    /// Says where the session runs, whenever that changes.
    fn circumstances(&mut self, line: &Line<'_>) {
        let text = |text: &Option<Cow<'_, str>>| text.as_deref().map(ToOwned::to_owned);
        let model = line.message.as_ref().and_then(|message| text(&message.model));
        let model = model.filter(|model| model != "<synthetic>");
        let now = Circumstances {
            version: text(&line.version).or_else(|| self.circumstances.version.clone()),
            model: model.or_else(|| self.circumstances.model.clone()),
            cwd: text(&line.cwd).or_else(|| self.circumstances.cwd.clone()),
            branch: text(&line.git_branch)
                .filter(|branch| !branch.is_empty())
                .or_else(|| self.circumstances.branch.clone()),
            attended: line.entrypoint.as_deref().and_then(attended).or(self.circumstances.attended),
            forked_from: None,
        };
        if now != self.circumstances {
            self.circumstances = now.clone();
            self.emit(line, What::Started(now));
        }
    }

    fn user(&mut self, line: &Line<'_>) {
        self.circumstances(line);
        if let Some(mode) = line.permission_mode.as_deref() {
            let plan = mode == "plan";
            if plan != self.plan {
                self.plan = plan;
                self.emit(line, What::Permission { plan, name: mode.to_owned() });
            }
        }
        let Some(content) = line.message.as_ref().and_then(|message| message.content) else { return };
        if let Ok(text) = serde_json::from_str::<Cow<'_, str>>(content.get()) {
            self.user_text(line, &text);
            return;
        }
        for block in serde_json::from_str::<Vec<Block<'_>>>(content.get()).unwrap_or_default() {
            match &*block.kind {
                "tool_result" => self.answered(line, &block),
                "text" => self.user_text(line, block.text.as_deref().unwrap_or_default()),
                _ => {}
            }
        }
    }

    fn user_text(&mut self, line: &Line<'_>, text: &str) {
        if line.is_compact_summary {
            if self.boundary {
                self.boundary = false;
                self.emit(line, What::Fed { text: text.to_owned(), by: Feeder::Agent });
            } else {
                self.emit(line, What::Compacted { summary: Some(text.to_owned()) });
            }
            return;
        }
        if text.starts_with("[Request interrupted by user") {
            self.emit(line, What::Aborted);
            return;
        }
        self.notified(line, text);
        let what = if line.is_meta && text.starts_with("Stop hook feedback") {
            What::Fed { text: text.to_owned(), by: Feeder::StopHook }
        } else if let Some(request) = command_request(text) {
            What::HumanSaid { text: request, via: HumanVia::Command }
        } else if line.is_meta
            || line.prompt_source.as_deref() == Some("system")
            || text.starts_with('<') && is_machinery(text)
        {
            What::Fed { text: text.to_owned(), by: Feeder::Agent }
        } else {
            What::HumanSaid { text: text.to_owned(), via: HumanVia::Prompt }
        };
        self.emit(line, what);
    }

    fn answered(&mut self, line: &Line<'_>, block: &Block<'_>) {
        let Some(call) = block.tool_use_id.as_deref() else { return };
        if self.speaker != Speaker::Agent
            && self.sub_calls.insert(call.to_owned(), true).is_none_or(|answered| answered)
        {
            return;
        }
        let command = self.running.remove(call);
        let mut output = block.content.map(text_of).unwrap_or_default();
        let result =
            line.tool_use_result.and_then(|raw| serde_json::from_str::<ToolUseResult>(raw.get()).ok());
        let failed = block.is_error == Some(true);
        let polled = self.polls.remove(call);
        let (mut said, mut stated) = (None, None);
        if polled.is_some() || failed || command == Some(false) {
            let printed = tool_result::printed(&output);
            (output, said, stated) = (printed.output, printed.end, printed.exit_code);
        }
        if let Some(first) = polled.and_then(|task| Some(self.left.get(&task)?.call.clone()))
            && (stated.is_some() || said.is_some_and(|said| said != AnswerEnd::Background))
        {
            let end = tool_result::end(stated, said, failed);
            self.emit(line, What::Answered { call: first, output: output.clone(), end, exit_code: stated });
        }
        let end = match &result {
            Some(result) if result.interrupted => AnswerEnd::Interrupted,
            Some(ToolUseResult { background_task_id: Some(task), .. }) => {
                self.left.insert(task.clone(), Left { call: call.to_owned(), told: false });
                AnswerEnd::Background
            }
            _ if failed && tools::is_denial(&output) => AnswerEnd::Denied,
            _ if failed || command == Some(false) => tool_result::end(stated, said, failed),
            _ => AnswerEnd::Done,
        };
        let exit_code = match end {
            AnswerEnd::Done => stated.or_else(|| (command == Some(true)).then_some(0)),
            AnswerEnd::Failed => stated,
            AnswerEnd::Denied | AnswerEnd::Interrupted | AnswerEnd::Background => None,
        };
        if self.delegates.remove(call) {
            let told = result.and_then(|result| result.agent_id);
            let named = || output.split_once("agentId: ")?.1.split_whitespace().next();
            if let Some(id) = told.as_deref().or_else(named) {
                self.sub_agents.begin(id, call);
                self.catch_up(line.timestamp.as_deref());
            }
        }
        self.emit(line, What::Answered { call: call.to_owned(), output, end, exit_code });
    }

    fn assistant(&mut self, line: &Line<'_>) {
        self.circumstances(line);
        let Some(message) = &line.message else { return };
        let blocks: Vec<Block<'_>> =
            message.content.and_then(|content| serde_json::from_str(content.get()).ok()).unwrap_or_default();
        for block in &blocks {
            let text = || block.text.as_deref().unwrap_or_default().to_owned();
            match &*block.kind {
                "text" if line.is_api_error_message => self.emit(line, What::Failed { error: text() }),
                "text" => self.emit(line, What::Said { text: text() }),
                "thinking" => {
                    let text = block.thinking.as_deref().unwrap_or_default().to_owned();
                    self.emit(line, What::Thought { text });
                }
                "tool_use" => self.called(line, block),
                _ => {}
            }
        }
        if let (Some(id), Some(usage)) = (message.id.as_deref(), &message.usage)
            && id != self.message
        {
            id.clone_into(&mut self.message);
            let cached = usage.cache_creation_input_tokens.saturating_add(usage.cache_read_input_tokens);
            let input_tokens = usage.input_tokens.saturating_add(cached);
            let usage = Usage { input_tokens, output_tokens: usage.output_tokens, cost_usd: None };
            self.emit(line, What::Used(usage));
        }
    }

    fn called(&mut self, line: &Line<'_>, block: &Block<'_>) {
        let (Some(call), Some(tool)) = (block.id.as_deref(), block.name.as_deref()) else { return };
        let input = block.input.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        if self.speaker != Speaker::Agent && self.sub_calls.contains_key(call) {
            return;
        }
        let action = any_tool::action(tool, &input);
        match &action {
            Action::Run { .. } => {
                self.running.insert(call.to_owned(), matches!(tool, "Bash" | "PowerShell"));
            }
            Action::Delegate { .. } => {
                self.delegates.insert(call.to_owned());
            }
            _ => {
                let task = ["task_id", "bash_id", "shell_id"].iter().find_map(|key| input[key].as_str());
                if let Some(task) = task.filter(|task| self.left.contains_key(*task)) {
                    self.polls.insert(call.to_owned(), task.to_owned());
                }
            }
        }
        if self.speaker != Speaker::Agent {
            self.sub_calls.insert(call.to_owned(), false);
        }
        self.emit(line, What::Called { call: call.to_owned(), tool: tool.to_owned(), input, action });
    }

    /// A stop hook that continues the session without the word "error" leaves its text as an attachment.
    fn attachment(&mut self, line: &Line<'_>) {
        let Some(attachment) =
            line.attachment.and_then(|raw| serde_json::from_str::<Attachment<'_>>(raw.get()).ok())
        else {
            return;
        };
        if attachment.kind == "hook_additional_context" && attachment.hook_event.as_deref() == Some("Stop") {
            let text = attachment.content.map(text_of).unwrap_or_default();
            self.emit(line, What::Fed { text, by: Feeder::StopHook });
        }
    }
}

/// Whether a human sits where the agent was started. A program that drives it through its library may be an editor.
fn attended(entry: &str) -> Option<bool> {
    match entry {
        "sdk-cli" => Some(false),
        entry if entry.starts_with("sdk") => None,
        _ => Some(true),
    }
}

/// The text of a content that is a string, a list of strings or a list of text blocks.
fn text_of(content: &RawValue) -> String {
    if let Ok(text) = serde_json::from_str::<String>(content.get()) {
        return text;
    }
    if let Ok(texts) = serde_json::from_str::<Vec<String>>(content.get()) {
        return texts.join("\n");
    }
    let blocks: Vec<Block<'_>> = serde_json::from_str(content.get()).unwrap_or_default();
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block.text.as_deref()).collect();
    texts.join("\n")
}

/// What a human asked for as the arguments of a command, such as `/goal make it green`.
fn command_request(text: &str) -> Option<String> {
    let between = |tag: &str| {
        let (_, rest) = text.split_once(&format!("<{tag}>"))?;
        Some(rest.split_once(&format!("</{tag}>"))?.0.trim())
    };
    let arguments = between("command-args")?;
    let name = between("command-name").unwrap_or_default();
    // Commands of the agent itself that take arguments but ask for no work.
    let own = [
        "/model", "/compact", "/config", "/resume", "/rename", "/effort", "/permissions", "/add-dir",
        "/theme",
    ];
    (!arguments.is_empty() && !own.contains(&name)).then(|| format!("{name} {arguments}"))
}

/// Whether a text in angle brackets was written by the agent's own machinery.
pub(super) fn is_machinery(text: &str) -> bool {
    let tags = [
        "<command-", "<local-command-", "<task-notification", "<system-reminder", "<bash-input",
        "<bash-stdout", "<bash-stderr", "<user-memory-input", "<ide_",
    ];
    tags.iter().any(|tag| text.starts_with(tag))
}
