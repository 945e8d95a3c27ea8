//! Tables of command lines and of outputs, and properties that hold for any text.

mod command_lines;
mod hidden_failures;
mod outcome_rules;
mod outputs_of_builds;
mod outputs_of_javascript;
mod outputs_of_scripts;
mod outputs_of_tests;
mod plain_commands;
mod properties;

use super::{outcomes, read_command};

/// The result with its counts (passed/failed/skipped) and the names of failing tests: `failed 4/1/0: parser::a, parser::b`.
fn rendered(line: &str, exit_code: Option<i32>, output: &str) -> String {
    let outcomes = outcomes(&read_command(line), exit_code, output);
    let all: Vec<String> = outcomes
        .iter()
        .map(|outcome| {
            let counts = outcome.summary.as_ref().map_or(String::new(), |summary| {
                let names = if summary.failing.is_empty() { "" } else { ": " };
                format!(
                    " {}/{}/{}{names}{}",
                    summary.passed,
                    summary.failed,
                    summary.skipped,
                    summary.failing.join(", ")
                )
            });
            format!("{}{counts}", format!("{:?}", outcome.result).to_lowercase())
        })
        .collect();
    all.join("; ")
}

/// Checks outputs that stand behind a pipe, so that they alone decide.
fn check(cases: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(command, output, expected)| {
            (output, expected, rendered(&format!("{command} | tail -50"), Some(0), output))
        })
        .filter(|(_, expected, found)| *expected != found)
        .map(|(output, expected, found)| {
            format!("{output}\n    expected {expected:?}\n    found    {found:?}")
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
