//! `cargo run --release -p hansei-bench`: what Hansei costs, as ratios against named references measured in the same
//! run (with `-- redact`, `-- index`, `-- judge`, `-- run`, `-- sandbox`, `-- talk` or `-- transcripts`, only what those cost; with `-- history --repo DIR`,
//! what that repository's history costs). Figures are medians of interleaved runs, so that a busy moment of the machine
//! hits both sides.

mod history;
mod hook;
mod index;
mod redact;
mod repository;
mod run;
mod sandbox;
mod talk;
mod timing;
mod transcript;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

fn main() -> Result<()> {
    if std::env::args().nth(1).as_deref() == Some("redact") {
        return redact::clean_text();
    }
    if std::env::args().nth(1).as_deref() == Some("index") {
        return index::build();
    }
    if std::env::args().nth(1).as_deref() == Some("talk") {
        return talk::calls();
    }
    if std::env::args().nth(1).as_deref() == Some("bare-loop") {
        return run::bare_loop();
    }
    let hansei = build()?;
    if std::env::args().nth(1).as_deref() == Some("history") {
        return history::of_repository(&hansei);
    }
    if std::env::args().nth(1).as_deref() == Some("run") {
        return run::steps(&hansei);
    }
    if std::env::args().nth(1).as_deref() == Some("sandbox") {
        return sandbox::start(&hansei);
    }
    if std::env::args().nth(1).as_deref() == Some("judge") {
        return transcript::judged(&hansei);
    }
    if std::env::args().nth(1).as_deref() == Some("transcripts") {
        return transcript::all(&hansei);
    }
    hook::no_op(&hansei)?;
    for files in [200, 5_000, 50_000] {
        hook::capture(&hansei, files)?;
    }
    redact::clean_text()?;
    index::build()?;
    talk::calls()?;
    sandbox::start(&hansei)?;
    run::steps(&hansei)?;
    transcript::all(&hansei)
}

/// Builds the program that is measured: the release build, as users run it. `--hansei PROGRAM` names one that is built.
fn build() -> Result<PathBuf> {
    if let Some(program) = argument("--hansei") {
        return PathBuf::from(program).canonicalize().context("--hansei names no program");
    }
    let built =
        Command::new(env!("CARGO")).args(["build", "--release", "--quiet", "-p", "hansei"]).status()?;
    ensure!(built.success(), "hansei does not build");
    let bench = std::env::current_exe()?;
    let hansei = bench.with_file_name("hansei");
    ensure!(hansei.is_file(), "{} is missing", hansei.display());
    hansei.canonicalize().context("the built program")
}

/// What follows `name` on the command line.
fn argument(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.next().and_then(|_| arguments.next())
}
