//! Reading a fixture, and showing its events a line each.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hansei_agents::transcript::{Found, Reading};
use hansei_core::session::{Action, SessionEvent, What};

/// The file `name` among the fixtures.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A session of `agent` in `file`.
pub fn found(agent: &'static str, id: &str, file: PathBuf) -> Found {
    Found { agent, id: id.into(), file, modified: SystemTime::UNIX_EPOCH, size: 0 }
}

/// All events of a session.
pub fn read(found: &Found) -> (Vec<SessionEvent>, Reading) {
    let mut events = Vec::new();
    let reading = hansei_agents::read(found, &mut |event| events.push(event)).unwrap();
    (events, reading)
}

/// The events of a text that `agent` might have written.
pub fn read_text(agent: &'static str, text: &str) -> (Vec<SessionEvent>, Reading) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    std::fs::write(&file, text).unwrap();
    read(&found(agent, "s", file))
}

/// The events, a line each, and what the reader met.
pub fn show((events, reading): &(Vec<SessionEvent>, Reading)) -> String {
    let mut text = String::new();
    for event in events {
        writeln!(text, "{}", line(event)).unwrap();
    }
    let Reading { lines, unknown, torn } = reading;
    write!(text, "{lines} lines, {unknown} unknown, torn: {torn}").unwrap();
    text
}

fn line(event: &SessionEvent) -> String {
    match &event.what {
        What::Started(now) => {
            let fields = [&now.version, &now.model, &now.cwd, &now.branch, &now.forked_from];
            let known: Vec<&str> = fields.into_iter().map(|field| field.as_deref().unwrap_or("-")).collect();
            format!("started {} attended {:?}", known.join(" "), now.attended)
        }
        What::HumanSaid { text, via } => format!("human {via:?}: {}", short(text)),
        What::Fed { text, by } => format!("fed by {by:?}: {}", short(text)),
        What::Said { text } => format!("said: {}", short(text)),
        What::Thought { text } => format!("thought: {}", short(text)),
        What::Called { call, tool, action, .. } => format!("called {call} {tool} = {}", does(action)),
        What::Answered { call, output, end, exit_code } => {
            let code = exit_code.map_or("-".into(), |code| code.to_string());
            format!("answered {call} {end:?} {code}: {}", short(output))
        }
        What::Compacted { summary } => format!("compacted: {}", short(summary.as_deref().unwrap_or("-"))),
        What::Permission { plan, name } => format!("permission {name}, plan {plan}"),
        What::Used(usage) => {
            let cost = usage.cost_usd.map_or(String::new(), |cost| format!(" {cost} USD"));
            format!("used {} {}{cost}", usage.input_tokens, usage.output_tokens)
        }
        What::Aborted => "aborted".into(),
        What::Failed { error } => format!("failed: {}", short(error)),
        What::BySubAgent { call, what } => {
            let what = SessionEvent { at: None, id: None, what: (**what).clone() };
            format!("by the sub-agent of {}: {}", call.as_deref().unwrap_or("-"), line(&what))
        }
        What::Stopped => "stopped".into(),
        What::Ended { reason } => format!("ended: {reason}"),
    }
}

fn does(action: &Action) -> String {
    match action {
        Action::Run { command, background } => {
            format!("run{} {}", if *background { " in background" } else { "" }, short(command))
        }
        Action::Edit { paths } => format!("edit {paths:?}"),
        Action::SetTodos { todos } => {
            let todos: Vec<String> =
                todos.iter().map(|todo| format!("{:?} {}", todo.status, todo.text)).collect();
            format!("todos {todos:?}")
        }
        Action::Delegate { request } => format!("delegate {}", short(request)),
        Action::Ask { question } => format!("ask {}", short(question)),
        Action::Look => "look".into(),
        Action::Plan => "plan".into(),
        Action::HandIn => "hand in".into(),
        Action::Other => "other".into(),
    }
}

fn short(text: &str) -> String {
    let text = text.replace('\n', "⏎");
    if text.chars().count() <= 110 { text } else { text.chars().take(110).chain(['…']).collect() }
}
