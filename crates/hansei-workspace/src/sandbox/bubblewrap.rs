//! The walls, as arguments of bubblewrap.

use std::process::Command;

use super::{Refusal, Request};

/// The command that runs the request inside.
pub(super) fn command(request: &Request) -> Result<Command, Refusal> {
    let mut command = Command::new("bwrap");
    command
        .args([
            "--unshare-user",
            "--unshare-all",
            "--disable-userns",
            "--cap-drop",
            "ALL",
            "--die-with-parent",
            "--new-session",
        ])
        .args(["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind"])
        .arg(&request.workspace)
        .arg(&request.workspace)
        .arg("--chdir")
        .arg(request.workspace.join(&request.folder))
        .arg("--")
        .args(&request.command)
        .envs(request.variables.iter().map(|(name, value)| (name, value)));
    Ok(command)
}
