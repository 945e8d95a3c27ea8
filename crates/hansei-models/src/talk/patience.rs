//! How long somebody waits: until the user has enough, or the time is up.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hansei_core::run::conversation::NoAnswer;
use tokio::time::{Instant, Interval, MissedTickBehavior, Sleep};

/// How often the user is asked.
const OFTEN: Duration = Duration::from_millis(50);

/// How many moments the connection gets for its own business before and after a call: to see that the server closed it,
/// and to go back to where the next call looks for it. Together they take some microseconds.
const LULL: u32 = 4;

/// What ends a wait.
pub(crate) struct Patience<'a> {
    limit: Duration,
    end: Pin<Box<Sleep>>,
    look: Interval,
    is_over: &'a dyn Fn() -> bool,
}

impl<'a> Patience<'a> {
    /// Waits for `limit`, from now on. Only inside a runtime.
    pub(crate) fn new(limit: Duration, is_over: &'a dyn Fn() -> bool) -> Self {
        let mut look = tokio::time::interval_at(Instant::now() + OFTEN, OFTEN);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { limit, end: Box::pin(tokio::time::sleep(limit)), look, is_over }
    }

    /// Waits for what `poll` waits for.
    pub(crate) async fn wait<T>(
        &mut self,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Result<T, NoAnswer> {
        std::future::poll_fn(|context| {
            let mut looks = false;
            while self.look.poll_tick(context).is_ready() {
                looks = true;
            }
            if looks && (self.is_over)() {
                return Poll::Ready(Err(NoAnswer::Interrupted));
            }
            if self.end.as_mut().poll(context).is_ready() {
                let reason = format!("no whole answer within {} s", self.limit.as_secs());
                return Poll::Ready(Err(NoAnswer::Outage { reason }));
            }
            poll(context).map(Ok)
        })
        .await
    }

    /// Lets the connection do what it has to, unless the user has enough already.
    pub(super) async fn lull(&self) -> Result<(), NoAnswer> {
        for _ in 0..LULL {
            tokio::task::yield_now().await;
        }
        if (self.is_over)() { Err(NoAnswer::Interrupted) } else { Ok(()) }
    }
}
