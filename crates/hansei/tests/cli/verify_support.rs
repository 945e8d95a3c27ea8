//! Projects to verify, and the tools that they are verified with.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Ran, World};

/// The folder of pytest and ruff, which `scripts/test` installs.
fn python_tools() -> PathBuf {
    let folder = std::env::var_os("HANSEI_TEST_PYTHON_TOOLS");
    folder.expect("HANSEI_TEST_PYTHON_TOOLS names a virtual environment with pytest and ruff").into()
}

/// A search path with every tool: pytest and ruff, the Python that they run on, and the Rust that this was built with.
pub fn search_path() -> std::ffi::OsString {
    let tools = python_tools();
    let settings = std::fs::read_to_string(tools.join("pyvenv.cfg")).unwrap();
    let home = settings.lines().find_map(|line| line.strip_prefix("home = ")).unwrap();
    let rust = Path::new(env!("CARGO")).parent().unwrap();
    let inherited = std::env::var_os("PATH").unwrap();
    let mut all = vec![tools.join("bin"), rust.to_owned(), PathBuf::from(home)];
    all.extend(std::env::split_paths(&inherited));
    std::env::join_paths(all).unwrap()
}

/// A search path with nothing but what Hansei itself needs.
pub fn bare_path(world: &World) -> PathBuf {
    let folder = world.outside().join("bin");
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["git", "bwrap"] {
        let found = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|f| f.join(name))
            .find(|f| f.is_file());
        let _ = std::os::unix::fs::symlink(found.unwrap(), folder.join(name));
    }
    folder
}

/// A call of `hansei verify`.
pub fn command(world: &World, arguments: &[&str]) -> Command {
    let mut command = world.hansei();
    // Cargo itself, not rustup's: what lies around it is named, so that the sandbox shows it.
    let rust = Path::new(env!("CARGO")).ancestors().nth(2).unwrap();
    command.env("PATH", search_path()).env("RUSTUP_HOME", rust).arg("verify").args(arguments);
    command
}

/// Runs `hansei verify --json` and gives its answer with the exit code.
pub fn verify(world: &World, arguments: &[&str]) -> (i32, Value) {
    answer(command(world, arguments).arg("--json"))
}

pub fn answer(command: &mut Command) -> (i32, Value) {
    let ran = Ran::of(command, b"");
    assert!(!ran.stdout.is_empty(), "{}", ran.stderr);
    (ran.code, ran.json())
}

/// `status command` of every check.
pub fn statuses(report: &Value) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    checks.iter().map(|check| format!("{} {}", text(&check["status"]), text(&check["command"]))).collect()
}

/// All names under `key` of all checks.
pub fn names(report: &Value, key: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap();
    let all = checks.iter().flat_map(|check| check[key].as_array().unwrap());
    all.map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// Writes files into `folder` of the project.
pub fn write(world: &World, folder: &str, files: &[(&str, &str)]) {
    for (path, text) in files {
        world.write(&if folder.is_empty() { (*path).to_owned() } else { format!("{folder}/{path}") }, text);
    }
}

/// A small Python project whose only test passes.
pub const PYTHON: &[(&str, &str)] = &[
    (
        "pyproject.toml",
        "[project]\nname = \"demo\"\nversion = \"1\"\n\n[tool.pytest.ini_options]\npythonpath = [\".\"]\n",
    ),
    ("demo.py", "def add(a, b):\n    return a + b\n"),
    ("tests/test_demo.py", "from demo import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n"),
];

/// A small package of Node whose only test passes.
pub const NODE: &[(&str, &str)] = &[
    ("package.json", "{\"name\":\"demo\",\"version\":\"1.0.0\",\"scripts\":{\"test\":\"node --test\"}}\n"),
    ("add.js", "exports.add = (a, b) => a + b;\n"),
    (
        "add.test.js",
        "const test = require('node:test');\nconst assert = require('node:assert');\n\
         test('adds', () => assert.strictEqual(require('./add.js').add(1, 2), 3));\n",
    ),
];
