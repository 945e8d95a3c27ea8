//! Commands of other people's making, run where they can do no harm: the workspace may be written, the network is not
//! there, and the whole tree of processes ends with the call.
//!
//! [`run()`] is the one way in: for verification, for an agent's shell, and for `hansei sandbox`. What holds is built by
//! bubblewrap; where it is missing, a command is refused rather than run bare, unless a human said so.

mod ahead;
mod captured;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
mod network_words;
mod run;
mod streams;

#[cfg(target_os = "linux")]
mod bubblewrap;
#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(target_os = "linux")]
mod elsewhere_kept;
#[cfg(target_os = "linux")]
mod environment;
#[cfg(target_os = "linux")]
mod git_guards;
#[cfg(target_os = "linux")]
mod gitlinks;
#[cfg(target_os = "linux")]
mod ground;
#[cfg(target_os = "linux")]
mod placeholders;
#[cfg(target_os = "linux")]
mod pool;
#[cfg(target_os = "linux")]
mod private_folders;
#[cfg(target_os = "linux")]
mod proof;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
mod settings;
#[cfg(target_os = "linux")]
mod sockets;
#[cfg(target_os = "linux")]
mod standing;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod toolchains;
#[cfg(target_os = "linux")]
mod view;
#[cfg(target_os = "linux")]
mod walls;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub use ahead::Ahead;
pub use captured::Captured;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Proof, prove};
pub use network_words::wanted_network;
#[cfg(target_os = "linux")]
pub use proof::{Proof, prove};
pub use run::run;

#[cfg(target_os = "linux")]
use crate::program::Workspace;

/// Takes away what commands left behind that were still ending. To be called before the program ends.
pub fn tidy() {
    #[cfg(target_os = "linux")]
    cgroup::tidy();
}

/// Whether commands of the current folder's workspace can be locked in at all.
pub fn ready() -> Result<(), Refusal> {
    #[cfg(target_os = "linux")]
    return bubblewrap::program(Workspace::Here).map(drop);
    #[cfg(not(target_os = "linux"))]
    return elsewhere::ready();
}

/// A command, and what it may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The root of the tree that it may write, absolute.
    pub workspace: PathBuf,
    /// The user's own tree, where that one is a copy: nothing that starts the sandbox may come from there.
    pub users: PathBuf,
    /// Where it starts, relative to the root; empty for the root itself.
    pub folder: PathBuf,
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Variables for it, beside those that everybody gets.
    pub variables: Vec<(OsString, OsString)>,
    /// What it may use.
    pub limits: Limits,
    /// Whether it is locked in.
    pub confinement: Confinement,
    /// Where its output goes, and what it is given to read.
    pub streams: Streams,
    /// Further files and folders that it may read, absolute. Only a human names them.
    pub readable: Vec<PathBuf>,
    /// Names of further variables of ours that it may see. Only a human names them.
    pub passed_on: Vec<String>,
}

impl Request {
    /// A command in the root of `workspace`, sandboxed, with the usual limits, whose output is captured.
    pub fn new(workspace: PathBuf, command: Vec<OsString>) -> Self {
        Self {
            users: workspace.clone(),
            workspace,
            folder: PathBuf::new(),
            command,
            variables: Vec::new(),
            limits: Limits::default(),
            confinement: Confinement::Sandboxed,
            streams: Streams::Captured,
            readable: Vec::new(),
            passed_on: Vec::new(),
        }
    }

    /// Whether the same sandbox serves both: all but the command and its time is the same.
    fn differs_in_command_alone(&self, other: &Self) -> bool {
        let alike = |request: &Self| {
            let limits = Limits { time: Duration::ZERO, ..request.limits };
            Self { command: Vec::new(), limits, ..request.clone() }
        };
        alike(self) == alike(other)
    }
}

/// Where a command's output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    /// It is kept, and the command has nothing to read.
    Captured,
    /// To wherever ours goes, and it reads what we would.
    Passed,
}

/// Whether a command is locked in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confinement {
    /// In the sandbox, or not at all.
    Sandboxed,
    /// As the user would run it: a human said `--no-sandbox`.
    Bare,
}

/// What a command may use. More ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// On the clock.
    pub time: Duration,
    /// Memory of all its processes together, in bytes.
    pub memory: u64,
    /// Processes and threads together.
    pub processes: u32,
    /// What is kept of its output, in bytes; the middle of more is left out.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_mins(10), memory: 1 << 30, processes: 500, output: 1 << 20 }
    }
}

/// How a command ended, and what it printed.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub how: How,
    /// What it printed, both streams in the order in which they came.
    pub output: Captured,
    /// How long it ran.
    pub took: Duration,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// Its time was over.
    TimedOut,
    /// It wanted more memory than it may have.
    OutOfMemory,
    /// It wanted more processes than it may have.
    TooManyProcesses,
}

impl How {
    /// The code that a shell would see.
    pub fn code(self) -> i32 {
        match self {
            Self::Exited(code) => code,
            Self::Signalled(signal) => 128 + signal,
            Self::TimedOut => 124,
            Self::OutOfMemory => 137,
            Self::TooManyProcesses => 1,
        }
    }
}

/// Why a command was not run.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no sandbox here.
    #[error("there is no sandbox here: {reason}")]
    NoSandbox {
        /// What is missing.
        reason: String,
        /// How to get it.
        install: &'static str,
    },
    /// The request cannot be carried out as asked.
    #[error("{0}")]
    BadRequest(String),
    /// It could not be started or waited for.
    #[error("{program} could not be run: {source}")]
    Failed {
        /// The program.
        program: String,
        /// The reason.
        source: std::io::Error,
    },
}
