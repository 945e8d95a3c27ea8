//! Generated repositories to measure in.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

/// Fills `root` with a repository of `files` committed files in folders of a hundred, and then a change as an agent
/// leaves it: five files edited, two new, one staged.
pub fn generate(root: &Path, files: usize) -> Result<()> {
    for number in 0..files {
        let folder = root.join(format!("src/part{:03}", number / 100));
        if number % 100 == 0 {
            fs::create_dir_all(&folder)?;
        }
        fs::write(folder.join(format!("file{number:05}.rs")), format!("pub const N: usize = {number};\n"))?;
    }
    git(root, &["init", "--quiet", "--initial-branch=main"])?;
    git(root, &["add", "."])?;
    git(root, &["commit", "--quiet", "-m", "Start"])?;
    for number in [0, 7, 19, 42, 99] {
        fs::write(root.join(format!("src/part000/file{number:05}.rs")), "pub const EDITED: bool = true;\n")?;
    }
    fs::write(root.join("src/part000/new.rs"), "new\n")?;
    fs::write(root.join("notes.md"), "new\n")?;
    fs::write(root.join("src/part001/file00101.rs"), "staged\n")?;
    git(root, &["add", "src/part001/file00101.rs"])?;
    // Let the index become older than the files' time stamps, as in a repository that was not made this second.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    git(root, &["status", "--short"])
}

/// Runs git in `root`, quietly.
pub fn git(root: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("git")
        .current_dir(root)
        .args(["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid", "-c", "gc.auto=0"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()?;
    ensure!(status.success(), "git {arguments:?} failed");
    Ok(())
}
