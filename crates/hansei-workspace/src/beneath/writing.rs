//! Writing: a file is there whole or not at all, and never in a protected place.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, OpenOptions};

use super::walk::Place;
use super::{Original, Refusal, RelativePath, Root};
use crate::protected::is_protected;

/// How often another name is tried for a temporary file.
const TRIES: u32 = 16;

impl Root {
    /// Writes a new file, and the folders above it that are missing.
    pub fn create(&self, path: &RelativePath, content: &[u8]) -> Result<(), Refusal> {
        let mut place = self.walk(path)?;
        may_write(&place, path)?;
        let asked = place.asked.clone();
        let Some(name) = place.name.take().filter(|_| !path.is_folder()) else {
            return Err(Refusal::IsAFolder { path: asked });
        };
        if place.missing.is_empty() && place.folder(self).symlink_metadata(&name).is_ok() {
            return Err(Refusal::AlreadyExists { path: asked });
        }
        let made = place.opened.len();
        let written = self.make_missing(&mut place).and_then(|()| {
            let folder = place.folder(self);
            let temporary = Temporary::write(folder, content, None)?;
            temporary.become_new(&name)?;
            sync(folder)
        });
        written.map_err(|error| {
            self.remove_made(&place, made);
            if error.kind() == io::ErrorKind::AlreadyExists {
                Refusal::AlreadyExists { path: asked }
            } else {
                place.system(error)
            }
        })
    }

    /// Replaces what was read by something else, unless somebody was quicker.
    pub fn replace(&self, original: &Original, path: &RelativePath, content: &[u8]) -> Result<(), Refusal> {
        let place = &original.place;
        may_write(place, path)?;
        if original.meta.permissions().readonly() {
            return Err(Refusal::ReadOnly { path: place.asked.clone() });
        }
        let Some(name) = &place.name else {
            return Err(Refusal::IsAFolder { path: place.asked.clone() });
        };
        let folder = place.folder(self);
        let written = Temporary::write(folder, content, Some(&original.meta)).and_then(|temporary| {
            if !is_still(folder, name, &original.meta) {
                return Ok(false);
            }
            temporary.replace(name)?;
            sync(folder).map(|()| true)
        });
        match written {
            Ok(true) => Ok(()),
            Ok(false) => Err(Refusal::Changed { path: place.asked.clone() }),
            Err(error) => Err(place.system(error)),
        }
    }

    fn make_missing(&self, place: &mut Place) -> io::Result<()> {
        for name in std::mem::take(&mut place.missing) {
            let folder = place.folder(self);
            match folder.create_dir(&name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            // Whoever was quicker may have put a link there.
            let made = folder.open_dir_nofollow(&name)?;
            place.opened.push((name, made));
        }
        Ok(())
    }

    /// Removes the folders that were made, as far as they are empty.
    fn remove_made(&self, place: &Place, from: usize) {
        for index in (from..place.opened.len()).rev() {
            let above = index.checked_sub(1).map_or(&self.dir, |above| &place.opened[above].1);
            let _ = above.remove_dir(&place.opened[index].0);
        }
    }
}

/// Asked twice: about the path as it was written, and about where it led.
fn may_write(place: &Place, path: &RelativePath) -> Result<(), Refusal> {
    let is_repository = place.opened.iter().any(|(_, dir)| is_git_folder(dir));
    if is_protected(&path.to_path()) || is_protected(&place.real_path()) || is_repository {
        return Err(Refusal::Protected { path: place.asked.clone() });
    }
    Ok(())
}

/// Whether a folder is what git keeps a repository in, under whatever name: hooks and settings in it run programs.
fn is_git_folder(dir: &Dir) -> bool {
    let is = |name: &str, folder: bool| dir.symlink_metadata(name).is_ok_and(|meta| meta.is_dir() == folder);
    is("HEAD", false) && is("objects", true) && is("refs", true)
}

/// A file that nobody knows yet, in the folder where it will be.
struct Temporary<'a> {
    folder: &'a Dir,
    name: PathBuf,
}

impl<'a> Temporary<'a> {
    /// Writes and syncs it, with the rights and the owner of the file that it is to replace.
    fn write(folder: &'a Dir, content: &[u8], like: Option<&std::fs::Metadata>) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        let mut tries = 0;
        let (mut file, temporary) = loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = PathBuf::from(format!(".hansei-{}-{number}.tmp", std::process::id()));
            match folder.open_with(&name, &options) {
                Ok(file) => break (file.into_std(), Self { folder, name }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => tries += 1,
                Err(error) => return Err(error),
            }
        };
        file.write_all(content)?;
        if let Some(like) = like {
            keep_owner(&file, like);
            file.set_permissions(permissions(like))?;
        }
        file.sync_all()?;
        Ok(temporary)
    }

    /// Takes the place of the file `name`.
    fn replace(mut self, name: &OsStr) -> io::Result<()> {
        self.folder.rename(&self.name, self.folder, name)?;
        self.name = PathBuf::new();
        Ok(())
    }

    /// Becomes the file `name`, which must not be there.
    fn become_new(mut self, name: &OsStr) -> io::Result<()> {
        match rename_to_new(self.folder, &self.name, name) {
            Some(Ok(())) => self.name = PathBuf::new(),
            Some(Err(error)) => return Err(error),
            // A second name, and the first is removed at the end of this function.
            None => self.folder.hard_link(&self.name, self.folder, name)?,
        }
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.name.as_os_str().is_empty() {
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

/// Renames unless the new name is taken; none where the file system cannot say so in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename_to_new(folder: &Dir, from: &Path, to: &OsStr) -> Option<io::Result<()>> {
    use rustix::io::Errno;
    match rustix::fs::renameat_with(folder, from, folder, to, rustix::fs::RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => None,
        other => Some(other.map_err(io::Error::from)),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn rename_to_new(_: &Dir, _: &Path, _: &OsStr) -> Option<io::Result<()>> {
    None
}

/// Whether a name still stands for the file that was read.
#[cfg(unix)]
fn is_still(folder: &Dir, name: &OsStr, read: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(now) = folder.symlink_metadata(name) else { return false };
    let now = {
        use cap_std::fs::MetadataExt as _;
        (now.dev(), now.ino(), now.size(), now.mtime(), now.mtime_nsec())
    };
    now == (read.dev(), read.ino(), read.size(), read.mtime(), read.mtime_nsec())
}

#[cfg(not(unix))]
fn is_still(folder: &Dir, name: &OsStr, read: &std::fs::Metadata) -> bool {
    folder.symlink_metadata(name).is_ok_and(|now| now.is_file() && now.len() == read.len())
}

/// What the user and others may do with the file; never with whose rights it runs.
#[cfg(unix)]
fn permissions(like: &std::fs::Metadata) -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::Permissions::from_mode(like.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn permissions(like: &std::fs::Metadata) -> std::fs::Permissions {
    like.permissions()
}

/// Root may edit a file of somebody else, and must not take it from them.
#[cfg(unix)]
fn keep_owner(file: &std::fs::File, like: &std::fs::Metadata) {
    use std::os::unix::fs::MetadataExt as _;
    let differs = file.metadata().is_ok_and(|meta| (meta.uid(), meta.gid()) != (like.uid(), like.gid()));
    if differs {
        let (uid, gid) = (rustix::fs::Uid::from_raw(like.uid()), rustix::fs::Gid::from_raw(like.gid()));
        let _ = rustix::fs::fchown(file, Some(uid), Some(gid));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &std::fs::File, _: &std::fs::Metadata) {}

/// Makes a rename survive a power cut.
fn sync(folder: &Dir) -> io::Result<()> {
    // Not the folder that is held open: that handle may be one that only names it.
    if cfg!(unix) { folder.open(".")?.sync_all() } else { Ok(()) }
}
