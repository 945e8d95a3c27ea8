//! What a sandboxed command sees of the file system, as a list of mounts in the order in which they are made.
//!
//! Everything starts empty. System programs and libraries are shown read-only, of `/etc` only what programs need to run;
//! temporary folders, `/run` and the home are private and end with the command; the workspace may be written, but for
//! what is protected in it.

use std::path::{Path, PathBuf};

use super::placeholders::Held;
use super::{Refusal, Request, elsewhere_kept as elsewhere, git_guards, settings, sockets, toolchains};
use crate::protected::PROTECTED;

/// One thing to mount or make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mount {
    /// As outside, read-only.
    ReadOnly(PathBuf),
    /// As outside, and to be written.
    Writable(PathBuf),
    /// A link.
    Link { target: PathBuf, at: PathBuf },
    /// What programs need of `/etc`.
    Settings,
    /// What lies in this folder, read-only, as `/etc`.
    SettingsFrom(PathBuf),
    /// A copy of a small file.
    Copy(PathBuf),
    /// A file with this text.
    Text { text: String, at: PathBuf },
    /// Empty and to be written, in memory.
    Private(PathBuf),
    /// Empty for good.
    Empty(PathBuf),
    /// Nothing but a device that swallows everything, over what is there.
    Masked(PathBuf),
}

/// The folder with our own records.
const OURS: &str = ".hansei";

/// Where a distribution keeps a language's settings, by how their names begin.
pub(super) const FOLDERS_LIKE: &[&str] = &["java-"];

/// What is to be seen and guarded, found by looking alone.
#[derive(Debug)]
pub(super) struct Plan {
    /// Everything up to the workspace, in order.
    mounts: Vec<Mount>,
    /// What is guarded in the workspace, relative to it; some of it may not be there.
    pub(super) names: Vec<PathBuf>,
    /// Folders of the user's that are shown, in which others may listen.
    shown: Vec<PathBuf>,
    /// Sockets of others there.
    sockets: Vec<PathBuf>,
}

/// What a view is made of.
#[derive(Debug)]
pub(super) struct View {
    /// In order.
    pub(super) mounts: Vec<Mount>,
    /// Keeps the places alive at which missing names are guarded.
    pub(super) held: Held,
}

/// What a command in `workspace` is to see, for a user whose home is `home`.
pub(super) fn plan(request: &Request, workspace: &Path, home: &Path) -> Result<Plan, Refusal> {
    let mut mounts = system();
    mounts.extend(["/tmp", "/run"].map(|place| Mount::Private(place.into())));
    mounts.push(Mount::Link { target: "/tmp".into(), at: "/var/tmp".into() });
    mounts.push(Mount::Link { target: "/run".into(), at: "/var/run".into() });
    let readable = readable(request, home);
    let mut of_home = vec![Mount::Private(home.to_owned())];
    of_home.extend(cargo_settings(home));
    of_home.extend(readable.iter().cloned().map(Mount::ReadOnly));
    let the_workspace = || {
        repository(workspace).into_iter().map(Mount::ReadOnly).chain([Mount::Writable(workspace.to_owned())])
    };
    if home.starts_with(workspace) {
        mounts.extend(the_workspace());
        mounts.extend(of_home);
    } else {
        mounts.extend(of_home);
        mounts.extend(the_workspace());
    }
    let mut shown = readable;
    shown.push(workspace.to_owned());
    let sockets = sockets::below(&shown);
    Ok(Plan { mounts, names: guarded(workspace, home)?, shown, sockets })
}

impl Plan {
    /// Whether the same is to be guarded now. What is shown beside the workspace is not looked at again: nothing depends on
    /// its being new.
    pub(super) fn guards_the_same(&self, workspace: &Path, home: &Path) -> bool {
        guarded(workspace, home).is_ok_and(|names| names == self.names)
            && sockets::below(&self.shown) == self.sockets
    }

    /// The folders that are the command's own.
    pub(super) fn private(&self) -> impl Iterator<Item = &Path> {
        self.mounts.iter().filter_map(|mount| match mount {
            Mount::Private(folder) => Some(folder.as_path()),
            _ => None,
        })
    }

    /// Makes the places that are missing, and says how everything is mounted.
    pub(super) fn view(&self, workspace: &Path, records: &Path) -> Result<View, Refusal> {
        let held = Held::new(workspace, &self.names, records).map_err(|source| {
            Refusal::BadRequest(format!(
                "the protected names of {} could not be guarded: {source}",
                workspace.display()
            ))
        })?;
        let mut mounts = Vec::new();
        for mount in &self.mounts {
            match mount {
                Mount::Settings => mounts.extend(settings::mounts(records)),
                mount => mounts.push(mount.clone()),
            }
        }
        mounts.extend(guards(workspace, &self.names, &held));
        mounts.extend(self.sockets.iter().cloned().map(Mount::Masked));
        Ok(View { mounts, held })
    }
}

fn system() -> Vec<Mount> {
    let mut mounts = vec![Mount::ReadOnly("/usr".into())];
    for name in ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"] {
        let place = Path::new(name);
        match place.symlink_metadata() {
            Ok(meta) if meta.is_symlink() => {
                if let Ok(target) = place.read_link() {
                    mounts.push(Mount::Link { target, at: place.into() });
                }
            }
            Ok(_) => mounts.push(Mount::ReadOnly(place.into())),
            Err(_) => {}
        }
    }
    mounts.push(Mount::Settings);
    mounts
}

/// Toolchains, and what the user named.
fn readable(request: &Request, home: &Path) -> Vec<PathBuf> {
    let mut folders = toolchains::folders(home, |name| std::env::var_os(name));
    folders.extend(request.readable.iter().filter(|path| path.is_absolute() && path.exists()).cloned());
    toolchains::without_covered(folders)
}

/// Where cargo takes crates from, of its own settings: without that it does not find what it downloaded. Everything
/// else in that file stays hidden, because it may be a login.
fn cargo_settings(home: &Path) -> Option<Mount> {
    const SAID: &[&str] = &[
        "registry", "replace-with", "index", "local-registry", "directory", "git", "branch", "tag", "rev",
        "protocol",
    ];
    let file = home.join(".cargo/config.toml");
    let text = std::fs::read_to_string(&file).ok()?;
    let mut kept = String::new();
    let mut is_source = false;
    for line in text.lines() {
        if line.starts_with('[') {
            is_source = line.starts_with("[source") || line.starts_with("[registries");
        }
        let is_said = line
            .split_once('=')
            .is_some_and(|(key, value)| SAID.contains(&key.trim()) && !value.contains('@'));
        if is_source && (line.starts_with('[') || is_said) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    Some(Mount::Text { text: kept, at: file })
}

/// The git directories outside the workspace that belong to it: of a linked work tree, of a folder inside a repository.
fn repository(workspace: &Path) -> Vec<PathBuf> {
    let layout = crate::layout::Layout::of(workspace);
    let mut folders = Vec::new();
    if layout.root() != workspace {
        folders.push(layout.root().join(".git"));
    }
    if layout.home() != workspace {
        let home = layout.home();
        folders.push(if home.join(".git").is_dir() { home.join(".git") } else { home.to_owned() });
    }
    folders
        .retain(|folder| folder.exists() && !workspace.starts_with(folder) && !folder.starts_with(workspace));
    toolchains::without_covered(folders)
}

/// The names that are protected in the workspace, whether they are there or not.
fn guarded(workspace: &Path, home: &Path) -> Result<Vec<PathBuf>, Refusal> {
    for row in PROTECTED {
        if workspace.join(row.name).is_symlink() {
            return Err(Refusal::BadRequest(format!(
                "{} is a symbolic link, which a sandboxed command could replace: make it a file or a folder",
                workspace.join(row.name).display()
            )));
        }
    }
    let rows = PROTECTED.iter().filter(|row| row.never_new || workspace.join(row.name).exists());
    let mut names: Vec<PathBuf> = rows.map(|row| row.name.into()).collect();
    let mut further = git_guards::of(workspace, home)?;
    further.extend(elsewhere::of(workspace)?);
    names.extend(further.iter().filter_map(|name| first_to_guard(workspace, name)));
    names.dedup();
    Ok(names)
}

/// What is protected: read-only where it is there, empty for good where not. Our own records are kept out of sight: whoever
/// begins anew in a clean conversation would find the old one there.
///
/// Only a mount point cannot be moved away, and a folder around one can. So every folder between the workspace and what
/// is protected is mounted onto itself as well.
fn guards(workspace: &Path, names: &[PathBuf], held: &Held) -> Vec<Mount> {
    let (mut around, mut there, mut empty) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        let path = workspace.join(name);
        if held.missing.contains(name) || name.as_os_str() == OURS && path.is_dir() {
            empty.push(Mount::Empty(path));
        } else if path.exists() {
            there.push(Mount::ReadOnly(path));
        } else {
            continue;
        }
        let folders = name.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        around.extend(folders.map(|folder| workspace.join(folder)));
    }
    around.sort();
    around.dedup();
    let mut mounts: Vec<_> = around.into_iter().map(Mount::Writable).collect();
    mounts.extend(there);
    // Last, because every bind reads the list of all mounts before it, and these need none.
    mounts.extend(empty);
    mounts
}

/// The name itself, or the first part of its path that is missing; nothing where the path leads through a link, which
/// git does not follow.
fn first_to_guard(workspace: &Path, name: &Path) -> Option<PathBuf> {
    let mut so_far = PathBuf::new();
    for part in name.components() {
        so_far.push(part);
        match workspace.join(&so_far).symlink_metadata() {
            Ok(meta) if meta.is_symlink() => return None,
            Ok(_) => {}
            Err(_) => break,
        }
    }
    Some(so_far)
}
