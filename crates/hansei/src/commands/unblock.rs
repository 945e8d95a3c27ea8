//! `hansei unblock`: a second look at a task that is blocked, from a clean handoff. It proposes, and applies nothing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hansei_core::escalation::{
    Attempt, ErrorSignature, Escalation, Failure as Failed, FailureLayer, MOST_READ, MOST_TOLD, Received,
    Snapshot, Tried, Try, begin,
};
use hansei_engine::rescue::{Rescue, SecondMind};
use hansei_record::redact::redact;
use hansei_record::redacted::Redacted;
use hansei_record::settings::Layers;
use hansei_workspace::changes;
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;

use crate::failure::{Answer, Failure};
use crate::unblocking::{self, Look};
use crate::workspace::Workspace;
use crate::{found_run, given_file, inside_agent, terminal};

/// The largest of what is given. What is not printed by a command and is larger is no clean handoff.
const LARGEST: u64 = MOST_READ as u64;
const GIT_LIMIT: Duration = Duration::from_secs(20);

/// Have somebody with a clean context look at a task that is blocked.
///
/// It works from the original task, a source state, the bounded `<ESCALATION>` of whoever was blocked (from
/// the fourth attempt on) and the failing command; a handoff that replays failed reasoning is refused.
/// Probes of the environment are looked at first, then the model of `unblock` or `run` in your
/// config.toml is asked; without one, the strongest finding is the answer, and nothing is made up. What was
/// proposed before for the same failure is not proposed again. It applies nothing.
///
/// Exit codes: 0 there is a way on, 1 there is none (context is missing, what was given contradicts
/// itself, or the rescue is blocked as well), 2 wrong use.
///
/// Examples:
///   hansei unblock --escalation blocked.md --task task.md --command "pytest -x -q" --error out.txt
///   hansei unblock --run last --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The `<ESCALATION>` of whoever is blocked; - reads it from standard input.
    #[arg(long, value_name = "FILE")]
    escalation: Option<PathBuf>,
    /// A run that is blocked: its task, checks and tries are taken from its record.
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    /// The original task or contract; - reads it from standard input.
    #[arg(long, value_name = "FILE")]
    task: Option<PathBuf>,
    /// The clean source state [default: what is checked out; of a run, where it began]
    #[arg(long, value_name = "REV")]
    snapshot: Option<String>,
    /// The smallest command that fails. It is not run.
    #[arg(long, value_name = "CMD")]
    command: Option<String>,
    /// What that command printed; - reads it from standard input.
    #[arg(long, value_name = "FILE")]
    error: Option<PathBuf>,
    /// The exit code of that command [default: what it printed may say it]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    exit_code: Option<i32>,
    /// Further context: `[FORCED_CONTEXT]`, `[CHECKLIST]`; - reads it from standard input.
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
    /// The how-manieth rescue this is: 1 and 2 look for a hypothesis, 3 questions what was given, 4 hands up.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    attempt: u32,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What came in, of which every part may be given or come from a run.
#[derive(Debug, Default)]
struct Given {
    escalation: String,
    task: String,
    snapshot: String,
    context: String,
    command: Option<String>,
    error: String,
    exit_code: Option<i32>,
    tried: Vec<Try>,
}

impl Given {
    /// What the failure is known by: what was printed, else what the payload says of it.
    fn signature(&self) -> ErrorSignature {
        let failed = Failed {
            command: self.command.as_deref().unwrap_or_default(),
            exit_code: self.exit_code,
            output: &self.error,
        };
        let signature = ErrorSignature::of(&failed);
        match Escalation::read(&self.escalation) {
            Ok(payload) => signature.or_told_by(&payload),
            Err(_) => signature,
        }
    }
}

pub fn run(arguments: &Arguments) -> Answer {
    crate::interruption::end_with_what_runs();
    let from_stdin = [&arguments.escalation, &arguments.task, &arguments.error, &arguments.context];
    if from_stdin.iter().filter(|file| file.as_deref() == Some(Path::new("-"))).count() > 1 {
        return Err(Failure::usage("only one of the files can be standard input"));
    }
    let workspace = Workspace::at(arguments.workspace.as_deref())?;
    let given = given(arguments, &workspace)?;
    let layers = Layers::load(None, workspace.environment.user_settings.as_deref())?;
    let mind = unblocking::mind(&layers.unblock().0, &layers.run().0)?;
    let signature = given.signature();
    let fingerprint = signature.fingerprint();
    let mind = mind.as_ref().map(|mind| mind.until(&|| false, None));
    let proposed = Tried::told_by(&unblocking::told_here(&workspace));
    let mut tried = proposed.clone();
    for one in &given.tried {
        tried.record(&fingerprint, one);
    }
    let attempt = Attempt::new(arguments.attempt);
    let has_failure = given.command.is_some() || !given.error.is_empty();
    let received = Received {
        escalation: &given.escalation,
        task: &given.task,
        snapshot: &given.snapshot,
        context: &given.context,
        command: given.command.as_deref(),
        signature: has_failure.then_some(&signature),
    };
    let rescue = match begin(attempt, &received, &proposed.latest(&fingerprint, MOST_TOLD)) {
        Err(none) => Rescue { reason: none.reason.map(|why| why.to_string()), ..Rescue::of(none.answer) },
        Ok((_, handoff)) => {
            let look = Look {
                attempt,
                handoff: &handoff,
                fingerprint: &fingerprint,
                error: &given.error,
                tried: &tried,
            };
            unblocking::look(&workspace, &look, mind.as_ref().map(|mind| mind as &dyn SecondMind))?
        }
    };
    if arguments.json {
        let told = Redacted::new(&unblocking::told(&fingerprint, &rescue, &tried)?);
        terminal::print_json(told.map_err(|error| Failure::environment(error.to_string()))?.value())?;
    } else {
        print(&rescue, &tried.latest(&fingerprint, MOST_TOLD));
    }
    // What nobody has heard was not tried: it is remembered when it has been said.
    let run = arguments.run.as_deref();
    if let Some(event) = unblocking::proposal(&fingerprint, attempt, &rescue.answer, run) {
        inside_agent::append(&workspace, event)?;
    }
    Ok(if rescue.answer.is_way_on() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The one answer on standard output, and whatever is to be said about it beside it: what did not count and, where there is no
/// way on because of it, what was tried. What secrets were in the handoff are in neither.
fn print(rescue: &Rescue, tried: &[Try]) {
    let shown = |text: &str| terminal::visible(&redact(text)).into_owned();
    for why in &rescue.refused {
        anstream::eprintln!("hansei: an answer did not count: {}", shown(why));
    }
    if let Some(reason) = &rescue.reason {
        anstream::eprintln!("hansei: {}", shown(reason));
    }
    let has_told = rescue.answer.is_way_on() || rescue.refused.is_empty();
    for one in tried.iter().filter(|_| !has_told) {
        anstream::eprintln!(
            "hansei: tried for this failure: {} ({})",
            shown(&one.hypothesis),
            one.layer.name()
        );
    }
    terminal::print(&shown(&rescue.answer.text()));
}

fn given(arguments: &Arguments, workspace: &Workspace) -> Result<Given, Failure> {
    let text = |option: &str, file: &Option<PathBuf>| match file {
        Some(file) => {
            let bytes = given_file::beginning(option, file, LARGEST)?;
            Ok::<_, Failure>(Some(String::from_utf8_lossy(&bytes).into_owned()))
        }
        None => Ok(None),
    };
    let mut given = match &arguments.run {
        Some(named) => of_run(&found_run::find(workspace, named)?.run),
        None => Given::default(),
    };
    if let Some(escalation) = text("--escalation", &arguments.escalation)? {
        if let Ok(read) = Escalation::read(&escalation) {
            let tries = read.tried_hypotheses().map(|hypothesis| Try {
                hypothesis: hypothesis.to_owned(),
                layer: FailureLayer::Unknown,
                outcome: String::new(),
            });
            given.tried.extend(tries);
        }
        given.escalation = escalation;
    }
    if let Some(task) = text("--task", &arguments.task)? {
        given.task = task;
    }
    if let Some(file) = &arguments.error {
        let bytes = given_file::bytes("--error", file, LARGEST)?;
        given.error = String::from_utf8_lossy(&bytes).into_owned();
    }
    given.exit_code = arguments.exit_code.or(given.exit_code);
    given.context = text("--context", &arguments.context)?.unwrap_or_default();
    if arguments.command.is_some() {
        given.command.clone_from(&arguments.command);
    }
    let wanted =
        arguments.snapshot.as_deref().or(Some(given.snapshot.as_str()).filter(|known| !known.is_empty()));
    given.snapshot = snapshot(workspace, wanted)?;
    Ok(given)
}

fn of_run(run: &hansei_core::run::Run) -> Given {
    let Some(distress) = run.distress() else { return Given::default() };
    Given {
        escalation: distress.handoff.escalation.text(),
        task: distress.handoff.task,
        snapshot: distress.handoff.snapshot.revision().to_owned(),
        context: String::new(),
        command: distress.handoff.command,
        error: distress.error,
        exit_code: distress.exit_code,
        tried: distress.tried,
    }
}

/// The commit of a source state that can be checked out; nothing where there is none.
fn snapshot(workspace: &Workspace, wanted: Option<&str>) -> Result<String, Failure> {
    match &workspace.layout {
        Layout::Missing { .. } => {
            // Nothing can be checked out here: the files are the only state there is, and no other can be asked for.
            let files = Snapshot::of_work_tree();
            let is_these = wanted.is_none_or(|wanted| wanted == files.revision());
            Ok(if is_these { files.revision().to_owned() } else { String::new() })
        }
        layout => {
            let git = Git::new(layout.root(), Instant::now() + GIT_LIMIT)?;
            Ok(changes::resolve(&git, wanted.unwrap_or("HEAD"))?.unwrap_or_default())
        }
    }
}
