//! The Test Anything Protocol and those who speak it: `node --test`, tap, bats, prove; and ava, which no longer does.

use super::Tally;
use super::numbers::leading;

/// `# pass 9`, or else the `ok` and `not ok` lines themselves.
pub(super) fn tap(lines: &[&str], tally: &mut Tally) {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut counters = false;
    let mut lines_of_results = [0_u64; 3];
    for line in lines {
        if let Some(rest) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ ")) {
            let Some((what, number)) = rest.split_once(' ') else { continue };
            let Some(number) = leading(number).filter(|_| number.bytes().all(|b| b.is_ascii_digit())) else {
                continue;
            };
            match what {
                "pass" => passed += number,
                "fail" | "cancelled" => failed += number,
                "skipped" | "skip" | "todo" => skipped += number,
                _ => continue,
            }
            counters = true;
        } else if let Some(rest) = line.strip_prefix("not ok ") {
            if rest.contains("# TODO") || rest.contains("# todo") || rest.contains("# SKIP") {
                lines_of_results[2] += 1;
            } else {
                lines_of_results[1] += 1;
                tally.name(rest.split_once(" - ").map_or(rest, |(_, name)| name));
            }
        } else if let Some(rest) = line.strip_prefix("ok ") {
            if !leading(rest).is_some_and(|_| {
                rest.split(' ').next().is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
            }) {
                continue;
            }
            let skip = rest.contains("# SKIP") || rest.contains("# skip");
            lines_of_results[if skip { 2 } else { 0 }] += 1;
        } else if let Some(name) = line.trim_start().strip_prefix("✖ ").or_else(|| line.strip_prefix(" ✗ "))
        {
            if name != "failing tests:" {
                tally.name(name.rsplit_once(" (").map_or(name, |(name, _)| name));
            }
        } else if *line == "1..0" || line.starts_with("1..0 #") || line.starts_with("Result: NOTESTS") {
            tally.nothing = true;
        } else if line.starts_with("Bail out!") || line.starts_with("Result: FAIL") {
            tally.broken = true;
        } else if line.starts_with("Result: PASS") {
            tally.fine = true;
        }
    }
    let [ok, not_ok, skip] = lines_of_results;
    if counters {
        tally.add(passed, failed, skipped);
    } else if ok + not_ok + skip > 0 {
        tally.add(ok, not_ok, skip);
    }
}

/// `3 tests passed`, `1 test failed`, `✘ [fail]: name`
pub(super) fn ava(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let line = line.trim_start();
        if let Some(name) = line.strip_prefix("✘ [fail]: ").or_else(|| line.strip_prefix("✖ [fail]: ")) {
            tally.name(name);
        } else if line.contains("Couldn’t find any files to test")
            || line.contains("Couldn't find any files to test")
        {
            tally.nothing = true;
        }
        let Some(number) = leading(line) else { continue };
        match line.trim_start_matches(|c: char| c.is_ascii_digit()) {
            " tests passed" | " test passed" => tally.add(number, 0, 0),
            " tests failed"
            | " test failed"
            | " uncaught exception"
            | " uncaught exceptions"
            | " unhandled rejection"
            | " unhandled rejections" => tally.add(0, number, 0),
            " tests skipped" | " test skipped" | " tests todo" | " test todo" | " known failure"
            | " known failures" => tally.add(0, 0, number),
            _ => {}
        }
    }
}
