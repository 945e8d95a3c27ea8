//! Lines in which a command may fail without the line failing.

use crate::check::hides_failure;

#[test]
fn what_hides_a_failure() {
    for line in [
        "pytest || true",
        "node run.js || true",
        "node run.js; exit 0",
        "./run | tee log",
        "jest; echo done",
        "bash -c 'jest || true'",
        "if jest; then echo ok; fi",
        "! jest",
        "jest &",
        "grep -q x file || echo no",
    ] {
        assert!(hides_failure(line).is_some(), "{line}");
    }
    for line in [
        "pytest",
        "node run.js",
        "npm run lint && jest",
        "cd web && jest",
        "set -o pipefail; jest | tee log",
        "set -e; tsc; jest",
        "NODE_ENV=test jest --ci",
        "test -f out.txt",
        "rm -rf dist && tsc",
        "bash -c 'tsc && jest'",
        "echo start; jest",
        "",
    ] {
        assert_eq!(hides_failure(line), None, "{line}");
    }
}
