//! Which files of a commit hold decisions, as it was found out last: `.hansei/decided_files.json`. It only spares a search;
//! whoever finds it missing or odd searches again.

use std::io;

use hansei_core::decision_memory::DecidedFiles;

use crate::folder::Folder;
use crate::redacted::Redacted;

const NAME: &str = "decided_files.json";
const LARGEST: u64 = 4 << 20;

/// What is known, if it can be read.
pub fn read(own: &Folder) -> Option<DecidedFiles> {
    let bytes = own.read(NAME, LARGEST).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Keeps what was found. A path that looks like a secret is not kept, and so nothing is.
pub fn write(own: &Folder, found: &DecidedFiles) -> io::Result<()> {
    let redacted = Redacted::new(found)?;
    if redacted.is_changed() {
        return Ok(());
    }
    own.write_atomically(NAME, &redacted.line())
}
