//! Runs one planned command in one tree.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hansei_core::verification::{End, Judged, PlannedCheck, Status, judge};
use hansei_workspace::program;
use hansei_workspace::sandbox::{self, Confinement, How, Refusal};

/// Variables that make runners speak plainly and leave nothing behind in the tree.
const VARIABLES: &[(&str, &str)] = &[
    ("CI", "true"),
    ("NO_COLOR", "1"),
    ("FORCE_COLOR", "0"),
    ("TERM", "dumb"),
    ("CARGO_TERM_COLOR", "never"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTEST_ADDOPTS", "-p no:cacheprovider"),
    ("RUFF_NO_CACHE", "true"),
    ("RUFF_OUTPUT_FORMAT", "concise"),
    ("GOTOOLCHAIN", "local"),
    ("NPM_CONFIG_UPDATE_NOTIFIER", "false"),
    ("NPM_CONFIG_AUDIT", "false"),
    ("NPM_CONFIG_FUND", "false"),
];

/// There is no network in the sandbox: whoever knows that says at once what is missing.
const WITHOUT_NETWORK: &[(&str, &str)] = &[("CARGO_NET_OFFLINE", "true"), ("GOPROXY", "off")];

/// Where the sandbox's own temporary folder is.
const BUILD_INSIDE: &str = "/tmp/hansei-build";

/// A tree, and how commands run in it.
pub(super) struct Runner<'a> {
    pub(super) root: &'a Path,
    pub(super) readable: &'a [PathBuf],
    pub(super) sandbox: &'a sandbox::Request,
}

/// What one run left.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) judged: Judged,
    pub(super) output: String,
    pub(super) took: Duration,
}

impl Ran {
    /// Nothing was run.
    pub(super) fn without(judged: Judged) -> Self {
        Self { judged, output: String::new(), took: Duration::ZERO }
    }
}

impl Runner<'_> {
    /// Whether a program can be found for a check in `folder`.
    pub(super) fn has(&self, program: &str, folder: &str) -> bool {
        program::is_there(program, &self.search_path(folder))
    }

    /// The programs of a virtual environment come before those of the user, as if it were activated.
    fn search_path(&self, folder: &str) -> OsString {
        let own = [self.root.join(folder), self.root.to_owned()]
            .into_iter()
            .flat_map(|folder| [folder.join(".venv/bin"), folder.join("venv/bin")])
            .filter(|folder| folder.is_dir());
        let users = std::env::var_os("PATH").unwrap_or_default();
        let all: Vec<PathBuf> = own.chain(std::env::split_paths(&users)).collect();
        std::env::join_paths(all).unwrap_or(users)
    }

    /// Runs the line and judges it.
    pub(super) fn run(&self, check: &PlannedCheck, line: &str) -> Result<Ran, Refusal> {
        if !self.root.join(&check.folder).is_dir() {
            return Ok(Ran::without(Judged::without_run(Status::Unknown, "its folder is not there")));
        }
        let is_bare = self.sandbox.confinement == Confinement::Bare;
        let build = is_bare.then(tempfile::tempdir).transpose();
        let build =
            build.map_err(|source| Refusal::Failed { program: "a build folder".to_owned(), source })?;
        let mut request = self.sandbox.clone();
        self.root.clone_into(&mut request.workspace);
        request.folder = PathBuf::from(&check.folder);
        request.command = ["/bin/sh", "-c", line].map(OsString::from).to_vec();
        request.readable.extend(self.readable.iter().cloned());
        let pair = |(name, value): &(&str, &str)| (OsString::from(name), OsString::from(value));
        request.variables.extend(VARIABLES.iter().map(pair));
        if !is_bare {
            request.variables.extend(WITHOUT_NETWORK.iter().map(pair));
        }
        request.variables.push(("PATH".into(), self.search_path(&check.folder)));
        let place = build.as_ref().map_or(BUILD_INSIDE.into(), |folder| folder.path().as_os_str().to_owned());
        request.variables.push(("HANSEI_BUILD".into(), place));
        let ended = sandbox::run(&request)?;
        // The same failure has the same name wherever the tree lies.
        let output = ended.output.text().replace(&format!("{}/", self.root.display()), "");
        let limits = &request.limits;
        let end = match ended.how {
            How::Exited(code) => End::Exited(code),
            How::Signalled(signal) => End::Signalled(signal),
            How::TimedOut => {
                End::Limit(format!("its time of {} s was over (--timeout)", limits.time.as_secs()))
            }
            How::OutOfMemory => {
                End::Limit(format!("it wanted more than {} MiB of memory", limits.memory >> 20))
            }
            How::TooManyProcesses => {
                End::Limit(format!("it wanted more than {} processes", limits.processes))
            }
        };
        let mut judged = judge(check, line, &end, &output);
        if judged.status == Status::Failed && !is_bare && sandbox::wanted_network(&output) {
            judged.why.push_str("; it wanted the network, which is not there in the sandbox");
        }
        Ok(Ran { judged, output, took: ended.took })
    }
}
