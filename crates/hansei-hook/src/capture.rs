//! Captures a stop: what changed, what it would cost to be wrong there, and what the agent says about it.
//!
//! Order matters. The intent is logged before anything else; the reflection is durable before its result is logged;
//! only then is the self-report put away. A kill at any point leaves a whole reflection or none, and a self-report that
//! is still there for the next stop.

use std::path::Path;

use hansei_core::event::{BaseCommit, Event};
use hansei_core::ledger::{Ledger, Start};
use hansei_core::path_text;
use hansei_core::reflection::{Provenance, Reflection, SchemaName, Source};
use hansei_core::risk::Floor;
use hansei_core::self_report::SelfReport;
use hansei_record::log::{LogError, SessionLog, WhenCapturing};
use hansei_record::places::SelfReportPlace;
use hansei_record::settings::{Layers, WORKSPACE_FILE, read_file};
use hansei_record::stop_settings::StopSettings;
use hansei_record::{clock, self_report, sidecar};
use hansei_workspace::changes::{self, Base, WorkChange};
use hansei_workspace::content::fingerprint;
use hansei_workspace::git::Git;
use hansei_workspace::layout::{Layout, path_from_bytes};

use crate::environment::Environment;
use crate::session::Session;
use crate::time_limit::{LOG_PATIENCE, TimeLimit};
use crate::{Call, HookError};

/// What a capture leaves to whoever judges the same stop.
pub(crate) struct Captured {
    /// The session's log, still locked.
    pub(crate) log: SessionLog,
    /// What happens at a stop, as it was settled before the agent could change it.
    pub(crate) settings: StopSettings,
    /// What the session changed.
    pub(crate) changed: Changed,
}

/// What a session changed, as its capture saw it.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    /// The commit that it grew from, where there is one.
    pub(crate) base: Option<String>,
    /// The paths, as records write them.
    pub(crate) files: Vec<String>,
}

/// The most paths that a reflection names.
const MOST_FILES: usize = 50_000;

/// Captures a stop, unless another process is capturing the same one.
pub(crate) fn capture(
    call: &Call,
    environment: &Environment,
    session: &Session,
    limit: &TimeLimit,
) -> Result<Option<Captured>, HookError> {
    let mut gaps = session.gaps.clone();
    let mut log = match open_log(session) {
        Ok(log) => Some(log),
        Err(HookError::Log(LogError::CaptureRunning)) => return Ok(None),
        Err(error) => {
            gaps.push(error.to_string());
            None
        }
    };
    let ledger = log.as_ref().map(|log| log.ledger().clone()).unwrap_or_default();
    let attempt = ledger.next_attempt();
    if let Some(log) = &mut log {
        log.append(Event::CaptureStarted { attempt })?;
    }

    let mut seen = look(environment, session, ledger.start(), limit, &mut gaps);
    let changed = Changed { base: seen.base.take(), files: seen.files.clone() };
    let (report, place) = find_report(session, &ledger, &mut gaps);
    let reflection = Reflection {
        schema: SchemaName::ReflectionV1,
        task_ref: environment.task_ref.clone().unwrap_or(seen.task_ref),
        agent: environment
            .agent
            .clone()
            .or_else(|| call.agent.clone())
            .unwrap_or_else(|| "unknown".to_owned()),
        session_id: session.id.clone(),
        timestamp: clock::now(),
        repo: session.layout.name(),
        confidence: report.confidence,
        most_likely_wrong: report.most_likely_wrong,
        known_not_in_diff: report.known_not_in_diff,
        risk: seen.floor.evaluate(&seen.files),
        files_changed: seen.files,
        provenance: Provenance {
            source: Source::StopHook,
            reflection_attempt: attempt,
            degraded: !gaps.is_empty(),
            reflection_mode: call.mode,
        },
    };

    let written = session.places.reflections().and_then(|folder| sidecar::write(&folder, &reflection));
    let written =
        written.map_err(|source| HookError::Io { what: "the reflection cannot be written", source });
    if let Some(log) = &mut log {
        log.append(match &written {
            Ok(sidecar) => Event::Captured {
                sidecar: sidecar.clone(),
                attempt,
                files_changed: reflection.files_changed.len(),
                left_out: seen.left_out,
                risk: reflection.risk.clone(),
                degraded: gaps,
            },
            Err(error) => Event::CaptureFailed { reason: error.to_string() },
        })?;
        log.sync()?;
    }
    written?;
    if let Some(place) = place {
        self_report::put_away(&place)
            .map_err(|source| HookError::Io { what: "the self-report cannot be put away", source })?;
    }
    Ok(log.map(|log| Captured { log, settings: seen.settings, changed }))
}

fn open_log(session: &Session) -> Result<SessionLog, HookError> {
    let folder = session.log_folder()?;
    // Two stops that name no session may be two sessions.
    let when_capturing = if session.is_known() { WhenCapturing::GiveWay } else { WhenCapturing::Wait };
    Ok(SessionLog::lock(&folder, &session.id, when_capturing, LOG_PATIENCE)?)
}

/// What was seen in the workspace.
struct Seen {
    task_ref: String,
    /// The commit that the change grew from.
    base: Option<String>,
    files: Vec<String>,
    left_out: Vec<String>,
    floor: Floor,
    settings: StopSettings,
}

fn look(
    environment: &Environment,
    session: &Session,
    start: Option<&Start>,
    limit: &TimeLimit,
    gaps: &mut Vec<String>,
) -> Seen {
    let root = session.layout.root();
    let base = match start.map(|start| &start.base) {
        Some(BaseCommit::Commit(commit)) => Base::Commit(commit),
        Some(BaseCommit::Empty) => Base::Nothing,
        Some(BaseCommit::Unknown) | None => Base::Head,
    };
    let git = match &session.layout {
        Layout::WorkTree { root, .. } => Git::new(root, limit.git()).map_err(|error| error.to_string()),
        Layout::Bare { .. } => Err("a bare repository has no work tree".to_owned()),
        Layout::Missing { .. } => Err("no git repository".to_owned()),
    };
    let change = git.as_ref().map_err(Clone::clone).and_then(|git| {
        changes::since(git, base).map_err(|error| format!("what changed is unknown: {error}"))
    });
    let change = change.unwrap_or_else(|reason| {
        gaps.push(reason);
        WorkChange::default()
    });
    gaps.extend(change.gaps.iter().cloned());

    let ours = session.places.ours_in(root);
    let (mut files, mut left_out) = (Vec::new(), Vec::new());
    for path in change.paths.iter().filter(|path| !ours.has(path)) {
        let text = path_text::encode(path);
        let before = start.and_then(|start| start.dirty.get(&text));
        let untouched =
            before.is_some_and(|before| *before == fingerprint(&root.join(path_from_bytes(path))));
        if untouched { left_out.push(text) } else { files.push(text) }
    }
    if files.len() > MOST_FILES {
        gaps.push(format!("only {MOST_FILES} of {} changed files are named", files.len()));
        files.truncate(MOST_FILES);
    }
    let layers = layers(environment, root, git.as_ref().ok(), base, &change).unwrap_or_else(|reason| {
        gaps.push(reason);
        Layers::default()
    });
    let floor = layers.floor(None).unwrap_or_else(|error| {
        gaps.push(error.to_string());
        Floor::default()
    });
    let at = match (&change.status.branch, &change.status.head, &git) {
        (Some(branch), _, _) => branch.clone(),
        (None, Some(head), Ok(git)) => changes::short_head(git).unwrap_or_else(|_| head.clone()),
        _ => "unknown".to_owned(),
    };
    let grown_from = match base {
        Base::Commit(commit) => Some(commit.to_owned()),
        Base::Head => change.status.head.clone(),
        Base::Nothing => None,
    };
    Seen {
        base: grown_from,
        task_ref: format!("{}@{at}", session.layout.name()),
        files,
        left_out,
        floor,
        settings: layers.stop(),
    }
}

/// The settings, the workspace's as they were before the agent could change them.
fn layers(
    environment: &Environment,
    root: &Path,
    git: Option<&Git>,
    base: Base<'_>,
    change: &WorkChange,
) -> Result<Layers, String> {
    let path = root.join(WORKSPACE_FILE);
    let text = if change.paths.contains(WORKSPACE_FILE.as_bytes()) {
        let commit = match base {
            Base::Commit(commit) => Some(commit),
            Base::Head => change.status.head.as_deref(),
            Base::Nothing => None,
        };
        match (git, commit) {
            (Some(git), Some(commit)) => {
                changes::file_at(git, commit, WORKSPACE_FILE).map_err(|error| error.to_string())?
            }
            _ => None,
        }
    } else {
        read_file(&path).map_err(|error| error.to_string())?
    };
    Layers::load(text.as_deref().map(|text| (path.as_path(), text)), environment.user_settings.as_deref())
        .map_err(|error| error.to_string())
}

/// The self-report for this stop, and where to put it away from.
fn find_report(
    session: &Session,
    ledger: &Ledger,
    gaps: &mut Vec<String>,
) -> (SelfReport, Option<SelfReportPlace>) {
    let places = session.places.self_reports(session.layout.root());
    let mut missing = self_report::Missing::Absent;
    for place in places {
        match self_report::read(&place) {
            Ok(found) => {
                let written = clock::at(found.written);
                return match found.report.admit(&session.id, &written, ledger.last_start()) {
                    Ok(()) => {
                        if !found.unknown.is_empty() {
                            gaps.push(format!(
                                "keys of the self-report that nobody knows: {}",
                                found.unknown.join(", ")
                            ));
                        }
                        (found.report, Some(place))
                    }
                    Err(refusal) => {
                        gaps.push(refusal.to_string());
                        (SelfReport::default(), None)
                    }
                };
            }
            Err(self_report::Missing::Absent) => {}
            Err(other) => missing = other,
        }
    }
    gaps.push(missing.to_string());
    (SelfReport::default(), None)
}
