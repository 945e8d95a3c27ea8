//! Type checkers and bundlers: tsc, mypy, pyright, and what vite, webpack and Next.js say.

use super::Tally;
use super::numbers::before;

/// `src/a.ts(1,2): error TS2322: …`, `Found 3 errors in 2 files.`
pub(super) fn tsc(lines: &[&str], tally: &mut Tally) {
    let (mut errors, mut found) = (0, None);
    for line in lines {
        if line.contains("error TS") && line.contains(": ") {
            errors += 1;
        } else if line.starts_with("Found ") && line.contains(" error")
            || line.contains("svelte-check found ")
        {
            found = before(line, " error");
        }
    }
    match found {
        Some(0) if errors == 0 => tally.fine = true,
        Some(count) => tally.add(0, count.max(errors), 0),
        None if errors > 0 => tally.add(0, errors, 0),
        None => {}
    }
}

/// `Found 3 errors in 1 file (checked 5 source files)`
pub(super) fn mypy(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.starts_with("Success: no issues found") {
            tally.fine = true;
        } else if line.starts_with("Found ") && line.contains(" error") && line.contains(" in ") {
            tally.add(0, before(line, " error").unwrap_or(1), 0);
        } else if line.contains(".py:") && line.contains(": error: ") {
            tally.complaints += 1;
        }
    }
}

/// `3 errors, 1 warning, 0 informations`
pub(super) fn pyright(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.contains(" error") && line.contains(" warning") && line.contains(" information") {
            match before(line, " error") {
                Some(0) => tally.fine = true,
                Some(count) => tally.add(0, count, 0),
                None => {}
            }
        }
    }
}

/// What bundlers end with.
pub(super) fn bundlers(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start();
        tally.broken |= text.starts_with("Failed to compile")
            || text.starts_with("error during build:")
            || text.contains("compiled with") && text.contains(" error")
            || text.starts_with("ERROR in ")
            || text.starts_with("✘ [ERROR]")
            || text.starts_with("> Build failed")
            || text.starts_with("Build failed with ")
            || text.starts_with("[!] ");
        tally.fine |= text.starts_with("✓ built in")
            || text.starts_with("✓ Compiled successfully")
            || text.contains("Compiled successfully")
            || text.contains("compiled successfully")
            || text.starts_with("created ") && text.contains(" in ")
            || text.contains("Build success in");
    }
}
