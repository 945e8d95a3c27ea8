//! Go: `go test` in both of its voices, gotestsum, and the compiler and vet.

use super::Tally;
use super::numbers::before;

/// `ok pkg 0.01s`, `FAIL pkg 0.1s`, `--- FAIL: TestX (0.00s)`. Counts tests where they are named, else packages.
pub(super) fn test(lines: &[&str], tally: &mut Tally) {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let (mut packages, mut failed_packages, mut empty) = (0, 0, 0);
    let mut done = false;
    for line in lines {
        if let Some(name) = line.trim_start().strip_prefix("--- FAIL: ") {
            failed += 1;
            tally.name(name.split(" (").next().unwrap_or(name));
        } else if line.starts_with("--- PASS: ") {
            passed += 1;
        } else if line.starts_with("--- SKIP: ") {
            skipped += 1;
        } else if line.starts_with("ok  \t") || line.starts_with("ok   ") || line.starts_with("ok\t") {
            if line.ends_with("[no tests to run]") {
                empty += 1;
            } else {
                packages += 1;
            }
        } else if let Some(package) = line.strip_prefix("FAIL\t").or_else(|| line.strip_prefix("FAIL    ")) {
            failed_packages += 1;
            if package.contains("[build failed]") || package.contains("[setup failed]") {
                tally.broken = true;
                tally.name(package);
            }
        } else if line.starts_with('?') && line.ends_with("[no test files]")
            || line.starts_with("testing: warning: no tests to run")
            || line.starts_with("no test files")
        {
            empty += 1;
        } else if *line == "FAIL"
            || line.starts_with("panic: ")
            || line.starts_with("go: cannot find main module")
            || line.starts_with("no required module provides")
        {
            tally.broken = true;
        } else if let Some(counts) = line.strip_prefix("DONE ") {
            let count = |label| before(counts, label).unwrap_or(0);
            let bad = count(" failure") + count(" error");
            tally.add(
                count(" tests").max(count(" test")).saturating_sub(bad + count(" skipped")),
                bad,
                count(" skipped"),
            );
            done = true;
        } else if *line == "go: warning: \"./...\" matched no packages"
            || line.starts_with("no packages to test")
            || line.ends_with("matched no packages")
        {
            tally.nothing = true;
        }
    }
    if done {
        return;
    }
    let tests = passed + failed + skipped;
    if packages + failed_packages + tests > 0 {
        let good = if passed > 0 { passed } else { packages };
        let bad = if failed > 0 { failed } else { failed_packages };
        // Only skipped tests in a package that says `ok`.
        let good = if passed == 0 && skipped > 0 && failed == 0 { 0 } else { good };
        tally.add(good, bad, skipped);
    } else if empty > 0 {
        tally.nothing = true;
    }
}

/// `./main.go:12:2: undefined: x`
pub(super) fn build(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let place = line.strip_prefix("vet: ").unwrap_or(line);
        if let Some((_, rest)) = place.split_once(".go:")
            && rest.as_bytes().first().is_some_and(u8::is_ascii_digit)
        {
            tally.complaints += 1;
        } else if line.starts_with("no required module provides")
            || line.starts_with("go: cannot find main module")
        {
            tally.broken = true;
        }
    }
}
