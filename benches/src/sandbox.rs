//! What it costs to start a command behind walls: `hansei sandbox -- true` against bubblewrap alone, with the same
//! namespaces and no other walls than a read-only root and a workspace.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use crate::timing::{Subject, compare};

const ROUNDS: usize = 60;

const NAMESPACES: &[&str] = &[
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--disable-userns",
    "--cap-drop",
    "ALL",
    "--new-session",
    "--die-with-parent",
];

/// Measures it in a throw-away workspace.
pub fn start(hansei: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let workspace = folder.path().canonicalize()?;
    run(Command::new("git").args(["init", "--quiet"]).current_dir(&workspace))?;
    let place = workspace.to_str().context("a path of plain text")?;
    let mut subjects = [
        Subject::new("bwrap, read-only root, one workspace", || {
            let mut command = Command::new("bwrap");
            command.args(NAMESPACES).args(["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]);
            command.args(["--tmpfs", "/tmp", "--bind", place, place, "--chdir", place, "true"]);
            run(&mut command)
        }),
        Subject::new("hansei sandbox -- true", || {
            run(Command::new(hansei).args(["sandbox", "--workspace", place, "--", "true"]))
        }),
        Subject::new("hansei --version", || run(Command::new(hansei).arg("--version"))),
    ];
    compare("starting a command in the sandbox", ROUNDS, &mut subjects)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.stdout(Stdio::null()).status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}
