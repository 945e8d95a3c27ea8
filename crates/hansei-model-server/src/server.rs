//! The server: a thread with its own small runtime, on loopback.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::answer::ErrorsGiven;
use crate::breaking::Breaking;
use crate::record::{Folder, Recorded, harmless_headers, harmless_path};
use crate::reply::{Reply, reply_to};
use crate::route::route;
use crate::script::Script;

/// The most that a request may carry. Agents send whole files and pictures.
const LARGEST_BODY: usize = 256 << 20;

/// How to run the server.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The port; 0 is any free one.
    pub port: u16,
    /// The folder for what reaches the model; without it, requests are only kept in memory.
    pub record: Option<PathBuf>,
}

/// A server that did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The port is taken or not allowed.
    #[error("port {port} of 127.0.0.1 cannot be used: {source}")]
    Port {
        /// The port.
        port: u16,
        /// Why.
        source: std::io::Error,
    },
    /// The folder for records cannot be used.
    #[error("{} cannot be used for records: {source}", path.display())]
    Record {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The system gives no thread or runtime.
    #[error("the server cannot be started: {0}")]
    System(#[from] std::io::Error),
}

/// A running scripted model. It ends when it is dropped.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    script: Script,
    state: Mutex<ServerState>,
}

#[derive(Debug)]
struct ServerState {
    given: ErrorsGiven,
    requests: Vec<Recorded>,
    folder: Option<Folder>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, ServerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ModelServer {
    /// Starts answering; when this returns, the port is open.
    pub fn start(script: Script, options: Options) -> Result<Self, StartError> {
        let folder = match options.record {
            Some(path) => match Folder::open(&path) {
                Ok(folder) => Some(folder),
                Err(source) => return Err(StartError::Record { path, source }),
            },
            None => None,
        };
        let port = options.port;
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|source| StartError::Port { port, source })?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let state = ServerState { given: ErrorsGiven::default(), requests: Vec::new(), folder };
        let shared = Arc::new(Shared { script, state: Mutex::new(state) });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let router = axum::Router::new().fallback(handle).with_state(Arc::clone(&shared));
        let (end, ended) = oneshot::channel();
        let serve = move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = axum::serve(listener, router) => {}
                    _ = ended => {}
                }
            });
            // Answers that still wait for their delay are dropped with their connections.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("scripted model".to_owned()).spawn(serve)?;
        Ok(Self { address, shared, end: Some(end), thread: Some(thread) })
    }

    /// Where it answers, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// What was asked so far, in order.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.state().requests.clone()
    }

    /// Ends it and gives what was asked.
    pub fn stop(mut self) -> Vec<Recorded> {
        self.end();
        std::mem::take(&mut self.shared.state().requests)
    }

    fn end(&mut self) {
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.end();
    }
}

async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LARGEST_BODY).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the request is too large or was cut off").into_response();
    };
    let body = String::from_utf8_lossy(&body);
    let (path, query) = (head.uri.path(), head.uri.query().unwrap_or_default());
    let headers = head.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
    let mut recorded = Recorded {
        method: head.method.to_string(),
        path: harmless_path(path, query),
        headers: harmless_headers(headers),
        body: serde_json::from_str(&body).unwrap_or_else(|_| Value::String(body.clone().into_owned())),
        step: None,
        answered_with: Value::Null,
    };
    let route = route(head.method.as_str(), path, query);
    let reply = {
        let mut state = shared.state();
        let number = u32::try_from(state.requests.len()).unwrap_or(u32::MAX).saturating_add(1);
        let reply = reply_to(&shared.script, &mut state.given, number, route, &body);
        recorded.step = reply.turn;
        recorded.answered_with = reply.answered_with.clone();
        // Written before it is answered: what an agent got is on disk.
        let written = state.folder.as_mut().map_or(Ok(()), |folder| folder.write(&recorded));
        state.requests.push(recorded);
        if let Err(error) = written {
            let message = format!("the request cannot be recorded: {error}");
            return (StatusCode::INTERNAL_SERVER_ERROR, message).into_response();
        }
        reply
    };
    // Even a sleep of nothing lasts until the clock's next millisecond.
    if reply.delay_ms > 0 {
        tokio::time::sleep(Duration::from_millis(reply.delay_ms)).await;
    }
    response(reply)
}

fn response(reply: Reply) -> Response {
    let mut response = Response::builder().status(reply.status).header("content-type", reply.content_type);
    if let Some(seconds) = reply.retry_after {
        response = response.header("retry-after", seconds);
    }
    let body = match reply.breaks {
        None => Body::from(reply.body),
        Some(breaks) => Body::from_stream(Breaking::new(reply.body, breaks)),
    };
    response.body(body).unwrap_or_else(|error| {
        (StatusCode::INTERNAL_SERVER_ERROR, format!("the answer cannot be sent: {error}")).into_response()
    })
}
