//! What a command sees of `/etc`: copies of a few small files that programs read.
//!
//! They are copied once and kept in our own folder, under a name that says which versions they are: one mount shows them all,
//! where copying them for every command costs more than a millisecond.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha1::{Digest as _, Sha1};

use super::view::{FOLDERS_LIKE, Mount};

/// Small files of `/etc` that programs read.
const FILES: &[&str] = &[
    "passwd",
    "group",
    "hosts",
    "nsswitch.conf",
    "ld.so.cache",
    "localtime",
    "timezone",
    "os-release",
    "debian_version",
    "services",
    "protocols",
    "mime.types",
    "host.conf",
    "bash.bashrc",
    "profile",
    "inputrc",
    "locale.alias",
    "gitconfig",
    "ssl/openssl.cnf",
    "ssl/cert.pem",
    "ssl/certs/ca-certificates.crt",
    "ssl/certs/java/cacerts",
    "pki/tls/certs/ca-bundle.crt",
    "maven/settings.xml",
    "maven/m2.conf",
    "maven/toolchains.xml",
    "maven/logging/simplelogger.properties",
];

/// Folders of `/etc` that programs read.
const FOLDERS: &[&str] = &["alternatives"];

/// How long copies of older versions are kept for commands that still run.
const KEPT: Duration = Duration::from_hours(48);

/// How `/etc` is shown. `records` is our own folder.
pub(super) fn mounts(records: &Path) -> Vec<Mount> {
    let etc = Path::new("/etc");
    let mut mounts = match kept(etc, records) {
        Ok(folder) => vec![Mount::SettingsFrom(folder)],
        Err(_) => {
            FILES.iter().map(|name| etc.join(name)).filter(|file| file.exists()).map(Mount::Copy).collect()
        }
    };
    mounts.extend(folders(etc).into_iter().map(Mount::ReadOnly));
    mounts
}

/// Folders that are shown as they are.
fn folders(etc: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> =
        FOLDERS.iter().map(|name| etc.join(name)).filter(|folder| folder.is_dir()).collect();
    for entry in fs::read_dir(etc).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if FOLDERS_LIKE.iter().any(|start| name.to_string_lossy().starts_with(start)) {
            folders.push(entry.path());
        }
    }
    folders
}

/// The folder with the copies of what is there now.
fn kept(etc: &Path, records: &Path) -> io::Result<PathBuf> {
    let (mut files, mut digest) = (Vec::new(), Sha1::new());
    for name in FILES {
        let Ok(meta) = fs::metadata(etc.join(name)) else { continue };
        if meta.is_file() {
            let version = [
                meta.dev(),
                meta.ino(),
                meta.len(),
                meta.ctime().cast_unsigned(),
                meta.ctime_nsec().cast_unsigned(),
            ];
            digest.update(format!("{name} {version:?} "));
            files.push(*name);
        }
    }
    let folders = folders(etc);
    digest.update(format!("{folders:?}"));
    let mut name = "etc-".to_owned();
    for byte in digest.finalize() {
        // Writing to a String cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    let folder = records.join(name);
    if !folder.is_dir() {
        let new = tempfile::Builder::new().prefix("new-").tempdir_in(records)?;
        copy(etc, &files, &folders, new.path())?;
        remove_old(records);
        // Two may do it at once: then one of them was quicker, with the same files.
        if let Err(error) = fs::rename(new.path(), &folder)
            && !folder.is_dir()
        {
            return Err(error);
        }
    }
    Ok(folder)
}

fn copy(etc: &Path, files: &[&str], folders: &[PathBuf], to: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    for name in files {
        let place = to.join(name);
        fs::create_dir_all(place.parent().unwrap_or(to))?;
        // What this user may not read is not shown.
        if let Ok(bytes) = fs::read(etc.join(name)) {
            fs::write(place, bytes)?;
        }
    }
    for name in folders.iter().filter_map(|folder| folder.file_name()) {
        fs::create_dir(to.join(name))?;
    }
    fs::set_permissions(to, fs::Permissions::from_mode(0o755))
}

fn remove_old(records: &Path) {
    for entry in fs::read_dir(records).into_iter().flatten().flatten() {
        let is_old = || entry.metadata().ok()?.modified().ok()?.elapsed().ok().map(|age| age > KEPT);
        if entry.file_name().to_string_lossy().starts_with("etc-") && is_old() == Some(true) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
