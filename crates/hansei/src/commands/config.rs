//! `hansei config`: each setting, its value, and where it comes from.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_core::stuck::TOO_RECENT;
use hansei_record::settings::{Layers, Origin, WORKSPACE_FILE, read_file};
use serde_json::{Value, json};

use crate::failure::Answer;
use crate::terminal;
use crate::workspace::Workspace;

/// Show each setting, its value, and where it comes from.
///
/// Settings are read from hansei.toml at the root of the workspace and then from the user's own
/// config.toml; later wins.
///
/// Example: hansei config --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    let path = workspace.layout.root().join(WORKSPACE_FILE);
    let text = read_file(&path)?;
    let user = workspace.environment.user_settings.as_deref();
    let layers = Layers::load(text.as_deref().map(|text| (path.as_path(), text)), user)?;
    layers.floor(None)?;

    let (threshold, origin) = layers.threshold();
    let mut rows = vec![("risk.threshold".to_owned(), json!(threshold), origin.to_string())];
    for (surface, (patterns, origin)) in layers.surfaces() {
        rows.push((format!("risk.surfaces.{surface}"), json!(patterns), origin.to_string()));
    }
    let (judge, origin) = layers.judge();
    rows.extend(section("judge", judge.rows(), &origin));
    let stop = layers.stop();
    let caps = stop.caps(None);
    let said = "[stop] of config.toml, lowered by hansei.toml".to_owned();
    rows.push(("stop.autonomy".to_owned(), json!(stop.autonomy), said.clone()));
    rows.push(("stop.max_attempts".to_owned(), json!(caps.unattended), said.clone()));
    rows.push(("stop.max_attempts_attended".to_owned(), json!(caps.attended), said));
    let (checks, origin) = layers.checks();
    rows.push(("checks.commands".to_owned(), json!(checks.commands), origin.to_string()));
    let (notify, origin) = layers.notify();
    rows.extend(section("notify", notify.rows(), &origin));
    let (store, origin) = layers.store();
    rows.extend(section("store", store.rows(), &origin));
    let (verify, origin) = layers.verify();
    rows.extend(section("verify", verify.rows(), &origin));
    let (run, origin) = layers.run();
    rows.extend(section("run", run.rows(), &origin));
    let (unblock, origin) = layers.unblock();
    rows.extend(section("unblock", unblock.rows(), &origin));
    let (sandbox, origin) = layers.sandbox();
    rows.extend(section("sandbox", sandbox.rows(), &origin));
    let (stuck, origin) = layers.stuck();
    let after = stuck.after_seconds.unwrap_or(TOO_RECENT);
    rows.push(("stuck.after_seconds".to_owned(), json!(after), origin.to_string()));
    if arguments.json {
        let rows: Vec<Value> = rows
            .iter()
            .map(|(key, value, origin)| json!({ "key": key, "value": value, "origin": origin }))
            .collect();
        terminal::print_json(&rows)?;
    } else {
        for (key, value, origin) in rows {
            terminal::print(&format!("{key} = {value}  ({})\n", terminal::one_line(&origin)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The rows of a section, each with where its value comes from.
fn section(
    name: &'static str,
    rows: Vec<(&'static str, Option<Value>)>,
    origin: &Origin,
) -> impl Iterator<Item = (String, Value, String)> {
    rows.into_iter().map(move |(key, value)| {
        let origin = if value.is_some() { origin.to_string() } else { "default".to_owned() };
        (format!("{name}.{key}"), json!(value), origin)
    })
}
