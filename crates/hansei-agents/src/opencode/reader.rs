//! What OpenCode's messages say, part by part.

use hansei_core::interrupt::is_ours;
use hansei_core::session::{Action, AnswerEnd, Circumstances, Feeder, HumanVia, SessionEvent, Usage, What};
use hansei_core::timestamp::Timestamp;
use serde_json::Value;

use super::records::{Message, Part};
use super::tools;
use crate::tool_result;
use crate::transcript::{Known, Sink, moment_of_millis};

/// The texts of a message that is not the agent's.
#[derive(Default)]
pub(super) struct Heard {
    human: Vec<String>,
    /// What was put in by OpenCode or a plugin, and whether OpenCode is known to have.
    synthetic: Vec<(String, bool)>,
    summary: Vec<String>,
}

/// Turns messages and their parts into events, whether they come from the database or from the plugin.
pub(super) struct Reader<'s, 'f> {
    pub(super) sink: &'s mut Sink<'f>,
    circumstances: Circumstances,
    plan: bool,
}

impl<'s, 'f> Reader<'s, 'f> {
    pub(super) fn new(sink: &'s mut Sink<'f>) -> Self {
        Self { sink, circumstances: Circumstances::default(), plan: false }
    }

    fn emit(&mut self, id: &str, at: Option<Timestamp>, what: What) {
        (self.sink)(SessionEvent { at, id: Some(id.to_owned()), what });
    }

    pub(super) fn begin(&mut self, message: &Message<'_>, start: &Circumstances) -> Known {
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

    pub(super) fn part(
        &mut self,
        message: &Message<'_>,
        id: &str,
        part: &Part<'_>,
        heard: &mut Heard,
    ) -> Known {
        let text = || part.text.as_deref().unwrap_or_default().to_owned();
        let at = part.time.start.or(message.time.created).and_then(moment_of_millis);
        let is_summary = message.summary.is_some_and(|summary| summary.get() == "true");
        match &*part.kind {
            // What is synthetic in an answer is no word of the model's: Kilo shows there how a slow snapshot gets on.
            "text" if part.ignored || part.synthetic && message.role == "assistant" => {}
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
        let runs = matches!(action, Action::Run { .. });
        let called = What::Called { call: call.to_owned(), tool: tool.to_owned(), input, action };
        self.emit(id, at.clone(), called);
        if let Some((mut output, mut end, mut exit_code)) = tools::answer(tool, state) {
            // A shell that somebody's server offers says in its result how it ended.
            if runs && exit_code.is_none() && end == AnswerEnd::Done {
                let printed = tool_result::printed(&output);
                end = tool_result::end(printed.exit_code, printed.end, false);
                (output, exit_code) = (printed.output, printed.exit_code);
            }
            let at = state.time.end.and_then(moment_of_millis).or(at);
            self.emit(id, at, What::Answered { call: call.to_owned(), output, end, exit_code });
        }
    }

    pub(super) fn end(&mut self, id: &str, message: &Message<'_>, heard: Heard) {
        let at = message.time.created.and_then(moment_of_millis);
        let ended = message.time.completed.and_then(moment_of_millis).or_else(|| at.clone());
        let from_human = !heard.human.is_empty();
        if from_human {
            let text = unquoted(heard.human.join("\n"));
            self.emit(id, at.clone(), What::HumanSaid { text, via: HumanVia::Prompt });
        }
        for (text, own) in heard.synthetic {
            let by = if is_ours(&text) {
                Feeder::StopHook
            } else if own || from_human || is_machinery(&text) {
                Feeder::Agent
            } else {
                Feeder::StopHook
            };
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

/// What the human said. `run` puts a prompt of several words into quotation marks, which are not the human's.
fn unquoted(text: String) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.trim_end().strip_suffix('"'));
    match inner {
        Some(inner) if inner.contains(' ') && !inner.replace("\\\"", "").contains('"') => {
            inner.replace("\\\"", "\"")
        }
        _ => text,
    }
}
