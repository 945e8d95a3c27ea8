//! What a workspace contains, now and at its base commit, as values.

use std::collections::{BTreeMap, BTreeSet};

/// The files of a workspace and the texts of those that matter here. Paths are relative to the root, with `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// All files now, those that git ignores left out.
    pub now: BTreeSet<String>,
    /// All files at the base commit; none where there is no such commit.
    pub base: Option<BTreeSet<String>>,
    /// Texts of files that [`super::definitions::wanted`] names.
    pub texts: BTreeMap<String, Texts>,
    /// Paths that differ between the two; none where nobody knows.
    pub changed: Option<BTreeSet<String>>,
}

/// A file's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    /// Now, if it is there.
    pub now: Option<String>,
    /// At the base commit, if it was there.
    pub base: Option<String>,
}

impl Texts {
    /// The one that defines checks: the base's where there is one.
    pub fn defining(&self) -> Option<&str> {
        self.base.as_deref().or(self.now.as_deref())
    }
}

impl Contents {
    /// The defining text of a file.
    pub fn defining(&self, path: &str) -> Option<&str> {
        self.texts.get(path)?.defining()
    }

    /// The text of a file now.
    pub fn text_now(&self, path: &str) -> Option<&str> {
        self.texts.get(path)?.now.as_deref()
    }

    /// Whether the file is there now or was at the base.
    pub fn knows(&self, path: &str) -> bool {
        self.now.contains(path) || self.base.as_ref().is_some_and(|base| base.contains(path))
    }

    /// All paths, now and at the base.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let gone = self.base.iter().flatten().filter(|path| !self.now.contains(*path));
        self.now.iter().chain(gone).map(String::as_str)
    }
}

/// The folder that a path lies in; empty for the root.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name at the end of a path.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A file in a folder.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Whether `path` lies in `folder` or below it.
pub(super) fn within(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') || rest.is_empty())
}

/// A folder and those above it, the root last.
pub(super) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}
