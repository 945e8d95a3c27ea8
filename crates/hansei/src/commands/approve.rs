//! `hansei approve`: confirms the plan that a run waits with.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use hansei_core::run::{Decision, Run, RunEvent};
use hansei_record::run_log::{self, RunLog};
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;
use crate::{found_run, inside_agent, terminal};

/// How long another writer of the log is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Confirm the plan that a run waits with.
///
/// Exit codes: 0 done, 1 refused, 2 there is no such run or no review is open.
///
/// Example: hansei approve last --feedback "and keep the old name as an alias"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The run's name or the beginning of it, or `last`; or the id of the review.
    run: String,
    /// What the agent is to mind.
    #[arg(long, value_name = "TEXT", default_value = "")]
    feedback: String,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print {run, `spec_review_id`, decision}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let workspace = Workspace::at(arguments.workspace.as_deref())?;
    inside_agent::refuse("approve", &workspace)?;
    let reply = Reply { decision: Decision::Confirm, feedback: arguments.feedback.clone(), abort: false };
    answer(&workspace, &arguments.run, &reply, arguments.json)
}

/// What a person says to a plan from another terminal.
pub struct Reply {
    pub decision: Decision,
    pub feedback: String,
    pub abort: bool,
}

/// Writes a reply into the log of a run whose review is open.
pub fn answer(workspace: &Workspace, named: &str, reply: &Reply, as_json: bool) -> Answer {
    // `<plan>:spec_review`, and a plan's id begins with its run's.
    let (named, wanted) = match named.strip_suffix(":spec_review") {
        Some(plan) => (plan.rsplit_once("-plan-").map_or(plan, |(run, _)| run), Some(named)),
        None => (named, None),
    };
    let found = found_run::find(workspace, named)?;
    let folder = workspace.places.log()?;
    // Whoever drives the run lets go of its log while it waits for a person.
    let (mut log, lines) = RunLog::lock(&folder, &found.name, PATIENCE)
        .map_err(|_| Failure::refused(format!("{} is at work: no review is open", found.name)))?;
    let events = run_log::events(&lines);
    let run = Run::fold(events.iter().map(|line| &line.event)).unwrap_or(found.run);
    let append = |log: &mut RunLog, event: RunEvent| {
        log.append(event).and_then(|_| log.sync()).map_err(|error| Failure::environment(error.to_string()))
    };
    let open = run.open_review();
    if reply.abort {
        if run.ended().is_some() {
            return Err(Failure::usage(format!("{} is over", found.name)));
        }
        if let Some(id) = &open {
            append(&mut log, closed(id, Decision::Cancel, &reply.feedback))?;
        }
        append(&mut log, RunEvent::AbortAsked)?;
        told(&found.name, open.as_deref(), "abort", as_json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(id) = open else {
        let hint = if run.is_parked() {
            format!("hansei resume {} shows the plan again", found.name)
        } else {
            "`hansei runs` shows how it stands".to_owned()
        };
        return Err(Failure::usage(format!("no review of {} is open", found.name)).hint(hint));
    };
    if let Some(wanted) = wanted.filter(|wanted| *wanted != id) {
        return Err(Failure::usage(format!("no review {wanted} is open; there is {id}")));
    }
    append(&mut log, closed(&id, reply.decision, &reply.feedback))?;
    let decision = if reply.decision == Decision::Confirm { "confirm" } else { "reject" };
    told(&found.name, Some(&id), decision, as_json)?;
    if run.is_parked() && !as_json {
        anstream::eprintln!("It rests. Go on with: hansei resume {}", found.name);
    }
    Ok(ExitCode::SUCCESS)
}

fn closed(id: &str, decision: Decision, feedback: &str) -> RunEvent {
    RunEvent::SpecReviewReply { spec_review_id: id.to_owned(), decision, feedback: feedback.to_owned() }
}

fn told(run: &str, id: Option<&str>, decision: &str, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return terminal::print_json(&json!({ "run": run, "spec_review_id": id, "decision": decision }));
    }
    terminal::print(&format!("{run}: {decision}\n"));
    Ok(())
}
