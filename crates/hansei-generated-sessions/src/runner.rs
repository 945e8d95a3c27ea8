//! Runners of checks and what they print: green, red, and when nothing ran. A row each.

/// A runner and its outputs.
#[derive(Debug)]
pub struct Runner {
    /// A command line that runs everything.
    pub command: &'static str,
    /// A file of code that it covers.
    pub file: &'static str,
    /// A file of tests.
    pub test_file: &'static str,
    /// What it prints when all is well.
    pub green: &'static str,
    /// What it prints when something fails; the end of it tells.
    pub red: &'static str,
    /// Its exit code then.
    pub red_code: i32,
    /// Ways to run no test at all: the command, the output, the exit code. A line that only compiles the tests is not among
    /// them: it is a build, and may pass as one.
    pub nothing: &'static [(&'static str, &'static str, i32)],
    /// A command that runs only tests that pass, and what it prints.
    pub narrow: Option<(&'static str, &'static str)>,
    /// A line that a passing test prints, `#` standing for its number.
    pub line: &'static str,
}

/// All runners.
pub const RUNNERS: &[Runner] = &[
    Runner {
        command: "cargo test",
        file: "src/cart.rs",
        test_file: "tests/cart.rs",
        green: "    Finished `test` profile [unoptimized + debuginfo] target(s) in 2.31s\n     Running unittests src/lib.rs (target/debug/deps/shop-5b1c)\n\ntest result: ok. 41 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.08s\n\n   Doc-tests shop\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        red: "---- cart::tests::rounds_half_up stdout ----\n\nthread 'cart::tests::rounds_half_up' panicked at src/cart.rs:88:9:\nassertion `left == right` failed\n  left: 1049\n right: 1050\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\nfailures:\n    cart::tests::rounds_half_up\n    cart::tests::splits_evenly\n\ntest result: FAILED. 39 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.09s\n\nerror: test failed, to rerun pass `--lib`\n",
        red_code: 101,
        nothing: &[
            (
                "cargo test rounding_of_totals",
                "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 42 filtered out; finished in 0.00s\n",
                0,
            ),
            (
                "cargo test -- --list",
                "cart::tests::rounds_half_up: test\ncart::tests::splits_evenly: test\n\n2 tests, 0 benchmarks\n",
                0,
            ),
            (
                "cargo test",
                "test result: ok. 0 passed; 0 failed; 12 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
                0,
            ),
            (
                "cargo test --help",
                "Execute all unit and integration tests and build examples of a local package\n\nUsage: cargo test [OPTIONS] [TESTNAME] [-- [ARGS]...]\n",
                0,
            ),
        ],
        narrow: Some((
            "cargo test empty_cart",
            "running 1 test\ntest cart::tests::empty_cart ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 41 filtered out; finished in 0.00s\n",
        )),
        line: "test cart::tests::case_# ... ok\n",
    },
    Runner {
        command: "cargo nextest run",
        file: "crates/shop/src/tax.rs",
        test_file: "crates/shop/tests/tax.rs",
        green: "────────────\n     Summary [   0.412s] 118 tests run: 118 passed, 2 skipped\n",
        red: "  stderr ───\n    thread 'tax::reduced_rate' panicked at crates/shop/src/tax.rs:31:5:\n    assertion failed: rate.is_some()\n\n  Cancelling due to test failure: \n────────────\n     Summary [   0.398s] 118 tests run: 116 passed, 2 failed, 2 skipped\n        FAIL [   0.012s] shop tax::reduced_rate\n        FAIL [   0.009s] shop tax::zero_rate\nerror: test run failed\n",
        red_code: 100,
        nothing: &[("cargo nextest list", "shop:\n    tax::reduced_rate\n    tax::zero_rate\n", 0)],
        narrow: None,
        line: "        PASS [   0.004s] shop tax::case_#\n",
    },
    Runner {
        command: "pytest",
        file: "app/cart.py",
        test_file: "tests/test_cart.py",
        green: "collected 37 items\n\ntests/test_cart.py .....................................                 [100%]\n\n============================== 37 passed in 1.42s ==============================\n",
        red: "    def test_rounding():\n>       assert total([0.5, 0.5]) == 2\nE       assert 1 == 2\nE        +  where 1 = total([0.5, 0.5])\n\ntests/test_cart.py:41: AssertionError\n=========================== short test summary info ============================\nFAILED tests/test_cart.py::test_rounding - assert 1 == 2\nFAILED tests/test_cart.py::test_discount[gold] - KeyError: 'gold'\n========================= 2 failed, 35 passed in 1.61s =========================\n",
        red_code: 1,
        nothing: &[
            (
                "pytest --collect-only -q",
                "tests/test_cart.py::test_rounding\ntests/test_cart.py::test_discount[gold]\n\n2 tests collected in 0.03s\n",
                0,
            ),
            (
                "pytest -k rounding_total",
                "collected 37 items / 37 deselected / 0 selected\n\n============================ 37 deselected in 0.05s ============================\n",
                5,
            ),
            (
                "pytest",
                "collected 12 items\n\ntests/test_cart.py ssssssssssss                                         [100%]\n\n============================== 12 skipped in 0.04s ==============================\n",
                0,
            ),
            ("pytest --version", "pytest 8.3.4\n", 0),
        ],
        narrow: Some((
            "pytest tests/test_cart.py::test_empty",
            "collected 1 item\n\ntests/test_cart.py .                                                     [100%]\n\n============================== 1 passed in 0.11s ===============================\n",
        )),
        line: "tests/test_cart.py::test_case_# PASSED                                   [ 50%]\n",
    },
    Runner {
        command: "python -m unittest discover",
        file: "shop/stock.py",
        test_file: "tests/test_stock.py",
        green: "----------------------------------------------------------------------\nRan 24 tests in 0.318s\n\nOK (skipped=1)\n",
        red: "======================================================================\nFAIL: test_reserve (tests.test_stock.StockTest.test_reserve)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File \"/home/dev/shop/tests/test_stock.py\", line 33, in test_reserve\n    self.assertEqual(stock.free, 3)\nAssertionError: 4 != 3\n\n----------------------------------------------------------------------\nRan 24 tests in 0.322s\n\nFAILED (failures=1, skipped=1)\n",
        red_code: 1,
        nothing: &[(
            "python -m unittest discover -s spec",
            "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n",
            5,
        )],
        narrow: None,
        line: "test_case_# (tests.test_stock.StockTest.test_case_#) ... ok\n",
    },
    Runner {
        command: "npx vitest run",
        file: "src/cart.ts",
        test_file: "src/cart.test.ts",
        green: "\u{1b}[32m ✓\u{1b}[39m src/cart.test.ts (18 tests) 21ms\n\n\u{1b}[2m Test Files \u{1b}[22m \u{1b}[1m\u{1b}[32m4 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (4)\u{1b}[39m\n\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m61 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (61)\u{1b}[39m\n\u{1b}[2m   Duration \u{1b}[22m 812ms\n",
        red: " FAIL  src/cart.test.ts > cart > rounds half up\nAssertionError: expected 1049 to be 1050 // Object.is equality\n ❯ src/cart.test.ts:27:22\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n\n Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 60 passed (61)\n   Start at  10:12:40\n   Duration  903ms\n",
        red_code: 1,
        nothing: &[
            ("npx vitest run rounding", "No test files found, exiting with code 1\n\nfilter: rounding\n", 1),
            ("npx vitest list", "src/cart.test.ts > cart > rounds half up\n", 0),
            (
                "npx vitest run",
                " Test Files  2 skipped (2)\n      Tests  9 skipped (9)\n   Duration  402ms\n",
                0,
            ),
        ],
        narrow: Some((
            "npx vitest run src/format.test.ts",
            " ✓ src/format.test.ts (5 tests) 4ms\n\n Test Files  1 passed (1)\n      Tests  5 passed (5)\n   Duration  310ms\n",
        )),
        line: " ✓ src/case_#.test.ts (3 tests) 4ms\n",
    },
    Runner {
        command: "npm test",
        file: "src/checkout.js",
        test_file: "src/__tests__/checkout.test.js",
        green: "\n> shop@1.4.0 test\n> jest\n\nPASS src/__tests__/checkout.test.js\n\nTest Suites: 6 passed, 6 total\nTests:       58 passed, 58 total\nSnapshots:   3 passed, 3 total\nTime:        2.114 s\nRan all test suites.\n",
        red: "\n> shop@1.4.0 test\n> jest\n\nFAIL src/__tests__/checkout.test.js\n  ● checkout › applies the voucher once\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 900\n    Received: 800\n\n      at Object.toBe (src/__tests__/checkout.test.js:19:27)\n\nTest Suites: 1 failed, 5 passed, 6 total\nTests:       1 failed, 57 passed, 58 total\nSnapshots:   3 passed, 3 total\nTime:        2.342 s\nRan all test suites.\n",
        red_code: 1,
        nothing: &[
            (
                "npm test -- --listTests",
                "\n> shop@1.4.0 test\n> jest --listTests\n\n/home/dev/shop/src/__tests__/checkout.test.js\n",
                0,
            ),
            (
                "npm test -- --passWithNoTests voucher",
                "\n> shop@1.4.0 test\n> jest --passWithNoTests voucher\n\nNo tests found, exiting with code 0\n",
                0,
            ),
        ],
        narrow: None,
        line: "PASS src/__tests__/case_#.test.js\n",
    },
    Runner {
        command: "yarn jest",
        file: "packages/ui/src/Price.tsx",
        test_file: "packages/ui/src/Price.test.tsx",
        green: "Test Suites: 2 passed, 2 total\nTests:       14 passed, 14 total\nSnapshots:   0 total\nTime:        1.9 s\n",
        red: "  ● Price › shows two decimals\n\n    Unable to find an element with the text: 10.50\n\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 13 passed, 14 total\nSnapshots:   0 total\nTime:        2.1 s\nerror Command failed with exit code 1.\n",
        red_code: 1,
        nothing: &[(
            "yarn jest",
            "Test Suites: 2 skipped, 0 of 2 total\nTests:       14 skipped, 14 total\nSnapshots:   0 total\nTime:        0.9 s\n",
            0,
        )],
        narrow: None,
        line: "PASS packages/ui/src/Case#.test.tsx\n",
    },
    Runner {
        command: "npx mocha",
        file: "lib/order.js",
        test_file: "test/order.spec.js",
        green: "  order\n    ✔ totals the lines\n    ✔ applies shipping\n\n\n  22 passing (84ms)\n  1 pending\n\n",
        red: "  20 passing (91ms)\n  2 failing\n\n  1) order\n       applies shipping:\n\n      AssertionError: expected 5 to equal 0\n      at Context.<anonymous> (test/order.spec.js:18:34)\n\n  2) order\n       frees shipping over 50:\n     TypeError: Cannot read properties of undefined (reading 'total')\n\n",
        red_code: 2,
        nothing: &[("npx mocha --grep shipping-cost", "\n\n  0 passing (2ms)\n\n", 0)],
        narrow: None,
        line: "    ✔ handles case #\n",
    },
    Runner {
        command: "go test ./...",
        file: "internal/cart/cart.go",
        test_file: "internal/cart/cart_test.go",
        green: "ok  \texample.test/shop/internal/cart\t0.012s\nok  \texample.test/shop/internal/tax\t0.008s\n?   \texample.test/shop/cmd/shop\t[no test files]\n",
        red: "--- FAIL: TestRound (0.00s)\n    cart_test.go:24: got 1049, want 1050\nFAIL\nFAIL\texample.test/shop/internal/cart\t0.011s\nok  \texample.test/shop/internal/tax\t(cached)\nFAIL\n",
        red_code: 1,
        nothing: &[
            (
                "go test -run TestRounding ./...",
                "ok  \texample.test/shop/internal/cart\t0.004s [no tests to run]\nok  \texample.test/shop/internal/tax\t0.003s [no tests to run]\n",
                0,
            ),
            (
                "go test -list . ./...",
                "TestRound\nTestTax\nok  \texample.test/shop/internal/cart\t0.003s\n",
                0,
            ),
        ],
        narrow: Some(("go test ./internal/tax/...", "ok  \texample.test/shop/internal/tax\t0.008s\n")),
        line: "ok  \texample.test/shop/internal/pkg#\t0.010s\n",
    },
    Runner {
        command: "./gradlew test",
        file: "src/main/java/shop/Cart.java",
        test_file: "src/test/java/shop/CartTest.java",
        green: "> Task :compileJava\n> Task :compileTestJava\n> Task :test\n\nBUILD SUCCESSFUL in 6s\n4 actionable tasks: 3 executed, 1 up-to-date\n",
        red: "> Task :test FAILED\n\nCartTest > roundsHalfUp() FAILED\n    org.opentest4j.AssertionFailedError at CartTest.java:31\n\n26 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test'.\n> There were failing tests. See the report at: file:///home/dev/shop/build/reports/tests/test/index.html\n\nBUILD FAILED in 7s\n",
        red_code: 1,
        nothing: &[
            (
                "./gradlew test",
                "> Task :compileTestJava NO-SOURCE\n> Task :processTestResources NO-SOURCE\n> Task :testClasses UP-TO-DATE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n1 actionable task: 1 up-to-date\n",
                0,
            ),
            (
                "./gradlew test --dry-run",
                ":compileJava SKIPPED\n:compileTestJava SKIPPED\n:test SKIPPED\n\nBUILD SUCCESSFUL in 0s\n",
                0,
            ),
        ],
        narrow: None,
        line: "CartTest > case#() PASSED\n",
    },
    Runner {
        command: "mvn test",
        file: "src/main/java/shop/Invoice.java",
        test_file: "src/test/java/shop/InvoiceTest.java",
        green: "[INFO] Results:\n[INFO] \n[INFO] Tests run: 33, Failures: 0, Errors: 0, Skipped: 0\n[INFO] \n[INFO] ------------------------------------------------------------------------\n[INFO] BUILD SUCCESS\n[INFO] ------------------------------------------------------------------------\n[INFO] Total time:  8.112 s\n",
        red: "[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   InvoiceTest.vat:44 expected: <19> but was: <7>\n[INFO] \n[ERROR] Tests run: 33, Failures: 1, Errors: 0, Skipped: 0\n[INFO] \n[INFO] ------------------------------------------------------------------------\n[INFO] BUILD FAILURE\n[INFO] ------------------------------------------------------------------------\n[INFO] Total time:  8.402 s\n",
        red_code: 1,
        nothing: &[(
            "mvn test",
            "[INFO] No tests to run.\n[INFO] ------------------------------------------------------------------------\n[INFO] BUILD SUCCESS\n",
            0,
        )],
        narrow: None,
        line: "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.01 s -- in shop.Case#Test\n",
    },
    Runner {
        command: "dotnet test",
        file: "src/Shop/Cart.cs",
        test_file: "tests/Shop.Tests/CartTests.cs",
        green: "  Determining projects to restore...\n  All projects are up-to-date for restore.\nPassed!  - Failed:     0, Passed:    27, Skipped:     0, Total:    27, Duration: 64 ms - Shop.Tests.dll (net9.0)\n",
        red: "  Failed Shop.Tests.CartTests.RoundsHalfUp [5 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: 1050\nActual:   1049\n\nFailed!  - Failed:     1, Passed:    26, Skipped:     0, Total:    27, Duration: 71 ms - Shop.Tests.dll (net9.0)\n",
        red_code: 1,
        nothing: &[
            (
                "dotnet test --list-tests",
                "The following Tests are available:\n    Shop.Tests.CartTests.RoundsHalfUp\n",
                0,
            ),
            (
                "dotnet test --filter Rounding",
                "No test matches the given testcase filter `Rounding` in /home/dev/shop/tests/Shop.Tests/bin/Debug/net9.0/Shop.Tests.dll\n",
                0,
            ),
        ],
        narrow: None,
        line: "  Passed Shop.Tests.CartTests.Case# [1 ms]\n",
    },
    Runner {
        command: "bundle exec rspec",
        file: "app/models/cart.rb",
        test_file: "spec/models/cart_spec.rb",
        green: "Finished in 0.41 seconds (files took 1.2 seconds to load)\n44 examples, 0 failures\n",
        red: "Failures:\n\n  1) Cart rounds half up\n     Failure/Error: expect(cart.total).to eq 1050\n\n       expected: 1050\n            got: 1049\n\nFinished in 0.44 seconds (files took 1.2 seconds to load)\n44 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/models/cart_spec.rb:17 # Cart rounds half up\n\n",
        red_code: 1,
        nothing: &[
            (
                "bundle exec rspec --dry-run",
                "Finished in 0.002 seconds (files took 1.1 seconds to load)\n44 examples, 0 failures\n",
                0,
            ),
            (
                "bundle exec rspec -e rounding",
                "Run options: include {:full_description=>/rounding/}\n\nAll examples were filtered out\n\n\nFinished in 0.0003 seconds (files took 1.1 seconds to load)\n0 examples, 0 failures\n",
                0,
            ),
        ],
        narrow: Some((
            "bundle exec rspec spec/models/user_spec.rb",
            "Finished in 0.05 seconds (files took 1.1 seconds to load)\n6 examples, 0 failures\n",
        )),
        line: "  handles case #\n",
    },
    Runner {
        command: "bin/rails test",
        file: "app/services/refund.rb",
        test_file: "test/services/refund_test.rb",
        green: "Finished in 0.812s, 40.6 runs/s, 90.1 assertions/s.\n33 runs, 73 assertions, 0 failures, 0 errors, 0 skips\n",
        red: "Failure:\nRefundTest#test_partial [test/services/refund_test.rb:22]:\nExpected: 50\n  Actual: 100\n\nbin/rails test test/services/refund_test.rb:20\n\nFinished in 0.822s, 40.1 runs/s, 88.8 assertions/s.\n33 runs, 73 assertions, 1 failures, 0 errors, 0 skips\n",
        red_code: 1,
        nothing: &[(
            "bin/rails test test/services/refunds_test.rb",
            "Finished in 0.001s, 0.0 runs/s, 0.0 assertions/s.\n0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n",
            0,
        )],
        narrow: None,
        line: "RefundTest#test_case_# = 0.01 s = .\n",
    },
    Runner {
        command: "vendor/bin/phpunit",
        file: "src/Cart.php",
        test_file: "tests/CartTest.php",
        green: "............................                                      28 / 28 (100%)\n\nTime: 00:00.091, Memory: 10.00 MB\n\nOK (28 tests, 61 assertions)\n",
        red: "There was 1 failure:\n\n1) Shop\\Tests\\CartTest::testRoundsHalfUp\nFailed asserting that 1049 is identical to 1050.\n\n/home/dev/shop/tests/CartTest.php:31\n\nFAILURES!\nTests: 28, Assertions: 61, Failures: 1.\n",
        red_code: 1,
        nothing: &[
            ("vendor/bin/phpunit --filter Rounding", "No tests executed!\n", 0),
            (
                "vendor/bin/phpunit --list-tests",
                "Available test(s):\n - Shop\\Tests\\CartTest::testRoundsHalfUp\n",
                0,
            ),
        ],
        narrow: None,
        line: " ✔ Handles case #\n",
    },
    Runner {
        command: "ctest --test-dir build",
        file: "src/cart.cpp",
        test_file: "tests/cart_test.cpp",
        green: "100% tests passed, 0 tests failed out of 16\n\nTotal Test time (real) =   0.34 sec\n",
        red: " 9/16 Test  #9: cart_rounding ....................***Failed    0.01 sec\n\n94% tests passed, 1 tests failed out of 16\n\nTotal Test time (real) =   0.36 sec\n\nThe following tests FAILED:\n\t  9 - cart_rounding (Failed)\nErrors while running CTest\n",
        red_code: 8,
        nothing: &[
            (
                "ctest --test-dir build -N",
                "Test project /home/dev/shop/build\n  Test  #1: cart_rounding\n\nTotal Tests: 1\n",
                0,
            ),
            ("ctest --test-dir build -R rounds", "No tests were found!!!\n", 0),
        ],
        narrow: None,
        line: "      Start  #: case_#\n",
    },
    Runner {
        command: "mix test",
        file: "lib/shop/cart.ex",
        test_file: "test/shop/cart_test.exs",
        green: "..............................\nFinished in 0.2 seconds (0.1s async, 0.1s sync)\n30 tests, 0 failures\n",
        red: "  1) test rounds half up (Shop.CartTest)\n     test/shop/cart_test.exs:12\n     Assertion with == failed\n     code:  assert Cart.total(cart) == 1050\n     left:  1049\n     right: 1050\n\n.............................\nFinished in 0.2 seconds (0.1s async, 0.1s sync)\n30 tests, 1 failure\n",
        red_code: 2,
        nothing: &[(
            "mix test --only rounding",
            "Including tags: [:rounding]\nExcluding tags: [:test]\n\n\nFinished in 0.02 seconds (0.00s async, 0.02s sync)\n30 tests, 0 failures, 30 excluded\n",
            0,
        )],
        narrow: None,
        line: "  * test case # (1.1ms) [L##]\n",
    },
    Runner {
        command: "bun test",
        file: "src/basket.ts",
        test_file: "src/basket.test.ts",
        green: " 19 pass\n 0 fail\n 40 expect() calls\nRan 19 tests across 3 files. [58.00ms]\n",
        red: "error: expect(received).toBe(expected)\n\nExpected: 1050\nReceived: 1049\n\n(fail) basket > rounds half up [0.30ms]\n\n 18 pass\n 1 fail\n 40 expect() calls\nRan 19 tests across 3 files. [61.00ms]\n",
        red_code: 1,
        nothing: &[],
        narrow: None,
        line: "(pass) basket > case # [0.10ms]\n",
    },
    Runner {
        command: "deno test",
        file: "src/price.ts",
        test_file: "src/price_test.ts",
        green: "ok | 12 passed | 0 failed (88ms)\n\n",
        red: " FAILURES \n\nrounds half up => ./src/price_test.ts:9:6\n\nFAILED | 11 passed | 1 failed (91ms)\n\nerror: Test failed\n",
        red_code: 1,
        nothing: &[],
        narrow: None,
        line: "case # ... ok (1ms)\n",
    },
    Runner {
        command: "swift test",
        file: "Sources/Shop/Cart.swift",
        test_file: "Tests/ShopTests/CartTests.swift",
        green: "Test Suite 'All tests' passed at 2026-11-15 10:00:00.000.\n\t Executed 21 tests, with 0 failures (0 unexpected) in 0.031 (0.034) seconds\n",
        red: "Tests/ShopTests/CartTests.swift:18: error: -[ShopTests.CartTests testRounding] : XCTAssertEqual failed: (\"1049\") is not equal to (\"1050\")\nTest Case '-[ShopTests.CartTests testRounding]' failed (0.002 seconds).\nTest Suite 'All tests' failed at 2026-11-15 10:00:00.000.\n\t Executed 21 tests, with 1 failure (0 unexpected) in 0.030 (0.033) seconds\n",
        red_code: 1,
        nothing: &[("swift test list", "ShopTests.CartTests/testRounding\n", 0)],
        narrow: None,
        line: "Test Case '-[ShopTests.CartTests testCase#]' passed (0.001 seconds).\n",
    },
];
