//! A session in few words: what was run and edited for the task, how it ended, and what the agent said last.

use std::fmt::Write as _;

use crate::check::CheckResult;
use crate::evidence::Situation;
use crate::session::{Action, AnswerEnd, Call, TodoStatus};

const MOST_CALLS: usize = 30;
const MOST_TODOS: usize = 20;
const LONGEST_COMMAND: usize = 240;
const LONGEST_OUTPUT: usize = 500;
const LONGEST_WORDS: usize = 4_000;
/// How many of the newest calls show the end of what they printed.
const OUTPUTS_SHOWN: usize = 6;

/// The digest of the current task. Each text is redacted whole before it is cut: half a secret would not be found.
pub(super) fn digest(situation: &Situation<'_>, redact: &dyn Fn(&str) -> String) -> String {
    let mut text = String::new();
    let calls = situation.task_calls();
    let first = calls.start.max(calls.end.saturating_sub(MOST_CALLS));
    let _ = writeln!(text, "{} tool calls for this task.", calls.len());
    for (place, call) in calls.clone().zip(&situation.session.calls[calls.clone()]).skip(first - calls.start)
    {
        describe(&mut text, call, place + OUTPUTS_SHOWN >= calls.end, redact);
    }
    let todos = &situation.session.todos;
    if !todos.is_empty() {
        let _ = writeln!(text, "List of things to do:");
    }
    for todo in todos.iter().take(MOST_TODOS) {
        let status = match todo.status {
            TodoStatus::Open => "open",
            TodoStatus::Doing => "begun",
            TodoStatus::Done => "done",
            TodoStatus::Dropped => "given up",
        };
        let _ = writeln!(text, "- [{status}] {}", shorten(&redact(&todo.text), LONGEST_COMMAND));
    }
    let words = redact(&situation.last_words());
    let _ = write!(text, "The agent's last message:\n{}", shorten(&words, LONGEST_WORDS));
    text
}

fn describe(text: &mut String, call: &Call, shows_output: bool, redact: &dyn Fn(&str) -> String) {
    let what = match &call.action {
        Action::Run { command, background: false } => format!("ran: {command}"),
        Action::Run { command, background: true } => format!("started in the background: {command}"),
        Action::Edit { paths } => format!("edited: {}", paths.join(", ")),
        Action::Look => format!("looked ({})", call.tool),
        Action::SetTodos { .. } => "set its list of things to do".to_owned(),
        Action::Delegate { request } => format!("delegated: {request}"),
        Action::Ask { question } => format!("asked the human: {question}"),
        Action::Plan => "presented a plan".to_owned(),
        Action::HandIn => "handed the work in".to_owned(),
        Action::Other => format!("called {}", call.tool),
    };
    let _ = write!(text, "- {}", shorten(&redact(&what), LONGEST_COMMAND));
    match &call.end {
        None => text.push_str(" -> no answer yet"),
        Some(end) => {
            let how = match end.end {
                AnswerEnd::Done => "done",
                AnswerEnd::Failed => "failed",
                AnswerEnd::Denied => "refused",
                AnswerEnd::Interrupted => "interrupted",
                AnswerEnd::Background => "goes on in the background",
            };
            let _ = write!(text, " -> {how}");
            if let Some(code) = end.exit_code {
                let _ = write!(text, ", exit code {code}");
            }
        }
    }
    for run in &call.checks {
        let outcome = match run.result {
            CheckResult::Passed => "passed",
            CheckResult::Failed => "failed",
            CheckResult::NothingRun => "ran nothing",
            CheckResult::Unknown => "result unknown",
        };
        let _ = write!(text, "; check {outcome}");
    }
    text.push('\n');
    let output = call.end.as_ref().filter(|_| shows_output && matches!(call.action, Action::Run { .. }));
    if let Some(end) = output {
        let printed = redact(&end.output.text());
        let start = printed.ceil_char_boundary(printed.len().saturating_sub(LONGEST_OUTPUT));
        for line in printed[start..].lines() {
            let _ = writeln!(text, "    | {line}");
        }
    }
}

/// `text` in at most `most` bytes, with a mark where it was cut, and without characters that only a terminal needs.
pub(super) fn shorten(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    let mut short: String =
        text[..end].chars().filter(|character| !character.is_control() || *character == '\n').collect();
    if end < text.len() {
        short.push_str(" […]");
    }
    short
}
