//! A process that is timed, or watched for the memory that it and its children take.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

/// How often a process is looked at. The kernel keeps the highest mark, so only growth right before an end is missed.
const GLANCE: Duration = Duration::from_millis(3);

/// What a process took.
pub struct Ended {
    pub time: Duration,
    /// The most memory that one process of the tree had, in bytes; 0 where it was only timed.
    pub peak: u64,
    pub is_success: bool,
}

/// From its start to its end, with nobody looking.
pub fn timed(command: &mut Command) -> io::Result<Ended> {
    let start = Instant::now();
    let status = command.spawn()?.wait()?;
    Ok(Ended { time: start.elapsed(), peak: 0, is_success: status.success() })
}

/// The same, looked at again and again, which takes time of its own.
pub fn watched(command: &mut Command) -> io::Result<Ended> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut peak = 0;
    loop {
        peak = peak.max(highest(child.id()));
        if let Some(status) = child.try_wait()? {
            return Ok(Ended { time: start.elapsed(), peak, is_success: status.success() });
        }
        std::thread::sleep(GLANCE);
    }
}

/// The highest mark of memory among `root` and everybody whom it started.
fn highest(root: u32) -> u64 {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if let Some(parent) = parent(id) {
            children.entry(parent).or_default().push(id);
        }
    }
    let mut found = vec![root];
    let mut peak = 0;
    while let Some(id) = found.pop() {
        peak = peak.max(high_mark(id).unwrap_or_default());
        found.extend(children.remove(&id).unwrap_or_default());
    }
    peak
}

fn parent(id: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in parentheses may hold anything.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

fn high_mark(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
