//! `hansei lookback`: what agents really did, by what ran. Reads, and writes nothing.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use hansei_agents::transcript::{Found, Homes};
use hansei_core::report::lookback::{self, Doubt, Standing, Stop};
use hansei_record::redacted::Redacted;
use hansei_record::{clock, since};
use serde_json::{Value, json};

use super::sessions;
use crate::failure::Answer;
use crate::{homes, samples, terminal};

/// How many stops that are worth a look are listed.
const MOST_LISTED: usize = 12;

/// Look back on what agents really did: which stops that said "done" were.
///
/// Reads the sessions on this disk, of all agents and workspaces. Writes and installs nothing.
///
/// Example: hansei lookback --since 7d
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// How far to look back: a number with m, h, d or w.
    #[arg(long, default_value = "30d", value_parser = since::span)]
    since: Duration,
    /// Only sessions of one agent.
    #[arg(long, value_parser = homes::known_agent)]
    agent: Option<String>,
    /// Look at the sample sessions that come with Hansei instead.
    #[arg(long, conflicts_with_all = ["agent", "since"])]
    samples: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A stop and the session it belongs to.
struct Seen {
    found: Found,
    cwd: Option<String>,
    stop: Stop,
}

pub fn run(arguments: &Arguments) -> Answer {
    if arguments.samples {
        let folder = samples::unpack()?;
        let homes = Homes { home: folder.path().to_owned(), ..Homes::default() };
        return report(arguments, &homes, SystemTime::UNIX_EPOCH);
    }
    let oldest = SystemTime::now().checked_sub(arguments.since).unwrap_or(SystemTime::UNIX_EPOCH);
    report(arguments, &homes::of_user(), oldest)
}

fn report(arguments: &Arguments, homes: &Homes, oldest: SystemTime) -> Answer {
    let mut found = hansei_agents::sessions(homes, arguments.agent.as_deref());
    let all = found.len();
    found.retain(|found| found.modified >= oldest);
    let seen = look(&found);
    if arguments.json {
        terminal::print_json(
            Redacted::new(&json_report(found.len(), &seen)).map_err(std::io::Error::from)?.value(),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    if found.is_empty() {
        terminal::print(&nothing_found(homes, all));
        return Ok(ExitCode::SUCCESS);
    }
    terminal::print(&screen(found.len(), seen, arguments.samples));
    Ok(ExitCode::SUCCESS)
}

/// Every stop of these sessions that claimed to be done, the newest first.
fn look(found: &[Found]) -> Vec<Seen> {
    let stops = |found: &Found| {
        let session = sessions::read(found)?;
        let stops = lookback::stops(&session).into_iter().map(|stop| Seen {
            found: found.clone(),
            cwd: session.circumstances.cwd.clone(),
            stop,
        });
        Some(stops.collect::<Vec<Seen>>())
    };
    let mut seen: Vec<Seen> = sessions::each(found, stops).into_iter().flatten().collect();
    seen.sort_by(|a, b| b.stop.at.cmp(&a.stop.at).then_with(|| a.found.id.cmp(&b.found.id)));
    seen
}

fn nothing_found(homes: &Homes, older: usize) -> String {
    let looked = "looked for Claude Code in ~/.claude/projects, Codex in ~/.codex/sessions, Gemini CLI in ~/.gemini/tmp, \
                  OpenCode and Kilo in ~/.local/share";
    let older =
        if older > 0 { format!("{older} older sessions are there: use --since\n") } else { String::new() };
    format!(
        "no sessions found under {}\n{looked}\n{older}see what it would show: hansei lookback --samples\n",
        terminal::one_line(&homes.home.to_string_lossy())
    )
}

struct Counts {
    verified: usize,
    nothing: usize,
    red_before: usize,
    worth: usize,
}

fn counts(seen: &[Seen]) -> Counts {
    let count = |is: fn(&Standing) -> bool| seen.iter().filter(|seen| is(&seen.stop.standing)).count();
    Counts {
        verified: count(|standing| matches!(standing, Standing::Verified { .. })),
        nothing: count(|standing| matches!(standing, Standing::NothingToCheck)),
        red_before: count(|standing| matches!(standing, Standing::RedBefore { .. })),
        worth: count(|standing| matches!(standing, Standing::WorthALook(_))),
    }
}

fn screen(sessions: usize, mut seen: Vec<Seen>, samples: bool) -> String {
    let counts = counts(&seen);
    let mut screen = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(screen, "{sessions} sessions, {} stops that claimed to be done\n", seen.len());
    for (count, text) in [
        (counts.verified, "with a green check after the last edit"),
        (counts.nothing, "nothing to check"),
        (counts.red_before, "red before it began"),
        (counts.worth, "worth a look"),
    ] {
        let _ = writeln!(screen, "{count:>6}  {text}");
    }
    seen.retain(|seen| matches!(seen.stop.standing, Standing::WorthALook(_)));
    // Stable: within one kind of doubt the newest stay first.
    seen.sort_by(|a, b| doubt(&a.stop).cmp(&doubt(&b.stop)));
    for seen in seen.iter().take(MOST_LISTED) {
        let said = terminal::short(&seen.stop.said, 60);
        let Some(doubt) = doubt(&seen.stop) else { continue };
        let when = seen.stop.at.as_ref().map(clock::local).unwrap_or_default();
        let _ = writeln!(screen, "\n{when}  {}  “{said}”", seen.found.agent);
        let _ = writeln!(screen, "    {}", words(doubt));
        if !samples {
            let _ = writeln!(screen, "    hansei show --session {}", terminal::one_line(&seen.found.id));
        }
    }
    if seen.len() > MOST_LISTED {
        let _ = writeln!(screen, "\nand {} more: --json lists them all", seen.len() - MOST_LISTED);
    }
    screen
}

fn doubt(stop: &Stop) -> Option<&Doubt> {
    match &stop.standing {
        Standing::WorthALook(doubt) => Some(doubt),
        Standing::Verified { .. } | Standing::NothingToCheck | Standing::RedBefore { .. } => None,
    }
}

/// What really ran, in words.
fn words(doubt: &Doubt) -> String {
    let check = |check: &str| terminal::short(check, 60);
    let named = |failing: &[String]| match failing {
        [] => String::new(),
        [one] => format!(": {}", terminal::short(one, 60)),
        [first, rest @ ..] => format!(": {} and {} more", terminal::short(first, 60), rest.len()),
    };
    match doubt {
        Doubt::Act { what } => terminal::short(what, 120),
        Doubt::Failed { check: c, failing } => format!("`{}` had just failed{}", check(c), named(failing)),
        Doubt::FailedBehindMask { check: c, failing } => {
            format!("`{}` had failed, with its exit code hidden{}", check(c), named(failing))
        }
        Doubt::EditedAfterFailure { check: c } => {
            format!("`{}` failed, then it edited on and never ran it again", check(c))
        }
        Doubt::NothingRan { check: c } => format!("`{}` ran no test", check(c)),
        Doubt::Hidden { check: c } => format!("the result of `{}` was hidden", check(c)),
        Doubt::EditedAfterPass { check: c } => {
            format!("edited after `{}` had passed, and did not run it again", check(c))
        }
        Doubt::NeverChecked { file } => format!("edited {} and ran no check", terminal::short(file, 60)),
    }
}

fn json_report(sessions: usize, seen: &[Seen]) -> Value {
    let counts = counts(seen);
    let stop = |seen: &Seen| {
        let standing = match &seen.stop.standing {
            Standing::Verified { .. } => "verified",
            Standing::NothingToCheck => "nothing_to_check",
            Standing::RedBefore { .. } => "red_before",
            Standing::WorthALook(_) => "worth_a_look",
        };
        json!({
            "session": seen.found.id,
            "agent": seen.found.agent,
            "cwd": seen.cwd,
            "at": seen.stop.at,
            "task": seen.stop.task,
            "said": seen.stop.said,
            "standing": standing,
            "why": doubt(&seen.stop).map(words),
        })
    };
    json!({
        "sessions": sessions,
        "claimed": seen.len(),
        "verified": counts.verified,
        "nothing_to_check": counts.nothing,
        "red_before": counts.red_before,
        "worth_a_look": counts.worth,
        "stops": seen.iter().map(stop).collect::<Vec<_>>(),
    })
}
