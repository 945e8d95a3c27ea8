//! `XCTest` and Swift Testing, Flutter and Dart; and the sentence that mix, bats, jasmine and others share.

use super::Tally;
use super::numbers::{before, leading};

/// `Executed 12 tests, with 1 failure (0 unexpected) in …`: nested suites repeat it, so the largest counts.
pub(super) fn xctest(lines: &[&str], tally: &mut Tally) {
    let mut largest: Option<(u64, u64, u64)> = None;
    let mut swift_testing = false;
    for line in lines {
        let text = line.trim_start();
        if text.starts_with("Executed ") && text.contains(", with ") {
            let failed = before(text, " failure").unwrap_or(0);
            let skipped =
                before(text, " test skipped").or_else(|| before(text, " tests skipped")).unwrap_or(0);
            let all = before(text, " test").unwrap_or(0);
            if largest.is_none_or(|(most, ..)| all >= most) {
                largest = Some((all, failed, skipped));
            }
        } else if let Some(at) = text.find("Test run with ") {
            swift_testing = true;
            let all = before(&text[at..], " test").unwrap_or(0);
            if text.contains(" failed after ") {
                tally.add(0, before(text, " issue").unwrap_or(1).max(1), 0);
            } else if text.contains(" passed after ") {
                tally.add(all, 0, 0);
            }
        } else if text.starts_with("Test Case ") && text.contains("' failed") {
            tally.name(text.split('\'').nth(1).unwrap_or_default());
        } else if let Some(name) = text.strip_prefix("✘ Test ").filter(|name| name.contains(" failed after "))
        {
            tally.name(name.split(" failed after ").next().unwrap_or(name));
        }
        tally.broken |= text.starts_with("** TEST FAILED **")
            || text.starts_with("error: fatalError")
            || text.starts_with("error: Exited with");
        tally.fine |= text.starts_with("** TEST SUCCEEDED **");
    }
    if let Some((all, failed, skipped)) = largest
        && (all > 0 || !swift_testing)
    {
        tally.add(all.saturating_sub(failed + skipped), failed, skipped);
    }
}

/// The last word of Swift's and Xcode's builds.
pub(super) fn build(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start();
        tally.broken |= text.starts_with("** BUILD FAILED **");
        tally.fine |= text.starts_with("** BUILD SUCCEEDED **") || text.starts_with("Build complete!");
        if text.contains(".swift:") && text.contains(": error: ") {
            tally.complaints += 1;
        }
    }
}

/// `00:03 +11 ~2 -1: Some tests failed.`
pub(super) fn flutter(lines: &[&str], tally: &mut Tally) {
    let mut last: Option<(u64, u64, u64)> = None;
    for line in lines {
        if line.starts_with("No tests ran.")
            || line.starts_with("No tests were found")
            || line.ends_with("No tests ran.")
        {
            tally.nothing = true;
        }
        if line.as_bytes().get(2).is_none_or(|byte| *byte != b':') {
            continue;
        }
        let mut counts = (0, 0, 0);
        let Some((head, what)) = line.split_once(": ") else { continue };
        let mut any = false;
        for word in head.split(' ') {
            let number = leading(word.get(1..).unwrap_or_default());
            match (word.as_bytes().first(), number) {
                (Some(b'+'), Some(number)) => counts.0 = number,
                (Some(b'-'), Some(number)) => counts.1 = number,
                (Some(b'~'), Some(number)) => counts.2 = number,
                _ => continue,
            }
            any = true;
        }
        if any {
            last = Some(counts);
            if let Some(name) = what.strip_suffix(" [E]") {
                tally.name(name);
            }
        }
    }
    if let Some((passed, failed, skipped)) = last {
        tally.add(passed, failed, skipped);
    }
}

/// `3 doctests, 12 tests, 1 failure, 1 skipped`: mix, bats, jasmine, hspec, busted.
pub(super) fn counted_sentence(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start();
        if let Some((number, name)) = text.split_once(") test ") {
            if number.bytes().all(|byte| byte.is_ascii_digit()) {
                tally.name(name);
            }
            continue;
        }
        tally.broken |= text.starts_with("== Compilation error in file") || text.starts_with("** (Mix)");
        if !(leading(text).is_some() && before(text, " failure").is_some())
            || text.contains(" example")
            || text.contains(" assertions")
        {
            continue;
        }
        let count = |label| before(text, label).unwrap_or(0);
        let all = count(" tests")
            + count(" doctest")
            + count(" propert")
            + count(" spec")
            + if text.contains(" tests") { 0 } else { count(" test") };
        if !(text.contains(" test") || text.contains(" spec")) {
            continue;
        }
        let failed = count(" failure") + count(" error");
        let skipped = count(" skipped") + count(" pending") + count(" not run");
        let excluded = count(" excluded");
        tally.add(all.saturating_sub(failed + skipped + excluded), failed, skipped + excluded);
    }
}
