//! Protected names that are not there yet.
//!
//! A name can be guarded only by mounting something over it, and that needs something to mount over. So an empty folder
//! stands in for what is missing while a command runs, also for a file: git does not see it. It is taken away when the
//! last command of that workspace has ended. What is created is recorded first: after a crash the next run knows it for
//! ours.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use sha1::{Digest as _, Sha1};

use super::pool::Pool;

/// Placeholders that stay for as long as this lives, and longer where another command needs them.
#[derive(Debug)]
pub(super) struct Held {
    workspace: PathBuf,
    pool: PathBuf,
    names: File,
    /// Locked in common by every running command.
    in_use: File,
    /// Those of the wanted names that are placeholders.
    pub(super) missing: Vec<PathBuf>,
}

impl Held {
    /// Creates those of the `wanted` names that are missing from `workspace` and whose folder is there. `records` is our own folder.
    pub(super) fn new(workspace: &Path, wanted: &[PathBuf], records: &Path) -> io::Result<Self> {
        private_folder(records)?;
        let id = Sha1::digest(workspace.as_os_str().as_encoded_bytes());
        let mut name = String::new();
        for byte in id {
            // Writing to a String cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        let names = open(&records.join(format!("{name}.names")))?;
        let in_use = open(&records.join(format!("{name}.in-use")))?;
        names.lock()?;
        let (workspace, pool) = (workspace.to_owned(), records.join("pool"));
        let mut held = Self { workspace, pool, names, in_use, missing: Vec::new() };
        held.create(wanted)?;
        held.in_use.lock_shared()?;
        held.names.unlock()?;
        Ok(held)
    }

    fn create(&mut self, wanted: &[PathBuf]) -> io::Result<()> {
        let mut recorded = self.recorded()?;
        let mut to_create = Vec::new();
        for name in wanted {
            let Some(text) = name.to_str().filter(|text| !text.contains('\n')) else { continue };
            let is_ours = recorded.iter().any(|known| known == text);
            match self.workspace.join(name).symlink_metadata() {
                Ok(meta) if is_ours && meta.is_dir() => self.missing.push(name.clone()),
                Ok(_) => {}
                Err(_) => {
                    if !is_ours {
                        recorded.push(text.to_owned());
                    }
                    to_create.push(name);
                }
            }
        }
        if !to_create.is_empty() {
            self.record(&recorded)?;
        }
        let mut pool = Pool::open(&self.pool);
        for name in to_create {
            match pool.put(&self.workspace.join(name)) {
                Ok(()) => self.missing.push(name.clone()),
                // Somebody was quicker: then it is theirs, and is guarded as what is there.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                // What we may not create, the command may not create either.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                    ) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn recorded(&mut self) -> io::Result<Vec<String>> {
        let mut text = String::new();
        self.names.rewind()?;
        self.names.read_to_string(&mut text)?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    fn record(&mut self, names: &[String]) -> io::Result<()> {
        self.names.set_len(0)?;
        self.names.rewind()?;
        self.names.write_all(names.join("\n").as_bytes())
    }

    fn remove_all(&mut self) -> io::Result<()> {
        let mut pool = Pool::open(&self.pool);
        for name in self.recorded()? {
            // Not what is no longer empty: somebody outside has filled it meanwhile.
            let _ = pool.take_back(&self.workspace.join(name));
        }
        self.record(&[])
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // What cannot be removed now is still recorded, and the next run of this workspace tries again.
        let _ = self.names.lock();
        let _ = self.in_use.unlock();
        if self.in_use.try_lock().is_ok() {
            let _ = self.remove_all();
            let _ = self.in_use.unlock();
        }
        let _ = self.names.unlock();
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Our own folder, which lies where everybody may create one: it must be ours and nobody else's.
fn private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let meta = folder.symlink_metadata()?;
    if meta.is_dir() && meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o022 == 0 {
        return Ok(());
    }
    Err(io::Error::other(format!("{} belongs to somebody else", folder.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protected::PROTECTED;

    fn wanted() -> Vec<PathBuf> {
        PROTECTED.iter().map(|row| row.name.into()).collect()
    }

    fn entries(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_created_goes_with_the_last_who_needs_it() {
        let (tree, records) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(tree.path().join("hansei.toml"), "# mine\n").unwrap();
        fs::create_dir(tree.path().join(".claude")).unwrap();
        let first = Held::new(tree.path(), &wanted(), records.path()).unwrap();
        assert_eq!(first.missing.len(), PROTECTED.len() - 2);
        let second = Held::new(tree.path(), &wanted(), records.path()).unwrap();
        assert_eq!(second.missing.len(), PROTECTED.len() - 2, "not taken for the user's");
        drop(first);
        assert!(tree.path().join(".git").exists());
        fs::write(tree.path().join(".codex/config.toml"), "").unwrap();
        drop(second);
        assert_eq!(entries(tree.path()), [".claude", ".codex", "hansei.toml"], "what others wrote stays");
    }

    #[test]
    fn what_a_crash_left_is_taken_away_by_the_next() {
        let (tree, records) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let held = Held::new(tree.path(), &wanted(), records.path()).unwrap();
        // As after kill -9: the locks go, and nothing else happens.
        let Held { names, in_use, .. } = &held;
        names.unlock().unwrap();
        in_use.unlock().unwrap();
        std::mem::forget(held);
        assert!(!entries(tree.path()).is_empty());
        drop(Held::new(tree.path(), &wanted(), records.path()).unwrap());
        assert_eq!(entries(tree.path()), [""; 0]);
    }
}
