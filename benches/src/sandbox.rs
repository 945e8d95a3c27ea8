//! What it costs to start a command behind walls: `hansei sandbox -- true` against bubblewrap alone, with the same
//! namespaces and no other walls than a read-only root and a workspace; and what a call of an agent's shell costs, where
//! one sandbox stays for all of them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, ensure};
use hansei_workspace::sandbox::{self, Ahead, How, Request};

use crate::timing::{Subject, compare};

const ROUNDS: usize = 60;

/// Calls of a shell in a row.
const CALLS: u32 = 50;

const NAMESPACES: &[&str] = &[
    "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
    "--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL", "--new-session", "--die-with-parent",
];

/// Measures it in a throw-away workspace.
pub fn start(hansei: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let workspace = folder.path().canonicalize()?;
    run(Command::new("git").args(["init", "--quiet"]).current_dir(&workspace))?;
    let place = workspace.to_str().context("a path of plain text")?;
    let bwrap = || {
        let mut command = Command::new("bwrap");
        command.args(NAMESPACES).args(["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]);
        command.args(["--tmpfs", "/tmp", "--bind", place, place, "--chdir", place]);
        command
    };
    let sandbox = || {
        let mut command = Command::new(hansei);
        command.args(["sandbox", "--workspace", place, "--"]);
        command
    };
    let mut subjects = [
        Subject::new("bwrap, read-only root, one workspace", || run(bwrap().arg("true"))),
        Subject::new("hansei sandbox -- true", || run(sandbox().arg("true"))),
        Subject::new("hansei --version", || run(Command::new(hansei).arg("--version"))),
    ];
    compare("a command in the sandbox, from its start to its end", ROUNDS, &mut subjects)?;
    until_it_speaks(&[("bwrap", &bwrap), ("hansei sandbox", &sandbox)])?;
    for thinking in [0, 20] {
        calls(&workspace, Duration::from_millis(thinking))?;
    }
    Ok(())
}

/// How long it takes until a shell inside executes its first word: the start alone, without the end.
fn until_it_speaks(subjects: &[(&str, &dyn Fn() -> Command)]) -> Result<()> {
    let mut times = vec![Vec::new(); subjects.len()];
    for _ in 0..ROUNDS {
        for ((_, command), times) in subjects.iter().zip(&mut times) {
            let start = SystemTime::now().duration_since(UNIX_EPOCH)?;
            let said = command().args(["bash", "-c", "echo $EPOCHREALTIME"]).output()?.stdout;
            let spoke: f64 = String::from_utf8(said)?.trim().parse().context("bash told no time")?;
            times.push(spoke - start.as_secs_f64());
        }
    }
    println!("the same, until a shell inside executes its first word");
    let mut reference = None;
    for ((name, _), times) in subjects.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        let ratio = median / *reference.get_or_insert(median);
        println!("  {name:<52}{:>9.2} ms {ratio:>7.2} x", median * 1e3);
    }
    Ok(())
}

/// What a shell call costs, of many in a row, with a pause of `thinking` before each.
fn calls(workspace: &Path, thinking: Duration) -> Result<()> {
    println!("a shell call of `echo k`, {CALLS} in a row, {} ms apart", thinking.as_millis());
    let mut request = Request::new(workspace.to_owned(), ["bash", "-c", "echo k"].map(Into::into).into());
    request.limits.time = Duration::from_mins(1);
    let in_sandbox = |ended: sandbox::Ended| {
        ensure!(ended.how == How::Exited(0) && ended.output.text() == "k\n", "{ended:?}");
        Ok(())
    };
    let ahead = Ahead::default();
    in_sandbox(ahead.run(&request)?)?;
    let bare = each(thinking, || run(Command::new("bash").args(["-c", "echo k"])))?;
    let rows = [
        ("bash -c 'echo k', no sandbox", bare),
        ("sandbox::run", each(thinking, || in_sandbox(sandbox::run(&request)?))?),
        ("in a sandbox that stays", each(thinking, || in_sandbox(ahead.run(&request)?))?),
    ];
    for (name, cost) in rows {
        println!("  {name:<52}{:>9.2} ms {:>7.2} x", cost * 1e3, cost / bare);
    }
    Ok(())
}

/// The mean cost of a call, without the thinking: what is put off to the next call is paid there.
fn each(thinking: Duration, mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut spent = Duration::ZERO;
    for _ in 0..CALLS {
        std::thread::sleep(thinking);
        let start = Instant::now();
        call()?;
        spent += start.elapsed();
    }
    Ok((spent / CALLS).as_secs_f64())
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.stdout(Stdio::null()).status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}
