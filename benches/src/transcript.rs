//! Reading sessions: folding a large transcript and looking back on many, against parsing the same lines into
//! `serde_json::Value`.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use crate::timing::{Subject, compare};

const MEGABYTE: usize = 1024 * 1024;

/// A transcript of 200 MB, folded.
pub fn large(hansei: &Path) -> Result<()> {
    let home = tempfile::tempdir()?;
    let file = session(home.path(), "large", 200 * MEGABYTE)?;
    compare(
        "showing a session of 200 MB",
        3,
        &mut [
            Subject::new("parsing its lines into serde_json::Value", || parse(&file)),
            Subject::new("hansei show --session", || {
                show(hansei, home.path(), &["show", "--session", "large"]).map(|_| ())
            }),
        ],
    )?;
    let peak = show(hansei, home.path(), &["show", "--session", "large"])?;
    println!("  peak memory {} MB", peak / 1024);
    Ok(())
}

/// 500 sessions of 1 MB each.
pub fn many(hansei: &Path) -> Result<()> {
    let home = tempfile::tempdir()?;
    let files: Vec<PathBuf> = (0..500)
        .map(|number| session(home.path(), &format!("s{number}"), MEGABYTE))
        .collect::<Result<_>>()?;
    compare(
        "looking back on 500 sessions of 1 MB",
        3,
        &mut [
            Subject::new("parsing their lines into serde_json::Value", || {
                files.iter().try_for_each(|file| parse(file))
            }),
            Subject::new("hansei lookback", || show(hansei, home.path(), &["lookback"]).map(|_| ())),
        ],
    )
}

fn parse(file: &Path) -> Result<()> {
    let mut input = BufReader::with_capacity(256 * 1024, File::open(file)?);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        black_box(serde_json::from_slice::<serde_json::Value>(&line)?);
        line.clear();
    }
    Ok(())
}

/// Runs a command of ours and gives its peak memory in kilobytes.
fn show(hansei: &Path, home: &Path, arguments: &[&str]) -> Result<u64> {
    let mut child = Command::new(hansei)
        .args(arguments)
        .env("HOME", home)
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

/// A session of Claude Code of at least `size` bytes: requests, edits, checks with long outputs, words.
fn session(home: &Path, name: &str, size: usize) -> Result<PathBuf> {
    let folder = home.join(".claude/projects/bench");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{name}.jsonl"));
    let mut output = BufWriter::new(File::create(&file)?);
    let sample = include_str!("../../crates/hansei/samples/sample-honest.jsonl");
    let mut written = 0;
    let mut round = 0;
    while written < size {
        let filler: Vec<String> =
            (0..60).map(|line| format!("test module::case_{round}_{line} ... ok\\n")).collect();
        let filler = filler.concat();
        // The ids of calls and messages change from round to round.
        let text = (1..9).fold(sample.to_owned(), |text, number| {
            text.replace(&format!("\"t{number}\""), &format!("\"t{number}-{round}\""))
                .replace(&format!("\"m{number}\""), &format!("\"m{number}-{round}\""))
        });
        let text = text.replace("running 12 tests\\n", &format!("running 60 tests\\n{filler}"));
        output.write_all(text.as_bytes())?;
        written += text.len();
        round += 1;
    }
    output.flush()?;
    Ok(file)
}
