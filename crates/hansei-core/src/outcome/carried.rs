//! Which commits carry the change that a session made.
//!
//! A reflection names files and a moment, not commits: the agent may have committed along the way, or somebody committed
//! its work afterwards.

use std::collections::BTreeSet;

use crate::history::{Commit, CommitId};

/// Work that nobody has committed a week later is no longer waited for.
const COMMITTED_WITHIN: i64 = 7 * 86_400;

/// The work of a session up to a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work<'a> {
    /// When the session began, in seconds after 1970.
    pub began: i64,
    /// When it stopped.
    pub stopped: i64,
    /// The paths that it changed.
    pub files: &'a [String],
}

/// The commits among `history` (the oldest first) that carry `work`: those made during it that touch its files, and for
/// every file that none of them touched, the next commit that does.
pub fn carriers(work: &Work<'_>, history: &[Commit]) -> Vec<CommitId> {
    let mut waiting: BTreeSet<&str> = work.files.iter().map(String::as_str).collect();
    let mut carriers = Vec::new();
    for commit in history.iter().filter(|commit| commit.committer_time >= work.began) {
        let during = commit.committer_time <= work.stopped;
        if commit.committer_time > work.stopped.saturating_add(COMMITTED_WITHIN) {
            continue;
        }
        let touched =
            commit.files.iter().flat_map(|file| [Some(file.path.as_str()), file.renamed_from.as_deref()]);
        let touched: Vec<&str> = touched.flatten().collect();
        let is_carried = if during {
            touched.iter().any(|path| work.files.iter().any(|file| file == path))
        } else {
            touched.iter().any(|path| waiting.contains(path))
        };
        if is_carried {
            carriers.push(commit.id);
            for path in touched {
                waiting.remove(path);
            }
        }
    }
    carriers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Author, Extent, FileChange};

    fn commit(number: u8, time: i64, paths: &[&str]) -> Commit {
        let file = |path: &&str| FileChange {
            path: (*path).to_owned(),
            renamed_from: None,
            extent: Extent::Lines { added: 1, deleted: 0 },
        };
        Commit {
            id: format!("{number:02x}").repeat(20).parse().unwrap(),
            parents: vec![],
            author: Author { id: 0, name: "A".into(), email: "a@example.invalid".into() },
            author_time: time,
            committer_time: time,
            subject: String::new(),
            body: String::new(),
            files: paths.iter().map(file).collect(),
            files_left_out: 0,
        }
    }

    #[test]
    fn commits_made_along_the_way_and_the_next_of_each_other_file() {
        let files = ["a.rs".to_owned(), "b.rs".to_owned()];
        let work = Work { began: 100, stopped: 200, files: &files };
        let history = [
            commit(1, 50, &["a.rs"]),
            commit(2, 150, &["a.rs", "c.rs"]),
            commit(3, 160, &["c.rs"]),
            commit(4, 300, &["a.rs"]),
            commit(5, 400, &["b.rs", "d.rs"]),
            commit(6, 500, &["b.rs"]),
        ];
        let ids = |wanted: &[usize]| wanted.iter().map(|at| history[*at].id).collect::<Vec<_>>();
        assert_eq!(carriers(&work, &history), ids(&[1, 4]));
        let late = [commit(7, 200 + COMMITTED_WITHIN + 1, &["a.rs"])];
        assert_eq!(carriers(&work, &late), []);
    }
}
