//! `hansei digest`: the sessions of a night on one screen, the most urgent first.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::SystemTime;

use hansei_core::report::digest::{self, Digest, Entry, Group};
use hansei_core::timestamp::Timestamp;
use hansei_record::redacted::Redacted;
use hansei_record::{clock, since};

use crate::accounts::{self, Reach, Scope};
use crate::failure::Answer;
use crate::gate_override;
use crate::terminal;

/// How many sessions of a group are listed before the rest is counted.
const MOST: usize = 8;

/// Read in the morning what agents did in the night: who needs you, who is stuck, what is verified.
///
/// Every session stands in one group with its branch, its cost and the one line that matters.
///
/// Example: hansei digest --since 18:00
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Since when: the last time the clock showed 18:00, or 12h, 2d, 2026-11-15, 2026-11-15T18:00:00Z.
    #[arg(long, value_name = "WHEN", default_value = "18:00", value_parser = since::moment)]
    since: Timestamp,
    #[command(flatten)]
    scope: Scope,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let (workspace, reach) = arguments.scope.reach()?;
    let oldest = clock::system_time(&arguments.since).unwrap_or(SystemTime::UNIX_EPOCH);
    let entries = accounts::each(&workspace, reach, oldest, |account, _| Some(digest::entry(account)));
    let digest = Digest::of(arguments.since.clone(), entries);
    if arguments.json {
        let shown = gate_override::shown(Some(&workspace), &digest);
        terminal::print_json(Redacted::new(&shown).map_err(std::io::Error::from)?.value())?;
    } else {
        terminal::print(&screen(&digest, reach));
        terminal::print(&gate_override::line(Some(&workspace)));
    }
    Ok(ExitCode::SUCCESS)
}

fn screen(digest: &Digest, reach: Reach) -> String {
    let since = clock::local(&digest.since);
    if digest.entries.is_empty() {
        let hint = if reach == Reach::Here { "; `--all` looks at every workspace" } else { "" };
        return format!("no session since {since}{hint}\n");
    }
    let plural = if digest.sessions == 1 { "session" } else { "sessions" };
    // Writing to a String cannot fail.
    let mut screen = format!(
        "{} {plural} since {since}, {}\n",
        digest.sessions,
        terminal::cost(Some(digest.tokens), digest.cost_usd)
    );
    for group in Group::ALL {
        let entries: Vec<&Entry> = digest.entries.iter().filter(|entry| entry.group == group).collect();
        if entries.is_empty() {
            continue;
        }
        let _ = writeln!(screen, "\n{} ({})", group.title(), entries.len());
        for entry in entries.iter().take(MOST) {
            lines(&mut screen, entry, reach);
        }
        if entries.len() > MOST {
            let _ = writeln!(screen, "  and {} more: --json lists them all", entries.len() - MOST);
        }
    }
    screen
}

/// What needs a look takes two lines, the rest one.
fn lines(screen: &mut String, entry: &Entry, reach: Reach) {
    let branch = entry.branch.as_deref().unwrap_or("-");
    let place = match reach {
        Reach::Here => branch.to_owned(),
        Reach::Everywhere => format!("{}@{branch}", entry.repo),
    };
    let place_width = if reach == Reach::Here { 16 } else { 24 };
    let head = format!(
        "  {:<11}  {:<place_width$}  {:<15}",
        terminal::short(&entry.agent, 11),
        terminal::short(&place, place_width),
        terminal::cost(entry.tokens, entry.cost_usd)
    );
    let task = entry.task.as_deref().unwrap_or("(what was asked is unknown)");
    let gone = if entry.folder_is_gone { " (its folder is gone)" } else { "" };
    if matches!(entry.group, Group::Verified | Group::Aborted) {
        // On one line there is no room for what everybody expects of a check that counts.
        let said = entry.line.split(", after the last edit").next().unwrap_or(&entry.line);
        let _ =
            writeln!(screen, "{head}  {}: {}{gone}", terminal::short(task, 32), terminal::short(said, 48));
    } else {
        let _ = writeln!(screen, "{head}  {}{gone}", terminal::short(task, 60));
        let overridden = if entry.overridden { "overridden: " } else { "" };
        let _ = writeln!(screen, "    {overridden}{}", terminal::short(&entry.line, 160));
    }
}
