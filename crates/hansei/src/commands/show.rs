//! `hansei show`: everything about one reflection.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use hansei_core::event::Event;
use hansei_core::reflection::Reflection;
use hansei_record::redacted::Redacted;
use hansei_record::sidecar::Stored;
use hansei_record::{clock, log as session_log};
use serde_json::{Value, json};

use super::log::{entry, reflections};
use super::session_page;
use crate::failure::{Answer, Failure};
use crate::terminal;
use crate::workspace::Workspace;

/// How many paths are listed before the rest is counted.
const MOST_PATHS: usize = 50;

/// Show everything about one reflection, or with --session about a session on disk.
///
/// Examples:
///   hansei show last
///   hansei show --session 0b6f7a3e
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Its id or the beginning of it, a session's id, or `last`.
    #[arg(default_value = "last")]
    id: String,
    /// A session that an agent left on this disk: its id or the beginning of it, or `last`.
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    session: Option<String>,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    if let Some(session) = &arguments.session {
        return show_session(session, arguments.json);
    }
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    let all = reflections(&workspace)?;
    let stored = find(&all, &arguments.id)?;
    let reflection = stored
        .reflection
        .as_ref()
        .map_err(|error| Failure::environment(format!("{} is not a valid reflection: {error}", stored.id)))?;
    let capture = capture_of(&workspace, stored, reflection);
    if arguments.json {
        let mut shown = entry(stored);
        if let Value::Object(shown) = &mut shown {
            let notes =
                capture.map(|(left_out, degraded)| json!({ "left_out": left_out, "degraded": degraded }));
            shown.insert("capture".to_owned(), notes.unwrap_or(Value::Null));
        }
        terminal::print_json(&shown)?;
    } else {
        terminal::print(&page(&stored.id, reflection, capture.as_ref()));
    }
    Ok(ExitCode::SUCCESS)
}

fn show_session(id: &str, json: bool) -> Answer {
    let found = crate::homes::find(id, None)?;
    let session = super::sessions::read(&found)
        .ok_or_else(|| Failure::environment(format!("{} cannot be read", found.file.display())))?;
    if json {
        let shown = Redacted::new(&session_page::json(&found, &session)).map_err(std::io::Error::from)?;
        terminal::print_json(shown.value())?;
    } else {
        terminal::print(&session_page::page(&found, &session));
    }
    Ok(ExitCode::SUCCESS)
}

/// The reflection that `id` means.
pub fn find<'a>(all: &'a [Stored], id: &str) -> Result<&'a Stored, Failure> {
    let list = "`hansei log` lists them";
    if id == "last" {
        return all.first().ok_or_else(|| Failure::usage("there are no reflections here yet"));
    }
    if let Some(exact) = all.iter().find(|stored| stored.id == id) {
        return Ok(exact);
    }
    let of_session =
        |stored: &&Stored| stored.reflection.as_ref().is_ok_and(|reflection| reflection.session_id == id);
    if let Some(newest) = all.iter().find(of_session) {
        return Ok(newest);
    }
    let matching: Vec<&Stored> = all.iter().filter(|stored| stored.id.starts_with(id)).collect();
    match matching.as_slice() {
        [] => Err(Failure::usage(format!("there is no reflection {id:?} here")).hint(list)),
        [only] => Ok(only),
        several => Err(Failure::usage(format!("{} reflections begin with {id:?}", several.len())).hint(list)),
    }
}

/// What the log says about the capture: paths left out, and what was missing.
fn capture_of(
    workspace: &Workspace,
    stored: &Stored,
    reflection: &Reflection,
) -> Option<(Vec<String>, Vec<String>)> {
    let lines = session_log::read(&workspace.places.log().ok()?, &reflection.session_id).ok()?;
    let name = format!("{}.reflection.json", stored.id);
    lines.into_iter().rev().find_map(|line| match line.event {
        Event::Captured { sidecar, left_out, degraded, .. } if sidecar == name => Some((left_out, degraded)),
        _ => None,
    })
}

fn page(id: &str, reflection: &Reflection, capture: Option<&(Vec<String>, Vec<String>)>) -> String {
    let mut page = String::new();
    let mut line = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ =
            writeln!(page, "{name:<18}{}", terminal::visible(value).replace('\n', "\n                  "));
    };
    let said = |text: Option<&str>| text.unwrap_or("(not said)").to_owned();
    line("reflection", id);
    line("when", &clock::local(&reflection.timestamp));
    line("agent", &reflection.agent);
    line("task", &reflection.task_ref);
    line("session", &reflection.session_id);
    let provenance = &reflection.provenance;
    let degraded = if provenance.degraded { ", degraded" } else { "" };
    line("stop", &format!("{} of this task{degraded}", provenance.reflection_attempt));
    let review = if reflection.risk.needs_review { "review needed" } else { "no review needed" };
    line("risk", &format!("{review}, score {:.2}: {}", reflection.risk.score.get(), reflection.risk.reason));
    line("confidence", &said(reflection.confidence.map(|value| value.get().to_string()).as_deref()));
    let wrong = reflection.most_likely_wrong.as_ref();
    line("most likely wrong", &said(wrong.map(|w| format!("{}: {}", w.surface, w.description)).as_deref()));
    line("not in the diff", &said(reflection.known_not_in_diff.as_deref()));
    line("files changed", &reflection.files_changed.len().to_string());
    paths(&mut line, &reflection.files_changed);
    if let Some((left_out, gaps)) = capture {
        if !left_out.is_empty() {
            line("left out", &format!("{} changed before the session and not since", left_out.len()));
            paths(&mut line, left_out);
        }
        for gap in gaps {
            line("missing", gap);
        }
    }
    page
}

fn paths(line: &mut impl FnMut(&str, &str), paths: &[String]) {
    for path in paths.iter().take(MOST_PATHS) {
        line("", &terminal::one_line(path));
    }
    if paths.len() > MOST_PATHS {
        line("", &format!("and {} more", paths.len() - MOST_PATHS));
    }
}
