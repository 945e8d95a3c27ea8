//! The driver: asks the run for its next step, does it, and tells it what came of it.

use std::time::{Duration, Instant};

use hansei_core::run::conversation::{NoAnswer, ToolCall, ToolOffer};
use hansei_core::run::spec::Spec;
use hansei_core::run::{Decision, Ended, Purpose, Run, RunEvent, RunLine, Started, Step, Verification};
use hansei_core::verdict::Pause;
use hansei_record::clock;
use hansei_record::folder::Folder;
use hansei_record::log::LogError;
use hansei_record::run_log::{self, RunLog};
use serde_json::{Value, json};

use super::spec_file::{self, Status};
use super::{Book, Checks, Closing, Rescuer, Reviewed, Reviewer, TeamCrew, Voice, Watcher};
use crate::tool::{self, TOOLS, Workplace};
use crate::verification::Unverified;

/// How long another writer of the log is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked whether a review was answered.
pub(super) const GLANCE: Duration = Duration::from_millis(100);
/// How long a model that did not answer is left alone before it is asked once more.
pub(super) const BREATHER: Duration = Duration::from_secs(1);
/// What the redactor puts in the place of a secret.
const TAKEN_OUT: &str = "[REDACTED:";

/// Everybody whom a run needs.
pub struct Crew<'a> {
    /// The model.
    pub voice: &'a dyn Voice,
    /// The tools' workplace.
    pub workplace: &'a Workplace,
    /// The checks.
    pub checks: &'a dyn Checks,
    /// Whoever is asked when nothing else helps.
    pub rescuer: &'a dyn Rescuer,
    /// Whoever reviews.
    pub reviewer: &'a mut dyn Reviewer,
    /// Whoever watches.
    pub watcher: &'a mut dyn Watcher,
    /// What is done when the run ends.
    pub closing: Closing<'a>,
    /// Whether the user wants the process to end.
    pub is_over: &'a dyn Fn() -> bool,
    /// Where Specs are kept, where there are any.
    pub specs: Option<Folder>,
    /// What a team needs, where one works.
    pub team: Option<TeamCrew<'a>>,
}

/// Why a driver came back.
#[derive(Debug, Clone, PartialEq)]
pub enum Halt {
    /// The run is over.
    Ended(Box<Ended>),
    /// It rests, and can be taken up again.
    Parked {
        /// What it waits for.
        pause: Pause,
        /// Why.
        reason: String,
    },
    /// The user ended the process. The run can be taken up again.
    Interrupted,
}

/// Why a run cannot be driven on.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// Its log cannot be written: nothing is done that is not recorded.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Its log does not tell of a run.
    #[error("the log does not tell of a run")]
    NoRun,
}

/// Drives one run.
pub struct Driver<'a> {
    pub(super) run: Run,
    pub(super) log: Box<dyn Book + 'a>,
    pub(super) crew: Crew<'a>,
    tools: Vec<ToolOffer>,
    /// The calls of the last turn as the model made them, with what the log leaves out.
    raw: Vec<ToolCall>,
    /// Whether the plan counts as confirmed.
    confirmed: bool,
    /// Whether somebody took the run up again: then a plan is not all that is wanted.
    resumed: bool,
    /// Seconds of work before this process.
    pub(super) before: u64,
    pub(super) since: Instant,
}

impl<'a> Driver<'a> {
    /// Takes the wheel of the run that `lines` tell of.
    pub fn new(log: RunLog, lines: &[Value], crew: Crew<'a>) -> Result<Self, DriveError> {
        let lines = run_log::events(lines);
        let run = Run::fold(lines.iter().map(|line| &line.event)).ok_or(DriveError::NoRun)?;
        Ok(Self::of(run, Box::new(log), seconds_at_work(&lines), crew))
    }

    /// Begins a run, and records that it does.
    pub fn begin(mut log: Box<dyn Book + 'a>, started: Started, crew: Crew<'a>) -> Result<Self, DriveError> {
        log.append(RunEvent::RunStarted(started.clone()))?;
        Ok(Self::of(Run::new(started), log, 0, crew))
    }

    fn of(run: Run, log: Box<dyn Book + 'a>, before: u64, crew: Crew<'a>) -> Self {
        let offer = |tool: &tool::Tool| ToolOffer {
            name: tool.name.to_owned(),
            description: tool.description.to_owned(),
            schema: (tool.schema)(),
        };
        let tools = TOOLS.iter().map(offer).collect();
        let confirmed = run.started().terms.confirmed_beforehand;
        let since = Instant::now();
        Self { run, log, crew, tools, raw: Vec::new(), confirmed, resumed: false, before, since }
    }

    /// Records that a process takes the run up again; `yes` takes its plan as confirmed.
    pub fn resume(&mut self, yes: bool) -> Result<(), DriveError> {
        self.confirmed |= yes;
        self.resumed = true;
        self.record(RunEvent::RunResumed)?;
        self.tell_of_proposals();
        Ok(())
    }

    /// Goes on until the run ends, rests or is interrupted.
    pub fn drive(&mut self) -> Result<Halt, DriveError> {
        loop {
            if (self.crew.is_over)() {
                return self.interrupted();
            }
            match self.run.next(self.seconds()) {
                Step::Ask(purpose) => {
                    if !self.ask(purpose)? {
                        return self.interrupted();
                    }
                }
                Step::WaitForLimit { seconds } => {
                    self.crew.watcher.doing(&format!("the provider's limit is waited for: {seconds} s"));
                    if !self.wait(Duration::from_secs(seconds)) {
                        return self.interrupted();
                    }
                    self.record(RunEvent::LimitWaitedOut { seconds })?;
                }
                Step::Call(call) => self.call(call)?,
                Step::Deny { call, told } => {
                    let event =
                        RunEvent::ToolReturned { call: call.id, ok: false, text: told, milliseconds: 0 };
                    self.record(event)?;
                }
                Step::LoseTrack(call) => {
                    self.record(RunEvent::OutcomeUnknown { call: call.id, tool: call.name })?;
                }
                Step::KeepSpec { spec_id, spec, loose } => self.keep(spec_id, spec, loose)?,
                Step::Review { spec_id, spec, spec_review_id, is_open } => {
                    let review = Review { spec_id, spec, id: spec_review_id, is_open };
                    if let Some(halt) = self.review(&review)? {
                        return Ok(halt);
                    }
                }
                Step::Verify { forced } => {
                    if !self.verify(forced)? {
                        return self.interrupted();
                    }
                }
                Step::Unblock => {
                    if !self.unblock()? {
                        return self.interrupted();
                    }
                }
                Step::Team(_) => {
                    if let Some(halt) = self.team()? {
                        return Ok(halt);
                    }
                }
                Step::HandOver { applies } => {
                    if !self.hand_over(applies)? {
                        return self.interrupted();
                    }
                }
                Step::Park { pause, reason } => return self.park(pause, reason),
                Step::End(ended) => return self.end(ended),
                Step::Nothing => {
                    let reason = "it rests".to_owned();
                    return Ok(match self.run.ended() {
                        Some(ended) => Halt::Ended(Box::new(ended.clone())),
                        None => Halt::Parked { pause: Pause::Parked, reason },
                    });
                }
            }
        }
    }

    /// Seconds of work in all.
    pub(super) fn seconds(&self) -> u64 {
        self.before + self.since.elapsed().as_secs()
    }

    /// Writes an event down, takes it in, and shows it.
    pub(super) fn record(&mut self, event: RunEvent) -> Result<(), DriveError> {
        // A provider wants its marks back to the letter, and the log may not have them so.
        let marks = match &event {
            RunEvent::ModelAnswered { turn, .. } => turn.signatures.clone(),
            _ => Vec::new(),
        };
        let mut line = self.log.append(event)?;
        self.show(&line);
        if let RunEvent::ModelAnswered { turn, .. } = &mut line.event {
            turn.signatures = marks;
        }
        self.run.apply(&line.event);
        Ok(())
    }

    pub(super) fn show(&mut self, line: &RunLine) {
        if let Ok(value) = serde_json::to_value(line) {
            self.crew.watcher.line(&value);
        }
    }

    /// Writes an intent down so that it survives whatever comes.
    pub(super) fn intend(&mut self, event: RunEvent) -> Result<(), DriveError> {
        self.record(event)?;
        Ok(self.log.sync()?)
    }

    pub(super) fn interrupted(&mut self) -> Result<Halt, DriveError> {
        self.intend(RunEvent::RunInterrupted)?;
        Ok(Halt::Interrupted)
    }

    fn park(&mut self, pause: Pause, reason: String) -> Result<Halt, DriveError> {
        if let Some(spec) = self.run.spec().filter(|_| pause == Pause::Parked) {
            self.keep_file(&self.run.spec_id(), spec, Status::Parked);
        }
        self.intend(RunEvent::RunParked { pause, reason: reason.clone() })?;
        Ok(Halt::Parked { pause, reason })
    }

    fn end(&mut self, ended: Ended) -> Result<Halt, DriveError> {
        // What is kept of a run is kept by others, who write into the same log.
        self.tell_what_worked(&ended);
        self.log.release()?;
        (self.crew.closing)(&ended);
        for line in self.log.retake(PATIENCE)? {
            self.crew.watcher.line(&line);
        }
        self.intend(RunEvent::RunEnded(ended.clone()))?;
        Ok(Halt::Ended(Box::new(ended)))
    }

    /// Asks the model; false where the user ended it.
    fn ask(&mut self, purpose: Purpose) -> Result<bool, DriveError> {
        self.intend(RunEvent::ModelAsked { purpose })?;
        let conversation = self.run.conversation(purpose, &self.tools);
        let start = Instant::now();
        let watcher = &mut self.crew.watcher;
        let answer = self.crew.voice.say(&conversation, &mut |piece| watcher.words(piece));
        match answer {
            Ok(turn) => {
                self.raw.clone_from(&turn.calls);
                self.record(RunEvent::ModelAnswered { purpose, turn, milliseconds: milliseconds(start) })?;
            }
            Err(NoAnswer::Interrupted) => return Ok(false),
            Err(no_answer) => {
                let is_outage = matches!(no_answer, NoAnswer::Outage { .. });
                self.record(RunEvent::ModelUnavailable { purpose, no_answer })?;
                if is_outage && matches!(self.run.next(0), Step::Ask(_)) {
                    return Ok(self.wait(BREATHER));
                }
            }
        }
        Ok(true)
    }

    /// Waits; false where the user ended it.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while Instant::now() < until {
            if (self.crew.is_over)() {
                return false;
            }
            std::thread::sleep(GLANCE.min(until.saturating_duration_since(Instant::now())));
        }
        true
    }

    fn call(&mut self, call: ToolCall) -> Result<(), DriveError> {
        let at = self.raw.iter().position(|raw| raw.id == call.id);
        let raw = at.map(|at| self.raw.remove(at));
        let ToolCall { id, name, input } = call;
        if raw.is_none() && input.to_string().contains(TAKEN_OUT) {
            // The log has it without its secret, and that is not what was meant.
            let text = json!({ "ok": false, "error": {
                "code": "input_not_kept",
                "message": "the call was not made: its input held a secret, which is not kept over an interruption; call again if it is still needed"
            }})
            .to_string();
            return self.record(RunEvent::ToolReturned { call: id, ok: false, text, milliseconds: 0 });
        }
        self.crew.workplace.expect(&name);
        self.intend(RunEvent::ToolCalled { call: id.clone(), tool: name.clone(), input: input.clone() })?;
        let start = Instant::now();
        let result = tool::call(&name, raw.as_ref().map_or(&input, |raw| &raw.input), self.crew.workplace);
        let text = if (self.crew.is_over)() {
            json!({ "ok": false, "error": {
                "code": "interrupted",
                "message": "the user ended it: it may have happened in part; look before you call it again"
            }})
            .to_string()
        } else {
            tool::told(&result).to_string()
        };
        let ok = result.is_ok() && !(self.crew.is_over)();
        self.record(RunEvent::ToolReturned { call: id, ok, text, milliseconds: milliseconds(start) })
    }

    /// Verifies; false where the user ended it.
    fn verify(&mut self, forced: bool) -> Result<bool, DriveError> {
        self.intend(RunEvent::VerifyStarted { forced })?;
        let commands = self.run.spec().map(|spec| spec.verification.clone()).unwrap_or_default();
        let start = Instant::now();
        let watcher = &mut self.crew.watcher;
        let report = self.crew.checks.verify(&commands, &mut |doing| watcher.doing(doing));
        let mut verification = match report {
            Ok(report) => Verification::of(&report),
            Err(Unverified::Interrupted) => return Ok(false),
            Err(why) => Verification::impossible(&why.to_string()),
        };
        if (self.crew.is_over)() {
            return Ok(false);
        }
        verification.milliseconds = milliseconds(start);
        self.record(RunEvent::Verified(verification))?;
        Ok(true)
    }

    /// Writes a Spec to its file. The log is the truth; a file that cannot be written stops nothing.
    fn keep_file(&self, id: &str, spec: &Spec, status: Status) {
        if let Some(folder) = &self.crew.specs {
            let _ = spec_file::write(folder, id, spec, status);
        }
    }

    fn keep(&mut self, spec_id: String, spec: Spec, loose: bool) -> Result<(), DriveError> {
        self.keep_file(&spec_id, &spec, Status::InReview);
        self.record(RunEvent::SpecWritten { spec_id, spec, loose, edited: false })
    }

    /// Gets a Spec reviewed; a halt where nobody answers.
    fn review(&mut self, review: &Review) -> Result<Option<Halt>, DriveError> {
        let terms = self.run.started().terms;
        if !review.is_open {
            self.intend(RunEvent::SpecReviewRequest {
                spec_id: review.spec_id.clone(),
                goal: review.spec.goal.clone(),
                steps: review.spec.steps.clone(),
                spec_review_id: review.id.clone(),
            })?;
        }
        if terms.plan_only && !self.confirmed && !self.resumed {
            let reason = "the plan is written and waits for its review".to_owned();
            return self.park(Pause::WaitingForUser, reason).map(Some);
        }
        let reviewed = if self.confirmed {
            Some(Reviewed::plain(Decision::Confirm))
        } else {
            self.crew.reviewer.review(&review.spec)
        };
        let abort = reviewed.as_ref().is_some_and(|reviewed| reviewed.abort);
        match reviewed {
            Some(reviewed) => self.reply(review, reviewed)?,
            None => {
                self.wait_for_reply(review, Duration::from_secs(60 * u64::from(terms.review_minutes)))?;
            }
        }
        if abort {
            self.record(RunEvent::AbortAsked)?;
        }
        Ok(None)
    }

    fn reply(&mut self, review: &Review, reviewed: Reviewed) -> Result<(), DriveError> {
        let spec = reviewed.edited.as_ref().unwrap_or(&review.spec);
        let status = match reviewed.decision {
            Decision::Confirm => Status::Confirmed,
            Decision::Reject => Status::Rejected,
            Decision::Timeout | Decision::Cancel => Status::Parked,
        };
        self.keep_file(&review.spec_id, spec, status);
        if let Some(spec) = reviewed.edited {
            let spec_id = review.spec_id.clone();
            self.record(RunEvent::SpecWritten { spec_id, spec, loose: false, edited: true })?;
        }
        self.intend(RunEvent::SpecReviewReply {
            spec_review_id: review.id.clone(),
            decision: reviewed.decision,
            feedback: reviewed.feedback,
        })
    }

    /// Writes into the Spec's file what another process decided about it.
    fn note_reply(&self, review: &Review, event: &RunEvent) {
        let status = match event {
            RunEvent::SpecReviewReply { decision: Decision::Confirm, .. } => Status::Confirmed,
            RunEvent::SpecReviewReply { decision: Decision::Reject, .. } => Status::Rejected,
            _ => return,
        };
        self.keep_file(&review.spec_id, &review.spec, status);
    }

    /// Waits until another process has written the reply, or the time is up, or the user ends it.
    fn wait_for_reply(&mut self, review: &Review, time: Duration) -> Result<(), DriveError> {
        let waiting = Instant::now();
        self.crew.watcher.doing("the plan waits for its review");
        loop {
            self.log.release()?;
            let over = !self.wait(GLANCE);
            let news = self.log.retake(PATIENCE)?;
            let mut answered = false;
            for value in news {
                let line: Option<RunLine> = serde_json::from_value(value.clone()).ok();
                match line {
                    Some(line) => {
                        self.note_reply(review, &line.event);
                        answered |= matches!(&line.event, RunEvent::SpecReviewReply { spec_review_id, .. } if *spec_review_id == review.id)
                            || line.event == RunEvent::AbortAsked;
                        self.show(&line);
                        self.run.apply(&line.event);
                    }
                    None => self.crew.watcher.line(&value),
                }
            }
            if answered {
                return Ok(());
            }
            if over {
                return self.reply(review, Reviewed::plain(Decision::Cancel));
            }
            if waiting.elapsed() >= time {
                return self.reply(review, Reviewed::plain(Decision::Timeout));
            }
        }
    }
}

/// A review that is due.
struct Review {
    spec_id: String,
    spec: Spec,
    id: String,
    is_open: bool,
}

impl Reviewed {
    /// A decision without words.
    pub fn plain(decision: Decision) -> Self {
        Self { decision, feedback: String::new(), edited: None, abort: false }
    }
}

pub(super) fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The seconds in which somebody drove the run: from each start to the last line before the next.
fn seconds_at_work(lines: &[RunLine]) -> u64 {
    let pairs = lines.windows(2).filter(|pair| !matches!(pair[1].event, RunEvent::RunResumed));
    let seconds = pairs.filter_map(|pair| {
        let (from, to) = (clock::system_time(&pair[0].time)?, clock::system_time(&pair[1].time)?);
        to.duration_since(from).ok()
    });
    seconds.sum::<Duration>().as_secs()
}
