//! From a request to how it ended: start, listen, wait, and leave nothing running.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::{Captured, Confinement, Ended, How, Refusal, Request};
use crate::bounded_process;

/// How long output may still come after the command itself has ended: whoever holds the pipe then left the group.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Runs a command to its end, and ends everything that it started.
pub fn run(request: &Request) -> Result<Ended, Refusal> {
    let Some(program) = request.command.first() else {
        return Err(Refusal::BadRequest("no command was given".to_owned()));
    };
    let name = program.to_string_lossy().into_owned();
    let failed = |source| Refusal::Failed { program: name.clone(), source };
    let mut command = match request.confinement {
        Confinement::Sandboxed => super::bubblewrap::command(request)?,
        Confinement::Bare => bare(request),
    };
    let (listener, speaker) = std::io::pipe().map_err(failed)?;
    command.stdin(Stdio::null()).stdout(speaker.try_clone().map_err(failed)?).stderr(speaker);
    let start = Instant::now();
    let (mut child, _running) = bounded_process::start_in_group(&mut command).map_err(failed)?;
    drop(command);
    let chunks = listen(listener);
    let mut output = Captured::with_room(request.limits.output);
    let deadline = start + request.limits.time;
    let how = follow(&mut child, &chunks, &mut output, deadline).map_err(failed)?;
    bounded_process::end(&mut child);
    Ok(Ended { how, output, took: start.elapsed() })
}

fn bare(request: &Request) -> Command {
    let mut command = Command::new(&request.command[0]);
    command
        .args(&request.command[1..])
        .current_dir(request.workspace.join(&request.folder))
        .envs(request.variables.iter().map(|(name, value)| (name, value)));
    command
}

fn listen(mut pipe: std::io::PipeReader) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(read @ 1..) = pipe.read(&mut bytes) {
            if sender.send(bytes[..read].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Keeps what comes until the command has ended, or its time is over.
fn follow(
    child: &mut Child,
    chunks: &Receiver<Vec<u8>>,
    output: &mut Captured,
    deadline: Instant,
) -> std::io::Result<How> {
    let mut pause = Duration::from_micros(200);
    loop {
        match chunks.recv_timeout(pause) {
            Ok(chunk) => output.push(&chunk),
            Err(RecvTimeoutError::Timeout) => pause = (pause * 2).min(Duration::from_millis(5)),
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(pause),
        }
        if let Some(status) = child.try_wait()? {
            let last = Instant::now() + LAST_WORDS;
            while let Ok(chunk) = chunks.recv_timeout(last.saturating_duration_since(Instant::now())) {
                output.push(&chunk);
            }
            return Ok(of_status(status));
        }
        if Instant::now() >= deadline {
            return Ok(How::TimedOut);
        }
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
