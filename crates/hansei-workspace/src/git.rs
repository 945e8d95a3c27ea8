//! Asks git without letting the repository, its configuration or the environment make git run anything else.
//!
//! A configuration file in a repository can name programs: file-system monitors, hooks, filters, text conversions,
//! external diffs, pagers, transports. Every `GIT_*` variable is dropped, the keys that name a program are overridden,
//! the names of filter drivers are read first and each driver is switched off, no missing object is fetched, a submodule
//! is never looked into from outside, and a call that prints a patch refuses external diffs and text conversions on its own
//! command line.
//!
//! Switching filters off has a price: a file under a filter (Git LFS) whose time stamp changed but not its content
//! counts as changed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use crate::bounded_process::{self, Failure, Finished, Streamed};
use crate::program::{self, NotFound, Workspace};

/// Overrides that hold for every call.
const OVERRIDES: [(&str, &str); 7] = [
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("diff.ignoreSubmodules", "all"),
    ("diff.submodule", "short"),
    ("log.showSignature", "false"),
    ("status.submoduleSummary", "false"),
    ("submodule.recurse", "false"),
];

/// Commands that compare trees. Any of them may be let loose on a work tree, and would then start a status in each
/// submodule, where filters run that only the submodule's own configuration names. [`ONLY_COMMITS`] goes with each.
const COMPARING: [&str; 6] = ["diff", "diff-files", "diff-index", "diff-tree", "log", "status"];

/// A submodule is asked no more than which commit it stands at. A configuration cannot say otherwise, as it could with a
/// mere override of `diff.ignoreSubmodules`.
const ONLY_COMMITS: &str = "--ignore-submodules=dirty";

/// Who commits in a repository of ours.
const OUR_IDENTITY: [(&str, &str); 4] = [
    ("GIT_AUTHOR_NAME", "hansei"),
    ("GIT_AUTHOR_EMAIL", "hansei@invalid"),
    ("GIT_COMMITTER_NAME", "hansei"),
    ("GIT_COMMITTER_EMAIL", "hansei@invalid"),
];

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git on the search path that may be started.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// It could not be run to its end.
    #[error(transparent)]
    Process(#[from] Failure),
    /// It refused.
    #[error("git {call}: {complaint}")]
    Refused {
        /// What was asked.
        call: String,
        /// The first line of its complaint.
        complaint: String,
    },
    /// It printed something that cannot be read.
    #[error("git {0} printed something unexpected")]
    Unreadable(&'static str),
}

/// A way to ask git about one folder until a deadline.
#[derive(Debug)]
pub struct Git {
    program: PathBuf,
    folder: PathBuf,
    deadline: Instant,
    drivers: OnceLock<Vec<(String, &'static str)>>,
    own: Option<Own>,
    /// The index to look at, where it is not the usual one.
    index: Option<PathBuf>,
}

/// A repository that we made: nothing configures git there but what we say.
#[derive(Debug, Clone)]
struct Own {
    git_dir: PathBuf,
    work_tree: Option<PathBuf>,
    index: Option<PathBuf>,
}

impl Git {
    /// Asks git in `folder`, giving up at `deadline`.
    pub fn new(folder: &Path, deadline: Instant) -> Result<Self, GitError> {
        let program = program::find("git", Workspace::At(folder))?;
        Ok(Self {
            program,
            folder: folder.to_owned(),
            deadline,
            drivers: OnceLock::new(),
            own: None,
            index: None,
        })
    }

    /// Asks git about a repository of our own making, with no configuration of the user's or the machine's: no hook, no filter,
    /// no driver and no signature. The repository and the tree are named, not looked for, so that no file in a tree decides
    /// which configuration is read.
    pub fn of_ours(git_dir: &Path, work_tree: Option<&Path>, deadline: Instant) -> Result<Self, GitError> {
        let own = Own { git_dir: git_dir.to_owned(), work_tree: work_tree.map(Path::to_owned), index: None };
        let folder = work_tree.or_else(|| git_dir.parent()).unwrap_or(git_dir);
        Ok(Self { drivers: OnceLock::from(Vec::new()), own: Some(own), ..Self::new(folder, deadline)? })
    }

    /// The same with another index.
    #[must_use]
    pub fn with_index(mut self, index: &Path) -> Self {
        if let Some(own) = &mut self.own {
            own.index = Some(index.to_owned());
        }
        self
    }

    /// The same about another folder.
    #[must_use]
    pub fn at(&self, folder: &Path) -> Self {
        Self {
            program: self.program.clone(),
            folder: folder.to_owned(),
            deadline: self.deadline,
            drivers: OnceLock::new(),
            own: None,
            index: None,
        }
    }

    /// The same with the index that git itself names to a hook: what `git commit -a` is about to commit stands in no other.
    #[must_use]
    pub fn staged_in(mut self, index: &Path) -> Self {
        self.index = Some(index.to_owned());
        self
    }

    /// The folder that is asked about.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs `git <args>` and gives what it printed.
    pub fn ask<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Vec<u8>, GitError> {
        let finished = self.run(args, self.drivers()?)?;
        if finished.status.success() { Ok(finished.stdout) } else { Err(refused(args, &finished)) }
    }

    /// Runs `git <args>` and gives what it printed, or nothing when it answered with exit code 1.
    pub fn ask_maybe<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Option<Vec<u8>>, GitError> {
        let finished = self.run(args, self.drivers()?)?;
        match finished.status.code() {
            Some(0) => Ok(Some(finished.stdout)),
            Some(1) => Ok(None),
            _ => Err(refused(args, &finished)),
        }
    }

    /// Runs `git <args>` and gives what it printed, and whether it answered with exit code 0 rather than 1.
    pub fn ask_either<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<(bool, Vec<u8>), GitError> {
        let finished = self.run(args, self.drivers()?)?;
        match finished.status.code() {
            Some(code @ (0 | 1)) => Ok((code == 0, finished.stdout)),
            _ => Err(refused(args, &finished)),
        }
    }

    /// Runs `git <args>` with `input` on its standard input, and gives what it printed.
    pub fn tell<S: AsRef<OsStr>>(&self, args: &[S], input: &[u8]) -> Result<Vec<u8>, GitError> {
        let mut command = self.command(args, self.drivers()?);
        let finished = bounded_process::run_with_input(&mut command, input, self.deadline)?;
        if finished.status.success() { Ok(finished.stdout) } else { Err(refused(args, &finished)) }
    }

    /// Starts `git <args>` with `input` on its standard input; what it prints is read while it runs.
    pub fn stream<S: AsRef<OsStr>>(&self, args: &[S], input: Vec<u8>) -> Result<Streamed, GitError> {
        let mut command = self.command(args, self.drivers()?);
        Ok(bounded_process::stream(&mut command, input, self.deadline)?)
    }

    /// Waits for a git that was started with `args` by [`Git::stream`]. What it has not printed yet is lost.
    pub fn end_of_stream<S: AsRef<OsStr>>(args: &[S], streamed: Streamed) -> Result<(), GitError> {
        let finished = streamed.finish()?;
        if finished.status.success() { Ok(()) } else { Err(refused(args, &finished)) }
    }

    /// Overrides that switch off every filter driver that the configuration names.
    fn drivers(&self) -> Result<&[(String, &'static str)], GitError> {
        if let Some(known) = self.drivers.get() {
            return Ok(known);
        }
        let args = ["config", "--list", "--name-only", "-z"];
        let finished = self.run(&args, &[])?;
        if !finished.status.success() {
            return Err(refused(&args, &finished));
        }
        let mut overrides = Vec::new();
        for key in finished.stdout.split(|byte| *byte == 0) {
            let Ok(key) = std::str::from_utf8(key) else {
                continue;
            };
            let value = match key.rsplit_once('.') {
                Some((driver, "clean" | "smudge" | "process")) if driver.starts_with("filter.") => "",
                Some((driver, "required")) if driver.starts_with("filter.") => "false",
                _ => continue,
            };
            overrides.push((key.to_owned(), value));
        }
        Ok(self.drivers.get_or_init(|| overrides))
    }

    fn run<S: AsRef<OsStr>>(
        &self,
        args: &[S],
        drivers: &[(String, &'static str)],
    ) -> Result<Finished, GitError> {
        Ok(bounded_process::run(&mut self.command(args, drivers), self.deadline)?)
    }

    fn command<S: AsRef<OsStr>>(&self, args: &[S], drivers: &[(String, &'static str)]) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("-C").arg(&self.folder).arg("--no-pager");
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"GIT_") {
                command.env_remove(name);
            }
        }
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        if let Some(own) = &self.own {
            command.env("GIT_DIR", &own.git_dir);
            let places = [("GIT_WORK_TREE", &own.work_tree), ("GIT_INDEX_FILE", &own.index)];
            command.envs(places.into_iter().filter_map(|(name, place)| Some((name, place.as_ref()?))));
            command.envs(OUR_IDENTITY.iter().copied());
            command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        }
        // Counted pairs, not `-c`: a key with `=` in a driver's name cannot be overridden by `-c`.
        let pairs = OVERRIDES
            .iter()
            .map(|(key, value)| (OsString::from(key), *value))
            .chain(drivers.iter().map(|(key, value)| (OsString::from(key), *value)));
        let mut count = 0;
        for (key, value) in pairs {
            command
                .env(format!("GIT_CONFIG_KEY_{count}"), key)
                .env(format!("GIT_CONFIG_VALUE_{count}"), value);
            count += 1;
        }
        command
            .env("GIT_CONFIG_COUNT", count.to_string())
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("LC_ALL", "C");
        let (asked, rest) = args.split_at(args.len().min(1));
        command.args(asked);
        if asked.iter().any(|asked| COMPARING.iter().any(|comparing| asked.as_ref() == *comparing)) {
            command.arg(ONLY_COMMITS);
        }
        debug_assert!(
            !rest.iter().any(|arg| looks_into_submodules(arg.as_ref())),
            "what comes later would hold instead"
        );
        command.args(rest);
        command
    }
}

/// Whether an argument lets git read the work trees of submodules.
fn looks_into_submodules(arg: &OsStr) -> bool {
    ["--ignore-submodules=none", "--ignore-submodules=untracked"].iter().any(|looking| arg == *looking)
}

fn refused<S: AsRef<OsStr>>(args: &[S], finished: &Finished) -> GitError {
    let call = args.first().map(|arg| arg.as_ref().to_string_lossy().into_owned()).unwrap_or_default();
    let line = finished.stderr.lines().find(|line| !line.trim().is_empty());
    let complaint = line.map_or_else(|| finished.status.to_string(), |line| line.trim().to_owned());
    GitError::Refused { call, complaint }
}
