//! `hansei judge`: verdicts on sessions that are given as trajectories or as chat messages.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use hansei_agents::{atif, messages};
use hansei_core::evidence::{self, Situation};
use hansei_core::interrupt::{Action, Caps, Rules, Stop, decide};
use hansei_core::ledger::Ledger;
use hansei_core::reflection::Mode;
use hansei_core::session::{Session, SessionEvent};
use hansei_core::verdict::{self, Autonomy, Policy};
use serde_json::{Value, json};

use crate::failure::{Answer, Failure};
use crate::terminal;

/// Judge sessions: is the work really done, and if not, what is missing?
///
/// Reads one ATIF trajectory, or one object {session, messages[], cwd?}, a line; writes one line for each, in order.
/// With one session the exit code tells the verdict: 0 complete, 1 not.
///
/// Example: hansei judge --format messages sessions.jsonl --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The form of the sessions.
    #[arg(long, value_enum, default_value_t = Format::Atif)]
    format: Format,
    /// Files with sessions, `-` for standard input.
    #[arg(default_value = "-")]
    files: Vec<PathBuf>,
    /// Whether an agent is expected to go on by itself, or to ask.
    #[arg(long, value_enum, default_value_t = GivenAutonomy::Auto)]
    autonomy: GivenAutonomy,
    /// A human sits at the terminal.
    #[arg(long)]
    attended: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Atif,
    /// OpenAI's or Anthropic's chat messages.
    Messages,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GivenAutonomy {
    Auto,
    Ask,
}

pub fn run(arguments: &Arguments) -> Answer {
    let autonomy = match arguments.autonomy {
        GivenAutonomy::Auto => Autonomy::Auto,
        GivenAutonomy::Ask => Autonomy::Ask,
    };
    let policy = Policy { attended: arguments.attended, autonomy };
    let mut answers = Vec::new();
    for file in &arguments.files {
        let text = read(file)?;
        for (number, one) in sessions(&text).into_iter().enumerate() {
            answers.push(answer(one, number, arguments.format, policy));
            if arguments.json {
                terminal::print(&format!("{}\n", answers[answers.len() - 1]));
            } else {
                terminal::print(&in_words(&answers[answers.len() - 1]));
            }
        }
    }
    match answers.as_slice() {
        [] => Err(Failure::usage("there is no session to judge").hint("give one JSON object a line")),
        [only] => Ok(ExitCode::from(u8::from(only["verdict"]["complete"] != true))),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn read(file: &PathBuf) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        let failed = |error| Failure::environment(format!("{} cannot be read: {error}", file.display()));
        std::fs::File::open(file).map_err(failed)?.read_to_end(&mut bytes).map_err(failed)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The sessions in a text: one a line, or the whole text where that is one JSON value over several lines.
fn sessions(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let whole = lines.len() > 1
        && serde_json::from_str::<serde::de::IgnoredAny>(lines[0]).is_err()
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if whole { vec![text] } else { lines }
}

fn answer(text: &str, number: usize, format: Format, policy: Policy) -> Value {
    let named: Value = serde_json::from_str(text).unwrap_or_default();
    let name = ["session", "session_id", "id"].iter().find_map(|key| named[key].as_str());
    let name = name.map_or_else(|| format!("{}", number + 1), ToOwned::to_owned);
    let events: Result<Vec<SessionEvent>, String> = match format {
        Format::Atif => atif::import(text.as_bytes()).map_err(|error| error.to_string()),
        Format::Messages => messages::import(text.as_bytes()).map_err(|error| error.to_string()),
    };
    match events {
        Ok(events) => judged(&name, &events, policy),
        Err(error) => json!({ "session": name, "error": error }),
    }
}

/// What is said about one session.
pub fn judged(name: &str, events: &[SessionEvent], policy: Policy) -> Value {
    let session = Session::fold(events);
    let situation = Situation::of(&session);
    let evidence = evidence::gather(&situation);
    let judgement = verdict::judge(&situation, &evidence, policy);
    let stop = Stop::of(&situation, &evidence, policy);
    let rules = Rules { mode: Mode::Solo, policy, caps: Caps::default(), muted: BTreeSet::new(), off: false };
    let decision = decide(&stop, &Ledger::default(), &judgement, &evidence, &rules);
    let send_back = matches!(decision.action, Action::SendBack { .. });
    json!({
        "session": name,
        "verdict": judgement.verdict,
        "ending": decision.standing.unwrap_or(judgement.standing),
        "action": if send_back { "send_back" } else { "let_stop" },
        "p_complete": judgement.p_complete,
        "evidence": evidence,
    })
}

fn in_words(answer: &Value) -> String {
    let name = terminal::one_line(answer["session"].as_str().unwrap_or_default());
    if let Some(error) = answer["error"].as_str() {
        return format!("{name}: error: {}\n", terminal::one_line(error));
    }
    let verdict = &answer["verdict"];
    let word = if verdict["complete"] == true { "complete" } else { "not complete" };
    let feedback = terminal::short(verdict["feedback"].as_str().unwrap_or_default(), 400);
    format!("{name}: {word} (p {}): {feedback}\n", answer["p_complete"])
}
