//! How Hansei is installed into an agent: which program it is, where its settings lie, what goes into them.

use std::path::{Path, PathBuf};

use crate::version::Version;

/// Whose settings are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The user's own, for all projects.
    User,
    /// A project's, shared with everybody who works on it.
    Project,
}

impl Scope {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// The folders that a user's settings lie in.
#[derive(Debug, Clone, Default)]
pub struct UserFolders {
    /// The home folder.
    pub home: PathBuf,
    /// `XDG_CONFIG_HOME`, else `.config` in the home folder.
    pub config: PathBuf,
    /// `CLAUDE_CONFIG_DIR`.
    pub claude: Option<PathBuf>,
    /// `CODEX_HOME`.
    pub codex: Option<PathBuf>,
}

/// How Hansei is installed into an agent.
#[derive(Debug)]
pub struct Setup {
    /// The agent's name as its makers write it.
    pub title: &'static str,
    /// The program that starts it.
    pub program: &'static str,
    /// The command that brings it up to date.
    pub update: &'static str,
    /// The oldest version whose hooks are known to work.
    pub oldest: Version,
    /// The folder of the user's settings.
    pub user_folder: fn(&UserFolders) -> PathBuf,
    /// The folder of a project's settings.
    pub project_folder: &'static str,
    /// What is put there.
    pub way: Way,
    /// What the agent asks the user before it runs our hooks.
    pub trust: Trust,
    /// Where it keeps the MCP servers that it may ask.
    pub servers: Servers,
}

/// Where an agent keeps the MCP servers that it may ask, and how it writes one.
#[derive(Debug)]
pub struct Servers {
    /// The files that may hold them. One that is there is taken; else the last is created.
    pub files: fn(&Setup, Scope, &UserFolders, &Path) -> Vec<PathBuf>,
    /// The key that they stand under.
    pub key: &'static str,
    /// A server, from our program as JSON: a value in JSON, or the lines of a table in TOML.
    pub entry: fn(&str) -> String,
    /// What the user is asked before a project's server is started.
    pub project_trust: Option<&'static str>,
}

/// What is put into an agent's settings.
#[derive(Debug)]
pub enum Way {
    /// Entries in a settings file.
    Hooks(Hooks),
    /// A plugin: a file of our own.
    Plugin {
        /// Its place in the settings folder.
        file: &'static str,
        /// The place of the unblocker, an agent of ours that the agent may start.
        unblocker: &'static str,
    },
}

/// Entries in a settings file.
#[derive(Debug)]
pub struct Hooks {
    /// The settings file.
    pub file: &'static str,
    /// The events, in the order in which they are installed.
    pub events: &'static [Hook],
    /// A handler, from its command as JSON and its time limit in seconds.
    pub handler: fn(&str, u32) -> String,
    /// A TOML file that takes the hooks where it already holds some.
    pub toml_instead: Option<&'static str>,
}

/// An event that a hook is installed for.
#[derive(Debug)]
pub struct Hook {
    /// The agent's name of it.
    pub name: &'static str,
    /// Our name of it.
    pub event: &'static str,
    /// The first version that knows it, where that is later than the oldest.
    pub since: Option<Version>,
    /// The time limit.
    pub seconds: u32,
}

/// What an agent asks the user before it runs our hooks. We never answer that ourselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Nothing.
    NotNeeded,
    /// Whether each hook may run.
    EachHook,
    /// Whether the project's folder is trusted.
    ProjectFolder,
}

impl Setup {
    /// The settings folder.
    pub fn folder(&self, scope: Scope, user: &UserFolders, project: &Path) -> PathBuf {
        match scope {
            Scope::User => (self.user_folder)(user),
            Scope::Project => project.join(self.project_folder),
        }
    }

    /// The files that our part may be in.
    pub(crate) fn files(&self, scope: Scope, user: &UserFolders, project: &Path) -> Vec<PathBuf> {
        let folder = self.folder(scope, user, project);
        let names = match &self.way {
            Way::Plugin { file, unblocker } => [Some(*file), Some(*unblocker)],
            Way::Hooks(hooks) => [Some(hooks.file), hooks.toml_instead],
        };
        names.into_iter().flatten().map(|name| folder.join(name)).collect()
    }
}

impl Hooks {
    /// The events that `version` knows. Of an unknown version we expect no more than of the oldest.
    pub fn known_to(&self, version: Option<Version>) -> impl Iterator<Item = &'static Hook> {
        self.events.iter().filter(move |hook| {
            hook.since.is_none_or(|since| version.is_some_and(|version| version >= since))
        })
    }
}
