//! Programs that run tasks whose names are the project's own, as a table: `npm run …`, `make …`, `gradle …`.

use super::Ecosystem::{self, Deno, Go, Java, Make, Node, Other, Php, Python, Ruby, Rust, Swift};

/// A program that runs tasks whose names are the project's own.
pub(super) struct TaskRunner {
    pub(super) program: &'static str,
    /// The words that must stand before the tasks.
    pub(super) words: &'static [&'static str],
    pub(super) tasks: Tasks,
    pub(super) ecosystem: Ecosystem,
    pub(super) runner: &'static str,
}

/// Which words are tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tasks {
    /// The next word; the others are arguments of the task.
    One,
    /// All that are no options.
    All,
    /// The same, and with none named the program builds.
    AllOrBuild,
}

const fn runs(
    program: &'static str,
    words: &'static [&'static str],
    tasks: Tasks,
    ecosystem: Ecosystem,
    runner: &'static str,
) -> TaskRunner {
    TaskRunner { program, words, tasks, ecosystem, runner }
}

#[rustfmt::skip]
pub(super) const TASK_RUNNERS: &[TaskRunner] = &[
    runs("npm", &["run"], Tasks::One, Node, "npm run"), runs("npm", &["run-script"], Tasks::One, Node, "npm run"),
    runs("npm", &["test"], Tasks::One, Node, "npm test"), runs("npm", &["t"], Tasks::One, Node, "npm test"),
    runs("npm", &["tst"], Tasks::One, Node, "npm test"), runs("yarn", &["run"], Tasks::One, Node, "yarn"),
    runs("yarn", &["workspaces", "run"], Tasks::One, Node, "yarn"),
    runs("yarn", &["workspaces", "foreach", "run"], Tasks::One, Node, "yarn"),
    runs("yarn", &[], Tasks::One, Node, "yarn"), runs("pnpm", &["run"], Tasks::One, Node, "pnpm"),
    runs("pnpm", &["recursive", "run"], Tasks::One, Node, "pnpm"), runs("pnpm", &["t"], Tasks::One, Node, "pnpm"),
    runs("pnpm", &[], Tasks::One, Node, "pnpm"), runs("bun", &["run"], Tasks::One, Node, "bun run"),
    runs("turbo", &["run"], Tasks::All, Node, "turbo"), runs("turbo", &[], Tasks::All, Node, "turbo"),
    runs("lerna", &["run"], Tasks::One, Node, "lerna"), runs("nx", &["run-many"], Tasks::All, Node, "nx"),
    runs("nx", &["affected"], Tasks::All, Node, "nx"), runs("nx", &["run"], Tasks::One, Node, "nx"),
    runs("nx", &[], Tasks::One, Node, "nx"), runs("wireit", &[], Tasks::One, Node, "npm run"),
    runs("npm-run-all", &[], Tasks::All, Node, "npm run"), runs("run-s", &[], Tasks::All, Node, "npm run"),
    runs("run-p", &[], Tasks::All, Node, "npm run"), runs("deno", &["task"], Tasks::One, Deno, "deno task"),
    runs("rush", &[], Tasks::One, Node, "rush"), runs("composer", &["run"], Tasks::One, Php, "composer"),
    runs("composer", &["run-script"], Tasks::One, Php, "composer"),
    runs("composer", &[], Tasks::One, Php, "composer"), runs("make", &[], Tasks::AllOrBuild, Make, "make"),
    runs("gmake", &[], Tasks::AllOrBuild, Make, "make"), runs("remake", &[], Tasks::AllOrBuild, Make, "make"),
    runs("just", &[], Tasks::All, Make, "just"), runs("task", &[], Tasks::All, Make, "task"),
    runs("go-task", &[], Tasks::All, Make, "task"), runs("mage", &[], Tasks::All, Go, "mage"),
    runs("mise", &["run"], Tasks::One, Make, "mise"), runs("moon", &["run"], Tasks::All, Make, "moon"),
    runs("earthly", &[], Tasks::All, Make, "earthly"), runs("invoke", &[], Tasks::All, Python, "invoke"),
    runs("inv", &[], Tasks::All, Python, "invoke"), runs("poe", &[], Tasks::One, Python, "poe"),
    runs("hatch", &["run"], Tasks::One, Python, "hatch"), runs("pdm", &["run"], Tasks::One, Python, "pdm"),
    runs("pixi", &["run"], Tasks::One, Python, "pixi"), runs("mvn", &[], Tasks::All, Java, "maven"),
    runs("mvnw", &[], Tasks::All, Java, "maven"), runs("mvnd", &[], Tasks::All, Java, "maven"),
    runs("gradle", &[], Tasks::All, Java, "gradle"), runs("gradlew", &[], Tasks::All, Java, "gradle"),
    runs("ant", &[], Tasks::All, Java, "ant"), runs("sbt", &[], Tasks::All, Java, "sbt"),
    runs("lein", &[], Tasks::All, Java, "lein"), runs("bb", &[], Tasks::One, Java, "babashka"),
    runs("rake", &[], Tasks::All, Ruby, "rake"), runs("xcodebuild", &[], Tasks::All, Swift, "xcodebuild"),
    runs("cargo", &["xtask"], Tasks::One, Rust, "cargo xtask"),
    runs("cargo", &["make"], Tasks::One, Rust, "cargo make"), runs("rails", &[], Tasks::One, Ruby, "rake"),
    runs("melos", &["run"], Tasks::One, Other, "melos"), runs("melos", &[], Tasks::One, Other, "melos"),
];
