//! What a second look needs here: the probes and the decisions of the workspace, pieces of its source, what was tried before,
//! and the model that the user's settings name.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use hansei_core::escalation::{
    Answer, Attempt, Finding, Fingerprint, Guard, Handoff, MOST_TOLD, Tried, named_sources,
};
use hansei_core::event::{Event, Line};
use hansei_core::run::conversation::{NoAnswer, Spent};
use hansei_core::verdict::advisor::Prompt;
use hansei_engine::rescue::{Blocked, Rescue, Said, SecondMind, rescue};
use hansei_models::{Budget, ProviderModel};
use hansei_record::judge_settings::JudgeSettings;
use hansei_record::log;
use hansei_record::redact::redact;
use hansei_record::run_settings::RunSettings;
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;
use hansei_workspace::{changes, probe, tree_files};

use crate::commands::decisions::source::Source;
use crate::commands::probe::redacted;
use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::{provider_key, user_cache};

/// A second look is worth more time and money than a word at a stop.
const TIME: Duration = Duration::from_mins(3);
const MAX_TOKENS: u32 = 8_192;
const USUAL_USD: f64 = 1.0;
/// How long git may take.
const GIT_LIMIT: Duration = Duration::from_secs(20);

/// What is looked at: who asks, at what, for the how-manieth time.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// The how-manieth rescue it is.
    pub attempt: Attempt,
    /// The clean handoff.
    pub handoff: &'a Handoff,
    /// The failure.
    pub fingerprint: &'a Fingerprint,
    /// What the failing command printed.
    pub error: &'a str,
    /// What was tried, by anybody.
    pub tried: &'a Tried,
}

/// Looks once. What is proposed is to be remembered by whoever hands it on.
pub fn look(
    workspace: &Workspace,
    look: &Look<'_>,
    mind: Option<&dyn SecondMind>,
) -> Result<Rescue, Failure> {
    let source = Source::of(workspace)?;
    // Whoever was blocked may have taken a decision away: the clean state still holds it.
    let base = source.commit(look.handoff.snapshot.revision());
    let memory = source.for_a_plan_since(base.as_deref())?;
    let already = source.uses(base.as_deref(), &memory)?;
    let text_of = |path: &str| source.text_at(base.as_deref(), path);
    let findings = findings(workspace, look);
    let blocked = Blocked {
        mode: hansei_core::escalation::RescueMode::of(look.attempt),
        handoff: look.handoff,
        fingerprint: look.fingerprint,
        tried: look.tried,
        findings: &findings,
        guard: Guard { memory: &memory, already: &already, text_of: &text_of },
        sources: &sources(workspace, look.handoff),
    };
    let clean = |text: &str| redact(text).into_owned();
    let mut rescue = rescue(&blocked, mind, &clean);
    for why in rescue.refused.iter_mut().chain(&mut rescue.reason) {
        *why = clean(why);
    }
    Ok(rescue)
}

/// What probes of the blind zones see.
fn findings(workspace: &Workspace, look: &Look<'_>) -> Vec<Finding> {
    let text = |value: OsString| value.into_string().ok();
    let variables = std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?)));
    let (root, here) = (workspace.layout.root(), workspace.environment.folder.as_path());
    let found = probe::look(&probe::Look {
        root,
        folder: if here.starts_with(root) { here } else { root },
        command: look.handoff.command.as_deref(),
        error: Some(look.error).filter(|error| !error.is_empty()),
        environment: &variables.collect::<Vec<_>>(),
    });
    found.iter().map(redacted).collect()
}

/// The files that the failure names, and those of the project that they import, as they are in the clean state.
fn sources(workspace: &Workspace, handoff: &Handoff) -> Vec<String> {
    let root = workspace.layout.root();
    let git = match &workspace.layout {
        Layout::Missing { .. } => None,
        _ => Git::new(root, Instant::now() + GIT_LIMIT).ok(),
    };
    let at = git.as_ref().and_then(|git| {
        let commit = changes::resolve(git, handoff.snapshot.revision()).ok()??;
        Some((git, commit))
    });
    let texts =
        |paths: Vec<Vec<u8>>| paths.into_iter().filter_map(|path| String::from_utf8(path).ok()).collect();
    if let Some((git, commit)) = at {
        let entries = tree_files::of_commit(git, &commit).unwrap_or_default();
        let all: Vec<String> = texts(entries.into_iter().map(|entry| entry.path).collect());
        let read = |file: &str| String::from_utf8(changes::file_at(git, &commit, file).ok()??).ok();
        return named_sources(handoff, &all, &read);
    }
    let all: Vec<String> = texts(tree_files::walk(root));
    named_sources(handoff, &all, &|file| tree_files::text_now(root, file.as_bytes()))
}

/// The workspace's own log. One that cannot be read tells nothing.
pub fn told_here(workspace: &Workspace) -> Vec<Line> {
    let lines = workspace.places.existing_log().and_then(|folder| log::read_workspace(&folder));
    lines.unwrap_or_default()
}

/// What it tells of an answer that is handed on; nothing where that proposes nothing.
pub fn proposal(
    fingerprint: &Fingerprint,
    attempt: Attempt,
    answer: &Answer,
    run: Option<&str>,
) -> Option<Event> {
    let found = answer.diagnosis()?;
    Some(Event::RescueProposed {
        fingerprint: fingerprint.clone(),
        attempt,
        answer: answer.kind(),
        hypothesis: found.new_hypothesis.clone(),
        layer: found.failure_layer,
        run: run.map(str::to_owned),
    })
}

/// A model of the user's, as a second mind.
#[derive(Debug)]
pub struct ConfiguredMind {
    model: ProviderModel,
    budget: Budget,
}

impl ConfiguredMind {
    /// As somebody who is asked until the user has enough, or the time is up where there is a limit.
    pub fn until<'a>(&'a self, is_over: &'a dyn Fn() -> bool, deadline: Option<Instant>) -> Bounded<'a> {
        Bounded { mind: self, is_over, deadline }
    }
}

/// A model that is waited for no longer than somebody wants to.
pub struct Bounded<'a> {
    mind: &'a ConfiguredMind,
    is_over: &'a dyn Fn() -> bool,
    deadline: Option<Instant>,
}

impl Bounded<'_> {
    /// What the next question may take.
    fn budget(&self) -> Budget {
        let budget = self.mind.budget;
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Budget { time: left.map_or(budget.time, |left| left.min(budget.time)), ..budget }
    }
}

impl SecondMind for Bounded<'_> {
    fn ask(&self, prompt: &Prompt) -> Result<Said, NoAnswer> {
        if (self.is_over)() {
            return Err(NoAnswer::Interrupted);
        }
        let reply = self.mind.model.ask_while(prompt, &self.budget(), self.is_over)?;
        let spent = Spent {
            input_tokens: reply.usage.input_tokens,
            output_tokens: reply.usage.output_tokens,
            usd: reply.cost_usd,
        };
        Ok(Said { text: reply.text, spent })
    }
}

/// The model that looks: the one of `[unblock]`, else that of runs; none where neither names one.
pub fn mind(unblock: &JudgeSettings, run: &RunSettings) -> Result<Option<ConfiguredMind>, Failure> {
    let of_run = JudgeSettings {
        model: run.model.clone(),
        base_url: run.base_url.clone(),
        key_env: run.key_env.clone(),
        key_command: run.key_command.clone(),
        ..unblock.clone()
    };
    let (section, settings) = if unblock.model.is_some() { ("unblock", unblock) } else { ("run", &of_run) };
    let Some(model) = &settings.model else { return Ok(None) };
    let key = provider_key::source(section, settings.key_env.as_ref(), settings.key_command.as_ref())
        .map_err(Failure::usage)?;
    let model = model.parse().map_err(|bad| Failure::usage(format!("{section}.model: {bad}")))?;
    let budget = Budget {
        time: settings.timeout_seconds.map_or(TIME, Duration::from_secs),
        max_tokens: settings.max_tokens.unwrap_or(MAX_TOKENS),
        max_usd: settings.max_usd,
        usual_usd: USUAL_USD,
    };
    let base_url = settings.base_url.clone();
    Ok(Some(ConfiguredMind {
        model: ProviderModel { model, base_url, key, cache: user_cache::here() },
        budget,
    }))
}

/// The answer as `--json` prints it, with what else is worth knowing.
pub fn told(fingerprint: &Fingerprint, rescue: &Rescue, tried: &Tried) -> Result<serde_json::Value, Failure> {
    let mut value =
        serde_json::to_value(&rescue.answer).map_err(|error| Failure::environment(error.to_string()))?;
    value["fingerprint"] = serde_json::json!(fingerprint);
    if !rescue.refused.is_empty() {
        value["refused"] = serde_json::json!(rescue.refused);
    }
    let is_open = !rescue.answer.is_way_on() && !matches!(rescue.answer, Answer::Escalation(_));
    if is_open {
        value["tried"] = serde_json::json!(tried.latest(fingerprint, MOST_TOLD));
    }
    // An answer that did not count says more than that there is none.
    let refused = rescue.refused.last().filter(|_| is_open);
    if let Some(reason) = refused.or(rescue.reason.as_ref()) {
        value["reason"] = serde_json::json!(reason);
    }
    Ok(value)
}
