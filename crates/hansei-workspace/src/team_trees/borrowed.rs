//! What the team's repository has from the user's: its objects, what it ignores, and what is installed beside its sources.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{TreesError, recording};
use crate::git::{Git, GitError};
use crate::layout::path_from_bytes;

/// Files are taken and given as they are: no line end, encoding or keyword is changed, and no filter is asked.
const ATTRIBUTES: &str = "* -text -ident -filter !eol !working-tree-encoding\n";
/// What programs leave behind by running, and what is linked from the user's tree, where nothing else says so.
const IGNORED: &str = "__pycache__/\n*.pyc\nnode_modules\n.venv\nvenv\n";
/// Folders of what was installed.
const INSTALLED: &[&str] = &["node_modules", ".venv", "venv", "vendor"];
/// Files beside which something may be installed.
const MANIFESTS: &[&str] =
    &["package.json", "pyproject.toml", "requirements.txt", "composer.json", "go.mod", "Gemfile"];
/// The most folders that are looked into for what is installed.
const MOST_FOLDERS: usize = 64;
/// The largest list of ignored names that is taken over.
const LARGEST: u64 = 1 << 20;

/// Makes the repository at `git_dir`, and gives the folder of objects that it borrows.
pub(super) fn set_up(users: &Git, git_dir: &Path) -> Result<PathBuf, TreesError> {
    let format = recording::line(&users.ask(&["rev-parse", "--show-object-format"])?);
    let ours = Git::of_ours(git_dir, None, std::time::Instant::now() + super::GIT_LIMIT)?;
    ours.ask(&["init", "--quiet", "--bare", "--template=", &format!("--object-format={format}")])?;
    let objects = git_path(users, "objects")?;
    fs::create_dir_all(git_dir.join("objects/info"))?;
    let mut alternates = objects.as_os_str().as_encoded_bytes().to_vec();
    alternates.push(b'\n');
    fs::write(git_dir.join("objects/info/alternates"), alternates)?;
    // Where the history was cut, ours is cut as well.
    if let Ok(shallow) = read_small(&git_path(users, "shallow")?) {
        fs::write(git_dir.join("shallow"), shallow)?;
    }
    fs::create_dir_all(git_dir.join("info"))?;
    fs::write(git_dir.join("info/attributes"), ATTRIBUTES)?;
    let mut ignored = IGNORED.as_bytes().to_vec();
    for list in [Some(git_path(users, "info/exclude")?), of_user(users)?].into_iter().flatten() {
        if let Ok(text) = read_small(&list) {
            ignored.extend(text);
            ignored.push(b'\n');
        }
    }
    fs::write(git_dir.join("info/exclude"), ignored)?;
    Ok(objects)
}

/// The user's own list of ignored names.
fn of_user(users: &Git) -> Result<Option<PathBuf>, GitError> {
    if let Some(named) = users.ask_maybe(&["config", "--type=path", "--get", "core.excludesFile"])? {
        return Ok(Some(path_from_bytes(named.trim_ascii_end())));
    }
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let settings = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")));
    Ok(settings.map(|settings| settings.join("git/ignore")))
}

fn read_small(file: &Path) -> io::Result<Vec<u8>> {
    let meta = fs::metadata(file)?;
    if !meta.is_file() || meta.len() > LARGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    fs::read(file)
}

fn git_path(users: &Git, name: &str) -> Result<PathBuf, GitError> {
    let answer = users.ask(&["rev-parse", "--path-format=absolute", "--git-path", name])?;
    Ok(path_from_bytes(answer.strip_suffix(b"\n").unwrap_or(&answer)))
}

/// Folders of the user's tree with what was installed that git does not know, and where each stands in a tree.
pub(super) fn installed(users: &Git, root: &Path) -> Result<Vec<(PathBuf, PathBuf)>, TreesError> {
    let tracked = users.ask(&["ls-files", "-z", "--cached"])?;
    let mut folders = vec![PathBuf::new()];
    for path in tracked.split(|byte| *byte == 0).map(path_from_bytes) {
        let is_manifest = path.file_name().is_some_and(|name| MANIFESTS.iter().any(|known| name == *known));
        if let Some(folder) = path.parent().filter(|_| is_manifest)
            && folders.len() < MOST_FOLDERS
            && !folders.iter().any(|known| known == folder)
        {
            folders.push(folder.to_owned());
        }
    }
    let mut found = Vec::new();
    for (folder, name) in folders.iter().flat_map(|folder| INSTALLED.iter().map(move |name| (folder, name))) {
        let at = folder.join(name);
        // A link would show whatever it leads to.
        if root.join(&at).symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            let known = users.ask(&["ls-files".as_ref(), "-z".as_ref(), "--".as_ref(), at.as_os_str()])?;
            if known.is_empty() {
                found.push((root.join(&at), at));
            }
        }
    }
    Ok(found)
}

/// Links `folder` at `place`, where nothing is and its folder is there.
pub(super) fn link(folder: &Path, place: &Path) -> io::Result<()> {
    let is_free = place.symlink_metadata().is_err() && place.parent().is_some_and(Path::is_dir);
    #[cfg(unix)]
    if is_free {
        std::os::unix::fs::symlink(folder, place)?;
    }
    #[cfg(not(unix))]
    let _ = (folder, is_free);
    Ok(())
}
