//! `hansei log`: the reflections of a workspace, the newest first.

use std::path::PathBuf;
use std::process::ExitCode;

use comfy_table::{Table, presets};
use hansei_core::reflection::Reflection;
use hansei_record::clock;
use hansei_record::sidecar::{self, Stored};
use serde_json::{Value, json};

use crate::failure::{Answer, Failure};
use crate::terminal;
use crate::workspace::Workspace;

/// List what agents knew and touched when they stopped, the newest first.
///
/// Example: hansei log --limit 5
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// How many to list.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print JSON: a list of reflections, each with its id.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    let all = reflections(&workspace)?;
    let shown = &all[..all.len().min(arguments.limit)];
    if arguments.json {
        terminal::print_json(&shown.iter().map(entry).collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    if all.is_empty() {
        terminal::print("no reflections yet: they appear when an agent with Hansei's hook stops here\n");
        return Ok(ExitCode::SUCCESS);
    }
    terminal::print(&format!("{}\n", table(shown)));
    if shown.len() < all.len() {
        terminal::print(&format!("and {} older\n", all.len() - shown.len()));
    }
    Ok(ExitCode::SUCCESS)
}

/// All reflections of a workspace; none where there is no folder for them.
pub fn reflections(workspace: &Workspace) -> Result<Vec<Stored>, Failure> {
    match workspace.places.existing_reflections().and_then(|folder| sidecar::list(&folder)) {
        Ok(all) => Ok(all),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::environment(format!("the reflections cannot be read: {error}"))),
    }
}

/// A reflection with its id, as JSON.
pub fn entry(stored: &Stored) -> Value {
    match &stored.reflection {
        Ok(reflection) => {
            let mut entry = json!({ "id": stored.id });
            if let (Value::Object(entry), Ok(Value::Object(rest))) =
                (&mut entry, serde_json::to_value(reflection))
            {
                entry.extend(rest);
            }
            entry
        }
        Err(error) => json!({ "id": stored.id, "error": error }),
    }
}

fn table(shown: &[Stored]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["WHEN", "AGENT", "TASK", "CONFIDENCE", "SURFACE", "SCORE", "REVIEW", "ID"]);
    for stored in shown {
        match &stored.reflection {
            Ok(reflection) => table.add_row(row(&stored.id, reflection)),
            Err(error) => table.add_row(["", "", "", "", "", "", &terminal::one_line(error), &stored.id]),
        };
    }
    table
}

fn row(id: &str, reflection: &Reflection) -> [String; 8] {
    [
        clock::local(&reflection.timestamp),
        terminal::one_line(&reflection.agent),
        terminal::one_line(&reflection.task_ref),
        reflection.confidence.map_or_else(|| "-".to_owned(), |confidence| format!("{:.2}", confidence.get())),
        reflection.risk.surface.to_string(),
        format!("{:.2}", reflection.risk.score.get()),
        if reflection.risk.needs_review { "needed".to_owned() } else { "-".to_owned() },
        id.to_owned(),
    ]
}
