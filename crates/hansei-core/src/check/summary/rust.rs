//! Cargo: the test harness, nextest, and the compiler behind them.

use super::Tally;
use super::numbers::before;

/// `test result: ok. 5 passed; 0 failed; 1 ignored; …`
pub(super) fn libtest(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let line = line.trim_start();
        if let Some(result) = line.strip_prefix("test result: ") {
            let count = |label| before(result, label).unwrap_or(0);
            tally.add(count(" passed"), count(" failed"), count(" ignored"));
        } else if let Some(name) =
            line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
        {
            tally.name(name);
        } else if line.starts_with("error: test failed, to rerun pass")
            || line.starts_with("error: doctest failed")
            || (line.starts_with("error: ") && line.ends_with("targets failed:"))
        {
            tally.broken = true;
        }
    }
}

/// `Summary [ 1.2s] 120 tests run: 118 passed, 2 failed, 3 skipped`
pub(super) fn nextest(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let line = line.trim_start();
        if line.starts_with("Summary [") {
            let count = |label| before(line, label).unwrap_or(0);
            let failed = count(" failed") + count(" timed out") + count(" exec failed");
            tally.add(count(" passed"), failed, count(" skipped"));
        } else if ["FAIL [", "TIMEOUT [", "SIGABRT [", "SIGSEGV ["].iter().any(|sign| line.starts_with(sign))
        {
            tally.name(line.split_once(']').map_or("", |(_, name)| name));
        } else if line.starts_with("error: test run failed") {
            tally.broken = true;
        } else if line.starts_with("error: no tests to run") {
            tally.nothing = true;
        }
    }
}

/// The compiler gave up, or Cargo could not start.
pub(super) fn could_not_compile(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if !line.starts_with("error") {
            continue;
        }
        if line.starts_with("error[") || line.starts_with("error:") {
            tally.complaints += 1;
        }
        let gave_up = [
            "error: could not compile",
            "error: aborting due to",
            "error: no such command",
            "error: no test target named",
            "error: no bin target named",
            "error: failed to parse manifest",
            "error: could not find `Cargo.toml`",
            "error: package ID specification",
            "error: failed to select a version",
            "error: failed to run custom build command",
            "error: linking with",
            "error: failed to load manifest",
        ];
        if gave_up.iter().any(|sign| line.starts_with(sign)) {
            tally.broken = true;
        }
    }
}

/// A build that came to its end.
pub(super) fn finished(lines: &[&str], tally: &mut Tally) {
    if lines.iter().any(|line| {
        line.trim_start().starts_with("Finished `")
            || line.trim_start().starts_with("Finished dev")
            || line.trim_start().starts_with("Finished release")
    }) {
        tally.fine = true;
    }
}

/// `Diff in src/main.rs:12:`
pub(super) fn formatting(lines: &[&str], tally: &mut Tally) {
    let count = lines.iter().filter(|line| line.starts_with("Diff in ") || line.starts_with("error")).count();
    tally.complaints += count as u64;
}
