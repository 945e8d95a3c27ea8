//! Plain files, opened to be read.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, OpenOptions};

use super::walk::Place;
use super::{Refusal, RelativePath, Root};

/// A plain file with one name, open for reading.
#[derive(Debug)]
pub struct PlainFile {
    file: std::fs::File,
    size: u64,
    path: PathBuf,
}

/// A file's content as it was read, held so that it can be replaced if nobody else changed it.
#[derive(Debug)]
pub struct Original {
    pub(super) place: Place,
    pub(super) meta: std::fs::Metadata,
    content: Vec<u8>,
}

impl Root {
    /// Opens a plain file to read.
    pub fn file(&self, path: &RelativePath) -> Result<PlainFile, Refusal> {
        let place = self.walk(path)?;
        self.file_at(&place, path)
    }

    /// Reads a plain file of at most `most` bytes, to write it again.
    pub fn original(&self, path: &RelativePath, most: u64) -> Result<Original, Refusal> {
        let place = self.walk(path)?;
        let mut file = self.file_at(&place, path)?;
        let meta = file.file.metadata().map_err(|source| place.system(source))?;
        let content = file.read(most)?;
        Ok(Original { place, meta, content })
    }

    fn file_at(&self, place: &Place, path: &RelativePath) -> Result<PlainFile, Refusal> {
        let missing = || Refusal::NotFound { missing: place.asked.clone() };
        let Some(name) = &place.name else {
            return Err(Refusal::IsAFolder { path: place.asked.clone() });
        };
        if !place.missing.is_empty() {
            return Err(missing());
        }
        let file = open_plain(place.folder(self), name.as_ref(), place.asked.clone())?;
        if path.is_folder() { Err(Refusal::NotAFolder { path: place.asked.clone() }) } else { Ok(file) }
    }
}

/// Opens the plain file `name` of a folder, refusing links, pipes, devices and files with further names.
pub(super) fn open_plain(folder: &Dir, name: &std::path::Path, path: PathBuf) -> Result<PlainFile, Refusal> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    // Opening a pipe that nobody writes to would wait forever.
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::custom_flags(&mut options, nonblock());
    let file = match folder.open_with(name, &options) {
        Ok(file) => file.into_std(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Refusal::NotFound { missing: path });
        }
        Err(error) if is_unopenable(&error) => return Err(Refusal::SpecialFile { path }),
        // It was no link when we walked here.
        Err(error) if is_link(&error) => return Err(Refusal::Changed { path }),
        Err(source) => return Err(Refusal::System { path, source }),
    };
    let meta = file.metadata().map_err(|source| Refusal::System { path: path.clone(), source })?;
    if meta.is_dir() {
        return Err(Refusal::IsAFolder { path });
    }
    if !meta.is_file() {
        return Err(Refusal::SpecialFile { path });
    }
    let names = names_of(&meta);
    if names > 1 {
        return Err(Refusal::HardLink { path, names });
    }
    Ok(PlainFile { file, size: meta.len(), path })
}

impl PlainFile {
    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// All of it, if it has at most `most` bytes.
    pub fn read(&mut self, most: u64) -> Result<Vec<u8>, Refusal> {
        let system = |source| Refusal::System { path: self.path.clone(), source };
        self.file.seek(SeekFrom::Start(0)).map_err(system)?;
        let mut content = Vec::new();
        (&self.file).take(most + 1).read_to_end(&mut content).map_err(system)?;
        let size = content.len() as u64;
        if size > most {
            return Err(Refusal::TooLarge { path: self.path.clone(), size: self.size.max(size), most });
        }
        Ok(content)
    }
}

impl io::Read for PlainFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into)
    }
}

impl Original {
    /// What was read.
    pub fn content(&self) -> &[u8] {
        &self.content
    }
}

/// A socket, or a device that is not there.
#[cfg(unix)]
fn is_unopenable(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::NXIO | Errno::NODEV))
}

#[cfg(unix)]
fn is_link(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

#[cfg(not(unix))]
fn is_unopenable(_: &io::Error) -> bool {
    false
}

#[cfg(not(unix))]
fn is_link(_: &io::Error) -> bool {
    false
}

#[cfg(unix)]
fn names_of(meta: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(meta)
}

#[cfg(not(unix))]
fn names_of(_: &std::fs::Metadata) -> u64 {
    1
}

#[cfg(unix)]
fn nonblock() -> i32 {
    i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default()
}
