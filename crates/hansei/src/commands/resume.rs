//! `hansei resume`: takes a run up where it was left.

use std::path::PathBuf;

use hansei_record::run_log::Wheel;
use hansei_record::settings::Layers;

use super::run::{self, Manner, Resumed};
use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;
use crate::{found_run, interruption};

/// Go on with a run after Ctrl-C, a crash, an outage or a rest.
///
/// What was done is not done again. A tool call that was begun and whose result was lost is told to the
/// model as unknown, and not repeated. A plan that was not confirmed is shown again.
///
/// Exit codes: as `hansei run`.
///
/// Example: hansei resume last
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The run's name or the beginning of it, or `last`.
    run: String,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Where the model answers, where that is not in your config.toml.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The agent, where it was named as acp:"COMMAND". To be said again: what is on record starts no program.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Take the plan as confirmed.
    #[arg(long)]
    yes: bool,
    /// Run commands as they are. To be said again: what is on record does not open the sandbox.
    #[arg(long)]
    no_sandbox: bool,
    /// Print each event as a line: {seq, run, time, kind, …}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.workspace.as_deref())?;
    let found = found_run::find(&workspace, &arguments.run)?;
    if let Some(ended) = found.run.ended() {
        let ending = serde_json::to_value(ended.ending).unwrap_or_default();
        let ending = ending.as_str().unwrap_or_default();
        return Err(Failure::refused(format!("{} is over ({ending}: {})", found.name, ended.why))
            .hint("a new `hansei run` starts from what is in the workspace now"));
    }
    let settings = Layers::load(None, workspace.environment.user_settings.as_deref())?.run().0;
    let started = found.run.started();
    let sandboxed = !arguments.no_sandbox;
    if started.mode.has_tools() && sandboxed {
        run::needs_sandbox()?;
    }
    if let Some(agent) = started.agent.as_ref().filter(|agent| agent.starts_with("acp:"))
        && arguments.agent.as_ref() != Some(agent)
    {
        return Err(Failure::usage(format!("this run was started with --agent {agent:?}; say it again")));
    }
    // A record may come with a repository: it names no host that a key is sent to.
    let on_record = started.base_url.clone().filter(|url| is_here(url));
    let base_url = arguments.base_url.clone().or_else(|| settings.base_url.clone()).or(on_record);
    if started.base_url.is_some() && base_url.is_none() {
        return Err(Failure::usage("this run was started with --base-url; say it again"));
    }
    let manner = Manner { base_url, json: arguments.json, settings };
    let voice = run::speaker(started, &manner)?;
    run::tidy();
    run::is_possible(&workspace, started, &manner)?;
    interruption::end_what_runs();
    let folder = workspace.places.log()?;
    let wheel = Wheel::take(&folder, &found.name)?.ok_or_else(|| {
        Failure::refused(format!("{} is being driven by another process", found.name))
            .hint("`hansei runs` shows how it stands")
    })?;
    let resumed = Resumed { yes: arguments.yes, sandboxed };
    run::go_on(&workspace, &found.name, wheel, &manner, voice, Some(resumed))
}

/// Whether an address is this machine's.
fn is_here(url: &str) -> bool {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")).unwrap_or_default();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    !host.contains('@') && matches!(name, "127.0.0.1" | "localhost" | "::1")
}
