//! The built-in ecosystems. A further one is a row here, or `[[verify.ecosystems]]` in the user's own settings.

use super::ecosystem::{CheckRow, Ecosystem, Reach, Reads};

/// Where a C or C++ project is built: outside its tree, in a folder that goes with the run.
const CMAKE: &str = "cmake -S . -B \"$HANSEI_BUILD\" && cmake --build \"$HANSEI_BUILD\" && \
                     ctest --test-dir \"$HANSEI_BUILD\" --output-on-failure";

struct Row {
    name: &'static str,
    files: &'static [&'static str],
    reach: Reach,
    reads: Reads,
    checks: &'static [Command],
}

struct Command {
    line: &'static str,
    thorough: Option<&'static str>,
    tool: &'static str,
    wrapper: Option<&'static str>,
    install: &'static str,
    speaks: bool,
}

const fn command(line: &'static str, tool: &'static str, install: &'static str) -> Command {
    Command { line, thorough: None, tool, wrapper: None, install, speaks: false }
}

const ROWS: &[Row] = &[
    Row {
        name: "Python",
        files: &["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini"],
        reach: Reach::Each,
        reads: Reads::Python,
        checks: &[
            Command {
                thorough: Some("pytest -q"),
                speaks: true,
                ..command(
                    "pytest -x -q",
                    "pytest",
                    "pip install pytest (into the project's .venv, or on PATH)",
                )
            },
            Command {
                speaks: true,
                ..command("ruff check", "ruff", "pip install ruff (into the project's .venv, or on PATH)")
            },
        ],
    },
    Row {
        name: "Rust",
        files: &["Cargo.toml"],
        reach: Reach::Each,
        reads: Reads::Cargo,
        checks: &[Command {
            thorough: Some("cargo test --no-fail-fast"),
            speaks: true,
            ..command("cargo test", "cargo", "install Rust with rustup: https://rustup.rs")
        }],
    },
    Row {
        name: "Node",
        files: &["package.json"],
        reach: Reach::Each,
        reads: Reads::Node,
        checks: &[command(
            "npm test",
            "npm",
            "install Node.js with npm (apt-get install nodejs npm), and the package's dependencies (npm install)",
        )],
    },
    Row {
        name: "Go",
        files: &["go.mod"],
        reach: Reach::Each,
        reads: Reads::Go,
        checks: &[
            Command {
                speaks: true,
                ..command("go test ./...", "go", "install Go: apt-get install golang-go")
            },
            command("go vet ./...", "go", "install Go: apt-get install golang-go"),
        ],
    },
    Row {
        name: "Java (Maven)",
        files: &["pom.xml"],
        reach: Reach::Outermost,
        reads: Reads::Maven,
        checks: &[Command {
            thorough: Some("mvn -B --fail-at-end test"),
            wrapper: Some("mvnw"),
            speaks: true,
            ..command(
                "mvn -B test",
                "mvn",
                "install Maven and a JDK: apt-get install maven default-jdk-headless",
            )
        }],
    },
    Row {
        name: "Java (Gradle)",
        files: &["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"],
        reach: Reach::Outermost,
        reads: Reads::Nothing,
        checks: &[Command {
            thorough: Some("gradle --console=plain --continue test"),
            wrapper: Some("gradlew"),
            speaks: true,
            ..command(
                "gradle --console=plain test",
                "gradle",
                "install Gradle, or add the wrapper: gradle wrapper",
            )
        }],
    },
    Row {
        name: "C/C++ (CMake)",
        files: &["CMakeLists.txt"],
        reach: Reach::Outermost,
        reads: Reads::Nothing,
        checks: &[Command {
            speaks: true,
            ..command(CMAKE, "cmake", "install CMake and a compiler: apt-get install cmake g++")
        }],
    },
    Row {
        name: "Deno",
        files: &["deno.json", "deno.jsonc"],
        reach: Reach::Each,
        reads: Reads::Deno,
        checks: &[command("deno test --allow-read --allow-write", "deno", "install Deno: https://deno.com")],
    },
    Row {
        name: "Ruby (RSpec)",
        files: &[".rspec"],
        reach: Reach::Each,
        reads: Reads::Nothing,
        checks: &[command(
            "bundle exec rspec",
            "bundle",
            "install Ruby with Bundler: apt-get install ruby-bundler",
        )],
    },
    Row {
        name: "PHP",
        files: &["phpunit.xml", "phpunit.xml.dist"],
        reach: Reach::Each,
        reads: Reads::Nothing,
        checks: &[command("vendor/bin/phpunit", "php", "install PHP, and PHPUnit with: composer install")],
    },
    Row {
        name: ".NET",
        files: &["*.sln", "*.csproj", "*.fsproj"],
        reach: Reach::Outermost,
        reads: Reads::Nothing,
        checks: &[command("dotnet test", "dotnet", "install the .NET SDK: https://dotnet.microsoft.com")],
    },
    Row {
        name: "Elixir",
        files: &["mix.exs"],
        reach: Reach::Outermost,
        reads: Reads::Nothing,
        checks: &[command("mix test", "mix", "install Elixir: apt-get install elixir")],
    },
    Row {
        name: "Swift",
        files: &["Package.swift"],
        reach: Reach::Outermost,
        reads: Reads::Nothing,
        checks: &[command("swift test", "swift", "install Swift: https://swift.org/install")],
    },
    Row {
        name: "Make",
        files: &["Makefile", "makefile", "GNUmakefile"],
        reach: Reach::Outermost,
        reads: Reads::Make,
        checks: &[command("make test", "make", "install make: apt-get install make")],
    },
];

/// The built-in rows.
pub fn built_in() -> Vec<Ecosystem> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let check = |row: &Command| CheckRow {
        line: row.line.to_owned(),
        thorough: row.thorough.map(ToOwned::to_owned),
        tool: row.tool.to_owned(),
        wrapper: row.wrapper.map(ToOwned::to_owned),
        install: row.install.to_owned(),
        speaks: row.speaks,
    };
    let rows = ROWS.iter().map(|row| Ecosystem {
        name: row.name.to_owned(),
        files: owned(row.files),
        reach: row.reach,
        reads: row.reads,
        checks: row.checks.iter().map(check).collect(),
    });
    rows.collect()
}

/// The built-in rows and a user's own. A row of the same name takes the built-in one's place.
pub fn with_own(own: Vec<Ecosystem>) -> Vec<Ecosystem> {
    let mut rows = built_in();
    rows.retain(|row| !own.iter().any(|own| own.name == row.name));
    rows.extend(own);
    rows
}
