//! `hansei nudge`: what an agent should hear after its context was compacted.

use std::process::ExitCode;

use hansei_core::evidence::{self, Situation};
use hansei_core::nudge::{GithubWork, after_compaction};
use hansei_core::session::Session;
use hansei_record::redacted::Redacted;
use serde_json::{Value, json};

use crate::failure::{Answer, Failure};
use crate::given_sessions::{Given, Source};
use crate::terminal;

/// Say what an agent should hear after its context was compacted.
///
/// Reads one ATIF trajectory, or one object {session, messages[], cwd?}, a line; writes one line
/// for each, in order. The action is `needs_github_update`, `continue_task`, `needs_clarification`
/// or `task_complete`, which needs no word.
///
/// Example: hansei export last | hansei nudge --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let mut count = 0;
    arguments.source.each(|given| {
        let answer = answer(given);
        count += 1;
        let line = if arguments.json { format!("{answer}\n") } else { in_words(&given.name, &answer) };
        terminal::print(&line);
    })?;
    if count == 0 {
        return Err(Failure::usage("there is no session to look at").hint("give one JSON object a line"));
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(given: &Given) -> Value {
    let events = match &given.events {
        Ok(events) => events,
        Err(error) => return json!({ "session": given.name, "error": error }),
    };
    let session = Session::fold(events);
    let situation = Situation::of(&session);
    let nudge = after_compaction(&situation, &evidence::gather(&situation), &GithubWork::of(&situation));
    Redacted::new(&nudge).map(|clean| clean.value().clone()).unwrap_or_default()
}

fn in_words(name: &str, answer: &Value) -> String {
    let name = terminal::one_line(name);
    if let Some(error) = answer["error"].as_str() {
        return format!("{name}: error: {}\n", terminal::one_line(error));
    }
    let action = answer["action"].as_str().unwrap_or_default().replace('_', " ");
    let message = answer["nudgeMessage"].as_str().unwrap_or_default();
    let message =
        if message.is_empty() { String::new() } else { format!(": {}", terminal::short(message, 400)) };
    format!("{name}: {action} (confidence {}){message}\n", answer["confidence"])
}
