//! What Codex itself saw a tool do: the items it completed.
//!
//! A model that drives its tools from a script leaves one call for the script in the rollout and nothing for the
//! commands and patches inside; and a command that outlived its call ends after the answer. Both are only here.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hansei_core::session::{Action, AnswerEnd, What};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::tools;
use crate::any_tool::given::joined;

/// A completed item, as far as it is read.
#[derive(Deserialize)]
pub(super) struct Completed<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    status: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) process_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    command: Option<&'a RawValue>,
    // Long, and mostly said already by a call of the rollout: read only when it is not.
    #[serde(borrow, default)]
    aggregated_output: Option<&'a RawValue>,
    #[serde(default)]
    exit_code: Option<i32>,
    #[serde(borrow, default)]
    changes: Option<&'a RawValue>,
    #[serde(borrow, default)]
    stdout: Option<&'a RawValue>,
    #[serde(borrow, default)]
    stderr: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    prompt: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Change {
    #[serde(default)]
    move_path: Option<String>,
}

impl Completed<'_> {
    /// Whether items of this kind are known.
    pub(super) fn is_known(&self) -> bool {
        let known = [
            "UserMessage", "AgentMessage", "HookPrompt", "Reasoning", "Plan", "CommandExecution",
            "FileChange", "McpToolCall", "CollabAgentToolCall", "WebSearch", "ImageView", "ImageGeneration",
            "ContextCompaction", "EnteredReviewMode", "ExitedReviewMode", "Error", "DynamicToolCall",
            "Sleep",
        ];
        known.contains(&&*self.kind)
    }

    /// The call that this item was, under the id `call`, and its answer. None for a process that Codex ended when it
    /// closed: that says nothing about the command.
    pub(super) fn call(&self, call: &str) -> Option<[What; 2]> {
        if self.exit_code.is_some_and(|code| code < 0) {
            return None;
        }
        let (tool, input, action) = self.called()?;
        let (output, end, exit_code) = self.answered();
        let call = call.to_owned();
        Some([
            What::Called { call: call.clone(), tool, input, action },
            What::Answered { call, output, end, exit_code },
        ])
    }

    fn called(&self) -> Option<(String, Value, Action)> {
        match &*self.kind {
            "CommandExecution" => {
                let words: Vec<String> = serde_json::from_str(self.command?.get()).ok()?;
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let command = joined(&words);
                Some(("exec_command".into(), json!({ "cmd": command }), tools::run(&command)))
            }
            "FileChange" => {
                let changes: BTreeMap<String, Change> =
                    self.changes.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
                let paths: Vec<String> = changes
                    .iter()
                    .flat_map(|(path, change)| std::iter::once(path.clone()).chain(change.move_path.clone()))
                    .collect();
                Some(("apply_patch".into(), json!({ "files": paths }), Action::Edit { paths }))
            }
            "CollabAgentToolCall" if self.tool.as_deref() == Some("spawn_agent") => {
                let request = self.prompt.as_deref().unwrap_or_default().to_owned();
                Some(("spawn_agent".into(), json!({ "message": request }), Action::Delegate { request }))
            }
            _ => None,
        }
    }

    fn answered(&self) -> (String, AnswerEnd, Option<i32>) {
        let text = |raw: Option<&RawValue>| {
            raw.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok()).unwrap_or_default()
        };
        let end = match self.status.as_deref() {
            Some("failed") => AnswerEnd::Failed,
            Some("declined") => AnswerEnd::Denied,
            Some("in_progress") => AnswerEnd::Background,
            _ => AnswerEnd::Done,
        };
        if self.kind == "CommandExecution" {
            return (text(self.aggregated_output), end, self.exit_code);
        }
        (text(self.stdout) + &text(self.stderr), end, None)
    }
}
