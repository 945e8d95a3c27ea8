//! The index as commands use it: where it is, and caught up with the files before it is asked.

use std::io;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use hansei_hook::Environment;
use hansei_record::folder::Folder;
use hansei_record::opted_in::{self, OptedIn};
use hansei_record::places::Places;
use hansei_record::settings::Layers;
use hansei_store::catch_up::{CatchUpError, CaughtUp, Sources, WhenGone, catch_up};
use hansei_store::{PostgresStore, SqliteStore, Store, StoreError};
use hansei_workspace::layout::Layout;

use crate::failure::Failure;
use crate::workspace::Workspace;

const NAME: &str = "index.db";

/// An open index.
pub struct Index {
    /// The store.
    pub store: Box<dyn Store>,
    kept_on: KeptOn,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum KeptOn {
    File,
    /// The team's server, and what this machine is called there.
    Server {
        machine: String,
    },
}

impl Index {
    /// The index of a workspace, or of the team.
    pub fn of_workspace(workspace: &Workspace) -> Result<Self, Failure> {
        match server(&workspace.environment)? {
            Some(url) => Self::on_server(&url),
            None => Self::in_folder(&workspace.places.own()?),
        }
    }

    /// The user's own index of all workspaces that were opted in, or that of the team.
    pub fn of_user(environment: &Environment) -> Result<Self, Failure> {
        match server(environment)? {
            Some(url) => Self::on_server(&url),
            None => Self::in_folder(&Folder::named_by_user(&user_folder(environment)?)?),
        }
    }

    fn in_folder(folder: &Folder) -> Result<Self, Failure> {
        let store = Box::new(SqliteStore::open(&folder.path().join(NAME))?);
        Ok(Self { store, kept_on: KeptOn::File })
    }

    fn on_server(url: &str) -> Result<Self, Failure> {
        let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let machine = Some(machine.trim()).filter(|name| !name.is_empty()).unwrap_or("here").to_owned();
        let store = Box::new(PostgresStore::open(url)?);
        Ok(Self { store, kept_on: KeptOn::Server { machine } })
    }

    /// An index of the same workspaces, in a file in `folder`.
    pub fn anew(&self, folder: &Path) -> Result<Self, Failure> {
        let store = Box::new(SqliteStore::open(&folder.join(NAME))?);
        Ok(Self { store, kept_on: self.kept_on.clone() })
    }

    /// What a workspace is called in the index: where its records are, on a server with the machine before it.
    pub fn name_of(&self, home: &Path) -> String {
        match &self.kept_on {
            KeptOn::File => home.display().to_string(),
            KeptOn::Server { machine } => format!("{machine}:{}", home.display()),
        }
    }

    /// Takes a workspace out of an index in a file; a team keeps what it has.
    pub fn forget(&mut self, home: &Path) -> Result<(), Failure> {
        if self.kept_on != KeptOn::File {
            return Ok(());
        }
        let name = self.name_of(home);
        let nothing = Sources { workspace: &name, log: None, reflections: None, verdicts: None };
        catch_up(self.store.as_mut(), &nothing, WhenGone::Forget, &mut |_| ())?;
        Ok(())
    }

    /// Reads what is new in the workspace whose records are at `home`.
    pub fn catch_up(&mut self, home: &Path, environment: &Environment) -> Result<CaughtUp, Failure> {
        let name = self.name_of(home);
        let places = Places::new(home, environment.reflections.clone(), environment.self_report.clone());
        let [log, reflections, verdicts] =
            [places.existing_log(), places.existing_reflections(), places.existing_verdicts()];
        let (log, reflections, verdicts) = (there(log)?, there(reflections)?, there(verdicts)?);
        let sources = Sources {
            workspace: &name,
            log: log.as_ref(),
            reflections: reflections.as_ref(),
            verdicts: verdicts.as_ref(),
        };
        let when_gone = match self.kept_on {
            KeptOn::File => WhenGone::Forget,
            KeptOn::Server { .. } => WhenGone::Keep,
        };
        let is_seen = std::io::stderr().is_terminal();
        let mut shown = false;
        let read = catch_up(self.store.as_mut(), &sources, when_gone, &mut |events| {
            if is_seen && events > 0 {
                shown = true;
                anstream::eprint!("\rreading {name}: {events} events");
            }
        });
        if shown {
            anstream::eprint!("\r\x1b[K");
        }
        Ok(read?)
    }
}

fn there(folder: io::Result<Folder>) -> Result<Option<Folder>, Failure> {
    match folder {
        Ok(folder) => Ok(Some(folder)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::environment(format!("the records cannot be read: {error}"))),
    }
}

/// The address of the team's server, from the user's own settings alone: a repository must not name a host.
fn server(environment: &Environment) -> Result<Option<String>, Failure> {
    Ok(Layers::load(None, environment.user_settings.as_deref())?.store().0.url)
}

/// Whether the index is the team's server.
pub fn is_on_server(environment: &Environment) -> Result<bool, Failure> {
    Ok(server(environment)?.is_some())
}

/// The user's own data folder.
pub fn user_folder(environment: &Environment) -> Result<PathBuf, Failure> {
    let homes = &environment.homes;
    opted_in::user_folder(homes.data.clone(), Some(homes.home.clone())).ok_or_else(|| {
        Failure::environment("HOME is not set, so nobody knows where your index is")
            .hint("set HOME and try again")
    })
}

/// Where the workspaces have their records that the user opted in.
pub fn opted_in(environment: &Environment) -> Result<OptedIn, Failure> {
    Ok(OptedIn::read(&user_folder(environment)?)?)
}

/// Where the workspace has its records that `folder` belongs to.
pub fn home_of(folder: &Path) -> PathBuf {
    let home = Layout::of(folder).home().to_owned();
    home.canonicalize().unwrap_or(home)
}

/// What the store refused, and what to do about it.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let hint = match &error {
            StoreError::NewerSchema { .. } => {
                "install the newer Hansei; an index in a file can also be deleted, it is built again"
            }
            StoreError::Damaged { .. } => "`hansei index --rebuild` builds it again from the logs",
            StoreError::Full { .. } => "make room and run `hansei index` again: the logs have everything",
            StoreError::Gone { .. } => {
                "run it again when the server answers: what arrived is not written twice"
            }
            _ => return Self::environment(error.to_string()),
        };
        Self::environment(error.to_string()).hint(hint)
    }
}

impl From<CatchUpError> for Failure {
    fn from(error: CatchUpError) -> Self {
        match error {
            CatchUpError::Store(error) => error.into(),
            CatchUpError::File { .. } => Self::environment(error.to_string()),
        }
    }
}
