//! Limits without control groups: counts what a command's processes use, and says when it is too much.
//!
//! Slower than the kernel by one look, so a bomb is bounded rather than prevented. Whoever asks then ends the process
//! namespace, and with it everybody in it.

use std::fs;
use std::time::{Duration, Instant};

use super::{How, Limits};

/// How often it looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Watches the processes below one.
#[derive(Debug)]
pub(super) struct Supervisor {
    first: u32,
    limits: Limits,
    next: Instant,
}

impl Supervisor {
    /// Watches `first` and everybody below it.
    pub(super) fn new(first: u32, limits: Limits) -> Self {
        Self { first, limits, next: Instant::now() }
    }

    /// Looks, if it is time to: what was exceeded.
    pub(super) fn look(&mut self) -> Option<How> {
        if Instant::now() < self.next {
            return None;
        }
        self.next = Instant::now() + PAUSE;
        let family = family(self.first);
        let (mut threads, mut memory) = (0, 0);
        for process in &family {
            let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
            threads += field(&status, "Threads:");
            memory += field(&status, "VmRSS:") * 1024;
        }
        if threads > u64::from(self.limits.processes) {
            return Some(How::TooManyProcesses);
        }
        // What several share was counted for each of them: exact figures cost more, so they are asked for last.
        (memory > self.limits.memory && shared_fairly(&family) > self.limits.memory)
            .then_some(How::OutOfMemory)
    }
}

/// A process and all below it. Whoever loses a parent is adopted by the namespace's first process, so nobody is missed.
fn family(first: u32) -> Vec<u32> {
    let mut family = vec![first];
    let mut place = 0;
    while let Some(process) = family.get(place).copied() {
        for task in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            family.extend(children.split_whitespace().filter_map(|word| word.parse::<u32>().ok()));
        }
        place += 1;
    }
    family
}

fn shared_fairly(family: &[u32]) -> u64 {
    let share = |process: &u32| {
        let sums = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
        field(&sums, "Pss:") * 1024
    };
    family.iter().map(share).sum()
}

fn field(text: &str, name: &str) -> u64 {
    let value = text.lines().find_map(|line| line.strip_prefix(name));
    value.and_then(|value| value.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
