//! The runners of Ruby (rspec, minitest) and PHP (phpunit, pest).

use super::Tally;
use super::numbers::{after, before};

/// `12 examples, 1 failure, 2 pending`
pub(super) fn rspec(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.contains(" example") && line.contains(" failure") && line.as_bytes()[0].is_ascii_digit() {
            let count = |label| before(line, label).unwrap_or(0);
            let (failed, pending) = (count(" failure") + count(" error"), count(" pending"));
            tally.add(count(" example").saturating_sub(failed + pending), failed, pending);
        } else if let Some(name) = line.strip_prefix("rspec ./") {
            tally.name(name);
        } else if line.starts_with("An error occurred while loading") {
            tally.broken = true;
        }
    }
}

/// `12 runs, 30 assertions, 1 failures, 0 errors, 2 skips`
pub(super) fn minitest(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.contains(" assertions, ") && line.contains(" failures, ") && line.contains(" errors") {
            let count = |label| before(line, label).unwrap_or(0);
            let (failed, skipped) = (count(" failures") + count(" errors"), count(" skips"));
            let all = count(" runs").max(count(" tests"));
            tally.add(all.saturating_sub(failed + skipped), failed, skipped);
        } else if let Some((name, place)) = line.split_once(" [") {
            if name.contains('#') && !name.contains(' ') && place.ends_with("]:") {
                tally.name(name);
            }
        } else if line.contains("Test#test_") && line.ends_with(':') && !line.contains(' ') {
            tally.name(line.trim_end_matches(':'));
        }
    }
}

/// `OK (12 tests, 30 assertions)`, `Tests: 12, Assertions: 30, Failures: 1.`, and Pest's `Tests:    1 failed, 12 passed`
pub(super) fn phpunit(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start();
        if text.starts_with("OK (") && text.contains(" assertion") {
            tally.add(before(text, " test").unwrap_or(0), 0, 0);
        } else if text.starts_with("Tests: ") && text.contains("Assertions: ") {
            let count = |label| after(text, label).unwrap_or(0);
            let failed = count("Failures: ") + count("Errors: ");
            let skipped = count("Skipped: ") + count("Incomplete: ");
            tally.add(count("Tests: ").saturating_sub(failed + skipped), failed, skipped);
        } else if let Some(counts) =
            text.strip_prefix("Tests:  ").filter(|counts| counts.contains(" assertion"))
        {
            let count = |label| before(counts, label).unwrap_or(0);
            tally.add(
                count(" passed"),
                count(" failed"),
                count(" skipped") + count(" todo") + count(" incomplete"),
            );
        } else if text.starts_with("No tests executed!") || text.starts_with("No tests found.") {
            tally.nothing = true;
        } else if let Some(name) = text.strip_prefix("FAILED  ") {
            tally.name(name);
        } else if let Some((number, name)) = text.split_once(") ")
            && name.contains("::")
            && !name.contains(' ')
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            tally.name(name);
        }
    }
}
