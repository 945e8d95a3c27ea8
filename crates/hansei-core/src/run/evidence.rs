//! What the model's own calls say about its work, where no verification decides: the same evidence that stops of other
//! agents are judged by.

use serde_json::Value;

use super::conversation::{Message, ToolCall};
use crate::evidence::{Kind, Situation, gather};
use crate::session::{Action, AnswerEnd, Feeder, HumanVia, Session, SessionEvent, What};

/// The check that failed last and was not mended, as a sentence.
pub fn against(task: &str, messages: &[Message]) -> Option<String> {
    let mut session = Session::default();
    for what in as_session(task, messages) {
        session.apply(&SessionEvent { at: None, id: None, what });
    }
    let found = gather(&Situation::of(&session));
    let is_red = |kind| matches!(kind, Kind::CheckFailed | Kind::CheckFailedHidden | Kind::ClaimContradicted);
    found.into_iter().find(|evidence| is_red(evidence.kind)).map(|evidence| evidence.text)
}

/// A conversation as what happened in a session.
pub fn as_session(task: &str, messages: &[Message]) -> Vec<What> {
    let mut happened = vec![What::HumanSaid { text: task.to_owned(), via: HumanVia::Prompt }];
    for (number, message) in messages.iter().enumerate() {
        match message {
            // The first is the task itself, as it was told.
            Message::User { text } if number > 0 => {
                happened.push(What::Fed { text: text.clone(), by: Feeder::Agent });
            }
            Message::User { .. } => {}
            Message::Assistant { text, calls, .. } => {
                if !text.is_empty() {
                    happened.push(What::Said { text: text.clone() });
                }
                happened.extend(calls.iter().map(|call| What::Called {
                    call: call.id.clone(),
                    tool: call.name.clone(),
                    input: call.input.clone(),
                    action: action(call),
                }));
            }
            Message::ToolResult { call, text, is_error } => {
                let (output, exit_code) = printed(text);
                let end = if *is_error { AnswerEnd::Failed } else { AnswerEnd::Done };
                happened.push(What::Answered { call: call.clone(), output, end, exit_code });
            }
        }
    }
    happened.push(What::Stopped);
    happened
}

/// What a call of one of our tools does.
pub fn action(call: &ToolCall) -> Action {
    let text = |name: &str| call.input.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match call.name.as_str() {
        "shell" => Action::Run { command: text("command"), background: false },
        "str_replace_editor" if text("command") != "view" => Action::Edit { paths: vec![text("path")] },
        "str_replace_editor" | "read_file" | "list_files" | "search" => Action::Look,
        _ => Action::Other,
    }
}

/// What a command printed, and its exit code, out of what the model was told.
pub(super) fn printed(told: &str) -> (String, Option<i32>) {
    let Ok(value) = serde_json::from_str::<Value>(told) else { return (told.to_owned(), None) };
    let output = &value["output"];
    let code = output["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok());
    match (output["text"].as_str(), code) {
        (Some(text), Some(code)) => (text.to_owned(), Some(code)),
        _ => (told.to_owned(), None),
    }
}
