//! One command behind walls: they are put up before it starts, and it starts when the last one stands.
//!
//! Bubblewrap is started with a door that stays shut until the process inside has been put under its limits. What it
//! tells about that process and its end comes over a pipe of its own, so a wall that could not be put up is never taken
//! for the command's own failure.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, PipeReader, PipeWriter, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::bubblewrap::{self, Arguments, FIRST_FILE};
use super::cgroup::{Group, Struck};
use super::ground::Ground;
use super::private_folders::Fullness;
use super::run::Entrance;
use super::supervisor::Supervisor;
use super::{Captured, How, Limits, Refusal, Request, environment, seccomp, view};
use crate::program::{self, Workspace};

/// What a shell says of a program that is not there.
const NOT_FOUND: i32 = 127;

/// The longest that the end of a namespace is waited for.
const LONGEST_END: Duration = Duration::from_secs(5);

/// Walls around a command that has not started.
#[derive(Debug)]
pub(super) struct Walls {
    ground: Option<Ground>,
    group: Option<Group>,
    /// Whether what was started is in the group already.
    is_in_group: bool,
    is_there: bool,
    told: Option<BufReader<PipeReader>>,
    door: Option<PipeWriter>,
}

/// A command behind its walls.
#[derive(Debug)]
pub(super) struct Inside {
    /// The first process of its namespace: when it ends, all others do.
    first: Option<OwnedFd>,
    number: u32,
    told: BufReader<PipeReader>,
    group: Option<Group>,
    supervisor: Option<Supervisor>,
    /// Whether the program that was asked for was found.
    is_there: bool,
    ground: Option<Ground>,
}

impl Walls {
    /// The command that runs the request inside, and its walls.
    pub(super) fn around(request: &Request, entrance: Entrance<'_>) -> Result<(Command, Self), Refusal> {
        let (workspace, home) = places(request)?;
        let program = bubblewrap::program(Workspace::At(&request.users))?;
        let failed = |source| Refusal::Failed { program: "bwrap".to_owned(), source };
        // What does not depend on the tree is made meanwhile.
        let (looked, (group, filter)) = std::thread::scope(|scope| {
            let others = scope.spawn(|| (Group::new(&request.limits), seccomp::file()));
            let looked = view::plan(request, &workspace, &home)
                .and_then(|plan| Ok((plan.view(&workspace, &records())?, plan)));
            let others = others.join().unwrap_or_else(|_| (None, Err(io::ErrorKind::Other.into())));
            (looked, others)
        });
        let (view, plan) = looked?;
        let mut arguments = Arguments::new();
        arguments.with_view(&view, &request.limits);
        let (told, teller) = io::pipe().map_err(failed)?;
        let (shut, door) = io::pipe().map_err(failed)?;
        arguments.with_file("--seccomp", filter.map_err(failed)?);
        arguments.with_file("--json-status-fd", teller.into());
        arguments.with_file("--block-fd", shut.into());
        if entrance.is_first {
            arguments.add(["--as-pid-1".as_ref()]);
        }
        arguments.add(["--chdir".as_ref(), workspace.join(&request.folder).as_os_str(), "--".as_ref()]);
        let mut command = Command::new(program);
        command.args(&arguments.list).args(entrance.command).env_clear();
        command.envs(environment::variables(std::env::vars_os(), &request.passed_on, &home));
        command.envs(request.variables.iter().map(|(name, value)| (name, value)));
        // Whatever we inherited ourselves is not the command's.
        close_fds::CloseFdsBuilder::new().cloexecfrom(3);
        let numbered = (FIRST_FILE..).zip(arguments.files);
        let files = entrance.files.into_iter().chain(numbered);
        let files = files.map(|(child_fd, parent_fd)| FdMapping { parent_fd, child_fd }).collect();
        command.fd_mappings(files).map_err(|error| failed(io::Error::other(error)))?;
        let is_there = is_there(entrance.command, &workspace.join(&request.folder));
        let (told, door) = (Some(BufReader::new(told)), Some(door));
        let ground = Some(Ground::new(workspace, plan, view.held));
        Ok((command, Self { ground, group, is_in_group: false, is_there, told, door }))
    }

    /// Starts the command where its limits hold.
    pub(super) fn start<T>(&mut self, start: impl FnOnce() -> T) -> T {
        let Some(group) = &self.group else { return start() };
        let (started, is_in_group) = group.born_in(start);
        self.is_in_group = is_in_group;
        started
    }

    /// Puts what was started under its limits, and lets it begin.
    pub(super) fn close(&mut self, limits: Limits) -> io::Result<Inside> {
        let (Some(mut told), Some(mut door)) = (self.told.take(), self.door.take()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let number = next_told(&mut told).and_then(|value| value.get("child-pid")?.as_u64()).unwrap_or(0);
        let number = u32::try_from(number).unwrap_or(0);
        // It waits at the door, so the number is still its own.
        let first = i32::try_from(number).ok().and_then(Pid::from_raw);
        let first = first.and_then(|first| pidfd_open(first, PidfdFlags::empty()).ok());
        let mut group = self.group.take();
        if number != 0 {
            if !self.is_in_group && group.as_ref().is_some_and(|group| group.admit(number).is_err()) {
                group = None;
            }
            let _ = door.write_all(b"1");
        }
        let supervisor = (group.is_none() && number != 0).then(|| Supervisor::new(number, limits));
        let (is_there, ground) = (self.is_there, self.ground.take());
        Ok(Inside { first, number, told, group, supervisor, is_there, ground })
    }
}

impl Inside {
    /// What the command used too much of, where nobody else looks.
    pub(super) fn exceeded(&mut self) -> Option<How> {
        self.supervisor.as_mut()?.look()
    }

    /// Whether somebody has to look now and then.
    pub(super) fn is_watched(&self) -> bool {
        self.supervisor.is_some()
    }

    /// Whether the walls guard what they would guard if they were put up now.
    pub(super) fn still_holds(&self, request: &Request) -> bool {
        self.ground.as_ref().is_some_and(|ground| ground.is_the_same(request)) && !self.has_ended()
    }

    fn has_ended(&self) -> bool {
        self.first.as_ref().is_none_or(|first| is_over(first, Duration::ZERO))
    }

    /// Ends everybody inside, and waits until nobody is left to run; `bubblewrap` is the process outside.
    pub(super) fn end(&self, bubblewrap: u32) {
        let Some(first) = &self.first else {
            // A kernel without such handles.
            let first = i32::try_from(self.number).ok().and_then(Pid::from_raw);
            let _ = first.map(|first| kill_process(first, Signal::KILL));
            return;
        };
        let _ = pidfd_send_signal(first, Signal::KILL);
        // It starts nobody, and takes its time to take the mounts down.
        let ours = [self.number, bubblewrap];
        if self.group.as_ref().is_none_or(|group| !group.holds_only(&ours)) {
            self.settle();
        }
    }

    /// Whether nobody is left inside but the first process, or soon is; `bubblewrap` is the process outside.
    pub(super) fn is_alone(&self, bubblewrap: u32, longest: Duration) -> bool {
        let ours = [self.number, bubblewrap];
        let start = Instant::now();
        while !self.group.as_ref().is_some_and(|group| group.holds_only(&ours)) {
            if start.elapsed() > longest {
                return false;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        true
    }

    /// How full the private folders are; nothing where that cannot be told.
    pub(super) fn fullness(&self) -> Option<Fullness> {
        Fullness::of(self.number, self.ground.as_ref()?.private())
    }

    /// Whether a limit was reached.
    pub(super) fn is_struck(&self) -> bool {
        self.of_limits().is_some()
    }

    /// How a command ended, by the code that a shell would see.
    pub(super) fn of_code(&self, code: i32) -> How {
        if code == 0 {
            return How::Exited(0);
        }
        self.of_limits().unwrap_or(match code {
            129..=192 => How::Signalled(code - 128),
            _ => How::Exited(code),
        })
    }

    /// How a command ended that reached a limit.
    fn of_limits(&self) -> Option<How> {
        match self.group.as_ref()?.struck() {
            Struck { memory: true, .. } => Some(How::OutOfMemory),
            Struck { processes: true, .. } => Some(How::TooManyProcesses),
            _ => None,
        }
    }

    /// Waits until the namespace is gone.
    pub(super) fn settle(&self) {
        if let Some(first) = &self.first {
            // It ends last: the kernel lets it wait for all others of its namespace.
            is_over(first, LONGEST_END);
        }
    }

    /// How the command ended, after bubblewrap ended as `how`.
    pub(super) fn told(&mut self, how: How, output: &Captured) -> Result<How, Refusal> {
        if !matches!(how, How::Exited(_) | How::Signalled(_)) {
            return Ok(how);
        }
        // Bubblewrap tells a signal as a shell does.
        let code = next_told(&mut self.told).and_then(|value| value.get("exit-code")?.as_i64());
        match code.and_then(|code| i32::try_from(code).ok()) {
            Some(code) => Ok(self.of_code(code)),
            None => match self.of_limits() {
                Some(limit) => Ok(limit),
                None if matches!(how, How::Signalled(_)) => Ok(how),
                None => self.never_began(output),
            },
        }
    }

    /// Bubblewrap ended without having started the command: either it is not there, or a wall could not be put up.
    fn never_began(&self, output: &Captured) -> Result<How, Refusal> {
        let words = output.text();
        let said = words.lines().rfind(|line| line.starts_with("bwrap: "));
        if said.is_some_and(|said| said.starts_with("bwrap: execvp ")) || !self.is_there {
            return Ok(How::Exited(NOT_FOUND));
        }
        let reason =
            said.unwrap_or("bubblewrap could not put up its walls, or the command could not be executed");
        Err(Refusal::NoSandbox { reason: reason.to_owned(), install: CANNOT })
    }
}

/// Whether there is a program of this name, from where the command starts.
fn is_there(command: &[OsString], folder: &Path) -> bool {
    let Some(program) = command.first() else { return false };
    if program.as_encoded_bytes().contains(&b'/') {
        return folder.join(program).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    program.to_str().is_some_and(|name| program::is_there(name, &path))
}

/// Whether a process has ended, or ends within `longest`.
fn is_over(process: &OwnedFd, longest: Duration) -> bool {
    let limit = rustix::event::Timespec::try_from(longest).ok();
    poll(&mut [PollFd::new(process, PollFlags::IN)], limit.as_ref()).is_ok_and(|ended| ended > 0)
}

/// What to do where bubblewrap is there and cannot work.
const CANNOT: &str = "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, \
     kernel.apparmor_restrict_unprivileged_userns=0), or run in a container that allows them";

fn next_told(told: &mut BufReader<PipeReader>) -> Option<serde_json::Value> {
    let mut line = String::new();
    told.read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}

/// The workspace and the home of a request, by their real names.
pub(super) fn places(request: &Request) -> Result<(PathBuf, PathBuf), Refusal> {
    let workspace = request.workspace.canonicalize().map_err(|error| {
        Refusal::BadRequest(format!("the workspace {} is not there: {error}", request.workspace.display()))
    })?;
    let home = home();
    check(&workspace, &home)?;
    Ok((workspace, home))
}

/// The user's home, as it is called inside too.
fn home() -> PathBuf {
    let named = std::env::var_os("HOME")
        .map(PathBuf::from)
        .filter(|home| home.is_absolute() && home.parent().is_some());
    named.map_or_else(|| "/home/nobody".into(), |home| home.canonicalize().unwrap_or(home))
}

/// Where we keep what we created and for whom: the same for everything that this user runs, whatever its home is called.
fn records() -> PathBuf {
    format!("/var/tmp/hansei-sandbox-{}", rustix::process::geteuid().as_raw()).into()
}

/// Refuses a workspace in which there would be nothing left to protect.
fn check(workspace: &Path, home: &Path) -> Result<(), Refusal> {
    let too_much =
        ["/", "/usr", "/etc", "/home", "/proc", "/dev", "/sys", "/run", "/tmp", "/var", "/bin", "/lib"];
    if too_much.iter().any(|folder| workspace == Path::new(folder)) || workspace == home {
        return Err(Refusal::BadRequest(format!(
            "{} cannot be a workspace: a sandbox that may write there protects nothing",
            workspace.display()
        )));
    }
    if !workspace.is_dir() {
        return Err(Refusal::BadRequest(format!("the workspace {} is not a folder", workspace.display())));
    }
    Ok(())
}
