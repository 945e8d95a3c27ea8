//! A program that is talked to line by line, and ended with everything that it started.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::bounded_process;

/// The longest line that is taken in.
const LONGEST: u64 = 64 << 20;
/// As much of its complaints as is kept.
const MOST_COMPLAINTS: usize = 8 * 1024;

/// How long the last complaints of a program that has ended are waited for: something that it started may hold them open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A program that answers on its standard output what it is told on its standard input.
#[derive(Debug)]
pub struct Conversing {
    child: Child,
    _running: bounded_process::Running,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    complaints: Arc<Mutex<String>>,
    /// Nobody speaks here: its other end goes when there are no more complaints.
    complaining: Receiver<()>,
}

/// What was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(String),
    /// Nothing yet.
    Silence,
    /// It says nothing more.
    End,
}

impl Conversing {
    /// Starts the program in `folder`, with these variables beside ours.
    pub fn start(words: &[OsString], folder: &Path, variables: &[(&str, &str)]) -> io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, running) = bounded_process::start_in_group(&mut command)?;
        let (sender, lines) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                while let Ok(1..) = (&mut output).take(LONGEST).read_until(b'\n', &mut line) {
                    if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                        break;
                    }
                    line.clear();
                }
            });
        }
        let complaints = Arc::new(Mutex::new(String::new()));
        let (silent, complaining) = channel::<()>();
        if let Some(mut errors) = child.stderr.take() {
            let kept = Arc::clone(&complaints);
            std::thread::spawn(move || {
                let _silent = silent;
                let mut bytes = [0; 4096];
                while let Ok(read @ 1..) = errors.read(&mut bytes) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.push_str(&String::from_utf8_lossy(&bytes[..read]));
                    let excess = kept.len().saturating_sub(MOST_COMPLAINTS);
                    let cut = (excess..kept.len()).find(|at| kept.is_char_boundary(*at)).unwrap_or(0);
                    kept.drain(..cut);
                }
            });
        }
        let input = child.stdin.take();
        Ok(Self { child, _running: running, input, lines, complaints, complaining })
    }

    /// Tells it a line.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(line.as_bytes())?;
        input.write_all(b"\n")?;
        input.flush()
    }

    /// What it says next, waited for up to `time`.
    pub fn hear(&self, time: Duration) -> Heard {
        match self.lines.recv_timeout(time) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// The end of what it complained about, once it says nothing more.
    pub fn last_complaints(&self) -> String {
        let _ended = self.complaining.recv_timeout(LAST_WORDS);
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).trim().to_owned()
    }
}

impl Drop for Conversing {
    fn drop(&mut self) {
        drop(self.input.take());
        bounded_process::end(&mut self.child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(script: &str) -> Conversing {
        let words = ["sh", "-c", script].map(OsString::from);
        Conversing::start(&words, Path::new("/"), &[("SAID", "hello")]).unwrap()
    }

    #[test]
    fn it_is_told_and_heard_line_by_line() {
        let mut program = start("echo $SAID; read x; echo \"you said $x\"; echo oh >&2");
        let soon = Duration::from_secs(10);
        assert_eq!(program.hear(soon), Heard::Line("hello".into()));
        assert_eq!(program.hear(Duration::from_millis(1)), Heard::Silence);
        program.say("yes").unwrap();
        assert_eq!(program.hear(soon), Heard::Line("you said yes".into()));
        assert_eq!(program.hear(soon), Heard::End);
        assert_eq!(program.last_complaints(), "oh");
    }

    #[test]
    fn it_ends_with_everything_that_it_started() {
        let program = start("sleep 1000 & echo $!; wait");
        let Heard::Line(id) = program.hear(Duration::from_secs(10)) else { panic!() };
        drop(program);
        let state = || std::fs::read_to_string(format!("/proc/{id}/stat"));
        while state().is_ok_and(|stat| !stat.contains(") Z ")) {
            std::thread::yield_now();
        }
    }
}
