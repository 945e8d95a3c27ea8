//! A session as a page: what was asked, what was done, what was said.

use std::fmt::Write as _;

use hansei_agents::transcript::Found;
use hansei_core::session::{Action, AnswerEnd, Call, Excerpt, Session, Turn};
use hansei_record::clock;
use serde_json::{Value, json};

use crate::terminal;

/// How many calls of a turn are listed before the rest is counted.
const MOST_CALLS: usize = 40;

/// The page for people.
pub fn page(found: &Found, session: &Session) -> String {
    let about = &session.circumstances;
    let known = |text: Option<&String>| terminal::one_line(text.map_or("unknown", String::as_str));
    let mut page = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(page, "session  {}", terminal::one_line(&found.id));
    let _ = writeln!(
        page,
        "agent    {} {}, model {}",
        found.agent,
        known(about.version.as_ref()),
        known(about.model.as_ref())
    );
    let _ = writeln!(page, "where    {} on {}", known(about.cwd.as_ref()), known(about.branch.as_ref()));
    if let (Some(started), Some(seconds)) =
        (&session.started, clock::seconds_between(session.started.as_ref(), session.last.as_ref()))
    {
        let _ = writeln!(page, "when     {}, {}", clock::local(started), terminal::duration(seconds));
    }
    let usage = session.usage;
    let cost = usage.cost_usd.map(|cost| format!(", ${cost:.2}")).unwrap_or_default();
    let _ = writeln!(page, "spent    {} tokens in, {} out{cost}", usage.input_tokens, usage.output_tokens);
    for task in &session.tasks {
        let request = task.request.as_ref().map_or_else(|| "(no request)".to_owned(), Excerpt::text);
        let _ = writeln!(page, "\n> {}", terminal::short(&request, 200));
        for turn in &task.turns {
            turn_lines(&mut page, session, turn);
        }
    }
    page
}

fn turn_lines(page: &mut String, session: &Session, turn: &Turn) {
    if let Some(feedback) = &turn.sent_back {
        let _ = writeln!(page, "  sent back: {}", terminal::short(&feedback.text(), 160));
    }
    let calls = &session.calls[turn.calls.clone()];
    for call in calls.iter().take(MOST_CALLS) {
        let _ = writeln!(page, "  {}", call_line(call));
    }
    if calls.len() > MOST_CALLS {
        let _ = writeln!(page, "  and {} more calls", calls.len() - MOST_CALLS);
    }
    if let Some(error) = &turn.failed {
        let _ = writeln!(page, "  failed: {}", terminal::short(error, 160));
    }
    if turn.aborted {
        let _ = writeln!(page, "  interrupted by the human");
    }
    if let Some(words) = &turn.last_words {
        let _ = writeln!(page, "  said: {}", terminal::short(&words.text(), 300));
    }
}

fn call_line(call: &Call) -> String {
    let what = match &call.action {
        Action::Run { command, .. } => format!("ran   {}", terminal::short(command, 100)),
        Action::Edit { paths } => format!("wrote {}", terminal::short(&paths.join(", "), 100)),
        Action::Delegate { request } => format!("asked a sub-agent: {}", terminal::short(request, 80)),
        Action::Ask { question } => format!("asked you: {}", terminal::short(question, 80)),
        Action::SetTodos { .. } => "set its todo list".to_owned(),
        Action::Plan => "presented a plan".to_owned(),
        Action::HandIn => "handed the work in".to_owned(),
        Action::Look | Action::Other => format!("used  {}", terminal::short(&call.tool, 60)),
    };
    let end = match &call.end {
        None => " … no answer".to_owned(),
        Some(end) => match (end.end, end.exit_code) {
            (AnswerEnd::Done, _) => String::new(),
            (AnswerEnd::Failed, Some(code)) => format!(" → exit {code}"),
            (AnswerEnd::Failed, None) => " → failed".to_owned(),
            (AnswerEnd::Denied, _) => " → refused".to_owned(),
            (AnswerEnd::Interrupted, _) => " → interrupted".to_owned(),
            (AnswerEnd::Background, _) => " → in the background".to_owned(),
        },
    };
    what + &end
}

/// The same for programs.
pub fn json(found: &Found, session: &Session) -> Value {
    let call = |call: &Call| {
        json!({
            "tool": call.tool,
            "action": call.action,
            "at": call.at,
            "end": call.end.as_ref().map(|end| json!({
                "at": end.at, "end": end.end, "exit_code": end.exit_code, "output": end.output.text(),
            })),
        })
    };
    let turn = |turn: &Turn| {
        json!({
            "sent_back": turn.sent_back.as_ref().map(Excerpt::text),
            "calls": session.calls[turn.calls.clone()].iter().map(call).collect::<Vec<_>>(),
            "last_words": turn.last_words.as_ref().map(Excerpt::text),
            "aborted": turn.aborted,
            "failed": turn.failed,
        })
    };
    let tasks: Vec<Value> = session
        .tasks
        .iter()
        .map(|task| {
            json!({
                "request": task.request.as_ref().map(Excerpt::text),
                "via": task.via,
                "at": task.at,
                "turns": task.turns.iter().map(turn).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "id": found.id,
        "agent": found.agent,
        "circumstances": session.circumstances,
        "start": session.started,
        "last": session.last,
        "usage": session.usage,
        "compactions": session.epoch,
        "todos": session.todos,
        "tasks": tasks,
    })
}
