//! What is around a command that installs or examines: the user's folders, the project, the agents on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hansei_agents::hook_command::{Program, is_versioned};
use hansei_agents::install::Ground;
use hansei_agents::setup::UserFolders;
use hansei_agents::version::Version;
use hansei_agents::{Adapter, Scope};
use hansei_record::folder::Folder;
use hansei_record::installed;
use hansei_record::places::OWN;
use hansei_workspace::program::{self, Workspace::At};
use hansei_workspace::program_version;

use crate::failure::Failure;
use crate::workspace::Workspace;

/// The surroundings of a command.
#[derive(Debug)]
pub struct Surroundings {
    /// The user's folders.
    pub user: UserFolders,
    /// The workspace.
    pub workspace: Workspace,
    state: PathBuf,
    search_path: OsString,
}

/// An agent's program on this machine.
#[derive(Debug)]
pub struct AgentProgram {
    /// Where it is.
    pub path: PathBuf,
    /// Its version, if it said one.
    pub version: Option<Version>,
}

impl Surroundings {
    /// The surroundings here.
    pub fn here() -> Result<Self, Failure> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let absolute = |name: &str| set(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME").ok_or_else(|| {
            Failure::environment("HOME is not set, so nobody knows where settings lie")
                .hint("set HOME and try again")
        })?;
        let config = absolute("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let state =
            installed::user_folder(absolute("XDG_STATE_HOME"), Some(home.clone())).unwrap_or_default();
        Ok(Self {
            user: UserFolders {
                config,
                claude: absolute("CLAUDE_CONFIG_DIR"),
                codex: absolute("CODEX_HOME"),
                home,
            },
            workspace: Workspace::at(None)?,
            state,
            search_path: set("PATH").unwrap_or_default(),
        })
    }

    /// Where settings and records of a scope lie.
    pub fn ground(&self, scope: Scope) -> Ground {
        let records = match scope {
            Scope::User => self.state.clone(),
            Scope::Project => self.workspace.layout.home().join(OWN),
        };
        Ground { scope, user: self.user.clone(), project: self.workspace.layout.root().to_owned(), records }
    }

    /// The folder that what is installed is recorded in, created where it is missing.
    pub fn records(&self, scope: Scope) -> Result<Folder, Failure> {
        let folder = match scope {
            Scope::User => Folder::named_by_user(&self.state),
            Scope::Project => self.workspace.places.own(),
        };
        folder.map_err(|error| Failure::environment(format!("what is installed cannot be recorded: {error}")))
    }

    /// The agent's program, if it is on the search path. One that is not ours to start is not asked for its version.
    pub fn agent(&self, adapter: &Adapter) -> Option<AgentProgram> {
        let (path, version) = match program::find(adapter.setup.program, At(self.workspace.layout.root())) {
            Ok(path) => (path.clone(), program_version::version_text(&path)),
            Err(error) => (error.left_out()?.to_owned(), None),
        };
        Some(AgentProgram { path, version: version.and_then(|text| Version::find(&text)) })
    }

    /// Whether the agent seems to be in use here.
    pub fn has(&self, adapter: &Adapter) -> bool {
        program::is_there(adapter.setup.program, &self.search_path)
            || adapter.setup.folder(Scope::User, &self.user, Path::new("")).is_dir()
    }

    /// Whether there is a program called `hansei` on the search path.
    pub fn has_hansei_on_path(&self) -> bool {
        program::is_there("hansei", &self.search_path)
    }

    /// How settings call this program: by its name where that finds it, else by a path that upgrades do not change.
    pub fn program(&self, scope: Scope) -> Result<Program, Failure> {
        let this = std::env::current_exe()?;
        let same = |path: &Path| {
            path.canonicalize().is_ok_and(|path| this.canonicalize().is_ok_and(|this| this == path))
        };
        // A project's settings are for everybody, and everybody has it elsewhere.
        if scope == Scope::Project || program::is_found_as("hansei", &self.search_path, &this) {
            return Ok(Program::OnPath);
        }
        // As it was called: a link such as `current/hansei` outlives the version that it leads to.
        let called = std::env::args_os().next().map(|name| self.workspace.environment.folder.join(name));
        let path = called.filter(|path| same(path)).unwrap_or(this);
        if is_versioned(&path) {
            return Err(Failure::environment(format!(
                "{} names a version, so the next upgrade would break the hooks",
                path.display()
            ))
            .hint("put a link to it on your PATH, such as ~/.local/bin/hansei, and try again"));
        }
        match path.into_os_string().into_string() {
            Ok(path) => Ok(Program::At(path)),
            Err(path) => Err(Failure::environment(format!("{} is not UTF-8", path.display()))),
        }
    }

    /// `path` as a person reads it.
    pub fn short(&self, path: &Path) -> String {
        let shown = match path.strip_prefix(&self.user.home) {
            Ok(inside) => format!("~/{}", inside.display()),
            Err(_) => path.display().to_string(),
        };
        crate::terminal::one_line(&shown)
    }
}
