//! The toolchain on the search path: only programs of fixed names, never one that lies in the project, asked for nothing but
//! their version, at the root of the file system so that no file of the project steers them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::version::Version;
use crate::bounded_process;
use crate::program::{self, Workspace};

/// The longest that a program may take to say its version.
const LIMIT: Duration = Duration::from_secs(5);

/// A Python: its version, and the folders that it imports from.
#[derive(Debug, Clone)]
pub(super) struct Python {
    pub(super) version: Version,
    pub(super) folders: Vec<PathBuf>,
}

/// The programs that can be found, and what they said.
#[derive(Debug)]
pub(super) struct Programs {
    search_path: OsString,
    root: PathBuf,
    asked: RefCell<BTreeMap<&'static str, Option<Version>>>,
    python: OnceCell<Option<Python>>,
}

impl Programs {
    pub(super) fn new(search_path: OsString, root: &Path) -> Self {
        Self { search_path, root: root.to_owned(), asked: RefCell::default(), python: OnceCell::new() }
    }

    /// The first program of this name that does not lie in the project.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        program::find_on(&self.search_path, name, Workspace::At(&self.root)).ok()
    }

    /// Whether there is a program of this name, wherever it lies.
    pub(super) fn is_there(&self, name: &str) -> bool {
        program::is_there(name, &self.search_path)
    }

    /// The version of one of the toolchain's programs.
    pub(super) fn version(&self, name: &'static str) -> Option<Version> {
        if let Some(known) = self.asked.borrow().get(name) {
            return known.clone();
        }
        let argument = match name {
            "go" => "version",
            "java" | "javac" => "-version",
            _ => "--version",
        };
        let said = self.find(name).and_then(|program| ask(&program, &[argument]));
        let version = said.as_deref().and_then(Version::find);
        self.asked.borrow_mut().insert(name, version.clone());
        version
    }

    /// The Python on the search path.
    pub(super) fn python(&self) -> Option<Python> {
        self.python.get_or_init(|| self.ask_python()).clone()
    }

    fn ask_python(&self) -> Option<Python> {
        // `-I` keeps every variable and every file of the user and of the project out.
        let script =
            "import sys\nprint('.'.join(map(str, sys.version_info[:3])))\nprint('\\n'.join(sys.path))";
        let program = self.find("python3").or_else(|| self.find("python"));
        let said = program.and_then(|program| ask(&program, &["-I", "-c", script]))?;
        let (version, folders) = said.split_once('\n').unwrap_or((&said, ""));
        let folders = folders.lines().map(PathBuf::from).filter(|folder| folder.is_dir()).collect();
        Some(Python { version: Version::find(version)?, folders })
    }

    /// The names that a program prints, one a line: for `locale -a`.
    pub(super) fn locales(&self) -> Option<Vec<String>> {
        let said = ask(&self.find("locale")?, &["-a"])?;
        Some(said.lines().map(str::to_owned).collect())
    }
}

fn ask(program: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir("/").env("NO_COLOR", "1").env_remove("RUSTUP_TOOLCHAIN");
    let finished = bounded_process::run(&mut command, Instant::now() + LIMIT).ok()?;
    let said = String::from_utf8_lossy(&finished.stdout).trim().to_owned();
    let said = if said.is_empty() { finished.stderr } else { said };
    finished.status.success().then_some(said)
}
