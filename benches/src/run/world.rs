//! Where a subject works: a home and a small repository of its own, and nothing inherited but PATH.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

use super::agents::Agent;
use crate::repository::git;

/// How much of what a subject said is shown when it fails.
const SHOWN: usize = 2_000;

pub struct World {
    folder: tempfile::TempDir,
    pub home: PathBuf,
    pub project: PathBuf,
}

impl World {
    /// A new one with the settings of `agent`.
    pub fn new(agent: &Agent) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().canonicalize()?;
        let world = Self { folder, home: root.join("home"), project: root.join("project") };
        fs::create_dir_all(&world.home)?;
        fs::create_dir_all(&world.project)?;
        fs::write(world.project.join("README.md"), "A project.\n")?;
        git(&world.project, &["init", "--quiet", "--initial-branch=main"])?;
        git(&world.project, &["add", "."])?;
        git(&world.project, &["commit", "--quiet", "-m", "Start"])?;
        (agent.prepare)(&world)?;
        Ok(world)
    }

    /// Writes a file below the home.
    pub fn write(&self, name: &str, content: &str) -> Result<()> {
        let path = self.home.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(fs::write(path, content)?)
    }

    /// A program in the project.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("TERM", "xterm-256color")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(&self.project)
            .stdin(Stdio::null());
        command
    }

    /// Lets it speak into a file, for [`World::said`].
    pub fn listens<'a>(&self, command: &'a mut Command) -> Result<&'a mut Command> {
        let file = File::create(self.heard())?;
        Ok(command.stdout(file.try_clone()?).stderr(file))
    }

    /// The end of what the last subject said here.
    pub fn said(&self) -> String {
        let text = fs::read(self.heard()).unwrap_or_default();
        String::from_utf8_lossy(&text[text.len().saturating_sub(SHOWN)..]).into_owned()
    }

    fn heard(&self) -> PathBuf {
        Path::new(self.folder.path()).join("said")
    }
}
