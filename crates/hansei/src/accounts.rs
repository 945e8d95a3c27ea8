//! All that is on this disk about sessions: agents' transcripts, and our own records of them in the workspaces' folders.
//! Looking leaves no trace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use hansei_agents::transcript::Found;
use hansei_core::event::Line;
use hansei_core::interrupt::Orders;
use hansei_core::ledger::Ledger;
use hansei_core::report::account::Account;
use hansei_core::session::Session;
use hansei_core::session_name;
use hansei_hook::Environment;
use hansei_record::folder::Folder;
use hansei_record::places::Places;
use hansei_record::{log, sidecar, verdict_file};
use hansei_workspace::layout::Layout;

use crate::commands::sessions;
use crate::failure::Failure;
use crate::homes;
use crate::workspace::Workspace;

/// Whose sessions are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Those of one workspace, in any of its work trees.
    Here,
    /// Those of every workspace that a transcript on this disk names.
    Everywhere,
}

// Which sessions a report is about. No doc comment: it would become the help of whoever takes these up.
#[derive(Debug, clap::Args)]
pub struct Scope {
    /// All workspaces that agents worked in, not only this one.
    #[arg(long)]
    all: bool,
    /// The workspace [default: here]
    #[arg(long, value_name = "DIR", conflicts_with = "all")]
    repo: Option<PathBuf>,
}

impl Scope {
    /// The workspace to look from, and how far.
    pub fn reach(&self) -> Result<(Workspace, Reach), Failure> {
        let reach = if self.all { Reach::Everywhere } else { Reach::Here };
        Ok((Workspace::at(self.repo.as_deref())?, reach))
    }
}

/// What `take` makes of each session in reach that may have changed since then. It is given the workspace's own log too.
pub fn each<T: Send>(
    workspace: &Workspace,
    reach: Reach,
    since: SystemTime,
    take: impl Fn(&Account, &[Line]) -> Option<T> + Sync,
) -> Vec<T> {
    let here = Arc::new(Records::of(&workspace.layout, &workspace.environment));
    let books = Books { here, reach, environment: &workspace.environment, others: Mutex::default() };
    let mut found = hansei_agents::sessions(&homes::of_user(), None);
    let on_disk: BTreeSet<String> = found.iter().map(|found| session_name::safe(&found.id)).collect();
    found.retain(|found| found.modified >= since);
    let mut taken = sessions::each(&found, |found| {
        let Some(session) = sessions::read(found) else {
            // Our own records still tell of a transcript that cannot be read.
            let name = session_name::safe(&found.id);
            let is_known = books.here.logs.contains_key(&name);
            return is_known.then(|| take(&books.here.without_transcript(&name), &books.here.workspace))?;
        };
        let records = books.records_of(found, &session)?;
        take(&records.account(found, session), &records.workspace)
    });
    for records in books.all() {
        let gone = records.logs.keys().filter(|name| !on_disk.contains(*name));
        taken.extend(gone.filter_map(|name| take(&records.without_transcript(name), &records.workspace)));
    }
    taken
}

/// The records of the workspaces that were met.
struct Books<'a> {
    here: Arc<Records>,
    reach: Reach,
    environment: &'a Environment,
    others: Mutex<BTreeMap<PathBuf, Arc<Records>>>,
}

impl Books<'_> {
    /// The records of the workspace that a session belongs to; none if that is out of reach.
    fn records_of(&self, found: &Found, session: &Session) -> Option<Arc<Records>> {
        let folder = session.circumstances.cwd.as_deref().map(Path::new);
        let is_here = self.here.logs.contains_key(&session_name::safe(&found.id))
            || folder.is_some_and(|folder| self.here.holds(folder));
        if is_here {
            return Some(Arc::clone(&self.here));
        }
        if self.reach == Reach::Here {
            return None;
        }
        // Nobody can say any more which workspace a folder belonged to that is gone.
        let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
            return Some(Arc::clone(&self.here));
        };
        let layout = Layout::of(folder);
        let mut others = self.others.lock().ok()?;
        let records = others
            .entry(layout.home().to_owned())
            .or_insert_with(|| Arc::new(Records::of(&layout, self.environment)));
        Some(Arc::clone(records))
    }

    fn all(self) -> Vec<Arc<Records>> {
        let others = self.others.into_inner().unwrap_or_default();
        std::iter::once(self.here).chain(others.into_values()).collect()
    }
}

/// Our records of one workspace.
#[derive(Debug)]
struct Records {
    home: PathBuf,
    repo: String,
    /// The workspace's own log.
    workspace: Vec<Line>,
    /// Sessions' logs, by their names as parts of file names.
    logs: BTreeMap<String, Vec<Line>>,
    verdicts: Option<Folder>,
    /// By session: the branch, and the paths that had changed, at the newest stop.
    stops: BTreeMap<String, (Option<String>, Vec<String>)>,
}

impl Records {
    fn of(layout: &Layout, environment: &Environment) -> Self {
        let places =
            Places::new(layout.home(), environment.reflections.clone(), environment.self_report.clone());
        let folder = places.existing_log();
        let logs = folder.as_ref().ok().and_then(|folder| log::all(folder).ok()).unwrap_or_default();
        let workspace = folder.ok().and_then(|folder| log::read_workspace(&folder).ok()).unwrap_or_default();
        let reflections =
            places.existing_reflections().and_then(|folder| sidecar::list(&folder)).unwrap_or_default();
        let mut stops = BTreeMap::new();
        // The newest come first.
        for reflection in reflections.into_iter().filter_map(|stored| stored.reflection.ok()) {
            let branch =
                reflection.task_ref.strip_prefix(&format!("{}@", reflection.repo)).map(ToOwned::to_owned);
            stops.entry(reflection.session_id).or_insert((branch, reflection.files_changed));
        }
        Self {
            home: layout.home().to_owned(),
            repo: layout.name(),
            workspace,
            logs: logs.into_iter().collect(),
            verdicts: places.existing_verdicts().ok(),
            stops,
        }
    }

    /// Whether a folder belongs to this workspace. Of one that is gone only its place tells.
    fn holds(&self, folder: &Path) -> bool {
        if folder.is_dir() { Layout::of(folder).home() == self.home } else { folder.starts_with(&self.home) }
    }

    fn account(&self, found: &Found, session: Session) -> Account {
        let folder = session.circumstances.cwd.as_deref().map(Path::new);
        let is_ours = self.logs.contains_key(&session_name::safe(&found.id))
            || folder.is_some_and(|folder| self.holds(folder));
        let elsewhere = folder.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        Account {
            id: found.id.clone(),
            agent: found.agent.to_owned(),
            repo: if is_ours { self.repo.clone() } else { elsewhere.unwrap_or_default() },
            folder_is_gone: folder.is_some_and(|folder| !folder.is_dir()),
            session: Some(session),
            ..self.recorded(&session_name::safe(&found.id), &found.id)
        }
    }

    /// A session that only our own records know.
    fn without_transcript(&self, name: &str) -> Account {
        let mut account = self.recorded(name, name);
        account.agent =
            account.verdict.as_ref().map_or_else(|| "unknown".to_owned(), |verdict| verdict.agent.clone());
        account
    }

    fn recorded(&self, name: &str, id: &str) -> Account {
        let log = self.logs.get(name).cloned().unwrap_or_default();
        let (branch, files_changed) = self.stops.get(id).cloned().unwrap_or_default();
        Account {
            id: id.to_owned(),
            repo: self.repo.clone(),
            branch,
            files_changed,
            muted: Orders::of(&self.workspace, &Ledger::fold(&log)).muted,
            verdict: self.verdicts.as_ref().and_then(|folder| verdict_file::latest(folder, name)),
            log,
            ..Account::default()
        }
    }
}
