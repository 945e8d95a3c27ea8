//! The checks that are known by name, as a table.
//!
//! A row is a program, the words that must follow it, one of the options that must stand somewhere, and what it is. The
//! first row that fits decides. A program whose tasks have names of the project's own stands in `task_runners.rs` instead.

use super::CheckKind::{self, Build, Format, Lint, Test, TypeCheck};
use super::Ecosystem::{
    self, C, Deno, DotNet, Elixir, Go, Java, Node, Other, Php, Python, Ruby, Rust, Shell, Swift,
};

/// A known check.
pub(super) struct Known {
    pub(super) program: &'static str,
    /// The first words after the program that are no options.
    pub(super) words: &'static [&'static str],
    /// One of these must stand among the arguments; none at all if there are none here.
    pub(super) options: &'static [&'static str],
    pub(super) kind: CheckKind,
    pub(super) ecosystem: Ecosystem,
    pub(super) runner: &'static str,
}

const fn row(
    program: &'static str,
    words: &'static [&'static str],
    kind: CheckKind,
    ecosystem: Ecosystem,
    runner: &'static str,
) -> Known {
    Known { program, words, options: &[], kind, ecosystem, runner }
}

const fn with(
    program: &'static str,
    words: &'static [&'static str],
    options: &'static [&'static str],
    kind: CheckKind,
    ecosystem: Ecosystem,
    runner: &'static str,
) -> Known {
    Known { program, words, options, kind, ecosystem, runner }
}

#[rustfmt::skip]
pub(super) const KNOWN: &[Known] = &[
    row("cargo", &["test"], Test, Rust, "cargo test"), row("cargo", &["t"], Test, Rust, "cargo test"),
    row("cargo", &["nextest", "run"], Test, Rust, "cargo nextest"),
    row("cargo", &["nextest", "r"], Test, Rust, "cargo nextest"),
    row("cargo", &["miri", "test"], Test, Rust, "cargo miri"),
    row("cargo", &["miri", "nextest"], Test, Rust, "cargo nextest"),
    row("cargo", &["llvm-cov", "nextest"], Test, Rust, "cargo nextest"),
    row("cargo", &["llvm-cov"], Test, Rust, "cargo test"), row("cargo", &["tarpaulin"], Test, Rust, "cargo test"),
    row("cargo", &["insta", "test"], Test, Rust, "cargo test"),
    row("cargo", &["hack", "test"], Test, Rust, "cargo test"),
    row("cargo", &["hack", "check"], Build, Rust, "cargo check"),
    row("cargo", &["check"], Build, Rust, "cargo check"), row("cargo", &["c"], Build, Rust, "cargo check"),
    row("cargo", &["build"], Build, Rust, "cargo build"), row("cargo", &["b"], Build, Rust, "cargo build"),
    row("cargo", &["zigbuild"], Build, Rust, "cargo build"), row("cargo", &["clippy"], Lint, Rust, "cargo clippy"),
    with("cargo", &["fmt"], &["--check", "-c"], Format, Rust, "cargo fmt"),
    row("cargo", &["deny", "check"], Lint, Rust, "cargo deny"),
    with("rustfmt", &[], &["--check"], Format, Rust, "rustfmt"), row("rustc", &[], Build, Rust, "rustc"),
    row("wasm-pack", &["test"], Test, Rust, "cargo test"), row("wasm-pack", &["build"], Build, Rust, "cargo build"),
    row("trunk", &["build"], Build, Rust, "cargo build"), row("cross", &["test"], Test, Rust, "cargo test"),
    row("cross", &["build"], Build, Rust, "cargo build"), row("cross", &["check"], Build, Rust, "cargo check"),

    row("jest", &[], Test, Node, "jest"), row("vitest", &[], Test, Node, "vitest"),
    row("mocha", &[], Test, Node, "mocha"), row("ava", &[], Test, Node, "ava"), row("tap", &[], Test, Node, "tap"),
    row("tape", &[], Test, Node, "tap"), row("playwright", &["test"], Test, Node, "playwright"),
    row("cypress", &["run"], Test, Node, "cypress"), row("react-scripts", &["test"], Test, Node, "jest"),
    row("react-scripts", &["build"], Build, Node, "webpack"), row("karma", &["start"], Test, Node, "karma"),
    row("jasmine", &[], Test, Node, "jasmine"), row("wtr", &[], Test, Node, "wtr"),
    row("cucumber-js", &[], Test, Node, "cucumber"), row("ng", &["test"], Test, Node, "karma"),
    row("ng", &["build"], Build, Node, "ng"), row("ng", &["lint"], Lint, Node, "eslint"),
    with("node", &[], &["--test"], Test, Node, "node --test"),
    with("tsx", &[], &["--test"], Test, Node, "node --test"),
    with("node", &[], &["--check", "-c"], Build, Node, "node --check"), row("tsc", &[], TypeCheck, Node, "tsc"),
    row("vue-tsc", &[], TypeCheck, Node, "tsc"), row("svelte-check", &[], TypeCheck, Node, "svelte-check"),
    row("tsgo", &[], TypeCheck, Node, "tsc"), row("astro", &["check"], TypeCheck, Node, "tsc"),
    row("astro", &["build"], Build, Node, "vite"), row("eslint", &[], Lint, Node, "eslint"),
    row("oxlint", &[], Lint, Node, "eslint"), row("xo", &[], Lint, Node, "eslint"),
    row("standard", &[], Lint, Node, "eslint"), row("stylelint", &[], Lint, Node, "eslint"),
    row("next", &["lint"], Lint, Node, "eslint"), row("markdownlint", &[], Lint, Node, "markdownlint"),
    row("markdownlint-cli2", &[], Lint, Node, "markdownlint"),
    with("prettier", &[], &["--check", "-c", "-l", "--list-different"], Format, Node, "prettier"),
    row("biome", &["check"], Lint, Node, "biome"), row("biome", &["lint"], Lint, Node, "biome"),
    row("biome", &["ci"], Lint, Node, "biome"), row("next", &["build"], Build, Node, "next"),
    row("vite", &["build"], Build, Node, "vite"), row("webpack", &[], Build, Node, "webpack"),
    row("rollup", &[], Build, Node, "rollup"), row("esbuild", &[], Build, Node, "esbuild"),
    row("tsup", &[], Build, Node, "tsup"), row("nuxt", &["build"], Build, Node, "vite"),
    row("parcel", &["build"], Build, Node, "parcel"), row("bun", &["test"], Test, Node, "bun test"),
    row("bun", &["build"], Build, Node, "bun build"), row("ember", &["test"], Test, Node, "tap"),
    row("hardhat", &["test"], Test, Node, "mocha"), row("hardhat", &["compile"], Build, Node, "hardhat"),
    row("forge", &["test"], Test, Other, "forge"), row("forge", &["build"], Build, Other, "forge"),

    row("deno", &["test"], Test, Deno, "deno test"), row("deno", &["lint"], Lint, Deno, "deno lint"),
    row("deno", &["check"], TypeCheck, Deno, "deno check"),
    with("deno", &["fmt"], &["--check"], Format, Deno, "deno fmt"),

    row("pytest", &[], Test, Python, "pytest"), row("py.test", &[], Test, Python, "pytest"),
    row("unittest", &[], Test, Python, "unittest"), row("nose2", &[], Test, Python, "unittest"),
    row("nosetests", &[], Test, Python, "unittest"), row("trial", &[], Test, Python, "unittest"),
    row("ward", &[], Test, Python, "ward"), row("doctest", &[], Test, Python, "doctest"),
    row("behave", &[], Test, Python, "behave"), row("tox", &[], Test, Python, "tox"),
    row("nox", &[], Test, Python, "nox"), row("manage.py", &["test"], Test, Python, "unittest"),
    row("manage.py", &["check"], Lint, Python, "manage.py check"),
    row("setup.py", &["test"], Test, Python, "unittest"), row("setup.py", &["build"], Build, Python, "setup.py"),
    row("setup.py", &["build_ext"], Build, Python, "setup.py"), row("ruff", &["check"], Lint, Python, "ruff"),
    with("ruff", &["format"], &["--check", "--diff"], Format, Python, "ruff format"),
    row("flake8", &[], Lint, Python, "flake8"), row("pylint", &[], Lint, Python, "pylint"),
    row("pyflakes", &[], Lint, Python, "flake8"), row("pycodestyle", &[], Lint, Python, "flake8"),
    row("bandit", &[], Lint, Python, "bandit"), row("mypy", &[], TypeCheck, Python, "mypy"),
    row("dmypy", &["run"], TypeCheck, Python, "mypy"), row("pyright", &[], TypeCheck, Python, "pyright"),
    row("basedpyright", &[], TypeCheck, Python, "pyright"), row("pyre", &["check"], TypeCheck, Python, "pyre"),
    row("ty", &["check"], TypeCheck, Python, "ruff"), with("black", &[], &["--check"], Format, Python, "black"),
    with("isort", &[], &["--check", "--check-only", "-c"], Format, Python, "isort"),
    row("py_compile", &[], Build, Python, "py_compile"), row("compileall", &[], Build, Python, "py_compile"),
    row("maturin", &["build"], Build, Python, "cargo build"),
    row("django-admin", &["test"], Test, Python, "unittest"), row("hatch", &["test"], Test, Python, "pytest"),
    row("pre-commit", &["run"], Lint, Other, "pre-commit"), row("lefthook", &["run"], Lint, Other, "lefthook"),

    row("go", &["test"], Test, Go, "go test"), row("gotestsum", &[], Test, Go, "go test"),
    row("go", &["build"], Build, Go, "go build"), row("go", &["vet"], Lint, Go, "go vet"),
    row("ginkgo", &[], Test, Go, "go test"), row("golangci-lint", &["run"], Lint, Go, "golangci-lint"),
    row("staticcheck", &[], Lint, Go, "staticcheck"), row("revive", &[], Lint, Go, "staticcheck"),

    row("dotnet", &["test"], Test, DotNet, "dotnet test"), row("dotnet", &["build"], Build, DotNet, "dotnet build"),
    row("dotnet", &["publish"], Build, DotNet, "dotnet build"),
    with("dotnet", &["format"], &["--verify-no-changes"], Format, DotNet, "dotnet format"),
    row("msbuild", &[], Build, DotNet, "dotnet build"), row("vstest", &[], Test, DotNet, "dotnet test"),

    row("rspec", &[], Test, Ruby, "rspec"), row("minitest", &[], Test, Ruby, "minitest"),
    row("rails", &["test"], Test, Ruby, "minitest"), row("rails", &["spec"], Test, Ruby, "rspec"),
    row("rubocop", &[], Lint, Ruby, "rubocop"), row("standardrb", &[], Lint, Ruby, "rubocop"),
    row("srb", &["tc"], TypeCheck, Ruby, "sorbet"), row("cucumber", &[], Test, Ruby, "cucumber"),

    row("phpunit", &[], Test, Php, "phpunit"), row("paratest", &[], Test, Php, "phpunit"),
    row("simple-phpunit", &[], Test, Php, "phpunit"), row("pest", &[], Test, Php, "pest"),
    row("artisan", &["test"], Test, Php, "pest"), row("phpstan", &[], Lint, Php, "phpstan"),
    row("psalm", &[], Lint, Php, "psalm"), row("phpcs", &[], Lint, Php, "phpcs"),
    row("codecept", &["run"], Test, Php, "phpunit"),
    with("php-cs-fixer", &["fix"], &["--dry-run"], Format, Php, "php-cs-fixer"),
    with("pint", &[], &["--test"], Format, Php, "pint"), with("php", &[], &["-l"], Build, Php, "php -l"),

    with("cmake", &[], &["--build"], Build, C, "cmake"), row("ctest", &[], Test, C, "ctest"),
    row("ninja", &["test"], Test, C, "ninja"), row("ninja", &["check"], Test, C, "ninja"),
    row("ninja", &[], Build, C, "ninja"), row("meson", &["test"], Test, C, "meson"),
    row("meson", &["compile"], Build, C, "ninja"), row("gcc", &[], Build, C, "gcc"),
    row("g++", &[], Build, C, "gcc"), row("clang", &[], Build, C, "gcc"), row("clang++", &[], Build, C, "gcc"),
    row("cc", &[], Build, C, "gcc"), row("clang-tidy", &[], Lint, C, "gcc"), row("cppcheck", &[], Lint, C, "gcc"),
    with("clang-format", &[], &["--dry-run", "-n"], Format, C, "clang-format"),
    row("scons", &[], Build, C, "scons"), row("xmake", &["test"], Test, C, "xmake"),
    row("zig", &["build", "test"], Test, Other, "zig test"), row("zig", &["test"], Test, Other, "zig test"),
    row("zig", &["build"], Build, Other, "zig build"),

    row("swift", &["test"], Test, Swift, "swift test"), row("swift", &["build"], Build, Swift, "swift build"),
    row("swiftlint", &[], Lint, Swift, "swiftlint"), row("fastlane", &["test"], Test, Swift, "swift test"),

    row("mix", &["test"], Test, Elixir, "mix test"), row("mix", &["compile"], Build, Elixir, "mix compile"),
    row("mix", &["credo"], Lint, Elixir, "mix credo"), row("mix", &["dialyzer"], TypeCheck, Elixir, "mix dialyzer"),
    with("mix", &["format"], &["--check-formatted"], Format, Elixir, "mix format"),
    row("rebar3", &["eunit"], Test, Elixir, "eunit"), row("rebar3", &["ct"], Test, Elixir, "eunit"),
    row("gleam", &["test"], Test, Other, "gleam"), row("gleam", &["build"], Build, Other, "gleam"),
    row("gleam", &["check"], TypeCheck, Other, "gleam"),

    row("flutter", &["test"], Test, Other, "flutter test"),
    row("flutter", &["analyze"], Lint, Other, "flutter analyze"),
    row("flutter", &["build"], Build, Other, "flutter build"), row("dart", &["test"], Test, Other, "flutter test"),
    row("dart", &["analyze"], Lint, Other, "flutter analyze"),
    with("dart", &["format"], &["--set-exit-if-changed"], Format, Other, "dart format"),

    row("bats", &[], Test, Shell, "bats"), row("shellcheck", &[], Lint, Shell, "shellcheck"),
    with("shfmt", &[], &["-d", "-l"], Format, Shell, "shfmt"), row("shellspec", &[], Test, Shell, "shellspec"),
    with("bash", &[], &["-n"], Build, Shell, "bash -n"),

    row("terraform", &["validate"], Lint, Other, "terraform validate"),
    row("terraform", &["plan"], Build, Other, "terraform plan"),
    row("terraform", &["test"], Test, Other, "terraform test"),
    with("terraform", &["fmt"], &["-check", "--check"], Format, Other, "terraform fmt"),
    row("tofu", &["validate"], Lint, Other, "terraform validate"),
    row("tofu", &["plan"], Build, Other, "terraform plan"), row("tflint", &[], Lint, Other, "tflint"),
    row("hadolint", &[], Lint, Other, "hadolint"), row("yamllint", &[], Lint, Other, "yamllint"),
    row("actionlint", &[], Lint, Other, "actionlint"), row("ansible-lint", &[], Lint, Other, "ansible-lint"),
    row("helm", &["lint"], Lint, Other, "helm lint"), row("buf", &["lint"], Lint, Other, "buf"),
    row("docker", &["build"], Build, Other, "docker build"),
    row("docker", &["compose", "build"], Build, Other, "docker build"),
    row("docker", &["buildx", "build"], Build, Other, "docker build"),
    row("codespell", &[], Lint, Other, "codespell"),

    row("bazel", &["test"], Test, Other, "bazel"), row("bazel", &["build"], Build, Other, "bazel"),
    row("bazelisk", &["test"], Test, Other, "bazel"), row("bazelisk", &["build"], Build, Other, "bazel"),
    row("buck2", &["test"], Test, Other, "buck"), row("buck2", &["build"], Build, Other, "buck"),
    row("buck", &["test"], Test, Other, "buck"), row("buck", &["build"], Build, Other, "buck"),
    row("pants", &["test"], Test, Other, "pants"), row("pants", &["lint"], Lint, Other, "pants"),
    row("pants", &["check"], TypeCheck, Other, "pants"),

    row("R", &["CMD", "check"], Test, Other, "R CMD check"), row("cabal", &["test"], Test, Other, "cabal"),
    row("cabal", &["build"], Build, Other, "cabal"), row("cabal", &["v2-test"], Test, Other, "cabal"),
    row("stack", &["test"], Test, Other, "stack"), row("stack", &["build"], Build, Other, "stack"),
    row("ghc", &[], Build, Other, "ghc"), row("hlint", &[], Lint, Other, "hlint"),
    row("dune", &["test"], Test, Other, "dune"), row("dune", &["runtest"], Test, Other, "dune"),
    row("dune", &["build"], Build, Other, "dune"), row("elm-test", &[], Test, Other, "elm-test"),
    row("lake", &["build"], Build, Other, "lake"), row("nimble", &["test"], Test, Other, "nimble"),
    row("crystal", &["spec"], Test, Other, "crystal spec"), row("busted", &[], Test, Other, "busted"),
    row("luacheck", &[], Lint, Other, "luacheck"), row("prove", &[], Test, Other, "prove"),
    row("javac", &[], Build, Java, "javac"), row("kotlinc", &[], Build, Java, "javac"),
    row("ktlint", &[], Lint, Java, "ktlint"), row("scala-cli", &["test"], Test, Java, "sbt"),
    row("mill", &["test"], Test, Java, "sbt"), row("nx", &["test"], Test, Node, "nx"),
];
