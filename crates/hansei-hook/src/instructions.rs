//! The project's own instructions to agents, from the root of the work tree. No link is followed and not much is read.

use std::path::Path;

use hansei_core::evidence::Instructions;
use hansei_record::folder::Folder;

const FILES: [&str; 4] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "CONTRIBUTING.md"];
const LARGEST: u64 = 128 * 1024;

/// What the files say that are there.
pub(crate) fn read(root: &Path) -> Vec<Instructions> {
    let Ok(folder) = Folder::existing(root) else { return Vec::new() };
    let read = |file: &&str| {
        let text = String::from_utf8_lossy(&folder.read(file, LARGEST).ok()?).into_owned();
        Some(Instructions { file: (*file).to_owned(), text })
    };
    FILES.iter().filter_map(read).collect()
}
