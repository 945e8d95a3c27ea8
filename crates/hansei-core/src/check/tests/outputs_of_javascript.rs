//! What the runners of the JavaScript world print at the end, and what it says.

use super::check;

#[test]
fn units() {
    check(&[
        (
            "jest",
            "PASS src/a.test.ts\n\nTest Suites: 1 passed, 1 total\nTests:       5 passed, 5 total\nSnapshots:   0 total\nTime:        1.2 s\n",
            "passed 5/0/0",
        ),
        (
            "jest",
            "FAIL src/a.test.ts\n  ● Cart › adds an item\n\n    expect(received).toBe(expected)\n\nTest Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 2 skipped, 10 passed, 13 total\n",
            "failed 10/1/2: Cart › adds an item",
        ),
        (
            "jest",
            "FAIL src/a.test.ts\n  ● Test suite failed to run\n\n    Cannot find module './b'\n\nTest Suites: 1 failed, 1 total\nTests:       0 total\n",
            "failed 0/0/0",
        ),
        (
            "jest zzz",
            "No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n",
            "nothingrun",
        ),
        (
            "jest",
            "Test Suites: 2 skipped, 0 of 2 total\nTests:       7 skipped, 7 total\n",
            "nothingrun 0/0/7",
        ),
        (
            "npx jest",
            "Jest: \"global\" coverage threshold for branches (80%) not met: 71%\nTests:       5 passed, 5 total\n",
            "failed 5/0/0",
        ),
        (
            "vitest run",
            " ✓ src/a.test.ts (3 tests) 4ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n   Duration  312ms\n",
            "passed 3/0/0",
        ),
        (
            "vitest run",
            " ❯ src/a.test.ts (3 tests | 1 failed) 8ms\n FAIL  src/a.test.ts > cart > adds\nAssertionError: expected 1 to be 2\n\n Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 10 passed | 1 skipped (12)\n",
            "failed 10/1/1: src/a.test.ts > cart > adds",
        ),
        (
            "vitest run",
            " FAIL  src/b.test.ts [ src/b.test.ts ]\nError: Failed to resolve import\n\n Test Files  1 failed (1)\n      Tests  no tests\n",
            "failed 0/0/0: src/b.test.ts [ src/b.test.ts ]",
        ),
        ("vitest run zzz", "No test files found, exiting with code 1\n\nfilter: zzz\n", "nothingrun"),
        (
            "vitest run",
            " Test Files  1 passed (1)\n      Tests  3 passed (3)\n     Errors  1 error\n",
            "failed 3/0/0",
        ),
        ("mocha", "  Cart\n    ✔ adds\n\n\n  12 passing (45ms)\n  2 pending\n\n", "passed 12/0/2"),
        (
            "mocha",
            "  11 passing (45ms)\n  1 failing\n\n  1) Cart\n       adds an item:\n     AssertionError: expected 1 to equal 2\n",
            "failed 11/1/0: Cart adds an item",
        ),
        ("mocha", "\n\n  0 passing (1ms)\n\n", "nothingrun 0/0/0"),
        ("mocha", "Error: No test files found: \"test\"\n", "nothingrun"),
    ]);
}

#[test]
fn browsers_and_other_runtimes() {
    check(&[
        (
            "npx playwright test",
            "Running 12 tests using 4 workers\n\n  1) [chromium] › tests/a.spec.ts:3:5 › login ────\n\n    Error: expect(locator).toBeVisible()\n\n  1 failed\n    [chromium] › tests/a.spec.ts:3:5 › login ───────────\n  1 skipped\n  10 passed (12.3s)\n",
            "failed 10/1/1: [chromium] › tests/a.spec.ts:3:5 › login",
        ),
        ("npx playwright test", "Running 3 tests using 1 worker\n\n  3 passed (2.1s)\n", "passed 3/0/0"),
        (
            "npx playwright test",
            "  1 flaky\n    [firefox] › a.spec.ts:1:1 › x\n  2 passed (5s)\n",
            "passed 3/0/0",
        ),
        ("npx playwright test zzz", "Error: No tests found\n", "nothingrun"),
        (
            "npx cypress run",
            "  │ Tests:        5                                  │\n  │ Passing:      4                                  │\n  │ Failing:      1                                  │\n  │ Pending:      0                                  │\n\n    ✖  1 of 1 failed (100%)                     00:04        5        4        1        -        -\n",
            "failed 4/1/0",
        ),
        (
            "npx cypress run",
            "  │ Tests:        3     │\n  │ Passing:      3     │\n  │ Failing:      0     │\n    ✔  All specs passed!                        00:02        3        3        -\n",
            "passed 3/0/0",
        ),
        (
            "bun test",
            "bun test v1.1.0\n\nsrc/a.test.ts:\n(fail) cart > adds [0.12ms]\n\n 11 pass\n 1 fail\n 20 expect() calls\nRan 12 tests across 2 files. [34.00ms]\n",
            "failed 11/1/0: cart > adds",
        ),
        ("bun test", " 12 pass\n 0 fail\nRan 12 tests across 2 files. [34.00ms]\n", "passed 12/0/0"),
        (
            "deno test",
            "running 3 tests from ./a_test.ts\n\nok | 3 passed (2 steps) | 0 failed (45ms)\n",
            "passed 3/0/0",
        ),
        (
            "deno test",
            " FAILURES \n\nadds => ./a_test.ts:1:6\n\nFAILED | 2 passed | 1 failed (45ms)\n\nerror: Test failed\n",
            "failed 2/1/0: adds",
        ),
        ("deno test", "error: No test modules found\n", "nothingrun"),
        (
            "ng test --watch=false",
            "Chrome Headless: Executed 3 of 12 SUCCESS (0.01 secs / 0.01 secs)\nChrome Headless: Executed 12 of 12 (1 FAILED) (0.1 secs / 0.05 secs)\n",
            "failed 11/1/0",
        ),
        ("jasmine", "12 specs, 0 failures\nFinished in 0.1 seconds\n", "passed 12/0/0"),
        (
            "node --test",
            "TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2\n# tests 2\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 40.1\n",
            "failed 1/1/0: b",
        ),
        (
            "node --test",
            "✔ adds (0.5ms)\n✖ removes (1.2ms)\nℹ tests 2\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 40\n\n✖ failing tests:\n",
            "failed 1/1/0: removes",
        ),
        (
            "node --test",
            "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
            "nothingrun 0/0/0",
        ),
        ("npx ava", "  ✔ a\n  ✘ [fail]: b\n  ─\n\n  1 test failed\n  3 tests passed\n", "failed 3/1/0: b"),
        ("npx ava", "  ✔ a\n  ─\n\n  1 test passed\n", "passed 1/0/0"),
        ("npx ava", "  ✘ Couldn’t find any files to test\n", "nothingrun"),
    ]);
}
