//! `hansei run`: works on a task until its checks pass, or until it says honestly that they do not.

mod crew;
mod decided;
mod doer;
mod json_lines;
mod reviewer;
mod team;
mod team_templates;
mod team_view;
mod traces;
mod unblocker;
mod view;

use std::io::Read as _;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use hansei_core::run::budget::{Limits, Quotas};
use hansei_core::run::{Mode, RunEvent, Started, Terms};
use hansei_hook::own_run;
use hansei_record::clock;
use hansei_record::run_log::{PREFIX, RunLog, Wheel};
use hansei_record::run_settings::RunSettings;
use hansei_record::settings::Layers;
use hansei_workspace::changes;
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;

pub use crew::{Manner, Resumed, go_on, needs_sandbox, speaker};
pub use json_lines::with_run;
pub use team::{is_possible, tidy};
pub use view::View;

use crate::failure::{Answer, Failure};
use crate::interruption;
use crate::workspace::Workspace;

/// The longest task that is read from standard input.
const LONGEST_TASK: u64 = 1 << 20;
/// How long git may take to name the commit.
const GIT_LIMIT: Duration = Duration::from_secs(20);

/// Work on a task until its checks pass: plan, review, edit, verify, reflect, try again.
///
/// The model works with tools that cannot leave the workspace; commands run in the sandbox. When it says
/// that it is done, the project's checks are run. A red check is reflected upon and tried again within
/// the budget, and never ends as complete. Where that does not help, somebody with a clean context looks
/// at what is in the way (see `hansei unblock`), and the work begins anew from what they find. Everything is recorded; `hansei resume` goes on after Ctrl-C,
/// a crash or an outage. docs/run.md says what each mode does.
///
/// Exit codes: 0 complete, 1 any other ending or a rest, 2 wrong use, 3 something is missing.
///
/// `--team NAME`, or a task that begins with @team or @team:NAME, lets several experts share the work, each
/// in a tree of its own; what they did is merged, verified, and only then put into yours.
///
/// Examples:
///   hansei run --model anthropic/claude-sonnet-4-5 "make the failing test pass"
///   hansei run "@team add a --json option to the report, with tests"
///   hansei run --yes --json --budget long - < task.md
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct Arguments {
    /// What is to be done; - reads it from standard input.
    task: String,
    /// How: `direct_chat`, `react`, `plan_exec` or `team_collab`.
    #[arg(long, value_name = "MODE", default_value = "plan_exec")]
    mode: String,
    /// The team that works, by its template; templates of your own lie in teams/*.yaml beside your config.toml.
    #[arg(long, value_name = "TEMPLATE", conflicts_with = "plan")]
    team: Option<String>,
    /// Who works: hansei (built in), claude-code, codex, gemini, opencode, kilo, or acp:"COMMAND".
    #[arg(long, value_name = "AGENT", default_value = own_run::AGENT)]
    agent: String,
    /// The model, as provider/name [default: run.model in your config.toml]
    #[arg(long, value_name = "PROVIDER/NAME")]
    model: Option<String>,
    /// Where the model answers, instead of at the provider's own address.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// The most steps in all [default: 10, or what the budget adds up to]
    #[arg(long, value_name = "N")]
    max_steps: Option<u32>,
    /// Steps by phase, such as think=7,verify=2,reflect=1, or standard, long, marathon.
    #[arg(long, value_name = "QUOTAS")]
    budget: Option<String>,
    /// The most reflections [default: 2]
    #[arg(long, value_name = "N")]
    max_reflections: Option<u32>,
    /// How often somebody with a clean context may look at what is in the way, once reflections did not help [default: 2]
    #[arg(long, value_name = "N")]
    max_unblocks: Option<u32>,
    /// The most tokens, read and written.
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// The most US dollars.
    #[arg(long, value_name = "USD")]
    max_usd: Option<f64>,
    /// The most minutes of work.
    #[arg(long, value_name = "N")]
    max_minutes: Option<u64>,
    /// Stop when the plan is written, and wait for `hansei approve`.
    #[arg(long)]
    plan: bool,
    /// Take the plan as confirmed.
    #[arg(long)]
    yes: bool,
    /// When the provider's limit is reached, wait for it instead of ending.
    #[arg(long)]
    wait_for_limit: bool,
    /// Run commands as they are, with the network and everything that you can reach.
    #[arg(long)]
    no_sandbox: bool,
    /// Print each event as a line: {seq, run, time, kind, …}.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let mode: Mode =
        arguments.mode.parse().map_err(|bad: hansei_core::run::BadMode| Failure::usage(bad.to_string()))?;
    let doing = doer::named(&arguments.agent)?;
    let task = task(&arguments.task)?;
    let workspace = Workspace::at(arguments.workspace.as_deref())?;
    let asked = team::asked(mode, arguments.team.as_deref(), &task)?;
    let team = match &asked {
        Some(asked) => {
            Some(team_templates::named(&asked.template, workspace.environment.user_settings.as_deref())?)
        }
        None => None,
    };
    let (mode, task) = asked.map_or((mode, task), |asked| (Mode::TeamCollab, asked.task));
    if matches!(workspace.layout, Layout::Bare { .. }) {
        return Err(Failure::usage("a repository without a work tree is nothing to work in"));
    }
    let settings = Layers::load(None, workspace.environment.user_settings.as_deref())?.run().0;
    let model = if doing.is_some() {
        // What the user's settings name is a model of ours; another agent has its own.
        Some(arguments.model.clone().unwrap_or_default())
    } else {
        arguments.model.clone().or_else(|| settings.model.clone())
    };
    let model = model.ok_or_else(|| {
        Failure::usage("no model is named")
            .hint("say --model provider/name, such as anthropic/claude-sonnet-4-5, or set run.model in your config.toml")
    })?;
    let manner = Manner {
        base_url: arguments.base_url.clone().or_else(|| settings.base_url.clone()),
        json: arguments.json,
        settings: settings.clone(),
    };
    let started = Started {
        run: new_name(),
        task,
        mode,
        team,
        agent: doing.map(|_| arguments.agent.clone()),
        model,
        base_url: manner.base_url.clone(),
        base: base(&workspace)?,
        terms: terms(arguments, &settings, mode)?,
    };
    if mode.has_tools() && started.terms.sandboxed {
        crew::needs_sandbox()?;
    }
    // Whoever cannot be asked is found out before anything is written.
    let voice = crew::speaker(&started, &manner)?;
    team::tidy();
    team::is_possible(&workspace, &started, &manner)?;
    interruption::end_what_runs();
    let folder = workspace.places.log()?;
    let wheel = Wheel::take(&folder, &started.run)?
        .ok_or_else(|| Failure::environment("another process drives a run of this name"))?;
    let (mut log, _) = RunLog::lock(&folder, &started.run, Duration::from_secs(5)).map_err(crew::cannot)?;
    let run = started.run.clone();
    log.append(RunEvent::RunStarted(started)).map_err(crew::cannot)?;
    log.release().map_err(crew::cannot)?;
    if let Err(error) = own_run::begin(&workspace.environment, &workspace.layout, &run) {
        return Err(Failure::environment(error.to_string()));
    }
    drop(log);
    go_on(&workspace, &run, wheel, &manner, voice, None)
}

fn task(given: &str) -> Result<String, Failure> {
    let text = if given == "-" {
        let mut text = String::new();
        std::io::stdin()
            .take(LONGEST_TASK)
            .read_to_string(&mut text)
            .map_err(|error| Failure::usage(format!("standard input cannot be read: {error}")))?;
        text
    } else {
        given.to_owned()
    };
    if text.trim().is_empty() {
        return Err(Failure::usage("the task is empty").hint("say what is to be done"));
    }
    Ok(text.trim().to_owned())
}

fn base(workspace: &Workspace) -> Result<Option<String>, Failure> {
    match &workspace.layout {
        Layout::WorkTree { root, .. } => {
            Ok(changes::resolve(&Git::new(root, Instant::now() + GIT_LIMIT)?, "HEAD")?)
        }
        Layout::Bare { .. } | Layout::Missing { .. } => Ok(None),
    }
}

/// What the run may do: flags over settings over what the mode does by default.
fn terms(arguments: &Arguments, settings: &RunSettings, mode: Mode) -> Result<Terms, Failure> {
    let usual = Terms::of(mode);
    let budget = arguments.budget.as_deref().or(settings.budget.as_deref());
    let quotas: Option<Quotas> = match budget.map(str::parse::<Quotas>) {
        Some(Ok(quotas)) if mode.keeps_working() => Some(quotas),
        Some(Ok(_)) if arguments.budget.is_some() => {
            return Err(Failure::usage(format!("{} has no phases; say --max-steps", mode.name())));
        }
        Some(Err(bad)) => return Err(Failure::usage(bad.to_string())),
        _ => usual.quotas,
    };
    let in_all = quotas.map_or(usual.max_steps, Quotas::total);
    if arguments.max_usd.is_some_and(|usd| !usd.is_finite() || usd < 0.0) {
        return Err(Failure::usage("--max-usd is not an amount of money"));
    }
    let limits = Limits {
        tokens: arguments.max_tokens.or(settings.max_tokens),
        usd: arguments.max_usd.or(settings.max_usd),
        seconds: arguments.max_minutes.or(settings.max_minutes).map(|minutes| minutes.saturating_mul(60)),
    };
    Ok(Terms {
        quotas,
        max_steps: arguments.max_steps.unwrap_or(in_all),
        max_reflections: arguments
            .max_reflections
            .or(settings.max_reflections)
            .unwrap_or(usual.max_reflections),
        max_reinjections: settings.max_reinjections.unwrap_or(usual.max_reinjections),
        max_unblocks: arguments.max_unblocks.or(settings.max_unblocks).unwrap_or(usual.max_unblocks),
        // Whoever says how many steps there are in all has said so for everything.
        steps_after_unblock: match (arguments.max_steps, quotas) {
            (None, Some(quotas)) => Terms::steps_anew(quotas),
            _ => 0,
        },
        limits,
        review_minutes: settings.review_minutes.unwrap_or(usual.review_minutes),
        confirmed_beforehand: arguments.yes,
        // Another agent plans for itself, unless it is asked for a Spec; then it is carried out after its review.
        plans: arguments.agent == own_run::AGENT || arguments.plan,
        plan_only: arguments.plan && arguments.agent == own_run::AGENT,
        waits_for_limit: arguments.wait_for_limit || settings.wait_for_limit.unwrap_or_default(),
        sandboxed: !arguments.no_sandbox,
    })
}

/// A name that sorts by time, and that two runs of one second do not share.
fn new_name() -> String {
    let now = clock::now().compact();
    let (day, time) = now.split_once('T').unwrap_or((&now, ""));
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().subsec_nanos();
    let mixed = (nanos ^ std::process::id().rotate_left(16)) & 0xffff;
    format!("{PREFIX}{day}-{}-{mixed:04x}", &time[..time.len().min(6)])
}
