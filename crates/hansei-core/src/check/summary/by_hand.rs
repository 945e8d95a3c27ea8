//! Runners whose lines say nothing by themselves: what one means depends on those around it.

use super::Tally;
use super::numbers::{before, leading};

/// The number at the beginning, and what follows it.
fn numbered(line: &str) -> Option<(u64, &str)> {
    Some((leading(line)?, line.trim_start_matches(|c: char| c.is_ascii_digit())))
}

/// `12 passing (45ms)`, `1 failing`, `2 pending`; then the failures, the name of each over two lines.
pub(super) fn mocha(lines: &[&str], tally: &mut Tally) {
    let mut failing = false;
    let mut begun: Option<&str> = None;
    for line in lines {
        let line = line.trim_start();
        if let Some(title) = begun.take() {
            tally.name(&format!("{title} {}", line.trim_end_matches(':')));
            continue;
        }
        match numbered(line) {
            Some((number, " failing")) => {
                failing = true;
                tally.add(0, number, 0);
            }
            Some((number, " pending")) => tally.add(0, 0, number),
            Some((number, rest)) if rest == " passing" || rest.starts_with(" passing (") => {
                tally.add(number, 0, 0);
            }
            Some((_, rest)) if failing && rest.starts_with(") ") => begun = Some(&rest[2..]),
            _ => tally.nothing |= line.starts_with("Error: No test files found"),
        }
    }
}

/// `  1 failed`, with the names below, and `  10 passed (12.3s)`
pub(super) fn playwright(lines: &[&str], tally: &mut Tally) {
    let mut naming = false;
    for line in lines {
        let indented = line.starts_with("  ");
        let line = line.trim_start();
        if naming && line.starts_with('[') && line.contains(" › ") {
            tally.name(line.trim_end_matches(['─', ' ']));
            continue;
        }
        naming = false;
        tally.nothing |= line.starts_with("Error: No tests found");
        let Some((number, what)) = numbered(line).filter(|_| indented) else { continue };
        match what.split(" (").next().unwrap_or(what).trim() {
            "failed" | "interrupted" => {
                naming = true;
                tally.add(0, number, 0);
            }
            "flaky" | "passed" => tally.add(number, 0, 0),
            "skipped" | "did not run" => tally.add(0, 0, number),
            _ => {}
        }
    }
}

/// `Ran 12 tests in 0.003s`, then `OK` or `FAILED (failures=1)`.
pub(super) fn unittest(lines: &[&str], tally: &mut Tally) {
    let mut ran = None;
    for line in lines {
        if line.starts_with("Ran ") && line.contains(" in ") {
            ran = before(line, " test");
        } else if let Some(name) = line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: ")) {
            if name.contains(" (") {
                tally.name(name);
            }
        } else if *line == "NO TESTS RAN" || line.starts_with("NO TESTS RAN (") {
            tally.nothing = true;
        } else if (*line == "OK" || line.starts_with("OK (") || line.starts_with("FAILED ("))
            && let Some(all) = ran.take()
        {
            let (mut failed, mut skipped) = (0, 0);
            let inside = line.split_once('(').map_or("", |(_, inside)| inside.trim_end_matches(')'));
            for (what, count) in inside.split(", ").filter_map(|part| part.split_once('=')) {
                let bad = matches!(what, "failures" | "errors" | "unexpected successes");
                *(if bad { &mut failed } else { &mut skipped }) += leading(count).unwrap_or(0);
            }
            tally.add(all.saturating_sub(failed + skipped), failed, skipped);
        }
    }
}

/// `ok pkg 0.01s`, `FAIL pkg 0.1s`, `--- FAIL: TestX (0.00s)`. Counts tests where they are named, else packages; gotestsum
/// counts them itself: `DONE 12 tests, 1 failure`.
pub(super) fn go_test(lines: &[&str], tally: &mut Tally) {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let (mut packages, mut failed_packages, mut empty) = (0, 0, false);
    let mut done = false;
    for line in lines {
        let begins = |signs: &[&str]| signs.iter().any(|sign| line.starts_with(sign));
        if let Some(name) = line.trim_start().strip_prefix("--- FAIL: ") {
            failed += 1;
            tally.name(name.split(" (").next().unwrap_or(name));
        } else if begins(&["--- PASS: "]) {
            passed += 1;
        } else if begins(&["--- SKIP: "]) {
            skipped += 1;
        } else if begins(&["ok", "?"])
            && (line.ends_with("[no tests to run]") || line.ends_with("[no test files]"))
            || begins(&["testing: warning: no tests to run", "no test files"])
        {
            empty = true;
        } else if begins(&["ok  \t", "ok   ", "ok\t"]) {
            packages += 1;
        } else if let Some(package) = line.strip_prefix("FAIL\t").or_else(|| line.strip_prefix("FAIL    ")) {
            failed_packages += 1;
            if package.contains("[build failed]") || package.contains("[setup failed]") {
                tally.broken = true;
                tally.name(package);
            }
        } else if *line == "FAIL"
            || begins(&["panic: ", "go: cannot find main module", "no required module provides"])
        {
            tally.broken = true;
        } else if let Some(counts) = line.strip_prefix("DONE ") {
            let count = |label| before(counts, label).unwrap_or(0);
            let (failed, skipped) = (count(" failure") + count(" error"), count(" skipped"));
            tally.add(count(" test").saturating_sub(failed + skipped), failed, skipped);
            done = true;
        } else if begins(&["no packages to test"]) || line.ends_with("matched no packages") {
            tally.nothing = true;
        }
    }
    let good = match (passed, failed, skipped) {
        // Only skipped tests in a package that says `ok`.
        (0, 0, 1..) => 0,
        (0, ..) => packages,
        _ => passed,
    };
    let bad = if failed > 0 { failed } else { failed_packages };
    if done {
    } else if packages + bad + passed + skipped > 0 {
        tally.add(good, bad, skipped);
    } else {
        tally.nothing |= empty;
    }
}
