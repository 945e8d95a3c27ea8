//! What a team did reaches the user's tree, or is kept beside it as a patch.

use std::io;

use hansei_core::run::{Became, RunEvent};
use hansei_workspace::team_trees::HandedOver;

use super::{DriveError, Driver};

impl Driver<'_> {
    /// Hands the work over; false where the user ended it before it began.
    pub(super) fn hand_over(&mut self, applies: bool) -> Result<bool, DriveError> {
        self.crew.watcher.doing("the team's work is handed over");
        let trees = self.crew.team.as_mut().and_then(|team| team.trees.as_mut().ok());
        let work = match trees {
            Some(trees) => trees.work().map_err(|error| error.to_string()),
            None => Err("the team's trees are gone".to_owned()),
        };
        if (self.crew.is_over)() {
            return Ok(false);
        }
        let kept = |files, patch, why| RunEvent::WorkHandedOver { became: Became::Kept, files, patch, why };
        let work = match work {
            Ok(work) if work.files.is_empty() => {
                let (files, patch, why) = (Vec::new(), None, String::new());
                self.record(RunEvent::WorkHandedOver { became: Became::Nothing, files, patch, why })?;
                return Ok(true);
            }
            Ok(work) => work,
            Err(why) => return self.record(kept(Vec::new(), None, why)).map(|()| true),
        };
        // Written first: whatever happens from here on, nothing of it is lost.
        let patch = match self.keep_patch(&work) {
            Ok(patch) => patch,
            Err(error) => {
                let why = format!("its patch cannot be written: {error}");
                return self.record(kept(work.files, None, why)).map(|()| true);
            }
        };
        self.intend(RunEvent::HandingOver { applies })?;
        if !applies {
            return self.record(kept(work.files, Some(patch), String::new())).map(|()| true);
        }
        let outcome = match self.crew.team.as_ref().map(|team| &team.trees) {
            Some(Ok(trees)) => trees.apply(&work).map_err(|error| error.to_string()),
            _ => Err("the team's trees are gone".to_owned()),
        };
        let event = match outcome {
            Ok(()) => {
                self.forget_patch();
                let (files, patch, why) = (work.files, None, String::new());
                RunEvent::WorkHandedOver { became: Became::Applied, files, patch, why }
            }
            Err(why) => kept(work.files, Some(patch), why),
        };
        self.record(event)?;
        Ok(true)
    }

    /// Keeps the work as a patch, and says where. It is the user's work and no record of ours: nothing is taken out of it.
    fn keep_patch(&self, work: &HandedOver) -> io::Result<String> {
        let Some(team) = &self.crew.team else { return Err(io::ErrorKind::NotFound.into()) };
        team.keeps.write_atomically(&team.patch, &work.patch)?;
        Ok(team.keeps.path().join(&team.patch).display().to_string())
    }

    fn forget_patch(&self) {
        if let Some(team) = &self.crew.team {
            let _ = team.keeps.remove(&team.patch);
        }
    }
}
