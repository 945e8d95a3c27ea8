//! The change that `hansei risk` is asked about, the settings that hold for it, and what was known before it.

use std::path::Path;
use std::time::{Duration, Instant};

use hansei_core::history::{CommitId, Extent, FileChange};
use hansei_core::path_text;
use hansei_core::risk::likelihood::{Known, identity};
use hansei_record::settings::{Layers, WORKSPACE_FILE, read_file};
use hansei_workspace::changes::{self, Base, Paths};
use hansei_workspace::extents;
use hansei_workspace::git::{Git, GitError};
use hansei_workspace::history::{self, Merges};
use hansei_workspace::layout::Layout;

use super::Arguments;
use crate::failure::Failure;
use crate::given_file;
use crate::workspace::Workspace;

/// A person waits, but not forever.
pub(super) const PATIENCE: Duration = Duration::from_mins(10);

/// What was known before a change is worth some waiting.
const PATIENCE_FOR_HISTORY: Duration = Duration::from_secs(30);

/// A change.
pub(super) struct Change {
    /// The commit it ends with; none for a work tree, the index, or a list of paths.
    pub(super) commit: Option<String>,
    /// Its paths, escaped as records have them.
    pub(super) files: Vec<String>,
    /// The settings as they were before it.
    pub(super) settings: Layers,
    /// Its files with their lines, a moved one once.
    pub(super) counted: Vec<FileChange>,
    /// What was known before it, where there is a history.
    pub(super) known: Option<Known>,
}

impl Change {
    pub(super) fn find(arguments: &Arguments) -> Result<Self, Failure> {
        let workspace = Workspace::at(arguments.repo.as_deref())?;
        if let Some(file) = &arguments.files {
            let files = listed(file)?;
            let counted = files.iter().map(|path| without_lines(path)).collect();
            let settings = settings_on_disk(&workspace)?;
            return Ok(Self { commit: None, files, settings, counted, known: None });
        }
        if let Layout::Missing { folder } = &workspace.layout {
            return Err(Failure::usage(format!("{} is not in a git repository", folder.display()))
                .hint("name one with --repo, or give paths with --files -"));
        }
        let git = Git::new(workspace.layout.root(), Instant::now() + PATIENCE)?;
        match (&arguments.base, &arguments.commit, arguments.staged) {
            (Some(base), _, _) => since_base(&workspace, &git, base, arguments.head.as_deref()),
            (None, Some(commit), _) => {
                let commit = commit_named(&git, commit)?;
                let parent = changes::resolve(&git, &format!("{commit}^1"))?;
                let paths = changes::of_commit(&git, &commit)?;
                let settings = settings_at(&workspace, &git, parent.as_deref())?;
                let (counted, author) = told(&git, &commit)?;
                let known = known_before(&git, parent.as_deref(), &counted, author.as_deref());
                Ok(Self::counted(Some(commit), &paths, settings, counted, known))
            }
            (None, None, true) => {
                let paths = changes::staged(&git)?;
                let settings = settings_before(&workspace, &git, &paths, "HEAD")?;
                let counted = counted_or_named(extents::staged(&git), &paths);
                let head = changes::resolve(&git, "HEAD")?;
                let known = known_before(&git, head.as_deref(), &counted, user(&git)?.as_deref());
                Ok(Self::counted(None, &paths, settings, counted, known))
            }
            (None, None, false) => work_tree(&workspace, &git, Base::Head, "HEAD"),
        }
    }

    fn counted(
        commit: Option<String>,
        paths: &Paths,
        settings: Layers,
        counted: Vec<FileChange>,
        known: Option<Known>,
    ) -> Self {
        Self { commit, files: texts(paths), settings, counted, known }
    }
}

/// A file of which only the path is known.
fn without_lines(path: &str) -> FileChange {
    FileChange { path: path.to_owned(), renamed_from: None, extent: Extent::Unknown }
}

/// The files as they were counted, or by name alone where their content is not in this repository.
fn counted_or_named(counted: Result<Vec<FileChange>, GitError>, paths: &Paths) -> Vec<FileChange> {
    counted.unwrap_or_else(|_| texts(paths).iter().map(|path| without_lines(path)).collect())
}

/// What was known at `base`; nothing where git cannot say or takes too long, which costs the likelihood its history and
/// nobody the answer.
fn known_before(git: &Git, base: Option<&str>, files: &[FileChange], author: Option<&str>) -> Option<Known> {
    let git = Git::new(git.folder(), Instant::now() + PATIENCE_FOR_HISTORY).ok()?;
    history::before(&git, base, files, author).ok()
}

/// What `commit` changed against its first parent, and its author.
fn told(git: &Git, commit: &str) -> Result<(Vec<FileChange>, Option<String>), Failure> {
    let id: CommitId =
        commit.parse().map_err(|_| Failure::environment(format!("{commit} is no full hash")))?;
    let mut answer = (Vec::new(), None);
    history::of_commits(git, vec![id], Merges::AgainstFirstParent).tell(|commit| {
        answer.1 = (!commit.author.email.trim().is_empty()).then(|| identity(&commit.author));
        answer.0 = commit.files;
        std::ops::ControlFlow::Break(())
    })?;
    Ok(answer)
}

/// The address of whoever works here.
fn user(git: &Git) -> Result<Option<String>, Failure> {
    let email = git.ask_maybe(&["config", "--get", "user.email"])?;
    let email = email.map(|email| String::from_utf8_lossy(&email).trim().to_lowercase());
    Ok(email.filter(|email| !email.is_empty()))
}

fn since_base(workspace: &Workspace, git: &Git, base: &str, head: Option<&str>) -> Result<Change, Failure> {
    let base = commit_named(git, base)?;
    let Some(head) = head else {
        return work_tree(workspace, git, Base::Commit(&base), &base);
    };
    let head = commit_named(git, head)?;
    let start = changes::fork_point(git, &base, &head)?;
    let paths = changes::between(git, &start, &head)?;
    let settings = settings_at(workspace, git, Some(&start))?;
    let counted = counted_or_named(extents::between(git, &start, &head), &paths);
    let (_, author) = told(git, &head)?;
    let known = known_before(git, Some(&start), &counted, author.as_deref());
    Ok(Change::counted(Some(head), &paths, settings, counted, known))
}

fn work_tree(workspace: &Workspace, git: &Git, base: Base<'_>, before: &str) -> Result<Change, Failure> {
    let Layout::WorkTree { root, .. } = &workspace.layout else {
        return Err(Failure::usage("a bare repository has no work tree")
            .hint("name what to look at with --commit, or with --base and --head"));
    };
    let change = changes::since(git, base)?;
    if let Some(gap) = change.gaps.first() {
        return Err(Failure::environment(gap.clone()));
    }
    let ours = workspace.places.ours_in(root);
    let paths: Paths = change.paths.into_iter().filter(|path| !ours.has(path)).collect();
    let settings = settings_before(workspace, git, &paths, before)?;
    let base = changes::resolve(git, before)?;
    let counted = counted_or_named(extents::since(git, base.as_deref(), &paths), &paths);
    let known = known_before(git, base.as_deref(), &counted, user(git)?.as_deref());
    Ok(Change::counted(None, &paths, settings, counted, known))
}

fn commit_named(git: &Git, revision: &str) -> Result<String, Failure> {
    changes::resolve(git, revision)?
        .ok_or_else(|| Failure::usage(format!("{revision:?} names no commit in {}", git.folder().display())))
}

/// The settings that hold for a change of `paths`: those of `before` when the change itself touches them.
fn settings_before(workspace: &Workspace, git: &Git, paths: &Paths, before: &str) -> Result<Layers, Failure> {
    if paths.contains(WORKSPACE_FILE.as_bytes()) {
        let commit = changes::resolve(git, before)?;
        settings_at(workspace, git, commit.as_deref())
    } else {
        settings_on_disk(workspace)
    }
}

pub(super) fn settings_at(workspace: &Workspace, git: &Git, commit: Option<&str>) -> Result<Layers, Failure> {
    let text = match commit {
        Some(commit) => changes::file_at(git, commit, WORKSPACE_FILE)?,
        None => None,
    };
    load(workspace, text.as_deref())
}

fn settings_on_disk(workspace: &Workspace) -> Result<Layers, Failure> {
    let text = read_file(&workspace.layout.root().join(WORKSPACE_FILE))?;
    load(workspace, text.as_deref())
}

pub(super) fn load(workspace: &Workspace, text: Option<&[u8]>) -> Result<Layers, Failure> {
    let path = workspace.layout.root().join(WORKSPACE_FILE);
    let user = workspace.environment.user_settings.as_deref();
    Ok(Layers::load(text.map(|text| (path.as_path(), text)), user)?)
}

pub(super) fn texts(paths: &Paths) -> Vec<String> {
    paths.iter().map(|path| path_text::encode(path)).collect()
}

/// Paths from a list: NUL-separated when there is a NUL in it, else one a line.
fn listed(file: &Path) -> Result<Vec<String>, Failure> {
    let list = given_file::bytes("--files", file, u64::MAX)?;
    let by_nul = list.contains(&0);
    let separator = if by_nul { 0 } else { b'\n' };
    let items = list.split(|byte| *byte == separator);
    let items = items.map(|item| if by_nul { item } else { item.strip_suffix(b"\r").unwrap_or(item) });
    Ok(items.filter(|item| !item.is_empty()).map(path_text::encode).collect())
}
