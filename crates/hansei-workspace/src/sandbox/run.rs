//! From a request to how it ended: start, listen, wait, and leave nothing running.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[cfg(not(target_os = "linux"))]
use super::elsewhere::{Inside, Walls};
use super::streams::Passed;
#[cfg(target_os = "linux")]
use super::walls::{Inside, Walls};
use super::{Captured, Confinement, Ended, How, Refusal, Request, Streams};
use crate::bounded_process;

/// How long output may still come after the command itself has ended: whoever holds the pipe then left the group.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Runs a command to its end, and ends everything that it started.
pub fn run(request: &Request) -> Result<Ended, Refusal> {
    if request.command.is_empty() {
        return Err(Refusal::BadRequest("no command was given".to_owned()));
    }
    let start = Instant::now();
    let mut begun =
        Begun::new(request, Entrance { command: &request.command, files: Vec::new(), is_first: false })?;
    begun.finish(start, request.limits.time)
}

/// What is started, and the files that it is handed beside the standard streams, by their numbers.
#[derive(Debug)]
pub(super) struct Entrance<'a> {
    pub(super) command: &'a [OsString],
    pub(super) files: Vec<(i32, OwnedFd)>,
    /// Whether it is the first process of its namespace itself, and not one that bubblewrap puts before it.
    pub(super) is_first: bool,
}

/// A program that was started. Dropping it ends it, and takes down what was put up for it.
#[derive(Debug)]
pub(super) struct Begun {
    name: String,
    child: Child,
    _running: bounded_process::Running,
    inside: Option<Inside>,
    heard: Option<Heard>,
    _passed: Option<Passed>,
    is_over: bool,
}

impl Begun {
    /// Starts what the entrance names as the request asks for it.
    pub(super) fn new(request: &Request, entrance: Entrance<'_>) -> Result<Self, Refusal> {
        let name = entrance.command.first().map(|program| program.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let failed = |source| Refusal::Failed { program: name.clone(), source };
        let (mut command, mut walls) = match request.confinement {
            Confinement::Sandboxed => {
                let (command, walls) = Walls::around(request, entrance)?;
                (command, Some(walls))
            }
            Confinement::Bare => (bare(request, entrance.command), None),
        };
        let (heard, passed) = match request.streams {
            Streams::Captured => {
                (Some(Heard::from(&mut command, request.limits.output).map_err(failed)?), None)
            }
            Streams::Passed => (None, Some(Passed::on(&mut command).map_err(failed)?)),
        };
        let mut begin = || bounded_process::start_in_group(&mut command);
        let (child, running) = match &mut walls {
            Some(walls) => walls.start(begin),
            None => begin(),
        }
        .map_err(failed)?;
        // Its ends of the pipes are open in the command still, and would never close.
        drop(command);
        let inside = walls.as_mut().map(|walls| walls.close(request.limits)).transpose().map_err(failed)?;
        Ok(Self { name, child, _running: running, inside, heard, _passed: passed, is_over: false })
    }

    /// The process that was started.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What holds it, where something does.
    pub(super) fn inside(&self) -> Option<&Inside> {
        self.inside.as_ref()
    }

    /// Waits until it has ended, for no longer than `time` after `start`; nothing of it runs any more then.
    pub(super) fn finish(&mut self, start: Instant, time: Duration) -> Result<Ended, Refusal> {
        let how = wait(&mut self.child, start + time, self.inside.as_mut())
            .map_err(|source| Refusal::Failed { program: self.name.clone(), source })?;
        self.end();
        let output = self.heard.take().map(Heard::whole).unwrap_or_default();
        let how = match &mut self.inside {
            Some(inside) => inside.told(how, &output)?,
            None => how,
        };
        Ok(Ended { how, output, took: start.elapsed() })
    }

    /// Ends it; nobody who could run is left then.
    pub(super) fn end(&mut self) {
        if !self.is_over {
            self.is_over = true;
            if let Some(inside) = &self.inside {
                inside.end(self.child.id());
            }
            bounded_process::end(&mut self.child);
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.end();
    }
}

fn bare(request: &Request, command: &[OsString]) -> Command {
    let (program, arguments) =
        command.split_first().map_or((OsStr::new(""), command), |(first, rest)| (first, rest));
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(request.workspace.join(&request.folder))
        .envs(request.variables.iter().map(|(name, value)| (name, value)));
    command
}

/// What a command prints, heard in a thread of its own.
#[derive(Debug)]
struct Heard {
    so_far: Arc<Mutex<Captured>>,
    end: Receiver<()>,
}

impl Heard {
    /// Lets the command speak into one pipe.
    fn from(command: &mut Command, most: usize) -> io::Result<Self> {
        let (mut listener, speaker) = io::pipe()?;
        command.stdin(Stdio::null()).stdout(speaker.try_clone()?).stderr(speaker);
        let so_far = Arc::new(Mutex::new(Captured::with_room(most)));
        let (sender, end) = channel();
        let kept = Arc::clone(&so_far);
        std::thread::spawn(move || {
            let mut bytes = vec![0; 64 * 1024];
            while let Ok(read @ 1..) = listener.read(&mut bytes) {
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(&bytes[..read]);
            }
            let _ = sender.send(());
        });
        Ok(Self { so_far, end })
    }

    fn whole(self) -> Captured {
        let _ = self.end.recv_timeout(LAST_WORDS);
        std::mem::take(&mut *self.so_far.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Waits until the command has ended, its time is over, or it used too much.
fn wait(child: &mut Child, deadline: Instant, mut inside: Option<&mut Inside>) -> io::Result<How> {
    let ending = Ending::of(child);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(of_status(status));
        }
        if let Some(exceeded) = inside.as_deref_mut().and_then(Inside::exceeded) {
            return Ok(exceeded);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(How::TimedOut);
        }
        let watched = inside.as_ref().is_some_and(|inside| inside.is_watched());
        ending.wait(left.min(if watched { Duration::from_millis(10) } else { Duration::from_secs(1) }));
    }
}

/// A handle that wakes whoever waits for the end of a process.
struct Ending {
    #[cfg(target_os = "linux")]
    handle: Option<std::os::fd::OwnedFd>,
}

impl Ending {
    #[cfg(target_os = "linux")]
    fn of(child: &Child) -> Self {
        let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let open = |id| rustix::process::pidfd_open(id, rustix::process::PidfdFlags::empty()).ok();
        Self { handle: id.and_then(open) }
    }

    #[cfg(not(target_os = "linux"))]
    fn of(_: &Child) -> Self {
        Self {}
    }

    fn wait(&self, longest: Duration) {
        #[cfg(target_os = "linux")]
        if let Some(handle) = &self.handle {
            use rustix::event::{PollFd, PollFlags, poll};
            let limit = rustix::event::Timespec::try_from(longest).ok();
            let _ = poll(&mut [PollFd::new(handle, PollFlags::IN)], limit.as_ref());
            return;
        }
        std::thread::sleep(longest.min(Duration::from_millis(5)));
    }
}

#[cfg(unix)]
fn of_status(status: std::process::ExitStatus) -> How {
    use std::os::unix::process::ExitStatusExt as _;
    match status.signal() {
        Some(signal) => How::Signalled(signal),
        None => How::Exited(status.code().unwrap_or(-1)),
    }
}

#[cfg(not(unix))]
fn of_status(status: std::process::ExitStatus) -> How {
    How::Exited(status.code().unwrap_or(-1))
}
