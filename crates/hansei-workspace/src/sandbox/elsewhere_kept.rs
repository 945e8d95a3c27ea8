//! Protected settings that really lie elsewhere in the workspace: behind a link, or under a second name.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::Refusal;
use crate::protected::PROTECTED;

/// The most entries of a protected folder that are looked at.
const MOST: usize = 300;

/// Where links in protected folders lead to in the workspace, relative to it. A file with a second name is refused: nobody
/// knows where that is.
pub(super) fn of(workspace: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let mut targets = Vec::new();
    for row in PROTECTED.iter().filter(|row| !matches!(row.name, ".git" | ".hansei")) {
        let mut to_see = vec![workspace.join(row.name)];
        let mut seen = 0;
        while let Some(path) = to_see.pop() {
            let Ok(meta) = path.symlink_metadata() else { continue };
            seen += 1;
            if seen > MOST {
                break;
            }
            if meta.is_symlink() {
                let target = path.canonicalize().ok();
                let inside = target.as_deref().and_then(|target| target.strip_prefix(workspace).ok());
                targets.extend(inside.filter(|inside| !inside.as_os_str().is_empty()).map(Path::to_owned));
            } else if meta.is_dir() {
                to_see.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
            } else if meta.is_file() && meta.nlink() > 1 {
                return Err(Refusal::BadRequest(format!(
                    "{} has a second name (a hard link), through which a sandboxed command could write it: copy it \
                     and move the copy over it",
                    path.display()
                )));
            }
        }
    }
    Ok(targets)
}
