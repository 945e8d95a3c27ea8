//! What a work tree does against the decisions of the commit it grew from: the look of those who cannot wait long, hooks and
//! runs. Everything that did not change is read from the work tree, which is several times as fast as reading a commit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use hansei_core::decision_memory::{
    BaseUses, Change, DecidedFiles, FileChange, LineSide, MARKS, Memory, SourceFile, Violation, check_change,
    is_adr_path, may_hold_decisions,
};

use crate::changes;
use crate::git::{Git, GitError};
use crate::searched::{Where, holding};
use crate::tree_files;
use crate::whole_diff::{DiffOf, whole_diff_of};

/// So many changed files are looked at.
const MOST_CHANGED: usize = 2_000;
/// So many files with decisions are read, and so many that use a name.
const MOST_READ: usize = 2_000;
/// What git is told on one command line.
const MOST_NAMED: usize = 500;

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub enum NotLookedAt {
    /// Git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The change is too large for a quick look.
    #[error("{0} files changed, which is more than a quick look takes in")]
    TooMuch(usize),
    /// Some decisions cannot be read.
    #[error("{0} files with decisions cannot be read from the commit")]
    Missing(usize),
    /// What git said of the change cannot be read.
    #[error("the change cannot be read: {0}")]
    Unreadable(#[from] hansei_core::decision_memory::BadDiff),
}

/// A work tree and the commit that it grew from.
#[derive(Debug, Clone, Copy)]
pub struct Grown<'a> {
    /// Asks git in the work tree.
    pub git: &'a Git,
    /// The root of the work tree.
    pub root: &'a Path,
    /// The whole name of the commit.
    pub base: &'a str,
    /// What changed since: paths from the root.
    pub changed: &'a BTreeSet<Vec<u8>>,
}

impl Grown<'_> {
    /// Which files of the commit hold decisions: what is known, where it is known of this commit; what changed between the two,
    /// where it is known of another; all files, where nothing is known.
    pub fn decided_files(&self, known: Option<DecidedFiles>) -> Result<DecidedFiles, NotLookedAt> {
        let known = known.filter(|known| known.version == DecidedFiles::VERSION);
        let files = match known {
            Some(known) if known.commit == self.base => return Ok(known),
            Some(known) => match self.updated(&known) {
                Some(files) => files,
                None => self.found()?,
            },
            None => self.found()?,
        };
        Ok(DecidedFiles {
            version: DecidedFiles::VERSION,
            commit: self.base.to_owned(),
            files: files.into_iter().filter_map(|path| String::from_utf8(path).ok()).collect(),
        })
    }

    /// From the decided files of another commit; none where the two cannot be compared, or have too little in common.
    fn updated(&self, known: &DecidedFiles) -> Option<BTreeSet<Vec<u8>>> {
        let between = changes::between(self.git, &known.commit, self.base).ok()?;
        if between.len() > MOST_NAMED {
            return None;
        }
        let mut files: BTreeSet<Vec<u8>> = known.files.iter().map(|path| path.clone().into_bytes()).collect();
        files.retain(|path| !between.contains(path));
        let texts = self.texts_at_base(between.iter().map(Vec::as_slice));
        let decided = texts.ok()?.into_iter().filter(|(path, text)| may_hold_decisions(path, text));
        files.extend(decided.map(|(path, _)| path.into_bytes()));
        Some(files)
    }

    fn found(&self) -> Result<BTreeSet<Vec<u8>>, NotLookedAt> {
        let mut files: BTreeSet<Vec<u8>> = holding(self.git, Where::Known, MARKS)?;
        files.extend(
            tree_files::of_commit(self.git, self.base)?
                .into_iter()
                .map(|entry| entry.path)
                .filter(|path| is_adr(path)),
        );
        files.retain(|path| !self.changed.contains(path));
        let changed = self.changed.iter().take(MOST_CHANGED).map(Vec::as_slice);
        let before = self.texts_at_base(changed)?;
        let decided = before.into_iter().filter(|(path, text)| may_hold_decisions(path, text));
        files.extend(decided.map(|(path, _)| path.into_bytes()));
        Ok(files)
    }

    /// What the change does against the decisions in `decided`.
    pub fn violations(&self, decided: &DecidedFiles) -> Result<Vec<Violation>, NotLookedAt> {
        if decided.files.is_empty() || self.changed.is_empty() {
            return Ok(Vec::new());
        }
        if self.changed.len() > MOST_CHANGED {
            return Err(NotLookedAt::TooMuch(self.changed.len()));
        }
        let named: Vec<&str> = decided.files.iter().take(MOST_READ).map(String::as_str).collect();
        let tree_files::Named { texts, missing } = tree_files::named(self.git, self.base, &named)?;
        if missing > 0 {
            return Err(NotLookedAt::Missing(missing));
        }
        let memory = Memory::of(SourceFile::each(&texts));
        if memory.binding().next().is_none() {
            return Ok(Vec::new());
        }
        let change = self.change()?;
        let already = self.uses(&memory, &change)?;
        Ok(check_change(&memory, &change, &already))
    }

    /// The change itself, with whole files as context.
    pub fn change(&self) -> Result<Change, NotLookedAt> {
        let mut change = Change::default();
        let names: Vec<&str> =
            self.changed.iter().filter_map(|path| std::str::from_utf8(path).ok()).collect();
        for some in names.chunks(MOST_NAMED) {
            let diff = whole_diff_of(self.git, DiffOf::WorkTreeSince(self.base), some)?;
            change.files.extend(Change::read(&diff)?.files);
        }
        let known: BTreeSet<String> = change
            .files
            .iter()
            .flat_map(|file| [&file.old_path, &file.new_path])
            .flatten()
            .cloned()
            .collect();
        // What git does not know yet is in no diff of its.
        for name in names.iter().filter(|name| !known.contains(**name)) {
            if let Some(text) = tree_files::text_now(self.root, name.as_bytes()) {
                change.files.push(FileChange::created(name, &text));
            }
        }
        Ok(change)
    }

    /// Which files used before what the change may bring back.
    fn uses(&self, memory: &Memory, change: &Change) -> Result<BaseUses, NotLookedAt> {
        let words = memory.searched_for_in(change);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let found = holding(self.git, Where::Known, &words)?;
        let mut texts: BTreeMap<String, String> = change
            .files
            .iter()
            .filter_map(|file| Some((file.old_path.clone()?, file.text(LineSide::Removed))))
            .collect();
        let unchanged = found.into_iter().filter(|path| !self.changed.contains(path)).take(MOST_READ);
        for path in unchanged {
            if let (Some(text), Ok(name)) = (tree_files::text_now(self.root, &path), String::from_utf8(path))
            {
                texts.insert(name, text);
            }
        }
        Ok(BaseUses::of(memory, SourceFile::each(&texts)))
    }

    /// The texts of these paths in the commit, where it has them.
    fn texts_at_base<'p>(
        &self,
        paths: impl Iterator<Item = &'p [u8]>,
    ) -> Result<BTreeMap<String, String>, NotLookedAt> {
        let names: Vec<&str> = paths.filter_map(|path| std::str::from_utf8(path).ok()).collect();
        Ok(tree_files::named(self.git, self.base, &names)?.texts)
    }
}

fn is_adr(path: &[u8]) -> bool {
    std::str::from_utf8(path).is_ok_and(is_adr_path)
}
