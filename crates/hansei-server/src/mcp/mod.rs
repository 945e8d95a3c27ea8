//! An MCP server over standard streams: what an agent may ask Hansei while it works.
//!
//! Each tool is a command of the same program, run as a child with `--json`, and what it prints is the answer. So there is
//! one behaviour, whoever asks. Deliberately absent: every command that is the user's alone (`off`, `wrong`, `approve` and
//! their kin), because whoever asks here is an agent.

mod answer;
mod calling;
mod handler;
mod short;
mod tool;
mod transport;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hansei_workspace::bounded_process;
use rmcp::serve_server;
use rmcp::service::ServerInitializeError;

use handler::Handler;
use transport::Patient;

/// The longest message that is taken in.
const LONGEST_MESSAGE: usize = 8 << 20;
/// How long calls that are under way may take to end when the client is gone.
const FAREWELL: Duration = Duration::from_secs(2);

/// What is served, and where.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program whose commands answer.
    pub program: PathBuf,
    /// The folder they work in, unless a call names another.
    pub folder: PathBuf,
    /// The most that one call may take.
    pub limit: Duration,
}

/// Why nothing was served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The machine does not let us.
    #[error("the server could not be started: {0}")]
    System(#[from] std::io::Error),
    /// The client and we do not agree on a beginning.
    #[error("the client did not begin as MCP says: {0}")]
    Beginning(String),
}

/// Serves the client on standard input and output until it goes away or a signal asks us to end.
pub fn serve(options: Options) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(served(options));
    // Whatever still runs has nobody to answer to, and a read of standard input cannot be called back.
    bounded_process::end_running();
    runtime.shutdown_background();
    served
}

async fn served(options: Options) -> Result<(), ServeError> {
    let is_over = Arc::new(AtomicBool::new(false));
    let handler = Handler::new(options, Arc::clone(&is_over));
    let calls = handler.calls();
    let transport = Patient::new(tokio::io::stdin(), tokio::io::stdout(), LONGEST_MESSAGE);
    let mut ending = Ending::listen()?;
    let conversation = async {
        match serve_server(handler, transport).await {
            Ok(service) => {
                let _ = service.waiting().await;
                Ok(())
            }
            // Whoever only looked whether we start has not done anything wrong.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Beginning(error.to_string())),
        }
    };
    let served = tokio::select! {
        served = conversation => served,
        () = ending.asked() => Ok(()),
    };
    is_over.store(true, Ordering::SeqCst);
    let _ = tokio::time::timeout(FAREWELL, calls.all_ended()).await;
    served
}

/// The signals that ask a program to end.
struct Ending {
    #[cfg(unix)]
    signals: Vec<tokio::signal::unix::Signal>,
}

impl Ending {
    #[cfg(unix)]
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        Ok(Self { signals: kinds.into_iter().map(signal).collect::<Result<_, _>>()? })
    }

    #[cfg(not(unix))]
    fn listen() -> std::io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(unix)]
    async fn asked(&mut self) {
        std::future::poll_fn(|context| {
            let came = self.signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }

    #[cfg(not(unix))]
    async fn asked(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
