//! Maven, Gradle, sbt, and .NET.

use super::Tally;
use super::numbers::{after, before};

/// `[INFO] Tests run: 30, Failures: 0, Errors: 0, Skipped: 2`, the line of a module rather than of a class.
pub(super) fn surefire(lines: &[&str], tally: &mut Tally) {
    let mut classes = [0_u64; 3];
    let mut whole = false;
    for line in lines {
        let Some(at) = line.find("Tests run: ") else {
            let text = line.trim_start_matches("[INFO] ").trim_start_matches("[ERROR] ");
            match text {
                "No tests to run." | "Tests are skipped." => tally.nothing = true,
                "BUILD FAILURE" => tally.broken = true,
                "BUILD SUCCESS" => tally.fine = true,
                _ if line.starts_with("[ERROR]   ") && text.contains(':') => {
                    tally.name(text.trim_start().split(' ').next().unwrap_or(text));
                }
                _ => {}
            }
            continue;
        };
        let counts = &line[at..];
        let count = |label| after(counts, label).unwrap_or(0);
        let (failed, skipped) = (count("Failures: ") + count("Errors: "), count("Skipped: "));
        let passed = count("Tests run: ").saturating_sub(failed + skipped);
        if counts.contains("Time elapsed") {
            classes = [classes[0] + passed, classes[1] + failed, classes[2] + skipped];
        } else {
            whole = true;
            tally.add(passed, failed, skipped);
        }
    }
    if !whole && classes.iter().sum::<u64>() > 0 {
        tally.add(classes[0], classes[1], classes[2]);
    }
}

/// `12 tests completed, 2 failed, 1 skipped`, `BUILD SUCCESSFUL in 3s`
pub(super) fn gradle(lines: &[&str], tally: &mut Tally) {
    let (mut fine, mut tested, mut empty) = (false, false, false);
    for line in lines {
        if line.contains(" tests completed") || line.contains(" test completed") {
            let count = |label| before(line, label).unwrap_or(0);
            let all = count(" tests completed").max(count(" test completed"));
            let (failed, skipped) = (count(" failed"), count(" skipped"));
            tally.add(all.saturating_sub(failed + skipped), failed, skipped);
        } else if let Some(name) = line.strip_suffix(" FAILED") {
            if name.contains(" > ") && !name.starts_with("> ") {
                tally.name(name);
            }
        } else if line.starts_with("BUILD SUCCESSFUL") {
            fine = true;
        } else if line.starts_with("BUILD FAILED") || line.starts_with("FAILURE: Build failed") {
            tally.broken = true;
        } else if let Some(task) = line.strip_prefix("> Task ") {
            let task_of_tests =
                task.split(' ').next().is_some_and(|name| name.to_ascii_lowercase().ends_with("test"));
            empty |= task_of_tests && (task.ends_with("NO-SOURCE") || task.ends_with("SKIPPED"));
            tested |= task_of_tests && !task.contains(" NO-SOURCE") && !task.ends_with("SKIPPED");
        }
    }
    tally.nothing |= fine && empty && !tested;
    tally.fine |= fine;
}

/// `[info] Passed: Total 10, Failed 0, Errors 0, Passed 10`
pub(super) fn sbt(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let Some((_, counts)) =
            line.split_once("Passed: Total ").or_else(|| line.split_once("Failed: Total "))
        else {
            if line.starts_with("[error] (") && line.contains("compilation failed") {
                tally.broken = true;
            }
            tally.nothing |= line.ends_with("No tests were executed");
            if line.contains("Tests: succeeded ") {
                let count = |label| after(line, label).unwrap_or(0);
                tally.add(
                    count("succeeded "),
                    count("failed ") + count("aborted "),
                    count("canceled ") + count("ignored ") + count("pending "),
                );
            }
            if let Some(name) =
                line.strip_prefix("[info] - ").and_then(|name| name.strip_suffix(" *** FAILED ***"))
            {
                tally.name(name);
            }
            continue;
        };
        let count = |label| after(counts, label).unwrap_or(0);
        tally.add(
            count("Passed "),
            count("Failed ") + count("Errors "),
            count("Skipped ") + count("Ignored "),
        );
    }
}

/// `Passed!  - Failed:     0, Passed:    10, Skipped:     0, Total:    10`
pub(super) fn dotnet_test(lines: &[&str], tally: &mut Tally) {
    let mut detailed = false;
    let mut totals = [0_u64; 3];
    for line in lines {
        let line = line.trim_start();
        if line.starts_with("Passed!  -") || line.starts_with("Failed!  -") || line.starts_with("Skipped! -")
        {
            let count = |label| after(line, label).unwrap_or(0);
            tally.add(count("Passed:"), count("Failed:"), count("Skipped:"));
        } else if let Some(counts) = line.strip_prefix("Test summary: ") {
            let count = |label| after(counts, label).unwrap_or(0);
            tally.add(count("succeeded:"), count("failed:"), count("skipped:"));
        } else if let Some(name) =
            line.strip_prefix("Failed ").filter(|name| name.ends_with(']') && name.contains(" ["))
        {
            tally.name(name.split(" [").next().unwrap_or(name));
        } else if line.starts_with("Total tests: ") {
            detailed = true;
        } else if detailed {
            let number = after(line, ":").unwrap_or(0);
            match line.split(':').next().unwrap_or_default() {
                "Passed" => totals[0] += number,
                "Failed" => totals[1] += number,
                "Skipped" => totals[2] += number,
                _ => {}
            }
        } else if line.starts_with("No test is available in") || line.starts_with("No test matches the given")
        {
            tally.nothing = true;
        }
        tally.broken |=
            line == "Build FAILED." || line.starts_with("Test Run Failed") || is_coded_error(line);
    }
    if detailed {
        tally.add(totals[0], totals[1], totals[2]);
    }
}

/// A build's own last word.
pub(super) fn build(lines: &[&str], tally: &mut Tally) {
    for line in lines {
        let text = line.trim_start_matches("[INFO] ").trim_start_matches("[ERROR] ").trim_start();
        tally.broken |=
            text == "BUILD FAILURE" || text.starts_with("BUILD FAILED") || text == "Build FAILED.";
        tally.fine |=
            text == "BUILD SUCCESS" || text.starts_with("BUILD SUCCESSFUL") || text == "Build succeeded.";
        if is_coded_error(text)
            || text.contains(".java:") && text.contains(": error:")
            || text.starts_with("e: ")
        {
            tally.complaints += 1;
        }
    }
}

/// `a.cs(3,5): error CS0103: …`, `main.obj : error LNK2019: …`, `CSC : fatal error C1083: …`
fn is_coded_error(line: &str) -> bool {
    line.match_indices("error ").any(|(at, word)| {
        let before = line[..at].trim_end_matches("fatal ");
        let code = line[at + word.len()..].split(':').next().unwrap_or_default();
        let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
        before.ends_with(": ")
            && (1..6).contains(&letters)
            && (2..6).contains(&(code.len() - letters))
            && code[letters..].bytes().all(|byte| byte.is_ascii_digit())
    })
}
