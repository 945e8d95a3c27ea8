//! Whether a command left something in the folders that are its own: temporary ones, the home, shared memory.

use std::path::{Path, PathBuf};

/// Where bubblewrap puts devices, and with them shared memory.
const DEVICES: &str = "/dev";

/// How full some private folders are, each a file system in memory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fullness(Vec<Used>);

#[derive(Debug, PartialEq, Eq)]
struct Used {
    files: u64,
    blocks: u64,
}

impl Fullness {
    /// Looks at `folders` as the process `first` sees them; nothing where that cannot be told.
    pub(super) fn of<'a>(first: u32, folders: impl Iterator<Item = &'a Path>) -> Option<Self> {
        let root = PathBuf::from(format!("/proc/{first}/root"));
        let used = |folder: &Path| {
            let stat = rustix::fs::statfs(root.join(folder.strip_prefix("/").ok()?)).ok()?;
            // One that counts neither cannot be told from an empty one.
            (stat.f_files > 0 && stat.f_blocks > 0).then(|| Used {
                files: stat.f_files.saturating_sub(stat.f_ffree),
                blocks: stat.f_blocks.saturating_sub(stat.f_bfree),
            })
        };
        folders.chain([Path::new(DEVICES)]).map(used).collect::<Option<_>>().map(Self)
    }
}
