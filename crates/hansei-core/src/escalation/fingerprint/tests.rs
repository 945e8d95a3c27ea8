//! The same failure in fifty disguises, for several ecosystems, and failures that are not the same.

use std::collections::{BTreeMap, BTreeSet};

use super::{ErrorSignature, Failure, Fingerprint};

/// A failure whose output holds places for what changes from run to run.
struct Template {
    name: &'static str,
    command: &'static str,
    code: i32,
    /// Blocks between lines of `%%` may stand in any order.
    output: &'static str,
}

const TEMPLATES: &[Template] = &[
    Template {
        name: "pytest",
        command: "python -m pytest",
        code: 1,
        output: "============================= test session starts ==============================
platform linux -- Python 3.11.4, pytest-8.0.0
rootdir: {ROOT}
collected 12 items / run {UUID}

tests/test_pool.py {LINE}..F.F                                          [ 50%]

=================================== FAILURES ===================================
%%
______________________________ test_closes_handle ______________________________

    def test_closes_handle(tmp_path):
>       pool.close(handle)

tests/test_pool.py:{LINE}:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
E       TypeError: <Handle object at {ADDR}> is not closable (port {PORT}, pid {PID})

src/pool.py:{LINE}: TypeError
%%
______________________________ test_reads_config _______________________________

E       FileNotFoundError: [Errno 2] No such file or directory: '{TMP}/settings.toml'

tests/test_config.py:{LINE}: FileNotFoundError
%%
=========================== short test summary info ============================
%%
FAILED tests/test_pool.py::test_closes_handle - TypeError: <Handle object at {ADDR}> is n...
%%
FAILED tests/test_config.py::test_reads_config - FileNotFoundError: [Errno 2] No s...
%%
========================= 2 failed, 10 passed in {DUR} =========================
",
    },
    Template {
        name: "cargo test",
        command: "cargo test",
        code: 101,
        output: "   Compiling shop v0.1.0 ({ROOT})
    Finished `test` profile [unoptimized + debuginfo] target(s) in {DUR}
     Running unittests src/lib.rs (target/debug/deps/shop-{HASH})

running 3 tests
test cart::tests::adds ... ok
%%
test cart::tests::totals ... FAILED
%%
test cart::tests::discounts ... FAILED
%%

failures:

%%
---- cart::tests::totals stdout ----

thread 'cart::tests::totals' ({PID}) panicked at {ROOT}/src/cart.rs:{LINE}:{COL}:
assertion `left == right` failed
  left: 3
 right: 4
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
%%
---- cart::tests::discounts stdout ----

thread 'cart::tests::discounts' ({PID}) panicked at {ROOT}/src/cart.rs:{LINE}:{COL}:
called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: \"{TMP}/x.db\" }
%%


failures:
%%
    cart::tests::totals
%%
    cart::tests::discounts
%%

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in {DUR}

error: test failed, to rerun pass `--lib`
",
    },
    Template {
        name: "cargo build",
        command: "cargo build",
        code: 101,
        output: "   Compiling shop v0.1.0 ({ROOT})
error[E0308]: mismatched types
  --> src/cart.rs:{LINE}:{COL}
   |
{LINE} |     let total: u32 = \"3\";
   |                ---   ^^^ expected `u32`, found `&str`

For more information about this error, try `rustc --explain E0308`.
error: could not compile `shop` (lib) due to 1 previous error
",
    },
    Template {
        name: "jest",
        command: "npx jest",
        code: 1,
        output: "FAIL src/cart.test.js
  Cart
    ✓ adds (3 ms)
    ✕ totals ({LINE} ms)

  ● Cart › totals

    TypeError: Cannot read properties of undefined (reading 'price')

      {LINE} |   total() {
    > {LINE} |     return this.items[0].price;
         |                          ^

      at Cart.total ({ROOT}/src/cart.js:{LINE}:{COL})
      at Object.<anonymous> ({ROOT}/src/cart.test.js:{LINE}:{COL})
      at processTicksAndRejections (node:internal/process/task_queues:{LINE}:{COL})

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 passed, 2 total
Time:        {DUR}
Ran all test suites.
",
    },
    Template {
        name: "node:test",
        command: "node --test",
        code: 1,
        output: "TAP version 13
# Subtest: {ROOT}/test/cart.test.js
not ok 1 - totals
  ---
  duration_ms: {LINE}.{LINE}
  location: '{ROOT}/test/cart.test.js:{LINE}:{COL}'
  failureType: 'testCodeFailure'
  error: 'connect ECONNREFUSED 127.0.0.1:{PORT}'
  code: 'ECONNREFUSED'
  stack: |-
    TCPConnectWrap.afterConnect [as oncomplete] (node:net:{LINE}:{COL})
  ...
1..1
# tests 1
# pass 0
# fail 1
# duration_ms {LINE}.{LINE}
",
    },
    Template {
        name: "go test",
        command: "go test ./...",
        code: 1,
        output: "%%
--- FAIL: TestTotal ({DUR})
    cart_test.go:{LINE}: total of cart {UUID} = 3, want 4
%%
--- FAIL: TestClose ({DUR})
    pool_test.go:{LINE}: close {TMP}/sock: use of closed network connection (took {DUR})
%%
FAIL
FAIL\texample.org/shop/cart\t{DUR}
FAIL
",
    },
    Template {
        name: "go build",
        command: "go build ./...",
        code: 1,
        output: "# example.org/shop/cart
cart/cart.go:{LINE}:{COL}: undefined: totalOf
",
    },
    Template {
        name: "maven",
        command: "mvn -q test",
        code: 1,
        output: "[INFO] Scanning for projects...
[INFO] Running org.shop.CartTest
[ERROR] Tests run: 2, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: {DUR} <<< FAILURE! -- in org.shop.CartTest
[ERROR] org.shop.CartTest.totals -- Time elapsed: {DUR} <<< ERROR!
java.lang.NullPointerException: Cannot invoke \"org.shop.Item.price()\" because \"item\" is null
\tat org.shop.Cart.total(Cart.java:{LINE})
\tat org.shop.CartTest.totals(CartTest.java:{LINE})
\tat java.base/java.lang.reflect.Method.invoke(Method.java:{LINE})
[INFO] Results:
[ERROR] Errors:
[ERROR]   CartTest.totals:{LINE} » NullPointer Cannot invoke \"org.shop.Item.price()\"...
[ERROR] Tests run: 2, Failures: 0, Errors: 1, Skipped: 0
[INFO] Total time:  {DUR}
[INFO] Finished at: {TIME}
[ERROR] -> [Help 1]
",
    },
    Template {
        name: "javac",
        command: "mvn compile",
        code: 1,
        output: "[ERROR] COMPILATION ERROR :
[ERROR] {ROOT}/src/main/java/org/shop/Cart.java:[{LINE},{COL}] cannot find symbol
[INFO] 1 error
[INFO] Total time:  {DUR}
[INFO] Finished at: {TIME}
",
    },
    Template {
        name: "gcc",
        command: "make",
        code: 2,
        output: "gcc -c -o {TMP}/pool.o src/pool.c
src/pool.c: In function 'pool_open':
src/pool.c:{LINE}:{COL}: error: 'Handle' has no member named 'fd'
   {LINE} |     handle->fd = {LINE};
make: *** [Makefile:{LINE}: pool.o] Error 1
",
    },
    Template {
        name: "ld",
        command: "gcc main.c -o main",
        code: 1,
        output: "/usr/bin/ld: {TMP}/cc{HASH}.o: in function `main':
main.c:(.text+{ADDR}): undefined reference to `pool_open'
collect2: error: ld returned 1 exit status
",
    },
    Template {
        name: "a script",
        command: "./scripts/deploy.sh --host staging",
        code: 7,
        output: "[{TIME}] connecting (pid {PID}, request {UUID})
[{TIME}] error: host staging:{PORT} refused the key {HASH} after {DUR}
",
    },
];

/// The same failure as somebody else, somewhere else, at another time saw it.
fn disguise(template: &Template, n: usize) -> (String, String) {
    let pick = |values: &[&str]| values[n % values.len()].to_owned();
    let mut output = template.output.to_owned();
    let blocks: Vec<&str> = template.output.split("%%\n").collect();
    if blocks.len() > 1 {
        // Neighbours that may swap: the pairs between the fixed parts.
        let mut ordered: Vec<&str> = blocks.clone();
        if n % 2 == 1 {
            for at in (1..ordered.len().saturating_sub(1)).step_by(3) {
                ordered.swap(at, at + 1);
            }
        }
        output = ordered.concat();
    }
    let changing = [
        (
            "{ROOT}",
            pick(&[
                "/home/ana/shop", "/builds/7/shop", "/Users/kim/code/shop", "/workspace",
                "/srv/ci/run-481/shop",
            ]),
        ),
        (
            "{TMP}",
            pick(&[
                "/tmp/pytest-of-ana/pytest-3/x0",
                "/tmp/tmp8s7d_q2",
                "/var/folders/x1/T/tmp.QwErTy",
                "/tmp/build-99121",
            ]),
        ),
        ("{ADDR}", format!("0x7f{:010x}", n * 7_919 + 13)),
        ("{UUID}", format!("{:08x}-1c2d-4e5f-8a9b-{:012x}", n * 77_773 + 5, n * 99_991 + 77)),
        ("{HASH}", format!("{:016x}", (n as u64 + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15))),
        ("{LINE}", (n * 13 + 7).to_string()),
        ("{COL}", (n % 60 + 1).to_string()),
        ("{PID}", (1_000 + n * 31).to_string()),
        ("{PORT}", (30_000 + n * 17).to_string()),
        ("{DUR}", pick(&["0.01s", "1.27s", "12s", "0.003s", "431ms"])),
        ("{TIME}", format!("2026-{:02}-{:02}T{:02}:{:02}:09Z", n % 12 + 1, n % 28 + 1, n % 24, n % 60)),
    ];
    for (place, value) in changing {
        output = output.replace(place, &value);
    }
    if n % 5 == 2 {
        output = output
            .replace("error", "\u{1b}[31merror\u{1b}[0m")
            .replace("FAILED", "\u{1b}[1;31mFAILED\u{1b}[0m");
    }
    if n % 7 == 3 {
        output = output.replace('\n', "\r\n");
    }
    if n % 11 == 4 {
        output.push_str("\n\n");
    }
    let command = match n % 6 {
        1 => format!("CI=1 {}", template.command),
        2 => format!("timeout 600 {}", template.command),
        3 => format!("cd /srv/shop && {}", template.command),
        4 => format!("{} 2>&1", template.command),
        _ => template.command.to_owned(),
    };
    (command, output)
}

#[test]
fn fifty_disguises_of_a_failure_have_one_fingerprint() {
    for template in TEMPLATES {
        let mut seen: BTreeMap<Fingerprint, (usize, ErrorSignature)> = BTreeMap::new();
        let mut outputs = BTreeSet::new();
        for n in 0..50 {
            let (command, output) = disguise(template, n);
            let failure = Failure { command: &command, exit_code: Some(template.code), output: &output };
            seen.entry(Fingerprint::of(&failure)).or_insert((n, ErrorSignature::of(&failure)));
            outputs.insert((command, output));
        }
        assert_eq!(seen.len(), 1, "{}: {seen:#?}", template.name);
        assert!(outputs.len() > 25, "{}: the disguises differ", template.name);
        let (_, signature) = seen.values().next().unwrap();
        assert!(!signature.errors.is_empty(), "{}: {signature:?}", template.name);
    }
}

/// Failures that differ from each other in one thing that matters.
const DIFFERENT: &[(&str, i32, &str)] = &[
    (
        "pytest",
        1,
        "E       TypeError: unsupported operand\nsrc/a.py:3: TypeError\nFAILED tests/test_a.py::test_x - TypeError: unsupported operand\n1 failed in 0.1s",
    ),
    (
        "pytest",
        1,
        "E       ValueError: unsupported operand\nsrc/a.py:3: ValueError\nFAILED tests/test_a.py::test_x - ValueError: unsupported operand\n1 failed in 0.1s",
    ),
    (
        "pytest",
        1,
        "E       TypeError: unsupported operand\nsrc/b.py:3: TypeError\nFAILED tests/test_a.py::test_x - TypeError: unsupported operand\n1 failed in 0.1s",
    ),
    (
        "pytest",
        1,
        "E       TypeError: unsupported operand\nsrc/a.py:3: TypeError\nFAILED tests/test_a.py::test_y - TypeError: unsupported operand\n1 failed in 0.1s",
    ),
    (
        "pytest",
        1,
        "E       TypeError: unsupported operand\nsrc/a.py:3: TypeError\nFAILED tests/test_b.py::test_x - TypeError: unsupported operand\n1 failed in 0.1s",
    ),
    (
        "pytest",
        2,
        "E       TypeError: unsupported operand\nsrc/a.py:3: TypeError\nERROR tests/test_a.py - TypeError: unsupported operand\n1 error in 0.1s",
    ),
    (
        "pytest",
        1,
        "E       KeyError: 'name'\nsrc/a.py:3: KeyError\nFAILED tests/test_a.py::test_x - KeyError: 'name'\n1 failed in 0.1s",
    ),
    (
        "pytest",
        1,
        "E       KeyError: 'user'\nsrc/a.py:3: KeyError\nFAILED tests/test_a.py::test_x - KeyError: 'user'\n1 failed in 0.1s",
    ),
    (
        "pytest",
        2,
        "E   ModuleNotFoundError: No module named 'requests'\nERROR tests/test_a.py\n1 error in 0.1s",
    ),
    ("pytest", 2, "E   ModuleNotFoundError: No module named 'httpx'\nERROR tests/test_a.py\n1 error in 0.1s"),
    (
        "pytest tests/unit",
        2,
        "E   ModuleNotFoundError: No module named 'httpx'\nERROR tests/test_a.py\n1 error in 0.1s",
    ),
    (
        "pytest",
        1,
        "E       assert 'a' == 'b'\ntests/test_a.py:3: AssertionError\nFAILED tests/test_a.py::test_x - AssertionError\n1 failed in 0.1s",
    ),
    (
        "python app.py",
        1,
        "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\nAttributeError: 'NoneType' object has no attribute 'get'",
    ),
    (
        "python app.py",
        1,
        "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\nAttributeError: 'NoneType' object has no attribute 'post'",
    ),
    (
        "python other.py",
        1,
        "Traceback (most recent call last):\n  File \"other.py\", line 3, in <module>\nAttributeError: 'NoneType' object has no attribute 'post'",
    ),
    (
        "python app.py",
        1,
        "Traceback (most recent call last):\n  File \"src/db.py\", line 3, in connect\nOSError: [Errno 98] Address already in use",
    ),
    (
        "python app.py",
        1,
        "Traceback (most recent call last):\n  File \"src/db.py\", line 3, in connect\nOSError: [Errno 13] Permission denied",
    ),
    ("cargo build", 101, "error[E0308]: mismatched types\n --> src/a.rs:3:5"),
    ("cargo build", 101, "error[E0382]: borrow of moved value: `x`\n --> src/a.rs:3:5"),
    ("cargo build", 101, "error[E0308]: mismatched types\n --> src/b.rs:3:5"),
    ("cargo build", 101, "error[E0425]: cannot find value `total` in this scope\n --> src/a.rs:3:5"),
    ("cargo build", 101, "error[E0425]: cannot find value `sum` in this scope\n --> src/a.rs:3:5"),
    ("cargo build", 101, "error[E0308]: mismatched types\n --> crates/one/src/lib.rs:3:5"),
    ("cargo build", 101, "error[E0308]: mismatched types\n --> crates/two/src/lib.rs:3:5"),
    ("cargo clippy", 101, "error[E0308]: mismatched types\n --> src/a.rs:3:5"),
    ("cargo build", 101, "error: failed to select a version for `serde`"),
    ("cargo build", 101, "error: failed to select a version for `tokio`"),
    (
        "cargo test",
        101,
        "test a::one ... FAILED\nthread 'a::one' panicked at src/a.rs:3:5:\nassertion failed: ready\ntest result: FAILED. 0 passed; 1 failed; 0 ignored",
    ),
    (
        "cargo test",
        101,
        "test a::two ... FAILED\nthread 'a::two' panicked at src/a.rs:3:5:\nassertion failed: ready\ntest result: FAILED. 0 passed; 1 failed; 0 ignored",
    ),
    (
        "cargo test",
        101,
        "test a::one ... FAILED\nthread 'a::one' panicked at src/a.rs:3:5:\nindex out of bounds: the len is 3 but the index is 7\ntest result: FAILED. 0 passed; 1 failed; 0 ignored",
    ),
    (
        "cargo test",
        101,
        "test a::one ... FAILED\ntest a::two ... FAILED\nthread 'a::one' panicked at src/a.rs:3:5:\nassertion failed: ready\ntest result: FAILED. 0 passed; 2 failed; 0 ignored",
    ),
    (
        "npx jest",
        1,
        "  ● Cart › totals\n\n    TypeError: x is not a function\n\n      at f (src/a.js:3:5)\nTests: 1 failed, 1 total",
    ),
    (
        "npx jest",
        1,
        "  ● Cart › adds\n\n    TypeError: x is not a function\n\n      at f (src/a.js:3:5)\nTests: 1 failed, 1 total",
    ),
    (
        "npx jest",
        1,
        "  ● Cart › totals\n\n    TypeError: y is not a function\n\n      at f (src/a.js:3:5)\nTests: 1 failed, 1 total",
    ),
    (
        "npx jest",
        1,
        "  ● Cart › totals\n\n    ReferenceError: x is not defined\n\n      at f (src/a.js:3:5)\nTests: 1 failed, 1 total",
    ),
    (
        "node app.js",
        1,
        "node:internal/modules/cjs/loader:1080\n  throw err;\n\nError: Cannot find module 'express'\nRequire stack:\n- /srv/app.js",
    ),
    (
        "node app.js",
        1,
        "node:internal/modules/cjs/loader:1080\n  throw err;\n\nError: Cannot find module 'koa'\nRequire stack:\n- /srv/app.js",
    ),
    ("npx tsc", 2, "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."),
    ("npx tsc", 2, "src/a.ts(3,5): error TS2304: Cannot find name 'foo'."),
    ("npx tsc", 2, "src/b.ts(3,5): error TS2304: Cannot find name 'foo'."),
    ("npm install", 1, "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree"),
    ("npm install", 1, "npm error code E404\nnpm error 404 Not Found - GET left-pad"),
    ("go build ./...", 1, "cart/cart.go:3:2: undefined: totalOf"),
    ("go build ./...", 1, "cart/cart.go:3:2: undefined: sumOf"),
    ("go build ./...", 1, "pool/pool.go:3:2: undefined: totalOf"),
    ("go vet ./...", 1, "cart/cart.go:3:2: undefined: totalOf"),
    ("go test ./...", 1, "--- FAIL: TestA (0.00s)\n    a_test.go:3: wrong\nFAIL"),
    ("go test ./...", 1, "--- FAIL: TestB (0.00s)\n    a_test.go:3: wrong\nFAIL"),
    (
        "go test ./...",
        2,
        "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 6 [running]:",
    ),
    (
        "go test ./...",
        2,
        "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 6 [running]:",
    ),
    ("mvn compile", 1, "[ERROR] /p/src/main/java/A.java:[3,5] cannot find symbol"),
    (
        "mvn compile",
        1,
        "[ERROR] /p/src/main/java/A.java:[3,5] incompatible types: String cannot be converted to int",
    ),
    ("mvn compile", 1, "[ERROR] /p/src/main/java/B.java:[3,5] cannot find symbol"),
    (
        "java -jar a.jar",
        1,
        "Exception in thread \"main\" java.lang.IllegalStateException: closed\n\tat org.a.A.f(A.java:3)",
    ),
    (
        "java -jar a.jar",
        1,
        "Exception in thread \"main\" java.lang.IllegalArgumentException: closed\n\tat org.a.A.f(A.java:3)",
    ),
    ("make", 2, "a.c:3:5: error: expected ';' before 'return'\nmake: *** [Makefile:3: a.o] Error 1"),
    ("make", 2, "a.c:3:5: error: unknown type name 'size'\nmake: *** [Makefile:3: a.o] Error 1"),
    (
        "make",
        2,
        "a.c:3:10: fatal error: zlib.h: No such file or directory\nmake: *** [Makefile:3: a.o] Error 1",
    ),
    (
        "make",
        2,
        "a.c:3:10: fatal error: png.h: No such file or directory\nmake: *** [Makefile:3: a.o] Error 1",
    ),
    ("make", 2, "make: *** No rule to make target 'all'.  Stop."),
    (
        "gcc a.c",
        1,
        "/usr/bin/ld: /tmp/cc1.o: undefined reference to `open_pool'\ncollect2: error: ld returned 1 exit status",
    ),
    (
        "gcc a.c",
        1,
        "/usr/bin/ld: /tmp/cc1.o: undefined reference to `close_pool'\ncollect2: error: ld returned 1 exit status",
    ),
    ("./deploy", 127, "bash: kubectl: command not found"),
    ("./deploy", 127, "bash: helm: command not found"),
    ("./deploy", 1, "curl: (7) Failed to connect to localhost port 80: Connection refused"),
    ("./deploy", 139, "Segmentation fault (core dumped)"),
    ("./deploy", 137, "Killed"),
    ("./deploy", 1, ""),
    ("./release", 1, ""),
    ("git push", 128, "fatal: could not read from remote repository"),
    ("git push", 1, "error: failed to push some refs to 'origin'"),
];

#[test]
fn failures_that_differ_have_different_fingerprints() {
    let mut seen: BTreeMap<Fingerprint, (&str, ErrorSignature)> = BTreeMap::new();
    let mut same = Vec::new();
    for (command, code, output) in DIFFERENT {
        let failure = Failure { command, exit_code: Some(*code), output };
        let signature = ErrorSignature::of(&failure);
        if let Some((other, _)) = seen.get(&signature.fingerprint()) {
            same.push(format!("{other}\n= {output}\n{signature:#?}"));
        }
        seen.insert(signature.fingerprint(), (output, signature));
    }
    assert!(DIFFERENT.len() >= 50);
    assert!(same.is_empty(), "{} are the same:\n{}", same.len(), same.join("\n\n"));
}

#[test]
fn a_template_of_each_ecosystem_differs_from_every_other() {
    let prints: BTreeSet<Fingerprint> = TEMPLATES
        .iter()
        .map(|template| {
            let (command, output) = disguise(template, 0);
            Fingerprint::of(&Failure { command: &command, exit_code: Some(template.code), output: &output })
        })
        .collect();
    assert_eq!(prints.len(), TEMPLATES.len());
}

#[test]
fn a_signature_says_its_fields() {
    let (command, output) = disguise(&TEMPLATES[0], 0);
    let signature = ErrorSignature::of(&Failure { command: &command, exit_code: Some(1), output: &output });
    assert_eq!(signature.command, "pytest");
    assert_eq!(signature.files, ["src/pool.py", "tests/test_config.py"]);
    assert_eq!(
        signature.tests,
        ["tests/test_config.py::test_reads_config", "tests/test_pool.py::test_closes_handle"]
    );
    assert!(signature.line().starts_with("exit 1 · FileNotFoundError"), "{}", signature.line());
    let text = serde_json::to_string(&signature).unwrap();
    assert_eq!(serde_json::from_str::<ErrorSignature>(&text).unwrap(), signature);
}

proptest::proptest! {
    #[test]
    fn no_output_breaks_it(command in ".{0,60}", output in "(?s).{0,400}") {
        let _ = Fingerprint::of(&Failure { command: &command, exit_code: None, output: &output });
    }

    #[test]
    fn it_says_the_same_twice_and_is_short(output in "(?s)(error: |E   [A-Z][a-z]+Error: |a.c:3:5: |thread 'x' panicked at )?.{0,200}") {
        let failure = Failure { command: "make", exit_code: Some(2), output: &output };
        let signature = ErrorSignature::of(&failure);
        proptest::prop_assert_eq!(signature.fingerprint(), Fingerprint::of(&failure));
        proptest::prop_assert!((16..=28).contains(&signature.fingerprint().to_string().len()));
    }
}
