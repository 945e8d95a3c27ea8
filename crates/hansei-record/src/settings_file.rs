//! Settings files that belong to agents: read, replaced whole or not at all, and copied before the first change.
//!
//! A link stays a link (people keep their settings elsewhere and link to them), and a file keeps its permissions.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::folder::{Folder, read_named_by_user};

const LARGEST: u64 = 16 * 1024 * 1024;
const BACKUPS: &str = "backups";

/// The content of a settings file, if it is there.
pub fn read(path: &Path) -> io::Result<Option<String>> {
    match read_named_by_user(path, LARGEST) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces the content of `path`, which was `before` when it was read, and creates the file and its folders where they
/// are missing. Gives the folders that were created.
pub fn replace(path: &Path, before: Option<&str>, content: &str) -> io::Result<Vec<PathBuf>> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let created = missing_folders(folder);
    fs::create_dir_all(folder)?;
    let mut name = OsString::from(".");
    name.push(target.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    name.push(format!(".{}.hansei.tmp", std::process::id()));
    let temporary = folder.join(name);
    let written = write_new(&temporary, &target, content).and_then(|()| {
        // An agent that saved its settings in the meantime must not lose them.
        if read(&target)?.as_deref() == before {
            fs::rename(&temporary, &target)
        } else {
            Err(io::Error::new(io::ErrorKind::ResourceBusy, "somebody else just changed it; try again"))
        }
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map(|()| created)
}

fn write_new(temporary: &Path, target: &Path, content: &str) -> io::Result<()> {
    let _ = fs::remove_file(temporary);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    // Settings may hold keys: nobody else reads along, not even for a moment.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(temporary)?;
    file.write_all(content.as_bytes())?;
    match fs::metadata(target) {
        Ok(meta) => file.set_permissions(meta.permissions())?,
        Err(_) => shared(&file)?,
    }
    file.sync_all()
}

/// A new settings file holds nothing but our hooks, and a project's is shared.
#[cfg(unix)]
fn shared(file: &fs::File) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
}

#[cfg(not(unix))]
fn shared(_: &fs::File) -> io::Result<()> {
    Ok(())
}

/// Keeps a copy of `content`, which `path` held before the first change, in `records`.
pub fn back_up(records: &Folder, agent: &str, path: &Path, content: &str) -> io::Result<PathBuf> {
    let folder = records.child(BACKUPS)?;
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    let taken = folder.names()?;
    let free = |number: &u32| !taken.contains(&format!("{agent}-{number}-{name}"));
    let number = (1..u32::MAX).find(free).unwrap_or_default();
    let name = format!("{agent}-{number}-{name}");
    folder.write_private(&name, content.as_bytes())?;
    Ok(folder.path().join(name))
}

/// Removes `file` and then those of `folders` (the outermost first) that are empty.
pub fn remove(file: &Path, folders: &[PathBuf]) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    remove_empty(folders);
    Ok(())
}

/// Removes those of `folders` (the outermost first) that are empty.
pub fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // One that others use is not empty and stays.
        let _ = fs::remove_dir(folder);
    }
}

/// Removes a backup, and what holds records in `records` when nothing is left in it.
pub fn tidy(records: &Path, backup: Option<&Path>) {
    if let Some(backup) = backup {
        let _ = fs::remove_file(backup);
    }
    let _ = fs::remove_dir(records.join(BACKUPS));
    let only_ours =
        |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() == ".gitignore");
    if fs::read_dir(records).is_ok_and(|mut entries| entries.all(only_ours)) {
        let _ = fs::remove_file(records.join(".gitignore"));
        let _ = fs::remove_dir(records);
    }
}

/// The folders on the way to `folder` that are missing, the outermost first.
fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn links_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.json"), folder.path().join("link.json"));
        fs::write(&real, "{}").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&real, &link).unwrap();
        assert_eq!(replace(&link, Some("{}"), "{ }").unwrap(), Vec::<PathBuf>::new());
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "{ }");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        let busy = replace(&link, Some("{}"), "lost").unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
    }

    #[test]
    fn created_folders_are_named_and_go_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b/c.json");
        let created = replace(&file, None, "x").unwrap();
        assert_eq!(created, [folder.path().join("a"), folder.path().join("a/b")]);
        fs::write(folder.path().join("a/theirs"), "").unwrap();
        remove(&file, &created).unwrap();
        assert!(folder.path().join("a").is_dir() && !folder.path().join("a/b").exists());
    }

    #[test]
    fn a_backup_is_private_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let records = Folder::existing(folder.path()).unwrap();
        let first = back_up(&records, "codex", Path::new("/x/hooks.json"), "1").unwrap();
        let second = back_up(&records, "codex", Path::new("/x/hooks.json"), "2").unwrap();
        assert_eq!(fs::read_to_string(&first).unwrap(), "1");
        assert_eq!(fs::metadata(&second).unwrap().permissions().mode() & 0o777, 0o600);
        tidy(folder.path(), Some(&first));
        assert!(second.exists());
        tidy(folder.path(), Some(&second));
        assert!(!folder.path().exists());
    }
}
