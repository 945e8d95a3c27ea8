//! Whatever of git's lies in the workspace and decides which programs git runs, beside `.git` itself.
//!
//! A repository's configuration may lie elsewhere in the workspace, name hooks and further files there, and other
//! repositories in it are entered by git on its own. All of that must stay as it is while a command runs.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{Refusal, gitlinks};

/// The most other repositories that are guarded; each costs a few mounts.
const MOST_LINKS: usize = 500;

/// Paths to guard, relative to the workspace; some may not be there yet.
pub(super) fn of(workspace: &Path, home: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let dot_git = workspace.join(".git");
    let Some(git_dir) = git_dir(workspace, &dot_git) else {
        // Without `.git` the folder itself would be taken for a repository if it looked like one.
        return Ok(vec!["HEAD".into()]);
    };
    let common = fs::read_to_string(git_dir.join("commondir"))
        .map_or_else(|_| git_dir.clone(), |text| git_dir.join(text.trim_end()));
    let configs = [common.join("config"), git_dir.join("config.worktree"), home.join(".gitconfig")];
    if let Some(linked) = configs[..2].iter().find(|file| has_other_names(file)) {
        return Err(Refusal::BadRequest(format!(
            "{} has a second name (a hard link), through which a sandboxed command could write it: copy it and move \
             the copy over it",
            linked.display()
        )));
    }
    let mut guarded = vec![git_dir.clone(), common.clone()];
    for entry in fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten() {
        guarded.extend(fs::read_to_string(entry.path().join("gitdir")).map(|text| text.trim_end().into()));
    }
    for file in configs {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let around = file.parent().unwrap_or(&common).to_owned();
        let words = named(&text).flat_map(|path| [workspace.join(&path), around.join(&path)]);
        guarded.extend(words.filter(|path| path.symlink_metadata().is_ok()));
        guarded.extend(hooks_path(&text).map(|path| workspace.join(path)));
    }
    let links = match fs::read(git_dir.join("index")) {
        Ok(index) => gitlinks::read(&index).unwrap_or_else(|| gitlinks::ask(workspace)),
        Err(_) => Vec::new(),
    };
    guarded.extend(links.into_iter().take(MOST_LINKS).map(|link| workspace.join(link).join(".git")));

    let mut inside: Vec<_> = guarded.iter().filter_map(|path| below(workspace, path)).collect();
    inside.retain(|path| !path.starts_with(".git"));
    inside.sort();
    inside.dedup();
    Ok(inside)
}

fn git_dir(workspace: &Path, dot_git: &Path) -> Option<PathBuf> {
    let meta = dot_git.symlink_metadata().ok()?;
    if meta.is_dir() {
        // An empty one is what stands in for a missing one.
        return dot_git.join("HEAD").exists().then(|| dot_git.to_owned());
    }
    let text = fs::read_to_string(dot_git).ok()?;
    Some(workspace.join(text.strip_prefix("gitdir: ")?.trim_end()))
}

/// Keys whose value is a file that git reads or a command that it runs.
const RUNNING: &[&str] = &[
    "path",
    "hookspath",
    "fsmonitor",
    "attributesfile",
    "pager",
    "editor",
    "sequence.editor",
    "sshcommand",
    "askpass",
    "external",
    "textconv",
    "command",
    "clean",
    "smudge",
    "process",
    "driver",
    "helper",
    "cmd",
    "program",
    "templatedir",
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

/// Where the hooks are, also when that folder is not there yet.
fn hooks_path(config: &str) -> Option<PathBuf> {
    values(config)
        .find(|(key, _)| key.eq_ignore_ascii_case("hooksPath"))
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
