//! `hansei stuck`: why silent sessions are silent, and whether a word would help.

use std::process::ExitCode;

use hansei_core::evidence::{self, Situation};
use hansei_core::session::Session;
use hansei_core::stuck::{Assessment, Reason, Signs, assess};
use hansei_record::clock;
use hansei_record::redacted::Redacted;
use serde_json::{Value, json};

use crate::advisor::{self, Configured};
use crate::failure::{Answer, Failure};
use crate::given_sessions::{Given, Source};
use crate::terminal;
use crate::workspace::Workspace;

/// Say whether silent sessions are stuck, wait for you, work, or are done.
///
/// Reads one ATIF trajectory, or one object {session, messages[], cwd?}, a line; writes one line
/// for each, in order. With one session the exit code tells: 0 not stuck, 1 stuck. A session that
/// spoke less than 30 seconds ago is never stuck. Without --idle-seconds the last timestamp in it
/// counts, and without one it has been silent for long enough.
///
/// Example: hansei export last | hansei stuck --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// For how many seconds nothing has happened.
    #[arg(long, value_name = "N")]
    idle_seconds: Option<u64>,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let settings = Workspace::at(None)?.environment.user_settings;
    let advisor = advisor::of_user(settings.as_deref());
    let (mut count, mut stuck) = (0, false);
    arguments.source.each(|given| {
        let answer = answer(given, arguments.idle_seconds, advisor.as_ref());
        count += 1;
        stuck = answer["stuck"] == true;
        let line = if arguments.json { format!("{answer}\n") } else { in_words(&given.name, &answer) };
        terminal::print(&line);
    })?;
    match count {
        0 => Err(Failure::usage("there is no session to look at").hint("give one JSON object a line")),
        1 => Ok(ExitCode::from(u8::from(stuck))),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn answer(given: &Given, idle: Option<u64>, advisor: Option<&Configured>) -> Value {
    let events = match &given.events {
        Ok(events) => events,
        Err(error) => return json!({ "session": given.name, "error": error }),
    };
    let session = Session::fold(events);
    let signs = Signs { idle: idle.or_else(|| silence(&session)), ..Signs::default() };
    let situation = Situation::of(&session);
    let assessment = assessed(&situation, signs, advisor);
    Redacted::new(&assessment).map(|clean| clean.value().clone()).unwrap_or_default()
}

/// For how many seconds a session has been silent, where it says when something happened.
pub fn silence(session: &Session) -> Option<u64> {
    clock::seconds_between(session.last.as_ref(), Some(&clock::now()))
        .and_then(|seconds| u64::try_from(seconds).ok())
}

/// What is thought of a silent session: by evidence, and where that leaves it open by the model that the user named.
pub fn assessed(situation: &Situation<'_>, signs: Signs, advisor: Option<&Configured>) -> Assessment {
    let evidence = evidence::gather(situation);
    let assessment = assess(situation, &evidence, signs);
    match advisor {
        Some(advisor) if assessment.is_open() => {
            // Who cannot be asked changes nothing: the evidence decides alone.
            match advisor.on_silence(situation, &evidence) {
                Ok(opinion) => assessment.with_opinion(&opinion, situation, &evidence),
                Err(_) => assessment,
            }
        }
        _ => assessment,
    }
}

/// How a person calls it.
pub fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::GenuinelyStuck => "stuck",
        Reason::WaitingForUser => "waiting for you",
        Reason::Working => "working",
        Reason::Complete => "done",
    }
}

fn in_words(name: &str, answer: &Value) -> String {
    let name = terminal::one_line(name);
    if let Some(error) = answer["error"].as_str() {
        return format!("{name}: error: {}\n", terminal::one_line(error));
    }
    let reason = serde_json::from_value(answer["reason"].clone()).map_or("unknown", word);
    let message = answer["nudgeMessage"].as_str().unwrap_or_default();
    let message =
        if message.is_empty() { String::new() } else { format!(": {}", terminal::short(message, 400)) };
    format!("{name}: {reason} (confidence {}){message}\n", answer["confidence"])
}
