//! A quick look at whether a command line can hold a check at all.
//!
//! Most lines of a transcript do not, and are turned away here: the line is cut into runs of letters and digits, and each
//! is looked up in a sorted list. Being wrong in one direction costs time only; a word that is missing here makes a check
//! invisible, so a test holds this list against the tables.

/// Words of which a check has at least one. Sorted.
#[rustfmt::skip]
pub(super) const WORDS: &[&str] = &[
    "Rscript", "acceptance", "actionlint", "analyse", "analyze", "ansible", "ant", "artisan", "ava", "bandit",
    "basedpyright", "bash", "bats", "bazel", "bazelisk", "bb", "behave", "biome", "black", "buck", "buck2", "buf",
    "build", "builds", "bun", "bundle", "busted", "cabal", "cargo", "cc", "check", "checks", "checkstyle", "ci",
    "clang", "clippy", "cmake", "codecept", "codespell", "compile", "compileall", "composer", "cov", "coverage",
    "cppcheck", "cross", "crystal", "ctest", "cucumber", "cypress", "dart", "deno", "detekt", "django", "dmypy",
    "docker", "doctest", "dotnet", "dune", "e2e", "earthly", "elm", "ember", "esbuild", "eslint", "eunit",
    "fastlane", "flake8", "flutter", "forge", "format", "g", "gcc", "ghc", "ginkgo", "gleam", "gmake", "go",
    "golangci", "gotestsum", "gradle", "gradlew", "hadolint", "hardhat", "hatch", "helm", "hlint", "integration",
    "inv", "invoke", "isort", "jasmine", "javac", "jest", "julia", "just", "karma", "kotlinc", "ktlint", "lake",
    "lefthook", "lein", "lerna", "lint", "linter", "lints", "luacheck", "mage", "make", "manage", "markdownlint",
    "maturin", "melos", "meson", "minitest", "mise", "mix", "mocha", "moon", "msbuild", "mvn", "mvnd", "mvnw",
    "mypy", "next", "nextest", "nimble", "ninja", "node", "nose2", "nosetests", "nox", "npm", "nuxt", "nx",
    "oxlint", "pants", "paratest", "parcel", "pest", "php", "phpcs", "phpstan", "phpunit", "pint", "playwright",
    "pnpm", "poe", "pre", "precommit", "preflight", "presubmit", "prettier", "prove", "psalm", "pycodestyle",
    "pyflakes", "pylint", "pyre", "pyright", "pytest", "qa", "rails", "rake", "rcmdcheck", "react", "rebar3",
    "regression", "remake", "revive", "rollup", "rspec", "rubocop", "ruff", "runtests", "rush", "rustc", "rustfmt",
    "sbt", "scala", "scons", "shellcheck", "shellspec", "shfmt", "smoke", "spec", "specs", "srb", "standard",
    "standardrb", "staticcheck", "stylelint", "svelte", "swift", "swiftlint", "tap", "tape", "task", "terraform",
    "test", "testall", "testing", "tests", "tflint", "tofu", "tox", "trial", "trunk", "ts", "tsc", "tsgo", "tsup",
    "tsx", "turbo", "ty", "typecheck", "typing", "unit", "unittest", "unittests", "validate", "verify", "vet",
    "vite", "vitest", "vstest", "vue", "ward", "wasm", "webpack", "wireit", "wtr", "xcodebuild", "xmake", "xo",
    "yamllint", "yarn", "zig",
];

/// Whether `line` has a word that checks have.
pub(super) fn may_hold_check(line: &str) -> bool {
    line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
        // Names of tasks may join words: `testDebugUnitTest` stands behind its program, which is in the list itself.
        (1..=12).contains(&word.len()) && WORDS.binary_search(&word).is_ok()
    })
}
