//! What test runners print at the end, and what it says.

use super::check;

#[test]
fn rust() {
    check(&[
        (
            "cargo test",
            "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
            "passed 2/0/0",
        ),
        (
            "cargo test",
            "test parser::tests::empty ... FAILED\n\nfailures:\n\n---- parser::tests::empty stdout ----\nthread panicked\n\nfailures:\n    parser::tests::empty\n\ntest result: FAILED. 4 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\nerror: test failed, to rerun pass `--lib`\n",
            "failed 4/1/1: parser::tests::empty",
        ),
        (
            "cargo test",
            "     Running unittests src/lib.rs\ntest result: ok. 10 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n     Running tests/cli.rs\ntest result: ok. 5 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out\n   Doc-tests core\nrunning 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
            "passed 15/0/2",
        ),
        (
            "cargo test nothing_matches",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 42 filtered out; finished in 0.00s\n",
            "nothingrun 0/0/0",
        ),
        (
            "cargo test",
            "test result: ok. 0 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out\n",
            "nothingrun 0/0/3",
        ),
        (
            "cargo test",
            "error[E0425]: cannot find value `x` in this scope\n --> src/lib.rs:3:5\n\nerror: could not compile `core` (lib test) due to 1 previous error\n",
            "failed",
        ),
        (
            "cargo test",
            "     Running unittests src/main.rs\nerror: test failed, to rerun pass `-p core --lib`\n\nCaused by:\n  process didn't exit successfully: `target/debug/deps/core-1` (signal: 11, SIGSEGV: invalid memory reference)\n",
            "failed",
        ),
        ("cargo test --test cli", "error: no test target named `cli` in default-run packages\n", "failed"),
        (
            "cargo nextest run",
            "────────────\n     Summary [   1.234s] 120 tests run: 120 passed (1 slow), 3 skipped\n",
            "passed 120/0/3",
        ),
        (
            "cargo nextest run",
            "        FAIL [   0.010s] core parser::empty\n────────────\n     Summary [   0.5s] 20 tests run: 18 passed, 2 failed, 0 skipped\n        FAIL [   0.010s] core parser::empty\n        FAIL [   0.011s] core parser::long\nerror: test run failed\n",
            "failed 18/2/0: core parser::empty, core parser::long",
        ),
        (
            "cargo nextest run zzz",
            "    Starting 0 tests across 3 binaries (120 tests skipped)\n     Summary [   0.001s] 0 tests run: 0 passed, 120 skipped\nerror: no tests to run\n",
            "nothingrun 0/0/120",
        ),
    ]);
}

#[test]
fn python() {
    check(&[
        (
            "pytest",
            "tests/test_a.py ....    [100%]\n\n============================== 4 passed in 0.12s ===============================\n",
            "passed 4/0/0",
        ),
        (
            "pytest -q",
            "....                                                                     [100%]\n4 passed in 0.12s\n",
            "passed 4/0/0",
        ),
        (
            "pytest",
            "=========================== short test summary info ============================\nFAILED tests/test_a.py::test_x - AssertionError: assert 1 == 2\nFAILED tests/test_a.py::TestB::test_y[1-2] - ValueError\n========================= 2 failed, 10 passed, 1 skipped, 3 warnings in 1.20s =========================\n",
            "failed 10/2/1: tests/test_a.py::test_x, tests/test_a.py::TestB::test_y[1-2]",
        ),
        (
            "pytest",
            "collected 0 items\n\n============================ no tests ran in 0.01s =============================\n",
            "nothingrun",
        ),
        (
            "pytest -k zzz",
            "collected 12 items / 12 deselected / 0 selected\n\n============================ 12 deselected in 0.02s ============================\n",
            "nothingrun 0/0/0",
        ),
        (
            "pytest",
            "============================== 3 skipped in 0.02s ==============================\n",
            "nothingrun 0/0/3",
        ),
        (
            "pytest",
            "=================== 8 passed, 1 xfailed, 1 xpassed in 62.10s (0:01:02) ===================\n",
            "passed 9/0/1",
        ),
        (
            "pytest",
            "==================================== ERRORS ====================================\n_____________________ ERROR collecting tests/test_a.py _____________________\nE   ModuleNotFoundError: No module named 'app'\n=========================== short test summary info ============================\nERROR tests/test_a.py\n!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!\n=============================== 1 error in 0.10s ===============================\n",
            "failed 0/1/0: tests/test_a.py",
        ),
        ("pytest", "==================== 5 passed, 2 errors in 0.10s ====================\n", "failed 5/2/0"),
        (
            "pytest --cov",
            "FAIL Required test coverage of 90% not reached. Total coverage: 71.00%\n======= 12 passed in 0.5s =======\n",
            "failed 12/0/0",
        ),
        ("pytest nope", "ERROR: file or directory not found: nope\n\n", "failed"),
        (
            "python -m unittest",
            "....\n----------------------------------------------------------------------\nRan 4 tests in 0.003s\n\nOK\n",
            "passed 4/0/0",
        ),
        ("python -m unittest", "Ran 4 tests in 0.003s\n\nOK (skipped=1)\n", "passed 3/0/1"),
        (
            "python -m unittest",
            "FAIL: test_x (tests.test_a.TestA.test_x)\n----\nERROR: test_y (tests.test_a.TestA.test_y)\n----\nRan 5 tests in 0.010s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1)\n",
            "failed 1/2/2: test_x (tests.test_a.TestA.test_x), test_y (tests.test_a.TestA.test_y)",
        ),
        (
            "python -m unittest",
            "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n",
            "nothingrun",
        ),
        ("python -m unittest", "Ran 0 tests in 0.000s\n\nOK\n", "nothingrun 0/0/0"),
        ("python -m unittest", "Ran 2 tests in 0.000s\n\nOK (skipped=2)\n", "nothingrun 0/0/2"),
        (
            "python manage.py test",
            "Found 3 test(s).\nSystem check identified no issues (0 silenced).\n...\nRan 3 tests in 0.010s\n\nOK\nDestroying test database for alias 'default'...\n",
            "passed 3/0/0",
        ),
        (
            "tox",
            "  py311: OK (5.12=setup[2.01]+cmd[3.11] seconds)\n  py312: OK (4.99 seconds)\n  congratulations :) (10.12 seconds)\n",
            "passed",
        ),
        (
            "tox",
            "===== 10 passed in 0.5s =====\n  py311: OK (5.12 seconds)\n  lint: FAIL code 1 (1.20=setup[0.5]+cmd[0.7] seconds)\n  evaluation failed :( (6.5 seconds)\n",
            "failed 10/0/0",
        ),
        (
            "nox",
            "nox > Running session tests\n===== 10 passed in 0.5s =====\nnox > Session tests was successful.\n",
            "passed 10/0/0",
        ),
    ]);
}

#[test]
fn go() {
    check(&[
        (
            "go test ./...",
            "ok  \texample.com/a\t0.012s\nok  \texample.com/b\t(cached)\n?   \texample.com/cmd\t[no test files]\n",
            "passed 2/0/0",
        ),
        (
            "go test ./...",
            "--- FAIL: TestAdd (0.00s)\n    a_test.go:12: got 3\nFAIL\nFAIL\texample.com/a\t0.012s\nok  \texample.com/b\t0.1s\nFAIL\n",
            "failed 1/1/0: TestAdd",
        ),
        (
            "go test -v ./a",
            "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nPASS\nok  \texample.com/a\t0.012s\n",
            "passed 1/0/1",
        ),
        (
            "go test ./...",
            "# example.com/a [example.com/a.test]\n./a_test.go:5:2: undefined: x\nFAIL\texample.com/a [build failed]\nFAIL\n",
            "failed 0/1/0: example.com/a [build failed]",
        ),
        (
            "go test -run XXX ./a",
            "testing: warning: no tests to run\nPASS\nok  \texample.com/a\t0.001s [no tests to run]\n",
            "nothingrun",
        ),
        ("go test ./...", "?   \texample.com/cmd\t[no test files]\n", "nothingrun"),
        (
            "go test ./a",
            "panic: runtime error: index out of range [3]\n\ngoroutine 6 [running]:\nFAIL\texample.com/a\t0.005s\nFAIL\n",
            "failed 0/1/0",
        ),
        (
            "gotestsum",
            "=== Failed\n=== FAIL: a TestAdd (0.00s)\n\nDONE 12 tests, 1 skipped, 1 failure in 1.234s\n",
            "failed 10/1/1",
        ),
    ]);
}

#[test]
fn jvm_and_dotnet() {
    check(&[
        (
            "mvn test",
            "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s - in com.a.FooTest\n[INFO] Results:\n[INFO] \n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] \n[INFO] BUILD SUCCESS\n",
            "passed 3/0/0",
        ),
        (
            "mvn verify",
            "[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.1 s <<< FAILURE! - in com.a.FooTest\n[ERROR] Failures: \n[ERROR]   FooTest.testAdd:23 expected: <1> but was: <2>\n[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n[INFO] BUILD FAILURE\n",
            "failed 2/2/1: FooTest.testAdd:23",
        ),
        ("mvn test", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n", "nothingrun"),
        ("mvn test", "[ERROR] COMPILATION ERROR : \n[INFO] BUILD FAILURE\n", "failed"),
        (
            "./gradlew test",
            "> Task :test\n\nBUILD SUCCESSFUL in 3s\n5 actionable tasks: 2 executed, 3 up-to-date\n",
            "passed",
        ),
        (
            "./gradlew test",
            "> Task :test FAILED\n\nFooTest > testAdd() FAILED\n    org.opentest4j.AssertionFailedError at FooTest.java:12\n\n12 tests completed, 1 failed, 2 skipped\n\nFAILURE: Build failed with an exception.\n\nBUILD FAILED in 3s\n",
            "failed 9/1/2: FooTest > testAdd()",
        ),
        (
            "gradle test",
            "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n",
            "nothingrun",
        ),
        (
            "sbt test",
            "[info] - adds *** FAILED ***\n[error] Failed: Total 10, Failed 1, Errors 0, Passed 9\n[error] Failed tests:\n",
            "failed 9/1/0: adds",
        ),
        (
            "sbt test",
            "[info] Passed: Total 10, Failed 0, Errors 0, Passed 10\n[success] Total time: 3 s\n",
            "passed 10/0/0",
        ),
        (
            "dotnet test",
            "Passed!  - Failed:     0, Passed:    10, Skipped:     1, Total:    11, Duration: 45 ms - App.Tests.dll (net8.0)\n",
            "passed 10/0/1",
        ),
        (
            "dotnet test",
            "  Failed App.Tests.CartTests.Adds [12 ms]\n  Error Message:\n   Assert.Equal() Failure\n\nFailed!  - Failed:     1, Passed:     9, Skipped:     0, Total:    10, Duration: 45 ms - App.Tests.dll (net8.0)\n",
            "failed 9/1/0: App.Tests.CartTests.Adds",
        ),
        (
            "dotnet test",
            "Test summary: total: 10, failed: 0, succeeded: 9, skipped: 1, duration: 1.1s\n",
            "passed 9/0/1",
        ),
        (
            "dotnet test",
            "Test Run Failed.\nTotal tests: 4\n     Passed: 3\n     Failed: 1\n Total time: 1.2 Seconds\n",
            "failed 3/1/0",
        ),
        (
            "dotnet test",
            "No test is available in /app/bin/App.dll. Make sure that test discoverer is registered\n",
            "nothingrun",
        ),
        ("dotnet test", "/app/Cart.cs(3,5): error CS1002: ; expected [/app/App.csproj]\n", "failed"),
    ]);
}

#[test]
fn ruby_php_elixir_shell() {
    check(&[
        (
            "rspec",
            "Finished in 0.1 seconds (files took 0.2 seconds to load)\n12 examples, 0 failures\n",
            "passed 12/0/0",
        ),
        (
            "rspec",
            "Failed examples:\n\nrspec ./spec/a_spec.rb:12 # Cart adds\n\n12 examples, 1 failure, 2 pending\n",
            "failed 9/1/2: spec/a_spec.rb:12 # Cart adds",
        ),
        ("rspec", "No examples found.\n\n0 examples, 0 failures\n", "nothingrun 0/0/0"),
        (
            "rspec",
            "An error occurred while loading ./spec/a_spec.rb.\n0 examples, 0 failures, 1 error occurred outside of examples\n",
            "failed 0/1/0",
        ),
        (
            "bin/rails test",
            "Failure:\nUserTest#test_name [test/models/user_test.rb:12]:\nExpected false to be truthy.\n\n12 runs, 30 assertions, 1 failures, 0 errors, 2 skips\n",
            "failed 9/1/2: UserTest#test_name",
        ),
        ("bin/rails test", "12 runs, 30 assertions, 0 failures, 0 errors, 0 skips\n", "passed 12/0/0"),
        ("bin/rails test", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n", "nothingrun 0/0/0"),
        (
            "vendor/bin/phpunit",
            "............   12 / 12 (100%)\n\nTime: 00:00.012, Memory: 6.00 MB\n\nOK (12 tests, 30 assertions)\n",
            "passed 12/0/0",
        ),
        (
            "vendor/bin/phpunit",
            "There was 1 failure:\n\n1) Tests\\CartTest::testAdd\nFailed asserting that 1 matches expected 2.\n\nFAILURES!\nTests: 12, Assertions: 30, Failures: 1, Skipped: 2.\n",
            "failed 9/1/2: Tests\\CartTest::testAdd",
        ),
        ("vendor/bin/phpunit", "No tests executed!\n", "nothingrun"),
        (
            "vendor/bin/phpunit",
            "OK, but some tests were skipped!\nTests: 3, Assertions: 0, Skipped: 3.\n",
            "nothingrun 0/0/3",
        ),
        (
            "php artisan test",
            "   FAILED  Tests\\Unit\\CartTest > it adds\n\n  Tests:    1 failed, 12 passed (30 assertions)\n  Duration: 0.31s\n",
            "failed 12/1/0: Tests\\Unit\\CartTest > it adds",
        ),
        ("./vendor/bin/pest", "  Tests:    12 passed (30 assertions)\n", "passed 12/0/0"),
        (
            "mix test",
            "............\n\nFinished in 0.1 seconds (0.00s async, 0.1s sync)\n3 doctests, 12 tests, 0 failures\n",
            "passed 15/0/0",
        ),
        (
            "mix test",
            "  1) test adds (CartTest)\n     test/cart_test.exs:5\n\n12 tests, 1 failure, 1 skipped\n",
            "failed 10/1/1: adds (CartTest)",
        ),
        ("mix test", "== Compilation error in file lib/cart.ex ==\n** (TokenMissingError)\n", "failed"),
        (
            "mix test --only x",
            "All tests have been excluded.\n\n12 tests, 0 failures, 12 excluded\n",
            "nothingrun 0/0/12",
        ),
        (
            "bats test",
            "1..3\nok 1 adds\nnot ok 2 removes\n# (in test file a.bats, line 5)\nok 3 lists # skip later\n",
            "failed 1/1/1: 2 removes",
        ),
        ("bats test", " ✓ adds\n ✗ removes\n\n2 tests, 1 failure\n", "failed 1/1/0: removes"),
        ("bats test", "1..0\n", "nothingrun"),
        (
            "prove -r t",
            "t/a.t .. ok\nAll tests successful.\nFiles=3, Tests=12,  0 wallclock secs\nResult: PASS\n",
            "passed",
        ),
        ("prove -r t", "Failed 1/3 test programs. 1/12 subtests failed.\nResult: FAIL\n", "failed"),
    ]);
}

#[test]
fn c_swift_flutter_bazel() {
    check(&[
        (
            "ctest",
            "100% tests passed, 0 tests failed out of 12\n\nTotal Test time (real) =   0.50 sec\n",
            "passed 12/0/0",
        ),
        (
            "ctest",
            "92% tests passed, 1 tests failed out of 12\n\nThe following tests FAILED:\n\t  3 - cart_add (Failed)\nErrors while running CTest\n",
            "failed 11/1/0: cart_add (Failed)",
        ),
        ("ctest", "No tests were found!!!\n", "nothingrun"),
        (
            "meson test -C build",
            "Ok:                 12  \nExpected Fail:      0   \nFail:               1   \nUnexpected Pass:    0   \nSkipped:            2   \nTimeout:            0   \n",
            "failed 12/1/2",
        ),
        (
            "swift test",
            "Test Case '-[AppTests.CartTests testAdd]' failed (0.001 seconds).\nTest Suite 'CartTests' failed at 2025-01-01.\n\t Executed 3 tests, with 1 failure (0 unexpected) in 0.002 (0.003) seconds\nTest Suite 'All tests' failed at 2025-01-01.\n\t Executed 5 tests, with 1 failure (0 unexpected) in 0.002 (0.003) seconds\n",
            "failed 4/1/0: -[AppTests.CartTests testAdd]",
        ),
        (
            "swift test",
            "\t Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n✔ Test run with 12 tests in 3 suites passed after 0.001 seconds.\n",
            "passed 12/0/0",
        ),
        (
            "swift test",
            "✘ Test adds() failed after 0.001 seconds with 1 issue.\n✘ Test run with 12 tests failed after 0.001 seconds with 1 issue.\n",
            "failed 0/1/0: adds()",
        ),
        (
            "swift test",
            "\t Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n",
            "nothingrun 0/0/0",
        ),
        (
            "xcodebuild test -scheme App",
            "\t Executed 3 tests, with 0 failures (0 unexpected) in 0.002 (0.003) seconds\n** TEST SUCCEEDED **\n",
            "passed 3/0/0",
        ),
        ("xcodebuild test -scheme App", "** TEST FAILED **\n", "failed"),
        (
            "flutter test",
            "00:00 +0: loading /app/test/cart_test.dart\n00:03 +12: All tests passed!\n",
            "passed 12/0/0",
        ),
        (
            "flutter test",
            "00:02 +5 -1: /app/test/cart_test.dart: adds [E]\n00:03 +11 ~2 -1: Some tests failed.\n",
            "failed 11/1/2: /app/test/cart_test.dart: adds",
        ),
        (
            "bazel test //...",
            "//a:test                          PASSED in 0.1s\n\nExecuted 3 out of 10 tests: 10 tests pass.\n",
            "passed 10/0/0",
        ),
        (
            "bazel test //...",
            "//a:test                          FAILED in 0.1s\n\nExecuted 10 out of 10 tests: 9 tests pass and 1 fails locally.\n",
            "failed 9/1/0: //a:test",
        ),
    ]);
}
