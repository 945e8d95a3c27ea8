//! Linters and formatters.

use super::Tally;
use super::numbers::before;

/// `✖ 3 problems (2 errors, 1 warning)`
pub(super) fn eslint(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start();
        if text.starts_with('✖') && text.contains(" problem") {
            match before(text, " error") {
                Some(0) => tally.fine = true,
                Some(count) => tally.add(0, count, 0),
                None => tally.add(0, before(text, " problem").unwrap_or(1), 0),
            }
        } else if text.starts_with("Found ") && text.contains(" warning") && text.contains(" error") {
            match before(text, " error") {
                Some(0) => tally.fine = true,
                Some(count) => tally.add(0, count, 0),
                None => {}
            }
        }
        tally.fine |= text.contains("No ESLint warnings or errors");
        tally.broken |= text.starts_with("Oops! Something went wrong!");
    }
}

/// `Found 3 errors.`, `All checks passed!`, and lines such as `a.py:1:2: E501 …`
pub(super) fn ruff(lines: &[&str], tally: &mut Tally) {
    let mut fixed = false;
    for line in lines {
        if line.starts_with("All checks passed!") {
            tally.fine = true;
        } else if line.starts_with("Found ")
            && (line.contains(" error") || line.contains(" diagnostic") || line.contains(" problem"))
        {
            match before(line, " remaining") {
                Some(0) => fixed = true,
                Some(count) => tally.add(0, count, 0),
                None => tally.add(
                    0,
                    before(line, " error")
                        .or_else(|| before(line, " diagnostic"))
                        .or_else(|| before(line, " problem"))
                        .unwrap_or(1),
                    0,
                ),
            }
        } else if line.starts_with("Checked ") && line.contains(" file") {
            tally.fine = true;
        } else if is_place(line) {
            tally.complaints += 1;
        }
    }
    tally.fine |= fixed;
}

/// `a.py:1:2: E501 line too long`
fn is_place(line: &str) -> bool {
    let mut parts = line.splitn(4, ':');
    let (path, row, column) = (parts.next(), parts.next(), parts.next());
    path.and_then(|path| path.rsplit_once('.')).is_some_and(|(_, end)| matches!(end, "py" | "pyi"))
        && [row, column].iter().all(|number| {
            number.is_some_and(|number| {
                !number.is_empty() && number.trim().bytes().all(|byte| byte.is_ascii_digit())
            })
        })
        && parts.next().is_some()
}

/// Prettier, black, ruff format, isort, `deno fmt`
pub(super) fn prettier(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start();
        if text.contains(" would be reformatted")
            || text.starts_with("would reformat ")
            || text.starts_with("Would reformat: ")
            || text.contains("Code style issues found in")
            || text.contains("Code style issues in")
            || text.contains("Imports are incorrectly sorted")
            || text.starts_with("error: Found ") && text.contains("not formatted")
        {
            tally.broken = true;
        }
        tally.fine |= text.contains("All matched files use Prettier code style")
            || text.contains(" would be left unchanged") && !text.contains("reformatted")
            || text.contains(" already formatted")
            || text.starts_with("Checked ") && text.contains(" file");
    }
}

/// `3 issues:` or `0 issues.`
pub(super) fn golangci(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.ends_with(" issues:") || line.ends_with(" issues.") || line.ends_with(" issue:") {
            match before(line, " issue") {
                Some(0) => tally.fine = true,
                Some(count) => tally.add(0, count, 0),
                None => {}
            }
        } else if line.contains(".go:") && line.ends_with(')') && line.contains(" (") {
            tally.complaints += 1;
        }
    }
}

/// `12 files inspected, 3 offenses detected`
pub(super) fn rubocop(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.contains(" inspected, ") && line.contains(" offense") {
            let corrected = before(line, " offenses corrected")
                .or_else(|| before(line, " offense corrected"))
                .unwrap_or(0);
            let found = before(line, " offense").unwrap_or(0).saturating_sub(corrected);
            if found == 0 {
                tally.fine = true;
            } else {
                tally.add(0, found, 0);
            }
        }
    }
}

/// `[ERROR] Found 3 errors`, `[OK] No errors`; Psalm's `3 errors found`
pub(super) fn phpstan(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start();
        if text.starts_with("[OK] No errors") || text.starts_with("No errors found!") {
            tally.fine = true;
        } else if text.starts_with("[ERROR] Found ")
            || text.ends_with(" errors found")
            || text == "1 error found"
        {
            tally.add(0, before(text, " error").unwrap_or(1), 0);
        }
    }
}

/// `ruff....................Passed`
pub(super) fn pre_commit(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if !line.contains("....") {
            continue;
        }
        if line.ends_with("Passed") {
            tally.add(1, 0, 0);
        } else if line.ends_with("Skipped") {
            tally.add(0, 0, 1);
        } else if let Some(name) = line.strip_suffix("Failed") {
            tally.add(0, 1, 0);
            tally.name(name.trim_end_matches('.'));
        }
    }
}

/// shellcheck's `In x.sh line 3:`, yamllint's `3:1  error  …`, hadolint's `DL3008 warning: …`
pub(super) fn shellcheck(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let shellcheck = line.starts_with("In ") && line.ends_with(':') && line.contains(" line ");
        let yamllint = line.starts_with("  ") && line.contains("  error  ");
        let hadolint = line.contains(" DL") && (line.contains(" error: ") || line.contains(" warning: "));
        if shellcheck || yamllint || hadolint || line.contains("[SC") {
            tally.complaints += 1;
        }
    }
}

/// `Success! The configuration is valid.`
pub(super) fn terraform(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start_matches(['│', '╷', '╵', ' ']);
        tally.broken |= text.starts_with("Error: ");
        tally.fine |= text.starts_with("Success! The configuration is valid")
            || text.starts_with("Plan: ")
            || text.starts_with("No changes.");
    }
}

/// `No issues found!`, `3 issues found.`
pub(super) fn dart(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        if line.starts_with("No issues found!") {
            tally.fine = true;
        } else if let Some(count) = before(line, " issues found").or_else(|| before(line, " issue found")) {
            tally.add(0, count, 0);
        }
    }
}

/// `gofmt -l` names the files that it would change, and succeeds.
pub(super) fn listed(lines: &[&str], tally: &mut Tally) {
    let named = |line: &&&str| {
        line.rsplit_once('.').is_some_and(|(name, ending)| ending == "go" && !name.contains(' '))
    };
    let files = lines.iter().filter(|line| named(line) || line.starts_with("diff ")).count();
    if files > 0 {
        tally.add(0, files as u64, 0);
    }
}
