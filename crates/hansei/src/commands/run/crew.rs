//! Everybody whom a run needs, as they are here: the model of a provider, the checks of the workspace, the person at the
//! terminal, whoever watches, and the experts of a team.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use hansei_core::run::conversation::{Conversation, NoAnswer, Turn};
use hansei_core::run::{Run, Started, Terms};
use hansei_core::verdict::Ending;
use hansei_core::verification::Report;
use hansei_engine::acp::AcpAgent;
use hansei_engine::run::{
    Assignment, Checks, Crew, Desk, DriveError, Driver, Halt, Reviewer, Staff, TeamCrew, Voice, Watcher,
};
use hansei_engine::tool::Workplace;
use hansei_engine::verification::Unverified;
use hansei_hook::own_run;
use hansei_models::{Heard, Limits as TalkLimits, ProviderModel, Talker};
use hansei_record::log::LogError;
use hansei_record::run_log::{self, RunLog, Wheel};
use hansei_record::run_settings::RunSettings;
use hansei_workspace::sandbox::{Confinement, Request};

use super::doer::{self, AcpDoer, Agent, Doer};
use super::json_lines::JsonLines;
use super::reviewer::{AtTerminal, Nobody};
use super::unblocker::Unblocker;
use super::view::View;
use super::{decided, team, traces};
use crate::commands::{tool, verify};
use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;
use crate::{confinement, interruption, provider_key, user_cache};

/// How long another process may hold the log of a run that nobody drives.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many minutes another agent may work on one prompt, where nobody says otherwise.
const AGENT_MINUTES: u64 = 60;

/// How a run is driven this time: what is not on its record.
#[derive(Debug, Clone)]
pub struct Manner {
    /// Where the model answers.
    pub base_url: Option<String>,
    /// Whether events are printed as JSON.
    pub json: bool,
    /// The user's settings.
    pub settings: RunSettings,
}

/// How a run is taken up again.
#[derive(Debug, Clone, Copy)]
pub struct Resumed {
    /// The plan counts as confirmed.
    pub yes: bool,
    /// Commands are locked in.
    pub sandboxed: bool,
}

/// Drives a run that is on record, from where it is.
pub fn go_on(
    workspace: &Workspace,
    run: &str,
    wheel: Wheel,
    manner: &Manner,
    voice: Speaker,
    resumed: Option<Resumed>,
) -> Answer {
    let folder = workspace.places.log()?;
    let (log, lines) = RunLog::lock(&folder, run, PATIENCE).map_err(cannot)?;
    let events = run_log::events(&lines);
    let state = Run::fold(events.iter().map(|line| &line.event))
        .ok_or_else(|| Failure::environment(format!("the log of {run} does not tell of a run")))?;
    let root = workspace.layout.root().canonicalize()?;
    let started = state.started().clone();
    let mut commands = Request::new(root.clone(), Vec::new());
    confinement::apply(&confinement::settings(&workspace.environment)?, &mut commands);
    let sandboxed = resumed.map_or(started.terms.sandboxed, |resumed| resumed.sandboxed);
    if !sandboxed {
        commands.confinement = Confinement::Bare;
    }
    let agent_time = Duration::from_secs(60 * manner.settings.agent_minutes.unwrap_or(AGENT_MINUTES));
    let office =
        Office { users: root.clone(), base: started.base.clone(), sandboxed, commands, agent_time, manner };
    // Before everything that works in them, so that they go after it.
    let mut trees = started.team.as_ref().map(|_| team::trees(run, &started, &root));
    let (place, readable) = match &trees {
        Some(Ok(trees)) => (trees.whole(), trees.readable().to_vec()),
        _ => (root.clone(), Vec::new()),
    };
    let checks = office.checks(&place, &readable);
    let workplace = office.workplace(&place, &readable)?;
    let mut watcher: Box<dyn Watcher> =
        if manner.json { Box::new(JsonLines::of(run)) } else { Box::new(View::of(&state)) };
    // Whoever was not here yet hears of what was before; nobody sees a line twice.
    let unseen = if resumed.is_some() { 0 } else { lines.len() };
    for line in &lines[..unseen] {
        watcher.line(line);
    }
    let at_terminal = !manner.json && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let mut person: Box<dyn Reviewer> = if at_terminal {
        Box::new(AtTerminal)
    } else {
        Box::new(Nobody { run: run.to_owned(), json: manner.json })
    };
    let is_over = || interruption::asked().is_some();
    let voice = office.voice(voice, &place, &started.model, &is_over);
    let team = match &mut trees {
        Some(trees) => Some(TeamCrew {
            trees: trees.as_mut().map_err(|why| why.clone()),
            staff: &office,
            keeps: workspace.places.own()?.child("teams")?,
            patch: format!("{run}.patch"),
        }),
        None => None,
    };
    let unblocker = Unblocker { workspace, started: &started, manner, is_over: &is_over };
    let crew = Crew {
        voice: voice.as_ref(),
        workplace: &workplace,
        checks: &checks,
        rescuer: &unblocker,
        reviewer: person.as_mut(),
        watcher: watcher.as_mut(),
        closing: Box::new(|_| {
            // A run that cannot be kept as a reflection is still on record as a run.
            if let Err(error) = own_run::keep(&workspace.environment, &workspace.layout, run) {
                eprintln!("hansei: nothing was captured: {error}");
            }
        }),
        is_over: &is_over,
        specs: Some(workspace.places.own()?.child("specs")?),
        team,
    };
    let mut driver = Driver::new(log, &lines, crew).map_err(broken)?;
    if let Some(resumed) = resumed {
        driver.resume(resumed.yes).map_err(broken)?;
    }
    let halt = driver.drive().map_err(broken)?;
    drop(driver);
    if let Ok(lines) = run_log::read(&folder, run) {
        traces::send(&run_log::events(&lines), &manner.settings);
    }
    match halt {
        Halt::Ended(ended) => {
            wheel.put_away(&folder, run);
            Ok(if ended.ending == Ending::Complete { ExitCode::SUCCESS } else { ExitCode::from(1) })
        }
        Halt::Parked { reason, .. } => {
            if !manner.json {
                anstream::eprintln!("It rests: {reason}\nGo on with: hansei resume {run}");
            }
            Ok(ExitCode::from(1))
        }
        Halt::Interrupted => {
            if !manner.json {
                let word = match started.team {
                    Some(_) => {
                        "The team's trees are gone, and your tree is as it was. Begin its work anew with"
                    }
                    None => "Nothing is lost. Go on with",
                };
                anstream::eprintln!("{word}: hansei resume {run}");
            }
            Ok(ExitCode::from(interruption::asked().unwrap_or(130)))
        }
    }
}

/// Fails where commands cannot be locked in.
pub fn needs_sandbox() -> Result<(), Failure> {
    hansei_workspace::sandbox::ready().map_err(Failure::from)
}

/// Where everybody works, and with what.
struct Office<'a> {
    /// The user's tree.
    users: PathBuf,
    /// The commit that the run began at.
    base: Option<String>,
    sandboxed: bool,
    /// What every command begins from.
    commands: Request,
    agent_time: Duration,
    manner: &'a Manner,
}

impl Office<'_> {
    /// The checks of a tree: the user's or a copy of it.
    fn checks(&self, tree: &Path, readable: &[PathBuf]) -> OwnChecks {
        OwnChecks {
            root: tree.to_owned(),
            base: self.base.clone(),
            sandboxed: self.sandboxed,
            copy_of: Some(self.users.clone()).filter(|users| users != tree),
            readable: readable.to_vec(),
        }
    }

    fn workplace(&self, tree: &Path, readable: &[PathBuf]) -> Result<Workplace, Failure> {
        let mut commands = self.commands.clone();
        tree.clone_into(&mut commands.workspace);
        commands.readable.extend_from_slice(readable);
        let checks = self.checks(tree, readable);
        let workplace = Workplace::open(commands, Box::new(move || tool::checked(&checks.arguments())))
            .map_err(|error| Failure::environment(format!("the workspace cannot be opened: {error}")))?;
        Ok(workplace.for_many_calls())
    }

    /// Whoever works in a tree.
    fn voice<'v>(
        &self,
        speaker: Speaker,
        tree: &Path,
        model: &str,
        is_over: &'v dyn Fn() -> bool,
    ) -> Box<dyn Voice + 'v> {
        let (root, time) = (tree.to_owned(), self.agent_time);
        match speaker {
            Speaker::Model(talker) => Box::new(Speaking { talker: *talker, is_over }),
            Speaker::Agent(Agent::Acp(words)) => Box::new(AcpDoer {
                agent: AcpAgent { words, variables: vec![("HANSEI_CHILD", "1")], allows: true, time },
                root,
                is_over,
            }),
            Speaker::Agent(Agent::Known(doing)) => Box::new(Doer {
                doing,
                root,
                model: Some(model.to_owned()).filter(|model| !model.is_empty()),
                unconfined: !self.sandboxed,
                time,
                is_over,
            }),
        }
    }
}

impl Staff for Office<'_> {
    fn seat(&self, assignment: &Assignment, work: &mut dyn FnMut(&Desk<'_>)) -> Result<(), String> {
        let Assignment { started, tree, readable } = assignment;
        let said = |failure: Failure| failure.message().to_owned();
        let speaker = speaker(started, self.manner).map_err(said)?;
        let is_over = || interruption::asked().is_some();
        let voice = self.voice(speaker, tree, &started.model, &is_over);
        let workplace = self.workplace(tree, readable).map_err(said)?;
        work(&Desk { voice: voice.as_ref(), workplace: &workplace, is_over: &is_over });
        Ok(())
    }
}

/// Whoever works.
pub enum Speaker {
    /// A model, through our own tools.
    Model(Box<Talker>),
    /// Another agent, with its own.
    Agent(Agent),
}

/// Whoever works in this run, or why they cannot.
pub fn speaker(started: &Started, manner: &Manner) -> Result<Speaker, Failure> {
    match started.agent.as_deref().map(doer::named).transpose()?.flatten() {
        Some(agent) => Ok(Speaker::Agent(agent)),
        None => Ok(Speaker::Model(Box::new(voice(&started.model, manner, &started.terms)?))),
    }
}

/// The model that a run talks to.
fn voice(model: &str, manner: &Manner, terms: &Terms) -> Result<Talker, Failure> {
    let settings = &manner.settings;
    let key = provider_key::source("run", settings.key_env.as_ref(), settings.key_command.as_ref())
        .map_err(Failure::usage)?;
    let model = ProviderModel {
        model: model.parse().map_err(|bad: hansei_models::BadModelName| Failure::usage(bad.to_string()))?,
        base_url: manner.base_url.clone(),
        key,
        cache: user_cache::here(),
    };
    let limits = TalkLimits {
        needs_price: terms.limits.usd.is_some(),
        max_tokens: settings.max_answer_tokens,
        ..TalkLimits::default()
    };
    Talker::new(model, limits).map_err(|no_answer| match no_answer {
        NoAnswer::Refused { reason } | NoAnswer::Outage { reason } | NoAnswer::UsageLimit { reason, .. } => {
            Failure::environment(reason)
        }
        NoAnswer::Interrupted => Failure::environment("it was interrupted"),
    })
}

struct Speaking<'a> {
    talker: Talker,
    is_over: &'a dyn Fn() -> bool,
}

impl Voice for Speaking<'_> {
    fn say(&self, conversation: &Conversation, heard: &mut dyn FnMut(&str)) -> Result<Turn, NoAnswer> {
        let mut hear = |piece: Heard<'_>| {
            if let Heard::Text(text) = piece {
                heard(text);
            }
        };
        self.talker.say(conversation, &mut hear, self.is_over)
    }
}

/// The checks of the workspace, as `hansei verify` runs them, from the commit that the run began at.
#[derive(Debug, Clone)]
struct OwnChecks {
    root: PathBuf,
    base: Option<String>,
    sandboxed: bool,
    /// The user's tree, where `root` is a copy of it.
    copy_of: Option<PathBuf>,
    readable: Vec<PathBuf>,
}

impl OwnChecks {
    fn arguments(&self) -> verify::Arguments {
        let arguments = verify::Arguments::of_run(self.root.clone(), self.base.clone(), !self.sandboxed);
        match &self.copy_of {
            Some(tree) => arguments.in_copy_of(tree.clone(), self.readable.clone()),
            None => arguments,
        }
    }
}

impl Checks for OwnChecks {
    fn verify(&self, spec: &[String], doing: &mut dyn FnMut(&str)) -> Result<Report, Unverified> {
        match verify::report_with(&self.arguments(), spec, doing) {
            Ok(report) => report.map(|mut report| {
                decided::held_against(&self.root, self.base.as_deref(), &mut report);
                report
            }),
            Err(failure) => Err(Unverified::Unprepared(failure.message().to_owned())),
        }
    }
}

/// A log that cannot be used.
pub fn cannot(error: LogError) -> Failure {
    match error {
        LogError::Busy => Failure::environment("another process is at work on this run")
            .hint("wait for it, or end it; `hansei runs` shows how it stands"),
        other => Failure::environment(other.to_string()),
    }
}

fn broken(error: DriveError) -> Failure {
    match error {
        DriveError::Log(error) => cannot(error),
        DriveError::NoRun => Failure::environment(error.to_string()),
    }
}
