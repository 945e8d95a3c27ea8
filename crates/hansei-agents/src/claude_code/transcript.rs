//! Claude Code's transcripts: `~/.claude/projects/<folder>/<session>.jsonl`, one JSON object a line.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use hansei_core::session::{Action, AnswerEnd, Circumstances, Feeder, HumanVia, SessionEvent, Usage, What};
use hansei_core::timestamp::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::tools;
use crate::transcript::{Found, Homes, Known, Reading, Sink, each_line, files_below};

/// The folder of the user's own files.
pub(crate) fn root(homes: &Homes) -> PathBuf {
    homes.claude.clone().unwrap_or_else(|| homes.home.join(".claude"))
}

/// All sessions on disk. Those of sub-agents lie deeper and belong to their session.
pub(crate) fn sessions(homes: &Homes) -> Vec<Found> {
    let root = root(homes);
    let mut files = Vec::new();
    files_below(&root.join("projects"), 1, ".jsonl", &mut files);
    files
        .into_iter()
        .filter_map(|(file, modified, size)| {
            let id = file.file_stem()?.to_str()?.to_owned();
            Some(Found { agent: super::NAME, id, file, modified, size })
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
        running: BTreeSet::new(),
        cost: None,
    };
    let reading = each_line(file, |line| reader.line(line))?;
    if let Some(cost) = reader.cost {
        let usage = Usage { cost_usd: Some(cost), ..Usage::default() };
        (reader.sink)(SessionEvent { at: None, id: None, what: What::Used(usage) });
    }
    Ok(reading)
}

struct Reader<'s, 'f> {
    sink: &'s mut Sink<'f>,
    circumstances: Circumstances,
    plan: bool,
    /// The model's message whose usage was counted last: each of its blocks repeats it.
    message: String,
    /// Whether a compaction was just announced; its summary follows.
    boundary: bool,
    /// Commands that have no answer yet: only they have an exit code.
    running: BTreeSet<String>,
    /// The session's cost so far, as the agent keeps it.
    cost: Option<f64>,
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
            return Known::Yes;
        }
        match &*line.kind {
            "user" => self.user(&line),
            "assistant" => self.assistant(&line),
            "system" if line.subtype.as_deref() == Some("compact_boundary") => {
                self.boundary = true;
                self.emit(&line, What::Compacted { summary: None });
            }
            "attachment" => self.attachment(&line),
            "cost-state" => self.cost = line.total_cost.or(self.cost),
            "system"
            | "queue-operation"
            | "last-prompt"
            | "atis-latch"
            | "tools-used"
            | "summary"
            | "file-history-snapshot"
            | "custom-title"
            | "agent-name"
            | "permission-mode" => {}
            _ => return Known::No,
        }
        Known::Yes
    }

    fn emit(&mut self, line: &Line<'_>, what: What) {
        let at = line.timestamp.as_deref().and_then(|at| Timestamp::try_from(at.to_owned()).ok());
        (self.sink)(SessionEvent { at, id: line.uuid.as_deref().map(ToOwned::to_owned), what });
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
        let is_command = self.running.remove(call);
        let output = block.content.map(text_of).unwrap_or_default();
        let result =
            line.tool_use_result.and_then(|raw| serde_json::from_str::<ToolUseResult>(raw.get()).ok());
        let failed = block.is_error == Some(true);
        let end = match &result {
            Some(result) if result.interrupted => AnswerEnd::Interrupted,
            Some(result) if result.background_task_id.is_some() => AnswerEnd::Background,
            _ if failed && tools::is_denial(&output) => AnswerEnd::Denied,
            _ if failed => AnswerEnd::Failed,
            _ => AnswerEnd::Done,
        };
        let exit_code = match end {
            AnswerEnd::Done => is_command.then_some(0),
            AnswerEnd::Failed => tools::exit_code(&output),
            AnswerEnd::Denied | AnswerEnd::Interrupted | AnswerEnd::Background => None,
        };
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
        let action: Action = tools::action(tool, &input);
        if matches!(action, Action::Run { .. }) {
            self.running.insert(call.to_owned());
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
