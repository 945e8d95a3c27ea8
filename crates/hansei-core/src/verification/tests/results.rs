//! What ends and outputs mean, one check at a time and together.

use crate::verification::inheritance::inheritance;
use crate::verification::plan::{Source, Todo};
use crate::verification::{
    Answer, CheckReport, End, Judged, PlannedCheck, Status, Weakened, answer, excerpt, judge,
};

fn check(line: &str, speaks: bool, calls: &[&str]) -> PlannedCheck {
    PlannedCheck {
        source: Source::Detected,
        line: line.to_owned(),
        thorough: None,
        folder: String::new(),
        tool: None,
        calls: calls.iter().map(|text| (*text).to_owned()).collect(),
        speaks,
        why: String::new(),
        todo: Todo::Run,
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "one table")]
fn ends_and_outputs() {
    use Status::{Failed, LimitReached, MissingTool, NothingToRun, Passed, Unknown};
    let red = "FAILED test_a.py::test_b - assert 1 == 2\n1 failed, 2 passed in 0.01s";
    let green = "3 passed in 0.01s";
    let cmake = "cmake -S . -B b && cmake --build b && ctest --test-dir b";
    for (name, line, speaks, calls, code, output, status) in [
        ("green", "pytest -q", true, &[][..], 0, green, Passed),
        ("red", "pytest -q", true, &[], 1, red, Failed),
        ("none collected", "pytest -q", true, &[], 5, "no tests ran in 0.01s", NothingToRun),
        ("ended early with zero", "pytest -q", true, &[], 0, "", Unknown),
        ("zero against its own summary", "pytest -q", true, &[], 0, red, Failed),
        ("lint green", "ruff check", true, &[], 0, "All checks passed!", Passed),
        (
            "lint red",
            "ruff check",
            true,
            &[],
            1,
            "a.py:1:8: F401 `os` imported but unused\nFound 1 error.",
            Failed,
        ),
        ("no such program", "pytest -q", true, &[], 127, "sh: 1: pytest: not found", MissingTool),
        ("masked, red", "pytest | tail -3", false, &[], 0, red, Failed),
        ("masked, green", "pytest | tail -3", false, &[], 0, green, Passed),
        ("masked, silent", "pytest || true", false, &[], 0, "", Unknown),
        ("masked in a script, silent", "npm test", false, &["node run.js || true"], 0, "> x\nboom", Unknown),
        (
            "masked in a script, red",
            "npm test",
            false,
            &["node --test || true"],
            0,
            "# pass 1\n# fail 1",
            Failed,
        ),
        (
            "masked in a script, green",
            "npm test",
            false,
            &["node --test; exit 0"],
            0,
            "# pass 2\n# fail 0",
            Passed,
        ),
        ("masked two scripts down", "npm test", false, &["npm run unit", "jest || true"], 0, "", Unknown),
        ("script, own code", "npm test", false, &["node run.js"], 0, "", Passed),
        ("script, red", "npm test", false, &["node run.js"], 1, "boom", Failed),
        ("any command, green", "test -f a", false, &[], 0, "", Passed),
        ("any command, red", "test -f a", false, &[], 1, "", Failed),
        ("any command, hidden", "grep -q x a || echo no", false, &[], 0, "no", Unknown),
        (
            "rust, none",
            "cargo test",
            true,
            &[],
            0,
            "test result: ok. 0 passed; 0 failed; 0 ignored;",
            NothingToRun,
        ),
        ("maven, silent", "mvn -B test", true, &[], 0, "[INFO] BUILD SUCCESS", NothingToRun),
        (
            "no libraries",
            "cargo test",
            true,
            &[],
            101,
            "error while loading shared libraries: x",
            MissingTool,
        ),
        (
            "rust does not build",
            "cargo test",
            true,
            &[],
            101,
            "error[E0425]: x\nerror: could not compile `a`",
            Failed,
        ),
        ("go, none", "go test ./...", true, &[], 0, "?   \ta\t[no test files]", NothingToRun),
        ("cmake, none", cmake, true, &[], 0, "[100%] Built target a\nNo tests were found!!!", NothingToRun),
        (
            "cmake, red",
            cmake,
            true,
            &[],
            8,
            "[100%] Built target a\n50% tests passed, 1 tests failed out of 2",
            Failed,
        ),
        (
            "maven, skipped",
            "mvn -B test",
            true,
            &[],
            0,
            "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS",
            NothingToRun,
        ),
    ] {
        let judged = judge(&check(line, speaks, calls), line, &End::Exited(code), output);
        assert_eq!(judged.status, status, "{name}: {judged:?}");
    }
    let pytest = check("pytest", true, &[]);
    assert_eq!(judge(&pytest, "pytest", &End::Limit("time".to_owned()), green).status, LimitReached);
    assert_eq!(judge(&pytest, "pytest", &End::Signalled(11), green).status, Failed);
    assert_eq!(judge(&pytest, "pytest", &End::Exited(1), red).failing, ["test_a.py::test_b"]);
}

fn red(failing: &[&str]) -> Judged {
    let failing: Vec<String> = failing.iter().map(|name| (*name).to_owned()).collect();
    Judged {
        status: Status::Failed,
        exit_code: Some(1),
        comparable: !failing.is_empty(),
        all_named: !failing.is_empty(),
        failing,
        why: String::new(),
    }
}

#[test]
fn what_was_red_before() {
    let green = Judged::without_run(Status::Passed, "");
    for (name, now, base, new, inherited, is_all) in [
        ("the same", red(&["a"]), red(&["a", "b"]), &[][..], &["a"][..], true),
        ("one more", red(&["a", "b"]), red(&["a"]), &["b"], &["a"], false),
        ("green before", red(&["a"]), green, &["a"], &[], false),
        (
            "moved",
            red(&["x.py:9:1: F401 os"]),
            red(&["x.py:1:8: F401 os"]),
            &[],
            &["x.py:9:1: F401 os"],
            true,
        ),
        ("twice", red(&["x:1:1: E", "x:2:1: E"]), red(&["x:1:1: E"]), &["x:2:1: E"], &["x:1:1: E"], false),
        ("nothing to compare", red(&[]), red(&[]), &[], &[], false),
        ("not built before", red(&["a"]), red(&["error: x"]), &["a"], &[], false),
    ] {
        let found = inheritance(&now, &base);
        assert_eq!(
            (found.new, found.inherited, found.is_all),
            (owned(new), owned(inherited), is_all),
            "{name}"
        );
    }
    // A toolchain that cannot start says the same on both sides, and excuses nothing.
    let broken =
        |output: &str| judge(&check("cargo test", true, &[]), "cargo test", &End::Exited(101), output);
    for output in ["error: process didn't exit successfully", "error[E0425]: x\nerror: could not compile `a`"]
    {
        let found = inheritance(&broken(output), &broken(output));
        assert!(!found.is_all && found.inherited.is_empty() && !found.new.is_empty(), "{output}");
    }
    // Whoever names as many as are kept may have more.
    let many = Judged { all_named: false, ..red(&["a"]) };
    assert!(!inheritance(&many, &red(&["a"])).is_all);
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn report(status: Status) -> CheckReport {
    CheckReport {
        command: "x".to_owned(),
        folder: "a".to_owned(),
        source: Source::Detected,
        status,
        exit_code: None,
        failing_tests: Vec::new(),
        inherited: Vec::new(),
        output: String::new(),
        why: String::new(),
        install: None,
        milliseconds: 0,
    }
}

#[test]
fn answers() {
    use Status::{Failed, Inherited, LimitReached, MissingTool, NothingToRun, Passed, Rejected, Unknown};
    for (statuses, expected) in [
        (&[][..], Answer::NothingToRun),
        (&[NothingToRun], Answer::NothingToRun),
        (&[Passed, NothingToRun], Answer::Passed),
        (&[Inherited], Answer::Passed),
        (&[Passed, Unknown], Answer::Unknown),
        (&[Passed, LimitReached], Answer::Unknown),
        (&[Passed, MissingTool, Unknown], Answer::MissingTool),
        (&[NothingToRun, MissingTool], Answer::MissingTool),
        (&[Passed, Failed, MissingTool], Answer::Failed),
        (&[Passed, Rejected], Answer::Failed),
    ] {
        let mut reports: Vec<CheckReport> = statuses.iter().map(|status| report(*status)).collect();
        assert_eq!(answer(&mut reports, &[]).0, expected, "{statuses:?}");
    }
    let gone = [Weakened { path: "a/test_x.py".to_owned(), what: "deleted".to_owned() }];
    assert_eq!(answer(&mut [report(NothingToRun)], &gone).0, Answer::Unknown);
    let elsewhere = [Weakened { path: "b/test_x.py".to_owned(), what: "deleted".to_owned() }];
    assert_eq!(answer(&mut [report(NothingToRun)], &elsewhere).0, Answer::NothingToRun);
}

#[test]
fn excerpts_keep_failures_and_the_end_within_bounds() {
    let noise = "line of no interest whatsoever\n".repeat(500);
    let output = format!("{noise}test parser::adds ... FAILED\nleft: 1\nright: 2\n{noise}the very end");
    let text = excerpt(&output, &["parser::adds".to_owned()], 1000);
    assert!(text.chars().count() <= 1000, "{}", text.chars().count());
    for part in ["parser::adds ... FAILED", "right: 2", "the very end", "[…]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(excerpt("short\n", &[], 1000), "short");
    for output in ["x".repeat(5000), "ü\n".repeat(5000), "error\n".repeat(5000)] {
        assert!(excerpt(&output, &[], 1000).chars().count() <= 1000);
    }
}
