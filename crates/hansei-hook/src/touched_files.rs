//! When the files that a session changed were last written, as the tree itself shows it.

use std::fs::Metadata;
use std::path::Path;
use std::time::Instant;

use hansei_core::evidence::Touched;
use hansei_core::path_text;
use hansei_core::session::Session;
use hansei_record::clock;
use hansei_workspace::layout::path_from_bytes;

use crate::time_limit::TimeLimit;

/// The most files that are looked at.
const MOST: usize = 5_000;

/// Looks at `files`, as records write them, below `root`, as long as git may take. What cannot be looked at is left out. Paths
/// are seen from the folder that the session works in.
pub(crate) fn look(root: &Path, session: &Session, files: &[String], limit: &TimeLimit) -> Vec<Touched> {
    let folder = session.circumstances.cwd.as_deref().map_or(root, Path::new);
    let until = limit.git();
    let mut touched = Vec::new();
    for file in files.iter().take(MOST).take_while(|_| Instant::now() < until) {
        let path = root.join(path_from_bytes(&path_text::decode(file)));
        let written =
            path.symlink_metadata().ok().filter(Metadata::is_file).and_then(|meta| meta.modified().ok());
        if let Some(written) = written {
            let seen = path.strip_prefix(folder).unwrap_or(&path);
            touched.push(Touched { path: seen.to_string_lossy().into_owned(), at: clock::at(written) });
        }
    }
    touched
}
