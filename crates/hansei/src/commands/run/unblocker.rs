//! Whoever is asked when a run is blocked: the same second look that `hansei unblock` takes.

use hansei_core::escalation::{Answer, ContextTarget};
use hansei_core::run::{Distress, Started};
use hansei_engine::rescue::{Rescue, SecondMind};
use hansei_engine::run::Rescuer;
use hansei_record::run_settings::RunSettings;
use hansei_record::settings::Layers;

use super::Manner;
use crate::failure::Failure;
use crate::unblocking::{self, Look};
use crate::workspace::Workspace;

/// The unblocker of a run.
pub struct Unblocker<'a> {
    pub workspace: &'a Workspace,
    pub started: &'a Started,
    pub manner: &'a Manner,
}

impl Rescuer for Unblocker<'_> {
    fn rescue(&self, distress: &Distress) -> Rescue {
        self.look(distress).unwrap_or_else(|failure| {
            // What stands in the way of a look ends no run otherwise than it would have ended.
            let mut rescue =
                Rescue::of(Answer::NeedContext(ContextTarget::Other("a second look".to_owned())));
            rescue.reason = Some(failure.message().to_owned());
            rescue
        })
    }
}

impl Unblocker<'_> {
    fn look(&self, distress: &Distress) -> Result<Rescue, Failure> {
        let layers = Layers::load(None, self.workspace.environment.user_settings.as_deref())?;
        let mind = unblocking::mind(&layers.unblock().0, &self.own_model())?;
        let mut tried = unblocking::tried(self.workspace);
        for one in &distress.tried {
            tried.record(&distress.fingerprint, one);
        }
        let look = Look {
            attempt: distress.attempt,
            handoff: &distress.handoff,
            fingerprint: &distress.fingerprint,
            error: &distress.error,
            tried: &tried,
            run: Some(&self.started.run),
        };
        unblocking::look(self.workspace, &look, mind.as_ref().map(|mind| mind as &dyn SecondMind))
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
