//! Reading sessions: folding a large one of each agent and looking back on many of all, against parsing the same records
//! (lines, or rows of a database) into `serde_json::Value`.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use hansei_generated_sessions::random::Random;
use hansei_generated_sessions::story::{Truth, story};
use hansei_generated_sessions::{AGENTS, Plan, each_record, write, write_one};

use crate::timing::{Subject, compare};

const MEGABYTE: u64 = 1024 * 1024;
const SEED: u64 = 11;

/// 500 sessions of all agents with 500 MB in all, and one of 200 MB of each.
pub fn all(hansei: &Path) -> Result<()> {
    judged(hansei)?;
    many(hansei)?;
    for agent in AGENTS {
        large(hansei, agent)?;
    }
    Ok(())
}

/// A stop on a transcript of 5 MB, read, folded, weighed and judged: at most 1.5 times the parsing.
pub fn judged(hansei: &Path) -> Result<()> {
    let write = |home: &Path, text: usize| {
        let mut random = Random::new(SEED);
        let story = story(&mut random, Truth::Verified, text);
        write_one(home, "claude-code", &story, &mut random, 0)
    };
    let sample = tempfile::tempdir()?;
    write(sample.path(), 500_000)?;
    let home = tempfile::tempdir()?;
    let id = write(home.path(), text_for(5 * MEGABYTE, 500_000, bytes(sample.path())?))?;
    let title = format!("judging a stop on {} KB (limit 1.5 x)", bytes(home.path())? / 1024);
    let review = ["review", &id, "--json"];
    compare(
        &title,
        11,
        &mut [
            Subject::new("parsing its lines into serde_json::Value", || parse(home.path())),
            Subject::new("hansei review", || reviewed(hansei, home.path(), &review)),
        ],
    )
}

/// Runs a review, whose exit code is its answer.
fn reviewed(hansei: &Path, home: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new(hansei)
        .args(arguments)
        .env_clear()
        .env("HOME", home)
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()?;
    ensure!(matches!(status.code(), Some(0 | 1)), "hansei review failed");
    Ok(())
}

/// A session of 200 MB, folded: at most 1.5 times the parsing, in less than 150 MB.
fn large(hansei: &Path, agent: &str) -> Result<()> {
    let write = |home: &Path, text: usize| {
        let mut random = Random::new(SEED);
        let story = story(&mut random, Truth::Verified, text);
        write_one(home, agent, &story, &mut random, 0)
    };
    let sample = tempfile::tempdir()?;
    write(sample.path(), 1_000_000)?;
    let home = tempfile::tempdir()?;
    let id = write(home.path(), text_for(210 * MEGABYTE, 1_000_000, bytes(sample.path())?))?;
    let title = format!("{agent}: showing a session of {} MB (limit 1.5 x)", bytes(home.path())? / MEGABYTE);
    let shown = ["show", "--session", &id];
    compare(
        &title,
        3,
        &mut [
            Subject::new("parsing its records into serde_json::Value", || parse(home.path())),
            Subject::new("hansei show --session", || run(hansei, home.path(), &shown).map(|_| ())),
        ],
    )?;
    println!("  peak memory {} MB (limit 150 MB)", run(hansei, home.path(), &shown)? / 1024);
    Ok(())
}

/// 500 sessions of five agents, 500 MB in all: at most 3 times the parsing.
fn many(hansei: &Path) -> Result<()> {
    let sample = tempfile::tempdir()?;
    write(sample.path(), Plan { seed: SEED, sessions: 50, bytes: 500_000 })?;
    let each = text_for(MEGABYTE, 500_000, bytes(sample.path())? / 50);
    let home = tempfile::tempdir()?;
    write(home.path(), Plan { seed: SEED, sessions: 500, bytes: each })?;
    let title = format!("looking back on 500 sessions, {} MB (limit 3 x)", bytes(home.path())? / MEGABYTE);
    let arguments = ["lookback", "--since", "20000d"];
    compare(
        &title,
        3,
        &mut [
            Subject::new("parsing their records into serde_json::Value", || parse(home.path())),
            Subject::new("hansei lookback", || run(hansei, home.path(), &arguments).map(|_| ())),
        ],
    )?;
    println!("  peak memory {} MB", run(hansei, home.path(), &arguments)? / 1024);
    Ok(())
}

/// How much text makes `wanted` bytes of records, when `text` made `made`.
fn text_for(wanted: u64, text: u64, made: u64) -> usize {
    usize::try_from(wanted * text / made.max(1)).unwrap_or_default()
}

fn bytes(home: &Path) -> Result<u64> {
    Ok(each_record(home, &mut |_| ())?)
}

fn parse(home: &Path) -> Result<()> {
    let mut broken = 0;
    each_record(home, &mut |record| {
        broken += usize::from(black_box(serde_json::from_slice::<serde_json::Value>(record)).is_err());
    })?;
    ensure!(broken == 0, "{broken} records are no JSON");
    Ok(())
}

/// Runs a command of ours and gives its peak memory in kilobytes.
fn run(hansei: &Path, home: &Path, arguments: &[&str]) -> Result<u64> {
    let mut child = Command::new(hansei)
        .args(arguments)
        .env("HOME", home)
        .env_remove("CLAUDE_CONFIG_DIR")
        .env_remove("CODEX_HOME")
        .env_remove("XDG_DATA_HOME")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "hansei {arguments:?} failed");
            return Ok(peak);
        }
        let now = std::fs::read_to_string(&status).unwrap_or_default();
        let high =
            now.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        peak = peak.max(high.unwrap_or_default());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}
