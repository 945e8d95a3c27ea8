//! Whatever of git's lies in the workspace and decides which programs git runs, beside `.git` itself.
//!
//! A repository's configuration may lie elsewhere in the workspace, name hooks and further files there, and other
//! repositories in it are entered by git on its own. All of that must stay as it is while a command runs.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{Refusal, gitlinks};

/// The most other repositories that are guarded; each costs a few mounts.
const MOST_LINKS: usize = 500;

/// How deep repositories in repositories are followed.
const DEEPEST: usize = 4;

/// Paths to guard, relative to the workspace; some may not be there yet.
pub(super) fn of(workspace: &Path, home: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let mut guarded = Vec::new();
    let mut to_see = vec![(workspace.to_owned(), 0)];
    while let Some((root, depth)) = to_see.pop() {
        let Some(git_dir) = git_dir(&root) else {
            if depth == 0 {
                // Without `.git` the folder itself would be taken for a repository if it looked like one.
                guarded.push(root.join("HEAD"));
            }
            continue;
        };
        let links = of_repository(&root, &git_dir, home, &mut guarded)?;
        if depth < DEEPEST {
            to_see.extend(links.into_iter().map(|link| (link, depth + 1)));
        }
    }
    let mut inside: Vec<_> = guarded.iter().filter_map(|path| below(workspace, path)).collect();
    inside.retain(|path| !path.starts_with(".git"));
    inside.sort();
    inside.dedup();
    Ok(inside)
}

/// Adds what is to be guarded of the repository at `root`, and gives the folders of the repositories in it.
fn of_repository(
    root: &Path,
    git_dir: &Path,
    home: &Path,
    guarded: &mut Vec<PathBuf>,
) -> Result<Vec<PathBuf>, Refusal> {
    let common = fs::read_to_string(git_dir.join("commondir"))
        .map_or_else(|_| git_dir.to_owned(), |text| git_dir.join(text.trim_end()));
    let configs = [common.join("config"), git_dir.join("config.worktree"), home.join(".gitconfig")];
    if let Some(linked) = configs[..2].iter().find(|file| has_other_names(file)) {
        return Err(Refusal::BadRequest(format!(
            "{} has a second name (a hard link), through which a sandboxed command could write it: copy it and move \
             the copy over it",
            linked.display()
        )));
    }
    guarded.extend([git_dir.to_owned(), common.clone()]);
    let hooks = common.join("hooks");
    let hook_files = fs::read_dir(&hooks).into_iter().flatten().flatten().map(|entry| entry.path());
    let links = configs.iter().cloned().chain([hooks]).chain(hook_files).filter(|path| path.is_symlink());
    guarded.extend(links.filter_map(|link| link.canonicalize().ok()));
    for entry in fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten() {
        guarded.extend(fs::read_to_string(entry.path().join("gitdir")).map(|text| text.trim_end().into()));
    }
    for file in configs {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let around = file.parent().unwrap_or(&common).to_owned();
        let words = named(&text).flat_map(|path| [root.join(&path), around.join(&path)]);
        guarded.extend(words.filter(|path| path.symlink_metadata().is_ok()));
        guarded.extend(not_there_yet(&text).flat_map(|path| [root.join(&path), around.join(&path)]));
    }
    let links = match fs::read(git_dir.join("index")) {
        Ok(index) => gitlinks::read(&index).unwrap_or_else(|| gitlinks::ask(root)),
        Err(_) => Vec::new(),
    };
    let links: Vec<_> = links.into_iter().take(MOST_LINKS).map(|link| root.join(link)).collect();
    guarded.extend(links.iter().map(|link| link.join(".git")));
    Ok(links)
}

fn git_dir(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    let meta = dot_git.symlink_metadata().ok()?;
    if meta.is_dir() {
        // An empty one is what stands in for a missing one.
        return dot_git.join("HEAD").exists().then_some(dot_git);
    }
    let text = fs::read_to_string(dot_git).ok()?;
    Some(root.join(text.strip_prefix("gitdir: ")?.trim_end()))
}

/// Keys whose value is a file that git reads or a command that it runs.
const RUNNING: &[&str] = &[
    "path", "hookspath", "fsmonitor", "attributesfile", "pager", "editor", "sequence.editor", "sshcommand",
    "askpass", "external", "textconv", "command", "clean", "smudge", "process", "driver", "helper", "cmd",
    "program", "templatedir",
];

/// Words of a configuration that may name files which git reads or runs.
fn named(config: &str) -> impl Iterator<Item = PathBuf> {
    values(config)
        .filter(|(key, value)| value.starts_with('!') || RUNNING.contains(&key.to_lowercase().as_str()))
        .flat_map(|(_, value)| value.split([' ', '\t', '"', '\'', ';', '=']))
        .map(|word| word.trim_start_matches('!'))
        .filter(|word| !word.is_empty() && !matches!(*word, "." | ".." | "/"))
        .map(PathBuf::from)
}

/// Files and folders that git would read as soon as they are there: included configuration, and hooks.
fn not_there_yet(config: &str) -> impl Iterator<Item = PathBuf> {
    values(config)
        .filter(|(key, _)| ["path", "hookspath"].contains(&key.to_lowercase().as_str()))
        .map(|(_, value)| value.trim_matches('"').into())
}

fn values(config: &str) -> impl Iterator<Item = (&str, &str)> {
    config.lines().filter_map(|line| line.split_once('=')).map(|(key, value)| (key.trim(), value.trim()))
}

/// A path relative to the workspace, if it lies in it.
fn below(workspace: &Path, path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    let relative = plain.strip_prefix(workspace).ok()?.to_owned();
    (!relative.as_os_str().is_empty()).then_some(relative)
}

fn has_other_names(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.symlink_metadata().is_ok_and(|meta| meta.is_file() && meta.nlink() > 1)
}
