//! What compilers, type checkers, linters and formatters print, and what it says.

use super::check;

#[test]
fn compilers() {
    check(&[
        (
            "cargo build",
            "   Compiling core v0.1.0\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.20s\n",
            "passed",
        ),
        (
            "cargo build",
            "error[E0308]: mismatched types\nerror: could not compile `core` (bin \"core\") due to 1 previous error; 2 warnings emitted\n",
            "failed",
        ),
        (
            "cargo check",
            "warning: unused variable: `x`\nwarning: `core` (lib) generated 1 warning\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.5s\n",
            "passed",
        ),
        (
            "cargo clippy",
            "error: this expression creates a reference\nerror: could not compile `core` (lib) due to 1 previous error\n",
            "failed",
        ),
        (
            "cargo clippy",
            "    Checking core v0.1.0\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.5s\n",
            "passed",
        ),
        (
            "tsc --noEmit",
            "src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'number'.\nsrc/b.ts(4,1): error TS2304: Cannot find name 'x'.\n",
            "failed 0/2/0",
        ),
        (
            "tsc --pretty",
            "src/a.ts:1:2 - error TS2322: Type 'string' is not assignable\n\nFound 1 error in src/a.ts:1\n",
            "failed 0/1/0",
        ),
        ("tsc -b", "Found 0 errors.\n", "passed"),
        ("npx svelte-check", "svelte-check found 2 errors and 1 warning in 2 files\n", "failed 0/2/0"),
        (
            "mypy src",
            "src/a.py:3: error: Incompatible types\nFound 1 error in 1 file (checked 5 source files)\n",
            "failed 0/1/0",
        ),
        ("mypy src", "Success: no issues found in 5 source files\n", "passed"),
        (
            "pyright",
            "/app/a.py:3:5 - error: \"x\" is not defined\n1 error, 0 warnings, 0 informations\n",
            "failed 0/1/0",
        ),
        ("pyright", "0 errors, 2 warnings, 0 informations \n", "passed"),
        ("go build ./...", "# example.com/a\n./main.go:12:2: undefined: x\n", "failed"),
        (
            "go vet ./...",
            "# example.com/a\n./main.go:12:2: Printf format %d has arg of wrong type\n",
            "failed",
        ),
        (
            "gcc -o a a.c",
            "a.c: In function 'main':\na.c:3:5: error: 'x' undeclared (first use in this function)\n",
            "failed",
        ),
        (
            "gcc -o a a.c",
            "/usr/bin/ld: a.o: undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n",
            "failed",
        ),
        ("make", "gcc -c a.c\na.c:3:5: error: expected ';'\nmake: *** [Makefile:3: a.o] Error 1\n", "failed"),
        ("cmake --build build", "[ 50%] Building CXX object a.o\n[100%] Built target a\n", "passed"),
        ("ninja", "FAILED: a.o\nninja: build stopped: subcommand failed.\n", "failed"),
        ("ninja", "ninja: no work to do.\n", "passed"),
        ("dotnet build", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)\n", "passed"),
        (
            "dotnet build",
            "Cart.cs(3,5): error CS0103: The name 'x' does not exist\n\nBuild FAILED.\n    1 Error(s)\n",
            "failed",
        ),
        ("mvn -DskipTests package", "[INFO] BUILD SUCCESS\n", "passed"),
        ("next build", " ✓ Compiled successfully\n   Linting and checking validity of types ...\n", "passed"),
        (
            "next build",
            "Failed to compile.\n\n./src/app/page.tsx:3:5\nType error: Cannot find name 'x'.\n",
            "failed",
        ),
        (
            "npx vite build",
            "✓ 34 modules transformed.\ndist/index.html  0.46 kB\n✓ built in 1.20s\n",
            "passed",
        ),
        ("npx vite build", "error during build:\nRollupError: Could not resolve \"./x\"\n", "failed"),
        ("npx webpack", "webpack 5.90.0 compiled successfully in 1234 ms\n", "passed"),
        (
            "npx webpack",
            "ERROR in ./src/a.js 3:5\nwebpack 5.90.0 compiled with 1 error in 1234 ms\n",
            "failed",
        ),
        ("swift build", "Building for debugging...\nBuild complete! (1.20s)\n", "passed"),
        ("terraform validate", "Success! The configuration is valid.\n", "passed"),
        ("terraform plan", "╷\n│ Error: Reference to undeclared resource\n", "failed"),
    ]);
}

#[test]
fn linters_and_formatters() {
    check(&[
        (
            "eslint .",
            "/app/a.js\n  1:5  error  'x' is defined but never used  no-unused-vars\n\n✖ 3 problems (2 errors, 1 warning)\n",
            "failed 0/2/0",
        ),
        ("eslint .", "✖ 2 problems (0 errors, 2 warnings)\n", "passed"),
        ("next lint", "✔ No ESLint warnings or errors\n", "passed"),
        ("ruff check", "All checks passed!\n", "passed"),
        (
            "ruff check",
            "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n",
            "failed 0/1/0",
        ),
        ("ruff check --fix", "Found 3 errors (3 fixed, 0 remaining).\n", "passed"),
        ("flake8", "./a.py:1:80: E501 line too long (92 > 79 characters)\n", "failed"),
        (
            "golangci-lint run",
            "a.go:12:2: ineffectual assignment to x (ineffassign)\n1 issues:\n* ineffassign: 1\n",
            "failed 0/1/0",
        ),
        ("golangci-lint run", "0 issues.\n", "passed"),
        ("rubocop", "12 files inspected, no offenses detected\n", "passed"),
        ("rubocop", "12 files inspected, 3 offenses detected, 2 offenses autocorrectable\n", "failed 0/3/0"),
        ("rubocop -A", "12 files inspected, 3 offenses detected, 3 offenses corrected\n", "passed"),
        ("vendor/bin/phpstan analyse", " [OK] No errors\n", "passed"),
        ("vendor/bin/phpstan analyse", " [ERROR] Found 3 errors\n", "failed 0/3/0"),
        (
            "vendor/bin/psalm",
            "------------------------------\n2 errors found\n------------------------------\n",
            "failed 0/2/0",
        ),
        (
            "prettier --check .",
            "Checking formatting...\nAll matched files use Prettier code style!\n",
            "passed",
        ),
        (
            "prettier --check .",
            "Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.\n",
            "failed",
        ),
        (
            "black --check .",
            "would reformat a.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 3 files would be left unchanged.\n",
            "failed",
        ),
        ("black --check .", "All done! ✨ 🍰 ✨\n4 files would be left unchanged.\n", "passed"),
        ("ruff format --check", "4 files already formatted\n", "passed"),
        ("ruff format --check", "Would reformat: a.py\n1 file would be reformatted\n", "failed"),
        ("cargo fmt --check", "Diff in /app/src/main.rs:12:\n-fn main(){}\n+fn main() {}\n", "failed"),
        ("npx biome check", "Checked 10 files in 5ms. No fixes applied.\nFound 2 errors.\n", "failed 0/2/0"),
        ("npx biome check", "Checked 10 files in 5ms. No fixes applied.\n", "passed"),
        (
            "shellcheck a.sh",
            "\nIn a.sh line 3:\necho $x\n     ^-- SC2086 (info): Double quote to prevent globbing\n",
            "failed",
        ),
        (
            "pre-commit run -a",
            "trim trailing whitespace.................................................Passed\nruff.....................................................................Failed\n- hook id: ruff\nmypy.................................................(no files to check)Skipped\n",
            "failed 1/1/1: ruff",
        ),
        (
            "pre-commit run -a",
            "ruff.....................................................................Passed\n",
            "passed 1/0/0",
        ),
        ("flutter analyze", "Analyzing app...\nNo issues found! (ran in 1.2s)\n", "passed"),
        ("flutter analyze", "3 issues found. (ran in 1.2s)\n", "failed 0/3/0"),
        (
            "yamllint .",
            "./a.yml\n  3:1       error    too many blank lines (4 > 2)  (empty-lines)\n",
            "failed",
        ),
    ]);
}
