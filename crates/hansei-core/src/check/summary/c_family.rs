//! C and C++: compilers, make, ninja, ctest and meson.

use super::Tally;
use super::numbers::{after, before};

/// `100% tests passed, 0 tests failed out of 12`, or meson's table.
pub(super) fn ctest(lines: &[&str], tally: &mut Tally) {
    let mut meson = false;
    for line in lines {
        let text = line.trim_start();
        if text.contains("% tests passed") {
            let failed = before(text, " tests failed").or_else(|| before(text, " test failed")).unwrap_or(0);
            let all = after(text, "out of ").unwrap_or(0);
            tally.add(all.saturating_sub(failed), failed, 0);
        } else if text.starts_with("No tests were found!!!") || text.starts_with("No tests defined") {
            tally.nothing = true;
        } else if ["(Failed)", "(Timeout)", "(SEGFAULT)", "(Not Run)", "(Subprocess aborted)"]
            .iter()
            .any(|end| text.ends_with(end))
        {
            tally.name(text.split_once(" - ").map_or(text, |(_, name)| name));
        } else if let Some(rest) = text.strip_prefix("Ok:  ") {
            meson = true;
            tally.add(rest.trim().parse().unwrap_or(0), 0, 0);
        } else if meson {
            let count = || text.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
            if text.starts_with("Fail:") || text.starts_with("Timeout:") {
                tally.add(0, count(), 0);
            } else if text.starts_with("Skipped:") || text.starts_with("Expected Fail:") {
                tally.add(0, 0, count());
            }
        }
    }
}

/// Automake's totals: `# TOTAL: 2`, `# PASS:  2`, `# FAIL:  0`.
pub(super) fn automake(lines: &[&str], tally: &mut Tally) {
    let total = lines.iter().any(|line| line.trim_start().starts_with("# TOTAL:"));
    for line in lines.iter().filter(|_| total) {
        let text = line.trim_start();
        let count = |mark: &str| text.strip_prefix(mark).and_then(|rest| rest.trim().parse().ok());
        if let Some(passed) = count("# PASS:") {
            tally.add(passed, 0, 0);
        } else if let Some(failed) =
            count("# FAIL:").or_else(|| count("# ERROR:")).or_else(|| count("# XPASS:"))
        {
            tally.add(0, failed, 0);
        } else if let Some(skipped) = count("# SKIP:").or_else(|| count("# XFAIL:")) {
            tally.add(0, 0, skipped);
        } else if let Some(name) = text.strip_prefix("FAIL: ") {
            tally.name(name);
        }
    }
}

/// `main.c:3:5: error: …`
pub(super) fn compiler(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.contains(": error: ")
            || line.contains(": fatal error: ")
            || line.contains("undefined reference to")
            || line.starts_with("ld: symbol(s) not found")
        {
            tally.complaints += 1;
        }
        tally.broken |=
            line.starts_with("collect2: error") || line.starts_with("clang: error: linker command failed");
    }
}

/// `make: *** [Makefile:3: test] Error 2`
pub(super) fn make(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let from_make = line.starts_with("make") || line.starts_with("gmake");
        tally.broken |= from_make && line.contains(": *** ") && !line.contains("(ignored)")
            || line.starts_with("ninja: build stopped")
            || line.starts_with("ninja: error:")
            || line.starts_with("CMake Error");
        tally.fine |= line.starts_with("ninja: no work to do") || line.starts_with("[100%] Built target");
    }
}
