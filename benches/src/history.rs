//! A long history: what `hansei experiment git-history` costs, and the walker in it alone, against `git log --numstat`
//! of the same commits. `-- history --repo DIR [--rounds N]`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use hansei_workspace::git::Git;
use hansei_workspace::history::{self, Walk};

use crate::argument;

const PATIENCE: Duration = Duration::from_hours(6);

/// Measures the repository that the arguments name, with the program `hansei`.
pub fn of_repository(hansei: &Path) -> Result<()> {
    let repo = PathBuf::from(argument("--repo").context("--repo DIR names the repository")?);
    let rounds: u32 = argument("--rounds").map_or(Ok(1), |rounds| rounds.parse())?;
    let git = Git::new(&repo, Instant::now() + PATIENCE)?;
    let commits = history::list(&git, &Walk::default())?.len();
    println!("{commits} commits");
    let mut sums = [Duration::ZERO; 3];
    for _ in 0..rounds {
        for (place, sum) in sums.iter_mut().enumerate() {
            let start = Instant::now();
            match place {
                0 => numstat(&repo)?,
                1 => {
                    let walked = history::walk(&git, &Walk::default(), |commit| {
                        std::hint::black_box(commit);
                        ControlFlow::Continue(())
                    })?;
                    ensure!(walked.commits == commits as u64, "{walked:?}");
                }
                _ => experiment(hansei, &repo)?,
            }
            *sum += start.elapsed();
        }
    }
    let names = ["git log --numstat HEAD", "the walker", "hansei experiment git-history --since all"];
    for (name, sum) in names.into_iter().zip(sums) {
        let ratio = sum.as_secs_f64() / sums[0].as_secs_f64();
        println!("  {name:<52}{:>9.2} s {ratio:>7.2} x", sum.as_secs_f64() / f64::from(rounds));
    }
    Ok(())
}

fn numstat(repo: &Path) -> Result<()> {
    let mut command = Command::new("git");
    command.arg("-C").arg(repo).args(["--no-pager", "log", "--numstat", "HEAD"]).stdout(Stdio::null());
    let told = command.env("GIT_NO_LAZY_FETCH", "1").status()?;
    ensure!(told.success(), "git log --numstat cannot tell this history: is it a partial clone?");
    Ok(())
}

fn experiment(hansei: &Path, repo: &Path) -> Result<()> {
    let mut command = Command::new(hansei);
    command.args(["experiment", "git-history", "--since", "all", "--format", "json", "--repo"]).arg(repo);
    let code = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?.code();
    ensure!(matches!(code, Some(0 | 1)), "the experiment ended with {code:?}");
    Ok(())
}
