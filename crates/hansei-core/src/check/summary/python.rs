//! Python's runners: pytest, unittest and its relatives, tox and nox.

use super::Tally;
use super::numbers::{before, leading};

/// `=== 3 failed, 10 passed, 1 skipped in 0.12s ===`
pub(super) fn pytest(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if let Some(name) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR ")) {
            if name.contains(".py") || name.contains("::") {
                tally.name(name.split(" - ").next().unwrap_or(name));
            }
            continue;
        }
        if line.starts_with("FAIL Required test coverage")
            || line.starts_with("Coverage failure:")
            || line.starts_with("ERROR: Coverage failure")
        {
            tally.broken = true;
        }
        if line.starts_with("INTERNALERROR>")
            || line.starts_with("ERROR: usage:")
            || line.starts_with("ERROR: file or directory not found")
        {
            tally.broken = true;
        }
        let inner = line.trim_matches(['=', ' ']);
        // A summary ends with its time, and begins with a number unless nothing ran.
        if !inner.contains(" in ") || !(inner.ends_with('s') || inner.ends_with(')')) {
            if inner.contains("error during collection") || inner.contains("errors during collection") {
                tally.broken = true;
            }
            continue;
        }
        if inner.starts_with("no tests ran") {
            tally.nothing = true;
            continue;
        }
        if !inner.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let count = |label| before(inner, label).unwrap_or(0);
        let known = [" passed", " failed", " skipped", " error", " deselected", " xfailed", " xpassed"];
        if known.iter().any(|label| before(inner, label).is_some()) {
            tally.add(
                count(" passed") + count(" xpassed"),
                count(" failed") + count(" error"),
                count(" skipped") + count(" xfailed"),
            );
        }
    }
}

/// `Ran 12 tests in 0.003s`, then `OK` or `FAILED (failures=1)`.
pub(super) fn unittest(lines: &[&str], tally: &mut Tally) {
    let mut ran = None;
    for line in lines {
        if let Some(rest) = line.strip_prefix("Ran ")
            && rest.contains(" in ")
        {
            ran = before(rest, " test");
        } else if let Some(name) = line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: ")) {
            if name.contains(" (") {
                tally.name(name);
            }
        } else if *line == "NO TESTS RAN" || line.starts_with("NO TESTS RAN (") {
            tally.nothing = true;
        } else if let Some(all) = ran
            && (*line == "OK" || line.starts_with("OK (") || line.starts_with("FAILED ("))
        {
            let (mut failed, mut skipped) = (0, 0);
            let inside = line.split_once('(').map_or("", |(_, inside)| inside.trim_end_matches(')'));
            for (what, count) in inside.split(", ").filter_map(|part| part.split_once('=')) {
                let count = leading(count).unwrap_or(0);
                match what {
                    "failures" | "errors" | "unexpected successes" => failed += count,
                    _ => skipped += count,
                }
            }
            tally.add(all.saturating_sub(failed + skipped), failed, skipped);
            ran = None;
        }
    }
}

/// `py311: OK (…)`, `py312: FAIL code 1`, `nox > * tests: success`. Counts environments only where no test was counted.
pub(super) fn tox(lines: &[&str], tally: &mut Tally) {
    let (mut fine, mut failed) = (false, false);
    for line in lines {
        let line = line.trim_start();
        fine |= line.starts_with("congratulations :)")
            || (line.starts_with("nox > ") && line.ends_with("was successful."));
        failed |= line.starts_with("evaluation failed :(")
            || line.contains(": FAIL code ")
            || line.contains(": FAIL ✖")
            || (line.starts_with("nox > ") && line.ends_with(": failed"))
            || (line.starts_with("nox > Session") && line.ends_with("failed."));
    }
    tally.broken |= failed;
    tally.fine |= fine && !failed;
}
