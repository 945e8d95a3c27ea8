//! A program whose output is read while it runs: more than anybody would keep, within the same time limit.

use std::io::{BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use super::{Failure, Finished, Running, end, end_group, own_group, read_in_background, start, wait};

const BUFFER: usize = 256 * 1024;

/// A running program. Whoever drops it ends the program.
#[derive(Debug)]
pub struct Streamed {
    program: String,
    child: Child,
    output: BufReader<ChildStdout>,
    complaints: Option<Receiver<Vec<u8>>>,
    deadline: Instant,
    guard: Guard,
    _running: Running,
}

/// Starts `command` with `input` on its standard input. When `deadline` passes it is ended, and its output with it.
pub fn stream(command: &mut Command, input: Vec<u8>, deadline: Instant) -> Result<Streamed, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(command);
    let (mut child, running) =
        start(command).map_err(|source| Failure::NotStarted { program: program.clone(), source })?;
    if let Some(mut stdin) = child.stdin.take() {
        // In a thread of its own: the program's output has to be read meanwhile.
        std::thread::spawn(move || stdin.write_all(&input));
    }
    let complaints = child.stderr.take().map(|pipe| read_in_background(pipe, 64 * 1024));
    let Some(output) = child.stdout.take() else {
        end(&mut child);
        return Err(Failure::Lost { program, source: std::io::ErrorKind::BrokenPipe.into() });
    };
    let guard = Guard::over(child.id(), deadline);
    let output = BufReader::with_capacity(BUFFER, output);
    Ok(Streamed { program, child, output, complaints, deadline, guard, _running: running })
}

impl Streamed {
    /// What it prints.
    pub fn output(&mut self) -> &mut BufReader<ChildStdout> {
        &mut self.output
    }

    /// Waits for it to end. Its output should have been read to its end, or it will not be heard out.
    pub fn finish(mut self) -> Result<Finished, Failure> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let complaints =
            self.complaints.take().and_then(|pipe| pipe.recv_timeout(left).ok()).unwrap_or_default();
        // Before the wait: once the child is gone, its number may be another's.
        self.guard.stand_down();
        let status = wait(&mut self.child, self.deadline)
            .map_err(|source| Failure::Lost { program: self.program.clone(), source })?;
        match status {
            Some(status) if !self.guard.struck() => Ok(Finished {
                status,
                stdout: Vec::new(),
                stderr: String::from_utf8_lossy(&complaints).trim().to_owned(),
            }),
            _ => Err(Failure::TimedOut { program: self.program.clone() }),
        }
    }
}

impl Drop for Streamed {
    fn drop(&mut self) {
        // First, for the same reason.
        self.guard.stand_down();
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            end(&mut self.child);
        }
    }
}

/// A thread that ends the program at the deadline: whoever reads its output waits in the kernel and cannot look at a
/// clock.
#[derive(Debug)]
struct Guard {
    dismissed: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    struck: Arc<AtomicBool>,
}

impl Guard {
    fn over(child: u32, deadline: Instant) -> Self {
        let (dismissed, waiting) = channel::<()>();
        let struck = Arc::new(AtomicBool::new(false));
        let strikes = Arc::clone(&struck);
        let thread = std::thread::spawn(move || {
            let left = deadline.saturating_duration_since(Instant::now());
            if waiting.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                strikes.store(true, Ordering::Relaxed);
                end_group(child);
            }
        });
        Self { dismissed: Some(dismissed), thread: Some(thread), struck }
    }

    fn struck(&self) -> bool {
        self.struck.load(Ordering::Relaxed)
    }

    fn stand_down(&mut self) {
        drop(self.dismissed.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::time::Duration;

    fn shell(script: &str, input: &str, limit: Duration) -> Streamed {
        let mut command = Command::new("/bin/sh");
        stream(command.args(["-c", script]), input.as_bytes().to_vec(), Instant::now() + limit).unwrap()
    }

    #[test]
    fn what_goes_in_comes_out_and_the_end_is_told() {
        let input = "line\n".repeat(100_000);
        let mut running = shell("cat; echo err >&2; exit 3", &input, Duration::from_mins(1));
        let mut seen = String::new();
        running.output().read_to_string(&mut seen).unwrap();
        assert!(seen == input);
        let finished = running.finish().unwrap();
        assert_eq!((finished.status.code(), finished.stderr.as_str()), (Some(3), "err"));
    }

    #[test]
    fn one_that_hangs_is_ended_at_the_deadline_and_said_to_have_been() {
        let mut running = shell("echo first; sleep 600", "", Duration::from_millis(300));
        let mut seen = String::new();
        running.output().read_to_string(&mut seen).unwrap();
        assert_eq!(seen, "first\n");
        assert!(matches!(running.finish(), Err(Failure::TimedOut { .. })));
    }

    #[test]
    fn one_that_nobody_wants_any_more_is_ended() {
        let mut running = shell("echo $$; exec sleep 600", "", Duration::from_mins(10));
        let mut id = [0; 4];
        let read = running.output().read(&mut id).unwrap();
        assert!(read > 0);
        let id = running.child.id();
        drop(running);
        assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
    }
}
