//! Waiting for the user to end the program.

use tokio::runtime::{Builder, Runtime};

/// The signals that end a program: SIGINT and SIGTERM, or Ctrl-C where there are none.
#[derive(Debug)]
pub struct TerminationSignals {
    runtime: Runtime,
    #[cfg(unix)]
    streams: [tokio::signal::unix::Signal; 2],
}

impl TerminationSignals {
    /// From here on the signals no longer kill the program, but end [`Self::wait`].
    pub fn listen() -> std::io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        #[cfg(unix)]
        let streams = {
            use tokio::signal::unix::{SignalKind, signal};
            let _inside = runtime.enter();
            [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]
        };
        Ok(Self {
            runtime,
            #[cfg(unix)]
            streams,
        })
    }

    /// Waits for the first signal.
    pub fn wait(self) {
        #[cfg(unix)]
        let ended = {
            let [mut interrupt, mut terminate] = self.streams;
            async move {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
            }
        };
        #[cfg(not(unix))]
        let ended = async { tokio::signal::ctrl_c().await.unwrap_or_default() };
        self.runtime.block_on(ended);
    }
}
