//! `hansei runs`: the runs of this workspace, and what happened in one.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_core::escalation::Escalation;
use hansei_core::run::{Phase, Run};
use hansei_engine::run::Watcher as _;
use hansei_record::run_log::{self, Wheel};
use serde_json::{Value, json};

use super::run::{View, with_run};
use crate::failure::Answer;
use crate::found_run::{self, FoundRun};
use crate::terminal::{self, short, visible};
use crate::workspace::Workspace;

/// List the runs of this workspace, or show one.
///
/// Examples:
///   hansei runs
///   hansei runs show last --replay
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR", global = true)]
    workspace: Option<PathBuf>,
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Show how one run stands.
    Show {
        /// The run's name or the beginning of it, or `last`.
        run: String,
        /// Show everything that happened, in order.
        #[arg(long)]
        replay: bool,
    },
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.workspace.as_deref())?;
    match &arguments.what {
        None => list(&workspace, arguments.json),
        Some(What::Show { run, replay }) => {
            let found = found_run::find(&workspace, run)?;
            if *replay {
                replay_all(&found, arguments.json);
                return Ok(ExitCode::SUCCESS);
            }
            show(&workspace, &found, arguments.json)
        }
    }
}

fn list(workspace: &Workspace, as_json: bool) -> Answer {
    let names =
        found_run::folder(workspace).and_then(|folder| run_log::names(&folder).ok()).unwrap_or_default();
    let mut rows = Vec::new();
    for name in names {
        if let Ok(Some(found)) = found_run::read(workspace, &name) {
            rows.push((summary(workspace, &found), found));
        }
    }
    if as_json {
        terminal::print_json(&rows.iter().map(|(row, _)| row).collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    if rows.is_empty() {
        terminal::print("No runs here yet. `hansei run TASK` starts one.\n");
    }
    for (row, found) in &rows {
        let standing = row["standing"].as_str().unwrap_or_default();
        let task = visible(&short(&found.run.started().task, 50)).into_owned();
        terminal::print(&format!("{:<28} {standing:<26} {task}\n", found.name));
    }
    Ok(ExitCode::SUCCESS)
}

/// How a run stands, in a word.
fn standing(workspace: &Workspace, name: &str, run: &Run) -> String {
    let named = |value: Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(ended) = run.ended() {
        return named(serde_json::to_value(ended.ending).unwrap_or_default());
    }
    let driven =
        found_run::folder(workspace).is_some_and(|folder| matches!(Wheel::take(&folder, name), Ok(None)));
    match run.phase() {
        _ if run.open_review().is_some() && (driven || run.is_parked()) => "waiting_for_review".to_owned(),
        Phase::Resting { pause, .. } => named(serde_json::to_value(pause).unwrap_or_default()),
        _ if run.is_parked() => "parked".to_owned(),
        _ if driven => "running".to_owned(),
        _ => "interrupted".to_owned(),
    }
}

fn summary(workspace: &Workspace, found: &FoundRun) -> Value {
    let started = found.run.started();
    let spent = found.run.spent();
    json!({
        "run": found.name,
        "standing": standing(workspace, &found.name, &found.run),
        "ending": found.run.ended().map(|ended| ended.ending),
        "why": found.run.ended().map(|ended| ended.why.clone()),
        "task": started.task,
        "mode": started.mode,
        "model": started.model,
        "started": found.events.first().map(|line| line.time.clone()),
        "last": found.events.last().map(|line| line.time.clone()),
        "used": found.run.used(),
        "quotas": started.terms.quotas,
        "max_steps": started.terms.max_steps,
        "reflections": found.run.reflections(),
        "open_review": found.run.open_review(),
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "usd": spent.usd,
    })
}

fn show(workspace: &Workspace, found: &FoundRun, as_json: bool) -> Answer {
    let mut row = summary(workspace, found);
    if let Value::Object(map) = &mut row {
        map.insert("spec".to_owned(), json!(found.run.spec()));
        map.insert("verification".to_owned(), json!(found.run.verification()));
        map.insert("escalation".to_owned(), json!(handed_up(found)));
        let files: Vec<&str> = found
            .lines
            .iter()
            .filter(|line| line["kind"] == "captured")
            .filter_map(|line| line["sidecar"].as_str())
            .collect();
        map.insert("captured".to_owned(), json!(files));
        if let Some(team) = found.run.team() {
            let experts =
                team.experts().iter().map(|expert| json!({ "expert": expert.role.name, "is": expert.stage }));
            map.insert("team".to_owned(), json!(team.template().name));
            map.insert("experts".to_owned(), experts.collect());
        }
    }
    if as_json {
        terminal::print_json(&row)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = |name: &str| match &row[name] {
        Value::String(text) => visible(text).into_owned(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    };
    for name in ["run", "standing", "why", "task", "mode", "model", "started", "last", "used", "open_review"]
    {
        terminal::print(&format!("{name:<12} {}\n", text(name)));
    }
    let spent = found.run.spent();
    let cost = terminal::cost(Some(spent.input_tokens + spent.output_tokens), spent.usd);
    terminal::print(&format!("{:<12} {cost}\n", "cost"));
    if let Some(spec) = found.run.spec() {
        terminal::print(&format!("\n{}", visible(&spec.yaml())));
    }
    if let Some(escalation) = handed_up(found) {
        terminal::print(&format!("\n{}\n", visible(escalation.text().trim_end())));
    }
    Ok(ExitCode::SUCCESS)
}

/// What a run that gave up says to whoever comes next.
fn handed_up(found: &FoundRun) -> Option<&Escalation> {
    found.run.ended()?.escalation.as_deref()
}

fn replay_all(found: &FoundRun, as_json: bool) {
    let mut view = View::of(&found.run);
    for line in &found.lines {
        if as_json {
            terminal::print(&format!("{}\n", with_run(line, &found.name)));
        } else {
            view.line(line);
        }
    }
}
