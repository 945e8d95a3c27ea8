//! A program that runs in a process group of its own, for a bounded time, and leaves nothing running behind it.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::world::Ran;

/// What an agent gets, and how long something is waited for. Only what hangs needs it; nothing is asserted about time.
pub const LONGEST_RUN: Duration = Duration::from_mins(10);

pub struct Running {
    child: Child,
    /// Keeps the watch from ending the program: it does when this is gone, or when time is up.
    _watched: mpsc::Sender<()>,
}

impl Running {
    pub fn of(command: &mut Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let child = command.spawn().unwrap();
        let group = child.id();
        let (watched, watch) = mpsc::channel();
        thread::spawn(move || {
            // Either way: time is up, or the program has ended and may have left others in its group.
            let _: Result<(), _> = watch.recv_timeout(LONGEST_RUN);
            signal(group, "KILL");
        });
        Self { child, _watched: watched }
    }

    /// What it prints, to be read while it runs.
    pub fn stdout(&mut self) -> ChildStdout {
        self.child.stdout.take().unwrap()
    }

    /// Where it reads, if that was asked for.
    pub fn stdin(&mut self) -> ChildStdin {
        self.child.stdin.take().unwrap()
    }

    /// Sends a signal to the whole group, as a terminal does.
    pub fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    /// Waits for its end.
    pub fn end(mut self) -> Ran {
        let (stdout, stderr) = (self.child.stdout.take(), self.child.stderr.take());
        let (stdout, stderr) = (thread::spawn(|| all_of(stdout)), thread::spawn(|| all_of(stderr)));
        let code = self.child.wait().unwrap().code();
        // What is left of the group may hold on to the pipes.
        signal(self.child.id(), "KILL");
        Ran { code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
    }
}

fn all_of(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes).unwrap();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The group may be gone already.
fn signal(group: u32, name: &str) {
    let group = format!("-{group}");
    let _ = Command::new("kill").args(["-s", name, "--", &group]).stderr(Stdio::null()).status();
}
