//! Checks behind a task's name, whose runner only the output tells.

use super::check;

#[test]
fn any_runner_is_found_behind_a_task() {
    check(&[
        (
            "npm test",
            "> app@1.0.0 test\n> jest\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 4 passed, 5 total\n",
            "failed 4/1/0",
        ),
        (
            "npm test",
            "> vitest run\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n",
            "passed 3/0/0",
        ),
        ("npm test", "> mocha\n\n  12 passing (45ms)\n", "passed 12/0/0"),
        (
            "npm test",
            "\n> app@1.0.0 test\n> node --test\n\nℹ tests 4\nℹ pass 4\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
            "passed 4/0/0",
        ),
        ("npm test", "npm ERR! Missing script: \"test\"\n", "failed"),
        (
            "npm test",
            "> echo \"Error: no test specified\" && exit 1\n\nError: no test specified\nnpm error Lifecycle script `test` failed with error:\n",
            "failed",
        ),
        ("pnpm test", " ELIFECYCLE  Test failed. See above for more details.\n", "failed"),
        ("yarn test", "error Command failed with exit code 1.\n", "failed"),
        ("yarn test", "Tests:       5 passed, 5 total\nDone in 2.31s.\n", "passed 5/0/0"),
        ("make test", "python -m pytest\n=== 4 passed in 0.1s ===\n", "passed 4/0/0"),
        (
            "make test",
            "go test ./...\n--- FAIL: TestA (0.00s)\nFAIL\texample.com/a\t0.01s\nmake: *** [Makefile:5: test] Error 1\n",
            "failed 0/1/0: TestA",
        ),
        (
            "make check",
            "cargo test\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
            "passed 3/0/0",
        ),
        (
            "./scripts/test",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n=== 2 passed in 0.1s ===\n",
            "passed 5/0/1",
        ),
        ("just test", "error: Recipe `test` failed on line 12 with exit code 1\n", "failed"),
        ("composer test", "OK (12 tests, 30 assertions)\n", "passed 12/0/0"),
        ("rake test", "rake aborted!\n", "failed"),
        ("bundle exec rake spec", "3 examples, 0 failures\n", "passed 3/0/0"),
        ("npm run lint", "✖ 1 problem (1 error, 0 warnings)\n\nnpm error code ELIFECYCLE\n", "failed 0/1/0"),
        (
            "npm run typecheck",
            "src/a.ts(1,2): error TS2322: Type 'string' is not assignable.\n",
            "failed 0/1/0",
        ),
        ("npm run build", "✓ built in 812ms\n", "passed"),
        ("npm run build", "error during build:\nError: x\n", "failed"),
        ("npm run build", "> tsc\n\nsrc/a.ts(3,1): error TS1005: ';' expected.\n", "failed 0/1/0"),
        (
            "turbo run test",
            "web:test: Tests:       1 failed, 5 total\n\n Tasks:    1 successful, 2 total\nFailed:    web#test\n",
            "failed",
        ),
        ("docker compose exec web ./manage.py test", "Ran 3 tests in 0.010s\n\nOK\n", "passed 3/0/0"),
        (
            "npm run lint",
            "src/a.py:1: error: x\nFound 2 errors in 1 file (checked 3 source files)\n",
            "failed 0/2/0",
        ),
        ("make lint", "All checks passed!\nSuccess: no issues found in 3 source files\n", "passed"),
        ("make test", "Executed 3 out of 10 tests: 9 tests pass and 1 fails locally.\n", "failed 9/1/0"),
        ("mix test", "", "unknown"),
        ("npm test", "done\n", "unknown"),
        ("tox", "", "unknown"),
    ]);
}

#[test]
fn colours_and_line_ends_do_not_matter() {
    check(&[
        (
            "cargo test",
            "test result: \u{1b}[31mFAILED\u{1b}[0m. 1 passed; 1 failed; 0 ignored; 0 measured\r\n",
            "failed 1/1/0",
        ),
        (
            "jest",
            "\u{1b}[1mTests:       \u{1b}[22m\u{1b}[1m\u{1b}[31m1 failed\u{1b}[39m\u{1b}[22m, \u{1b}[1m\u{1b}[32m4 passed\u{1b}[39m\u{1b}[22m, 5 total\r\n",
            "failed 4/1/0",
        ),
        (
            "pytest",
            "\u{1b}[32m\u{1b}[32m\u{1b}[1m4 passed\u{1b}[0m\u{1b}[32m in 0.12s\u{1b}[0m\u{1b}[0m\n",
            "passed 4/0/0",
        ),
        ("flutter test", "00:00 +0: loading\r00:01 +1: a\r00:02 +2: All tests passed!\r\n", "passed 2/0/0"),
        (
            "vitest run",
            "\u{1b}]0;vitest\u{7} Test Files  1 passed (1)\n      Tests  \u{1b}[1m\u{1b}[32m3 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (3)\u{1b}[39m\n",
            "passed 3/0/0",
        ),
    ]);
}
