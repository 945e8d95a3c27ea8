//! Judges a stop: reads the session, weighs what is found, decides under the log's lock, records, and only then answers.
//!
//! Whatever goes wrong lets the agent stop, and says why in the log.

use std::sync::Arc;
use std::time::SystemTime;

use hansei_agents::attendance::{is_headless, is_planning};
use hansei_agents::hook_command::quoted;
use hansei_agents::reply::StopReply;
use hansei_agents::version::Version;
use hansei_agents::{Adapter, adapter_named};
use hansei_core::event::Event;
use hansei_core::evidence::{Claim, Evidence, Kind};
use hansei_core::interrupt::{
    Action, Decision, Handover, HandoverWords, Hold, Notice, Orders, Rules, SkipWhy, Stop, VerdictRecord,
    Why, admissible, decide, task_key,
};
use hansei_core::notice::About;
use hansei_core::reflection::Mode;
use hansei_core::session::Session as CoreSession;
use hansei_core::verdict::{self, Autonomy, Judgement, Pause, Policy, Standing};
use hansei_record::log::{self, SessionLog, WhenCapturing};
use hansei_record::redact::redact;
use hansei_record::stop_settings::StopSettings;
use hansei_record::{clock, debug_log, escalation_file, verdict_file};
use hansei_workspace::ancestry;
use serde_json::Value;

use crate::capture::{Captured, Changed};
use crate::environment::Environment;
use crate::live_session::Source;
use crate::scene::{Looked, Scene};
use crate::session::Session;
use crate::time_limit::{LOG_PATIENCE, TimeLimit};
use crate::transcript_seen::{self, Calls};
use crate::unreadable::{self, Unread};
use crate::{
    Call, DueNotice, HookError, Outcome, SecondOpinion, broken_decisions, instructions, notices, silence,
    touched_files,
};

/// What a judge has before it.
pub(crate) struct Bench<'a> {
    pub(crate) call: &'a Call,
    pub(crate) environment: &'a Environment,
    pub(crate) session: &'a Session,
    pub(crate) limit: &'a TimeLimit,
    pub(crate) second: Option<&'a dyn SecondOpinion>,
}

/// What was found at a stop.
pub(crate) struct Findings {
    pub(crate) stop: Stop,
    pub(crate) evidence: Vec<Evidence>,
    claims: Vec<Claim>,
    pub(crate) judgement: Judgement,
    pub(crate) unavailable: Option<String>,
    /// Why the change was not held against the decisions of the repository.
    decisions_unchecked: Option<String>,
}

/// Judges the stop that was just captured. Gives what the agent is to read.
pub(crate) fn judge(bench: &Bench<'_>, captured: Captured) -> Result<Outcome, HookError> {
    let Captured { mut log, settings, changed } = captured;
    let Some(adapter) = bench.call.agent.as_deref().and_then(adapter_named) else {
        return Ok(Outcome::default());
    };
    let Some(source) = Source::of(adapter, bench.environment, bench.session) else {
        return Ok(Outcome::default());
    };
    if bench.environment.child {
        return skip(&mut log, SkipWhy::OwnSession);
    }
    let folder = bench.session.log_folder()?;
    let orders = Orders::of(&log::read_workspace(&folder).unwrap_or_default(), log.ledger());
    if orders.off {
        return skip(&mut log, SkipWhy::TurnedOff);
    }
    let until = clock::at(SystemTime::now() + bench.limit.left());
    log.append(Event::JudgingStarted { stop: String::new(), until })?;
    let read = source.map_err(Unread::NoFile).and_then(|source| {
        let length = source.length();
        Ok((source.read(adapter, bench.session, bench.limit)?, source, length))
    });
    let (mut session, source, length) = match read {
        Ok(read) => read,
        Err(unread) => return unreadable::decide(bench, adapter, &mut log, &settings, orders, unread),
    };
    let calls = Calls {
        all: session.calls.len() as u64,
        answered: session.calls.iter().filter(|call| call.end.is_some()).count() as u64,
    };
    let fault = transcript_seen::fault(&source, bench.session, log.ledger().transcript(), length, calls);
    if let Some(fault) = fault.filter(|_| session.tasks.is_empty()) {
        return unreadable::decide(bench, adapter, &mut log, &settings, orders, Unread::Fault(fault));
    }
    if let Some(mark) = transcript_seen::mark(&source, bench.session, length, calls) {
        log.append(Event::TranscriptRead(mark))?;
    }
    if adapter.attendance.planning.is_some() && !session.planning {
        session.planning = is_planning(adapter, &ancestry::command_lines(), &session);
    }
    let rules = rules(bench, adapter, &session, &settings, orders);
    let scene = Arc::new(look_around(bench, session, &changed, &rules));
    let situation = scene.situation();
    let mut looked = scene.look(bench.limit.weighing());
    looked.evidence.extend(fault.map(|fault| fault.evidence(log.ledger())));
    let (shape, is_finished) = (looked.shape.take(), looked.unfinished.is_none());
    let mut findings = Findings::of(&scene, looked, &rules);
    if fault.is_some() && log.ledger().was_decided(&findings.stop.id) {
        // It looks like an earlier stop because what came since was taken out.
        findings.stop.id += "/changed";
    }
    let prompts = log.ledger().prompts();
    let mut has_opinion = false;
    let mut decision = findings.decide(&log, &rules);
    if let Some(second) = bench.second
        && is_finished
        && !matches!(decision.action, Action::Skip(_))
        && second.is_wanted(&situation, &findings.judgement, &findings.evidence)
    {
        // The human must be able to speak while a model thinks, so nobody holds the log meanwhile.
        drop(log);
        let read = instructions::read_by(adapter, &scene.instructions);
        match second.weigh(&situation, &read, &findings.evidence, rules.policy, &findings.judgement) {
            Ok(judgement) => {
                findings.judgement = judgement;
                has_opinion = true;
            }
            Err(reason) => findings.unavailable = Some(reason),
        }
        log = SessionLog::lock(&folder, &bench.session.id, WhenCapturing::Wait, LOG_PATIENCE)?;
        decision = findings.decide(&log, &rules);
    }
    if !has_opinion {
        findings.judgement = findings.judgement.ordered(&findings.evidence, shape.as_ref());
    }
    if matches!(decision.action, Action::SendBack { .. } | Action::HandOver { .. })
        && (log.ledger().prompts() != prompts
            || source.length() != length && spoke_since(bench, adapter, &source, &findings.stop))
    {
        decision.action = Action::LetStop(Why::HumanSpoke);
        decision.standing = Some(Standing::Paused(Pause::WaitingForUser));
        decision.steps.push("the human spoke meanwhile? yes".to_owned());
    }
    if let Action::HandOver { failures, idle, .. } = &decision.action {
        let base = changed.base.as_deref();
        let handover = Handover::of(&situation, &findings.stop, failures, &findings.evidence, *idle, base);
        decision.hand_over(write_down(bench, &handover));
    }
    record(bench, adapter, &mut log, &findings, &rules, &decision)?;
    let notice = notice(bench, &mut log, &findings, &rules, &decision, &situation.last_words())?;
    Ok(Outcome { reply: reply(bench, adapter, &scene.session, &decision), notice })
}

/// The session with what surrounds it: the project's instructions, its decisions, and the tree as it is.
fn look_around(bench: &Bench<'_>, session: CoreSession, changed: &Changed, rules: &Rules) -> Scene {
    let instructions = instructions::read(bench.session.layout.root());
    // What the user marked wrong is not even looked for; and where the look fails, nobody is accused.
    let broken = if rules.muted.contains(&Kind::DecisionBroken) {
        Ok(Vec::new())
    } else {
        broken_decisions::look(bench, changed)
    };
    let own_change = (!rules.muted.contains(&Kind::TestsWeakened))
        .then(|| broken_decisions::changed_checks(bench, changed))
        .flatten();
    let touched = touched_files::look(bench.session.layout.root(), &session, &changed.files, bench.limit);
    Scene {
        background: bench.session.payload.background_tasks,
        decisions_unchecked: broken.as_ref().err().cloned(),
        broken: broken.unwrap_or_default(),
        changed: own_change,
        session,
        instructions,
        touched,
    }
}

/// What a person is to be told of the decision.
fn notice(
    bench: &Bench<'_>,
    log: &mut SessionLog,
    findings: &Findings,
    rules: &Rules,
    decision: &Decision,
    last_words: &str,
) -> Result<Option<DueNotice>, HookError> {
    let Action::LetStop(why) = &decision.action else { return Ok(None) };
    let about = decision.standing.and_then(|standing| About::stop(*why, standing, rules.policy));
    let Some(about) = about else { return Ok(None) };
    let said = decision.notice.as_ref().map_or(last_words, |notice| notice.text.as_str());
    notices::due(bench.call, bench.environment, bench.session, log, (about, findings.stop.id.as_str()), said)
}

impl Findings {
    /// What was looked at, weighed by `rules`.
    pub(crate) fn of(scene: &Scene, looked: Looked, rules: &Rules) -> Self {
        let situation = scene.situation();
        let evidence = admissible(looked.evidence, &rules.muted);
        let mut judgement = verdict::judge(&situation, &evidence, rules.policy);
        if looked.unfinished.is_some() {
            judgement = judgement.unfinished();
        }
        Self {
            stop: Stop::of(&situation, &evidence, rules.policy),
            judgement,
            evidence,
            claims: looked.claims,
            unavailable: looked.unfinished,
            decisions_unchecked: scene.decisions_unchecked.clone(),
        }
    }

    fn decide(&self, log: &SessionLog, rules: &Rules) -> Decision {
        decide(&self.stop, log.ledger(), &self.judgement, &self.evidence, rules)
    }
}

fn skip(log: &mut SessionLog, why: SkipWhy) -> Result<Outcome, HookError> {
    log.append(Event::Skipped { stop: String::new(), task: String::new(), why })?;
    Ok(Outcome::default())
}

pub(crate) fn rules(
    bench: &Bench<'_>,
    adapter: &Adapter,
    session: &CoreSession,
    settings: &StopSettings,
    orders: Orders,
) -> Rules {
    let attended = settings.autonomy != Some(Autonomy::Auto)
        && bench
            .session
            .payload
            .attended
            .or(bench.environment.attended)
            .or(session.circumstances.attended)
            .unwrap_or_else(|| {
                // Only an agent that nothing else is known of is looked for among the processes.
                adapter.attendance.headless.is_empty() || !is_headless(adapter, &ancestry::command_lines())
            });
    let autonomy = settings.autonomy.unwrap_or(if attended { Autonomy::Ask } else { Autonomy::Auto });
    Rules {
        mode: bench.call.mode,
        policy: Policy { attended, autonomy },
        caps: settings.caps(adapter.blocks_in_a_row),
        muted: orders.muted,
        off: orders.off,
    }
}

/// Writes down what is handed over. Gives the file's name and what the agent is told; nothing where it cannot be written.
fn write_down(bench: &Bench<'_>, handover: &Handover) -> Option<(String, String)> {
    let folder = bench.session.places.own().and_then(|own| own.child("escalations")).ok()?;
    let written = escalation_file::write(&folder, &bench.session.id, handover).ok()?;
    // The agent may work in any folder of the workspace, or in another work tree.
    let word = |name: &String| quoted(&folder.path().join(name).to_string_lossy());
    let (escalation, task) = (word(&written.escalation), word(&written.task));
    let (command, error) = (handover.command.as_deref().map(quoted), written.error.as_ref().map(word));
    let told = handover.told(HandoverWords {
        escalation: &escalation,
        task: &task,
        command: command.as_deref(),
        error: error.as_deref(),
    });
    Some((written.escalation, told))
}

/// Whether the human said something, or cancelled, since the session was read.
fn spoke_since(bench: &Bench<'_>, adapter: &'static Adapter, source: &Source<'_>, stop: &Stop) -> bool {
    let Ok(now) = source.read(adapter, bench.session, bench.limit) else { return true };
    let Some(task) = now.tasks.last() else { return true };
    task_key(task) != stop.task || task.turns.last().is_some_and(|turn| turn.aborted)
}

/// Records what was found and decided. The agent is told only afterwards.
fn record(
    bench: &Bench<'_>,
    adapter: &Adapter,
    log: &mut SessionLog,
    findings: &Findings,
    rules: &Rules,
    decision: &Decision,
) -> Result<(), HookError> {
    let Findings { stop, evidence, claims, judgement, unavailable, decisions_unchecked } = findings;
    let kinds: Vec<Kind> = evidence.iter().map(|evidence| evidence.kind).collect();
    if !matches!(decision.action, Action::Skip(_)) {
        let name = (bench.session.id.as_str(), adapter.name, clock::now());
        let mut record =
            VerdictRecord::new(name, stop, judgement, (evidence, claims), rules.policy, decision);
        record.judge_unavailable.clone_from(unavailable);
        record.decisions_unchecked.clone_from(decisions_unchecked);
        let written =
            bench.session.places.verdicts().and_then(|folder| verdict_file::write(&folder, &record));
        if let Some(reason) = unavailable {
            log.append(Event::JudgeUnavailable { reason: reason.clone() })?;
        }
        log.append(Event::Judged {
            stop: stop.id.clone(),
            task: stop.task.clone(),
            epoch: stop.epoch,
            complete: judgement.verdict.complete,
            severity: judgement.verdict.severity,
            decided_by: judgement.verdict.decided_by,
            p_complete: judgement.p_complete,
            evidence: kinds.clone(),
            record: written.ok(),
        })?;
    }
    log.append(decision.event(stop))?;
    log.sync()?;
    let mut steps = vec![
        format!("stop {} of {} (attended: {})", stop.id, adapter.name, rules.policy.attended),
        format!("held back by: {}", names(&stop.holds)),
        format!("found: {kinds:?}"),
    ];
    steps.extend(decisions_unchecked.iter().map(|why| format!("decisions were not looked at: {why}")));
    steps.extend(decision.steps.iter().cloned());
    steps.push(format!("decided: {:?}", decision.action));
    debug(bench, &steps);
    Ok(())
}

fn names(holds: &[Hold]) -> String {
    if holds.is_empty() { "nothing".to_owned() } else { format!("{holds:?}") }
}

/// Says each step where that was asked for.
pub(crate) fn debug(bench: &Bench<'_>, steps: &[String]) {
    if !bench.environment.debug {
        return;
    }
    if let Ok(folder) = bench.session.log_folder() {
        // Nothing depends on it.
        let _ = debug_log::append(&folder, &bench.session.id, steps);
    }
}

/// What the agent reads. In a mode that only observes, nothing reaches it.
fn reply(bench: &Bench<'_>, adapter: &Adapter, session: &CoreSession, decision: &Decision) -> Option<Value> {
    if bench.call.mode != Mode::Solo {
        return None;
    }
    let feedback = match &decision.action {
        Action::SendBack { feedback, .. } => Some(redact(feedback)),
        Action::LetStop(_) | Action::HandOver { .. } => None,
        Action::Skip(_) => return None,
    };
    // That all is well is worth a toast, and no line in a terminal.
    let shown = |notice: &&Notice| notice.matters || adapter.has_plugin();
    let notice = decision.notice.as_ref().filter(shown).map(|notice| redact(&notice.text));
    // Only who was let go with something open may turn out to be stuck.
    let open = decision.action == Action::LetStop(Why::NotEnough);
    let assess_after = open.then(|| silence::after(bench.environment));
    let version = session.circumstances.version.as_deref().and_then(Version::find);
    (adapter.reply)(&StopReply {
        feedback: feedback.as_deref(),
        notice: notice.as_deref(),
        assess_after,
        version,
    })
}
