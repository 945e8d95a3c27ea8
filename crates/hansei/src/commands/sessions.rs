//! `hansei sessions`: what agents left on this disk.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use comfy_table::{Table, presets};
use hansei_agents::transcript::Found;
use hansei_core::session::Session;
use hansei_core::timestamp::Timestamp;
use hansei_record::clock;
use hansei_record::redacted::Redacted;
use serde::Serialize;

use crate::failure::Answer;
use crate::{homes, terminal};

/// List the sessions that agents left on this disk, the newest first.
///
/// Example: hansei sessions --agent claude-code --cwd .
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Only those of one agent.
    #[arg(long, value_parser = homes::known_agent)]
    agent: Option<String>,
    /// Only those that worked in this folder or below it.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// How many to list.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// One session on one line.
#[derive(Debug, Serialize)]
struct Row {
    id: String,
    agent: &'static str,
    task: Option<String>,
    start: Option<Timestamp>,
    seconds: Option<i64>,
    last_words: Option<String>,
    cwd: Option<String>,
}

pub fn run(arguments: &Arguments) -> Answer {
    let below = arguments.cwd.as_deref().map(std::fs::canonicalize).transpose()?;
    let found = hansei_agents::sessions(&homes::of_user(), arguments.agent.as_deref());
    let any = !found.is_empty();
    let rows: Vec<Row> = found
        .iter()
        .filter_map(|found| Some((found, read(found)?)))
        .filter(|(_, session)| {
            let cwd = session.circumstances.cwd.as_deref().map(PathBuf::from);
            below.as_ref().is_none_or(|below| cwd.is_some_and(|cwd| cwd.starts_with(below)))
        })
        .map(|(found, session)| row(found, &session))
        .take(arguments.limit)
        .collect();
    if arguments.json {
        terminal::print_json(Redacted::new(&rows).map_err(std::io::Error::from)?.value())?;
    } else if rows.is_empty() {
        let where_to = if any {
            "no session on this disk matches"
        } else {
            "no sessions found; looked where each agent keeps them"
        };
        terminal::print(&format!("{where_to}\n"));
    } else {
        terminal::print(&format!("{}\n", table(&rows)));
    }
    Ok(ExitCode::SUCCESS)
}

/// A session on disk, folded; none if it cannot be read (it may be gone by now).
pub fn read(found: &Found) -> Option<Session> {
    let mut session = Session::default();
    hansei_agents::read(found, &mut |event| session.apply(&event)).ok()?;
    Some(session)
}

/// What `take` makes of each of these sessions, on as many threads as there are cores, with a progress line on a terminal. In
/// no order.
pub fn each<T: Send>(found: &[Found], take: impl Fn(&Found) -> Option<T> + Sync) -> Vec<T> {
    let (next, taken) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads =
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(found.len().max(1));
    let progress = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = found.get(place) else { return };
                    if progress {
                        let _ =
                            write!(std::io::stderr(), "\rreading {} of {} sessions", place + 1, found.len());
                    }
                    let Some(made) = take(one) else { continue };
                    if let Ok(mut taken) = taken.lock() {
                        taken.push(made);
                    }
                }
            });
        }
    });
    if progress {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    taken.into_inner().unwrap_or_default()
}

fn row(found: &Found, session: &Session) -> Row {
    let task = session.tasks.iter().find_map(|task| task.request.as_ref());
    let last_words = session.turns().filter_map(|(_, turn)| turn.last_words.as_ref()).last();
    Row {
        id: found.id.clone(),
        agent: found.agent,
        task: task.map(hansei_core::session::Excerpt::text),
        start: session.started.clone(),
        seconds: clock::seconds_between(session.started.as_ref(), session.last.as_ref()),
        last_words: last_words.map(hansei_core::session::Excerpt::text),
        cwd: session.circumstances.cwd.clone(),
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["START", "AGENT", "LENGTH", "TASK", "LAST WORDS", "ID"]);
    for row in rows {
        let short = |text: Option<&String>| terminal::short(text.map_or("-", String::as_str), 40);
        table.add_row([
            row.start.as_ref().map_or_else(|| "-".to_owned(), clock::local),
            row.agent.to_owned(),
            row.seconds.map_or_else(|| "-".to_owned(), terminal::duration),
            short(row.task.as_ref()),
            short(row.last_words.as_ref()),
            terminal::one_line(&row.id),
        ]);
    }
    table
}
