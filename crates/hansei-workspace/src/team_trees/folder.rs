//! The folder of one team, locked for as long as its process lives: what nobody holds is left over, and removed.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};

const LOCK: &str = "lock";

/// A team's folder. It goes with this value.
#[derive(Debug)]
pub(super) struct TeamFolder {
    path: PathBuf,
    _lock: File,
}

impl TeamFolder {
    /// Makes the folder `name` in `teams`, for the user alone.
    pub(super) fn make(teams: &Path, name: &str) -> io::Result<Self> {
        let is_plain = Path::new(name).components().eq([Component::Normal(name.as_ref())]);
        if !is_plain || name == LOCK {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{name:?} names no folder here"),
            ));
        }
        private(teams)?;
        // Nobody sweeps between the making of a folder and its lock.
        let door = open(&teams.join(LOCK))?;
        door.lock()?;
        let path = teams.join(name);
        fs::create_dir(&path)?;
        let lock = open(&path.join(LOCK))?;
        lock.lock()?;
        drop(door);
        let path = path.canonicalize()?;
        fs::create_dir(path.join("trees"))?;
        Ok(Self { path, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn git_dir(&self) -> PathBuf {
        self.path.join("git")
    }

    pub(super) fn tree(&self, name: &str) -> PathBuf {
        self.path.join("trees").join(name)
    }
}

impl Drop for TeamFolder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes what teams left in `teams` whose process is gone. What cannot be removed stays for the next time.
pub fn sweep(teams: &Path) {
    let Ok(door) = open(&teams.join(LOCK)).and_then(|door| door.lock().map(|()| door)) else { return };
    for entry in fs::read_dir(teams).into_iter().flatten().flatten() {
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // A folder without a lock was made by somebody who ended before they had one.
        if open(&entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok()) {
            remove(&entry.path());
        }
    }
    drop(door);
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)
}

fn private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Removes a folder with everything in it. A command may have left folders that nobody may write to.
fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() {
        open_up(folder);
        let _ = fs::remove_dir_all(folder);
    }
}

#[cfg(unix)]
fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

#[cfg(not(unix))]
fn open_up(_: &Path) {}
