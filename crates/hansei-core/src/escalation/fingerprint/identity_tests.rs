//! What names a failure and what changes from run to run, each beside its opposite.

use std::collections::BTreeSet;

use super::{ErrorSignature, Failure, Fingerprint};
use crate::escalation::{Attempt, Escalation};

fn print_of(command: &str, output: &str) -> Fingerprint {
    Fingerprint::of(&Failure { command, exit_code: Some(1), output })
}

#[test]
fn what_changes_from_run_to_run_is_no_part_of_it() {
    for outputs in [
        &["error: cannot open /tmp/tmpabcd1234.json", "error: cannot open /tmp/tmpk3j2h1_x.json"][..],
        &["error: cannot open /tmp/tests/tmpab12cd/x", "error: cannot open /tmp/tests/tmpqwertz/x"],
        &["error: cannot build dir=/tmp/build-abcdef/x", "error: cannot build dir=/tmp/build-fedcba/x"],
        &[
            "error: cannot read /var/tmp/tmp.QwErTy/a.json",
            "error: cannot read /tmp/pytest-of-ci/pytest-3/t0/a.json",
        ],
        &[
            "error: no cart 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
            "error: no cart abcdefab-cdef-abcd-efab-cdefabcdefab",
            "error: no cart 00000000-0000-0000-0000-000000000000",
        ],
        &["[gw0] error: bad row", "[gw11] error: bad row", "error: bad row"],
        &["error: timed out after 30.01s", "error: timed out after 29s", "error: timed out after 1m 30s"],
        &["error: timed out after 30 seconds", "error: timed out after 7 seconds"],
        &["error: bad token at line 7 column 3", "error: bad token at line 121 column 44"],
        &["error: worker 3 of pid 4711 died", "error: worker 12 of pid 90 died"],
        &["error: port 41234 is in use", "error: port 38111 is in use"],
        &["error: refused by 127.0.0.1:5432", "error: refused by 10.0.0.7:41234"],
        &[
            "error: expired at 2026-11-16T10:00:00Z",
            "error: expired at 2025-01-01T00:00:59.123+02:00",
            "error: expired at 16 Nov 2026 10:00",
        ],
        &["error: commit abcdefa is gone", "error: commit 9f8e7d6 is gone"],
        &["error: object 123456789 is gone", "error: object 987654321 is gone"],
        &["E   assert 0.30000000000000004 == 0.3", "E   assert 0.30000000000000027 == 0.3"],
        &[
            "error: no such file: /home/alice/proj/config.toml",
            "error: no such file: /Users/bob/code/proj/config.toml",
        ],
        &[
            r"error: cannot open C:\Users\ana\AppData\Local\Temp\tmpa1b2c3.json",
            r"error: cannot open C:\Users\kim\AppData\Local\Temp\tmpz9y8x7.json",
        ],
    ] {
        let prints: BTreeSet<Fingerprint> = outputs.iter().map(|output| print_of("make", output)).collect();
        let told: Vec<ErrorSignature> = outputs
            .iter()
            .map(|output| ErrorSignature::of(&Failure { command: "make", exit_code: Some(1), output }))
            .collect();
        assert_eq!(prints.len(), 1, "{told:#?}");
    }
}

#[test]
fn what_names_the_failure_is_part_of_it() {
    for outputs in [
        &[
            "FAILED a.py::t[1] - KeyError: x",
            "FAILED a.py::t[2] - KeyError: x",
            "FAILED a.py::t[1-2] - KeyError: x",
        ][..],
        &["curl: (7) Failed", "curl: (28) Failed"],
        &["KeyError: 1", "KeyError: 2"],
        &["error: python 3.8 is needed", "error: python 3.11 is needed", "error: python 3.11.4 is needed"],
        &["ImportError: libfoo.so.1", "ImportError: libfoo.so.2"],
        &["error: migration 0012 failed", "error: migration 0013 failed", "error: migration 00012 failed"],
        &["FAILED a.py::t - assert 404 == 200", "FAILED a.py::t - assert 500 == 200"],
        &["error: SQLSTATE[42P01]", "error: SQLSTATE[23505]", "error: SQLSTATE[23503]"],
        &["error: ORA-00942", "error: ORA-01017"],
        &["error: HTTP status 404", "error: HTTP status 500"],
        &["error: port 80 denied", "error: port 443 denied"],
        &["error: cannot apply migrations/0012_add.sql", "error: cannot apply migrations/0013_add.sql"],
        &["error: cannot open /tmp/x1/a.json", "error: cannot open /tmp/x1/b.json"],
        &["error: /tmp/one is missing", "error: /tmp/two is missing"],
        &["error: requires numpy==1.26.4", "error: requires numpy==2.0.0"],
        &["error: [Errno 13] denied", "error: [Errno 17] denied"],
    ] {
        let prints: BTreeSet<Fingerprint> = outputs.iter().map(|output| print_of("pytest", output)).collect();
        let told: Vec<ErrorSignature> = outputs
            .iter()
            .map(|output| ErrorSignature::of(&Failure { command: "pytest", exit_code: Some(1), output }))
            .collect();
        assert_eq!(prints.len(), outputs.len(), "{told:#?}");
    }
}

#[test]
fn an_exit_code_tells_failures_apart_and_its_absence_does_not() {
    let of = |exit_code, output| Fingerprint::of(&Failure { command: "./deploy", exit_code, output });
    let error = "error: bad row";
    assert_eq!(of(None, error), of(Some(1), error), "that it failed is known");
    assert_eq!(of(Some(101), error), of(Some(2), error));
    assert_ne!(of(Some(137), error), of(Some(1), error));
    assert_ne!(of(Some(1), ""), of(Some(3), ""));
    assert_eq!(
        of(None, "error: bad row\nexited with code 137"),
        of(Some(137), "error: bad row\nexited with code 137")
    );
    for (one, other, is_one) in [
        (of(None, ""), of(Some(3), ""), true),
        (of(None, error), of(Some(137), error), true),
        (of(Some(3), ""), of(Some(4), ""), false),
        (of(Some(139), error), of(Some(137), error), false),
        (of(None, error), of(None, "error: bad column"), false),
    ] {
        assert_eq!((one.is_of(&other), other.is_of(&one)), (is_one, is_one), "{one} {other}");
    }
}

#[test]
fn where_nothing_was_printed_the_payload_says_what_fails() {
    let silent = |command| ErrorSignature::of(&Failure { command, exit_code: None, output: "" });
    let told = |scope: &str, outcomes: &[&str], artifacts: &[&str]| {
        let mut payload = Escalation::of(Attempt::new(4), scope);
        payload.what_did_not_work = outcomes.iter().map(|text| (*text).to_owned()).collect();
        payload.handoff_artifacts = artifacts.iter().map(|text| (*text).to_owned()).collect();
        silent("cargo test").or_told_by(&payload).fingerprint()
    };
    let signal = ["latest blocking signal: KeyError: 'x' in load.py"];
    let prints = [
        told("import", &[], &[]),
        told("login", &[], &[]),
        told("import", &["test_import is still red"], &[]),
        told("import", &["test_login is still red"], &[]),
        told("import", &["test_import is still red"], &signal),
        silent("cargo test").fingerprint(),
    ];
    assert_eq!(prints.iter().collect::<BTreeSet<_>>().len(), prints.len());
    assert_eq!(told("a", &["x"], &signal), told("b", &["y"], &signal), "the signal says it best");
    assert_eq!(
        told("import", &["still red after 0.31s in /tmp/tmpab12cd34/x"], &[]),
        told("import", &["still red after 2.7s in /tmp/tmpzz99yy88/x"], &[]),
    );
    let printed = ErrorSignature::of(&Failure { command: "make", exit_code: None, output: "error: bad" });
    let payload = Escalation::of(Attempt::new(4), "import");
    assert_eq!(printed.clone().or_told_by(&payload), printed, "what was printed says it itself");
}
