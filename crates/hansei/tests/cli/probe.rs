//! `hansei probe`: planted faults, each with its healthy twin, in small real projects.
//!
//! The cases stand in `tests/probe/*.cases`. A case begins with `#### name`; then come `probe:` and `names:` (what the cause must
//! name), `run:` (a command that really fails in the fault and passes in the twin), `env fault|twin|both: NAME=value`, `git: both`;
//! then the files as `=== fault|twin|both [option …] path`, where an option is a mode, `@SECONDS` from now, `crlf` or `latin1`.
//! `{ROOT}` is the project's folder, `{PORT}` a port that is taken in the fault and free in the twin.

use std::fmt::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::support::{Ran, World};

/// The fewest faults that there must be, and the fewest whose commands are run.
const LEAST_CASES: usize = 200;
const LEAST_RUN: usize = 125;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Fault,
    Twin,
}

#[derive(Default)]
struct Case {
    name: String,
    probe: String,
    names: Vec<String>,
    run: Option<String>,
    /// The module of Python that the command needs and this machine may lack.
    needs: Option<String>,
    environment: Vec<(String, String)>,
    is_repository: bool,
    files: Vec<(String, String)>,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probe");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().flat_map(|file| read(&std::fs::read_to_string(file).unwrap())).collect()
}

fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut in_file = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("#### ") {
            cases.push(Case { name: name.to_owned(), ..Case::default() });
            in_file = false;
            continue;
        }
        let case = cases.last_mut().unwrap();
        if let Some(head) = line.strip_prefix("=== ") {
            case.files.push((head.to_owned(), String::new()));
            in_file = true;
        } else if in_file {
            let content = &mut case.files.last_mut().unwrap().1;
            content.push_str(line);
            content.push('\n');
        } else if let Some((key, value)) = line.split_once(": ") {
            match key {
                "probe" => value.clone_into(&mut case.probe),
                "names" => case.names = value.split(", ").map(str::to_owned).collect(),
                "run" => case.run = Some(value.to_owned()),
                "tool" => case.needs = Some(value.to_owned()),
                "git" => case.is_repository = true,
                _ => case.environment.push((key.strip_prefix("env ").unwrap().to_owned(), value.to_owned())),
            }
        }
    }
    cases
}

/// A case's project on one side, and what keeps it as it is.
struct Planted {
    world: World,
    environment: Vec<(String, String)>,
    port: u16,
    _taken: Option<TcpListener>,
}

impl Planted {
    fn new(case: &Case, side: Side) -> Self {
        let world = if case.is_repository { World::without_commit() } else { World::without_repository() };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let root = world.repo.to_str().unwrap().to_owned();
        let is_ours = |word: &str| word == "both" || word == format!("{side:?}").to_lowercase();
        for (head, content) in &case.files {
            let words: Vec<&str> = head.split(' ').collect();
            let (path, options) = (words[words.len() - 1], &words[1..words.len() - 1]);
            if !is_ours(words[0]) {
                continue;
            }
            let content = content.trim_end_matches('\n');
            let content = if content.is_empty() { String::new() } else { format!("{content}\n") };
            let mut content = content.replace("{PORT}", &port.to_string()).replace("{ROOT}", &root);
            if options.contains(&"crlf") {
                content = content.replace('\n', "\r\n");
            }
            let bytes = if options.contains(&"latin1") {
                content.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
            } else {
                content.into_bytes()
            };
            let file = world.write(path, bytes);
            for option in options {
                if let Some(seconds) = option.strip_prefix('@') {
                    let seconds: i64 = seconds.parse().unwrap();
                    let away = Duration::from_secs(seconds.unsigned_abs());
                    let now = SystemTime::now();
                    let time = if seconds < 0 { now - away } else { now + away };
                    std::fs::File::open(&file).unwrap().set_modified(time).unwrap();
                } else if let Ok(mode) = u32::from_str_radix(option, 8) {
                    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
                }
            }
        }
        let environment = case.environment.iter().filter(|(who, _)| is_ours(who));
        let environment = environment.map(|(_, pair)| pair.split_once('=').unwrap());
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { world, environment, port, _taken: (side == Side::Fault).then_some(listener) }
    }

    /// A command in the project, with the toolchains of this machine.
    fn command(&self, program: &str) -> Command {
        let mut command = self.world.command(program);
        let home = std::env::var_os("HOME").map(std::path::PathBuf::from).unwrap_or_default();
        for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo"), ("PYENV_ROOT", ".pyenv")]
        {
            command.env(name, std::env::var_os(name).unwrap_or_else(|| home.join(folder).into()));
        }
        command
            .env("GOCACHE", self.world.outside().join("go-cache"))
            .env("GOFLAGS", "")
            .envs(self.environment.iter().cloned());
        command
    }

    fn findings(&self, arguments: &[&str]) -> (i32, Vec<Value>) {
        let mut command = self.command(crate::support::HANSEI);
        let ran = Ran::of(command.arg("probe").arg("--json").args(arguments), b"");
        assert!(!ran.stdout.is_empty(), "{}", ran.stderr);
        (ran.code, ran.json()["findings"].as_array().unwrap().clone())
    }

    fn runs(&self, line: &str) -> Ran {
        Ran::of(self.command("sh").args(["-c", line]), b"")
    }
}

/// The first finding is of the probe and its cause names every one of the names.
fn is_named(finding: &Value, case: &Case, port: u16) -> bool {
    let said = finding["cause"].as_str().unwrap();
    finding["probe"] == case.probe.as_str()
        && case.names.iter().all(|name| said.contains(&name.replace("{PORT}", &port.to_string())))
}

fn has_python_module(name: &str) -> bool {
    let asked = Command::new("python3").args(["-c", &format!("import {name}")]).output();
    asked.is_ok_and(|output| output.status.success())
}

#[test]
fn every_planted_fault_is_named_first_and_no_twin_raises_an_alarm() {
    let cases = cases();
    assert!(cases.len() >= LEAST_CASES, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let fault = Planted::new(case, Side::Fault);
        let (code, found) = fault.findings(&[]);
        let named = found.first().is_some_and(|first| is_named(first, case, fault.port));
        if code != 1 || !named {
            wrong.push(format!("{}: not named first: {found:#?}", case.name));
        }
        for finding in &found {
            let told = ["evidence", "fix"]
                .iter()
                .all(|key| finding[key].as_str().is_some_and(|text| !text.is_empty()));
            assert!(told, "{}: {finding}", case.name);
        }
        let twin = Planted::new(case, Side::Twin);
        let (code, found) = twin.findings(&[]);
        if code != 0 || !found.is_empty() {
            wrong.push(format!("{}: alarm in the twin: {found:#?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_faults_are_real() {
    let mut run = 0;
    let mut wrong = Vec::new();
    for case in cases() {
        let Some(line) = &case.run else { continue };
        if case.needs.as_deref().is_some_and(|module| !has_python_module(module)) {
            continue;
        }
        let (fault, twin) =
            (Planted::new(&case, Side::Fault).runs(line), Planted::new(&case, Side::Twin).runs(line));
        if fault.code == 0 || twin.code != 0 {
            wrong.push(format!("{}: {} {} {}", case.name, fault.code, twin.code, twin.stderr));
        }
        run += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(run >= LEAST_RUN, "{run} commands were run");
}

#[test]
fn every_probe_has_a_case() {
    let cases = cases();
    for probe in hansei_core::escalation::Probe::ALL {
        assert!(cases.iter().any(|case| case.probe == probe.name()), "{}", probe.name());
    }
}

#[test]
fn what_the_error_speaks_of_comes_first() {
    let world = World::without_repository();
    world.write("package.json", r#"{"name": "demo", "version": "1.0.0"}"#);
    world.write("a.js", "require('./absent-one');\n");
    world.write("b.js", "require('./absent-two');\n");
    let probe = |error: &str| {
        let mut command = world.hansei();
        let ran = Ran::of(
            command.args(["probe", "--command", "node b.js", "--error", "-", "--json"]),
            error.as_bytes(),
        );
        ran.json()["findings"][0]["cause"].as_str().unwrap().to_owned()
    };
    assert!(probe("Error: Cannot find module './absent-two'").contains("absent-two"));
    assert!(probe("Error: Cannot find module './absent-one'").contains("absent-one"));
}

#[test]
fn what_an_error_names_is_looked_up_in_the_world() {
    let world = World::without_repository();
    world.write("requirements.txt", "");
    world.write("tables/rates_2025.csv", "a,b\n");
    world.write("hook.sh", "#!/bin/sh\n");
    // Names that are put together out of parts that only a run knows.
    world.write("run.py", "import sys\nopen(sys.argv[1] + sys.argv[2])\nQUAY_KEY = sys.argv[3]\n");
    assert_eq!(world.run(&["probe", "--json"]).json()["findings"], serde_json::json!([]));
    for (error, probe, cause, evidence) in [
        (
            "FileNotFoundError: [Errno 2] No such file or directory: 'tables/rates_2026.csv'",
            "config",
            "tables/rates_2026.csv does not exist",
            "tables/rates_2025.csv",
        ),
        (
            "Error: ENOENT: no such file or directory, open 'tables/Rates_2025.csv'",
            "file_case",
            "tables/Rates_2025.csv does not exist",
            "tables/rates_2025.csv",
        ),
        ("sh: 1: ./hook.sh: Permission denied", "permissions", "hook.sh cannot be executed", "0644"),
        ("RuntimeError: QUAY_KEY must be set", "config", "QUAY_KEY", "run.py:3"),
    ] {
        let mut command = world.hansei();
        let found = Ran::of(command.args(["probe", "--error", "-", "--json"]), error.as_bytes()).json();
        let first = &found["findings"][0];
        assert_eq!(first["probe"], probe, "{error}: {found:#}");
        assert!(first["cause"].as_str().unwrap().contains(cause), "{error}: {found:#}");
        assert!(first["evidence"].as_str().unwrap().contains(evidence), "{error}: {found:#}");
    }
    for error in [
        "FileNotFoundError: [Errno 2] No such file or directory: 'tables/rates_2025.csv'",
        "QUAY_LANG is fine",
    ] {
        let mut command = world.hansei();
        let found = Ran::of(command.args(["probe", "--error", "-", "--json"]), error.as_bytes()).json();
        assert_eq!(found["findings"], serde_json::json!([]), "{error}");
    }
}

#[test]
fn a_fresh_clone_is_a_finding_only_when_something_misses_a_module() {
    let world = World::without_repository();
    world.write(
        "package.json",
        r#"{"name": "demo", "version": "1.0.0", "dependencies": {"tiny-log": "^1.0.0"}}"#,
    );
    world.write("index.js", "require('tiny-log');\n");
    assert_eq!(world.run(&["probe", "--json"]).json()["findings"], serde_json::json!([]));
    let mut command = world.hansei();
    let ran = Ran::of(command.args(["probe", "--error", "-"]), b"Error: Cannot find module 'tiny-log'\n");
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stdout,
        "dependencies: the package \"tiny-log\" is declared and imported, but not installed\n  \
         seen  index.js:1 asks for it, package.json:1 declares it\n  fix   npm install\n"
    );
}

#[test]
fn the_command_is_held_against_the_folder() {
    let world = World::without_repository();
    world.write("web/package.json", r#"{"name": "web", "version": "1.0.0"}"#);
    world.write("api/pom.xml", "<project></project>");
    assert_eq!(world.run(&["probe"]).code, 0, "two projects below are no fault");
    let found = world.run(&["probe", "--command", "mvn test", "--json"]).json();
    assert_eq!(found["findings"][0]["probe"], "wrong_folder");
    assert_eq!(found["findings"][0]["fix"], "cd api && mvn test");
}

#[test]
fn nothing_of_the_project_is_run_and_no_link_leads_out() {
    let world = World::without_repository();
    let outside = world.outside();
    std::fs::write(outside.join("secret.json"), "{ \"token\": ").unwrap();
    std::os::unix::fs::symlink(outside.join("secret.json"), world.path("config.json")).unwrap();
    std::os::unix::fs::symlink(&outside, world.path("up")).unwrap();
    let mark = outside.join("was-run");
    for name in ["node", "python3", "go", "cmake", "rustc", "locale", "java", "javac"] {
        let script = world.write(&format!("bin/{name}"), format!("#!/bin/sh\ntouch {}\n", mark.display()));
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    world.write("package.json", r#"{"name": "d", "version": "1.0.0", "engines": {"node": ">=1"}}"#);
    world.write("pyproject.toml", "[project]\nname = \"d\"\nversion = \"1\"\nrequires-python = \">=3\"\n");
    world.write("app.py", "import json\njson.load(open('config.json'))\n");
    world.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.0)\n");
    let path = std::env::join_paths([world.path("bin"), Path::new("bin").to_owned()]).unwrap();
    let ran = Ran::of(world.hansei().env("PATH", path).args(["probe", "--json"]), b"");
    assert!(!mark.exists(), "a program of the project was run");
    assert!(!ran.stdout.contains("token"), "{}", ran.stdout);
}

#[test]
fn values_of_variables_are_never_shown() {
    let world = World::without_repository();
    world.write(".env", "SERVICE_KEY=fake-value-of-a-test\n");
    world.write("app.py", "import os\nKEY = os.environ['SERVICE_KEY']\n");
    let token = concat!("ghp_", "FAKEfakeFAKEfakeFAKEfakeFAKEfake0000");
    world.write("run.sh", format!("cd nowhere && TOKEN={token} npm start\n"));
    let ran = Ran::of(world.hansei().env("OTHER_KEY", "another-fake-value").arg("probe"), b"");
    assert!(ran.stdout.contains("nowhere"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("ghp_"), "{}", ran.stdout);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("SERVICE_KEY"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("fake-value"), "{}", ran.stdout);
    let nowhere = world.outside().join("a-private-folder");
    let error = "OperationalError: could not open 'postgres://reader:hunter2@db.invalid/books'";
    let mut command = world.hansei();
    command.env("TMPDIR", &nowhere).args(["probe", "--error", "-"]);
    let ran = Ran::of(&mut command, error.as_bytes());
    assert!(ran.stdout.contains("that TMPDIR names does not exist"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("a-private-folder") && !ran.stdout.contains("hunter2"), "{}", ran.stdout);
}

/// A kilobyte of variables that hold each other four times over would be a text larger than any memory.
#[test]
fn variables_that_hold_each_other_fill_no_memory() {
    let world = World::without_repository();
    let held = |name: fn(usize) -> String| (1..40).map(move |at| (at, name(at - 1).repeat(4)));
    let make = |at: usize| format!("$(V{at})");
    let shell = |at: usize| format!("$V{at}");
    let mut makefile = "V0 := ab\n".to_owned();
    let mut script = "V0=ab\n".to_owned();
    for (at, value) in held(make) {
        let _ = writeln!(makefile, "V{at} = {value}");
        let _ = writeln!(
            makefile,
            "W{at} = $(subst a,aaaa,$(V{at}))$(foreach x,$(V{at}),$(foreach y,$(V{at}),$(x)$(y)))"
        );
    }
    for (at, value) in held(shell) {
        let _ = writeln!(script, "V{at}={value}");
    }
    world.write("Makefile", format!("{makefile}all:\n\tcat $(V39) $(W39)\n"));
    world.write("run.sh", format!("{script}cat $V39\n"));
    let program = world.hansei().get_program().to_owned();
    let mut limited = world.command("sh");
    limited.args(["-c", "ulimit -v 2000000; exec \"$0\" probe"]).arg(program);
    let ran = Ran::of(&mut limited, b"");
    assert!(matches!(ran.code, 0 | 1), "{} {}", ran.code, ran.stderr);
}
