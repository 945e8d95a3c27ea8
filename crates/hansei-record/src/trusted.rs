//! Settings files of repositories that the user trusts, known by their content: whoever changes the file loses the trust.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::folder::Folder;
use crate::redacted::Redacted;

const NAME: &str = "trusted.json";
const LARGEST: u64 = 1024 * 1024;

/// The files that are trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// The version of this format.
    #[serde(default)]
    version: u32,
    /// One entry a file and content.
    #[serde(default)]
    files: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    file: PathBuf,
    digest: String,
}

impl Trusted {
    /// What is on record in `folder`. A record that cannot be read trusts nothing.
    pub fn read(folder: &Path) -> Self {
        let text = Folder::existing(folder).and_then(|folder| folder.read(NAME, LARGEST));
        text.ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// Whether `file` with this content is trusted.
    pub fn has(&self, file: &Path, content: &[u8]) -> bool {
        self.files.iter().any(|entry| entry.file == file && entry.digest == digest(content))
    }

    /// Trusts `file` with this content, and with no other.
    pub fn add(&mut self, file: &Path, content: &[u8]) {
        self.version = 1;
        self.files.retain(|entry| entry.file != file);
        self.files.push(Entry { file: file.to_owned(), digest: digest(content) });
    }

    /// Writes the record.
    pub fn write(&self, folder: &Folder) -> io::Result<()> {
        let redacted = Redacted::new(self)?;
        // A record that lost a part of a path would trust nothing.
        if serde_json::to_value(self)? != *redacted.value() {
            let reason = "the path looks like a secret and cannot be recorded";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        folder.write_atomically(NAME, &redacted.pretty())
    }
}

/// A content's digest, as text.
fn digest(content: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(content).iter().fold(String::from("sha256:"), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_content_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let file = Path::new("/project/hansei.toml");
        let mut trusted = Trusted::read(folder.path());
        trusted.add(file, b"one");
        trusted.add(file, b"two");
        trusted.write(&Folder::named_by_user(folder.path()).unwrap()).unwrap();
        let read = Trusted::read(folder.path());
        assert!(read.has(file, b"two"));
        assert!(!read.has(file, b"one") && !read.has(Path::new("/other/hansei.toml"), b"two"));
        std::fs::write(folder.path().join(NAME), "{").unwrap();
        assert_eq!(Trusted::read(folder.path()), Trusted::default());
    }
}
