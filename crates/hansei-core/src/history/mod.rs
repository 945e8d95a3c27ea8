//! Commits as values: what one changed, who made it, and what its message says.
//!
//! The walker in `hansei-workspace` fills them in, one at a time; the experiment on git histories and the likelihood of
//! a bug both read them.

mod commit_id;
mod line;
pub mod message;
pub mod patch;

pub use commit_id::CommitId;

/// One commit of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its full hash.
    pub id: CommitId,
    /// Its parents; the first is what it was made on.
    pub parents: Vec<CommitId>,
    /// Who wrote the change.
    pub author: Author,
    /// When the change was written, in seconds after 1970.
    pub author_time: i64,
    /// When the commit was made, in seconds after 1970: later than the change where it was rebased or squashed.
    pub committer_time: i64,
    /// The first paragraph of the message, in one line.
    pub subject: String,
    /// The rest of the message.
    pub body: String,
    /// What it changed against its first parent. Nothing for a merge, unless that was asked for.
    pub files: Vec<FileChange>,
    /// How many more files it changed than are kept.
    pub files_left_out: u64,
}

impl Commit {
    /// Whether it joins two lines of work.
    pub fn is_merge(&self) -> bool {
        self.parents.len() > 1
    }
}

/// Who wrote a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The same for the same address (or the same name, where there is no address), within one walk.
    pub id: u32,
    /// The name in the commit.
    pub name: String,
    /// The address in the commit.
    pub email: String,
}

/// One file that a commit changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Where it is now, as [`crate::path_text`] writes it.
    pub path: String,
    /// Where it was before, if it was moved.
    pub renamed_from: Option<String>,
    /// How much of it changed.
    pub extent: Extent,
}

/// How much of a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A text: so many lines came and went.
    Lines {
        /// Lines added.
        added: u64,
        /// Lines deleted.
        deleted: u64,
    },
    /// Not a text.
    Binary,
    /// Its content is not in this repository (a partial clone).
    Unknown,
}

impl Extent {
    /// Lines added, where that is known.
    pub fn added(self) -> u64 {
        match self {
            Self::Lines { added, .. } => added,
            Self::Binary | Self::Unknown => 0,
        }
    }

    /// Lines deleted, where that is known.
    pub fn deleted(self) -> u64 {
        match self {
            Self::Lines { deleted, .. } => deleted,
            Self::Binary | Self::Unknown => 0,
        }
    }
}
