//! How long a hook call may take: five seconds in all, and the steps that can hang stop well before.

use std::time::{Duration, Instant};

const ALL: Duration = Duration::from_millis(4800);
const PAYLOAD: Duration = Duration::from_secs(1);
/// What deciding, recording and answering take at most.
const REST: Duration = Duration::from_millis(600);
const GIT: Duration = Duration::from_millis(3500);

/// How long a short writer of the same log is waited for.
pub(crate) const LOG_PATIENCE: Duration = Duration::from_secs(1);

/// The deadlines of one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeLimit {
    start: Instant,
    all: Duration,
}

impl TimeLimit {
    /// Starts the clock. Whatever may still hang when all the time is gone (a dead network file system) ends with the
    /// process; the agent goes on.
    ///
    /// `more` is what somebody else was promised, such as a model that is asked.
    pub(crate) fn start(more: Duration) -> Self {
        std::thread::spawn(move || {
            std::thread::sleep(ALL + more);
            std::process::exit(0);
        });
        Self { start: Instant::now(), all: ALL + more }
    }

    /// Deadlines for a process that goes on afterwards.
    pub(crate) fn of_a_step() -> Self {
        Self { start: Instant::now(), all: ALL }
    }

    /// Deadlines that have all passed.
    #[cfg(test)]
    pub(crate) fn spent() -> Self {
        Self { start: Instant::now().checked_sub(2 * ALL).unwrap(), all: ALL }
    }

    /// How much is left of it all.
    pub(crate) fn left(self) -> Duration {
        self.all.saturating_sub(self.start.elapsed())
    }

    /// How long is left for reading and weighing a session: what was found must still be decided on and recorded.
    pub(crate) fn weighing(self) -> Duration {
        ALL.saturating_sub(REST + self.start.elapsed())
    }

    /// When the payload must be there.
    pub(crate) fn payload(self) -> Instant {
        self.start + PAYLOAD
    }

    /// When git must have answered.
    pub(crate) fn git(self) -> Instant {
        self.start + GIT
    }
}
