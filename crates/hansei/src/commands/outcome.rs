//! `hansei outcome`: whether work was right, as it came out later.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use comfy_table::{Table, presets};
use hansei_core::event::Event;
use hansei_core::outcome::{Came, Outcome, Source};
use hansei_record::clock;
use hansei_record::log::{SessionLog, WhenCapturing};
use hansei_record::redacted::Redacted;
use serde_json::json;

use crate::failure::Answer;
use crate::inside_agent::{PATIENCE, cannot, refuse};
use crate::outcomes::{self, Known};
use crate::terminal;
use crate::workspace::Workspace;

/// Say whether an agent's work turned out right, or list what is known of it.
///
/// Without a subject: looks for what a machine can tell (checks that ran after the change, later reverts and
/// fixes of the same lines, tasks opened again), records it, and lists what to believe of each piece of
/// work. Refused inside an agent's own shell.
///
/// Examples:
///   hansei outcome last wrong --why "the rounding is off by one cent"
///   hansei outcome 0b6f7a3e correct --source ci
///   hansei outcome --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// A reflection's id or the beginning of it, a session's id, or `last`.
    #[arg(requires = "outcome")]
    subject: Option<String>,
    /// How it came out.
    outcome: Option<Word>,
    /// Why, in words.
    #[arg(long, value_name = "TEXT", requires = "outcome")]
    why: Option<String>,
    /// Who says so.
    #[arg(long, value_name = "WHO", default_value = "human", requires = "outcome")]
    source: Speaker,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Word {
    Correct,
    Wrong,
}

/// Who can say so on the command line. The rest is found by looking.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Speaker {
    Human,
    Check,
    Ci,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.repo.as_deref())?;
    match (&arguments.subject, arguments.outcome) {
        (Some(subject), Some(word)) => say(arguments, &workspace, subject, word),
        _ => list(arguments, &workspace),
    }
}

fn say(arguments: &Arguments, workspace: &Workspace, subject: &str, word: Word) -> Answer {
    refuse("outcome", workspace)?;
    let known = outcomes::subject(workspace, subject)?;
    let outcome = Outcome {
        subject: known.id,
        outcome: match word {
            Word::Correct => Came::Correct,
            Word::Wrong => Came::Wrong,
        },
        source: match arguments.source {
            Speaker::Human => Source::Human,
            Speaker::Check => Source::Check,
            Speaker::Ci => Source::Ci,
        },
        why: arguments.why.clone().unwrap_or_default(),
        commits: Vec::new(),
        seen: clock::now(),
    };
    let folder = workspace.places.log()?;
    let mut log = SessionLog::lock(&folder, &known.session, WhenCapturing::Wait, PATIENCE)
        .map_err(|error| cannot(&error))?;
    log.append(Event::Outcome(outcome.clone())).map_err(|error| cannot(&error))?;
    log.sync().map_err(|error| cannot(&error))?;
    if arguments.json {
        let shown = Redacted::new(&outcome).map_err(std::io::Error::from)?;
        terminal::print_json(shown.value())?;
    } else {
        terminal::print(&format!(
            "noted: {} was {}, says {}\n",
            terminal::one_line(&outcome.subject),
            outcome.outcome.name(),
            outcome.source.name()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn list(arguments: &Arguments, workspace: &Workspace) -> Answer {
    let looked = outcomes::look(workspace)?;
    let known = outcomes::settled(workspace)?;
    if arguments.json {
        let shown = json!({ "outcomes": known, "found": looked.found, "not_looked": looked.not_looked });
        terminal::print_json(Redacted::new(&shown).map_err(std::io::Error::from)?.value())?;
        return Ok(ExitCode::SUCCESS);
    }
    for reason in &looked.not_looked {
        anstream::eprintln!("note: {}", terminal::one_line(reason));
    }
    if known.is_empty() {
        terminal::print("nothing is known yet of how work here came out\n");
    } else {
        terminal::print(&format!("{}\n", table(&known)));
    }
    Ok(ExitCode::SUCCESS)
}

fn table(known: &[Known]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["SEEN", "OUTCOME", "SAYS", "WHY", "COMMITS", "WORK"]);
    for Known { outcome, .. } in known {
        let commits: Vec<String> =
            outcome.commits.iter().map(|hash| hash.chars().take(12).collect()).collect();
        table.add_row([
            clock::local(&outcome.seen),
            outcome.outcome.name().to_owned(),
            outcome.source.name().to_owned(),
            terminal::short(&outcome.why, 60),
            commits.join(" "),
            terminal::one_line(&outcome.subject),
        ]);
    }
    table
}
