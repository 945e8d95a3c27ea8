//! Runners of tasks: what npm, yarn, pnpm, just and their like say when a task fails, and Bazel.

use super::Tally;
use super::numbers::before;

/// The runner's own word about a task that failed.
pub(super) fn failed_task(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start();
        tally.broken |= text.starts_with("npm ERR! code ")
            || text.starts_with("npm error code ")
            || text.starts_with("npm ERR! Test failed")
            || text.starts_with("npm ERR! Missing script")
            || text.starts_with("npm error Missing script")
            || text.starts_with("npm error Lifecycle script")
            || text.starts_with("error Command failed with exit code")
            || text.starts_with("ELIFECYCLE")
            || text.starts_with("ERR_PNPM_")
            || text.starts_with("error: script \"") && text.contains("exited with code")
            || text.starts_with("error: Recipe `") && text.contains("failed")
            || text.starts_with("task: Failed to run task")
            || text.starts_with("rake aborted!")
            || text.starts_with("BUILD FAILED")
            || text.starts_with("NX   Running target") && text.contains("failed")
            || text.starts_with("Failed:    ") && text.contains('#');
    }
}

/// `Executed 3 out of 10 tests: 9 tests pass and 1 fails locally.`
pub(super) fn bazel(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.starts_with("Executed ") && line.contains(" out of ") {
            let all = before(&line.replace(':', " "), " test").unwrap_or(0);
            let failed = before(line, " fails").or_else(|| before(line, " fail ")).unwrap_or(0);
            tally.add(all.saturating_sub(failed), failed, 0);
        } else if line.starts_with("//") && line.contains(" FAILED") {
            tally.name(line.split(' ').next().unwrap_or(line));
        }
        tally.broken |= line.starts_with("ERROR: Build did NOT complete")
            || line.starts_with("FAILED: Build did NOT complete");
        tally.fine |= line.starts_with("INFO: Build completed successfully") && !tally.counted;
        tally.nothing |= line.starts_with("ERROR: No test targets were found");
    }
}
