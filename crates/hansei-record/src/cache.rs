//! Small things worth keeping for a short while, in the user's own cache folder: hooks are short-lived and remember
//! nothing else.
//!
//! An entry is readable by the user alone, written whole or not at all, and never trusted: what cannot be read, is too
//! old, or comes from the future is a miss.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::folder::Folder;
use crate::redacted::Redacted;

const LARGEST: u64 = 256 * 1024;
/// Entries older than this are removed when another is written.
const OLDEST: Duration = Duration::from_hours(1);
const VERSION: u32 = 1;

/// A cache folder, created when the first entry is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// The name of an entry: what it is, and a digest of everything it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheName(String);

impl CacheName {
    /// The entry of kind `what` for these parts.
    pub fn new(what: &'static str, parts: &[&str]) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        let mut name = format!("{what}-");
        for byte in digest.finalize() {
            let _ = write!(name, "{byte:02x}");
        }
        name.push_str(".json");
        Self(name)
    }
}

#[derive(Serialize, Deserialize)]
struct Entry {
    v: u32,
    written: u64,
    value: Value,
}

impl Cache {
    /// The cache at `folder`, which need not exist.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The user's own cache folder, from the values of `XDG_CACHE_HOME` and `HOME`.
    pub fn of_user(cache_home: Option<PathBuf>, home: Option<PathBuf>) -> Option<Self> {
        let absolute = |path: &PathBuf| path.is_absolute();
        let folder = cache_home.filter(absolute).or_else(|| Some(home.filter(absolute)?.join(".cache")))?;
        Some(Self::at(folder.join("hansei")))
    }

    /// What is kept under `name`, if it is younger than `kept`.
    pub fn get<T: DeserializeOwned>(&self, name: &CacheName, kept: Duration, now: SystemTime) -> Option<T> {
        let bytes = Folder::existing(&self.folder).ok()?.read(&name.0, LARGEST).ok()?;
        let entry: Entry = serde_json::from_slice(&bytes).ok()?;
        let age = seconds(now).checked_sub(entry.written)?;
        if entry.v != VERSION || age >= kept.as_secs() {
            return None;
        }
        serde_json::from_value(entry.value).ok()
    }

    /// Keeps `value` under `name`.
    pub fn put(&self, name: &CacheName, value: &impl Serialize, now: SystemTime) -> io::Result<()> {
        create_private(&self.folder)?;
        let folder = Folder::existing(&self.folder)?;
        sweep(&folder, now);
        let entry = Entry { v: VERSION, written: seconds(now), value: serde_json::to_value(value)? };
        let temporary = format!(".{}.{}.tmp", name.0, std::process::id());
        folder.remove(&temporary)?;
        let written = folder
            .write_private(&temporary, &Redacted::new(&entry)?.line())
            .and_then(|()| folder.rename(&temporary, &name.0));
        if written.is_err() {
            let _ = folder.remove(&temporary);
        }
        written
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Removes what nobody will read again. What cannot be removed stays.
fn sweep(folder: &Folder, now: SystemTime) {
    for name in folder.names().unwrap_or_default() {
        let old = folder.modified(&name).is_ok_and(|at| now.duration_since(at).is_ok_and(|age| age > OLDEST));
        let ours =
            name.trim_start_matches('.').split_once('-').is_some_and(|(_, rest)| rest.contains(".json"));
        if old && ours {
            let _ = folder.remove(&name);
        }
    }
}

fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: Duration = Duration::from_mins(1);

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_800_000_000 + seconds)
    }

    #[test]
    fn an_entry_is_kept_for_its_time_and_for_its_parts() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("hansei"));
        let name = CacheName::new("evaluation", &["ab", "c"]);
        assert_eq!(cache.get::<String>(&name, KEPT, at(0)), None);
        cache.put(&name, &"text", at(0)).unwrap();
        for (now, expected) in [(at(0), Some("text")), (at(59), Some("text")), (at(60), None)] {
            assert_eq!(cache.get::<String>(&name, KEPT, now).as_deref(), expected);
        }
        assert_eq!(cache.get::<String>(&name, KEPT, at(0) - KEPT), None, "from the future");
        assert_eq!(cache.get::<u32>(&name, KEPT, at(0)), None, "another shape");
        assert_eq!(cache.get::<String>(&CacheName::new("evaluation", &["a", "bc"]), KEPT, at(0)), None);
        cache.put(&name, &"later", at(5)).unwrap();
        assert_eq!(cache.get::<String>(&name, KEPT, at(5)).as_deref(), Some("later"));
        assert_eq!(std::fs::read_dir(folder.path().join("hansei")).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn entries_are_the_users_alone_and_hold_no_secret() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("hansei"));
        let name = CacheName::new("evaluation", &[]);
        let secret = concat!("ghp_", "FAKEfakeFAKEfakeFAKEfakeFAKEfake0000");
        cache.put(&name, &format!("token {secret}"), at(0)).unwrap();
        let path = folder.path().join("hansei").join(&name.0);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(!std::fs::read_to_string(&path).unwrap().contains(secret));
    }

    #[test]
    fn a_broken_entry_is_a_miss_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned());
        let name = CacheName::new("fast-model", &["x"]);
        for broken in ["", "{", "null", r#"{"v":1}"#, r#"{"v":2,"written":1800000000,"value":"x"}"#] {
            std::fs::write(folder.path().join(&name.0), broken).unwrap();
            assert_eq!(cache.get::<String>(&name, KEPT, at(0)), None, "{broken}");
        }
        cache.put(&name, &"new", at(0)).unwrap();
        assert_eq!(cache.get::<String>(&name, KEPT, at(0)).as_deref(), Some("new"));
        let nowhere = Cache::at(folder.path().join(&name.0));
        assert!(nowhere.put(&name, &"x", at(0)).is_err(), "a file is in the way");
    }

    #[test]
    fn old_entries_are_swept_and_other_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned());
        let now = SystemTime::now();
        let old = CacheName::new("evaluation", &["old"]);
        cache.put(&old, &"x", now).unwrap();
        std::fs::write(folder.path().join("notes"), "mine").unwrap();
        cache.put(&CacheName::new("evaluation", &["new"]), &"x", now + OLDEST * 2).unwrap();
        assert!(!folder.path().join(&old.0).exists());
        assert!(folder.path().join("notes").exists());
    }

    #[test]
    fn the_folder_is_the_users() {
        let of = |cache: Option<&str>, home: Option<&str>| {
            Cache::of_user(cache.map(PathBuf::from), home.map(PathBuf::from)).map(|cache| cache.folder)
        };
        assert_eq!(of(Some("/c"), Some("/h")), Some("/c/hansei".into()));
        assert_eq!(of(Some("relative"), Some("/h")), Some("/h/.cache/hansei".into()));
        assert_eq!(of(None, None), None);
    }
}
