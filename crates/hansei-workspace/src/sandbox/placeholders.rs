//! Protected names that are not there yet.
//!
//! A name can be guarded only by mounting something over it, and that needs something to mount over. So what is missing
//! is created for as long as a command runs, and taken away when the last one of that workspace has ended. What was
//! created is recorded before it is created: after a crash the next run knows it for ours.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use sha1::{Digest as _, Sha1};

use crate::protected::{Kind, Protected};

/// Placeholders that stay for as long as this lives, and longer where another command needs them.
#[derive(Debug)]
pub(super) struct Held {
    workspace: PathBuf,
    names: File,
    /// Locked in common by every running command.
    in_use: File,
    /// Those of the wanted names that are placeholders.
    pub(super) missing: Vec<Protected>,
}

impl Held {
    /// Creates those of the `wanted` names that are missing from `workspace`. `records` is our own folder.
    pub(super) fn new(workspace: &Path, wanted: &[Protected], records: &Path) -> io::Result<Self> {
        private_folder(records)?;
        let id = Sha1::digest(workspace.as_os_str().as_encoded_bytes());
        let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let names = open(&records.join(format!("{id}.names")))?;
        let in_use = open(&records.join(format!("{id}.in-use")))?;
        names.lock()?;
        let mut held = Self { workspace: workspace.to_owned(), names, in_use, missing: Vec::new() };
        held.create(wanted)?;
        held.in_use.lock_shared()?;
        held.names.unlock()?;
        Ok(held)
    }

    fn create(&mut self, wanted: &[Protected]) -> io::Result<()> {
        let mut recorded = self.recorded()?;
        let mut to_create = Vec::new();
        for row in wanted {
            let is_ours = recorded.iter().any(|name| name == row.name);
            match self.workspace.join(row.name).symlink_metadata() {
                Ok(_) if is_ours => self.missing.push(*row),
                Ok(_) => {}
                Err(_) => {
                    if !is_ours {
                        recorded.push(row.name.to_owned());
                    }
                    to_create.push(*row);
                }
            }
        }
        if !to_create.is_empty() {
            self.record(&recorded)?;
        }
        for row in to_create {
            let path = self.workspace.join(row.name);
            let created = match kind(&row) {
                Kind::Folder => fs::create_dir(&path),
                Kind::File => OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .open(&path)
                    .and_then(|mut file| file.write_all(content(row.name).as_bytes())),
            };
            match created {
                Ok(()) => self.missing.push(row),
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
        for name in self.recorded()? {
            let path = self.workspace.join(&name);
            // Only what is still as we made it: somebody outside may have filled it meanwhile.
            match path.symlink_metadata() {
                Ok(meta) if meta.is_dir() => drop(fs::remove_dir(&path)),
                Ok(meta) if meta.is_file() && is_unchanged(&path, &meta, &name) => {
                    drop(fs::remove_file(&path));
                }
                _ => {}
            }
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

/// What stands in for a missing name: a file for what programs read in a workspace, an empty folder for the rest. Git
/// does not see an empty folder, and guarding one costs less.
pub(super) fn kind(row: &Protected) -> Kind {
    let is_read = [".json", ".jsonc", ".toml", ".envrc"].iter().any(|end| row.name.ends_with(end));
    if is_read { Kind::File } else { Kind::Folder }
}

/// What a placeholder holds, so that whoever reads it meanwhile finds nothing wrong with it.
fn content(name: &str) -> &'static str {
    if name.ends_with(".json") || name.ends_with(".jsonc") { "{}\n" } else { "" }
}

fn is_unchanged(path: &Path, meta: &fs::Metadata, name: &str) -> bool {
    meta.len() == content(name).len() as u64
        && fs::read(path).is_ok_and(|bytes| bytes == content(name).as_bytes())
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protected::PROTECTED;

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
        let first = Held::new(tree.path(), PROTECTED, records.path()).unwrap();
        assert_eq!(first.missing.len(), PROTECTED.len() - 2);
        let second = Held::new(tree.path(), PROTECTED, records.path()).unwrap();
        assert_eq!(second.missing.len(), PROTECTED.len() - 2, "not taken for the user's");
        drop(first);
        assert!(tree.path().join(".git").exists());
        fs::write(tree.path().join(".mcp.json"), "{\"mcpServers\": {}}").unwrap();
        drop(second);
        assert_eq!(entries(tree.path()), [".claude", ".mcp.json", "hansei.toml"], "what others wrote stays");
    }

    #[test]
    fn what_a_crash_left_is_taken_away_by_the_next() {
        let (tree, records) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let held = Held::new(tree.path(), PROTECTED, records.path()).unwrap();
        // As after kill -9: the locks go, and nothing else happens.
        let Held { names, in_use, .. } = &held;
        names.unlock().unwrap();
        in_use.unlock().unwrap();
        std::mem::forget(held);
        assert!(!entries(tree.path()).is_empty());
        drop(Held::new(tree.path(), PROTECTED, records.path()).unwrap());
        assert_eq!(entries(tree.path()), [""; 0]);
    }
}
