//! Whoever is asked when a run is blocked: the same second look that `hansei unblock` takes.

use std::time::{Duration, Instant};

use hansei_core::escalation::{Answer, ContextTarget, Tried};
use hansei_core::event::Event;
use hansei_core::run::{Distress, Rescued, Started};
use hansei_engine::rescue::{Rescue, SecondMind};
use hansei_engine::run::Rescuer;
use hansei_record::run_settings::RunSettings;
use hansei_record::settings::Layers;

use super::Manner;
use crate::failure::Failure;
use crate::inside_agent;
use crate::unblocking::{self, Look};
use crate::workspace::Workspace;

/// The unblocker of a run.
pub struct Unblocker<'a> {
    pub workspace: &'a Workspace,
    pub started: &'a Started,
    pub manner: &'a Manner,
    /// Whether the user wants it to end.
    pub is_over: &'a dyn Fn() -> bool,
}

impl Rescuer for Unblocker<'_> {
    fn rescue(&self, distress: &Distress, time: Option<Duration>) -> Rescue {
        let deadline = time.map(|time| Instant::now() + time);
        self.look(distress, deadline).unwrap_or_else(|failure| {
            // What stands in the way of a look ends no run otherwise than it would have ended.
            let mut rescue =
                Rescue::of(Answer::NeedContext(ContextTarget::Other("a second look".to_owned())));
            rescue.reason = Some(failure.message().to_owned());
            rescue
        })
    }

    fn proposed(&self, rescued: &Rescued) {
        let Some(fingerprint) = &rescued.fingerprint else { return };
        let run = Some(self.started.run.as_str());
        self.remember(unblocking::proposal(fingerprint, rescued.attempt, &rescued.answer, run));
    }

    fn worked(&self, rescued: &Rescued) {
        let (Some(fingerprint), Some(found)) = (&rescued.fingerprint, rescued.answer.diagnosis()) else {
            return;
        };
        self.remember(Some(Event::RescueWorked {
            fingerprint: fingerprint.clone(),
            attempt: rescued.attempt,
            hypothesis: found.new_hypothesis.clone(),
            run: self.started.run.clone(),
        }));
    }
}

impl Unblocker<'_> {
    fn look(&self, distress: &Distress, deadline: Option<Instant>) -> Result<Rescue, Failure> {
        let layers = Layers::load(None, self.workspace.environment.user_settings.as_deref())?;
        let mind = unblocking::mind(&layers.unblock().0, &self.own_model())?;
        let mind = mind.as_ref().map(|mind| mind.until(self.is_over, deadline));
        let mut told = unblocking::told_here(self.workspace);
        told.retain(|line| !self.is_unheard(&line.event, distress));
        let mut tried = Tried::told_by(&told);
        for one in &distress.tried {
            tried.record(&distress.fingerprint, one);
        }
        let look = Look {
            attempt: distress.attempt,
            handoff: &distress.handoff,
            fingerprint: &distress.fingerprint,
            error: &distress.error,
            tried: &tried,
        };
        unblocking::look(self.workspace, &look, mind.as_ref().map(|mind| mind as &dyn SecondMind))
    }

    /// Whether it is a proposal to this very run that never reached its coder, and so was not tried.
    fn is_unheard(&self, event: &Event, distress: &Distress) -> bool {
        matches!(event, Event::RescueProposed { run: Some(run), attempt, .. }
            if *run == self.started.run && *attempt >= distress.attempt)
    }

    /// Tells the workspace's log, unless it knows. What cannot be remembered stops no run.
    fn remember(&self, event: Option<Event>) {
        let Some(event) = event else { return };
        if unblocking::told_here(self.workspace).iter().any(|line| line.event == event) {
            return;
        }
        if let Err(failure) = inside_agent::append(self.workspace, event) {
            eprintln!("hansei: what was proposed is not remembered: {}", failure.message());
        }
    }

    /// The model of this run, which is its own only where no other agent works.
    fn own_model(&self) -> RunSettings {
        let settings = self.manner.settings.clone();
        if self.started.agent.is_some() {
            return settings;
        }
        RunSettings {
            model: Some(self.started.model.clone()),
            base_url: self.manner.base_url.clone(),
            ..settings
        }
    }
}
