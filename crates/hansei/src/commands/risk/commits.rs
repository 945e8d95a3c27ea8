//! `hansei risk --commits`: many commits of one repository, each by what was known before it.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use hansei_core::history::{CommitId, FileChange};
use hansei_core::path_text;
use hansei_core::reflection::UnitInterval;
use hansei_core::risk::Floor;
use hansei_core::risk::likelihood::assess;
use hansei_record::settings::WORKSPACE_FILE;
use hansei_workspace::git::Git;
use hansei_workspace::history::{self, Before};
use hansei_workspace::layout::Layout;
use serde::Serialize;

use super::Report;
use super::change::{self, PATIENCE};
use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;
use crate::{given_file, terminal};

/// A line about a commit that nothing can be said about.
#[derive(Debug, Serialize)]
struct Unanswered<'a> {
    commit: &'a str,
    error: String,
}

pub(super) fn run(repo: Option<&Path>, list: &Path, threshold: Option<UnitInterval>) -> Answer {
    let workspace = Workspace::at(repo)?;
    if let Layout::Missing { folder } = &workspace.layout {
        return Err(Failure::usage(format!("{} is not in a git repository", folder.display()))
            .hint("name one with --repo"));
    }
    let revisions = listed(list)?;
    let git = Git::new(workspace.layout.root(), Instant::now() + PATIENCE)?;
    let named: Vec<String> = revisions.iter().map(|revision| revision.trim().to_owned()).collect();
    let ids = history::commits(&git, &named)?;
    let asked: Vec<CommitId> = ids.iter().flatten().copied().collect();
    let before = history::before_each(&git, &asked)?;
    let floors = Floors::before(&workspace, &git, &before, threshold)?;
    let answered: HashMap<CommitId, &Before> =
        before.iter().map(|before| (before.commit.id, before)).collect();
    let mut lines = String::new();
    for (revision, id) in revisions.iter().zip(ids) {
        lines.push_str(&match id.and_then(|id| answered.get(&id)) {
            Some(before) => line(revision, before, &floors)?,
            None => unanswered(revision, "it names no commit here".to_owned())?,
        });
        lines.push('\n');
    }
    terminal::print(&lines);
    Ok(ExitCode::SUCCESS)
}

fn line(revision: &str, before: &Before, floors: &Floors) -> Result<String, Failure> {
    let Some(known) = &before.known else {
        let error = "what it changed is unknown: the clone is shallow and begins with it".to_owned();
        return unanswered(revision, error);
    };
    let floor = match floors.of(before) {
        Ok(floor) => floor,
        Err(error) => return unanswered(revision, error),
    };
    let files = paths(&before.commit.files);
    let consequence = floor.evaluate(&files);
    let likelihood = assess(&before.commit.files, Some(known));
    json(&Report::new(Some(revision), &consequence, &likelihood, &files))
}

fn unanswered(commit: &str, error: String) -> Result<String, Failure> {
    json(&Unanswered { commit, error })
}

fn json(line: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(line)
        .map_err(|error| Failure::environment(format!("the answer cannot be written as JSON: {error}")))
}

/// A change's paths as the floor takes them: a moved file under both.
fn paths(files: &[FileChange]) -> Vec<String> {
    let both = files.iter().flat_map(|file| [Some(&file.path), file.renamed_from.as_ref()]).flatten();
    let sorted: BTreeSet<Vec<u8>> = both.map(|path| path_text::decode(path)).collect();
    change::texts(&sorted)
}

/// The floors that held before the commits: one for each version of the settings.
struct Floors {
    versions: HashMap<CommitId, Option<String>>,
    floors: HashMap<Option<String>, Result<Floor, String>>,
}

impl Floors {
    fn before(
        workspace: &Workspace,
        git: &Git,
        commits: &[Before],
        threshold: Option<UnitInterval>,
    ) -> Result<Self, Failure> {
        let mut bases: Vec<CommitId> =
            commits.iter().filter_map(|before| before.commit.parents.first().copied()).collect();
        bases.sort_unstable();
        bases.dedup();
        let names: Vec<String> = bases.iter().map(|base| format!("{base}:{WORKSPACE_FILE}")).collect();
        let blobs = history::blobs(git, &names)?;
        let versions: HashMap<CommitId, Option<String>> = bases.into_iter().zip(blobs).collect();
        let mut floors = HashMap::new();
        for version in versions.values().chain([&None]) {
            if floors.contains_key(version) {
                continue;
            }
            let text = version.as_ref().map(|blob| git.ask(&["cat-file", "blob", blob])).transpose()?;
            let floor = match change::load(workspace, text.as_deref()) {
                Ok(settings) => settings.floor(threshold).map_err(|error| error.to_string()),
                // Without a version of the repository's own, what is wrong is the user's file.
                Err(failure) if version.is_none() => return Err(failure),
                Err(failure) => Err(failure.message().to_owned()),
            };
            floors.insert(version.clone(), floor);
        }
        Ok(Self { versions, floors })
    }

    fn of(&self, before: &Before) -> Result<&Floor, String> {
        let base = before.commit.parents.first();
        let version = base.and_then(|base| self.versions.get(base)).unwrap_or(&None);
        match self.floors.get(version) {
            Some(Ok(floor)) => Ok(floor),
            Some(Err(error)) => Err(error.clone()),
            None => Err("its settings are unknown".to_owned()),
        }
    }
}

/// The lines of the list, as they are.
fn listed(list: &Path) -> Result<Vec<String>, Failure> {
    let bytes = given_file::bytes("--commits", list, u64::MAX)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().map(str::to_owned).collect())
}
