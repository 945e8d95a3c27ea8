//! A sandbox that stands before its command is known, so that a call need not wait for the walls.
//!
//! Inside waits a shell. It is handed the command in a file of its own, closes everything that it was handed and becomes
//! `bash -c COMMAND`, which so finds what it would have found otherwise. Before that, [everything is looked at
//! again](super::ground): where something that matters has changed, the command is run in the ordinary way.
//!
//! While the walls stand, so do the empty folders over which missing names are guarded, in the user's tree: a mount needs its
//! place. That is why walls wait only for [`PATIENCE`]. Somebody who thinks for longer does not notice the milliseconds that
//! were to be saved.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeWriter, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::run::{Begun, Entrance};
use super::{Confinement, Ended, Refusal, Request, Streams, bubblewrap, run};

/// How long walls wait for a command.
const PATIENCE: Duration = Duration::from_secs(2);

/// The number of the file with the command, and of the pipe that says that it is there.
const TEXT: i32 = 8;
const BELL: i32 = 9;

/// What waits inside. Nobody rings: then nothing is run. `SHLVL` and its kin are what a shell adds by itself.
const WAITING: &str = "read -r -u 9 _ || exit 1; IFS= read -r -d '' -u 8 command; exec 8<&- 9<&-; \
     export -n SHLVL OLDPWD _; exec bash -c \"$command\"";

/// A sandbox for one shell command that is not known yet.
///
/// It is put up in a thread of its own, which also takes it down: bubblewrap ends with the thread that started it.
#[derive(Debug)]
pub struct Prepared {
    request: Request,
    orders: Option<Sender<Order>>,
    keeper: Option<JoinHandle<()>>,
}

/// A command to let in.
struct Order {
    command: String,
    time: Duration,
    /// Nothing is answered where the command was not let in.
    answer: Sender<Result<Ended, Refusal>>,
}

impl Prepared {
    /// Begins to put up the walls for a shell command; the request's own command is not looked at. Where they cannot be put
    /// up, whoever runs a command learns why.
    pub fn new(request: &Request) -> Self {
        let (orders, taken) = channel();
        let kept = request.clone();
        let keeper = std::thread::Builder::new().name("prepared sandbox".to_owned());
        let keeper = keeper.spawn(move || keep(&kept, &taken)).ok();
        Self { request: request.clone(), orders: Some(orders), keeper }
    }

    /// Whether the walls have been taken down.
    pub fn is_down(&self) -> bool {
        self.keeper.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Runs `bash -c COMMAND`, as [`run()`] would with this request.
    pub fn run(&mut self, command: &str, time: Duration) -> Result<Ended, Refusal> {
        let (answer, answered) = channel();
        let order = Order { command: command.to_owned(), time, answer };
        let is_taken = self.orders.take().is_some_and(|orders| orders.send(order).is_ok());
        if is_taken && let Ok(ended) = answered.recv() {
            return ended;
        }
        let mut request = self.request.clone();
        request.command = ["bash", "-c", command].map(Into::into).into();
        request.limits.time = time;
        run(&request)
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

/// Puts walls up, waits for an order, and takes them down again; the order is answered before that.
fn keep(request: &Request, orders: &Receiver<Order>) {
    let Ok(mut waiting) = Waiting::new(request) else { return };
    if let Ok(order) = orders.recv_timeout(PATIENCE) {
        carry_out(&order, request, &mut waiting);
    }
    waiting.begun.end();
    // Here nobody waits for it, so that nothing is left to be swept.
    if let Some(inside) = waiting.begun.inside() {
        inside.settle();
    }
}

fn carry_out(order: &Order, request: &Request, waiting: &mut Waiting) {
    if waiting.begun.inside().is_some_and(|inside| inside.still_holds(request))
        && waiting.let_in(&order.command).is_ok()
    {
        let _ = order.answer.send(waiting.begun.finish(Instant::now(), order.time));
    }
}

/// Walls with nothing behind them but a shell that waits.
struct Waiting {
    begun: Begun,
    text: File,
    bell: PipeWriter,
}

impl Waiting {
    fn new(request: &Request) -> Result<Self, Refusal> {
        if request.confinement != Confinement::Sandboxed || request.streams != Streams::Captured {
            return Err(Refusal::BadRequest("only a captured command in the sandbox is prepared".to_owned()));
        }
        let failed = |source| Refusal::Failed { program: "bash".to_owned(), source };
        let text = File::from(bubblewrap::in_memory(&[]).map_err(failed)?);
        let (bell_inside, bell) = io::pipe().map_err(failed)?;
        let command: Vec<OsString> = ["bash", "-c", WAITING].map(Into::into).into();
        let files = vec![(TEXT, text.try_clone().map_err(failed)?.into()), (BELL, bell_inside.into())];
        let begun = Begun::new(request, Entrance { command: &command, files })?;
        Ok(Self { begun, text, bell })
    }

    fn let_in(&mut self, command: &str) -> io::Result<()> {
        // Not from where writing ended: the place is shared with the shell that reads.
        rustix::io::pwrite(&self.text, command.as_bytes(), 0)?;
        self.bell.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::{Path, PathBuf};

    fn workspace() -> (tempfile::TempDir, Request) {
        let folder = tempfile::tempdir().unwrap();
        let request = Request::new(folder.path().canonicalize().unwrap(), Vec::new());
        (folder, request)
    }

    /// Walls that stand, with somebody waiting inside.
    fn standing(request: &Request) -> Prepared {
        let prepared = Prepared::new(request);
        let is_waiting = |process: &Path| {
            let line = fs::read(process.join("cmdline")).unwrap_or_default();
            line.starts_with(b"bash\0-c\0read -r -u 9")
                && fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == request.workspace)
        };
        let patience = Instant::now() + Duration::from_secs(10);
        while !entries(Path::new("/proc")).iter().any(|process| is_waiting(process)) {
            assert!(Instant::now() < patience, "nobody waits inside");
        }
        prepared
    }

    fn said(ended: Result<Ended, Refusal>) -> (i32, String) {
        let ended = ended.unwrap();
        (ended.how.code(), ended.output.text())
    }

    fn ordinary(request: &Request, command: &str) -> (i32, String) {
        let command = ["bash", "-c", command].map(Into::into).into();
        said(run(&Request { command, ..request.clone() }))
    }

    fn entries(folder: &Path) -> Vec<PathBuf> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn a_command_finds_what_it_would_have_found() {
        let (folder, request) = workspace();
        let long = format!("echo {}", "x".repeat(100_000));
        let commands = [
            "echo \"$0 $# $- $_ $SHLVL $$ $PPID $PWD ${OLDPWD-} ${REPLY-} ${command-}\"; exit 7",
            "export -p; declare -p | grep -vE 'RANDOM|EPOCH|SECONDS|BASHPID'; ulimit -a",
            "ls /proc/$$/fd /proc/self/fd; tr '\\0' '\\n' < /proc/$$/cmdline; cat /proc/self/limits",
            "grep -E 'Sig(Blk|Ign|Cgt)|Cap|Seccomp|NoNewPrivs' /proc/self/status; readlink /proc/self/fd/0; umask",
            "ps -ef 2> /dev/null | wc -l; read -r line; echo \"[$line]\"",
            "printf '%s' 'a\\b\u{1}\u{7f}\u{e4}\t'\n\n# the end \n\n",
            "echo 'not closed",
            "kill -9 $$",
            "cat <<'END'\n\\x  y\nEND",
            &long,
        ];
        for command in commands {
            let got = said(standing(&request).run(command, Duration::from_mins(1)));
            assert_eq!(got, ordinary(&request, command), "{command}");
        }
        assert!(entries(folder.path()).is_empty());
    }

    #[test]
    fn what_stands_in_is_no_change() {
        let (folder, request) = workspace();
        for step in [["init", "--quiet"], ["config", "core.hooksPath"]] {
            let waiting = Waiting::new(&request).unwrap();
            assert!(waiting.begun.inside().unwrap().still_holds(&request), "before {step:?}");
            drop(waiting);
            let git =
                std::process::Command::new("git").current_dir(folder.path()).args(step).arg(".").status();
            assert!(git.is_ok_and(|status| status.success()));
        }
    }

    #[test]
    fn what_is_never_used_leaves_nothing() {
        let (folder, request) = workspace();
        drop(standing(&request));
        assert!(entries(folder.path()).is_empty());
        drop(Prepared::new(&request));
        assert!(entries(folder.path()).is_empty());
    }

    #[test]
    fn what_changed_since_the_walls_were_put_up_is_guarded_all_the_same() {
        type Change = (&'static str, fn(&Path));
        let changes: &[Change] = &[
            ("a protected name that is new", |tree| fs::create_dir(tree.join(".vscode")).unwrap()),
            ("a folder that stood in, made again", |tree| {
                fs::remove_dir(tree.join(".claude")).unwrap();
                fs::create_dir(tree.join(".claude")).unwrap();
            }),
            ("a file that was replaced", |tree| {
                fs::write(tree.join("new"), "").unwrap();
                fs::rename(tree.join("new"), tree.join("hansei.toml")).unwrap();
            }),
            ("a folder that was filled", |tree| fs::write(tree.join(".codex/mine"), "").unwrap()),
        ];
        let attack = "for name in .vscode/x .claude/x hansei.toml .codex/x .codex/mine; do (echo x >> $name) 2> /dev/null \
                      && echo written $name; done; true";
        for (change, make) in changes {
            let (folder, request) = workspace();
            fs::write(folder.path().join("hansei.toml"), "").unwrap();
            let mut prepared = standing(&request);
            make(folder.path());
            assert_eq!(said(prepared.run(attack, Duration::from_mins(1))), (0, String::new()), "{change}");
        }
    }

    #[test]
    fn time_is_counted_from_the_call() {
        let (_folder, request) = workspace();
        let mut prepared = standing(&request);
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(said(prepared.run("true", Duration::from_millis(299))).0, 0);
        let mut prepared = standing(&request);
        let ended = prepared.run("sleep 60", Duration::from_millis(200)).unwrap();
        assert_eq!(ended.how, super::super::How::TimedOut);
    }
}
