//! A second look in a run: somebody with a clean context is asked, and what they say is on the run's own record before
//! anybody else hears of it. A proposal counts as tried only from then on.

use std::time::{Duration, Instant};

use hansei_core::escalation::{Answer, Attempt, ContextTarget};
use hansei_core::run::conversation::NoAnswer;
use hansei_core::run::{Distress, Ended, Rescued, RunEvent, Step};

use super::Driver;
use super::driver::{BREATHER, DriveError, milliseconds};
use crate::rescue::Rescue;

impl Driver<'_> {
    /// Has somebody else look at what is in the way; false where the user ended it.
    pub(super) fn unblock(&mut self) -> Result<bool, DriveError> {
        let Some(distress) = self.run.distress() else {
            let answer = Answer::NeedContext(ContextTarget::EscalationPayload);
            return self.unblocked(Attempt::FIRST, None, Rescue::of(answer), 0).map(|()| true);
        };
        let (attempt, escalation) = (distress.attempt, Box::new(distress.handoff.escalation.clone()));
        self.intend(RunEvent::UnblockStarted { attempt, escalation })?;
        self.crew.watcher.doing("a second look, with a clean context");
        let start = Instant::now();
        let mut rescue = self.crew.rescuer.rescue(&distress, self.time_left());
        match rescue.silence.take() {
            Some(silence) => self.unanswered(attempt, silence, &rescue),
            // An answer that was paid for is kept, also where the user has enough by now.
            None => self.unblocked(attempt, Some(&distress), rescue, milliseconds(start)).map(|()| true),
        }
    }

    /// The time that the run still has, where it has a limit.
    fn time_left(&self) -> Option<Duration> {
        let seconds = self.run.seconds_left(self.before)?;
        Some(Duration::from_secs(seconds).saturating_sub(self.since.elapsed()))
    }

    /// The model did not answer; false where the user ended it.
    fn unanswered(
        &mut self,
        attempt: Attempt,
        no_answer: NoAnswer,
        rescue: &Rescue,
    ) -> Result<bool, DriveError> {
        let (is_over, is_outage) =
            (no_answer == NoAnswer::Interrupted, matches!(no_answer, NoAnswer::Outage { .. }));
        self.record(RunEvent::UnblockerSilent { attempt, no_answer, spent: rescue.spent })?;
        if is_outage && matches!(self.run.next(self.seconds()), Step::Unblock) {
            return Ok(self.wait(BREATHER));
        }
        Ok(!is_over)
    }

    fn unblocked(
        &mut self,
        attempt: Attempt,
        distress: Option<&Distress>,
        rescue: Rescue,
        milliseconds: u64,
    ) -> Result<(), DriveError> {
        let Rescue { answer, mut refused, reason, spent, .. } = rescue;
        // Where answers did not count, that is reason enough.
        if refused.is_empty() {
            refused.extend(reason);
        }
        let fingerprint = distress.map(|distress| distress.fingerprint.clone());
        let rescued = Rescued { attempt, answer, refused, spent, milliseconds, fingerprint };
        self.intend(RunEvent::Unblocked(Box::new(rescued)))?;
        self.tell_of_proposals();
        Ok(())
    }

    /// Lets the workspace know what was proposed in this run. Told again after an interruption, because nobody knows
    /// whether it was told before.
    pub(super) fn tell_of_proposals(&self) {
        for rescued in self.run.rescues() {
            self.crew.rescuer.proposed(rescued);
        }
    }

    /// Lets the workspace know that the last proposal was right, where the checks say so.
    pub(super) fn tell_what_worked(&self, ended: &Ended) {
        if let Some(rescued) = self.run.rescues().last().filter(|_| ended.verified) {
            self.crew.rescuer.worked(rescued);
        }
    }
}
