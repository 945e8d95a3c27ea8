//! What an expert did becomes a commit, and part of the whole; or it goes back to whoever did it.

use hansei_core::path_text;

use super::recording::{self, line};
use super::{TeamTrees, TreesError, WHOLE, tree_name};
use crate::changes;
use crate::layout::path_from_bytes;

/// The largest file that is searched for marks of a conflict.
const LARGEST: u64 = 16 << 20;

/// What came of bringing an expert's work into the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// It is part of it.
    Whole {
        /// The commit of the whole.
        commit: String,
        /// What it changed.
        files: Vec<String>,
    },
    /// It contradicts what is there, in these files. Both sides are in its tree now.
    Contradicts {
        /// The files.
        files: Vec<String>,
    },
}

/// What an expert has to put right.
#[derive(Debug)]
pub(super) struct Contradiction {
    /// The whole that its work contradicts.
    with: String,
    files: Vec<Vec<u8>>,
}

impl TeamTrees {
    /// Commits what is in the tree of an expert, and merges it.
    pub fn merge(&mut self, expert: &str) -> Result<Merged, TreesError> {
        let name = tree_name(expert);
        let git = self.git_of(&name)?;
        let left = self.marks_left(expert, &name);
        if !left.is_empty() {
            return Ok(Merged::Contradicts { files: shown(&left) });
        }
        let Some(copied) = self.experts.get_mut(expert) else {
            return Err(TreesError::Impossible(format!("there is no tree of {expert}")));
        };
        let tree = recording::record(&git, &git)?;
        let mut parents = vec![copied.commit.as_str()];
        let contradiction = copied.contradiction.take();
        parents.extend(contradiction.as_ref().map(|contradiction| contradiction.with.as_str()));
        let before = line(&git.ask(&["rev-parse", &format!("{}^{{tree}}", copied.commit)])?);
        if tree != before || parents.len() > 1 {
            copied.commit = recording::commit(&git, &tree, &parents, &format!("What {expert} did"))?;
        }
        let work = copied.commit.clone();
        // Names for both sides, as the marks of a conflict show them.
        git.ask(&["update-ref", &format!("refs/heads/{WHOLE}"), &self.head])?;
        git.ask(&["update-ref", &format!("refs/heads/{name}"), &work])?;
        let is_in = |inner: &str, outer: &str| {
            git.ask_either(&["merge-base", "--is-ancestor", inner, outer]).map(|(is_in, _)| is_in)
        };
        if is_in(&work, &self.head)? {
            return Ok(Merged::Whole { commit: self.head.clone(), files: Vec::new() });
        }
        if is_in(&self.head, &work)? {
            return self.advance(work);
        }
        let (clean, answer) = git.ask_either(&[
            "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", WHOLE, &name,
        ])?;
        let mut parts = answer.split(|byte| *byte == 0);
        let tree = line(parts.next().unwrap_or_default());
        if clean {
            let merged =
                recording::commit(&git, &tree, &[&self.head, &work], &format!("Merge what {expert} did"))?;
            return self.advance(merged);
        }
        let mut files: Vec<Vec<u8>> = parts.take_while(|path| !path.is_empty()).map(<[u8]>::to_vec).collect();
        files.dedup();
        self.check_out(&name, &tree)?;
        let told = shown(&files);
        if let Some(copied) = self.experts.get_mut(expert) {
            copied.contradiction = Some(Contradiction { with: self.head.clone(), files });
        }
        Ok(Merged::Contradicts { files: told })
    }

    /// Commits what is in the tree of the whole: whoever brings the work together may have changed it.
    pub fn settle(&mut self) -> Result<(), TreesError> {
        let git = self.git_of(WHOLE)?;
        let tree = recording::record(&git, &git)?;
        if tree != line(&git.ask(&["rev-parse", &format!("{}^{{tree}}", self.head)])?) {
            self.head = recording::commit(&git, &tree, &[&self.head], "What was put right in the whole")?;
        }
        Ok(())
    }

    /// Makes a commit the whole.
    fn advance(&mut self, commit: String) -> Result<Merged, TreesError> {
        let git = self.git_of(WHOLE)?;
        let changed: Vec<Vec<u8>> = changes::between(&git, &self.head, &commit)?.into_iter().collect();
        self.check_out(WHOLE, &commit)?;
        git.ask(&["update-ref", "--no-deref", "HEAD", &commit])?;
        self.head.clone_from(&commit);
        Ok(Merged::Whole { commit, files: shown(&changed) })
    }

    /// The files of a contradiction that still show its two sides.
    fn marks_left(&self, expert: &str, name: &str) -> Vec<Vec<u8>> {
        let Some(contradiction) = self.experts.get(expert).and_then(|copied| copied.contradiction.as_ref())
        else {
            return Vec::new();
        };
        let marks = [format!("<<<<<<< {WHOLE}"), format!(">>>>>>> {name}")];
        let is_marked = |path: &&Vec<u8>| {
            let file = self.folder.tree(name).join(path_from_bytes(path));
            let is_plain = file.symlink_metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
            let Some(text) = is_plain.then(|| std::fs::read(&file).ok()).flatten() else { return false };
            text.split(|byte| *byte == b'\n')
                .any(|line| marks.iter().any(|mark| line.starts_with(mark.as_bytes())))
        };
        contradiction.files.iter().filter(is_marked).cloned().collect()
    }
}

/// Paths as they are told.
pub(super) fn shown(paths: &[Vec<u8>]) -> Vec<String> {
    paths.iter().map(|path| path_text::encode(path)).collect()
}
