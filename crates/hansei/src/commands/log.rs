//! `hansei log`: the reflections of a workspace, the newest first.
//!
//! Without a filter they are read from their files, so that they can be seen where no index can be written. A filter asks the
//! index, which is caught up first.

use std::path::PathBuf;
use std::process::ExitCode;

use comfy_table::{Table, presets};
use hansei_core::reflection::Reflection;
use hansei_core::surface::Surface;
use hansei_core::timestamp::Timestamp;
use hansei_record::sidecar::{self, Stored};
use hansei_record::{clock, since};
use hansei_store::{Filter, Judged, ReflectionRow};
use serde_json::{Value, json};

use super::log_rank::ranked;
use crate::failure::{Answer, Failure};
use crate::gate_override;
use crate::index::{Index, home_of, opted_in};
use crate::terminal;
use crate::workspace::Workspace;

/// List what agents knew and touched when they stopped, the newest first.
///
/// Filters ask the index (see `hansei index`), which is brought up to date first.
///
/// Example: hansei log --limit 5
/// Example: hansei log --agent codex --surface auth --since 7d
/// Example: hansei log --verdict incomplete --search "login token"
/// Example: hansei log --all --since 18:00
/// Example: hansei log --since 7d --rank
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// How many to list.
    #[arg(long, short = 'n', default_value_t = 20)]
    limit: usize,
    /// Only those of this agent.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only those whose change touches this surface: auth, data, infra, ui, build, test, docs or none.
    #[arg(long, value_parser = known_surface)]
    surface: Option<Surface>,
    /// Only those whose stop was judged so.
    #[arg(long, value_enum)]
    verdict: Option<VerdictWanted>,
    /// Only those since then: 18:00, 12h, 2026-11-15 or 2026-11-15T18:00:00Z.
    #[arg(long, value_name = "TIME", value_parser = since::moment)]
    since: Option<Timestamp>,
    /// Only those with all these words, each as the beginning of a word, in them or in the verdict.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Those of all workspaces that you opted in with `hansei index --user --add`.
    #[arg(long, conflicts_with = "repo")]
    all: bool,
    /// First what needs eyes most: by what a mistake would cost times how likely one is (see `hansei risk`).
    #[arg(long, conflicts_with = "all")]
    rank: bool,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print JSON: a list of reflections, each with its id.
    #[arg(long)]
    json: bool,
}

/// How a stop was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum VerdictWanted {
    /// As complete.
    Complete,
    /// As incomplete.
    Incomplete,
    /// Not at all.
    None,
}

fn known_surface(name: &str) -> Result<Surface, String> {
    Surface::from_name(name)
        .ok_or_else(|| format!("there are {}", Surface::ALL.map(Surface::name).join(", ")))
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    if arguments.all {
        return everywhere(arguments, &workspace);
    }
    let all = match filter(arguments) {
        None => reflections(&workspace)?,
        Some(_) if !has_records(&workspace) => Vec::new(),
        Some(mut filter) => {
            let mut index = Index::of_workspace(&workspace)?;
            let home = home_of(workspace.layout.home());
            index.catch_up(&home, &workspace.environment)?;
            filter.workspaces = vec![index.name_of(&home)];
            let found = index.store.reflections(&filter)?;
            found.into_iter().map(|found| stored(found.reflection)).collect()
        }
    };
    if all.is_empty() && filter(arguments).is_some() && !arguments.json {
        terminal::print("no reflection is like that\n");
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.rank && !all.is_empty() {
        by_rank(arguments, &workspace, all)?;
        return Ok(ExitCode::SUCCESS);
    }
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
    terminal::print(&gate_override::line(Some(&workspace)));
    Ok(ExitCode::SUCCESS)
}

/// Lists what needs eyes most first.
fn by_rank(arguments: &Arguments, workspace: &Workspace, all: Vec<Stored>) -> Result<(), Failure> {
    let mut ranked = ranked(workspace, all);
    let left = ranked.len().saturating_sub(arguments.limit);
    ranked.truncate(arguments.limit);
    if arguments.json {
        let entries = ranked.iter().map(|ranked| {
            let mut entry = entry(&ranked.stored);
            if let Some((rank, likelihood)) = &ranked.rank {
                entry["likelihood"] = json!(likelihood);
                entry["rank"] = json!(rank);
            }
            entry
        });
        return terminal::print_json(&entries.collect::<Vec<_>>());
    }
    let mut table = table(ranked.iter().map(|ranked| &ranked.stored));
    let ranks = ranked.iter().map(|ranked| ranked.rank.as_ref().map_or(0.0, |(rank, _)| *rank));
    with_column(&mut table, "RANK", ranks.map(|rank| format!("{rank:.2}")));
    terminal::print(&format!("{table}\n"));
    if left > 0 {
        terminal::print(&format!("and {left} below\n"));
    }
    terminal::print(&gate_override::line(Some(workspace)));
    Ok(())
}

/// Adds a column at the end.
fn with_column(table: &mut Table, name: &str, cells: impl Iterator<Item = String>) {
    for (row, cell) in table.row_iter_mut().zip(cells) {
        row.add_cell(cell.into());
    }
    if let Some(header) = table.header() {
        let mut header = header.clone();
        header.add_cell(name.into());
        table.set_header(header);
    }
}

/// What the index is asked for; none where nothing was.
fn filter(arguments: &Arguments) -> Option<Filter> {
    let Arguments { agent, surface, verdict, since, search, .. } = arguments;
    let is_asked =
        agent.is_some() || surface.is_some() || verdict.is_some() || since.is_some() || search.is_some();
    is_asked.then(|| Filter {
        agent: agent.clone(),
        surface: surface.map(|surface| surface.name().to_owned()),
        verdict: verdict.map(|verdict| match verdict {
            VerdictWanted::Complete => Judged::Complete,
            VerdictWanted::Incomplete => Judged::Incomplete,
            VerdictWanted::None => Judged::Never,
        }),
        since: since.clone(),
        search: search.clone(),
        ..Filter::default()
    })
}

/// Whether there is anything to make an index of: asking must not leave one where nothing ever happened.
fn has_records(workspace: &Workspace) -> bool {
    workspace.places.existing_log().is_ok() || workspace.places.existing_reflections().is_ok()
}

fn stored(row: ReflectionRow) -> Stored {
    let read = Reflection::from_json(&row.file.body).map_err(|error| error.to_string());
    Stored { id: row.name, reflection: row.error.map_or(read, Err) }
}

/// The reflections of all workspaces that are opted in.
fn everywhere(arguments: &Arguments, workspace: &Workspace) -> Answer {
    let environment = &workspace.environment;
    let homes = opted_in(environment)?.workspaces;
    let mut all = Vec::new();
    if !homes.is_empty() {
        let mut index = Index::of_user(environment)?;
        for home in &homes {
            index.catch_up(home, environment)?;
        }
        let mut filter = filter(arguments).unwrap_or_default();
        filter.workspaces = homes.iter().map(|home| index.name_of(home)).collect();
        let found = index.store.reflections(&filter)?;
        all = found
            .into_iter()
            .map(|found| (found.reflection.workspace.clone(), stored(found.reflection)))
            .collect();
    }
    let shown = &all[..all.len().min(arguments.limit)];
    if arguments.json {
        let entries = shown.iter().map(|(workspace, stored)| {
            let mut entry = entry(stored);
            entry["workspace"] = json!(workspace);
            entry
        });
        terminal::print_json(&entries.collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    if homes.is_empty() {
        terminal::print("no workspace is opted in: `hansei index --user --add` in one does it\n");
    } else if all.is_empty() {
        terminal::print("no reflection is like that\n");
    } else {
        let mut table = table(shown.iter().map(|(_, stored)| stored));
        let names = shown.iter().map(|(workspace, _)| terminal::one_line(workspace));
        with_column(&mut table, "WORKSPACE", names);
        terminal::print(&format!("{table}\n"));
        if shown.len() < all.len() {
            terminal::print(&format!("and {} older\n", all.len() - shown.len()));
        }
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

fn table<'a>(shown: impl IntoIterator<Item = &'a Stored>) -> Table {
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
