//! What the model's own calls say about its work, where no verification decides: the same evidence that stops of other
//! agents are judged by.

use std::cmp::Reverse;

use serde_json::Value;

use super::conversation::{Message, ToolCall};
use crate::evidence::{Kind, Situation, Speech, gather};
use crate::prose::Concept;
use crate::session::{Action, AnswerEnd, Feeder, HumanVia, Session, SessionEvent, What};
use crate::verdict::{Autonomy, Policy, judge};

/// The check that failed last and was not mended, as a sentence.
pub fn against(task: &str, messages: &[Message]) -> Option<String> {
    let found = gather(&Situation::of(&session(task, messages)));
    let is_red = |kind| matches!(kind, Kind::CheckFailed | Kind::CheckFailedHidden | Kind::ClaimContradicted);
    found.into_iter().find(|evidence| is_red(evidence.kind)).map(|evidence| evidence.text)
}

/// A claim of the last words that nothing shows to be true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven {
    /// What was said, and what speaks against it, as a sentence.
    pub text: String,
    /// Whether it says that something was run and holds, and the judge holds the work for incomplete.
    pub decides: bool,
}

/// The claim that nothing shows to be true, as the judge sees it at everybody's stop where nobody is there.
pub fn unproven(task: &str, messages: &[Message]) -> Option<Unproven> {
    let session = session(task, messages);
    let situation = Situation::of(&session);
    let found = gather(&situation);
    let verdict = judge(&situation, &found, Policy { attended: false, autonomy: Autonomy::Auto }).verdict;
    // The first of the worst: a run that never was, before work that was only not shown.
    let claims = found.into_iter().filter(|evidence| evidence.kind == Kind::ClaimUnsupported);
    let claim = claims.min_by_key(|evidence| Reverse(evidence.severity))?;
    let text = match claim.text.strip_prefix("you ") {
        Some(rest) => format!("it {rest}"),
        None => claim.text,
    };
    let speech = Speech::read(&situation.last_words());
    let of_runs = !speech.claims_passing().is_empty() || !speech.asserting(Concept::Verified).is_empty();
    Some(Unproven { text, decides: of_runs && !verdict.complete })
}

fn session(task: &str, messages: &[Message]) -> Session {
    let mut session = Session::default();
    for what in as_session(task, messages) {
        session.apply(&SessionEvent { at: None, id: None, what });
    }
    session
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
                happened.extend(checks_in(call, text));
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

/// The commands that a call of our own tests ran, out of what the model was told: each with its own result.
pub(super) fn checks_in(call: &str, told: &str) -> Vec<What> {
    let value: Value = serde_json::from_str(told).unwrap_or_default();
    let checks = value["output"]["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut happened = Vec::new();
    for (number, check) in checks.iter().enumerate() {
        let text = |name: &str| check[name].as_str().unwrap_or_default();
        let code = check["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok());
        // What was not run, or not to its end, shows nothing.
        let (Some(code), "passed" | "failed" | "inherited") = (code, text("status")) else { continue };
        let line = match text("folder") {
            "" | "." => text("command").to_owned(),
            folder => format!("cd {folder} && {}", text("command")),
        };
        let call = format!("{call}#{number}");
        let action = Action::Run { command: line, background: false };
        let (tool, input) = ("run_tests".to_owned(), Value::Null);
        happened.push(What::Called { call: call.clone(), tool, input, action });
        let end = if code == 0 { AnswerEnd::Done } else { AnswerEnd::Failed };
        happened.push(What::Answered { call, output: text("output").to_owned(), end, exit_code: Some(code) });
    }
    happened
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
