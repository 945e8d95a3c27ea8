//! A throw-away world for an agent: its own HOME and project, a clean environment, and a bounded time.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hansei_model_server::{ModelServer, Options, Recorded};

/// What every agent is given as the key of its provider, to be looked for where it must not appear.
pub const CREDENTIAL: &str = "not-a-real-credential";

pub struct World {
    folder: tempfile::TempDir,
    pub home: PathBuf,
    pub project: PathBuf,
}

impl World {
    pub fn new() -> Self {
        Self::with_project("project")
    }

    /// A world whose project lies in a folder of this name.
    pub fn with_project(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let world = Self { folder, home: root.join("home"), project: root.join(name) };
        std::fs::create_dir_all(&world.home).unwrap();
        std::fs::create_dir_all(&world.project).unwrap();
        world.offer("hansei", &hansei());
        let made = world.command("git").args(["init", "--quiet", "--initial-branch=main"]).status().unwrap();
        assert!(made.success());
        world
    }

    /// Puts a program on the PATH of this world.
    pub fn offer(&self, name: &str, program: &Path) {
        let bin = self.home.join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::os::unix::fs::symlink(program, bin.join(name)).unwrap();
    }

    /// Puts a program on that PATH that is this script. A login shell forgets the PATH that it was given.
    pub fn script(&self, name: &str, text: &str) {
        self.write(&self.home.join(".profile"), "PATH=$HOME/bin:$PATH\n");
        let file = self.home.join("bin").join(name);
        self.write(&file, text);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Takes a program off that PATH.
    pub fn withdraw(&self, name: &str) {
        std::fs::remove_file(self.home.join("bin").join(name)).unwrap();
    }

    /// Puts a newer Hansei in the place of the old one: another file under the same name.
    pub fn upgrade(&self) {
        self.withdraw("hansei");
        // By another process: a program that this one has open for writing, as has whatever it starts meanwhile, is busy.
        let copied = Command::new("cp").arg(hansei()).arg(self.home.join("bin/hansei")).status().unwrap();
        assert!(copied.success());
    }

    /// Puts Hansei back.
    pub fn offer_hansei(&self) {
        self.offer("hansei", &hansei());
    }

    /// Git in the project.
    pub fn git(&self, arguments: &[&str]) -> String {
        let who = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"];
        let ran = Ran::of(self.command("git").args(who).args(arguments));
        assert_eq!(ran.code, Some(0), "{ran}");
        ran.stdout
    }

    /// Runs Hansei as a person would, in the project.
    pub fn hansei(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(hansei()).args(arguments))
    }

    /// Starts the model with a script.
    pub fn model(&self, script: &str) -> ModelServer {
        let script = script.parse().unwrap_or_else(|error| panic!("{error}\n{script}"));
        let record = Some(self.folder.path().join("requests"));
        ModelServer::start(script, Options { record, ..Options::default() }).unwrap()
    }

    /// Writes a file below HOME or the project.
    pub fn write(&self, path: &Path, content: &str) {
        assert!(path.starts_with(&self.home) || path.starts_with(&self.project), "{}", path.display());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Writes a file unless it is there: an agent's settings, which something else may have added to.
    pub fn write_once(&self, path: &Path, content: &str) {
        if !path.exists() {
            self.write(path, content);
        }
    }

    pub fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.project.join(name)).ok()
    }

    /// A program in the project, with nothing inherited but PATH.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", format!("{}:{}", self.home.join("bin").display(), std::env::var("PATH").unwrap()))
            .env("HOME", &self.home)
            .env("TERM", "xterm-256color")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(&self.project)
            .stdin(Stdio::null());
        command
    }

    /// The command `name` of the agent that is installed in the folder `agent`.
    pub fn agent(&self, agent: &str, name: &str) -> Command {
        self.command(program(agent, name))
    }
}

/// Where `scripts/test` installed the command `name` of an agent.
pub fn program(agent: &str, name: &str) -> PathBuf {
    let installed = std::env::var_os("HANSEI_TEST_AGENTS").expect(
        "HANSEI_TEST_AGENTS must name the folder with the agents that `scripts/test` installs, \
             one folder each (claude-code, codex, gemini, opencode, kilo)",
    );
    let program = Path::new(&installed).join(agent).join("node_modules/.bin").join(name);
    assert!(program.exists(), "{} is not installed: `scripts/test` installs it", program.display());
    program
}

/// The program under test: built beside this test, in the same profile.
fn hansei() -> PathBuf {
    let built = std::env::current_exe().unwrap();
    let hansei = built.ancestors().nth(2).unwrap().join("hansei");
    assert!(hansei.is_file(), "{} is not built: `cargo test --workspace` builds it", hansei.display());
    hansei
}

/// What an agent left.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "ended with {:?}\n{}\n{}", self.code, self.stdout, self.stderr)
    }
}

/// The requests that were answered by `source`, such as "step 1".
pub fn answered_by<'a>(requests: &'a [Recorded], source: &str) -> Vec<&'a Recorded> {
    requests.iter().filter(|request| request.answered_with["by"] == source).collect()
}

/// What was asked and answered, for a message about a test that failed.
pub fn story(requests: &[Recorded]) -> String {
    let line = |request: &Recorded| {
        format!("{} {} turn {:?}: {}\n", request.method, request.path, request.step, request.answered_with)
    };
    requests.iter().map(line).collect()
}
