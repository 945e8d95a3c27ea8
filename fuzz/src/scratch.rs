//! A folder for parsers that read files: one a thread, used again for every input.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

thread_local! {
    static FOLDER: TempDir = tempfile::tempdir().expect("a temporary folder can be made");
}

/// The folder of this thread for `purpose`.
pub(crate) fn folder(purpose: &str) -> PathBuf {
    FOLDER.with(|folder| {
        let folder = folder.path().join(purpose);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    })
}

/// Writes `bytes` to `file`, with the folders that it needs.
pub(crate) fn write(file: &Path, bytes: &[u8]) {
    if std::fs::write(file, bytes).is_err() {
        std::fs::create_dir_all(file.parent().expect("a file lies in a folder"))
            .expect("a folder can be made");
        std::fs::write(file, bytes).expect("a file can be written");
    }
}
