//! The hook: what a turn of every agent pays.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use crate::repository::{generate, git};
use crate::timing::{Subject, compare};

/// A hook that is off, against starting a program that does nothing.
pub fn no_op(hansei: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let payload = payload(folder.path(), folder.path())?;
    let run = |command: &mut Command| run(command, &payload);
    compare(
        "hook in mode off",
        400,
        &mut [
            Subject::new("/bin/true", || run(&mut Command::new("/bin/true"))),
            Subject::new("hansei hook claude-code stop", || {
                run(Command::new(hansei).args(["hook", "claude-code", "stop"]).env_remove("REFLECTION_MODE"))
            }),
        ],
    )
}

/// A full capture, against the two git commands that any capture has to ask, and against a script that does the same.
pub fn capture(hansei: &Path, files: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().join("repository");
    std::fs::create_dir(&root)?;
    generate(&root, files)?;
    let payload = payload(folder.path(), &root)?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference-capture.sh");
    let out = folder.path().join("out");
    let hook = |event: &str| {
        run(
            Command::new(hansei)
                .args(["hook", "claude-code", event, "--mode", "orchestrated"])
                .env("REFLECTION_DIR", &out),
            &payload,
        )
    };
    hook("session-start")?;
    compare(
        &format!("capture in a repository of {files} files"),
        if files > 10_000 { 15 } else { 60 },
        &mut [
            Subject::new("git status -uall + git diff --numstat", || {
                git(&root, &["status", "--porcelain=v2", "-z", "-uall"])?;
                git(&root, &["diff", "--numstat", "-z", "HEAD"])
            }),
            Subject::new("hansei hook claude-code stop", || hook("stop")),
            Subject::new("the same capture in bash and node", || {
                run(
                    Command::new("bash").arg(&script).env("REFLECTION_DIR", &out).current_dir(&root),
                    &payload,
                )
            }),
        ],
    )?;
    let captured = std::fs::read_dir(&out)?.count();
    ensure!(captured > 0, "nothing was captured");
    Ok(())
}

fn payload(folder: &Path, cwd: &Path) -> Result<std::path::PathBuf> {
    let file = folder.join("payload.json");
    let text = format!(r#"{{"session_id":"bench","cwd":"{}","hook_event_name":"Stop"}}"#, cwd.display());
    std::fs::write(&file, text)?;
    Ok(file)
}

fn run(command: &mut Command, payload: &Path) -> Result<()> {
    let status = command.stdin(File::open(payload)?).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
