//! Paths as they are written, before any file is looked at: relative, downwards, and nothing else.

use std::path::{Path, PathBuf};

use super::Refusal;

const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;

/// A path from the root of the workspace down. `.` is the root itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelativePath {
    names: Vec<String>,
    /// It was written with a slash at its end, so only a folder is meant.
    is_folder: bool,
}

impl RelativePath {
    /// The root.
    pub fn root() -> Self {
        Self { names: Vec::new(), is_folder: true }
    }

    /// Reads a path. Absolute ones and any `..` are refused even where they would stay inside: whoever writes them has
    /// another folder in mind than the one that we mean.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let path = || text.to_owned();
        let malformed = |reason| Refusal::Malformed { path: shortened(text), reason };
        if text.is_empty() {
            return Err(malformed("it is empty; the root of the workspace is `.`"));
        }
        if text.contains('\0') {
            return Err(malformed("it has a NUL character in it"));
        }
        if text.len() > LONGEST_PATH {
            return Err(malformed("it is longer than 4096 bytes"));
        }
        if is_absolute(text) {
            return Err(Refusal::Absolute { path: path() });
        }
        // A backslash is part of a name here and a slash elsewhere: refused where it would matter.
        if text.split(['/', '\\']).any(|name| name.trim_end_matches(' ') == "..") {
            return Err(Refusal::Parent { path: path() });
        }
        let names: Vec<String> =
            text.split('/').filter(|name| !matches!(*name, "" | ".")).map(ToOwned::to_owned).collect();
        if names.iter().any(|name| name.len() > LONGEST_NAME) {
            return Err(malformed("it has a name longer than 255 bytes"));
        }
        let is_folder = names.is_empty() || text.ends_with('/') || text.ends_with("/.");
        Ok(Self { names, is_folder })
    }

    /// The names on the way.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether only a folder can be meant.
    pub fn is_folder(&self) -> bool {
        self.is_folder
    }

    /// The path, normalised; `.` for the root.
    pub fn to_path(&self) -> PathBuf {
        if self.names.is_empty() { PathBuf::from(".") } else { self.names.iter().collect() }
    }

    /// The path below this one.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        let names = self.names.iter().cloned().chain([name.to_owned()]).collect();
        Self { names, is_folder: false }
    }
}

impl std::fmt::Display for RelativePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.to_path().display())
    }
}

/// Absolute on any system, and what a shell makes absolute.
fn is_absolute(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_drive = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    let of_windows = has_drive && bytes.get(2).is_none_or(|byte| matches!(byte, b'/' | b'\\'));
    text.starts_with(['/', '\\'])
        || of_windows
        || text == "~"
        || text.starts_with("~/")
        || Path::new(text).has_root()
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_relative_and_leads_down() {
        let good = [
            ("a", "a", false),
            ("./a", "a", false),
            ("a/./b//c", "a/b/c", false),
            (".", ".", true),
            ("./", ".", true),
            ("a/", "a", true),
            ("a/.", "a", true),
            ("...", "...", false),
            ("..a/b..", "..a/b..", false),
            ("a\\b", "a\\b", false),
            ("%2e%2e/a", "%2e%2e/a", false),
            ("~a", "~a", false),
            ("c:d", "c:d", false),
        ];
        for (text, path, is_folder) in good {
            let parsed = RelativePath::parse(text).unwrap();
            assert_eq!((parsed.to_path(), parsed.is_folder()), (PathBuf::from(path), is_folder), "{text:?}");
        }
        for text in ["/", "/etc/passwd", "//etc", "\\etc", "C:\\x", "c:/x", "c:", "~", "~/x"] {
            assert!(matches!(RelativePath::parse(text), Err(Refusal::Absolute { .. })), "{text:?}");
        }
        for text in ["..", "../a", "a/..", "a/../b", "./..", "..\\a", "a\\..\\b", "a/.. /b", "../"] {
            assert!(matches!(RelativePath::parse(text), Err(Refusal::Parent { .. })), "{text:?}");
        }
        for text in [String::new(), "a\0b".to_owned(), "a/".repeat(3000), "a".repeat(256)] {
            assert!(matches!(RelativePath::parse(&text), Err(Refusal::Malformed { .. })), "{text:?}");
        }
    }
}
