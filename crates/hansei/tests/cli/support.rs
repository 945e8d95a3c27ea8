//! A throw-away world to run the program in: its own HOME, no inherited settings, real git.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use hansei_core::reflection::Reflection;
use serde_json::{Value, json};

/// The built program.
pub const HANSEI: &str = env!("CARGO_BIN_EXE_hansei");

/// A temporary folder with a HOME and a repository in it.
pub struct World {
    folder: tempfile::TempDir,
    pub repo: PathBuf,
}

impl World {
    /// A world with a repository of one commit.
    pub fn new() -> Self {
        let world = Self::without_commit();
        world.write("README.md", "# Start\n");
        world.commit("Start");
        world
    }

    /// A world with a repository without commits.
    pub fn without_commit() -> Self {
        let world = Self::without_repository();
        world.git(&["init", "--quiet", "--initial-branch=main"]);
        world
    }

    /// A world with a folder that is no repository.
    pub fn without_repository() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repo = folder.path().canonicalize().unwrap().join("project");
        std::fs::create_dir_all(&repo).unwrap();
        std::fs::create_dir_all(folder.path().join("home")).unwrap();
        Self { folder, repo }
    }

    /// The folder around the repository.
    pub fn outside(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.repo.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    /// A command in this world, in the repository, with nothing inherited but PATH.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.folder.path().join("home"))
            .env("TZ", "UTC")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "Test")
            .env("GIT_AUTHOR_EMAIL", "test@example.invalid")
            .env("GIT_COMMITTER_NAME", "Test")
            .env("GIT_COMMITTER_EMAIL", "test@example.invalid")
            .current_dir(&self.repo);
        command
    }

    /// Plain git, as anybody would call it. Gives what it printed.
    pub fn git<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        self.git_in(&self.repo, arguments)
    }

    pub fn git_in<S: AsRef<OsStr>>(&self, folder: &Path, arguments: &[S]) -> String {
        let mut command = self.command("git");
        command.current_dir(folder).args(["-c", "protocol.file.allow=always"]).args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub fn hansei(&self) -> Command {
        self.command(HANSEI)
    }

    /// Runs `hansei <arguments>` in the repository.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.hansei().args(arguments), b"")
    }

    /// A hook call of session `s1` in mode solo.
    pub fn hook(&self, event: &str) -> Ran {
        self.hook_in(&self.repo, event, "s1")
    }

    pub fn hook_in(&self, folder: &Path, event: &str, session: &str) -> Ran {
        self.hook_with(event, &payload(folder, session), |_| ())
    }

    /// A hook call in mode solo with a payload and changes to the command.
    pub fn hook_with(&self, event: &str, payload: &[u8], change: impl FnOnce(&mut Command)) -> Ran {
        let mut command = self.hansei();
        command.args(["hook", "claude-code", event, "--mode", "solo"]);
        change(&mut command);
        let ran = Ran::of(&mut command, payload);
        assert_eq!(ran.code, 0, "a hook always exits 0: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "capture emits nothing");
        ran
    }

    /// Captures a stop of session `s1` and gives the reflection it left.
    pub fn capture(&self) -> Reflection {
        let ran = self.hook("stop");
        assert_eq!(ran.stderr, "");
        self.last()
    }

    /// The names of the sidecars in the usual folder, sorted.
    pub fn sidecars(&self) -> Vec<String> {
        sidecars_in(&self.path(".hansei/reflections"))
    }

    /// The newest reflection, by the program's own account.
    pub fn last(&self) -> Reflection {
        let mut value = self.run(&["show", "last", "--json"]).json();
        let fields = value.as_object_mut().unwrap();
        fields.shift_remove("id");
        fields.shift_remove("capture");
        serde_json::from_value(value).unwrap()
    }

    /// The lines of a session's log.
    pub fn log(&self, session: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path(&format!(".hansei/log/{session}.jsonl"))).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Why the newest capture of `session` is degraded.
    pub fn reasons(&self, session: &str) -> Vec<String> {
        let log = self.log(session);
        let last = log.iter().rev().find(|line| line["kind"] == "captured").unwrap();
        let reasons = last["degraded"].as_array().cloned().unwrap_or_default();
        reasons.iter().map(|reason| reason.as_str().unwrap().to_owned()).collect()
    }
}

/// The names of the sidecars in `folder`, sorted.
pub fn sidecars_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".reflection.json"))
        .collect();
    names.sort();
    names
}

/// A payload as an agent sends it.
pub fn payload(folder: &Path, session: &str) -> Vec<u8> {
    json!({ "session_id": session, "cwd": folder, "hook_event_name": "Stop", "stop_hook_active": false })
        .to_string()
        .into_bytes()
}

/// What a program left.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn of(command: &mut Command, input: &[u8]) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output: Output = child.wait_with_output().unwrap();
        // The program may stop reading early; that is its business.
        let _ = writer.join().unwrap();
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {:?} {:?}", self.stdout, self.stderr))
    }
}
