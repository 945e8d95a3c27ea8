//! A sandbox that stands before its command is known, and after it, so that a call need not wait for the walls.
//!
//! Its first process is a shell of ours. It is handed each command in a file of its own and starts `bash -c COMMAND`, which
//! has nothing of what the shell was handed; when that has ended, it ends everybody else in there, and says so. Nobody
//! inside can end it, stop it or look into it. Before each command [everything is looked at again](super::ground): where
//! something that matters has changed, the walls are put up anew. After it the same is done where it left something in the
//! private folders or reached a limit, so that each finds what a sandbox of its own would have shown it.
//!
//! While the walls stand, so do the empty folders over which missing names are guarded, in the user's tree: a mount needs its
//! place. That is why walls wait only for [`PATIENCE`]. Somebody who thinks for longer does not notice the milliseconds that
//! were to be saved.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, PipeReader, PipeWriter, Read as _, Seek as _, Write as _};
use std::os::fd::AsFd as _;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;

use super::private_folders::Fullness;
use super::run::{Begun, Entrance};
use super::walls::Inside;
use super::{Captured, Confinement, Ended, How, Refusal, Request, Streams, bubblewrap};

/// How long walls wait for a command.
const PATIENCE: Duration = Duration::from_secs(2);

/// How old a look may be with which a command is let in. Somebody outside can always be quicker than any look.
const FRESH: Duration = Duration::from_millis(5);

/// How long the walls may take to stand.
const LONGEST_START: Duration = Duration::from_secs(10);

/// How long those that a command left behind may take to end before everything is taken down.
const LONGEST_END: Duration = Duration::from_secs(2);

/// The numbers of what the first process is handed: where it answers, where commands speak, the file with the command, and
/// the pipe that says that it is there.
const ANSWER: i32 = 6;
const SPEAK: i32 = 7;
const TEXT: i32 = 8;
const BELL: i32 = 9;

/// The first process. When it is told to, it starts the shell of the next command; when that has ended it answers with its
/// code, and then whether something is left that no folder shows. A trap keeps it from ending with a command that was
/// interrupted. `SHLVL` and its kin are what a shell adds by itself.
const FIRST: &str = r#"[[ $$ == 1 ]] || exit # whoever is not the first would end everybody everywhere
exec >/dev/null 2>&1
export -n SHLVL OLDPWD _
trap : INT
echo ready >&6
while read -r -u 9 _; do
    bash -c "$1" bash "$PWD" >&7 2>&7 7>&-
    hansei_code=$?
    kill -9 -1
    echo "$hansei_code" >&6
    hansei_left=nothing
    for hansei_kind in shm sem msg; do
        { read -r _; read -r _ && hansei_left=something; } < /proc/sysvipc/$hansei_kind
    done
    echo "$hansei_left" >&6
done"#;

/// The shell of the next command: it begins before that is known, because beginning takes longest. It is one line, so
/// that the command's own lines have the numbers that they would have otherwise.
const NEXT: &str = r#"read -r -u 9 _ || exit; [[ . -ef $1 ]] || { echo moved >&6; exit; }; set --; IFS= read -r -d '' -u 8 BASH_EXECUTION_STRING; exec 6>&- 8<&- 9<&-; eval "$BASH_EXECUTION_STRING""#;

/// A sandbox for shell commands that are not known yet.
///
/// It is put up in a thread of its own, which also takes it down: bubblewrap ends with the thread that started it.
#[derive(Debug)]
pub(super) struct Standing {
    wishes: Option<Sender<Wish>>,
    keeper: Option<JoinHandle<()>>,
}

/// What is wanted of whoever keeps the walls.
enum Wish {
    /// To look whether they still hold: a command comes soon.
    Look,
    Run(Order),
}

/// A command to let in.
struct Order {
    command: String,
    time: Duration,
    /// Nothing is answered where the command was not let in.
    answer: Sender<Result<Ended, Refusal>>,
}

impl Standing {
    /// Begins to put up the walls for shell commands; the request's own command is not looked at.
    pub(super) fn new(request: &Request) -> Self {
        let (wishes, heard) = channel();
        let kept = request.clone();
        let keeper = std::thread::Builder::new().name("standing sandbox".to_owned());
        let keeper = keeper.spawn(move || keep(&kept, &heard)).ok();
        Self { wishes: Some(wishes), keeper }
    }

    /// Whether the walls have been taken down.
    pub(super) fn is_down(&self) -> bool {
        self.keeper.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Lets the walls be taken down, and does not wait for it.
    pub(super) fn send_away(&mut self) {
        drop(self.wishes.take());
    }

    /// Says that a command comes within moments, so that everything is looked at meanwhile.
    pub(super) fn expect(&self) {
        if let Some(wishes) = &self.wishes {
            let _ = wishes.send(Wish::Look);
        }
    }

    /// Runs `bash -c COMMAND`, as [`run()`](super::run()) would; nothing where it has to be run in that way.
    pub(super) fn run(&self, command: &str, time: Duration) -> Option<Result<Ended, Refusal>> {
        let (answer, answered) = channel();
        let order = Order { command: command.to_owned(), time, answer };
        self.wishes.as_ref()?.send(Wish::Run(order)).ok()?;
        answered.recv().ok()
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        self.send_away();
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

/// Puts walls up, carries orders out, and takes them down again.
fn keep(request: &Request, wishes: &Receiver<Wish>) {
    let Ok(mut waiting) = Waiting::new(request) else { return };
    let mut looked = None;
    while let Ok(wish) = wishes.recv_timeout(PATIENCE) {
        let Wish::Run(order) = wish else {
            looked = waiting.holds(request).then(Instant::now);
            continue;
        };
        if looked.take().is_none_or(|at: Instant| at.elapsed() > FRESH) && !waiting.holds(request) {
            let Ok(anew) = Waiting::new(request) else { return };
            waiting = anew;
        }
        let Some(ended) = waiting.carry_out(&order, request) else { return };
        let _ = order.answer.send(ended);
        if !waiting.is_as_new() {
            let Ok(anew) = Waiting::new(request) else { return };
            waiting = anew;
        }
    }
}

/// Walls with nothing behind them but a shell that waits.
struct Waiting {
    begun: Begun,
    text: File,
    bell: PipeWriter,
    answers: BufReader<PipeReader>,
    speech: PipeReader,
    /// Commands can make it one that does not wait, for themselves and for those after them.
    speaker: PipeWriter,
    /// How full the private folders are that nobody has used.
    fullness: Option<Fullness>,
}

/// What comes first.
enum Heard {
    /// A word of the first process.
    Word(String),
    /// Nothing within the time.
    TimeOver,
    /// The first process is gone.
    Gone,
}

impl Waiting {
    fn new(request: &Request) -> Result<Self, Refusal> {
        if request.confinement != Confinement::Sandboxed || request.streams != Streams::Captured {
            return Err(Refusal::BadRequest("only a captured command in the sandbox is prepared".to_owned()));
        }
        let failed = |source| Refusal::Failed { program: "bash".to_owned(), source };
        let text = File::from(bubblewrap::in_memory(&[]).map_err(failed)?);
        let (bell_inside, bell) = io::pipe().map_err(failed)?;
        let (answers, answers_inside) = io::pipe().map_err(failed)?;
        let (speech, speaker) = io::pipe().map_err(failed)?;
        rustix::fs::fcntl_setfl(&speech, OFlags::NONBLOCK).map_err(|error| failed(error.into()))?;
        let command: Vec<OsString> = ["bash", "-c", FIRST, "bash", NEXT].map(Into::into).into();
        let files = vec![
            (ANSWER, answers_inside.into()),
            (SPEAK, speaker.try_clone().map_err(failed)?.into()),
            (TEXT, text.try_clone().map_err(failed)?.into()),
            (BELL, bell_inside.into()),
        ];
        let begun = Begun::new(request, Entrance { command: &command, files, is_first: true })?;
        // Without a group nobody could say that all have ended.
        if begun.inside().is_none_or(Inside::is_watched) {
            return Err(Refusal::BadRequest("there are no control groups here".to_owned()));
        }
        let answers = BufReader::new(answers);
        let mut waiting = Self { begun, text, bell, answers, speech, speaker, fullness: None };
        match waiting.hear(&mut Captured::default(), Instant::now() + LONGEST_START) {
            Ok(Heard::Word(word)) if word == "ready" => {}
            _ => return Err(failed(io::ErrorKind::BrokenPipe.into())),
        }
        waiting.fullness = waiting.begun.inside().and_then(Inside::fullness);
        waiting.ring().map_err(failed)?;
        Ok(waiting)
    }

    /// Whether the walls guard what they would guard if they were put up now.
    fn holds(&self, request: &Request) -> bool {
        self.begun.inside().is_some_and(|inside| inside.still_holds(request))
    }

    /// Runs a command to its end, after which nobody runs in there but the first process, or nobody at all. Nothing where
    /// the command was not let in.
    fn carry_out(&mut self, order: &Order, request: &Request) -> Option<Result<Ended, Refusal>> {
        let start = Instant::now();
        self.let_in(&order.command).ok()?;
        let mut output = Captured::with_room(request.limits.output);
        let how = match self.hear(&mut output, start + order.time) {
            // Its folder is another one now.
            Ok(Heard::Word(word)) if word == "moved" => return None,
            Ok(Heard::Word(word)) => {
                let inside = self.begun.inside()?;
                let how = inside.of_code(word.parse().ok()?);
                if !inside.is_alone(self.begun.id(), LONGEST_END) {
                    self.begun.end();
                }
                Ok(how)
            }
            Ok(Heard::TimeOver) => {
                self.begun.end();
                Ok(How::TimedOut)
            }
            // What is known of its end is what bubblewrap tells.
            Ok(Heard::Gone) | Err(_) => self.begun.finish(start, order.time).map(|ended| ended.how),
        };
        let _ = self.drain(&mut output);
        Some(how.map(|how| Ended { how, output, took: start.elapsed() }))
    }

    /// Whether the command before left nothing behind and reached no limit; then the shell of the next one is started.
    fn is_as_new(&mut self) -> bool {
        let word = self.hear(&mut Captured::default(), Instant::now() + LONGEST_START);
        let Some(inside) = self.begun.inside() else { return false };
        matches!(word, Ok(Heard::Word(word)) if word == "nothing")
            && !inside.is_struck()
            && self.fullness.is_some()
            && inside.fullness() == self.fullness
            && self.ring().is_ok()
    }

    fn let_in(&mut self, command: &str) -> io::Result<()> {
        rustix::fs::fcntl_setfl(&self.speaker, OFlags::empty())?;
        // The place in it is shared with the shell that reads.
        self.text.set_len(0)?;
        self.text.rewind()?;
        self.text.write_all(command.as_bytes())?;
        self.text.rewind()?;
        self.ring()
    }

    /// Lets whoever waits inside go on.
    fn ring(&mut self) -> io::Result<()> {
        self.bell.write_all(b"\n")
    }

    /// Listens until the first process says a word.
    fn hear(&mut self, output: &mut Captured, deadline: Instant) -> io::Result<Heard> {
        while self.answers.buffer().is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Heard::TimeOver);
            }
            let longest = Timespec::try_from(left).ok();
            let (speech, answers) = (&self.speech, self.answers.get_ref());
            let mut awaited =
                [speech.as_fd(), answers.as_fd()].map(|one| PollFd::from_borrowed_fd(one, PollFlags::IN));
            match poll(&mut awaited, longest.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let is_answered = !awaited[1].revents().is_empty();
            self.drain(output)?;
            if is_answered && self.answers.fill_buf()?.is_empty() {
                return Ok(Heard::Gone);
            }
        }
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(Heard::Word(line.trim_end().to_owned()))
    }

    /// Takes what was said until now.
    fn drain(&mut self, output: &mut Captured) -> io::Result<()> {
        let mut bytes = [0; 16 * 1024];
        loop {
            match self.speech.read(&mut bytes) {
                Ok(0) => return Ok(()),
                Ok(read) => output.push(&bytes[..read]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.begun.end();
        // Here nobody waits for it, so that nothing is left to be swept.
        if let Some(inside) = self.begun.inside() {
            inside.settle();
        }
    }
}

#[cfg(test)]
mod tests;
