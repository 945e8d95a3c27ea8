//! A check that ran in a tool of its own, such as an editor's runner or a session of a language: no command line tells what it
//! was, but its name may, and its output does.

use super::summary::{self, Text, clean};
use super::{
    Check, CheckKind, CheckOutcome, CheckResult, CommandReading, Ecosystem, ExitMeaning, outcomes, task_names,
};

/// The check that a tool ran, where its name and what it was given say that they are about one, or where its output holds the
/// counts of a runner.
pub fn told(call: &str, exit_code: Option<i32>, output: &str) -> Option<(Check, CheckOutcome)> {
    let named = kind_of(call);
    let kinds = [CheckKind::Test, CheckKind::Build];
    let kind = named.or_else(|| kinds.into_iter().find(|kind| counts(*kind, &clean(output).text(), true)))?;
    let check = Check {
        kind,
        ecosystem: Ecosystem::Other,
        runner: "script",
        text: call[..call.floor_char_boundary(400)].to_owned(),
        scope: Vec::new(),
        folder: None,
        settings: Vec::new(),
        into_file: false,
    };
    let reading = CommandReading { checks: vec![(check, ExitMeaning::Own)] };
    let outcome = outcomes(&reading, exit_code, output).pop()?;
    let (check, _) = reading.checks.into_iter().next()?;
    (named.is_some() || outcome.result != CheckResult::Unknown).then_some((check, outcome))
}

/// Whether what was called, and with what, is named after a check.
pub fn names_check(call: &str) -> bool {
    kind_of(call).is_some()
}

/// Code that is run in a session is no name.
fn kind_of(call: &str) -> Option<CheckKind> {
    let name = call.lines().next().unwrap_or_default();
    task_names::kind_of(&name[..name.floor_char_boundary(120)])
}

/// Whether an output holds a runner's own summary, also in plain words where it is known that something ran.
pub fn sums_up(output: &str, ran: bool) -> bool {
    let cleaned = clean(output);
    let text = cleaned.text();
    counts(CheckKind::Test, &text, ran) || counts(CheckKind::Build, &text, ran)
}

/// Whether a runner of this kind counted here, or said in words of its own how it ended.
fn counts(kind: CheckKind, text: &Text<'_>, plainly: bool) -> bool {
    let tally = summary::read_any(kind, text);
    match kind {
        CheckKind::Test => tally.counted || plainly && summary::plain_counts(kind, text).is_some(),
        _ => tally.fine || tally.broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_of_tools_of_their_own() {
        use CheckKind::{Build, Lint, Test};
        use CheckResult::{Failed, Passed, Unknown};
        for (call, code, output, expected) in [
            ("ide.runConfiguration SensorTest", Some(0), "5 passed, 0 failed", Some((Test, Passed))),
            (
                "ide.runConfiguration 'All Tests'",
                None,
                "a PASSED\n[... 900 characters omitted ...]",
                Some((Test, Unknown)),
            ),
            ("lint.sql models", Some(1), "L: 2 | AM04", Some((Lint, Failed))),
            ("session 'x()'", None, "Tests did not pass: 33 passed, 1 failed", Some((Test, Failed))),
            ("session 'x()'", None, "==== 3 passed in 0.1s ====", Some((Test, Passed))),
            ("daemon assemble", Some(0), "BUILD SUCCESSFUL in 3s", Some((Build, Passed))),
            ("session 'x()'", None, "Out[3]: 42", None),
            ("kettle boil", Some(0), "hot", None),
            ("proto.deploy", Some(1), "no route", None),
        ] {
            let found = told(call, code, output).map(|(check, outcome)| (check.kind, outcome.result));
            assert_eq!(found, expected, "{call} {output}");
        }
        assert!(sums_up("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out", false));
        assert!(!sums_up("we passed 3 hills", false) && !sums_up("3 rows", true));
    }
}
