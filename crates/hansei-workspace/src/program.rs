//! Programs on the search path, and which of them we may start ourselves.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::layout::Layout;

/// The most links that are followed to a program.
const MOST_LINKS: usize = 40;

/// Whoever has no number in a user namespace has this one.
#[cfg(unix)]
const NOBODY: u32 = 65_534;

/// Where a person called us, for children of ours that stand elsewhere. It can only leave programs out.
pub const STARTED_IN: &str = "HANSEI_STARTED_IN";

/// Which tree a program may not come from: whoever works in it, behind walls too, could have put it there.
#[derive(Debug, Clone, Copy)]
pub enum Workspace<'a> {
    /// That around this folder, and what [`Workspace::Here`] is.
    At(&'a Path),
    /// That around the current folder, and around the one in [`STARTED_IN`].
    Here,
}

/// There is no program that may be started.
#[derive(Debug, thiserror::Error)]
#[error("{name} was not found on PATH{}", left_out.as_ref().map(ToString::to_string).unwrap_or_default())]
pub struct NotFound {
    name: String,
    left_out: Option<LeftOut>,
}

impl NotFound {
    /// The first that is there all the same, and may not be started.
    pub fn left_out(&self) -> Option<&Path> {
        self.left_out.as_ref().map(|left_out| left_out.program.as_path())
    }
}

/// A program that may not be started.
#[derive(Debug, thiserror::Error)]
#[error("; {} is not started: {why}", program.display())]
struct LeftOut {
    program: PathBuf,
    why: Distrust,
}

/// Why a program may not be started.
#[derive(Debug, thiserror::Error)]
enum Distrust {
    #[error("it lies in the workspace, or is reached through it")]
    OfWorkspace,
    #[error("another user may change {}", _0.display())]
    OfOthers(PathBuf),
}

/// The program called `name` that we start ourselves: the first on the search path that neither a workspace nor another user
/// could have put there. A name with a slash is a path that a person chose.
pub fn find(name: &str, workspace: Workspace<'_>) -> Result<PathBuf, NotFound> {
    find_on(&std::env::var_os("PATH").unwrap_or_default(), name, workspace)
}

/// The same on a search path of somebody's.
pub fn find_on(search_path: &OsStr, name: &str, workspace: Workspace<'_>) -> Result<PathBuf, NotFound> {
    if name.contains('/') {
        return Ok(PathBuf::from(name));
    }
    let (mut trees, mut left_out) = (None, None);
    for program in called(name, search_path) {
        let trees = trees.get_or_insert_with(|| trees_around(workspace));
        match distrusted(&program, trees) {
            None => return Ok(program),
            Some(why) => left_out = left_out.or(Some(LeftOut { program, why })),
        }
    }
    Err(NotFound { name: name.to_owned(), left_out })
}

/// Whether a shell finds a program called `name`. It is not for us to start.
pub fn is_there(name: &str, search_path: &OsStr) -> bool {
    called(name, search_path).next().is_some()
}

/// Whether `program` is what a shell finds as `name`.
pub fn is_found_as(name: &str, search_path: &OsStr, program: &Path) -> bool {
    let found = called(name, search_path).next().and_then(|found| found.canonicalize().ok());
    found.is_some_and(|found| program.canonicalize().is_ok_and(|program| program == found))
}

/// The programs called `name` on the search path. Entries that are not absolute are left out: what they find depends on where
/// we stand.
fn called(name: &str, search_path: &OsStr) -> impl Iterator<Item = PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(search_path)
        .filter(|folder| folder.is_absolute())
        .map(move |folder| folder.join(&name))
        .filter(|file| is_executable(file))
        .collect::<Vec<_>>()
        .into_iter()
}

/// The trees that nothing is started from. What a sandbox may not write as a whole, the home and the root, is none.
fn trees_around(workspace: Workspace<'_>) -> Vec<PathBuf> {
    let given = match workspace {
        Workspace::At(folder) => Some(folder.to_owned()),
        Workspace::Here => None,
    };
    let started_in = std::env::var_os(STARTED_IN).map(PathBuf::from);
    let home = std::env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
    let mut trees: Vec<PathBuf> = given
        .into_iter()
        .chain(std::env::current_dir())
        .chain(started_in)
        .map(|folder| folder.canonicalize().unwrap_or(folder))
        .flat_map(|folder| {
            let layout = Layout::of(&folder);
            [layout.root(), layout.home()].map(|tree| tree.canonicalize().unwrap_or_else(|_| tree.to_owned()))
        })
        .filter(|tree| tree.parent().is_some() && Some(tree) != home.as_ref())
        .collect();
    trees.dedup();
    trees
}

fn distrusted(program: &Path, trees: &[PathBuf]) -> Option<Distrust> {
    let way = way_to(program);
    let real = program.canonicalize().ok();
    if way.iter().chain(&real).any(|place| trees.iter().any(|tree| place.starts_with(tree))) {
        return Some(Distrust::OfWorkspace);
    }
    changed_by_others(&way).map(Distrust::OfOthers)
}

/// Every place on the way to `file`: folders, links, and what they lead to.
fn way_to(file: &Path) -> Vec<PathBuf> {
    let backwards = |path: &Path| -> Vec<OsString> {
        path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
    };
    let (mut way, mut at, mut ahead, mut links) = (Vec::new(), PathBuf::new(), backwards(file), 0);
    while let Some(part) = ahead.pop() {
        if part == ".." {
            at.pop();
            continue;
        }
        let place = at.join(part);
        match place.read_link() {
            Ok(target) if links < MOST_LINKS => {
                links += 1;
                ahead.extend(backwards(&target));
            }
            _ => at.clone_from(&place),
        }
        way.push(place);
    }
    way
}

/// What another user, who is not root, may change of a program: itself, a link to it, or a folder that one of them lies in.
#[cfg(unix)]
fn changed_by_others(way: &[PathBuf]) -> Option<PathBuf> {
    let is_link = |place: &Path| place.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
    let (program, before) = way.split_last()?;
    let steps = before.iter().filter(|place| is_link(place)).chain([program]);
    let mut places = steps.flat_map(|step| [Some(step.as_path()), step.parent()]).flatten();
    places.find(|place| place.symlink_metadata().is_ok_and(|meta| is_of_others(&meta))).map(Path::to_owned)
}

#[cfg(not(unix))]
fn changed_by_others(_: &[PathBuf]) -> Option<PathBuf> {
    None
}

/// Whether another user than root may write it. A group is its owner's own affair, but root has no equals.
#[cfg(unix)]
fn is_of_others(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (me, owner, mode) = (rustix::process::geteuid().as_raw(), meta.uid(), meta.mode());
    let is_ours = owner == 0 || owner == me || is_nobody_here(owner);
    // Where a folder is sticky nobody takes away what is another's.
    let is_kept = meta.is_symlink() || meta.is_dir() && mode & 0o1000 != 0;
    let is_open = mode & 0o002 != 0 || me == 0 && mode & 0o020 != 0 && meta.gid() != 0;
    !is_ours || is_open && !is_kept
}

/// Whether a number stands for all who have none in this user namespace: in a container the machine's own files have it.
#[cfg(unix)]
fn is_nobody_here(owner: u32) -> bool {
    let has = |line: &str| -> Option<bool> {
        let mut fields = line.split_whitespace().map(|field| field.parse::<u64>().ok());
        let (first, _, count) = (fields.next()??, fields.next()??, fields.next()??);
        Some((first..first + count).contains(&u64::from(owner)))
    };
    owner == NOBODY
        && std::fs::read_to_string("/proc/self/uid_map")
            .is_ok_and(|map| !map.lines().any(|line| has(line).unwrap_or(true)))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn programs_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str, mode: u32| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            file
        };
        let program = write("agent", "#!/bin/sh\n", 0o755);
        write("text", "agent", 0o644);
        let path = std::env::join_paths([Path::new("."), folder.path()]).unwrap();
        assert_eq!(find_on(&path, "agent", Workspace::Here).ok(), Some(program));
        assert!(find_on(&path, "text", Workspace::Here).is_err());
    }
}
