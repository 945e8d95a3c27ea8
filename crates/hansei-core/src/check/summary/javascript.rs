//! The runners of the JavaScript world: jest, vitest, mocha, playwright, cypress, karma, bun and deno.

use super::Tally;
use super::numbers::{after, before, leading};

/// `Tests:       1 failed, 2 skipped, 10 passed, 13 total`
pub(super) fn jest(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let line = line.trim_start();
        if let Some(counts) = line.strip_prefix("Tests:").filter(|counts| counts.ends_with(" total")) {
            let count = |label| before(counts, label).unwrap_or(0);
            tally.add(count(" passed"), count(" failed"), count(" skipped") + count(" todo"));
        } else if let Some(counts) = line.strip_prefix("Test Suites:") {
            // A suite that does not even load has no test to fail.
            tally.broken |= before(counts, " failed").is_some_and(|count| count > 0);
        } else if let Some(name) = line.strip_prefix("● ") {
            if !matches!(name, "Test suite failed to run" | "Console") && !name.starts_with("Validation") {
                tally.name(name);
            }
        } else if line.starts_with("No tests found, exiting with code")
            || line.starts_with("No tests found related to files")
        {
            tally.nothing = true;
        } else if line.contains("coverage threshold for") && line.contains("not met") {
            tally.broken = true;
        }
    }
}

/// `Tests  2 failed | 10 passed | 1 skipped (13)`
pub(super) fn vitest(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let line = line.trim_start();
        if let Some(counts) = line
            .strip_prefix("Tests  ")
            .filter(|counts| counts.ends_with(')') || counts.ends_with("no tests"))
        {
            let count = |label| before(counts, label).unwrap_or(0);
            tally.add(count(" passed"), count(" failed"), count(" skipped") + count(" todo"));
        } else if let Some(counts) = line.strip_prefix("Test Files  ") {
            tally.broken |= before(counts, " failed").is_some_and(|count| count > 0);
        } else if let Some(name) = line.strip_prefix("FAIL  ") {
            tally.name(name);
        } else if line.starts_with("Errors  ") && line.contains(" error") {
            tally.broken = true;
        } else if line.starts_with("No test files found") {
            tally.nothing = true;
        }
    }
}

/// `12 passing (45ms)`, `1 failing`, `2 pending`
pub(super) fn mocha(lines: &[&str], tally: &mut Tally) {
    let mut failing = false;
    let mut numbered: Option<&str> = None;
    for line in lines {
        let line = line.trim_start();
        if let Some(title) = numbered.take() {
            tally.name(&format!("{title} {}", line.trim_end_matches(':')));
            continue;
        }
        let words =
            leading(line).map(|number| (number, line.trim_start_matches(|c: char| c.is_ascii_digit())));
        match words {
            Some((number, " failing")) => {
                failing = true;
                tally.add(0, number, 0);
            }
            Some((number, " pending")) => tally.add(0, 0, number),
            Some((number, rest)) if rest == " passing" || rest.starts_with(" passing (") => {
                tally.add(number, 0, 0);
            }
            Some((_, rest)) if failing && rest.starts_with(") ") => numbered = Some(&rest[2..]),
            _ if line.starts_with("Error: No test files found") => tally.nothing = true,
            _ => {}
        }
    }
}

/// `1 failed`, with the names below, and `10 passed (12.3s)`
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
        if line.starts_with("Error: No tests found") {
            tally.nothing = true;
        }
        let Some(number) = leading(line).filter(|_| indented) else { continue };
        let what = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let what = what.split(" (").next().unwrap_or(what).trim();
        match what {
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

/// The box that stands below each spec.
pub(super) fn cypress(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let line = line.trim_matches(['│', ' ']);
        if let Some(number) = line.strip_prefix("Passing:").and_then(|rest| leading(rest.trim_start())) {
            tally.add(number, 0, 0);
        } else if let Some(number) = line.strip_prefix("Failing:").and_then(|rest| leading(rest.trim_start()))
        {
            tally.add(0, number, 0);
        } else if let Some(number) = line.strip_prefix("Pending:").and_then(|rest| leading(rest.trim_start()))
        {
            tally.add(0, 0, number);
        } else if line.contains("All specs passed!") {
            tally.fine = true;
        } else if line.starts_with('✖') && line.contains(" failed (") {
            tally.broken = true;
        } else if line.starts_with("Can't run because no spec files were found") {
            tally.nothing = true;
        }
    }
}

/// `12 pass`, `1 fail`, then `Ran 13 tests across 2 files.`
pub(super) fn bun(lines: &[&str], tally: &mut Tally) {
    if !lines.iter().any(|line| line.starts_with("Ran ") && line.contains(" across ")) {
        return;
    }
    for line in lines {
        let line = line.trim_start();
        if let Some(name) = line.strip_prefix("(fail) ").or_else(|| line.strip_prefix("✗ ")) {
            tally.name(name.split(" [").next().unwrap_or(name));
            continue;
        }
        let Some(number) = leading(line) else { continue };
        match line.trim_start_matches(|c: char| c.is_ascii_digit()) {
            " pass" => tally.add(number, 0, 0),
            " fail" | " error" | " errors" => tally.add(0, number, 0),
            " skip" | " todo" => tally.add(0, 0, number),
            _ => {}
        }
    }
}

/// `Executed 12 of 12 SUCCESS (0.1 secs / 0.05 secs)`, of which the last counts: it is printed as progress.
pub(super) fn karma(lines: &[&str], tally: &mut Tally) {
    for line in lines.iter().rev() {
        let Some(at) = line.find("Executed ") else { continue };
        let Some(all) = before(&line[at..], " of ") else { continue };
        let failed = before(line, " FAILED").unwrap_or(0);
        let skipped = after(line, "skipped ").unwrap_or(0);
        tally.add(all.saturating_sub(failed), failed, skipped);
        return;
    }
}

/// `ok | 12 passed (3 steps) | 0 failed (45ms)`
pub(super) fn deno(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.starts_with("ok | ") || line.starts_with("FAILED | ") {
            let count = |label| before(line, label).unwrap_or(0);
            tally.add(count(" passed"), count(" failed"), count(" ignored"));
        } else if let Some((name, place)) = line.split_once(" => ") {
            if place.starts_with("./") || place.starts_with("file:") {
                tally.name(name);
            }
        } else if line.starts_with("error: No test modules found") {
            tally.nothing = true;
        } else if line.starts_with("error: Type checking failed")
            || line.starts_with("error: Module not found")
        {
            tally.broken = true;
        }
    }
}
