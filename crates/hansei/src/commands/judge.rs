//! `hansei judge`: verdicts on sessions that are given as trajectories or as chat messages.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::ValueEnum;
use hansei_core::evidence::{self, Proof, Situation};
use hansei_core::interrupt::{Action, Caps, Rules, Stop, decide};
use hansei_core::ledger::Ledger;
use hansei_core::reflection::Mode;
use hansei_core::session::{Session, SessionEvent};
use hansei_core::verdict::{self, Autonomy, Policy};
use serde_json::{Value, json};

use crate::failure::{Answer, Failure};
use crate::given_sessions::{Given, Source};
use crate::{explained, terminal};

/// Judge sessions: is the work really done, and if not, what is missing?
///
/// Reads one ATIF trajectory, or one object {session, messages[], cwd?}, a line; writes one line for each, in order.
/// With one session the exit code tells the verdict: 0 complete, 1 not.
///
/// Example: hansei judge --format messages sessions.jsonl --explain
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Whether an agent is expected to go on by itself, or to ask.
    #[arg(long, value_enum, default_value_t = GivenAutonomy::Auto)]
    autonomy: GivenAutonomy,
    /// A human sits at the terminal.
    #[arg(long)]
    attended: bool,
    /// Show each claim with how it stands, what was not recognised, and what would settle it.
    #[arg(long)]
    explain: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
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
    arguments.source.each(|given| {
        let answer = answer(given, policy);
        terminal::print(&match (arguments.json, arguments.explain) {
            (true, _) => format!("{answer}\n"),
            (false, true) => {
                in_words(&answer) + &explained::claims(&answer["claims"], &answer["unrecognised"])
            }
            (false, false) => in_words(&answer),
        });
        answers.push(answer);
    })?;
    match answers.as_slice() {
        [] => Err(Failure::usage("there is no session to judge").hint("give one JSON object a line")),
        [only] => Ok(ExitCode::from(u8::from(only["verdict"]["complete"] != true))),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn answer(given: &Given, policy: Policy) -> Value {
    match &given.events {
        Ok(events) => judged(&given.name, events, policy),
        Err(error) => json!({ "session": given.name, "error": error }),
    }
}

/// What is said about one session.
pub fn judged(name: &str, events: &[SessionEvent], policy: Policy) -> Value {
    let session = Session::fold(events);
    let situation = Situation::of(&session);
    let evidence::Found { evidence, claims, unrecognised, shape } = evidence::look(&situation);
    let judgement = verdict::judge(&situation, &evidence, policy).ordered(&evidence, shape.as_ref());
    let stop = Stop::of(&situation, &evidence, policy);
    let rules = Rules { mode: Mode::Solo, policy, caps: Caps::default(), muted: BTreeSet::new(), off: false };
    let decision = decide(&stop, &Ledger::default(), &judgement, &evidence, &rules);
    let send_back = matches!(decision.action, Action::SendBack { .. } | Action::HandOver { .. });
    json!({
        "session": name,
        "verdict": judgement.verdict,
        "ending": decision.standing.unwrap_or(judgement.standing),
        "action": if send_back { "send_back" } else { "let_stop" },
        "p_complete": judgement.p_complete,
        "calls": session.calls.len(),
        "shape": shape,
        "proof": Proof::of(&claims),
        "claims": claims,
        "unrecognised": unrecognised,
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
    let proof = answer["proof"].as_str().map(|proof| format!(", {proof}")).unwrap_or_default();
    let feedback = terminal::short(verdict["feedback"].as_str().unwrap_or_default(), 400);
    format!("{name}: {word}{proof}: {feedback}\n")
}
