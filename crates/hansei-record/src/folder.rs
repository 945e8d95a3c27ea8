//! A folder that our files are written to, held open so that nobody can swap it for a link under our feet.
//!
//! Below a folder that was opened, no link is ever followed: not a folder's name, not a file's.

use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

/// An open folder.
#[derive(Debug)]
pub struct Folder {
    dir: Dir,
    path: PathBuf,
}

impl Folder {
    /// Opens a folder that exists, following links on the way: it was named by the user or by where they work.
    pub fn existing(path: &Path) -> io::Result<Self> {
        Ok(Self { dir: Dir::open_ambient_dir(path, ambient_authority())?, path: path.to_owned() })
    }

    /// Opens a folder named by the user, creating it where it is missing.
    pub fn named_by_user(path: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(path)?;
        Self::existing(path)
    }

    /// Where the folder lies, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sub-folder `name`, created where it is missing. A link in its place is refused.
    pub fn child(&self, name: &str) -> io::Result<Self> {
        match self.dir.open_dir_nofollow(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match self.dir.create_dir(name) {
                Ok(()) => self.existing_child(name),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.existing_child(name),
                Err(error) => Err(error),
            },
            other => other.map(|dir| Self { dir, path: self.path.join(name) }),
        }
    }

    /// The sub-folder `name`. A link in its place is refused.
    pub fn existing_child(&self, name: &str) -> io::Result<Self> {
        Ok(Self { dir: self.dir.open_dir_nofollow(name)?, path: self.path.join(name) })
    }

    /// The names of the files in the folder.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let names = self.dir.entries()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.collect())
    }

    /// Reads the plain file `name`, refusing links, devices, pipes, and more than `most` bytes.
    pub fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        read_at_most(self.open_to_read(name)?, most)
    }

    /// When the file `name` was last written.
    pub fn modified(&self, name: &str) -> io::Result<std::time::SystemTime> {
        Ok(self.dir.symlink_metadata(name)?.modified()?.into_std())
    }

    /// How long the file `name` is, and when it was last written.
    pub fn size_and_time(&self, name: &str) -> io::Result<(u64, std::time::SystemTime)> {
        let meta = self.dir.symlink_metadata(name)?;
        Ok((meta.len(), meta.modified()?.into_std()))
    }

    /// Opens the plain file `name` for reading, refusing links, devices and pipes.
    pub fn open_to_read(&self, name: &str) -> io::Result<std::fs::File> {
        let mut options = OpenOptions::new();
        options.read(true);
        self.open_plain(name, &mut options)
    }

    /// Opens the file `name` for reading and appending, creating it where it is missing. A file that has another name
    /// elsewhere is refused: appending would write there too.
    pub fn open_to_append(&self, name: &str) -> io::Result<std::fs::File> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = self.open_plain(name, &mut options)?;
        if has_other_names(&file.metadata()?) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{name} is a hard link")));
        }
        Ok(file)
    }

    /// Writes `name` whole or not at all: to a temporary file, synced, then renamed into place.
    pub fn write_atomically(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let temporary = format!(".{name}.{}.tmp", std::process::id());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // A file of this name can only be left over from a dead process that had our id.
        let _ = self.dir.remove_file(&temporary);
        let mut file = self.open_plain(&temporary, &mut options)?;
        let written = file.write_all(content).and_then(|()| file.sync_all());
        let renamed = written.and_then(|()| self.dir.rename(&temporary, &self.dir, name));
        if renamed.is_err() {
            let _ = self.dir.remove_file(&temporary);
            return renamed;
        }
        self.sync()
    }

    /// Writes `name` unless it is there already. For small files whose loss does no harm.
    pub fn write_once(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        match self.open_plain(name, &mut options) {
            Ok(mut file) => file.write_all(content),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Writes a new file `name` that only the user may read.
    pub fn write_private(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        self.open_plain(name, &mut options)?.write_all(content)
    }

    /// Renames a file within the folder.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.dir.rename(from, &self.dir, to)
    }

    /// Removes the file `name`, if it is there.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        match self.dir.remove_file(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Removes temporary files that dead writers left more than an hour ago.
    pub fn sweep(&self) -> io::Result<()> {
        const OLD: std::time::Duration = std::time::Duration::from_hours(1);
        for name in
            self.names()?.iter().filter(|name| name.starts_with('.') && name.strip_suffix(".tmp").is_some())
        {
            if self.modified(name)?.elapsed().is_ok_and(|age| age > OLD) {
                self.dir.remove_file(name)?;
            }
        }
        Ok(())
    }

    /// Makes a rename survive a power cut.
    fn sync(&self) -> io::Result<()> {
        // Not the folder that is held open: that handle may be one that only names it.
        if cfg!(unix) { self.dir.open(".")?.sync_all() } else { Ok(()) }
    }

    fn open_plain(&self, name: &str, options: &mut OpenOptions) -> io::Result<std::fs::File> {
        options.follow(FollowSymlinks::No);
        do_not_block(options);
        let file = self.dir.open_with(name, options)?.into_std();
        if file.metadata()?.is_file() { Ok(file) } else { Err(not_plain(name)) }
    }
}

/// Reads a plain file that the user named, refusing devices, pipes, and more than `most` bytes.
pub fn read_named_by_user(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nonblock());
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(not_plain(&path.display().to_string()));
    }
    read_at_most(file, most)
}

fn read_at_most(file: std::fs::File, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.take(most + 1).read_to_end(&mut content)?;
    if content.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {most} bytes")));
    }
    Ok(content)
}

#[cfg(unix)]
fn has_other_names(meta: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(meta) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &std::fs::Metadata) -> bool {
    false
}

fn not_plain(name: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{name} is not a plain file"))
}

/// Opening a pipe that nobody writes to would wait forever.
#[cfg(unix)]
fn do_not_block(options: &mut OpenOptions) {
    cap_std::fs::OpenOptionsExt::custom_flags(options, nonblock());
}

#[cfg(not(unix))]
fn do_not_block(_: &mut OpenOptions) {}

#[cfg(unix)]
fn nonblock() -> i32 {
    i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_never_followed() {
        let outside = tempfile::tempdir().unwrap();
        let inside = tempfile::tempdir().unwrap();
        let folder = Folder::existing(inside.path()).unwrap();
        symlink(outside.path(), inside.path().join("child")).unwrap();
        std::fs::write(outside.path().join("target"), "theirs").unwrap();
        symlink(outside.path().join("target"), inside.path().join("file")).unwrap();
        assert!(folder.child("child").is_err());
        assert!(folder.read("file", 100).is_err());
        assert!(folder.open_to_append("file").is_err());
        folder.write_atomically("file", b"ours").unwrap();
        assert_eq!(std::fs::read(outside.path().join("target")).unwrap(), b"theirs");
        assert_eq!(folder.read("file", 100).unwrap(), b"ours");
    }

    #[test]
    fn a_pipe_does_not_hold_us() {
        let inside = tempfile::tempdir().unwrap();
        let pipe = inside.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let folder = Folder::existing(inside.path()).unwrap();
        assert!(folder.read("pipe", 100).is_err());
        assert!(folder.open_to_append("pipe").is_err());
        assert!(read_named_by_user(&pipe, 100).is_err());
    }

    #[test]
    fn too_much_is_refused_and_temporary_files_are_swept() {
        let inside = tempfile::tempdir().unwrap();
        let folder = Folder::existing(inside.path()).unwrap();
        folder.write_once("a", b"123456").unwrap();
        assert_eq!(folder.read("a", 6).unwrap(), b"123456");
        assert!(folder.read("a", 5).is_err());
        folder.write_once(".a.1.tmp", b"").unwrap();
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(4000);
        std::fs::File::open(inside.path().join(".a.1.tmp")).unwrap().set_modified(old).unwrap();
        folder.write_once(".a.2.tmp", b"").unwrap();
        folder.sweep().unwrap();
        let mut names = folder.names().unwrap();
        names.sort();
        assert_eq!(names, [".a.2.tmp", "a"]);
    }
}
