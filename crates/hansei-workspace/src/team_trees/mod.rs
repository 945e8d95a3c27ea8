//! The trees of a team: one for each expert, one in which their work comes together, and the way back to the user's.
//!
//! They are linked work trees of a repository of our own, in a folder of the user's that no repository can name, which
//! borrows the objects of the user's repository and writes nothing there: no branch, no index, no stash, no list of work
//! trees. So nothing has to be pruned, and removing the folder removes all of it, also after a crash. No configuration but
//! ours is read there, so no hook, filter, driver or signature of anybody else is run; files are taken byte for byte.
//!
//! What is in the user's tree now, committed or not, is the commit that everybody begins from. It is made from the user's
//! files without the user's index.

mod borrowed;
mod folder;
mod handing_over;
mod merging;
mod recording;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use folder::sweep;
pub use handing_over::{HandedOver, NotApplied};
pub use merging::Merged;

use crate::git::{Git, GitError};

/// How long git may take for one thing.
const GIT_LIMIT: Duration = Duration::from_mins(10);
/// The first git that merges without a work tree.
const OLDEST: (u32, u32) = (2, 38);
/// The name of the tree in which the work comes together.
const WHOLE: &str = "team";

/// Why trees could not be made or brought together.
#[derive(Debug, thiserror::Error)]
pub enum TreesError {
    /// git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file could not be read or written.
    #[error("the trees of the team: {0}")]
    Io(#[from] io::Error),
    /// There is nothing that a team could begin from.
    #[error("{0}")]
    Impossible(String),
}

/// The trees of one team. They go with this value.
#[derive(Debug)]
pub struct TeamTrees {
    folder: folder::TeamFolder,
    /// The user's tree.
    root: PathBuf,
    /// The commit that everybody begins from.
    base: String,
    /// The commit of the work that came together so far.
    head: String,
    experts: BTreeMap<String, Copied>,
    /// What an expert's commands may read outside their tree.
    readable: Vec<PathBuf>,
    /// Folders with what was installed, and where each stands in a tree.
    installed: Vec<(PathBuf, PathBuf)>,
}

/// The tree of an expert.
#[derive(Debug)]
struct Copied {
    /// What was committed of it last.
    commit: String,
    /// What it has to put right.
    contradiction: Option<merging::Contradiction>,
}

/// Fails where git is too old to merge without a work tree.
pub fn ready(root: &Path) -> Result<(), TreesError> {
    let version = Git::new(root, Instant::now() + GIT_LIMIT)?.ask(&["version"])?;
    let version = recording::line(&version);
    let mut numbers = version
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .filter_map(|part| part.parse::<u32>().ok());
    if (numbers.next(), numbers.next()) < (Some(OLDEST.0), Some(OLDEST.1)) {
        let (major, minor) = OLDEST;
        return Err(TreesError::Impossible(format!(
            "a team needs git {major}.{minor}, and this is {version}"
        )));
    }
    Ok(())
}

impl TeamTrees {
    /// Makes the repository, the commit that everybody begins from, and the tree in which the work comes together.
    /// `teams` is where such folders lie, `name` is this one's, and `root` is the user's tree with `head` checked out.
    pub fn prepare(teams: &Path, name: &str, root: &Path, head: &str) -> Result<Self, TreesError> {
        let folder = folder::TeamFolder::make(teams, name)?;
        let users = Git::new(root, Instant::now() + GIT_LIMIT)?;
        let objects = borrowed::set_up(&users, &folder.git_dir())?;
        let snapshot = Git::of_ours(&folder.git_dir(), Some(root), Instant::now() + GIT_LIMIT)?
            .with_index(&folder.path().join("snapshot"));
        let tree = recording::record(&users, &snapshot)?;
        let base = recording::commit(&snapshot, &tree, &[head], "The tree as it was when the team began")?;
        let mut readable = vec![objects];
        let installed = borrowed::installed(&users, root)?;
        readable.extend(installed.iter().map(|(folder, _)| folder.clone()));
        let trees = Self {
            folder,
            root: root.to_owned(),
            head: base.clone(),
            base,
            experts: BTreeMap::new(),
            readable,
            installed,
        };
        trees.check_out_new(WHOLE)?;
        Ok(trees)
    }

    /// The commit that everybody begins from.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The tree in which the work comes together.
    pub fn whole(&self) -> PathBuf {
        self.folder.tree(WHOLE)
    }

    /// What commands in these trees may read outside them.
    pub fn readable(&self) -> &[PathBuf] {
        &self.readable
    }

    /// The tree of an expert: with the work that came together so far, or as it was left where there is one already.
    pub fn tree_of(&mut self, expert: &str) -> Result<PathBuf, TreesError> {
        if !self.experts.contains_key(expert) {
            self.check_out_new(&tree_name(expert))?;
            let copied = Copied { commit: self.head.clone(), contradiction: None };
            self.experts.insert(expert.to_owned(), copied);
        }
        Ok(self.folder.tree(&tree_name(expert)))
    }

    fn check_out_new(&self, name: &str) -> Result<(), TreesError> {
        let place = self.folder.tree(name);
        let git = Git::of_ours(&self.folder.git_dir(), None, Instant::now() + GIT_LIMIT)?;
        let args: [&std::ffi::OsStr; 7] = [
            "worktree".as_ref(),
            "add".as_ref(),
            "--quiet".as_ref(),
            "--detach".as_ref(),
            "--no-checkout".as_ref(),
            place.as_os_str(),
            self.head.as_ref(),
        ];
        git.ask(&args)?;
        self.check_out(name, &self.head)?;
        for (folder, at) in &self.installed {
            borrowed::link(folder, &place.join(at))?;
        }
        Ok(())
    }

    /// Makes a tree that of a commit or tree of git's, byte for byte; what git does not know stays.
    fn check_out(&self, name: &str, commit: &str) -> Result<(), TreesError> {
        self.git_of(name)?.ask(&["read-tree", "--reset", "-u", commit])?;
        Ok(())
    }

    /// Asks git about one of the trees.
    fn git_of(&self, name: &str) -> Result<Git, TreesError> {
        let git_dir = self.folder.git_dir().join("worktrees").join(name);
        Ok(Git::of_ours(&git_dir, Some(&self.folder.tree(name)), Instant::now() + GIT_LIMIT)?)
    }
}

/// A role may be called like the tree of the whole.
fn tree_name(expert: &str) -> String {
    format!("expert-{expert}")
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
