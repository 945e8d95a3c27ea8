//! A `.gitignore` at the root, read well enough for a folder that is no repository.

use super::tree::{Tree, base};

/// Whether a line of the root's `.gitignore` matches the path, its name or one of its folders.
pub(super) fn ignores(tree: &Tree, path: &str) -> bool {
    let Some(text) = tree.text(".gitignore") else { return false };
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '!'])).any(|line| {
        let pattern = line.trim_matches('/');
        if let Some(ending) = pattern.strip_prefix('*') {
            return base(path).ends_with(ending);
        }
        path == pattern
            || base(path) == pattern
            || path.starts_with(&format!("{pattern}/"))
            || path.contains(&format!("/{pattern}/"))
    })
}
