//! Runs a program within a time and an output limit, and ends its whole process group when it does not keep them.

mod streamed;

use std::io::{Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use streamed::{Streamed, stream};

/// The most output that is kept.
const MOST_OUTPUT: u64 = 256 * 1024 * 1024;
/// How often it is looked whether anybody still waits for a program.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a program that is asked to end may take to end what it started itself.
const GRACE: Duration = Duration::from_secs(1);

/// The programs that are running now, so that whoever ends early can end them too: they are in groups of their own, and
/// a Ctrl-C does not reach them.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// What a finished program left.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// The beginning of its complaints.
    pub stderr: String,
}

/// Why a program gave no result.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It could not be started.
    #[error("{program} could not be started: {source}")]
    NotStarted {
        /// The program.
        program: String,
        /// The reason.
        source: std::io::Error,
    },
    /// It did not finish in time and was ended.
    #[error("{program} did not finish in time")]
    TimedOut {
        /// The program.
        program: String,
    },
    /// It printed more than is kept, and was ended.
    #[error("{program} printed too much")]
    TooMuchOutput {
        /// The program.
        program: String,
    },
    /// Nobody waits for it any more, and it was ended.
    #[error("{program} was ended: nobody waits for it")]
    Unwanted {
        /// The program.
        program: String,
    },
    /// Its result could not be read.
    #[error("{program} could not be waited for: {source}")]
    Lost {
        /// The program.
        program: String,
        /// The reason.
        source: std::io::Error,
    },
}

/// Runs `command` with no input until it ends or `deadline` passes.
pub fn run(command: &mut Command, deadline: Instant) -> Result<Finished, Failure> {
    command.stdin(Stdio::null());
    finish(command, &[], deadline, Wanted::Always)
}

/// Runs `command` with `input` on its standard input until it ends or `deadline` passes. A program that does not read
/// its input is not in error.
pub fn run_with_input(command: &mut Command, input: &[u8], deadline: Instant) -> Result<Finished, Failure> {
    command.stdin(Stdio::piped());
    finish(command, input, deadline, Wanted::Always)
}

/// Like [`run_with_input`], but only until `is_over` says that nobody waits any more. The program is asked to end before it
/// is made to: what it started in groups of their own only it can end.
pub fn run_while_wanted(
    command: &mut Command,
    input: &[u8],
    deadline: Instant,
    is_over: &dyn Fn() -> bool,
) -> Result<Finished, Failure> {
    command.stdin(Stdio::piped());
    finish(command, input, deadline, Wanted::Until(is_over))
}

/// How long a program's result is wanted, within its time.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Always,
    /// Until this says otherwise. Then, and when time is up, the program is asked to end before it is made to.
    Until(&'a dyn Fn() -> bool),
}

impl Wanted<'_> {
    fn is_over(self) -> bool {
        matches!(self, Self::Until(is_over) if is_over())
    }

    fn end(self, child: &mut Child) {
        if matches!(self, Self::Until(_)) {
            ask_to_end(child.id());
            await_end(child.id(), Instant::now() + GRACE);
        }
        end(child);
    }
}

fn finish(
    command: &mut Command,
    input: &[u8],
    deadline: Instant,
    wanted: Wanted<'_>,
) -> Result<Finished, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(command);
    let (mut child, _running) =
        start(command).map_err(|source| Failure::NotStarted { program: program.clone(), source })?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // In a thread of its own: whoever does not read must not keep us.
        std::thread::spawn(move || stdin.write_all(&input));
    }
    let stderr = child.stderr.take().map(|pipe| read_in_background(pipe, 64 * 1024));
    let Some(stdout) = child.stdout.take().map(|pipe| read_in_background(pipe, MOST_OUTPUT)) else {
        return Err(Failure::Lost { program, source: std::io::ErrorKind::BrokenPipe.into() });
    };
    let left = || deadline.saturating_duration_since(Instant::now());
    let output = loop {
        match stdout.recv_timeout(left().min(GLANCE)) {
            Ok(output) => break output,
            Err(_) if wanted.is_over() => {
                wanted.end(&mut child);
                return Err(Failure::Unwanted { program });
            }
            Err(RecvTimeoutError::Timeout) if !left().is_zero() => {}
            Err(_) => {
                wanted.end(&mut child);
                return Err(Failure::TimedOut { program });
            }
        }
    };
    if output.len() as u64 >= MOST_OUTPUT {
        end(&mut child);
        return Err(Failure::TooMuchOutput { program });
    }
    let complaints = stderr.and_then(|pipe| pipe.recv_timeout(left()).ok()).unwrap_or_default();
    let status =
        wait(&mut child, deadline).map_err(|source| Failure::Lost { program: program.clone(), source })?;
    let Some(status) = status else {
        end(&mut child);
        return Err(Failure::TimedOut { program });
    };
    Ok(Finished { status, stdout: output, stderr: String::from_utf8_lossy(&complaints).trim().to_owned() })
}

/// Ends every program that is running, with its children, and lets no other start. For a program that is about to end
/// itself: whoever waits for one of them, or wants to start another, waits for ever.
pub fn end_all() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for id in running.iter() {
        end_group(*id);
    }
    std::mem::forget(running);
}

/// Set once the user wants an end.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Ends every program that is running, with its children, and every one that is started from now on: whoever is about to
/// start one may not have heard yet. Whoever waits for one of them learns that it ended.
pub fn end_running() {
    ENDING.store(true, Ordering::SeqCst);
    for id in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        end_group(*id);
    }
}

/// A program's place in [`RUNNING`] for as long as it runs.
#[derive(Debug)]
pub(crate) struct Running(u32);

/// Starts `command` in a group of its own, and remembers it while the second value lives.
pub(crate) fn start_in_group(command: &mut Command) -> std::io::Result<(Child, Running)> {
    own_group(command);
    start(command)
}

fn start(command: &mut Command) -> std::io::Result<(Child, Running)> {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let child = command.spawn()?;
    running.push(child.id());
    if ENDING.load(Ordering::SeqCst) {
        end_group(child.id());
    }
    let place = Running(child.id());
    Ok((child, place))
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|id| *id != self.0);
    }
}

/// Waits for a child whose output has ended: it is gone or about to be, unless it closed its output on purpose.
fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    let mut pause = std::time::Duration::from_micros(50);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(std::time::Duration::from_millis(5));
    }
}

/// Reads a pipe to its end (or `most` bytes) in a thread of its own: a grandchild that keeps the pipe open must not
/// keep us.
fn read_in_background(pipe: impl Read + Send + 'static, most: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.take(most).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn end_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

#[cfg(unix)]
fn ask_to_end(id: u32) {
    if let Some(process) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(_: u32) {}

/// Waits until a child ended, and leaves it to be waited for: as long as it is, its number is its own.
#[cfg(unix)]
fn await_end(id: u32, deadline: Instant) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(process) = i32::try_from(id).ok().and_then(Pid::from_raw) else { return };
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    while matches!(waitid(WaitId::Pid(process), look), Ok(None)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(not(unix))]
fn await_end(_: u32, _: Instant) {}

/// Ends a program and its group.
pub(crate) fn end(child: &mut Child) {
    end_group(child.id());
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Result<Finished, Failure> {
        run(Command::new("/bin/sh").args(["-c", script]), Instant::now() + limit)
    }

    #[test]
    fn output_complaints_and_status_come_back() {
        let done = shell("echo out; echo err >&2; exit 3", Duration::from_secs(10)).unwrap();
        assert_eq!((done.stdout.as_slice(), done.stderr.as_str()), (b"out\n".as_slice(), "err"));
        assert_eq!(done.status.code(), Some(3));
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_its_children() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let script = format!("sh -c 'echo $$ > {}; sleep 600' & wait", file.path().display());
        assert!(matches!(shell(&script, Duration::from_millis(400)), Err(Failure::TimedOut { .. })));
        let child = std::fs::read_to_string(file.path()).unwrap();
        let gone = || {
            std::fs::read_to_string(format!("/proc/{}/stat", child.trim()))
                .map_or(true, |stat| stat.contains(") Z "))
        };
        let patience = Instant::now() + Duration::from_secs(10);
        while !gone() && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(gone());
    }

    #[test]
    fn who_is_not_waited_for_is_asked_to_end_before_it_is_made_to() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().display();
        for (script, last_words) in [
            (
                format!(
                    "trap 'echo asked >> {path}; exit 0' TERM; echo up >> {path}; while :; do sleep 0.05; done"
                ),
                "up\nasked\n",
            ),
            (format!("trap '' TERM; echo up >> {path}; while :; do sleep 0.05; done"), "up\n"),
        ] {
            std::fs::write(file.path(), "").unwrap();
            let is_up = || std::fs::read_to_string(file.path()).is_ok_and(|text| text.contains("up"));
            let mut command = Command::new("/bin/sh");
            let deadline = Instant::now() + Duration::from_mins(1);
            let ended = run_while_wanted(command.args(["-c", &script]), b"", deadline, &is_up);
            assert!(matches!(ended, Err(Failure::Unwanted { .. })), "{ended:?}");
            assert_eq!(std::fs::read_to_string(file.path()).unwrap(), last_words);
        }
    }

    #[test]
    fn a_grandchild_that_left_the_group_cannot_keep_us() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let script = format!("setsid sh -c 'echo $$ > {}; exec sleep 600' &", file.path().display());
        assert!(matches!(shell(&script, Duration::from_millis(400)), Err(Failure::TimedOut { .. })));
        let left = std::fs::read_to_string(file.path()).unwrap();
        assert!(Command::new("kill").arg(left.trim()).status().unwrap().success());
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut Command::new("/no/such/program"), Instant::now() + Duration::from_secs(1));
        assert!(error.unwrap_err().to_string().contains("/no/such/program"));
    }
}
