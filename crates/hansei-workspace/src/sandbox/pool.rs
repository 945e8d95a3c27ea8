//! Empty folders that are kept, to be moved to where one has to stand in and back again.
//!
//! Making and removing a folder costs the disk's journal several times what moving it costs, and removing one that is still
//! a mount point of a namespace that is ending stops for the kernel's whole bookkeeping, each time. Where folders cannot be
//! moved, they are made and removed.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rustix::fs::{CWD, RenameFlags, renameat_with};

/// The most folders that are kept.
const MOST: usize = 100;

/// The kept folders, locked. They are called by their numbers, from 0.
#[derive(Debug)]
pub(super) struct Pool {
    /// Nothing where there can be no pool, or its folders cannot be moved to where they are wanted.
    folder: Option<File>,
    next: usize,
}

impl Pool {
    /// Opens the pool at `path`, and waits until nobody else uses it.
    pub(super) fn open(path: &Path) -> Self {
        let open = || {
            match fs::create_dir(path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            let folder = File::open(path)?;
            folder.lock()?;
            Ok(folder)
        };
        Self { folder: open().ok(), next: 0 }
    }

    /// Puts an empty folder at `place`, where nothing is.
    pub(super) fn put(&mut self, place: &Path) -> io::Result<()> {
        while let Some(folder) = self.folder.as_ref().filter(|_| self.next < MOST) {
            let number = self.next.to_string();
            self.next += 1;
            match renameat_with(folder, &number, CWD, place, RenameFlags::NOREPLACE) {
                Ok(()) if is_empty(CWD, place) => return Ok(()),
                // Somebody has kept it open, and uses it: it stays out of the way.
                Ok(()) => renameat_with(CWD, place, folder, &number, RenameFlags::NOREPLACE)?,
                Err(rustix::io::Errno::EXIST) => return Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => self.folder = None,
            }
        }
        fs::create_dir(place)
    }

    /// Takes back the folder at `place`, if it is empty.
    pub(super) fn take_back(&mut self, place: &Path) -> io::Result<()> {
        if !is_empty(CWD, place) {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        while let Some(folder) = self.folder.as_ref().filter(|_| self.next < MOST) {
            let number = self.next.to_string();
            self.next += 1;
            match renameat_with(CWD, place, folder, &number, RenameFlags::NOREPLACE) {
                Ok(()) if is_empty(folder.as_fd(), Path::new(&number)) => return Ok(()),
                // Somebody was quicker and filled it: then it is theirs, and goes back.
                Ok(()) => {
                    renameat_with(folder, &number, CWD, place, RenameFlags::NOREPLACE)?;
                    return Err(io::ErrorKind::DirectoryNotEmpty.into());
                }
                Err(rustix::io::Errno::EXIST) => {}
                Err(_) => self.folder = None,
            }
        }
        fs::remove_dir(place)
    }
}

/// Whether a name is a folder, no link, with nothing in it.
fn is_empty(around: BorrowedFd<'_>, path: &Path) -> bool {
    use rustix::fs::{Dir, Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(mut entries) = openat(around, path, flags, Mode::empty()).and_then(Dir::new) else { return false };
    entries.all(|entry| entry.is_ok_and(|entry| matches!(entry.file_name().to_bytes(), b"." | b"..")))
}
