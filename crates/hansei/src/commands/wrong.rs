//! `hansei wrong`: a false accusation, so that its detector keeps quiet here.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_core::event::{Event, Line};
use hansei_core::interrupt::{kind_name, kind_named};
use hansei_record::log;
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::inside_agent::{append, refuse};
use crate::terminal;
use crate::workspace::Workspace;

/// Say that Hansei accused an agent wrongly: the detector is muted in this workspace.
///
/// Without --detector it is the one behind the newest send-back here. Refused inside an agent's own
/// shell.
///
/// Example: hansei wrong --detector placeholder
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The detector, as verdicts name its evidence.
    #[arg(long, value_name = "NAME")]
    detector: Option<String>,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print {detector, session}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    refuse("wrong", &workspace)?;
    let newest = newest_send_back(&workspace)?;
    let session = newest.as_ref().map(|(session, _)| session.clone());
    let detector = match &arguments.detector {
        Some(name) if kind_named(name).is_some() => name.clone(),
        Some(name) => {
            return Err(Failure::usage(format!("there is no detector {name:?}"))
                .hint("verdicts name them: see evidence[].kind in .hansei/verdicts"));
        }
        None => only_detector(newest.as_ref().map(|(_, grounds)| grounds.as_slice()))?,
    };
    append(&workspace, Event::MarkedWrong { detector: detector.clone(), session: session.clone() })?;
    if arguments.json {
        terminal::print_json(&json!({ "detector": detector, "session": session }))?;
    } else {
        terminal::print(&format!("noted; {detector} accuses nobody in this workspace any more\n"));
    }
    Ok(ExitCode::SUCCESS)
}

fn only_detector(grounds: Option<&[String]>) -> Result<String, Failure> {
    match grounds {
        Some([only]) => Ok(only.clone()),
        Some(several) => Err(Failure::usage("the newest send-back rests on several detectors")
            .hint(format!("say which was wrong: --detector {}", several.join(" or ")))),
        None => Err(Failure::usage("no agent was sent back here").hint("name the detector with --detector")),
    }
}

/// The newest time that an agent was sent back here: its session, and what for.
fn newest_send_back(workspace: &Workspace) -> Result<Option<(String, Vec<String>)>, Failure> {
    let folder = workspace.places.log()?;
    let mut newest: Option<(Line, String)> = None;
    for name in folder.names()? {
        let Some(session) = name.strip_suffix(".jsonl").filter(|name| !name.starts_with('~')) else {
            continue;
        };
        let lines = log::read(&folder, session).unwrap_or_default();
        let sent = lines.into_iter().rfind(|line| matches!(line.event, Event::SentBack { .. }));
        if let Some(line) = sent
            && newest.as_ref().is_none_or(|(newest, _)| newest.time < line.time)
        {
            newest = Some((line, session.to_owned()));
        }
    }
    Ok(newest.and_then(|(line, session)| match line.event {
        Event::SentBack { grounds, .. } => Some((session, grounds.into_iter().map(kind_name).collect())),
        _ => None,
    }))
}
