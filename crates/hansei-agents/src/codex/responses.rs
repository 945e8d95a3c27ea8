//! What went to the model and came from it: messages, thoughts, calls and answers.

use hansei_core::session::{Action, Feeder, What};
use serde_json::Value;

use super::lines::{About, Item, text_of};
use super::transcript::Reader;
use super::{prompts, tools};
use crate::transcript::Known;

impl Reader<'_, '_> {
    pub(super) fn item(&mut self, item: &mut Item<'_>) -> Known {
        match &*item.kind {
            "message" => self.message(item),
            "reasoning" => {
                let summary = text_of(&mut item.summary);
                let text = if summary.is_empty() { text_of(&mut item.content) } else { summary };
                if !text.is_empty() {
                    self.emit(item.id.as_deref(), What::Thought { text });
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

    fn message(&mut self, item: &mut Item<'_>) {
        let text = text_of(&mut item.content);
        if text.is_empty() {
            return;
        }
        let what = match item.role.as_deref() {
            Some("assistant") => What::Said { text },
            Some("user") => prompts::user(text, item.about.as_ref().and_then(About::is_machinery)),
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
            self.running.insert(call.to_owned(), call.to_owned());
        }
        let called = What::Called { call: call.to_owned(), tool: tool.to_owned(), input, action };
        self.emit(item.id.as_deref(), called);
    }

    fn answered(&mut self, item: &mut Item<'_>) {
        let text = text_of(&mut item.output);
        let Some(call) = item.call_id.as_deref() else { return };
        let ending = tools::ending(&text);
        let output = tools::output_of(text);
        // From its call's id on to its process's: it goes on under that.
        let running = self.running.remove(call);
        if let (Some(process), Some(running)) = (&ending.process, running) {
            self.running.insert(process.clone(), running);
        }
        let polled = self.polls.remove(call).filter(|_| ending.exit_code.is_some());
        if let Some(running) = polled.and_then(|process| self.running.remove(&process)) {
            let (output, end, exit_code) = (output.clone(), ending.end, ending.exit_code);
            self.emit(None, What::Answered { call: running, output, end, exit_code });
        }
        if let Some(agent) = tools::started_agent(&output) {
            self.began(&agent, call);
        }
        let (end, exit_code) = (ending.end, ending.exit_code);
        self.emit(item.id.as_deref(), What::Answered { call: call.to_owned(), output, end, exit_code });
    }
}
