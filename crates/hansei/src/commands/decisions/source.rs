//! Where decisions and changes are read from: a commit, the work tree, or a folder without git; always with bounds, and
//! never through a link that leads out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hansei_core::decision_memory::{
    BaseUses, Change, FileChange, MARKS, Memory, SourceFile, is_adr_path, may_hold_decisions,
};
use hansei_workspace::changes::{self, empty_tree};
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;
use hansei_workspace::searched::{Where, holding};
use hansei_workspace::tree_files;
use hansei_workspace::whole_diff::{DiffOf, whole_diff};

use crate::failure::Failure;
use crate::given_file;
use crate::workspace::Workspace;

/// A person waits, but not forever.
const PATIENCE: Duration = Duration::from_mins(5);
/// What is given on a command line: a diff or a plan.
const LARGEST_GIVEN: u64 = 64 << 20;
/// So many files are read for their decisions, and so many for what they use.
const MOST_FILES: usize = 5_000;
/// So much of untracked files.
const MOST_UNTRACKED: usize = 64 << 20;

/// The texts of some files.
type Texts = BTreeMap<String, String>;

/// What decisions are read from.
pub struct Source {
    root: PathBuf,
    /// None where there is no repository.
    git: Option<Git>,
    has_work_tree: bool,
}

impl Source {
    pub fn of(workspace: &Workspace) -> Result<Self, Failure> {
        let root = workspace.layout.root().to_owned();
        let git = match &workspace.layout {
            Layout::Missing { .. } => None,
            _ => Some(Git::new(&root, Instant::now() + PATIENCE)?),
        };
        let has_work_tree = matches!(workspace.layout, Layout::WorkTree { .. } | Layout::Missing { .. });
        Ok(Self { root, git, has_work_tree })
    }

    fn git(&self) -> Result<&Git, Failure> {
        self.git.as_ref().ok_or_else(|| {
            Failure::usage(format!("{} is not in a git repository", self.root.display()))
                .hint("give a change with --diff, or a plan with --plan")
        })
    }

    /// The commit that is checked out; none before the first, and none without git.
    pub(super) fn head(&self) -> Result<Option<String>, Failure> {
        match &self.git {
            Some(git) => Ok(changes::resolve(git, "HEAD")?),
            None => Ok(None),
        }
    }

    /// Where what is checked out grew from `revision`.
    pub(super) fn grown_from(&self, revision: &str) -> Result<String, Failure> {
        let git = self.git()?;
        let base = changes::resolve(git, revision)?.ok_or_else(|| {
            Failure::usage(format!("{revision:?} names no commit in {}", self.root.display()))
        })?;
        match self.head()? {
            Some(head) => Ok(changes::fork_point(git, &base, &head)?),
            None => Ok(base),
        }
    }

    /// The decisions of the work tree as it is.
    pub(super) fn now(&self) -> Result<Memory, Failure> {
        if !self.has_work_tree {
            return self.at(self.head()?.as_deref());
        }
        Ok(memory(&self.texts_now()?))
    }

    fn texts_now(&self) -> Result<Texts, Failure> {
        let paths = match &self.git {
            Some(git) => {
                let mut paths = holding(git, Where::WorkTree, MARKS)?;
                paths.extend(tree_files::now(git)?.into_iter().filter(|path| is_adr(path)));
                paths.into_iter().collect()
            }
            None => tree_files::walk(&self.root),
        };
        let read = paths.iter().filter_map(|path| {
            let name = String::from_utf8(path.clone()).ok()?;
            let text = tree_files::text_now(&self.root, path)?;
            may_hold_decisions(&name, &text).then_some((name, text))
        });
        Ok(read.take(MOST_FILES).collect())
    }

    /// The decisions of a base. Without a commit there are none, unless there is no git to ask: then the folder is the base.
    pub(super) fn at(&self, base: Option<&str>) -> Result<Memory, Failure> {
        match (&self.git, base) {
            (Some(_), Some(base)) => {
                let texts = self.texts_at(base, MARKS, &is_adr)?;
                Ok(memory(&texts))
            }
            (Some(_), None) => Ok(Memory::default()),
            (None, _) => self.now(),
        }
    }

    /// The decisions that bind a plan: those of HEAD, and those that the work tree adds.
    pub fn for_a_plan(&self) -> Result<Memory, Failure> {
        self.for_a_plan_since(self.head()?.as_deref())
    }

    /// The decisions that bind whoever works on from a source state: its own, and those that were added since. What was
    /// taken away since then still binds.
    pub fn for_a_plan_since(&self, base: Option<&str>) -> Result<Memory, Failure> {
        let mut memory = self.at(base)?;
        let head = self.head()?;
        if head.as_deref() != base {
            add_files(&mut memory, self.at(head.as_deref())?);
        }
        if self.has_work_tree {
            add_files(&mut memory, self.now()?);
        }
        Ok(memory)
    }

    /// Which files of the base use what its decisions reject.
    pub fn uses(&self, base: Option<&str>, memory: &Memory) -> Result<BaseUses, Failure> {
        let Some(base) = base.filter(|_| self.git.is_some()) else { return Ok(BaseUses::default()) };
        let words: Vec<String> = memory.searched_for();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if words.is_empty() {
            return Ok(BaseUses::default());
        }
        let texts = self.texts_at(base, &words, &|_| false)?;
        Ok(BaseUses::of(memory, SourceFile::each(&texts)))
    }

    /// The texts of the files of a commit that hold one of `words`, or that `also` wants.
    fn texts_at(&self, commit: &str, words: &[&str], also: &dyn Fn(&[u8]) -> bool) -> Result<Texts, Failure> {
        let git = self.git()?;
        let marked = holding(git, Where::Commit(commit), words)?;
        let entries = tree_files::of_commit(git, commit)?;
        let wanted = entries.iter().filter(|entry| marked.contains(&entry.path) || also(&entry.path));
        let wanted: Vec<&tree_files::Entry> = wanted.take(MOST_FILES).collect();
        let texts = tree_files::texts_of_commit(&wanted, git)?;
        Ok(texts.into_iter().filter_map(|(path, text)| Some((String::from_utf8(path).ok()?, text))).collect())
    }

    /// Everything that changed in the work tree since `base`, with what git does not know yet.
    pub(super) fn work_tree_since(&self, base: Option<&str>) -> Result<Change, Failure> {
        let git = self.git()?;
        if !self.has_work_tree {
            return Err(
                Failure::usage("a bare repository has no work tree").hint("give a change with --diff")
            );
        }
        let mut change =
            self.read_diff(&whole_diff(git, DiffOf::WorkTreeSince(base.unwrap_or(empty_tree(""))))?)?;
        let mut left = MOST_UNTRACKED;
        for path in tree_files::untracked(git)? {
            let Ok(name) = String::from_utf8(path.clone()) else { continue };
            if name.starts_with(".hansei/") {
                continue;
            }
            let Some(text) = tree_files::text_now(&self.root, &path) else { continue };
            let Some(rest) = left.checked_sub(text.len()) else { break };
            left = rest;
            change.files.push(FileChange::created(&name, &text));
        }
        Ok(change)
    }

    /// What is staged.
    pub(super) fn staged_since(&self, base: Option<&str>, index: Option<&Path>) -> Result<Change, Failure> {
        let base = base.unwrap_or(empty_tree(""));
        let usual = self.git()?;
        let git = match index {
            Some(index) => {
                let index = std::path::absolute(index)?;
                &Git::new(&self.root, Instant::now() + PATIENCE)?.staged_in(&index)
            }
            None => usual,
        };
        self.read_diff(&whole_diff(git, DiffOf::StagedSince(base))?)
    }

    fn read_diff(&self, diff: &str) -> Result<Change, Failure> {
        Change::read(diff)
            .map_err(|error| Failure::environment(format!("the change of {}: {error}", self.root.display())))
    }

    /// The text of a file of the base; what lies there where there is none.
    pub fn text_at(&self, base: Option<&str>, path: &str) -> Option<String> {
        let path = plain(path)?;
        match (&self.git, base) {
            (Some(git), Some(base)) => String::from_utf8(changes::file_at(git, base, path).ok()??).ok(),
            _ => tree_files::text_now(&self.root, path.as_bytes()),
        }
    }

    /// The commit that a name stands for, where there is one.
    pub fn commit(&self, revision: &str) -> Option<String> {
        changes::resolve(self.git.as_ref()?, revision).ok()?
    }

    /// Puts what stood between the hunks of a given diff into it.
    pub(super) fn complete(&self, base: Option<&str>, change: &mut Change) -> Result<(), Failure> {
        for file in &mut change.files {
            let Some(path) = file.old_path.as_deref().and_then(plain) else { continue };
            let text = match (&self.git, base) {
                (Some(git), Some(base)) => {
                    changes::file_at(git, base, path)?.and_then(|text| String::from_utf8(text).ok())
                }
                _ => tree_files::text_now(&self.root, path.as_bytes()),
            };
            if let Some(text) = text {
                file.complete(&text);
            }
        }
        Ok(())
    }
}

/// Adds the decisions of those files that held none.
fn add_files(memory: &mut Memory, more: Memory) {
    let known: Vec<String> = memory.decisions.iter().map(|decision| decision.file.clone()).collect();
    memory.decisions.extend(more.decisions.into_iter().filter(|new| !known.contains(&new.file)));
}

/// A path of a diff that stays where it belongs.
fn plain(path: &str) -> Option<&str> {
    let leaves = path.starts_with('/') || path.split(['/', '\\']).any(|part| part == "..");
    (!leaves && !path.is_empty()).then_some(path)
}

fn is_adr(path: &[u8]) -> bool {
    std::str::from_utf8(path).is_ok_and(is_adr_path)
}

fn memory(texts: &Texts) -> Memory {
    Memory::of(SourceFile::each(texts))
}

/// The text of a file that was named on the command line, or of standard input.
pub(super) fn given(file: &Path, option: &str) -> Result<String, Failure> {
    let text = given_file::bytes(option, file, LARGEST_GIVEN)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
