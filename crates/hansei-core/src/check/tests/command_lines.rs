//! Command lines, and the checks they hold with what their exit code tells.

use crate::check::{ExitMeaning, MaskReason, View, read_command};

/// The reading as one line: `test cargo test own`, several joined by `; `.
fn rendered(line: &str) -> String {
    let meaning = |meaning: &ExitMeaning| match meaning {
        ExitMeaning::Own => "own".to_owned(),
        ExitMeaning::Shared => "shared".to_owned(),
        ExitMeaning::Printed(before) => format!("printed after {before:?}"),
        ExitMeaning::PrintedShared(before) => format!("zero printed after {before:?}"),
        ExitMeaning::Masked(MaskReason::Pipe(View::End)) => "pipe".to_owned(),
        ExitMeaning::Masked(MaskReason::Pipe(View::Failures)) => "filter keeps failures".to_owned(),
        ExitMeaning::Masked(MaskReason::Pipe(View::Start | View::Part)) => "filter".to_owned(),
        ExitMeaning::Masked(reason) => format!("{reason:?}").to_lowercase(),
    };
    let checks: Vec<String> = read_command(line)
        .checks
        .iter()
        .map(|(check, told)| {
            format!("{} {}: {}", format!("{:?}", check.kind).to_lowercase(), check.runner, meaning(told))
        })
        .collect();
    checks.join("; ")
}

fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(line, expected)| rendered(line) != *expected)
        .map(|(line, expected)| {
            format!("{line}\n    expected {expected:?}\n    found    {:?}", rendered(line))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn the_code_is_the_checks_own() {
    check(&[
        ("cargo test", "test cargo test: own"),
        ("cargo test > log 2>&1", "test cargo test: own"),
        ("cargo test &> /tmp/log", "test cargo test: own"),
        ("cargo test 2>/dev/null", "test cargo test: own"),
        ("cargo test && echo ok", "test cargo test: own"),
        ("cargo test; exit $?", "test cargo test: own"),
        ("cargo test || exit 1", "test cargo test: own"),
        ("cargo test || { echo fail; exit 1; }", "test cargo test: own"),
        ("cargo test || { cat log; exit 1; }", "test cargo test: own"),
        ("cd crates/core && cargo test", "test cargo test: own"),
        ("cd /repo; cargo test", "test cargo test: own"),
        ("export RUST_BACKTRACE=1; cargo test", "test cargo test: own"),
        ("RUST_BACKTRACE=1 RUSTFLAGS='-D warnings' cargo test", "test cargo test: own"),
        ("source .venv/bin/activate && pytest -q", "test pytest: own"),
        (". venv/bin/activate; pytest", "test pytest: own"),
        ("set -o pipefail; cargo test 2>&1 | tail -20", "test cargo test: own"),
        ("set -euo pipefail\ncargo test 2>&1 | tee log", "test cargo test: own"),
        ("set -eo pipefail; cargo test | tail -5; echo done", "test cargo test: own"),
        ("set -e; cargo test; echo all good", "test cargo test: own"),
        ("(cd web && npm test)", "test npm test: own"),
        ("{ cargo test; }", "test cargo test: own"),
        ("bash -c 'cargo test'", "test cargo test: own"),
        ("bash -lc \"cd /app && pytest -x\"", "test pytest: own"),
        ("bash -o pipefail -c 'cargo test | tail'", "test cargo test: own"),
        ("bash -euo pipefail -c 'cargo test | tee out; echo done'", "test cargo test: own"),
        ("sh -c 'set -e; npm run lint; echo ok'", "lint npm run: own"),
        ("cargo test; rc=$?; echo finished; exit $rc", "test cargo test: own"),
        ("cargo test 2>&1 | tail -30; exit ${PIPESTATUS[0]}", "test cargo test: own"),
        ("cargo test | tee log; status=${PIPESTATUS[0]}; cat log; exit $status", "test cargo test: own"),
        ("pytest; if [ $? -ne 0 ]; then exit 1; fi", "test pytest: own"),
        ("if cargo test; then echo ok; else exit 1; fi", "test cargo test: own"),
        ("if ! cargo test; then exit 1; fi", "test cargo test: own"),
        ("echo start; cargo test", "test cargo test: own"),
        ("# run the tests\ncargo test", "test cargo test: own"),
        ("cargo test # all of them", "test cargo test: own"),
        ("cargo test \\\n  --workspace \\\n  --all-features", "test cargo test: own"),
        ("eval 'cargo test'", "test cargo test: own"),
        ("bash <<'EOF'\nset -e\ncargo test\necho done\nEOF", "test cargo test: own"),
        ("out=$(cargo test 2>&1)", "test cargo test: own"),
        ("cargo test || false", "test cargo test: own"),
        ("cargo test && true", "test cargo test: own"),
        ("mkdir -p out && cargo test > out/log", "test cargo test: own"),
        ("cargo test <<< y", "test cargo test: own"),
        ("cat > run.sh <<'EOF'\nnpm test || true\nEOF\ncargo test", "test cargo test: own"),
        ("echo \"y\" | npm test", "test npm test: own"),
        ("node server.js &\nsleep 2; npm test", "test npm test: own"),
        ("cargo test 2>&1 | tail -40; test ${PIPESTATUS[0]} -eq 0", "test cargo test: own"),
    ]);
}

#[test]
fn the_code_is_hidden() {
    check(&[
        ("cargo test | tail -5", "test cargo test: pipe"),
        ("cargo test 2>&1 | tee log", "test cargo test: pipe"),
        ("cargo test |& tail", "test cargo test: pipe"),
        ("cargo test 2>&1 | grep -E 'test result|FAILED'", "test cargo test: filter keeps failures"),
        ("cargo test 2>&1 | grep -v warning", "test cargo test: filter keeps failures"),
        ("cargo test 2>&1 | grep ok", "test cargo test: filter"),
        ("cargo test 2>&1 | grep -c FAILED", "test cargo test: filter"),
        ("cargo test 2>&1 | head -50", "test cargo test: filter"),
        ("pytest 2>&1 | grep -i fail | tail -3", "test pytest: filter keeps failures"),
        ("cargo test || true", "test cargo test: fallback"),
        ("cargo test || echo failed", "test cargo test: fallback"),
        ("cargo test || :", "test cargo test: fallback"),
        ("cargo test && echo ok || echo failed", "test cargo test: fallback"),
        ("cargo test; echo done", "test cargo test: followedby"),
        ("cargo test; true", "test cargo test: followedby"),
        ("cargo test\ngit status", "test cargo test: followedby"),
        ("cargo test > log 2>&1; tail -5 log", "test cargo test: followedby"),
        ("cargo test &", "test cargo test: background"),
        ("nohup npm test > log 2>&1 &", "test npm test: background"),
        ("echo $(cargo test)", "test cargo test: substitution"),
        ("echo \"result: `cargo test`\"", "test cargo test: substitution"),
        ("out=$(cargo test 2>&1); echo \"$out\"", "test cargo test: substitution"),
        ("if cargo test; then echo ok; fi", "test cargo test: condition"),
        ("if cargo test; then echo ok; else echo bad; fi", "test cargo test: condition"),
        ("while ! cargo test; do sleep 1; done", "test cargo test: negated"),
        ("until npm test; do sleep 5; done", "test npm test: condition"),
        ("for i in 1 2 3; do cargo test; done", "test cargo test: loop"),
        ("for p in a b; do cargo test -p $p || exit 1; done", "test cargo test: fallback"),
        ("[ -f Cargo.toml ] && cargo test", "test cargo test: shared"),
        ("if [ -f x ]; then cargo test; fi", "test cargo test: branch"),
        ("case $1 in test) cargo test;; *) echo no;; esac", "test cargo test: branch"),
        ("! cargo test", "test cargo test: negated"),
        ("t() { cargo test; }; t", "test cargo test: function"),
        ("watch -n 2 cargo test", "test cargo test: wrapper"),
        ("docker run -d app npm test", "test npm test: wrapper"),
        ("find . -name '*.sh' -exec shellcheck {} \\;", "lint shellcheck: wrapper"),
        ("git diff || cargo test", "test cargo test: alternative"),
        ("set -o pipefail; cargo test | tail; echo x", "test cargo test: pipe"),
        ("bash -c 'cargo test | tail'", "test cargo test: pipe"),
        ("bash -c 'cargo test; echo done'", "test cargo test: followedby"),
        ("(cargo test; true)", "test cargo test: followedby"),
        ("{ cargo test; echo x; } > log", "test cargo test: followedby"),
        ("diff <(cargo test) expected", "test cargo test: substitution"),
    ]);
}

#[test]
fn the_code_is_printed() {
    check(&[
        ("cargo test > log 2>&1; echo \"exit: $?\"", "test cargo test: printed after \"exit: \""),
        ("cargo test >/dev/null 2>&1; echo $?", "test cargo test: printed after \"\""),
        ("cargo test | tail -3; echo \"EXIT=${PIPESTATUS[0]}\"", "test cargo test: printed after \"EXIT=\""),
        ("cargo test; rc=$?; tail log; echo \"rc=$rc\"", "test cargo test: printed after \"rc=\""),
        // The code of `tail`.
        ("cargo test | tail -3; echo \"exit $?\"", "test cargo test: pipe"),
        ("cargo test; ls; echo $?", "test cargo test: followedby"),
    ]);
}

#[test]
fn several_commands_share_a_code() {
    check(&[
        (
            "cargo fmt --check && cargo clippy && cargo test",
            "format cargo fmt: shared; lint cargo clippy: shared; test cargo test: shared",
        ),
        ("npm ci && npm test", "test npm test: shared"),
        (
            "git commit -m \"$(cat <<'EOF'\nDon't (yet) run cargo test\nEOF\n)\" && pytest",
            "test pytest: shared",
        ),
        ("npm run lint && npm run build", "lint npm run: shared; build npm run: shared"),
        ("cargo test && git commit -m 'tests pass'", "test cargo test: shared"),
        ("git pull && make && make test", "build make: shared; test make: shared"),
        ("set -e\nruff check .\npytest", "lint ruff: shared; test pytest: shared"),
        ("cargo build; cargo test", "build cargo build: followedby; test cargo test: own"),
        ("tsc --noEmit; eslint .", "typecheck tsc: followedby; lint eslint: own"),
        ("cargo test -p a; cargo test -p b | tail", "test cargo test: followedby; test cargo test: pipe"),
        ("cargo test || cargo test --offline", "test cargo test: fallback; test cargo test: alternative"),
        ("set -o pipefail; cargo test | grep result", "test cargo test: shared"),
        ("set -o pipefail; cargo test | head -3", "test cargo test: shared"),
        ("git ls-files | xargs shellcheck", "lint shellcheck: own"),
    ]);
}

#[test]
fn lines_for_other_shells() {
    check(&[
        ("$env:CI='1'; npm test", "test npm test: own"),
        ("$env:CI = 'true'\nnpm test", "test npm test: own"),
        ("npm test; if ($LASTEXITCODE -ne 0) { exit 1 }", "test npm test: own"),
        ("npm test; if (-not $?) { exit 1 }", "test npm test: own"),
        ("npm test; exit $LASTEXITCODE", "test npm test: own"),
        ("npm test; $code = $LASTEXITCODE; echo done; exit $code", "test npm test: own"),
        ("npm run lint; if ($?) { npm test } else { exit 1 }", "lint npm run: shared; test npm test: shared"),
        ("npm run lint && npm test", "lint npm run: shared; test npm test: shared"),
        ("cargo test `\n  --workspace `\n  --all-features", "test cargo test: own"),
        ("pwsh -NoProfile -Command \"npm test\"", "test npm test: own"),
        ("pwsh -Command 'npm test; exit $LASTEXITCODE'", "test npm test: own"),
        ("powershell.exe -Command \"npm test; echo done\"", "test npm test: followedby"),
        ("cargo test 2>&1 | Select-Object -Last 20", "test cargo test: pipe"),
        ("cargo test | Select-Object -First 5", "test cargo test: filter"),
        ("cargo test | Select-String 'test result|FAILED'", "test cargo test: filter keeps failures"),
        ("cargo test; echo \"exit: $LASTEXITCODE\"", "test cargo test: printed after \"exit: \""),
        ("cmd /c \"npm test\"", "test npm test: own"),
        ("cmd /c \"npm test & echo done\"", "test npm test: followedby"),
        ("cmd.exe /C \"npm test && echo done\"", "test npm test: own"),
        ("cmd /c \"npm test & exit /b %ERRORLEVEL%\"", "test npm test: own"),
        ("npm test & echo %ERRORLEVEL%", "test npm test: printed after \"\""),
        ("npm.cmd test", "test npm test: own"),
        ("npx.cmd jest", "test jest: own"),
        ("uv.exe run pytest.exe -q", "test pytest: own"),
        (".\\venv\\Scripts\\python.exe -m pytest", "test pytest: own"),
        ("venv\\Scripts\\pytest.exe tests", "test pytest: own"),
        ("C:\\tools\\cargo.exe test", "test cargo test: own"),
        ("node_modules\\.bin\\jest", "test jest: own"),
        (".\\scripts\\test.ps1", "test script: own"),
        (".\\gradlew.bat test", "test gradle: own"),
        ("wsl -e cargo test", "test cargo test: own"),
        ("wsl -d Ubuntu -- pytest", "test pytest: own"),
        ("wsl bash -lc 'cargo test | tail'", "test cargo test: pipe"),
        ("docker compose exec app pytest", "test pytest: own"),
        ("docker run --rm -v .:/w -w /w rust cargo test", "test cargo test: own"),
        ("mise x -- cargo test", "test cargo test: own"),
        // A backslash that takes a meaning away is no folder.
        ("car\\go test", "test cargo test: own"),
        ("cat > x.ps1 <<'E'\n$env:A='b' `\nE\nnpm test", "test npm test: own"),
    ]);
}

#[test]
fn wrappers_are_looked_through() {
    check(&[
        ("timeout 60 cargo test", "test cargo test: own"),
        ("timeout -k 5 300s npm test", "test npm test: own"),
        ("time cargo test", "test cargo test: own"),
        ("/usr/bin/time -v cargo test", "test cargo test: own"),
        ("nice -n 10 make test", "test make: own"),
        ("sudo -u app -E pytest", "test pytest: own"),
        ("env -u HOME CI=1 npm test", "test npm test: own"),
        ("xvfb-run -a npm run test:e2e", "test npm run: own"),
        ("docker run --rm -v $PWD:/app -w /app node:20 npm test", "test npm test: own"),
        ("docker exec -it web pytest", "test pytest: own"),
        ("docker compose exec -T web pytest -q", "test pytest: own"),
        ("docker compose -f dev.yml run --rm web python manage.py test", "test unittest: own"),
        ("docker-compose run app bundle exec rspec", "test rspec: own"),
        ("docker exec app bash -c 'cd /srv && go test ./...'", "test go test: own"),
        ("npx jest", "test jest: own"),
        ("npx --yes vitest run", "test vitest: own"),
        ("npx -p typescript tsc --noEmit", "typecheck tsc: own"),
        ("pnpm exec tsc -p .", "typecheck tsc: own"),
        ("pnpm dlx vitest run", "test vitest: own"),
        ("yarn jest src/a.test.ts", "test jest: own"),
        ("yarn exec eslint .", "lint eslint: own"),
        ("bunx vitest run", "test vitest: own"),
        ("uv run pytest -q", "test pytest: own"),
        ("uv run --with pytest --python 3.12 pytest", "test pytest: own"),
        ("uvx ruff check", "lint ruff: own"),
        ("poetry run pytest tests/unit", "test pytest: own"),
        ("pipenv run mypy src", "typecheck mypy: own"),
        ("conda run -n dev pytest", "test pytest: own"),
        ("hatch run test", "test hatch: own"),
        ("bundle exec rspec spec/models", "test rspec: own"),
        ("bundle exec rake test", "test rake: own"),
        ("mise exec -- cargo test", "test cargo test: own"),
        ("mise run test", "test mise: own"),
        ("nix develop -c cargo test", "test cargo test: own"),
        ("nix develop .#ci --command make check", "test make: own"),
        ("nix-shell --run 'cabal test'", "test cabal: own"),
        ("direnv exec . pytest", "test pytest: own"),
        ("kubectl exec -it pod -- pytest", "test pytest: own"),
        ("ssh build-host 'cd repo && cargo test'", "test cargo test: own"),
        ("coverage run -m pytest", "test pytest: own"),
        ("python -m coverage run -m pytest", "test pytest: own"),
        ("nyc mocha", "test mocha: own"),
        ("cross-env NODE_ENV=test jest", "test jest: own"),
        ("stdbuf -oL cargo test | tee log", "test cargo test: pipe"),
        ("timeout 60 bash -c 'cargo test || true'", "test cargo test: fallback"),
        ("command cargo test", "test cargo test: own"),
        ("sudo timeout 10 nice env A=b cargo test", "test cargo test: own"),
        ("su - app -c 'npm test'", "test npm test: own"),
    ]);
}

#[test]
fn checks_by_name() {
    check(&[
        ("cargo nextest run --workspace", "test cargo nextest: own"),
        ("cargo +nightly test --doc", "test cargo test: own"),
        ("cargo --locked test -p core", "test cargo test: own"),
        ("cargo t", "test cargo test: own"),
        ("cargo check --all-targets", "build cargo check: own"),
        ("cargo build --release", "build cargo build: own"),
        ("cargo clippy --all-targets -- -D warnings", "lint cargo clippy: own"),
        ("cargo fmt --all -- --check", "format cargo fmt: own"),
        ("cargo +nightly miri test", "test cargo miri: own"),
        ("cargo xtask ci", "test cargo xtask: own"),
        ("npm test", "test npm test: own"),
        ("npm t", "test npm test: own"),
        ("npm run test:unit -- --runInBand", "test npm run: own"),
        ("npm run build", "build npm run: own"),
        ("npm run lint", "lint npm run: own"),
        ("npm run typecheck", "typecheck npm run: own"),
        ("npm run type-check", "typecheck npm run: own"),
        ("npm run format:check", "format npm run: own"),
        ("npm --prefix web run lint", "lint npm run: own"),
        ("npm run test --workspace=packages/a", "test npm run: own"),
        ("yarn test", "test yarn: own"),
        ("yarn run build", "build yarn: own"),
        ("yarn workspace web test", "test yarn: own"),
        ("pnpm -r test", "test pnpm: own"),
        ("pnpm --filter web lint", "lint pnpm: own"),
        ("pnpm vitest run", "test vitest: own"),
        ("bun test", "test bun test: own"),
        ("bun run typecheck", "typecheck bun run: own"),
        ("jest --coverage", "test jest: own"),
        ("node_modules/.bin/jest -t 'adds'", "test jest: own"),
        ("node ./node_modules/jest/bin/jest.js", "test jest: own"),
        ("vitest run src/a.test.ts", "test vitest: own"),
        ("mocha 'test/**/*.js'", "test mocha: own"),
        ("npx ava", "test ava: own"),
        ("npx playwright test --project=chromium", "test playwright: own"),
        ("npx cypress run --spec a.cy.ts", "test cypress: own"),
        ("node --test", "test node --test: own"),
        ("node --import tsx --test test/*.ts", "test node --test: own"),
        ("tsc --noEmit -p tsconfig.json", "typecheck tsc: own"),
        ("eslint . --ext .ts --max-warnings 0", "lint eslint: own"),
        ("prettier --check .", "format prettier: own"),
        ("npx @biomejs/biome check src", "lint biome: own"),
        ("next build", "build next: own"),
        ("npx vite build", "build vite: own"),
        ("turbo run test lint", "test turbo: own"),
        ("npx nx run-many -t test", "test nx: own"),
        ("nx test api", "test nx: own"),
        ("deno test -A", "test deno test: own"),
        ("deno lint", "lint deno lint: own"),
        ("deno check main.ts", "typecheck deno check: own"),
        ("deno task test", "test deno task: own"),
        ("pytest tests/test_a.py::test_x -k 'not slow'", "test pytest: own"),
        ("python -m pytest -x", "test pytest: own"),
        ("python3.12 -m unittest discover -s tests", "test unittest: own"),
        ("python manage.py test app.tests", "test unittest: own"),
        ("./manage.py test", "test unittest: own"),
        ("python -m nose2", "test unittest: own"),
        ("tox -e py311", "test tox: own"),
        ("nox -s tests", "test nox: own"),
        ("ruff check src tests", "lint ruff: own"),
        ("ruff format --check .", "format ruff format: own"),
        ("python -m flake8", "lint flake8: own"),
        ("pylint src", "lint pylint: own"),
        ("mypy --strict src", "typecheck mypy: own"),
        ("npx pyright", "typecheck pyright: own"),
        ("black --check .", "format black: own"),
        ("isort --check-only .", "format isort: own"),
        ("python -m py_compile a.py", "build py_compile: own"),
        ("go test ./... -race -count=1", "test go test: own"),
        ("go -C svc test ./...", "test go test: own"),
        ("go build ./...", "build go build: own"),
        ("go vet ./...", "lint go vet: own"),
        ("golangci-lint run", "lint golangci-lint: own"),
        ("gotestsum -- ./...", "test go test: own"),
        ("staticcheck ./...", "lint staticcheck: own"),
        ("mvn -q test", "test maven: own"),
        ("./mvnw -pl core clean verify", "test maven: own"),
        ("mvn -DskipTests package", "build maven: own"),
        ("./gradlew test --tests com.a.FooTest", "test gradle: own"),
        ("./gradlew :app:testDebugUnitTest", "test gradle: own"),
        ("gradle build -x test", "build gradle: own"),
        ("./gradlew check", "test gradle: own"),
        ("ant test", "test ant: own"),
        ("sbt test", "test sbt: own"),
        ("sbt 'testOnly com.a.FooSpec'", "test sbt: own"),
        ("dotnet test --filter Category=Unit", "test dotnet test: own"),
        ("dotnet build -c Release", "build dotnet build: own"),
        ("rspec spec/a_spec.rb:12", "test rspec: own"),
        ("bin/rails test", "test minitest: own"),
        ("rake test", "test rake: own"),
        ("ruby -Itest test/user_test.rb", "test minitest: own"),
        ("rubocop -A", "lint rubocop: own"),
        ("vendor/bin/phpunit --filter testA", "test phpunit: own"),
        ("php artisan test", "test pest: own"),
        ("php vendor/bin/phpunit", "test phpunit: own"),
        ("./vendor/bin/pest", "test pest: own"),
        ("vendor/bin/phpstan analyse src", "lint phpstan: own"),
        ("vendor/bin/psalm", "lint psalm: own"),
        ("composer test", "test composer: own"),
        ("make", "build make: own"),
        ("make -j8", "build make: own"),
        ("make test", "test make: own"),
        ("make -C sub check", "test make: own"),
        ("make lint", "lint make: own"),
        ("just test", "test just: own"),
        ("task lint", "lint task: own"),
        ("cmake --build build -j", "build cmake: own"),
        ("ctest --test-dir build --output-on-failure", "test ctest: own"),
        ("ninja -C build", "build ninja: own"),
        ("ninja -C build test", "test ninja: own"),
        ("meson test -C build", "test meson: own"),
        ("gcc -Wall -o a a.c", "build gcc: own"),
        ("swift test --filter FooTests", "test swift test: own"),
        ("swift build", "build swift build: own"),
        (
            "xcodebuild test -scheme App -destination 'platform=iOS Simulator,name=iPhone 15'",
            "test xcodebuild: own",
        ),
        ("mix test test/a_test.exs:12", "test mix test: own"),
        ("mix format --check-formatted", "format mix format: own"),
        ("flutter test", "test flutter test: own"),
        ("flutter analyze", "lint flutter analyze: own"),
        ("dart analyze", "lint flutter analyze: own"),
        ("bats test/", "test bats: own"),
        ("shellcheck scripts/*.sh", "lint shellcheck: own"),
        // It says by its code whether there are marks of a conflict or blanks at the ends of lines.
        ("git diff --check", "format git diff --check: own"),
        ("gofmt -l .", "format gofmt: own"),
        ("terraform validate", "lint terraform validate: own"),
        ("terraform plan", "build terraform plan: own"),
        ("hadolint Dockerfile", "lint hadolint: own"),
        ("yamllint .", "lint yamllint: own"),
        ("pre-commit run --all-files", "lint pre-commit: own"),
        ("bazel test //...", "test bazel: own"),
        ("bazel build //app", "build bazel: own"),
        ("buck2 test //...", "test buck: own"),
        ("pants test ::", "test pants: own"),
        ("R CMD check pkg_1.0.tar.gz", "test R CMD check: own"),
        ("julia --project -e 'using Pkg; Pkg.test()'", "test Pkg.test: own"),
        ("zig build test", "test zig test: own"),
        ("cabal test all", "test cabal: own"),
        ("stack test", "test stack: own"),
        ("lein test", "test lein: own"),
        ("./scripts/test", "test script: own"),
        ("scripts/check.sh --fast", "test script: own"),
        ("bash scripts/run-tests.sh", "test script: own"),
        ("./bin/ci", "test script: own"),
        ("./run_tests.py", "test script: own"),
        ("python run_tests.py", "test script: own"),
        ("./scripts/lint.sh", "lint script: own"),
        ("sh ./build.sh", "build script: own"),
        ("node scripts/typecheck.mjs", "typecheck script: own"),
        ("cargo test --no-run", "build cargo test: own"),
        ("go test -c ./pkg", "build go test: own"),
    ]);
}

/// Commands that mention checks, prepare them, or only ask what they would do.
#[rustfmt::skip]
const NO_CHECKS: &[&str] = &[
    "git commit -m \"$(cat <<'EOF'\nRun cargo test: it's (almost) green\n\nnpm test\nEOF\n)\"", "command -v pytest", "rails test:prepare",
    "terraform plan -detailed-exitcode", "git commit -m \"fix: `cargo` (test)\"", "gh pr create --body \"cargo test && npm test\"",
    "cargo --version", "cargo test --help", "cargo test -- --list", "pytest --collect-only", "pytest --co -q",
    "pytest --version", "jest --listTests", "npx playwright test --list", "make -n test", "make --dry-run check",
    "ctest -N", "tsc --init", "tsc --watch", "npm run test:watch", "npx vitest --watch", "vitest watch", "npm ci",
    "npm install", "npm install --save-dev jest", "yarn add -D vitest", "pip install pytest",
    "cargo install cargo-nextest", "cargo add proptest --dev", "go install gotest.tools/gotestsum@latest",
    "go list ./...", "go mod tidy", "cat test.log", "grep -rn test src", "rg 'fn test_' crates",
    "git commit -m \"run tests\"", "git commit -m 'cargo test passes'", "echo \"pytest\"", "echo cargo test",
    "printf 'npm test\\n'", "ls tests", "cat <<'EOF' > run.sh\ncargo test\nEOF", "vim tests/test_a.py",
    "which pytest", "command -v cargo", "type npm", "man make", "sed -i 's/test/check/' Makefile",
    "mkdir -p tests/unit", "rm -rf build", "cp test.txt build/", "find . -name '*test*'", "git checkout -b test",
    "git log --grep=test", "npm run dev", "npm start", "npm run db:seed", "npm run clean",
    "docker ps", "docker compose up -d", "cargo run -- test", "cargo fmt", "cargo doc", "cargo bench", "cargo clean",
    "cargo update", "prettier --write .", "black .", "ruff format .", "terraform apply", "terraform init",
    "python test_scratch.py", "python -c 'import pytest'", "python - <<'EOF'\nimport pytest\nEOF",
    "node test.mjs.bak", "/tmp/test.sh", "kill %1", "ps aux | grep 'cargo test'", "pkill -f vitest", "gradle tasks",
    "mvn dependency:tree", "mvn clean", "./gradlew --version", "just --list", "make clean", "make install",
    "make help", "tox -l", "nox --list", "pre-commit install", "rake -T", "mix deps.get", "dotnet restore",
    "dotnet test --list-tests", "bundle install", "composer install", "swift package resolve", "flutter pub get",
    "deno run main.ts", "bun install", "export TEST=1", "", "   ", "&&", "# cargo test", "tail -f test.log",
    "less build.log", "gh run view --log", "gh pr checks", "curl http://localhost/test", "cd tests",
    "test -f Cargo.toml", "[ -d tests ]", "vendor/bin/phpunit --list-tests", "./scripts/test.sh --help", "swift test list",
];

#[test]
fn no_checks() {
    for line in NO_CHECKS {
        check(&[(line, "")]);
    }
}

#[test]
fn what_a_check_names() {
    let cases: &[(&str, &str, &[&str], Option<&str>)] = &[
        (
            "cargo test -p core parser::tests",
            "cargo test -p core parser::tests",
            &["core", "parser::tests"],
            None,
        ),
        (
            "cd web && FOO=1 timeout 60 npx jest src/a.test.ts 2>&1 | tail",
            "jest src/a.test.ts",
            &["src/a.test.ts"],
            Some("web"),
        ),
        (
            "pytest -k 'not slow' tests/unit",
            "pytest -k 'not slow' tests/unit",
            &["not slow", "tests/unit"],
            None,
        ),
        ("go test -run TestX ./pkg/a", "go test -run TestX ./pkg/a", &["TestX", "./pkg/a"], None),
        ("go test ./...", "go test ./...", &[], None),
        ("(cd a && make test); cargo test", "make test", &[], Some("a")),
        ("ssh host 'cd repo && cargo test'", "cargo test", &[], Some("ssh:host/repo")),
        ("ls t | xargs pytest", "pytest", &["$(ls t)"], None),
        ("pytest $(ls t)", "pytest '$(ls t)'", &["$(ls t)"], None),
        ("npm test -- src/b.test.js", "npm test -- src/b.test.js", &["src/b.test.js"], None),
        (
            "./gradlew test --tests com.a.FooTest",
            "./gradlew test --tests com.a.FooTest",
            &["com.a.FooTest"],
            None,
        ),
    ];
    for (line, text, scope, folder) in cases {
        let reading = read_command(line);
        let (check, _) = &reading.checks[0];
        assert_eq!(check.text, *text);
        assert_eq!(check.scope, *scope, "{line}");
        assert_eq!(check.folder.as_deref(), *folder, "{line}");
    }
}
